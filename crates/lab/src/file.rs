//! The file of games.
//!
//! ```text
//! file    = "QDGAMES1" u32 length, u32 checksum, header; then blocks
//! block   = u32 length, u32 checksum of the payload, payload: whole games
//! game    = number, start, random plies, ending, result, plies, then each ply
//! start   = length and text of the position before the first move; no text is
//!           the usual start
//! ply     = the move's place in the sorted list of legal moves
//!           [the score, as the difference to the one before]
//! ```
//! Lengths and checksums (CRC-32) are little-endian. Everything inside a game is
//! a number of seven bits a byte, the lowest bits first; differences of scores
//! have their sign in the lowest bit. Scores are White's, in the engine's
//! hundredths of a pawn. The random plies at the start have none.
//!
//! The list of legal moves is sorted by [`GameMove::to_bits`]. Files therefore
//! depend on these codes; a test holds a file of each game against them.
//!
//! The header is text, a `key value` a line: `game`, `rules`, and whatever says
//! how the games were made.
//!
//! A file that was cut short, as a killed run or a power cut leaves it, is read to
//! its last whole block. Anything else that is wrong is damage, and an error.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use quadrille_games::{Game, GameMove, Line, Position, Side};

use crate::varint::{put, put_signed, take, take_signed};

pub(crate) const MAGIC: &[u8; 8] = b"QDGAMES1";
/// No block is written larger than this plus one game, which is far smaller.
pub(crate) const BLOCK: usize = 1 << 16;
/// None is read larger.
const LARGEST: usize = 2 * BLOCK;
/// A header is a few lines, and one more for each file that was shuffled into it.
const LARGEST_HEADER: usize = 1 << 20;

/// Reasons why a file of games cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system says no.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// Another kind of file, or a damaged header.
    #[error("{path}: not a file of self-play games: {why}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: &'static str,
    },
    /// Other games than those of the first file.
    #[error("{path}: {found}, but the first file is {wanted}")]
    Other {
        /// The file.
        path: PathBuf,
        /// Its contents.
        found: String,
        /// The contents that are needed.
        wanted: String,
    },
    /// Games of another kind than are needed.
    #[error("{path}: games of {found}, and games of {wanted} are needed")]
    Game {
        /// The file.
        path: PathBuf,
        /// Its contents.
        found: Game,
        /// The game that is needed.
        wanted: Game,
    },
    /// A block is not what was written, or says what cannot be.
    #[error("{path}: damaged at byte {at}: {why}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Start of the damaged block.
        at: u64,
        /// The reason.
        why: String,
    },
    /// A pipe, a device, a folder.
    #[error("{path}: not a regular file")]
    NotRegular {
        /// The file.
        path: PathBuf,
    },
    /// A locked file.
    #[error("{path}: another run writes to this file")]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// An output that would overwrite an input.
    #[error("{path}: this file is read here; write to another one")]
    Input {
        /// The file.
        path: PathBuf,
    },
}

impl FileError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.into();
        Self::Io { path, source }
    }
}

/// Refuses what is there and no regular file, before it is opened: a pipe would
/// keep us waiting.
pub(crate) fn must_be_regular(path: &Path) -> Result<(), FileError> {
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(FileError::NotRegular { path: path.into() }),
        _ => Ok(()),
    }
}

/// Header of a file: the game, its rules, and how the games were made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub game: Game,
    /// The words for its rules.
    pub rules: String,
    /// Everything else, in order: nodes, seed, program...
    pub made: Vec<(String, String)>,
}

impl Header {
    pub(crate) fn text(&self) -> String {
        let mut lines = vec![
            format!("game {}", self.game),
            format!("rules {}", self.rules),
        ];
        lines.extend(self.made.iter().map(|(k, v)| format!("{k} {v}")));
        lines.join("\n")
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text
            .lines()
            .map(|line| line.split_once(' ').unwrap_or((line, "")));
        let game = lines.next().filter(|(key, _)| *key == "game")?.1;
        let rules = lines.next().filter(|(key, _)| *key == "rules")?.1;
        Some(Self {
            game: game.parse().ok()?,
            rules: rules.into(),
            made: lines.map(|(k, v)| (k.into(), v.into())).collect(),
        })
    }

