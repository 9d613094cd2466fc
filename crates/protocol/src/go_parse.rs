//! Reading limits and clocks: `go` and ULCI's `clock`.

use crate::command::Clock;
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::go::{Go, GoItem};
use crate::parser::Parser;
use crate::token::{Token, keywords};

mod key {
    super::keywords! {
        SEARCHMOVES = "searchmoves", MOVES = "moves", PONDER = "ponder", WTIME = "wtime",
        BTIME = "btime", WINC = "winc", BINC = "binc", TIME = "time", INC = "inc",
        MOVESTOGO = "movestogo", DEPTH = "depth", NODES = "nodes", MATE = "mate",
        MOVETIME = "movetime", INFINITE = "infinite", PERFT = "perft",
    }
}

#[inline]
fn is_go_keyword(word: u64) -> bool {
    use key::{
        BINC, BTIME, DEPTH, INC, INFINITE, MATE, MOVES, MOVESTOGO, MOVETIME, NODES, PERFT, PONDER,
        SEARCHMOVES, TIME, WINC, WTIME,
    };
    matches!(
        word,
        WTIME
            | BTIME
            | WINC
            | BINC
            | DEPTH
            | NODES
            | MATE
            | MOVETIME
            | MOVESTOGO
            | INFINITE
            | PONDER
            | SEARCHMOVES
            | MOVES
            | TIME
            | INC
            | PERFT
    )
}

pub(crate) fn fill_go<'a>(p: &mut Parser<'a, '_>, go: &mut Go<'a>) {
    let mut seen: u32 = 0;
    while let Some(token) = p.cursor.next() {
        let Some((item, bit)) = go_item(p, token) else {
            p.unknown_word(token);
            continue;
        };
        if seen & (1 << SEARCHMOVES_BIT) != 0 && p.dialect == Dialect::Ulci {
            p.report_at(Code::SearchmovesNotLast, token);
        }
        if let Some(words) = p.take_unknown() {
            go.items.push(GoItem::Unknown(words));
        }
        if seen & (1 << bit) != 0 {
            p.report_at(Code::DuplicateWord, token);
        }
        seen |= 1 << bit;
        go.items.push(item);
    }
    if let Some(words) = p.take_unknown() {
        go.items.push(GoItem::Unknown(words));
    }
}

const SEARCHMOVES_BIT: u32 = 14;

#[inline(always)]
fn go_item<'a>(p: &mut Parser<'a, '_>, token: Token<'a>) -> Option<(GoItem<'a>, u32)> {
    let word = p.cursor.key(token);
    let (item, bit) = match word {
        key::WTIME => (GoItem::WTime(clock_time(p, token)?), 0),
        key::BTIME => (GoItem::BTime(clock_time(p, token)?), 1),
        key::WINC => (GoItem::WInc(clock_time(p, token)?), 2),
        key::BINC => (GoItem::BInc(clock_time(p, token)?), 3),
        key::TIME => (GoItem::Time(clock_time(p, token)?), 4),
        key::INC => (GoItem::Inc(clock_time(p, token)?), 5),
        key::MOVESTOGO => (GoItem::MovesToGo(p.unsigned(token)?), 6),
        key::DEPTH => (GoItem::Depth(p.unsigned(token)?), 7),
        key::NODES => (GoItem::Nodes(p.unsigned(token)?), 8),
        key::MATE => (GoItem::Mate(p.unsigned(token)?), 9),
        key::MOVETIME => (GoItem::MoveTime(clock_time(p, token)?), 10),
        key::INFINITE => (GoItem::Infinite, 11),
        key::PONDER => (GoItem::Ponder, 12),
        key::PERFT => (GoItem::Perft(p.unsigned(token)?), 13),
        key::SEARCHMOVES | key::MOVES => {
            let moves = p.moves_until(is_go_keyword);
            if moves.is_empty() {
                p.report_at(Code::EmptyMoveList, token);
            }
            (GoItem::SearchMoves(moves), SEARCHMOVES_BIT)
        }
        _ => return None,
    };
    if is_foreign_limit(word, p.dialect) {
        p.report_at(Code::ForeignWord, token);
    }
    Some((item, bit))
}

fn is_foreign_limit(word: u64, dialect: Dialect) -> bool {
    use Dialect::{Leiser, Uci, Ugi, Ulci};
    match word {
        key::DEPTH | key::NODES | key::INFINITE => dialect == Ugi,
        key::TIME | key::INC => dialect != Leiser,
        key::PONDER => !matches!(dialect, Uci | Leiser),
        key::MOVESTOGO => !matches!(dialect, Uci | Leiser),
        // A slip of the ULCI host, and a habit of several engines.
        key::MOVES | key::PERFT => true,
        _ => !matches!(dialect, Uci | Ulci),
    }
}

/// Milliseconds of a clock: hosts do send negative ones, and they mean what
/// they say.
#[inline(always)]
fn clock_time(p: &mut Parser<'_, '_>, token: Token<'_>) -> Option<i64> {
    let value = p.signed(token)?;
    if value < 0 {
        p.report_at(Code::NegativeClock, token);
    }
    Some(value)
}

pub(crate) fn clock<'a>(p: &mut Parser<'a, '_>) -> Clock<'a> {
    let mut clock = Clock::default();
    while let Some(token) = p.cursor.next() {
        let item = match p.cursor.key(token) {
            key::WTIME | key::BTIME | key::WINC | key::BINC => go_item(p, token),
            _ => None,
        };
        let Some((item, _)) = item else {
            p.unknown_word(token);
            continue;
        };
        if let Some(words) = p.take_unknown() {
            clock.items.push(GoItem::Unknown(words));
        }
        clock.items.push(item);
    }
    if let Some(words) = p.take_unknown() {
        clock.items.push(GoItem::Unknown(words));
    }
    clock
}
