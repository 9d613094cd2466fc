//! Reading `info`, which both sides may send.

use core::num::NonZeroU32;

use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::info::{ErrorKind, Info, InfoItem};
use crate::number::{self, Decimal, Reading};
use crate::parser::Parser;
use crate::score::{Bound, HashFull, Score, Time, Wdl};
use crate::text::{Moves, Text};
use crate::token::{Token, keywords};

/// The keywords of `info`.
pub(crate) mod key {
    super::keywords! {
        DEPTH = "depth", PLY = "ply", SELDEPTH = "seldepth", TIME = "time", NODES = "nodes",
        NPS = "nps", PV = "pv", MULTIPV = "multipv", SCORE = "score", CP = "cp", MATE = "mate",
        LOWERBOUND = "lowerbound", UPPERBOUND = "upperbound", WDL = "wdl", CURRMOVE = "currmove",
        CURRMOVENUMBER = "currmovenumber", MOVE_NO = "move_no", HASHFULL = "hashfull",
        TBHITS = "tbhits", SBHITS = "sbhits", CPULOAD = "cpuload", MOVESLEFT = "movesleft",
        BESTMOVE = "bestmove", REFUTATION = "refutation", CURRLINE = "currline",
        STRING = "string", ERROR = "error", CLIENTERROR = "clienterror",
        SERVERERROR = "servererror", MICROSEC = "(microsec)",
    }
}

/// Whether a word ends a list of moves in an `info` line.
#[inline]
pub(crate) fn is_keyword(word: u64) -> bool {
    use key::{
        BESTMOVE, CP, CPULOAD, CURRLINE, CURRMOVE, CURRMOVENUMBER, DEPTH, HASHFULL, LOWERBOUND,
        MATE, MOVE_NO, MOVESLEFT, MULTIPV, NODES, NPS, PLY, PV, REFUTATION, SBHITS, SCORE,
        SELDEPTH, STRING, TBHITS, TIME, UPPERBOUND, WDL,
    };
    matches!(
        word,
        DEPTH
            | PLY
            | SELDEPTH
            | TIME
            | NODES
            | NPS
            | PV
            | MULTIPV
            | SCORE
            | CP
            | MATE
            | LOWERBOUND
            | UPPERBOUND
            | WDL
            | CURRMOVE
            | CURRMOVENUMBER
            | MOVE_NO
            | HASHFULL
            | TBHITS
            | SBHITS
            | CPULOAD
            | MOVESLEFT
            | BESTMOVE
            | REFUTATION
            | CURRLINE
            | STRING
    )
}

/// A list of moves. In ULCI an error may follow it.
#[inline]
fn moves<'a>(p: &mut Parser<'a, '_>) -> Moves<'a> {
    if p.dialect == Dialect::Ulci {
        let is_error = |word| matches!(word, key::ERROR | key::CLIENTERROR | key::SERVERERROR);
        return p.moves_until(|word| is_keyword(word) || is_error(word));
    }
    p.moves_until(is_keyword)
}

/// Reads everything after the word `info`.
pub(crate) fn fill_info<'a>(p: &mut Parser<'a, '_>, info: &mut Info<'a>) {
    let mut seen: u32 = 0;
    let mut seldepth = None;
    while let Some(token) = p.cursor.next() {
        let Some((item, bit)) = item(p, token) else {
            p.unknown_word(token);
            continue;
        };
        if let Some(words) = p.take_unknown() {
            info.items.push(InfoItem::Unknown(words));
        }
        if seen & (1 << bit) != 0 {
            p.report_at(Code::DuplicateWord, token);
        }
        seen |= 1 << bit;
        if bit == SELDEPTH_BIT {
            seldepth = Some(token);
        }
        info.items.push(item);
    }
    if let Some(words) = p.take_unknown() {
        info.items.push(InfoItem::Unknown(words));
    }
    if let Some(token) = seldepth
        && seen & (1 << DEPTH_BIT) == 0
    {
        p.report_at(Code::SeldepthAlone, token);
    }
}

const DEPTH_BIT: u32 = 0;
const SELDEPTH_BIT: u32 = 1;

