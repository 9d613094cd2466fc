//! Reading what a host says.

use crate::command::{Command, PositionBase, Register, SetOption, SetPos, SetPosition};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::go::Go;
use crate::go_parse::{clock, fill_go};
use crate::info::Info;
use crate::info_parse::fill_info;
use crate::parsed::{Notes, Parsed};
use crate::parser::Parser;
use crate::text::Text;
use crate::token::{Cursor, Token, is_blank, keywords, trim};

mod key {
    super::keywords! {
        UCI = "uci", UGI = "ugi", DEBUG = "debug", ISREADY = "isready", SETOPTION = "setoption",
        REGISTER = "register", UCINEWGAME = "ucinewgame", POSITION = "position",
        SETPOS = "setpos", MOVE = "move", GO = "go", STOP = "stop", PONDERHIT = "ponderhit",
        QUIT = "quit", CLOCK = "clock", INFO = "info", EVAL = "eval", BENCH = "bench",
        PERFT = "perft", DISPLAY = "display", D = "d", GENERATE = "generate", HELP = "help",
        SHOWPOS = "showpos",
        // setoption, register, position, setpos
        NAME = "name", VALUE = "value", LATER = "later", CODE = "code", ON = "on", OFF = "off",
        FEN = "fen", STARTPOS = "startpos", MOVES = "moves", CLASSIC = "classic",
        ENDGAME = "endgame", DATA = "data",
    }
}

#[derive(Clone, Copy)]
enum Word {
    Uci,
    Ugi,
    Debug,
    IsReady,
    SetOption,
    Register,
    UciNewGame,
    Position,
    SetPos,
    Move,
    Go,
    Stop,
    PonderHit,
    Quit,
    Clock,
    Info,
    Eval,
    Bench,
    Perft,
    Display,
    Generate,
    Help,
    ShowPos,
}

fn word(key: u64) -> Option<Word> {
    Some(match key {
        key::GO => Word::Go,
        key::POSITION => Word::Position,
        key::STOP => Word::Stop,
        key::ISREADY => Word::IsReady,
        key::SETOPTION => Word::SetOption,
        key::UCI => Word::Uci,
        key::UGI => Word::Ugi,
        key::DEBUG => Word::Debug,
        key::REGISTER => Word::Register,
        key::UCINEWGAME => Word::UciNewGame,
        key::SETPOS => Word::SetPos,
        key::MOVE => Word::Move,
        key::PONDERHIT => Word::PonderHit,
        key::QUIT => Word::Quit,
        key::CLOCK => Word::Clock,
        key::INFO => Word::Info,
        key::EVAL => Word::Eval,
        key::BENCH => Word::Bench,
        key::PERFT => Word::Perft,
        key::DISPLAY | key::D => Word::Display,
        key::GENERATE => Word::Generate,
        key::HELP => Word::Help,
        key::SHOWPOS => Word::ShowPos,
        _ => return None,
    })
}

/// Whether a dialect has this command in its text or its practice.
fn is_at_home(word: Word, dialect: Dialect) -> bool {
    use Dialect::{Leiser, Uci, Ugi, Ulci};
    match word {
        Word::IsReady | Word::SetOption | Word::Go | Word::Stop | Word::Quit => true,
        // The Leiserchess text lacks `debug` in its list but uses it in an example.
        Word::Uci | Word::UciNewGame | Word::Position | Word::Debug => dialect != Ugi,
        Word::PonderHit => matches!(dialect, Uci | Leiser),
        Word::Register => dialect == Uci,
        Word::Ugi | Word::SetPos | Word::ShowPos => dialect == Ugi,
        Word::Move | Word::Display | Word::Generate | Word::Help => dialect == Leiser,
        Word::Eval => dialect != Uci,
        Word::Perft => matches!(dialect, Ulci | Leiser),
        Word::Clock | Word::Info | Word::Bench => dialect == Ulci,
    }
}

pub(crate) fn parse(line: &[u8], dialect: Dialect) -> Parsed<'_, Command<'_>> {
    let mut notes = Notes::new(line);
    let mut p = Parser::new(line, dialect, &mut notes);
    // `go` is large and its reader must be quick: it is filled in where it
    // will stay.
    match p.cursor.next() {
        Some(first) if p.cursor.key(first) == key::GO => go(line, first, dialect, notes),
        first => other(line, first, dialect, notes),
    }
}

