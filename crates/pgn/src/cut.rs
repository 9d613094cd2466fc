//! A stream of games cut into the bytes they are made of.
//!
//! [`Spans`] says where games begin; beside it the bytes are kept as they
//! came until it is known to which game they belong. A game that is longer than
//! may be held is put into a temporary file, so that nothing of it is lost.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_games::Game;
use quadrille_games::records::{Spans, StrayText};

/// Where the bytes of a game are.
#[derive(Debug)]
pub(super) enum Held {
    /// In the buffer that was given to [`Cutter::next`].
    Here(Range<usize>),
    /// In a file, which stands at its beginning: it was too long.
    Apart(File),
}

/// A game as it stands in a file.
#[derive(Debug)]
pub(super) struct Cut {
    /// From 1 in this file.
    pub(super) number: u64,
    /// Where it begins, from 1.
    pub(super) line: u64,
    /// What its tags say it is.
    pub(super) game: Game,
    /// From its first tag or move to the next game.
    pub(super) bytes: Held,
}

/// Cuts a stream into games.
#[derive(Debug)]
pub(super) struct Cutter<R> {
    spans: Spans<Tee<R>>,
    kept: Arc<Mutex<Kept>>,
}

impl<R: Read> Cutter<R> {
    /// Cuts games that are no longer than `most` bytes; longer ones go to files in
    /// `folder`.
    pub(super) fn new(source: R, most: usize, folder: PathBuf) -> Self {
        let kept = Arc::new(Mutex::new(Kept {
            most,
            folder,
            ..Kept::default()
        }));
        let tee = Tee {
            source,
            kept: Arc::clone(&kept),
        };
        Self {
            spans: Spans::new(tee).with_limit(most),
            kept,
        }
    }

    /// Text outside games that was met since the last call.
    pub(super) fn strays(&mut self) -> Vec<StrayText> {
        self.spans.take_strays()
    }

    /// The next game; its bytes go behind what is in `into`.
    pub(super) fn next(&mut self, into: &mut Vec<u8>) -> io::Result<Option<Cut>> {
        let Some(span) = self.spans.next_span()? else {
            return Ok(None);
        };
        let mut kept = lock(&self.kept);
        // What stands before the first game belongs to none.
        kept.drop_until(span.bytes.start)?;
        Ok(Some(Cut {
            number: span.number,
            line: span.line,
            game: span.game,
            bytes: kept.take(span.bytes.end, into)?,
        }))
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A source whose bytes are kept on their way to the tokenizer.
#[derive(Debug)]
struct Tee<R> {
    source: R,
    kept: Arc<Mutex<Kept>>,
}

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(out)?.min(out.len());
        lock(&self.kept).add(&out[..n])?;
        Ok(n)
    }
}

/// Bytes from the beginning of the open game on.
#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Those before this were taken.
    start: usize,
    /// What did not fit in memory, before `bytes`.
    spool: Option<File>,
    /// How much is in the file.
    spooled: u64,
    /// Where the first byte that was not taken is in the stream.
    offset: u64,
    most: usize,
    folder: PathBuf,
}

impl Kept {
    fn add(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.bytes.drain(..self.start);
        self.start = 0;
        if self.bytes.len() + chunk.len() > self.most {
            let spool = match &mut self.spool {
                Some(spool) => spool,
                None => self.spool.insert(tempfile::tempfile_in(&self.folder)?),
            };
            spool.write_all(&self.bytes)?;
            self.spooled += self.bytes.len() as u64;
            self.bytes.clear();
        }
        self.bytes.extend_from_slice(chunk);
        Ok(())
    }

    /// Takes what stands before a place of the stream.
    fn take(&mut self, end: u64, into: &mut Vec<u8>) -> io::Result<Held> {
        if let Some(spool) = self.spool.take() {
            return self.take_spooled(spool, end).map(Held::Apart);
        }
        let from = into.len();
        let n = (end - self.offset).min((self.bytes.len() - self.start) as u64);
        into.extend_from_slice(&self.bytes[self.start..self.start + n as usize]);
        self.start += n as usize;
        self.offset += n;
        Ok(Held::Here(from..into.len()))
    }