    /// Refuses a header of another game or other rules.
    pub(crate) fn must_match(&self, other: &Self, path: &Path) -> Result<(), FileError> {
        let name = |header: &Self| format!("{} {}", header.game, header.rules);
        if name(self) == name(other) {
            return Ok(());
        }
        Err(FileError::Other {
            path: path.into(),
            found: name(other),
            wanted: name(self),
        })
    }

    /// Returns the value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.made.iter().find(|(k, _)| k == key);
        found.map(|(_, value)| value.as_str())
    }
}

/// Reasons why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Ending {
    /// By the rules.
    Rules = 0,
    /// Both sides were sure who wins.
    Decided = 1,
    /// Nothing happened for long.
    Level = 2,
    /// Too many moves.
    Long = 3,
}

impl Ending {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Rules, Self::Decided, Self::Level, Self::Long];
}

/// A move that was searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoredMove<M> {
    /// The move that was played.
    pub m: M,
    /// Score of the position before it, seen from White;
    /// `None` for the random moves at the start.
    pub score: Option<i32>,
}

/// A game as it was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played<P: Position> {
    /// Its place in the run.
    pub number: u64,
    /// Before the first random move.
    pub start: P,
    /// The random moves first.
    pub moves: Vec<ScoredMove<P::Move>>,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason it ended.
    pub ending: Ending,
}

fn sorted_moves<P: Position>(position: &P) -> Vec<P::Move> {
    let mut moves = position.moves();
    moves.sort_unstable_by_key(|m| m.to_bits());
    moves
}

impl<P: Position> Played<P> {
    /// Appends the bytes of the game. A move that is not legal makes the game
    /// worthless: then nothing is appended and the answer is `false`.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> bool {
        let begin = out.len();
        let usual = self.start == P::start(&self.start.rules());
        let text = if usual {
            String::new()
        } else {
            self.start.text()
        };
        put(out, self.number);
        put(out, text.len() as u64);
        out.extend_from_slice(text.as_bytes());
        let random = self.moves.iter().take_while(|m| m.score.is_none()).count();
        put(out, random as u64);
        out.push(self.ending as u8);
        out.push(match self.winner {
            Some(Side::Black) => 0,
            None => 1,
            Some(Side::White) => 2,
        });
        put(out, self.moves.len() as u64);
        let mut position = self.start.clone();
        let mut before = 0;
        for ScoredMove { m, score } in &self.moves {
            let Some(place) = sorted_moves(&position).iter().position(|other| other == m) else {
                out.truncate(begin);
                return false;
            };
            put(out, place as u64);
            if let Some(score) = score {
                put_signed(out, i64::from(score - before));
                before = *score;
            }
            position.make(*m, &mut ());
        }
        true
    }

    /// Takes a game from the front of a block; the error says what is wrong.
    fn read(bytes: &mut &[u8], rules: &P::Rules) -> Result<Self, String> {
        let short = || String::from("a game ends in the middle");
        let number = take(bytes).ok_or_else(short)?;
        let length = take(bytes).ok_or_else(short)? as usize;
        let (text, rest) = bytes.split_at_checked(length).ok_or_else(short)?;
        *bytes = rest;
        let text = str::from_utf8(text).map_err(|_| "the start is not text")?;
        let start = if text.is_empty() {
            P::start(rules)
        } else {
            P::from_text(text, rules).map_err(|error| format!("'{text}': {error}"))?
        };
        let random = take(bytes).ok_or_else(short)?;
        let (&[ending, winner], rest) = bytes.split_first_chunk().ok_or_else(short)?;
        *bytes = rest;
        let ending = Ending::ALL.get(usize::from(ending));
        let ending = *ending.ok_or("an ending that does not exist")?;
        let winner = match winner {
            0 => Some(Side::Black),
            1 => None,
            2 => Some(Side::White),
            _ => return Err("a result that does not exist".into()),
        };
        let plies = take(bytes).ok_or_else(short)?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        let mut before = 0;
        for ply in 0..plies {
            let place = take(bytes).ok_or_else(short)? as usize;
            let list = sorted_moves(&position);
            let m = *list.get(place).ok_or_else(|| {
                format!(
                    "game {number}: move {place} of {} in '{}'",
                    list.len(),
                    position.text()
                )
            })?;
            let score = if ply < random {
                None
            } else {
                let change = take_signed(bytes).ok_or_else(short)?;
                let score = i32::try_from(i64::from(before).saturating_add(change));
                before = score.map_err(|_| "a score that is too large")?;
                Some(before)
            };
            moves.push(ScoredMove { m, score });
            position.make(m, &mut ());
        }
        Ok(Self {
            number,
            start,
            moves,
            winner,
            ending,
        })
    }

    /// The game as a line of play, up to its end.
    pub fn line(&self) -> Line<P> {
        let mut line = Line::new(self.start.clone());
        for ScoredMove { m, .. } in &self.moves {
            line.push(*m);
        }
        line
    }
}

