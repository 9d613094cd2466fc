//! Reading what an engine says.

use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::info::Info;
use crate::info_parse::{self, fill_info};
use crate::option_parse::parse_option;
use crate::parsed::{Notes, Parsed};
use crate::parser::Parser;
use crate::report::{BestMove, Id, IdKey, Report, Status};
use crate::text::Text;
use crate::token::{Token, keywords};

mod key {
    super::keywords! {
        ID = "id", UCIOK = "uciok", UGIOK = "ugiok", READYOK = "readyok", BESTMOVE = "bestmove",
        COPYPROTECTION = "copyprotection", REGISTRATION = "registration", INFO = "info",
        OPTION = "option", PERFT = "perft", PONDER = "ponder", SCORE = "score", TIME = "time",
        NAME = "name", AUTHOR = "author", VERSION = "version", PIECES = "pieces",
        CHECKING = "checking", OK = "ok", ERROR = "error",
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Id,
    UciOk,
    UgiOk,
    ReadyOk,
    BestMove,
    CopyProtection,
    Registration,
    Info,
    Option,
    Perft,
}

fn word(key: u64) -> Option<Word> {
    Some(match key {
        key::INFO => Word::Info,
        key::BESTMOVE => Word::BestMove,
        key::ID => Word::Id,
        key::UCIOK => Word::UciOk,
        key::UGIOK => Word::UgiOk,
        key::READYOK => Word::ReadyOk,
        key::COPYPROTECTION => Word::CopyProtection,
        key::REGISTRATION => Word::Registration,
        key::OPTION => Word::Option,
        key::PERFT => Word::Perft,
        _ => return None,
    })
}

pub(crate) fn parse(line: &[u8], dialect: Dialect) -> Parsed<'_, Report<'_>> {
    let mut notes = Notes::new(line);
    let mut p = Parser::new(line, dialect, &mut notes);
    // `info` is by far the most frequent report and the largest: it is filled
    // in where it will stay.
    match p.cursor.next() {
        Some(first) if p.cursor.key(first) == key::INFO => info(line, first, dialect, notes),
        first => other(line, first, dialect, notes),
    }
}

#[inline]
fn info<'a>(
    line: &'a [u8],
    token: Token<'a>,
    dialect: Dialect,
    notes: Notes<'a>,
) -> Parsed<'a, Report<'a>> {
    let mut parsed = Parsed {
        message: Report::Info(Info::new()),
        notes,
    };
    if let Report::Info(info) = &mut parsed.message {
        fill_info(
            &mut Parser::after(line, token, dialect, &mut parsed.notes),
            info,
        );
    }
    parsed
}

fn other<'a>(
    line: &'a [u8],
    first: Option<Token<'a>>,
    dialect: Dialect,
    mut notes: Notes<'a>,
) -> Parsed<'a, Report<'a>> {
    let found = first
        .and_then(|first| find_word(&mut Parser::after(line, first, dialect, &mut notes), first));
    let message = found.and_then(|(word, token)| {
        message(
            &mut Parser::after(line, token, dialect, &mut notes),
            word,
            token,
        )
    });
    let message =
        message.unwrap_or_else(|| notes.whole_line(first).map_or(Report::Empty, Report::Text));
    Parsed { message, notes }
}

fn find_word<'a>(p: &mut Parser<'a, '_>, first: Token<'a>) -> Option<(Word, Token<'a>)> {
    match word(p.cursor.key(first)) {
        Some(word) => Some((word, first)),
        None if p.dialect.skips_unknown_words() => skip_to_word(p, first),
        None => None,
    }
}

/// Unknown words before a message are skipped and the rest is read: that is the
/// rule for hosts too. But engines print sentences ("see the manual for more
/// info on this"), so the rest must look like the message it seems to be.
fn skip_to_word<'a>(p: &mut Parser<'a, '_>, first: Token<'a>) -> Option<(Word, Token<'a>)> {
    let mut end = first.end();
    while let Some(token) = p.cursor.next() {
        if let Some(word) = word(p.cursor.key(token))
            && is_plausible(p, word)
        {
            p.report(Code::SkippedWords, first.start, end);
            p.notes.skipped = Text::from_bytes(p.slice(first.start, end));
            return Some((word, token));
        }
        end = token.end();
    }
    None
}

fn is_plausible(p: &Parser<'_, '_>, word: Word) -> bool {
    let mut ahead = p.cursor.clone();
    let next = ahead.next();
    let next_key = next.map_or(0, |token| ahead.key(token));
    match word {
        // These are words of no other language.
        Word::UciOk | Word::UgiOk | Word::ReadyOk => true,
        Word::BestMove => next.is_some_and(|best| {
            let after = ahead.next();
            after.is_none_or(|token| ahead.key(token) == key::PONDER) || is_like_a_move(best.bytes)
        }),
        Word::Info => info_parse::is_keyword(next_key),
        Word::Option => next_key == key::NAME,
        Word::Id => {
            matches!(
                next_key,
                key::NAME | key::AUTHOR | key::VERSION | key::PIECES
            )
        }
        Word::CopyProtection | Word::Registration => {
            matches!(next_key, key::CHECKING | key::OK | key::ERROR)
        }
        Word::Perft => false,
    }
}

