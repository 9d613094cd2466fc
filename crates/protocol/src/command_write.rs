//! Writing what a host says, each dialect in its own form.

use alloc::vec::Vec;

use crate::command::{Command, PositionBase, Register, SetOption, SetPos, SetPosition};
use crate::dialect::Dialect;
use crate::go::{Go, GoItem};
use crate::number::{put_i64, put_u64};
use crate::report_write::put_info;
use crate::text::Text;
use crate::write::{put_keyword, put_moves, put_text, put_value, put_words};

pub(crate) fn write(command: &Command<'_>, dialect: Dialect, out: &mut Vec<u8>) {
    let word = match command {
        Command::Uci => "uci",
        Command::Ugi => "ugi",
        Command::Debug(_) => "debug",
        Command::IsReady => "isready",
        Command::SetOption(_) => "setoption",
        Command::Register(_) => "register",
        Command::UciNewGame => "ucinewgame",
        Command::Position(_) => "position",
        Command::SetPos(_) => "setpos",
        Command::Move(_) => "move",
        Command::Go(_) => "go",
        Command::Stop => "stop",
        Command::PonderHit => "ponderhit",
        Command::Quit => "quit",
        Command::Clock(_) => "clock",
        Command::Info(_) => "info",
        Command::Eval(_) => "eval",
        Command::Bench(_) => "bench",
        Command::Perft(_) => "perft",
        // Chess engines that can draw their board know it by this letter.
        Command::Display if dialect == Dialect::Uci => "d",
        Command::Display => "display",
        Command::Generate => "generate",
        Command::Help => "help",
        Command::ShowPos => "showpos",
        Command::Empty => return,
        Command::Unknown(text) => return put_text(out, *text),
    };
    out.extend_from_slice(word.as_bytes());
    match command {
        Command::Debug(Some(on)) => put_keyword(out, if *on { "on" } else { "off" }),
        Command::SetOption(set) => put_setoption(out, *set, dialect),
        Command::Register(register) => put_register(out, *register),
        Command::Position(position) => put_position(out, *position),
        Command::SetPos(setpos) => put_setpos(out, *setpos),
        Command::Move(Some(word)) | Command::Eval(Some(word)) | Command::Bench(Some(word)) => {
            out.push(b' ');
            put_words(out, *word);
        }
        Command::Go(go) => put_go(out, go, dialect),
        Command::Clock(clock) => clock.items.iter().for_each(|item| put_limit(out, *item)),
        Command::Info(info) => put_info(out, info, dialect),
        Command::Perft(Some(depth)) => {
            out.push(b' ');
            put_u64(out, *depth);
        }
        _ => {}
    }
}

fn put_setoption(out: &mut Vec<u8>, set: SetOption<'_>, dialect: Dialect) {
    if dialect == Dialect::Ugi {
        out.push(b' ');
        put_text(out, set.name);
        if let Some(value) = set.value {
            out.push(b' ');
            put_text(out, value);
        }
        return;
    }
    if !set.name.is_empty() || set.value.is_some() {
        put_value(out, "name", set.name);
    }
    if let Some(value) = set.value {
        put_value(out, "value", value);
    }
}

fn put_register(out: &mut Vec<u8>, register: Register<'_>) {
    if register.later {
        put_keyword(out, "later");
    }
    if let Some(name) = register.name {
        put_value(out, "name", name);
    }
    if let Some(code) = register.code {
        put_value(out, "code", code);
    }
}

fn put_position(out: &mut Vec<u8>, position: SetPosition<'_>) {
    match position.base {
        PositionBase::Startpos => put_keyword(out, "startpos"),
        PositionBase::Fen(fen) => {
            put_keyword(out, "fen");
            put_after_blank(out, fen);
        }
        PositionBase::Named(name) => put_after_blank(out, name),
        PositionBase::Omitted => {}
    }
    if let Some(moves) = position.moves {
        put_moves(out, "moves", moves);
    }
}

fn put_setpos(out: &mut Vec<u8>, setpos: SetPos<'_>) {
    match setpos {
        SetPos::Named(name) => put_after_blank(out, name),
        SetPos::Data(board) => {
            put_keyword(out, "data");
            put_after_blank(out, board);
        }
        SetPos::Missing => {}
    }
}

fn put_after_blank(out: &mut Vec<u8>, text: Text<'_>) {
    if !text.is_empty() {
        out.push(b' ');
        put_words(out, text);
    }
}

/// In ULCI `searchmoves` must be the last word, so it waits there.
fn put_go(out: &mut Vec<u8>, go: &Go<'_>, dialect: Dialect) {
    let last =
        |item: &GoItem<'_>| dialect == Dialect::Ulci && matches!(item, GoItem::SearchMoves(_));
    go.items
        .iter()
        .filter(|item| !last(item))
        .for_each(|item| put_limit(out, *item));
    go.items
        .iter()
        .filter(|item| last(item))
        .for_each(|item| put_limit(out, *item));
}

fn put_limit(out: &mut Vec<u8>, item: GoItem<'_>) {
    match item {
        GoItem::SearchMoves(moves) => put_moves(out, "searchmoves", moves),
        GoItem::Ponder => put_keyword(out, "ponder"),
        GoItem::Infinite => put_keyword(out, "infinite"),
        GoItem::WTime(ms) => put_signed(out, "wtime", ms),
        GoItem::BTime(ms) => put_signed(out, "btime", ms),
        GoItem::WInc(ms) => put_signed(out, "winc", ms),
        GoItem::BInc(ms) => put_signed(out, "binc", ms),
        GoItem::Time(ms) => put_signed(out, "time", ms),
        GoItem::Inc(ms) => put_signed(out, "inc", ms),
        GoItem::MoveTime(ms) => put_signed(out, "movetime", ms),
        GoItem::MovesToGo(n) => put_unsigned(out, "movestogo", n),
        GoItem::Depth(n) => put_unsigned(out, "depth", n),
        GoItem::Nodes(n) => put_unsigned(out, "nodes", n),
        GoItem::Mate(n) => put_unsigned(out, "mate", n),
        GoItem::Perft(n) => put_unsigned(out, "perft", n),
        GoItem::Unknown(words) => put_after_blank(out, words),
    }
}

fn put_signed(out: &mut Vec<u8>, word: &str, n: i64) {
    put_keyword(out, word);
    out.push(b' ');
    put_i64(out, n);
}

pub(crate) fn put_unsigned(out: &mut Vec<u8>, word: &str, n: u64) {
    put_keyword(out, word);
    out.push(b' ');
    put_u64(out, n);
}
