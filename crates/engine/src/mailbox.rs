//! What reaches a session from its threads: lines from the reader, tasks that
//! have ended.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use quadrille_protocol::LineBuffer;
use quadrille_search::{Moment, TimeSource};

use crate::work::Finished;

/// How many lines may wait. A host that sends faster than it is answered has to
/// wait too, so that a flood cannot exhaust the memory.
const CAPACITY: usize = 1024;

/// What happened.
#[derive(Debug)]
pub(crate) enum News {
    /// A line without its end, and when its bytes came.
    Line(Vec<u8>, Moment),
    /// There will be no more lines.
    End,
    /// What is said does not arrive any more.
    Refused,
    /// A task has ended, on this thread of the crew.
    Finished(usize, Finished),
}

/// Where the threads leave their news. Clones are the same box.
#[derive(Clone)]
pub(crate) struct Mailbox(Arc<Shared>);

struct Shared {
    post: Mutex<Post>,
    /// There is news.
    news: Condvar,
    /// There is room for a line, or no use for more.
    room: Condvar,
}

#[derive(Default)]
struct Post {
    lines: VecDeque<(Vec<u8>, Moment)>,
    /// The input has ended; told once.
    ended: bool,
    finished: VecDeque<(usize, Finished)>,
    /// What is said does not arrive; told once.
    refused: bool,
    /// No more lines are wanted.
    closed: bool,
}

impl Mailbox {
    /// Starts the reader thread. It ends with its input, or when no more lines
    /// are wanted.
    pub(crate) fn open(reader: impl Read + Send + 'static, time: Arc<dyn TimeSource>) -> Self {
        let mailbox = Self(Arc::new(Shared {
            post: Mutex::default(),
            news: Condvar::new(),
            room: Condvar::new(),
        }));
        let inside = mailbox.clone();
        let started = thread::Builder::new()
            .name("reader".into())
            .spawn(move || inside.read_lines(reader, &*time));
        if started.is_err() {
            // Without a reader there is no input.
            mailbox.end();
        }
        mailbox
    }

    /// Waits for the next news. Lines, and their end, only if they are wanted.
    pub(crate) fn next(&self, lines_wanted: bool) -> News {
        let mut post = self.post();
        loop {
            if let Some((thread, finished)) = post.finished.pop_front() {
                return News::Finished(thread, finished);
            }
            if std::mem::take(&mut post.refused) {
                return News::Refused;
            }
            if lines_wanted {
                if let Some((line, arrived)) = post.lines.pop_front() {
                    self.0.room.notify_one();
                    return News::Line(line, arrived);
                }
                if std::mem::take(&mut post.ended) {
                    return News::End;
                }
            }
            post = wait(&self.0.news, post);
        }
    }

    /// A task has ended.
    pub(crate) fn finish(&self, thread: usize, finished: Finished) {
        self.post().finished.push_back((thread, finished));
        self.0.news.notify_all();
    }

    /// The host reads no more.
    pub(crate) fn refuse(&self) {
        self.post().refused = true;
        self.0.news.notify_all();
    }

    /// Forgets all lines and wants no more.
    pub(crate) fn close(&self) {
        let mut post = self.post();
        post.closed = true;
        post.lines.clear();
        self.0.room.notify_all();
    }

    /// The first word that comes, in lower case; lines before it, which say
    /// nothing in any dialect, are dropped. `None` if the input ends first.
    pub(crate) fn peek_word(&self) -> Option<Vec<u8>> {
        let mut post = self.post();
        loop {
            while let Some((line, _)) = post.lines.front() {
                let words = line.trim_ascii_start();
                let word = words.split(u8::is_ascii_whitespace).next();
                match word {
                    Some(word) if !word.is_empty() => return Some(word.to_ascii_lowercase()),
                    _ => drop(post.lines.pop_front()),
                }
                self.0.room.notify_one();
            }
            if post.ended {
                return None;
            }
            post = wait(&self.0.news, post);
        }
    }

    /// Leaves a line; `false` if no more are wanted.
    fn put(&self, line: &[u8], arrived: Moment) -> bool {
        let mut post = self.post();
        while post.lines.len() >= CAPACITY && !post.closed {
            post = wait(&self.0.room, post);
        }
        if !post.closed {
            post.lines.push_back((line.to_vec(), arrived));
            self.0.news.notify_all();
        }
        !post.closed
    }

    fn end(&self) {
        self.post().ended = true;
        self.0.news.notify_all();
    }

    fn read_lines(&self, mut reader: impl Read, time: &dyn TimeSource) {
        let mut buffer = LineBuffer::new();
        let mut chunk = [0; 4096];
        let mut arrived = time.now();
        loop {
            let count = match reader.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            arrived = time.now();
            buffer.feed(&chunk[..count]);
            while let Some(line) = buffer.next_line() {
                if !self.put(line, arrived) {
                    return;
                }
            }
        }
        if let Some(line) = buffer.finish() {
            self.put(line, arrived);
        }
        self.end();
    }

    /// A panic while the lock is held cannot leave the lists half changed.
    fn post(&self) -> MutexGuard<'_, Post> {
        self.0.post.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait<'a>(bell: &Condvar, post: MutexGuard<'a, Post>) -> MutexGuard<'a, Post> {
    bell.wait(post).unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Place;
    use quadrille_search::SystemClock;

    fn open(bytes: &'static [u8]) -> Mailbox {
        Mailbox::open(bytes, Arc::new(SystemClock))
    }

    fn line(mailbox: &Mailbox) -> Option<Vec<u8>> {
        match mailbox.next(true) {
            News::Line(line, _) => Some(line),
            News::End => None,
            News::Refused => panic!("nothing was said"),
            News::Finished(..) => panic!("no task was started"),
        }
    }

    #[test]
    fn lines_come_in_order_and_then_the_end() {
        let mailbox = open(b"\r\n  UGI \r\nisready\rquit");
        assert_eq!(mailbox.peek_word().unwrap(), b"ugi");
        assert_eq!(line(&mailbox).unwrap(), b"  UGI ");
        assert_eq!(line(&mailbox).unwrap(), b"isready\rquit");
        assert_eq!(line(&mailbox), None);
        assert_eq!(open(b" \n\n").peek_word(), None);
    }

    #[test]
    fn a_task_that_ended_comes_before_lines_and_without_them() {
        let mailbox = open(b"one\n");
        assert_eq!(mailbox.peek_word().unwrap(), b"one");
        mailbox.finish(3, Finished(Place::Search));
        assert!(matches!(mailbox.next(false), News::Finished(3, _)));
        mailbox.close();
        assert_eq!(line(&mailbox), None);
    }

    /// A reader that waits for room ends when no more lines are wanted.
    #[test]
    fn a_flood_waits_and_ends() {
        let flood: &'static [u8] = "x\n".repeat(3 * CAPACITY).leak().as_bytes();
        let mailbox = open(flood);
        for _ in 0..2 * CAPACITY {
            assert_eq!(line(&mailbox).unwrap(), b"x");
            assert!(mailbox.post().lines.len() <= CAPACITY);
        }
        mailbox.close();
        assert!(mailbox.post().lines.is_empty());
    }
}
