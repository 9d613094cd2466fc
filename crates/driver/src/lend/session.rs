//! One client and one engine, line by line.
//!
//! Two loops run side by side, one for each direction. An engine whose client does not
//! read waits for the client. A client is read up to a bound ahead of the engine, so that
//! its end is seen behind lines that the engine has not taken yet; a client that floods
//! waits at the bound, and not for ever.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use quadrille_protocol::LineBuffer;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::filter::{Filter, Verdict};
use crate::{Death, Link};

/// Far longer than the position of the largest board with the moves of a long game.
const LONGEST_LINE: usize = 1 << 18;
/// An engine's line may be as long as hosts read them.
const LONGEST_ANSWER: usize = 1 << 20;
const CHUNK: usize = 1 << 14;
/// Words of ours that wait to be told to the client. Beyond that they are not told:
/// a client that causes them does not read them.
const MOST_NOTES: usize = 16;
/// Bytes of a client that may wait for the engine to read.
const MOST_AHEAD: usize = 1 << 20;
/// Longest time for an engine to read on when that many wait, or its client has left.
const UNREAD: Duration = Duration::from_secs(10);
/// How long an engine may take to end when its client is gone.
const FAREWELL: Duration = Duration::from_secs(1);

/// Why a session is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// The client closed the connection, or it broke.
    Left,
    /// The engine ended, in this way where it is known.
    Engine(Option<Death>),
    /// The client said nothing for too long, or did not listen.
    Idle,
    /// The engine did not read what the client said.
    Unread,
    /// A line was too long.
    LongLine,
}

impl End {
    /// For the owner.
    pub(super) fn words(&self) -> String {
        let words = match self {
            Self::Left => "the client left",
            Self::Engine(Some(death)) if !death.is_clean() => return death_words(death),
            Self::Engine(_) => "the engine ended",
            Self::Idle => "the client was idle for too long",
            Self::Unread => "the engine did not read for 10 seconds, and too much was waiting",
            Self::LongLine => "a line was too long",
        };
        words.into()
    }

    /// For the client, if it still listens and does not know.
    const fn last_words(&self) -> Option<&'static str> {
        match self {
            Self::Left | Self::Engine(_) => None,
            Self::Idle => Some("info error closed, because nothing was said for too long\n"),
            Self::Unread => Some("info error closed, because the engine did not read\n"),
            Self::LongLine => Some("info error closed, because a line was too long\n"),
        }
    }
}

/// How an engine ended, for its owner.
fn death_words(death: &Death) -> String {
    let words = match (death.signal, death.code, &death.reason) {
        (Some(signal), ..) => match SIGNALS.iter().find(|(number, _)| *number == signal) {
            Some((_, name)) => format!("the engine ended by signal {signal} ({name})"),
            None => format!("the engine ended by signal {signal}"),
        },
        (_, Some(code), _) => format!("the engine ended with exit code {code}"),
        (.., Some(reason)) => format!("the engine ended: {reason}"),
        (None, None, None) => "the engine ended".to_owned(),
    };
    match death.stderr.last() {
        Some(line) => format!("{words}; its last words: {line}"),
        None => words,
    }
}

/// Signals that end programs which have gone wrong.
const SIGNALS: [(i32, &str); 7] = [
    (4, "SIGILL"),
    (6, "SIGABRT"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (13, "SIGPIPE"),
    (15, "SIGTERM"),
];

/// Leads a session to its end. `heard` is what the client has said already. The
/// engine is gone when this returns.
pub(super) async fn lead<C>(
    client: &mut C,
    heard: LineBuffer,
    engine: Box<dyn Link>,
    filter: Filter,
    idle: Duration,
) -> End
where
    C: AsyncRead + AsyncWrite + Unpin,
{
    let (mut client_reads, mut client_writes) = tokio::io::split(client);
    let (mut engine_reads, mut engine_writes) = tokio::io::split(engine);
    let filter = Mutex::new(filter);
    let (notes, told) = mpsc::channel(MOST_NOTES);
    let (set, settings) = mpsc::channel(1);
    let mut end = {
        let up = up(Up {
            client: &mut client_reads,
            engine: &mut engine_writes,
            heard,
            filter: &filter,
            notes,
            settings,
            idle,
        });
        let down = down(
            &mut engine_reads,
            &mut client_writes,
            &filter,
            told,
            set,
            idle,
        );
        tokio::pin!(up, down);
        tokio::select! {
            end = &mut up => {
                if end == End::Left {
                    // What it says on its way out may still be wanted: a client may
                    // close only its own direction.
                    let _ = timeout(FAREWELL, &mut down).await;
                }
                end
            }
            end = &mut down => end,
        }
    };
    if let End::Engine(death) = &mut end {
        let mut engine = engine_reads.unsplit(engine_writes);
        *death = engine.ended(FAREWELL).await;
    }
    let farewell = async {
        if let Some(words) = end.last_words() {
            client_writes.write_all(words.as_bytes()).await?;
        }
        client_writes.shutdown().await
    };
    // It may not listen.
    let _ = timeout(FAREWELL, farewell).await;
    end
}

/// What is needed to carry lines from the client to the engine.
struct Up<'a, R, W> {
    client: &'a mut R,
    engine: W,
    heard: LineBuffer,
    filter: &'a Mutex<Filter>,
    notes: mpsc::Sender<String>,
    settings: mpsc::Receiver<Vec<u8>>,
    idle: Duration,
}