/// A file that is read game by game.
#[derive(Debug)]
pub struct Games {
    path: PathBuf,
    header: Header,
    file: BufReader<File>,
    /// Start of the next block.
    at: u64,
    torn: u64,
}

impl Games {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        must_be_regular(path)?;
        let file = File::open(path).map_err(|source| FileError::io(path, source))?;
        Self::of(path, file)
    }

    /// Reads the header of a file that is open, from its position.
    pub(crate) fn of(path: &Path, file: File) -> Result<Self, FileError> {
        let io = |source| FileError::io(path, source);
        let foreign = |why| FileError::Foreign {
            path: path.into(),
            why,
        };
        let mut file = BufReader::new(file);
        let mut magic = [0; MAGIC.len()];
        let whole = read_whole(&mut file, &mut magic).map_err(io)?;
        if !whole || magic != *MAGIC {
            return Err(foreign("it does not begin with QDGAMES1"));
        }
        let Block::Whole(header) = read_block(&mut file, LARGEST_HEADER).map_err(io)? else {
            return Err(foreign("its header is damaged"));
        };
        let at = (MAGIC.len() + 8 + header.len()) as u64;
        let text = String::from_utf8(header).map_err(|_| foreign("its header is not text"))?;
        Ok(Self {
            path: path.into(),
            header: Header::parse(&text).ok_or_else(|| foreign("its header names no game"))?,
            file,
            at,
            torn: 0,
        })
    }

    /// Refuses a file of another game.
    pub(crate) fn must_hold(&self, wanted: Game) -> Result<(), FileError> {
        let found = self.header.game;
        if found == wanted {
            return Ok(());
        }
        Err(FileError::Game {
            path: self.path.clone(),
            found,
            wanted,
        })
    }

    /// Returns the header.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the end of the whole blocks that were read so far.
    pub const fn whole_bytes(&self) -> u64 {
        self.at
    }

    /// Returns the length of a last block that was not written to its end, as a
    /// killed run leaves it. Known once
    /// [`next_block`](Self::next_block) has answered with nothing.
    pub(crate) const fn torn_bytes(&self) -> u64 {
        self.torn
    }

    /// The games of the next block; `None` where the whole blocks end.
    pub fn next_block<P: Position>(
        &mut self,
        rules: &P::Rules,
    ) -> Result<Option<Vec<Played<P>>>, FileError> {
        let block = self.next_unread()?;
        block.map(|block| block.read(rules)).transpose()
    }

    /// The next block before its games are read, which other threads may do;
    /// `None` where the whole blocks end.
    pub(crate) fn next_unread(&mut self) -> Result<Option<Unread>, FileError> {
        let io = |source| FileError::io(&self.path, source);
        match read_block(&mut self.file, LARGEST).map_err(io)? {
            Block::Whole(bytes) => {
                let at = self.at;
                self.at += 8 + bytes.len() as u64;
                let path = self.path.clone();
                Ok(Some(Unread { path, at, bytes }))
            }
            Block::End => Ok(None),
            Block::Bad(why) => match torn(&mut self.file, self.at).map_err(io)? {
                Some(bytes) => {
                    self.torn = bytes;
                    Ok(None)
                }
                None => Err(FileError::Damaged {
                    path: self.path.clone(),
                    at: self.at,
                    why: why.into(),
                }),
            },
        }
    }
}