#[inline]
fn go<'a>(
    line: &'a [u8],
    token: Token<'a>,
    dialect: Dialect,
    notes: Notes<'a>,
) -> Parsed<'a, Command<'a>> {
    let mut parsed = Parsed {
        message: Command::Go(Go::new()),
        notes,
    };
    if let Command::Go(go) = &mut parsed.message {
        fill_go(
            &mut Parser::after(line, token, dialect, &mut parsed.notes),
            go,
        );
    }
    parsed
}

fn other<'a>(
    line: &'a [u8],
    first: Option<Token<'a>>,
    dialect: Dialect,
    mut notes: Notes<'a>,
) -> Parsed<'a, Command<'a>> {
    let found = first
        .and_then(|first| find_word(&mut Parser::after(line, first, dialect, &mut notes), first));
    let message = match found {
        Some((word, token)) => message(
            &mut Parser::after(line, token, dialect, &mut notes),
            word,
            token,
        ),
        None => notes
            .whole_line(first)
            .map_or(Command::Empty, Command::Unknown),
    };
    Parsed { message, notes }
}

fn find_word<'a>(p: &mut Parser<'a, '_>, first: Token<'a>) -> Option<(Word, Token<'a>)> {
    let (word, token) = match word(p.cursor.key(first)) {
        Some(word) => (word, first),
        None if p.dialect.skips_unknown_words() => skip_to_word(p, first)?,
        None => return None,
    };
    if !is_at_home(word, p.dialect) {
        p.report_at(Code::ForeignCommand, token);
    }
    Some((word, token))
}

/// "joho debug on": unknown words are skipped until a command of this dialect.
fn skip_to_word<'a>(p: &mut Parser<'a, '_>, first: Token<'a>) -> Option<(Word, Token<'a>)> {
    let mut end = first.end();
    while let Some(token) = p.cursor.next() {
        if let Some(word) = word(p.cursor.key(token))
            && is_at_home(word, p.dialect)
        {
            p.report(Code::SkippedWords, first.start, end);
            p.notes.skipped = Text::from_bytes(p.slice(first.start, end));
            return Some((word, token));
        }
        end = token.end();
    }
    None
}

fn message<'a>(p: &mut Parser<'a, '_>, word: Word, token: Token<'a>) -> Command<'a> {
    match word {
        Word::Go => {
            let mut go = Go::new();
            fill_go(p, &mut go);
            Command::Go(go)
        }
        Word::Position => Command::Position(position(p)),
        Word::Info => {
            let mut info = Info::new();
            fill_info(p, &mut info);
            Command::Info(info)
        }
        Word::SetOption => Command::SetOption(setoption(p, token)),
        Word::Clock => Command::Clock(clock(p)),
        Word::Register => Command::Register(register(p, token)),
        Word::SetPos => Command::SetPos(setpos(p, token)),
        Word::Debug => Command::Debug(debug(p, token)),
        Word::Bench => Command::Bench(p.cursor.trimmed_rest().map(|t| Text::from_bytes(t.bytes))),
        Word::Move => {
            let moved = one_word(p);
            if moved.is_none() {
                p.report_at(Code::MissingMove, token);
            }
            Command::Move(moved)
        }
        Word::Eval => Command::Eval(one_word(p)),
        Word::Perft => {
            let depth = if p.cursor.peek().is_some() {
                p.unsigned(token)
            } else {
                None
            };
            p.rest_is_extra();
            Command::Perft(depth)
        }
        Word::Uci => alone(p, Command::Uci),
        Word::Ugi => alone(p, Command::Ugi),
        Word::IsReady => alone(p, Command::IsReady),
        Word::UciNewGame => alone(p, Command::UciNewGame),
        Word::Stop => alone(p, Command::Stop),
        Word::PonderHit => alone(p, Command::PonderHit),
        Word::Quit => alone(p, Command::Quit),
        Word::Display => alone(p, Command::Display),
        Word::Generate => alone(p, Command::Generate),
        Word::Help => alone(p, Command::Help),
        Word::ShowPos => alone(p, Command::ShowPos),
    }
}

fn alone<'a>(p: &mut Parser<'a, '_>, command: Command<'a>) -> Command<'a> {
    p.rest_is_extra();
    command
}

fn one_word<'a>(p: &mut Parser<'a, '_>) -> Option<Text<'a>> {
    let token = p.cursor.next()?;
    p.rest_is_extra();
    Some(Text::from_bytes(token.bytes))
}