async fn up<R, W>(mut all: Up<'_, R, W>) -> End
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut chunk = vec![0; CHUNK];
    let mut out = Vec::new();
    // What was read of the client while the engine did not read.
    let mut ahead = 0;
    let mut left = None;
    loop {
        let drained = judged(&mut all, &mut out);
        if drained {
            ahead = 0;
        }
        if all.heard.dropped() > 0 {
            return End::LongLine;
        }
        if !out.is_empty() {
            if let Some(end) = deliver(&mut all, &out, &mut ahead, &mut left).await {
                return end;
            }
            out.clear();
            continue;
        }
        if left.is_some() {
            break;
        }
        tokio::select! {
            biased;
            Some(lines) = all.settings.recv() => out = lines,
            read = timeout(all.idle, all.client.read(&mut chunk)) => match read {
                Err(_) => return End::Idle,
                Ok(Ok(0) | Err(_)) => break,
                Ok(Ok(count)) => all.heard.feed(&chunk[..count]),
            },
        }
    }
    // It may be in a search, or not read any more.
    let sent = async {
        all.engine.write_all(b"stop\nquit\n").await?;
        all.engine.flush().await
    };
    let _ = timeout(FAREWELL, sent).await;
    End::Left
}

/// Collects lines for the engine, and returns whether there are no more.
fn judged<R, W>(all: &mut Up<'_, R, W>, out: &mut Vec<u8>) -> bool {
    while out.len() < CHUNK {
        let Some(line) = all.heard.next_line() else {
            return true;
        };
        let mut filter = all.filter.lock().unwrap_or_else(PoisonError::into_inner);
        let note = match filter.judge(line) {
            Verdict::Nothing => None,
            Verdict::Refuse(why) => Some(format!("info error {why}\n")),
            Verdict::Pass(line, note) => {
                out.extend_from_slice(&line);
                out.push(b'\n');
                note.map(|note| format!("info string {note}\n"))
            }
        };
        if let Some(note) = note {
            let _ = all.notes.try_send(note);
        }
    }
    false
}

/// Writes to the engine and watches the client meanwhile. Returns the end of the session
/// if the engine does not read in time.
async fn deliver<R, W>(
    all: &mut Up<'_, R, W>,
    out: &[u8],
    ahead: &mut usize,
    left: &mut Option<Instant>,
) -> Option<End>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let Up {
        client,
        engine,
        heard,
        idle,
        ..
    } = all;
    let sent = async {
        engine.write_all(out).await?;
        engine.flush().await
    };
    tokio::pin!(sent);
    let mut chunk = vec![0; CHUNK];
    loop {
        let listens = left.is_none() && *ahead < MOST_AHEAD;
        let (wait, end) = match left {
            Some(since) => (UNREAD.saturating_sub(since.elapsed()), End::Left),
            None if listens => (*idle, End::Idle),
            None => (UNREAD, End::Unread),
        };
        tokio::select! {
            biased;
            sent = &mut sent => match sent {
                Ok(()) => return None,
                // An engine that does not read is about to end: the other loop sees how.
                Err(_) => {
                    sleep(UNREAD).await;
                    return Some(End::Engine(None));
                }
            },
            read = client.read(&mut chunk), if listens => match read {
                Ok(0) | Err(_) => *left = Some(Instant::now()),
                Ok(count) => {
                    *ahead += count;
                    heard.feed(&chunk[..count]);
                }
            },
            () = sleep(wait) => return Some(end),
        }
    }
}

async fn down<R, W>(
    mut engine: R,
    client: &mut W,
    filter: &Mutex<Filter>,
    mut notes: mpsc::Receiver<String>,
    settings: mpsc::Sender<Vec<u8>>,
    idle: Duration,
) -> End
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    let mut chunk = vec![0; CHUNK];
    let mut lines = LineBuffer::with_limit(LONGEST_ANSWER);
    let mut out = Vec::new();
    let mut over = false;
    while !over {
        tokio::select! {
            Some(note) = notes.recv() => out.extend_from_slice(note.as_bytes()),
            read = engine.read(&mut chunk) => match read {
                Ok(0) | Err(_) => {
                    over = true;
                    if let Some(rest) = lines.finish() {
                        out.extend_from_slice(rest);
                    }
                }
                Ok(count) => lines.feed(&chunk[..count]),
            },
        }
        while let Some(line) = lines.next_line() {
            let heard = filter
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .hear(line);
            if let Some(set) = heard {
                // Before the client knows that it may go on. Said twice is once too
                // often to wait for.
                let _ = settings.try_send(set);
            }
            out.extend_from_slice(line);
            out.push(b'\n');
        }
        let sent = async {
            client.write_all(&out).await?;
            client.flush().await
        };
        match timeout(idle, sent).await {
            Err(_) => return End::Idle,
            Ok(Err(_)) => return End::Left,
            Ok(Ok(())) => out.clear(),
        }
    }
    End::Engine(None)
}

/// A buffer for what a client says.
pub(super) fn lines() -> LineBuffer {
    LineBuffer::with_limit(LONGEST_LINE)
}
