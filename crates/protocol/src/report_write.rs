//! Writing what an engine says, each dialect in its own form.

use alloc::vec::Vec;

use crate::command_write::put_unsigned;
use crate::dialect::Dialect;
use crate::info::{Info, InfoItem};
use crate::number::{put_i64, put_u64};
use crate::options::{OptionItem, OptionLine};
use crate::report::{BestMove, Report};
use crate::text::Text;
use crate::write::{put_keyword, put_moves, put_text, put_value, put_words};

pub(crate) fn write(report: &Report<'_>, dialect: Dialect, out: &mut Vec<u8>) {
    match report {
        Report::UciOk => out.extend_from_slice(b"uciok"),
        Report::UgiOk => out.extend_from_slice(b"ugiok"),
        Report::ReadyOk => out.extend_from_slice(b"readyok"),
        Report::Id(id) => {
            out.extend_from_slice(b"id");
            put_words_after_blank(out, id.key.word());
            put_text_after_blank(out, id.value);
        }
        Report::BestMove(best) => put_bestmove(out, best, dialect),
        Report::CopyProtection(status) => {
            out.extend_from_slice(b"copyprotection");
            put_words_after_blank(out, status.word());
        }
        Report::Registration(status) => {
            out.extend_from_slice(b"registration");
            put_words_after_blank(out, status.word());
        }
        Report::Info(info) => {
            out.extend_from_slice(b"info");
            put_info(out, info, dialect);
        }
        Report::Option(option) => put_option(out, option, dialect),
        Report::Perft { depth, count } => put_perft(out, *depth, *count),
        Report::Empty => {}
        Report::Text(text) => put_text(out, *text),
    }
}

fn put_words_after_blank(out: &mut Vec<u8>, text: Text<'_>) {
    if !text.is_empty() {
        out.push(b' ');
        put_words(out, text);
    }
}

fn put_text_after_blank(out: &mut Vec<u8>, text: Text<'_>) {
    if !text.is_empty() {
        out.push(b' ');
        put_text(out, text);
    }
}

/// The depth is padded to two places, as the reference engine does.
fn put_perft(out: &mut Vec<u8>, depth: u64, count: u64) {
    out.extend_from_slice(if depth < 10 { b"perft  " } else { b"perft " });
    put_u64(out, depth);
    out.push(b' ');
    put_u64(out, count);
}

fn put_bestmove(out: &mut Vec<u8>, best: &BestMove<'_>, dialect: Dialect) {
    out.extend_from_slice(b"bestmove");
    if let Some(text) = best.best {
        put_words_after_blank(out, text);
    }
    if let Some(ponder) = best.ponder {
        put_keyword(out, "ponder");
        put_words_after_blank(out, ponder);
    }
    if let Some(score) = best.score {
        put_keyword(out, "score");
        score.put(dialect, out);
    }
    if let Some(time) = best.time {
        put_keyword(out, "time");
        time.put(dialect, out);
    }
}

fn put_option(out: &mut Vec<u8>, option: &OptionLine<'_>, dialect: Dialect) {
    out.extend_from_slice(b"option");
    // UGI sends the name and nothing else.
    if dialect == Dialect::Ugi
        && let Some(name) = option.name()
    {
        return put_text_after_blank(out, name);
    }
    for item in option.items.iter() {
        match *item {
            OptionItem::Name(name) => put_value(out, "name", name),
            OptionItem::Type(kind) => {
                put_keyword(out, "type");
                put_words_after_blank(out, kind.word());
            }
            OptionItem::Default(text) => put_value(out, "default", text),
            OptionItem::DefaultNumber(n) => put_number(out, "default", n),
            OptionItem::Min(n) => put_number(out, "min", n),
            OptionItem::Max(n) => put_number(out, "max", n),
            OptionItem::Var(text) => put_value(out, "var", text),
            OptionItem::Value(text) => put_value(out, "value", text),
            OptionItem::Unknown(words) => put_words_after_blank(out, words),
        }
    }
}

fn put_number(out: &mut Vec<u8>, word: &str, n: i64) {
    put_keyword(out, word);
    out.push(b' ');
    put_i64(out, n);
}

/// Everything after `info`. A text takes the rest of the line, so it comes
/// last wherever it stood.
/// Items that take the rest of the line come last. Of two such items the reader
/// sees one text that contains the other: nothing is lost, but build one.
pub(crate) fn put_info(out: &mut Vec<u8>, info: &Info<'_>, dialect: Dialect) {
    let takes_rest =
        |item: &InfoItem<'_>| matches!(item, InfoItem::String(_) | InfoItem::Error { .. });
    for last in [false, true] {
        for item in info.items.iter().filter(|item| takes_rest(item) == last) {
            put_item(out, *item, dialect);
        }
    }
}

fn put_item(out: &mut Vec<u8>, item: InfoItem<'_>, dialect: Dialect) {
    match item {
        InfoItem::Depth(n) => {
            put_unsigned(
                out,
                if dialect == Dialect::Ugi {
                    "ply"
                } else {
                    "depth"
                },
                n,
            );
        }
        InfoItem::SelDepth(n) => put_unsigned(out, "seldepth", n),
        InfoItem::Nodes(n) => put_unsigned(out, "nodes", n),
        InfoItem::Nps(n) => put_unsigned(out, "nps", n),
        InfoItem::MultiPv(n) => put_unsigned(out, "multipv", n),
        InfoItem::CurrMoveNumber(n) => put_unsigned(out, "currmovenumber", n),
        InfoItem::MoveNo(n) => put_unsigned(out, "move_no", n),
        InfoItem::TbHits(n) => put_unsigned(out, "tbhits", n),
        InfoItem::SbHits(n) => put_unsigned(out, "sbhits", n),
        InfoItem::CpuLoad(n) => put_unsigned(out, "cpuload", n),
        InfoItem::MovesLeft(n) => put_unsigned(out, "movesleft", n),
        InfoItem::Time(time) => {
            put_keyword(out, "time");
            time.put(dialect, out);
        }
        InfoItem::Score(score) => {
            put_keyword(out, "score");
            score.put(dialect, out);
        }
        InfoItem::HashFull(share) => {
            put_keyword(out, "hashfull");
            share.put(dialect, out);
        }
        InfoItem::Wdl(wdl) => {
            put_keyword(out, "wdl");
            for share in [wdl.win, wdl.draw, wdl.loss] {
                out.push(b' ');
                put_u64(out, u64::from(share));
            }
        }
        InfoItem::Pv(moves) => put_moves(out, "pv", moves),
        InfoItem::Refutation(moves) => put_moves(out, "refutation", moves),
        InfoItem::CurrLine {
            cpu: Some(cpu),
            moves,
        } => {
            put_unsigned(out, "currline", u64::from(cpu.get()));
            put_words_after_blank(out, moves.text());
        }
        InfoItem::CurrLine { cpu: None, moves } => put_moves(out, "currline", moves),
        InfoItem::CurrMove(text) => put_value(out, "currmove", text),
        InfoItem::BestMove(text) => put_value(out, "bestmove", text),
        InfoItem::String(text) => {
            put_keyword(out, "string");
            put_text_after_blank(out, text);
        }
        InfoItem::Error { kind, text } => {
            put_keyword(out, kind.words());
            put_text_after_blank(out, text);
        }
        InfoItem::Unknown(words) => put_words_after_blank(out, words),
    }
}