fn debug(p: &mut Parser<'_, '_>, token: Token<'_>) -> Option<bool> {
    let mut on = None;
    while let Some(word) = p.cursor.next() {
        match p.cursor.key(word) {
            key::ON if on.is_none() => on = Some(true),
            key::OFF if on.is_none() => on = Some(false),
            _ => p.unknown_word(word),
        }
    }
    p.keep_unknown();
    if on.is_none() {
        p.report_at(Code::MissingValue, token);
    }
    on
}

/// `setoption name <id> [value <x>]`, with the keywords missing too; in UGI
/// `setoption <name> <value>`.
fn setoption<'a>(p: &mut Parser<'a, '_>, setoption: Token<'a>) -> SetOption<'a> {
    let Some(rest) = p.cursor.trimmed_rest() else {
        p.report_at(Code::OptionWithoutName, setoption);
        return SetOption {
            name: Text::EMPTY,
            value: None,
        };
    };
    let mut words = Cursor::new(rest.bytes);
    let first = words.next();
    let has_name = first.is_some_and(|token| words.key(token) == key::NAME);
    if !has_name {
        words.seek(0);
        if p.dialect == Dialect::Ugi {
            return plain_setoption(&mut words, p, setoption);
        }
        p.report_at(Code::MissingKeyword, rest);
    }
    if p.dialect == Dialect::Ugi {
        p.report_at(Code::ForeignWord, rest);
    }
    let mut splits = value_words(rest.bytes, words.position());
    let name_start = words.position();
    let Some(split) = splits.next() else {
        return setoption_without_value(p, setoption, &rest.bytes[name_start..], has_name);
    };
    if splits.next().is_some() {
        p.report_at(Code::AmbiguousOption, rest);
    }
    let set = split_at(rest.bytes, name_start, split);
    if set.name.is_empty() {
        p.report_at(Code::OptionWithoutName, setoption);
    }
    set
}

/// Without the word `value`: a button. If even the word `name` is missing and
/// there are two words, the second is the value.
fn setoption_without_value<'a>(
    p: &mut Parser<'a, '_>,
    setoption: Token<'a>,
    rest: &'a [u8],
    has_name: bool,
) -> SetOption<'a> {
    let name = trim(rest);
    if name.is_empty() {
        p.report_at(Code::OptionWithoutName, setoption);
    }
    if !has_name && let Some(blank) = name.iter().position(|&b| is_blank(b)) {
        let value = Text::from_bytes(trim(&name[blank..]));
        return SetOption {
            name: Text::from_bytes(&name[..blank]),
            value: Some(value),
        };
    }
    SetOption {
        name: Text::from_bytes(name),
        value: None,
    }
}

/// UGI: two plain words, the second may hold blanks.
fn plain_setoption<'a>(
    words: &mut Cursor<'a>,
    p: &mut Parser<'a, '_>,
    setoption: Token<'a>,
) -> SetOption<'a> {
    let name = words
        .next()
        .map_or(Text::EMPTY, |token| Text::from_bytes(token.bytes));
    let value = words
        .trimmed_rest()
        .map(|token| Text::from_bytes(token.bytes));
    if value.is_none() {
        p.report_at(Code::MissingValue, setoption);
    }
    SetOption { name, value }
}

fn split_at(bytes: &[u8], name_start: usize, split: usize) -> SetOption<'_> {
    let value = trim(&bytes[split + "value".len()..]);
    SetOption {
        name: Text::from_bytes(trim(&bytes[name_start..split])),
        value: Some(Text::from_bytes(value)),
    }
}

/// Where the word `value` stands after `start`.
fn value_words(bytes: &[u8], start: usize) -> impl Iterator<Item = usize> + '_ {
    let mut cursor = Cursor::new(bytes);
    cursor.seek(start);
    core::iter::from_fn(move || {
        loop {
            let token = cursor.next()?;
            if cursor.key(token) == key::VALUE {
                return Some(token.start);
            }
        }
    })
}

/// The readings of a `setoption` line at its second and later `value`, and as a
/// button whose name holds the word.
pub(crate) fn other_readings(line: &[u8]) -> impl Iterator<Item = SetOption<'_>> {
    let mut cursor = Cursor::new(line);
    let mut name_start = None;
    while let Some(token) = cursor.next() {
        if cursor.key(token) == key::NAME {
            name_start = Some(token.end());
            break;
        }
    }
    let start = name_start.unwrap_or(line.len());
    let later = value_words(line, start)
        .skip(1)
        .map(move |at| split_at(line, start, at));
    let holds_value = value_words(line, start).next().is_some();
    let button = SetOption {
        name: Text::from_bytes(trim(&line[start..])),
        value: None,
    };
    later.chain(holds_value.then_some(button))
}

