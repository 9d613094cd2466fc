//! Files of games, in all four games.

use std::io::{self, Read};

use quadrille_games::Position;
use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::records::{
    Code, Diagnostic, Notation, Reader, Record, Token, Tokenizer, WriteOptions,
};

/// The first byte chooses the game, the rest is the file.
pub fn check(data: &[u8]) {
    let [game, file @ ..] = data else {
        return;
    };
    tokens(file);
    match game & 3 {
        0 => games::<Chess>(file),
        1 => games::<Liberty>(file),
        2 => games::<Leiser>(file),
        _ => games::<Gyges>(file),
    }
}

/// Games begin and end in turn, and no more comes out than went in, with the
/// smallest limit on the length of tokens too.
fn tokens(file: &[u8]) {
    let mut tokens = Tokenizer::new(file).with_limit(0);
    let (mut count, mut open) = (0, false);
    while let Some(token) = tokens.next_token().expect("bytes in memory") {
        match token {
            Token::Begin => assert!(!core::mem::replace(&mut open, true)),
            Token::End => assert!(core::mem::replace(&mut open, false)),
            _ => assert!(open),
        }
        count += 1;
        assert!(count <= 4 * file.len() + 4, "{count} tokens");
    }
    assert!(!open);
}

/// Every game can be written and read again, and every way to read a file
/// finds the same games. To be quick, an input takes one of the other ways.
fn games<P: Position>(file: &[u8]) {
    let mut reader = Reader::<P, _>::new(file);
    let mut other = OtherWay::<P>::of(file);
    let mut count = 0;
    while let Some(record) = reader.read_record().expect("bytes in memory") {
        count += 1;
        assert_eq!(reader.game(), count);
        findings(reader.diagnostics(), count, file);
        other.agrees(Some(&record), reader.diagnostics());
        assert!(record.len() <= file.len());
        round_trip(&record);
    }
    other.agrees(None, reader.diagnostics());
}

/// Another way to read the same file.
enum OtherWay<'a, P: Position> {
    /// In small pieces.
    Drip(Reader<P, Drip<'a>>),
    /// Without keeping anything.
    Visit(Reader<P, &'a [u8]>),
    /// Without looking.
    Skip(Reader<P, &'a [u8]>),
}

impl<'a, P: Position> OtherWay<'a, P> {
    fn of(file: &'a [u8]) -> Self {
        match file.len() % 4 {
            0 => Self::Visit(Reader::new(file)),
            1 => Self::Skip(Reader::new(file)),
            _ => Self::Drip(Reader::new(Drip(file))),
        }
    }

    /// Reads the next game, or the end.
    fn agrees(&mut self, record: Option<&Record<P>>, found: &[Diagnostic]) {
        match self {
            Self::Drip(reader) => {
                let read = reader.read_record().expect("bytes in memory");
                assert_eq!(read.as_ref(), record);
                assert_eq!(reader.diagnostics(), found);
            }
            Self::Visit(reader) => {
                let read = reader.read_game(&mut ()).expect("bytes in memory");
                assert_eq!(read, record.is_some());
            }
            Self::Skip(reader) => {
                let read = reader.skip_game().expect("bytes in memory");
                assert_eq!(read, record.is_some());
            }
        }
    }
}

/// Findings are about this game and lie in the file.
fn findings(found: &[Diagnostic], game: u64, file: &[u8]) {
    let ends = file.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
    let lines = ends as u64 + 1;
    assert!(found.len() <= Tokenizer::<&[u8]>::MOST_DIAGNOSTICS + 1);
    for one in found {
        assert_eq!(one.game, game, "{one}");
        assert!((1..=lines).contains(&one.line) && one.column >= 1, "{one}");
    }
}

/// Tags are kept as they are, also with an odd name or with a start position
/// that cannot be read.
fn is_about_tags(code: Code) -> bool {
    matches!(code, Code::BadPosition | Code::OtherGame | Code::TagName)
}

/// Writes a record in both notations; a file that we wrote is in order and
/// holds the same record.
fn round_trip<P: Position>(record: &Record<P>) {
    for notation in [Notation::Human, Notation::Engine] {
        let options = WriteOptions {
            notation,
            ..WriteOptions::default()
        };
        let text = record.to_pgn_with(&options);
        let mut reader = Reader::<P, _>::new(text.as_bytes());
        let back = reader.read_record().expect("bytes in memory");
        assert_eq!(back.as_ref(), Some(record), "{text}");
        let mut found = reader.diagnostics().iter();
        let odd = found.find(|d| !is_about_tags(d.code));
        assert_eq!(odd, None, "{text}");
        assert_eq!(reader.read_record().expect("bytes in memory"), None);
    }
    let bare = record.to_pgn_with(&WriteOptions::bare().one_line());
    let mut reader = Reader::<P, _>::new(bare.as_bytes());
    let back = reader
        .read_record()
        .expect("bytes in memory")
        .expect("one game");
    assert!(back.main_moves().eq(record.main_moves()), "{bare}");
}

/// Gives out a file in small pieces of changing size, as a slow pipe does.
struct Drip<'a>(&'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = 1 + self.0.len() % 5;
        let size = most.min(out.len()).min(self.0.len());
        let (piece, rest) = self.0.split_at(size);
        out[..size].copy_from_slice(piece);
        self.0 = rest;
        Ok(size)
    }
}