/// A block whose games were not read yet.
#[derive(Debug)]
pub(crate) struct Unread {
    path: PathBuf,
    at: u64,
    bytes: Vec<u8>,
}

impl Unread {
    /// The bytes of each game; every move is found in its position on the way.
    pub(crate) fn bytes_of_games<P: Position>(
        &self,
        rules: &P::Rules,
    ) -> Result<Vec<Vec<u8>>, FileError> {
        let mut rest = &self.bytes[..];
        let mut games = Vec::new();
        while !rest.is_empty() {
            let before = rest;
            self.read_game::<P>(&mut rest, rules)?;
            games.push(before[..before.len() - rest.len()].to_vec());
        }
        Ok(games)
    }

    fn read_game<P: Position>(
        &self,
        rest: &mut &[u8],
        rules: &P::Rules,
    ) -> Result<Played<P>, FileError> {
        Played::read(rest, rules).map_err(|why| FileError::Damaged {
            path: self.path.clone(),
            at: self.at,
            why,
        })
    }

    pub(crate) fn read<P: Position>(&self, rules: &P::Rules) -> Result<Vec<Played<P>>, FileError> {
        let mut rest = &self.bytes[..];
        let mut games = Vec::new();
        while !rest.is_empty() {
            games.push(self.read_game(&mut rest, rules)?);
        }
        Ok(games)
    }
}

/// The checksum (CRC-32) of a whole file, by which records name it.
pub fn checksum(path: &Path) -> io::Result<u32> {
    let mut file = File::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut bytes = vec![0; BLOCK];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(hasher.finalize()),
            read => hasher.update(&bytes[..read]),
        }
    }
}

enum Block {
    Whole(Vec<u8>),
    End,
    Bad(&'static str),
}

fn read_block(file: &mut impl Read, largest: usize) -> io::Result<Block> {
    let mut head = [0; 8];
    let first = file.read(&mut head[..1])?;
    if first == 0 {
        return Ok(Block::End);
    }
    if !read_whole(file, &mut head[1..])? {
        return Ok(Block::Bad("it ends there"));
    }
    let Some(length) = block_length(head, largest) else {
        return Ok(Block::Bad("no block is of such a length"));
    };
    let mut bytes = vec![0; length];
    if !read_whole(file, &mut bytes)? {
        return Ok(Block::Bad("a block is longer than the file"));
    }
    if !is_payload(head, &bytes) {
        return Ok(Block::Bad("the checksum of a block is another"));
    }
    Ok(Block::Whole(bytes))
}

/// The length that the head of a block names, if it can be one.
fn block_length(head: [u8; 8], largest: usize) -> Option<usize> {
    let [a, b, c, d, ..] = head;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    (1..=largest).contains(&length).then_some(length)
}

fn is_payload(head: [u8; 8], bytes: &[u8]) -> bool {
    crc32fast::hash(bytes).to_le_bytes() == head[4..]
}

/// Returns how many bytes follow the whole blocks, if a last write that was cut
/// off can have left them: the beginning of a block, a block up to the end of the
/// file that was not filled, or nothing but zeros.
fn torn(file: &mut BufReader<File>, at: u64) -> io::Result<Option<u64>> {
    let end = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(at))?;
    let mut rest = Vec::new();
    let largest = 8 + LARGEST as u64;
    file.by_ref().take(largest).read_to_end(&mut rest)?;
    let last = match rest.first_chunk() {
        Some(&head) => block_length(head, LARGEST).is_some_and(|n| at + 8 + n as u64 >= end),
        None => true,
    };
    // A length that is damaged may seem to reach the end of the file too.
    let torn = last && !(1..rest.len()).any(|at| begins_with_block(&rest[at..]))
        || rest.iter().all(|&byte| byte == 0) && file.bytes().all(|byte| matches!(byte, Ok(0)));
    Ok(torn.then_some(end - at))
}

fn begins_with_block(bytes: &[u8]) -> bool {
    let Some((&head, rest)) = bytes.split_first_chunk() else {
        return false;
    };
    let payload = block_length(head, LARGEST).and_then(|length| rest.get(..length));
    payload.is_some_and(|payload| is_payload(head, payload))
}

/// Fills `bytes`; `false` if the file ends before.
fn read_whole(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