/// `register later`, `register name <x> code <y>`.
fn register<'a>(p: &mut Parser<'a, '_>, register: Token<'a>) -> Register<'a> {
    let mut out = Register::default();
    while let Some(token) = p.cursor.next() {
        match p.cursor.key(token) {
            key::LATER if !out.later => out.later = true,
            key::NAME if out.name.is_none() => out.name = Some(words_until(p, key::CODE)),
            key::CODE if out.code.is_none() => out.code = Some(words_until(p, key::NAME)),
            _ => p.unknown_word(token),
        }
    }
    p.keep_unknown();
    if out == Register::default() {
        p.report_at(Code::MissingValue, register);
    }
    out
}

fn words_until<'a>(p: &mut Parser<'a, '_>, stop: u64) -> Text<'a> {
    p.moves_until(|word| word == stop).text()
}

fn position<'a>(p: &mut Parser<'a, '_>) -> SetPosition<'a> {
    let Some(first) = p.cursor.next() else {
        let end = p.cursor.position();
        p.report(Code::StartposOmitted, 0, end);
        return SetPosition {
            base: PositionBase::Omitted,
            moves: None,
        };
    };
    let base = match p.cursor.key(first) {
        key::STARTPOS => PositionBase::Startpos,
        key::FEN => PositionBase::Fen(fen(p, first)),
        key::MOVES => {
            p.report_at(Code::StartposOmitted, first);
            p.cursor.seek(first.start);
            PositionBase::Omitted
        }
        // A FEN whose keyword was forgotten holds rank separators.
        _ if first.bytes.contains(&b'/') => {
            p.report_at(Code::MissingKeyword, first);
            p.cursor.seek(first.start);
            PositionBase::Fen(fen(p, first))
        }
        word => {
            let known = matches!(word, key::CLASSIC | key::ENDGAME);
            if !known {
                p.report_at(Code::UnknownPosition, first);
            } else if p.dialect != Dialect::Leiser {
                p.report_at(Code::ForeignWord, first);
            }
            PositionBase::Named(Text::from_bytes(first.bytes))
        }
    };
    SetPosition {
        base,
        moves: position_moves(p),
    }
}

/// The moves after the base; some hosts leave out the word `moves`.
fn position_moves<'a>(p: &mut Parser<'a, '_>) -> Option<crate::text::Moves<'a>> {
    let token = p.cursor.next()?;
    if p.cursor.key(token) != key::MOVES {
        p.report_at(Code::MissingKeyword, token);
        p.cursor.seek(token.start);
    }
    let moves = p.all_moves();
    if moves.is_empty() {
        p.report_at(Code::EmptyMoveList, token);
    }
    Some(moves)
}

fn fen<'a>(p: &mut Parser<'a, '_>, keyword: Token<'a>) -> Text<'a> {
    let mut begin = p.cursor.position();
    let mut end = begin;
    while let Some(token) = p.cursor.next() {
        if p.cursor.key(token) == key::MOVES {
            p.cursor.seek(token.start);
            break;
        }
        if end == begin {
            begin = token.start;
        }
        end = token.end();
    }
    let fen = p.slice(begin, end);
    if let [b'"', inner @ .., b'"'] = fen {
        p.report(Code::QuotedFen, begin, end);
        return Text::from_bytes(trim(inner));
    }
    if fen.is_empty() {
        p.report_at(Code::MissingValue, keyword);
    }
    Text::from_bytes(fen)
}

fn setpos<'a>(p: &mut Parser<'a, '_>, setpos: Token<'a>) -> SetPos<'a> {
    let Some(token) = p.cursor.next() else {
        p.report_at(Code::MissingValue, setpos);
        return SetPos::Missing;
    };
    if p.cursor.key(token) != key::DATA {
        let name = Text::from_bytes(token.bytes);
        if !["start", "bench", "test", "draw"]
            .iter()
            .any(|known| name == *known)
        {
            p.report_at(Code::UnknownPosition, token);
        }
        p.rest_is_extra();
        return SetPos::Named(name);
    }
    let board = p
        .cursor
        .trimmed_rest()
        .map_or(Text::EMPTY, |t| Text::from_bytes(t.bytes));
    if board.is_empty() {
        p.report_at(Code::MissingValue, token);
    }
    SetPos::Data(board)
}
