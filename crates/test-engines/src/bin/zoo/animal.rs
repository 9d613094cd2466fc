//! The animal itself: reads commands, plays random moves, misbehaves.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command as Program, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;

use quadrille_driver::dialect_of;
use quadrille_games::any_line::MoveView;
use quadrille_games::gyges::MoveStyle;
use quadrille_games::{AnyLine, Game, Position, Side};
use quadrille_protocol::{Command, Dialect, Go, PositionBase, SetOption, SetPos};

use super::arguments::Arguments;
use super::late::be_late;
use super::quirk::Quirk;

/// So many lines are a flood.
const FLOOD: usize = 50_000;

/// A search that waits for `stop` or `ponderhit`, if there is one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Searching,
    Pondering,
}

/// What an animal lives in: a process of its own, or a thread of another
/// program that must outlive it.
pub(crate) struct Home {
    pub(crate) out: Box<dyn Write>,
    pub(crate) stderr: Box<dyn Write>,
    pub(crate) exit: fn(i32) -> !,
}

pub(crate) struct Animal {
    arguments: Arguments,
    home: Home,
    line: AnyLine,
    chess960: bool,
    random: u64,
    state: State,
    only: Vec<String>,
    /// What was answered last.
    last: Option<String>,
    slow_go: bool,
    was_ready: bool,
    /// For an animal that never flushes.
    held_back: Vec<u8>,
}

impl Animal {
    pub(crate) fn new(arguments: Arguments, home: Home) -> Self {
        Self {
            home,
            line: AnyLine::start(arguments.game),
            chess960: false,
            random: arguments.seed,
            state: State::Idle,
            only: Vec::new(),
            last: None,
            slow_go: arguments.quirks.contains(&Quirk::SlowStart),
            was_ready: false,
            held_back: Vec::new(),
            arguments,
        }
    }

    pub(crate) fn has(&self, quirk: Quirk) -> bool {
        self.arguments.quirks.contains(&quirk)
    }

    pub(crate) fn game(&self) -> Game {
        self.arguments.game
    }

    fn dialect(&self) -> Dialect {
        dialect_of(self.game())
    }

    pub(crate) fn say(&mut self, line: &str) {
        self.say_bytes(line.as_bytes());
    }

    pub(crate) fn say_bytes(&mut self, line: &[u8]) {
        let mut bytes = line.to_vec();
        // The first line must show that lines end with LF.
        if self.has(Quirk::StrayReturn)
            && !line.starts_with(b"id name")
            && let Some(blank) = bytes.iter().position(|&b| b == b' ')
        {
            bytes.insert(blank, b'\r');
        }
        bytes.extend_from_slice(if self.has(Quirk::Crlf) {
            b"\r\n"
        } else {
            b"\n"
        });
        if self.has(Quirk::Buffered) {
            self.held_back.extend_from_slice(&bytes);
            return;
        }
        self.say_raw(&bytes);
    }