/// One piece of the line and a number for its kind; `None` if the word starts
/// nothing or its value is missing.
#[inline(always)]
fn item<'a>(p: &mut Parser<'a, '_>, token: Token<'a>) -> Option<(InfoItem<'a>, u32)> {
    Some(match p.cursor.key(token) {
        key::DEPTH => (InfoItem::Depth(p.unsigned(token)?), DEPTH_BIT),
        key::PLY => (InfoItem::Depth(foreign(p, token, Dialect::Ugi)?), DEPTH_BIT),
        key::SELDEPTH => (InfoItem::SelDepth(p.unsigned(token)?), SELDEPTH_BIT),
        key::NODES => (InfoItem::Nodes(p.unsigned(token)?), 2),
        key::NPS => (InfoItem::Nps(p.unsigned(token)?), 3),
        key::TIME => (InfoItem::Time(time(p, token)?), 4),
        key::SCORE => (InfoItem::Score(score(p, token)?), 5),
        key::PV => (InfoItem::Pv(moves(p)), 6),
        key::MULTIPV => (InfoItem::MultiPv(p.unsigned(token)?), 7),
        key::WDL => (InfoItem::Wdl(wdl(p, token)?), 8),
        key::CURRMOVE => (InfoItem::CurrMove(one_move(p, token)?), 9),
        key::CURRMOVENUMBER => (InfoItem::CurrMoveNumber(move_number(p, token)?), 10),
        key::MOVE_NO => (InfoItem::MoveNo(foreign(p, token, Dialect::Leiser)?), 11),
        key::HASHFULL => (InfoItem::HashFull(hashfull(p, token)?), 12),
        key::TBHITS => (InfoItem::TbHits(p.unsigned(token)?), 13),
        key::SBHITS => (InfoItem::SbHits(p.unsigned(token)?), 14),
        key::CPULOAD => (InfoItem::CpuLoad(cpuload(p, token)?), 15),
        key::MOVESLEFT => (InfoItem::MovesLeft(p.unsigned(token)?), 16),
        key::BESTMOVE => (InfoItem::BestMove(one_move(p, token)?), 17),
        key::REFUTATION => (InfoItem::Refutation(moves(p)), 18),
        key::CURRLINE => (currline(p), 19),
        key::STRING => (string(p), 20),
        key::ERROR => (error(p, token, ErrorKind::Plain)?, 21),
        key::CLIENTERROR => (error(p, token, ErrorKind::Client)?, 21),
        key::SERVERERROR => (error(p, token, ErrorKind::Server)?, 21),
        // A score whose keyword was forgotten (`nps 265 cp -107`).
        key::CP | key::MATE | key::LOWERBOUND | key::UPPERBOUND => {
            p.cursor.seek(token.start);
            let score = score(p, token)?;
            p.report_at(Code::MissingKeyword, token);
            (InfoItem::Score(score), 5)
        }
        _ => return None,
    })
}

fn foreign(p: &mut Parser<'_, '_>, token: Token<'_>, home: Dialect) -> Option<u64> {
    let value = p.unsigned(token)?;
    if p.dialect != home {
        p.report_at(Code::ForeignWord, token);
    }
    Some(value)
}

fn move_number(p: &mut Parser<'_, '_>, token: Token<'_>) -> Option<u64> {
    let value = p.unsigned(token)?;
    if value == 0 {
        p.report_at(Code::MoveNumberZero, token);
    }
    Some(value)
}

fn cpuload(p: &mut Parser<'_, '_>, token: Token<'_>) -> Option<u64> {
    let value = p.unsigned(token)?;
    if value > 1000 {
        p.report_at(Code::ShareTooLarge, token);
    }
    Some(value)
}

/// Leiserchess counts in percent; a larger number can only be permill.
fn hashfull(p: &mut Parser<'_, '_>, token: Token<'_>) -> Option<HashFull> {
    let value = p.unsigned(token)?;
    if value > 1000 {
        p.report_at(Code::ShareTooLarge, token);
    }
    if p.dialect != Dialect::Leiser {
        return Some(HashFull::Permill(value));
    }
    if value <= 100 {
        return Some(HashFull::Percent(value));
    }
    if value <= 1000 {
        p.report_at(Code::ForeignWord, token);
    }
    Some(HashFull::Permill(value))
}

fn one_move<'a>(p: &mut Parser<'a, '_>, keyword: Token<'a>) -> Option<Text<'a>> {
    match p.cursor.next() {
        Some(token) => Some(Text::from_bytes(token.bytes)),
        None => {
            p.report_at(Code::MissingValue, keyword);
            None
        }
    }
}

/// `time 15`, `time (microsec) 36`, and UGI's seconds.
pub(crate) fn time(p: &mut Parser<'_, '_>, keyword: Token<'_>) -> Option<Time> {
    if p.dialect == Dialect::Ugi {
        return seconds(p, keyword).map(Time::Seconds);
    }
    if let Some(unit) = p.cursor.peek()
        && p.cursor.key(unit) == key::MICROSEC
    {
        p.cursor.next();
        let Some(micros) = p.unsigned(unit) else {
            p.cursor.seek(unit.start);
            return None;
        };
        if p.dialect != Dialect::Leiser {
            p.report_at(Code::ForeignWord, unit);
        }
        return Some(Time::Micros(micros));
    }
    p.unsigned(keyword).map(Time::Millis)
}

fn seconds(p: &mut Parser<'_, '_>, keyword: Token<'_>) -> Option<Decimal> {
    let before = p.cursor.position();
    let Some(token) = p.cursor.next() else {
        p.report_at(Code::MissingValue, keyword);
        return None;
    };
    let value = Decimal::read(token.bytes);
    if value.is_none() {
        p.report_at(Code::NotANumber, token);
        p.cursor.seek(before);
    }
    value
}