    /// The tokenizer looks ahead, so the next game may begin inside the file.
    fn take_spooled(&mut self, mut spool: File, end: u64) -> io::Result<File> {
        let wanted = end - self.offset;
        let mut rest = Vec::new();
        if wanted < self.spooled {
            spool.seek(SeekFrom::Start(wanted))?;
            spool.read_to_end(&mut rest)?;
            spool.set_len(wanted)?;
            self.offset += wanted;
        } else {
            let more = (wanted - self.spooled).min((self.bytes.len() - self.start) as u64);
            spool.write_all(&self.bytes[self.start..self.start + more as usize])?;
            self.start += more as usize;
            self.offset += self.spooled + more;
        }
        if !rest.is_empty() {
            rest.extend_from_slice(&self.bytes[self.start..]);
            self.bytes = rest;
            self.start = 0;
        }
        self.spooled = 0;
        spool.seek(SeekFrom::Start(0))?;
        Ok(spool)
    }

    fn drop_until(&mut self, end: u64) -> io::Result<()> {
        if end == self.offset {
            // A long game that begins here stays in its file.
            return Ok(());
        }
        self.take(end, &mut Vec::new()).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\u{feff}odd words\n\n[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\
                        [Variant \"Gyges\"]\n\n1. x y z ;odd\n*\n\nmore words\n1. d4 1-0\nrest\n";

    /// Gives a few bytes at a time.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = out.len().min(3);
            self.0.read(&mut out[..n])
        }
    }

    /// Number, line, game, bytes, and whether they were in a file.
    type Found = (u64, u64, Game, Vec<u8>, bool);

    fn cut(source: impl Read, most: usize) -> (Vec<Found>, Vec<StrayText>) {
        let mut cutter = Cutter::new(source, most, std::env::temp_dir());
        let mut games = Vec::new();
        let mut buffer = Vec::new();
        while let Some(cut) = cutter.next(&mut buffer).unwrap() {
            let (bytes, apart) = match cut.bytes {
                Held::Here(range) => (buffer[range].to_vec(), false),
                Held::Apart(mut file) => {
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes).unwrap();
                    (bytes, true)
                }
            };
            games.push((cut.number, cut.line, cut.game, bytes, apart));
        }
        (games, cutter.strays())
    }

    #[test]
    fn every_byte_behind_the_first_game_is_in_one() {
        let (games, strays) = cut(FILE.as_bytes(), 1 << 20);
        let whole: Vec<u8> = games.iter().flat_map(|game| game.3.clone()).collect();
        assert!(FILE.as_bytes().ends_with(&whole));
        assert!(whole.starts_with(b"[White \"a\"]"));
        let places: Vec<_> = games.iter().map(|g| (g.0, g.1, g.2)).collect();
        let wanted = [
            (1, 3, Game::Chess),
            (2, 7, Game::Gyges),
            (3, 14, Game::Chess),
        ];
        assert_eq!(places, wanted);
        let strays: Vec<_> = strays.iter().map(|s| (s.line, &*s.text, s.first)).collect();
        let wanted = [
            (1, "odd words", true),
            (13, "more words", false),
            (15, "rest", false),
        ];
        assert_eq!(strays, wanted);
        assert_eq!(cut(Drops(FILE.as_bytes()), 1 << 20).0, games);
        assert!(cut(&b"only words\n"[..], 100).0.is_empty());
    }

    #[test]
    fn a_game_that_is_too_long_is_whole_in_a_file() {
        let long = format!("1. e4 {{ {} }} e5 *\n\n", "x".repeat(300_000));
        let file = format!("1. a3 *\n\n{long}1. d4 d5 *\n\n{long}1. c4 *\n");
        for most in [1000, 70_000, 200_000] {
            let (games, _) = cut(file.as_bytes(), most);
            let whole: Vec<u8> = games.iter().flat_map(|game| game.3.clone()).collect();
            assert_eq!(whole, file.as_bytes(), "{most}");
            let lengths: Vec<_> = games.iter().map(|g| g.3.len()).collect();
            assert_eq!(lengths, [9, long.len(), 12, long.len(), 8]);
            assert!(games[1].4 && games[3].4, "{most}");
        }
        assert!(cut(file.as_bytes(), 1 << 20).0.iter().all(|game| !game.4));
    }
}