/// Whether a word could be a move of any game, and is none of a sentence: `e2e4`,
/// `g10g7`, `f5L`, `0|1|9`, `0000`.
fn is_like_a_move(word: &[u8]) -> bool {
    let digit = word.iter().any(u8::is_ascii_digit);
    let letter = word.iter().any(u8::is_ascii_alphabetic);
    digit && (letter || word.contains(&b'|') || word == b"0000")
}

/// `None`: this is free text after all.
fn message<'a>(p: &mut Parser<'a, '_>, word: Word, token: Token<'a>) -> Option<Report<'a>> {
    Some(match word {
        Word::Info => {
            let mut info = Info::new();
            fill_info(p, &mut info);
            Report::Info(info)
        }
        Word::BestMove => Report::BestMove(bestmove(p, token)),
        Word::Option => Report::Option(parse_option(p, token)),
        Word::Id => Report::Id(id(p, token)),
        Word::UciOk => alone(p, token, p.dialect != Dialect::Ugi, Report::UciOk),
        Word::UgiOk => alone(p, token, p.dialect == Dialect::Ugi, Report::UgiOk),
        Word::ReadyOk => alone(p, token, true, Report::ReadyOk),
        Word::CopyProtection => Report::CopyProtection(status(p, token)),
        Word::Registration => Report::Registration(status(p, token)),
        Word::Perft => return perft(p),
    })
}

fn alone<'a>(
    p: &mut Parser<'a, '_>,
    token: Token<'a>,
    home: bool,
    report: Report<'a>,
) -> Report<'a> {
    if !home {
        p.report_at(Code::ForeignCommand, token);
    }
    p.rest_is_extra();
    report
}

fn id<'a>(p: &mut Parser<'a, '_>, token: Token<'a>) -> Id<'a> {
    let Some(key) = p.cursor.next() else {
        p.report_at(Code::MissingValue, token);
        return Id {
            key: IdKey::Other(Text::EMPTY),
            value: Text::EMPTY,
        };
    };
    let value = match p.cursor.trimmed_rest() {
        Some(value) => Text::from_bytes(value.bytes),
        None => {
            p.report_at(Code::MissingValue, key);
            Text::EMPTY
        }
    };
    let id = Id {
        key: IdKey::from_word(key.bytes),
        value,
    };
    match id.key {
        IdKey::Other(_) => p.report_at(Code::UnknownWord, key),
        IdKey::Name | IdKey::Author => {}
        _ if p.dialect != Dialect::Ulci => p.report_at(Code::ForeignWord, key),
        _ => {}
    }
    id
}

fn status<'a>(p: &mut Parser<'a, '_>, token: Token<'a>) -> Status<'a> {
    if p.dialect != Dialect::Uci {
        p.report_at(Code::ForeignCommand, token);
    }
    let Some(word) = p.cursor.next() else {
        p.report_at(Code::MissingValue, token);
        return Status::Other(Text::EMPTY);
    };
    let status = Status::from_word(word.bytes);
    if matches!(status, Status::Other(_)) {
        p.report_at(Code::UnknownStatus, word);
    }
    p.rest_is_extra();
    status
}

fn bestmove<'a>(p: &mut Parser<'a, '_>, keyword: Token<'a>) -> BestMove<'a> {
    let mut best = BestMove::default();
    match p.cursor.next() {
        Some(token) if p.cursor.key(token) != key::PONDER => {
            p.check_null_move(token);
            best.best = Some(Text::from_bytes(token.bytes));
        }
        Some(token) => {
            p.cursor.seek(token.start);
            p.report_at(Code::MissingMove, keyword);
        }
        None => p.report_at(Code::MissingMove, keyword),
    }
    while let Some(token) = p.cursor.next() {
        let understood = match p.cursor.key(token) {
            key::PONDER if best.ponder.is_none() => ponder(p, token, &mut best),
            key::SCORE if best.score.is_none() => {
                best.score = info_parse::score(p, token);
                foreign(p, token, best.score.is_some())
            }
            key::TIME if best.time.is_none() => {
                best.time = info_parse::time(p, token);
                foreign(p, token, best.time.is_some())
            }
            _ => false,
        };
        if understood {
            p.keep_unknown();
        } else {
            p.unknown_word(token);
        }
    }
    p.keep_unknown();
    best
}

fn ponder<'a>(p: &mut Parser<'a, '_>, keyword: Token<'a>, best: &mut BestMove<'a>) -> bool {
    match p.cursor.next() {
        Some(token) => {
            best.ponder = Some(Text::from_bytes(token.bytes));
            if matches!(p.dialect, Dialect::Ulci | Dialect::Ugi) {
                p.report_at(Code::ForeignWord, keyword);
            }
            true
        }
        None => {
            p.report_at(Code::MissingMove, keyword);
            false
        }
    }
}

/// Score and time after `bestmove` belong to UGI.
fn foreign(p: &mut Parser<'_, '_>, token: Token<'_>, read: bool) -> bool {
    if read && p.dialect != Dialect::Ugi {
        p.report_at(Code::ForeignWord, token);
    }
    read
}

/// Leiserchess: `perft  3 473126`. Anything else that starts with the word is
/// free text.
fn perft<'a>(p: &mut Parser<'a, '_>) -> Option<Report<'a>> {
    let number = |p: &mut Parser<'a, '_>| {
        let token = p.cursor.next()?;
        core::str::from_utf8(token.bytes).ok()?.parse().ok()
    };
    let report = Report::Perft {
        depth: number(p)?,
        count: number(p)?,
    };
    p.cursor.next().is_none().then_some(report)
}