/// The words after `score`: `cp 5`, `lowerbound cp 5`, `mate 3 upperbound`,
/// or in UGI a plain decimal.
pub(crate) fn score(p: &mut Parser<'_, '_>, keyword: Token<'_>) -> Option<Score> {
    let mut score = Score::NOTHING;
    let mut bound = None;
    // UGI has neither units nor bounds.
    let foreign = match p.dialect {
        Dialect::Ugi => p.cursor.peek(),
        _ => None,
    };
    loop {
        let before = p.cursor.position();
        let Some(token) = p.cursor.next() else { break };
        let has_value = score != Score::NOTHING;
        match p.cursor.key(token) {
            key::CP if !has_value => match p.signed(token) {
                Some(cp) => score = Score::cp(cp),
                None => return give_back(p, bound, token),
            },
            key::MATE if !has_value => match p.signed(token) {
                Some(moves) => score = Score::mate(moves),
                None => return give_back(p, bound, token),
            },
            key::LOWERBOUND if bound.is_none() => bound = Some(Bound::Lower),
            key::UPPERBOUND if bound.is_none() => bound = Some(Bound::Upper),
            _ => {
                p.cursor.seek(before);
                if !has_value && bound.is_none() {
                    return units(p, keyword);
                }
                break;
            }
        }
    }
    if score == Score::NOTHING && bound.is_none() {
        p.report_at(Code::MissingValue, keyword);
        return None;
    }
    if let Some(word) = foreign {
        p.report_at(Code::ForeignWord, word);
    }
    Some(match bound {
        Some(bound) => score.with_bound(bound),
        None => score,
    })
}

/// A `cp` or `mate` without a number: the words go back to be kept as unknown.
#[cold]
fn give_back(p: &mut Parser<'_, '_>, bound: Option<Bound>, word: Token<'_>) -> Option<Score> {
    p.cursor.seek(word.start);
    if let Some(bound) = bound {
        return Some(Score::NOTHING.with_bound(bound));
    }
    // Step over the word once, as unknown, so that it is not read as a score
    // that lacks its keyword.
    p.cursor.next();
    p.unknown_word(word);
    None
}

/// UGI: a decimal without a unit. Elsewhere a number alone is taken as
/// centipawns whose unit was forgotten.
fn units(p: &mut Parser<'_, '_>, keyword: Token<'_>) -> Option<Score> {
    if p.dialect == Dialect::Ugi {
        return seconds(p, keyword).map(Score::units);
    }
    let next = p.cursor.peek()?;
    if number::read(next.bytes) == Reading::Nothing {
        p.report_at(Code::MissingValue, keyword);
        return None;
    }
    let cp = p.signed(keyword)?;
    p.report_at(Code::MissingKeyword, next);
    Some(Score::cp(cp))
}

fn wdl(p: &mut Parser<'_, '_>, keyword: Token<'_>) -> Option<Wdl> {
    let start = p.cursor.position();
    let mut parts = [0u32; 3];
    for part in &mut parts {
        let Some(value) = p.unsigned(keyword) else {
            p.cursor.seek(start);
            return None;
        };
        *part = u32::try_from(value).unwrap_or(u32::MAX);
    }
    let [win, draw, loss] = parts;
    if win.saturating_add(draw).saturating_add(loss) != 1000 {
        p.report(Code::WdlSum, keyword.start, p.cursor.position());
    }
    Some(Wdl { win, draw, loss })
}

/// `currline [cpunr] moves`.
fn currline<'a>(p: &mut Parser<'a, '_>) -> InfoItem<'a> {
    let mut cpu = None;
    // Processors count from 1, so `0000` is a null move.
    if let Some(token) = p.cursor.peek()
        && let Reading::Whole {
            negative: false,
            magnitude,
        } = number::read(token.bytes)
        && let Some(number) = u32::try_from(magnitude).ok().and_then(NonZeroU32::new)
    {
        p.cursor.next();
        cpu = Some(number);
    }
    InfoItem::CurrLine {
        cpu,
        moves: moves(p),
    }
}

/// `string` takes the rest of the line; in ULCI an error may hide in it.
fn string<'a>(p: &mut Parser<'a, '_>) -> InfoItem<'a> {
    if p.dialect == Dialect::Ulci
        && let Some(word) = p.cursor.peek()
    {
        let kind = match p.cursor.key(word) {
            key::CLIENTERROR => Some(ErrorKind::ClientString),
            key::SERVERERROR => Some(ErrorKind::ServerString),
            _ => None,
        };
        if let Some(kind) = kind {
            p.cursor.next();
            return InfoItem::Error {
                kind,
                text: Text::from_bytes(p.cursor.rest()),
            };
        }
    }
    InfoItem::String(Text::from_bytes(p.cursor.rest()))
}

/// ULCI's error words; in the other dialects they are unknown words.
fn error<'a>(p: &mut Parser<'a, '_>, _: Token<'a>, kind: ErrorKind) -> Option<InfoItem<'a>> {
    if p.dialect != Dialect::Ulci {
        return None;
    }
    Some(InfoItem::Error {
        kind,
        text: Text::from_bytes(p.cursor.rest()),
    })
}