    pub(crate) fn say_raw(&mut self, bytes: &[u8]) {
        let out = &mut self.home.out;
        if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
            self.exit(0);
        }
    }

    fn exit(&self, code: i32) -> ! {
        (self.home.exit)(code)
    }

    fn say_aside(&mut self, text: &str) {
        let _ = self.home.stderr.write_all(text.as_bytes());
    }

    /// Whether the host is still there. In a process it need not be asked: with
    /// the host the process goes.
    fn is_heard(&mut self) -> bool {
        self.home.out.write(b"").is_ok()
    }

    /// A process of the animal's own; it tells its number.
    pub(crate) fn start_child(&mut self, program: &Path, arguments: &[&str]) {
        let mut command = Program::new(program);
        command.args(arguments);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if let Ok(child) = command.spawn() {
            self.say(&format!("info string child {}", child.id()));
        }
    }

    pub(crate) fn live(mut self, input: impl Read + Send + 'static) -> ExitCode {
        self.wake_up();
        let lines = listen(input);
        while let Ok(line) = lines.recv() {
            if !self.obey(&line) {
                break;
            }
        }
        while self.has(Quirk::HangsOnQuit) && self.is_heard() {
            sleep(self.arguments.lag);
        }
        ExitCode::SUCCESS
    }

    /// What is done before a word was said.
    fn wake_up(&mut self) {
        if self.has(Quirk::NotUci) {
            self.say_aside("fatal: no config file\n");
            self.exit(1);
        }
        if self.has(Quirk::Banner) {
            self.say("Zoo 1.0 by somebody, all rights reserved");
            self.say("");
        }
        if self.has(Quirk::Helios) {
            self.say("Gyges UGI Engine v2.0.0");
        }
        if self.has(Quirk::EarlyUciok) {
            self.introduce();
        }
        if self.has(Quirk::Deaf) {
            self.introduce();
            self.say("readyok");
            while self.is_heard() {
                sleep(self.arguments.lag);
            }
            self.exit(0);
        }
        if self.has(Quirk::StderrFlood) {
            let line = "debug: budget 12.5 ms\n".repeat(50);
            for _ in 0..2000 {
                self.say_aside(&line);
            }
        }
    }

    /// Does what a line says; `false` on `quit`.
    fn obey(&mut self, line: &[u8]) -> bool {
        if self.has(Quirk::Silent) {
            return true;
        }
        let dialect = self.dialect();
        let parsed = Command::parse(line, dialect);
        let tidy = parsed.skipped().is_empty()
            && line.first() != Some(&b' ')
            && line.first() != Some(&b'\t');
        if self.has(Quirk::StrictWords) && !tidy {
            return true;
        }
        match parsed.message {
            Command::Uci | Command::Ugi => self.hello(&parsed.message, line),
            Command::IsReady => self.ready(),
            Command::SetOption(set) => self.set_option(set),
            Command::Register(register) => {
                let known = register.code.is_some_and(|code| code == "4711");
                if known {
                    self.say("registration checking");
                    self.say("registration ok");
                } else if !register.later {
                    self.say("registration checking");
                    self.say("registration error");
                }
            }
            Command::UciNewGame | Command::Debug(_) | Command::PonderHit
                if self.has(Quirk::Staff) =>
            {
                self.complain(line);
            }
            Command::Position(_) | Command::SetPos(_) | Command::Go(_)
                if self.state != State::Idle && self.has(Quirk::DropsCommands) => {}
            Command::Position(position) => {
                let moves: Option<Vec<String>> = position
                    .moves
                    .map(|moves| moves.iter().map(|m| m.to_string()).collect());
                let text = position.base.text().to_string();
                let fen = matches!(position.base, PositionBase::Fen(_));
                self.set_position(&text, fen, moves);
            }
            Command::SetPos(position) => {
                let text = match position {
                    SetPos::Named(text) | SetPos::Data(text) => text.to_string(),
                    SetPos::Missing => "start".into(),
                };
                self.set_position(&text, true, None);
            }
            Command::Go(go) => self.go(&go),
            Command::Stop if self.has(Quirk::Staff) => self.complain(line),
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if self.state == State::Pondering {
                    self.answer();
                }
            }
            Command::Quit => return false,
            Command::UciNewGame => self.line = AnyLine::start(self.game()),
            Command::Debug(_) | Command::Empty => {}
            _ => self.complain(line),
        }
        true
    }

    fn complain(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line).into_owned();
        match self.game() {
            Game::Gyges => self.say(&format!("Unknown Command: '{line}'")),
            Game::Liberty => self.say(&format!("info error Unrecognised command {line}")),
            Game::Leiser => self.say("Illegal command.  Use 'help' to see possible options."),
            Game::Chess => self.say(&format!("Unknown command: {line}")),
        }
    }

    fn hello(&mut self, word: &Command<'_>, line: &[u8]) {
        let ugi = matches!(word, Command::Ugi);
        if ugi != (self.game() == Game::Gyges) {
            self.complain(line);
            return;
        }
        if self.has(Quirk::SlowStart) {
            sleep(self.arguments.lag);
        }
        if !self.has(Quirk::EarlyUciok) {
            self.introduce();
        }
    }

    fn ready(&mut self) {
        if self.has(Quirk::NeverReady) && self.was_ready
            || self.state != State::Idle && self.has(Quirk::DeafWhileSearching)
        {
            return;
        }
        let in_game = self.line.plies() > 0;
        if self.slow_go || self.has(Quirk::SlowReady) && in_game {
            sleep(self.arguments.lag);
        }
        self.was_ready = true;
        self.say("readyok");
    }

    fn set_option(&mut self, set: SetOption<'_>) {
        let value = set.value.map(|value| value.to_string());
        if set.name.eq_ignore_case("UCI_Chess960") {
            self.chess960 = value.as_deref() == Some("true");
        }
        if self.has(Quirk::DiesOnBareCombo) && set.name == "Style" && value.is_none() {
            self.exit(48);
        }
        if self.has(Quirk::ExactCase) && set.name.eq_ignore_case("hash") && set.name != "hAsH" {
            self.say("info string no such option");
        }
        if self.has(Quirk::Staff) {
            let text = value.unwrap_or_default();
            self.say(&format!("info setting {} to {text}", set.name));
        }
        if self.has(Quirk::Banner) {
            self.say("hash=16384MB");
        }
    }

    fn set_position(&mut self, text: &str, fen: bool, moves: Option<Vec<String>>) {
        if self.has(Quirk::DiesOnFen) && fen && self.game() != Game::Gyges {
            self.say_aside("assertion failed: position is legal\n");
            self.exit(134);
        }
        if self.has(Quirk::DiesOnEmptyMoves) && moves.as_ref().is_some_and(Vec::is_empty) {
            self.exit(47);
        }
        let rules = if self.chess960 { "chess960" } else { "" };
        match AnyLine::new(self.game(), rules, text) {
            Ok(line) => self.line = line,
            Err(error) if self.has(Quirk::Oxidation) => {
                self.say(&format!("info error {error}"));
                self.exit(0);
            }
            Err(error) => self.say(&format!("info string {error}")),
        }
        for text in moves.into_iter().flatten() {
            let odd = self.line.find(&text).is_ok_and(|found| found.text != text);
            if self.has(Quirk::StrictCastling) && odd {
                return;
            }
            if let Err(error) = self.line.play(&text) {
                self.say(&format!("info string {error}"));
                return;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.line.outcome().is_some() || self.line.legal_moves(1).is_empty()
    }

    fn go(&mut self, go: &Go<'_>) {
        self.before_search();
        self.only.clear();
        if let Some(moves) = go.get_searchmoves()
            && !self.has(Quirk::IgnoresLimits)
        {
            self.only.extend(moves.iter().map(|m| m.to_string()));
        }
        let clock = match self.line.side() {
            Side::White => go.get_wtime(),
            Side::Black => go.get_btime(),
        };
        let no_clock = self.has(Quirk::NegativeIsInfinite) && clock.is_some_and(|ms| ms <= 0);
        let fixed = go.get_movetime();
        if let Some(left) = clock.or(fixed).and_then(|ms| u64::try_from(ms).ok()) {
            let quirks = self.arguments.quirks.clone();
            let time = std::time::Duration::from_millis(left);
            quirks
                .iter()
                .any(|quirk| be_late(*quirk, time, self.arguments.lag));
        }
        let endless = go.is_infinite() && !self.has(Quirk::Staff);
        let waits = endless || go.is_ponder() || no_clock || self.has(Quirk::IgnoresLimits);
        if self.is_over() && self.has(Quirk::SilentWhenOver) {
            return;
        }
        self.state = if go.is_ponder() {
            State::Pondering
        } else {
            State::Searching
        };
        if self.has(Quirk::IgnoresNodes) && go.get_nodes().is_some() {
            for depth in 1..=9 {
                let nodes = 10_u64.pow(depth);
                self.say(&format!("info depth {depth} nodes {nodes} time {depth}"));
            }
        } else if !waits || self.has(Quirk::Premature) {
            self.answer();
        } else if !self.has(Quirk::NoInfo) {
            self.say("info depth 1 nodes 1 time 0");
        }
    }

    /// The ways not to come back from `go`.
    fn before_search(&mut self) {
        if self.slow_go {
            self.slow_go = false;
            sleep(self.arguments.lag);
        }
        if self.has(Quirk::DiesInSearch) {
            self.say_aside("thread 'main' panicked: out of memory\n");
            self.exit(3);
        }
        if self.has(Quirk::AbortsInSearch) {
            std::process::abort();
        }
        if self.has(Quirk::ClosesOutput) {
            become_mute();
        }
        if self.has(Quirk::LateStray)
            && let Some(last) = self.last.clone()
        {
            self.say(&format!("bestmove {last}"));
        }
        if self.has(Quirk::DiesInWord) {
            self.say_raw(b"bestmove a7");
            self.exit(3);
        }
        self.flood();
        while self.is_over() && self.has(Quirk::SpinsWhenOver) && self.is_heard() {
            std::hint::spin_loop();
        }
    }

    fn stop(&mut self) {
        if self.state == State::Idle || self.has(Quirk::IgnoresStop) {
            return;
        }
        if self.has(Quirk::LateStop) {
            sleep(self.arguments.lag);
        }
        self.answer();
    }

    fn answer(&mut self) {
        self.state = State::Idle;
        if self.has(Quirk::Banner) {
            self.say("thinking hard");
        }
        let chosen = self.choose();
        if !self.has(Quirk::NoInfo) && !self.has(Quirk::StaleAnswer) {
            self.say_info(chosen.as_ref());
        }
        let stale = self.last.clone().filter(|_| self.has(Quirk::StaleAnswer));
        let best = match &chosen {
            _ if stale.is_some() => stale.unwrap_or_default(),
            Some(chosen) => self.move_text(chosen),
            None => self.no_move().into(),
        };
        let line = self.bestmove_line(&best, chosen.is_some());
        self.say(&line);
        if self.has(Quirk::TwoBestmoves) {
            self.say(&line);
        }
        if self.has(Quirk::InfoAfterBestmove) {
            self.say("info depth 2 score cp 3 nodes 40");
        }
        if self.has(Quirk::DiesAfterAnswer) {
            self.exit(7);
        }
        self.last = Some(best);
    }

    fn bestmove_line(&self, best: &str, playing: bool) -> String {
        if self.has(Quirk::NoMoveWord) {
            return "bestmove".into();
        }
        let mut line = format!("bestmove {best}");
        if self.has(Quirk::TrailingJunk) {
            line.push_str(". ");
        }
        if self.has(Quirk::IllegalPonder) && playing {
            line.push_str(" ponder a1h8");
        }
        if self.has(Quirk::NullWord) {
            line.push_str(" ponder NULL");
        }
        if self.game() == Game::Gyges && !self.has(Quirk::PlainUgi) {
            line.push_str(" score 12.500 time 0.001");
        }
        line
    }

    fn no_move(&self) -> &'static str {
        match () {
            () if self.has(Quirk::NoneWord) => "(none)",
            () if self.has(Quirk::SquareA1) => "a1a1",
            () if self.has(Quirk::SquareA8) => "a8a8",
            () if self.has(Quirk::NullWord) => "NULL",
            () if self.game() == Game::Gyges => "null",
            () => "0000",
        }
    }

    /// A random legal move, among those allowed.
    fn choose(&mut self) -> Option<MoveView> {
        if self.is_over() {
            return None;
        }
        let mut moves = self.line.legal_moves(1000);
        if !self.only.is_empty() {
            moves.retain(|m| self.only.contains(&m.text));
        }
        // Knuth's generator; the high bits are the good ones.
        self.random = self
            .random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let index = (self.random >> 33) as usize % moves.len().max(1);
        moves.into_iter().nth(index)
    }

    fn move_text(&self, chosen: &MoveView) -> String {
        let text = chosen.text.clone();
        let castles = self.game() == Game::Chess && chosen.notation.starts_with("O-O");
        match &self.line {
            _ if self.has(Quirk::NullInPlay) => "a1a1".into(),
            _ if self.has(Quirk::Illegal) => "a1b7".into(),
            _ if self.has(Quirk::San) => chosen.notation.clone(),
            _ if self.has(Quirk::UpperCase) && chosen.suffix.is_some() => {
                let (squares, letter) = text.split_at(4);
                format!("{squares}{}", letter.to_ascii_uppercase())
            }
            _ if castles && self.has(Quirk::KingTakesRook) => {
                text.replace('g', "h").replace('c', "a")
            }
            _ if castles && self.has(Quirk::KingToSquare) => king_to_square(&text),
            AnyLine::Gyges(line) if self.has(Quirk::OldMoves) => {
                let position = line.position();
                match position.parse_move(&text) {
                    Ok(m) => position.move_text_in(m, MoveStyle::Pairs),
                    Err(_) => text,
                }
            }
            _ => text,
        }
    }

    fn say_info(&mut self, chosen: Option<&MoveView>) {
        let pv = chosen.map_or(String::new(), |m| format!(" pv {}", m.text));
        if self.has(Quirk::Flood) {
            for _ in 0..FLOOD {
                self.say("info depth 1 currmove a2a3 currmovenumber 1");
            }
        }
        if self.has(Quirk::LongLines) {
            let long = " a2a3".repeat(5000);
            self.say(&format!("info depth 9 score cp 5{pv}{long}"));
            self.say(&format!("info string {}", "x".repeat(2 << 20)));
        }
        let white = if self.line.side() == Side::White {
            50
        } else {
            -50
        };
        let line = match () {
            () if self.has(Quirk::OnlyBounds) => format!("info depth 1 score cp 7 upperbound{pv}"),
            () if self.has(Quirk::IllegalPv) => format!("info depth 3 score cp 7{pv} a1h8 h8a1"),
            () if self.has(Quirk::WhiteView) => format!("info depth 1 score cp {white}{pv}"),
            () if self.has(Quirk::MateZero) => format!("info depth 1 score mate 0{pv}"),
            () if self.has(Quirk::MissingKeyword) => {
                format!("info depth 9 nodes 1061 nps 2650589  cp -107{pv}")
            }
            () if self.has(Quirk::AnyOrder) => {
                format!("info{pv}   score   cp 31  nodes 99   depth  4")
            }
            () if self.has(Quirk::Staff) => {
                self.say("info depth 1 move_no 1 time (microsec) 36 nodes 20 nps 1000");
                format!("info score cp 31{pv}")
            }
            () if self.game() == Game::Gyges => {
                let best = chosen.map_or("null", |m| m.text.as_str()).to_owned();
                self.say("info string classical evaluation enabled");
                format!("info ply 1 bestmove {best} score 12.500 nodes 20 nps 1000 time 0.001{pv} ")
            }
            () => format!("info depth 1 seldepth 1 score cp 13 nodes 20 nps 2000 time 1{pv}"),
        };
        self.say(&line);
    }
}

/// `e1h1` to `e1g1`.
fn king_to_square(text: &str) -> String {
    let squares = text.as_bytes();
    match *squares {
        [king, rank, rook, _] => {
            let file = if rook > king { 'g' } else { 'c' };
            format!("{}{}{file}{}", king as char, rank as char, rank as char)
        }
        _ => text.into(),
    }
}

/// The lines that come in, until their end.
fn listen(input: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let mut line = Vec::new();
            match input.read_until(b'\n', &mut line) {
                Ok(1..) => {}
                _ => return,
            }
            while matches!(line.last(), Some(b'\n' | b'\r')) {
                line.pop();
            }
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Turns into a process that lives on without our output.
#[cfg(unix)]
fn become_mute() {
    use std::os::unix::process::CommandExt;
    let mut sleeper = Program::new("sleep");
    let error = sleeper.arg("3600").stdout(Stdio::null()).exec();
    let _ = writeln!(io::stderr(), "cannot become a sleeper: {error}");
}

#[cfg(not(unix))]
fn become_mute() {
    let _ = writeln!(io::stderr(), "a process cannot turn into another one here");
}
