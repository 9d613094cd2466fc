//! The engine itself: reads lines, keeps its state, obeys.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::time::Duration;

use quadrille_driver::dialect_of;
use quadrille_games::{AnyLine, Game};
use quadrille_protocol::{Command, Dialect, SetOption};

use super::arguments::Arguments;

/// What a mutant with a buffer of fixed size reads of a line.
const SHORT_LINE: usize = 16 << 10;

/// What an engine lives in: a process of its own, or a thread of another program
/// that must outlive it.
pub(crate) struct Home {
    pub(crate) out: Box<dyn Write>,
    pub(crate) stderr: Box<dyn Write>,
    pub(crate) exit: fn(i32) -> !,
}

/// What can be set.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Options {
    pub(crate) lines: usize,
    pub(crate) chess960: bool,
    /// It was on before.
    pub(crate) was_chess960: bool,
    pub(crate) chances: bool,
    pub(crate) ponder: bool,
    pub(crate) weak: bool,
    pub(crate) max_ply: Option<u32>,
    pub(crate) max_time: Option<Duration>,
}

#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Engine {
    pub(crate) arguments: Arguments,
    pub(crate) home: Home,
    input: Option<Receiver<Vec<u8>>>,
    /// Lines that wait to be read, and the piece of one.
    pub(crate) waiting: VecDeque<Vec<u8>>,
    piece: Vec<u8>,
    pub(crate) at_end: bool,
    pub(crate) line: AnyLine,
    pub(crate) has_position: bool,
    pub(crate) options: Options,
    pub(crate) readies: u32,
    pub(crate) greetings: u32,
    pub(crate) games: u32,
    pub(crate) searches: u32,
    /// Since the last `ucinewgame`.
    pub(crate) searched: bool,
    /// A position came, and no `go` since.
    pub(crate) fresh_position: bool,
    pub(crate) deaf_once: bool,
    /// Nothing is answered any more.
    pub(crate) deaf: bool,
    /// The last search was stopped, or in a finished game.
    pub(crate) was_stopped: bool,
    pub(crate) was_over: bool,
    /// Nothing else was said since.
    pub(crate) just_stopped: bool,
    pub(crate) quits: bool,
    /// Lines that wait for bestmove.
    held_back: Vec<u8>,
    /// Memory that is never given back.
    pub(crate) hoard: Vec<Vec<u8>>,
    /// Moves of the last position, and limits of the last search.
    pub(crate) told_moves: Vec<String>,
    pub(crate) limits: Limits,
}

/// What a search was limited by, for mutants that keep it.
#[derive(Default)]
pub(crate) struct Limits {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) movetime: Option<Duration>,
    pub(crate) only: Vec<String>,
}

impl Engine {
    pub(crate) fn new(arguments: Arguments, home: Home) -> Self {
        Self {
            line: AnyLine::start(arguments.game),
            arguments,
            home,
            input: None,
            waiting: VecDeque::new(),
            piece: Vec::new(),
            at_end: false,
            has_position: false,
            options: Options {
                lines: 1,
                ..Options::default()
            },
            readies: 0,
            greetings: 0,
            games: 0,
            searches: 0,
            searched: false,
            fresh_position: false,
            deaf_once: false,
            deaf: false,
            was_stopped: false,
            was_over: false,
            just_stopped: false,
            quits: false,
            held_back: Vec::new(),
            hoard: Vec::new(),
            told_moves: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Whether this is the rule that is broken.
    pub(crate) fn breaks(&self, id: &str) -> bool {
        self.arguments.mutant == id
    }

    pub(crate) fn game(&self) -> Game {
        self.arguments.game
    }

    pub(crate) fn dialect(&self) -> Dialect {
        dialect_of(self.game())
    }

    pub(crate) fn say(&mut self, line: &str) {
        let mut bytes = line.as_bytes().to_vec();
        bytes.push(b'\n');
        if self.breaks("info.held-back") && line.starts_with("info ") {
            self.held_back.extend_from_slice(&bytes);
            return;
        }
        if line.starts_with("bestmove") {
            bytes.splice(..0, self.held_back.drain(..));
        }
        self.say_bytes(&bytes);
    }

    pub(crate) fn say_bytes(&mut self, bytes: &[u8]) {
        let out = &mut self.home.out;
        if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
            self.exit(0);
        }
    }

    pub(crate) fn exit(&self, code: i32) -> ! {
        (self.home.exit)(code)
    }

    /// Breaks a rule by ending.
    pub(crate) fn die_if(&self, id: &str, condition: bool) {
        if condition && self.breaks(id) {
            self.exit(3);
        }
    }

    pub(crate) fn live(mut self, input: impl Read + Send + 'static) -> ExitCode {
        self.die_if("handshake.starts", true);
        if self.breaks("handshake.banner") {
            self.say("Model 1.0, a tiny engine");
        }
        if self.breaks("handshake.unasked") {
            self.say("id version 1");
        }
        if self.breaks("life.orphans") {
            leave_child(false);
        }
        if self.breaks("life.orphans/pipe") {
            leave_child(true);
        }
        if self.breaks("output.stderr") {
            let _ = self.home.stderr.write_all(b"warming up\n");
        }
        self.input = Some(listen(input));
        while !self.quits {
            let Some(line) = self.next() else {
                break;
            };
            self.obey(&line);
        }
        if self.at_end && !self.quits && self.breaks("life.end-of-input") {
            self.linger();
        }
        if self.breaks("life.orphans/quit") && self.quits {
            leave_child(false);
        }
        if self.breaks("life.exit-code") && self.quits {
            self.exit(9);
        }
        ExitCode::SUCCESS
    }

    /// Lives on until the host is really gone.
    pub(crate) fn linger(&mut self) {
        // A minute is for ever.
        for _ in 0..6000 {
            if self.home.out.write(b"").is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The next line; waits for it.
    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                return Some(line);
            }
            let timeout = if self.breaks("timing.idle") {
                Duration::ZERO
            } else {
                Duration::from_mins(1)
            };
            match self.input.as_ref()?.recv_timeout(timeout) {
                Ok(bytes) => self.feed(&bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.at_end = true;
                    return None;
                }
            }
        }
    }

    /// Takes what has come, without waiting.
    pub(crate) fn look(&mut self) {
        loop {
            match self.input.as_ref().map(Receiver::try_recv) {
                Some(Ok(bytes)) => self.feed(&bytes),
                Some(Err(TryRecvError::Disconnected)) => {
                    self.at_end = true;
                    return;
                }
                Some(Err(TryRecvError::Empty)) | None => return,
            }
        }
    }

    /// Cuts bytes into lines.
    fn feed(&mut self, bytes: &[u8]) {
        let before = self.waiting.len();
        self.piece.extend_from_slice(bytes);
        while let Some(end) = self.piece.iter().position(|&b| b == b'\n') {
            let mut line: Vec<u8> = self.piece.drain(..=end).collect();
            line.pop();
            if line.last() == Some(&b'\r') && !self.breaks("input.crlf") {
                line.pop();
            }
            if self.breaks("position.longest") {
                line.truncate(SHORT_LINE);
            }
            self.waiting.push_back(line);
        }
        if self.breaks("input.split") && !self.piece.is_empty() {
            let piece = std::mem::take(&mut self.piece);
            self.waiting.push_back(piece);
        }
        if self.breaks("input.burst") && self.waiting.len() > before + 1 {
            let ready = self.waiting.iter().any(|line| line == b"isready");
            self.waiting
                .retain(|line| !(ready && line.starts_with(b"go")));
        }
    }

    /// Whether a line like this waits already.
    pub(crate) fn is_waiting(&self, start: &str) -> bool {
        let start = start.as_bytes();
        self.waiting.iter().any(|line| line.starts_with(start))
    }

    /// Does what a line says while no search runs.
    fn obey(&mut self, line: &[u8]) {
        if self.is_refused(line) {
            return;
        }
        let text = String::from_utf8_lossy(line).into_owned();
        match Command::parse(line, self.dialect()).message {
            Command::Uci | Command::Ugi => self.introduce(),
            Command::IsReady => self.ready(),
            Command::SetOption(set) => self.set_option(&set, &text),
            Command::UciNewGame => self.new_game(),
            Command::Position(position) => self.position(&position, &text),
            Command::SetPos(position) => self.setpos(&position, &text),
            Command::Move(Some(text)) if self.game() == Game::Leiser => {
                if !self.breaks("leiser.move") {
                    let _ = self.line.play(&text.to_string());
                }
            }
            Command::Go(go) => {
                let strange = text.starts_with("go joho");
                self.die_if("input.bad-number", text.contains("depth joho"));
                self.die_if("input.huge-number", text.contains("99999999999999999999"));
                if !(self.breaks("input.unknown-in-go") && strange) {
                    self.go(&go, &text);
                }
            }
            Command::Stop => {
                if self.breaks("stop.idle") && !self.just_stopped {
                    self.say("bestmove a2a3");
                }
            }
            Command::PonderHit => {
                if self.breaks("ponder.hit-idle") {
                    self.say("bestmove a2a3");
                }
            }
            Command::Quit => {
                let early = self.readies == 0;
                let hangs = self.breaks("life.quit") && !early
                    || self.breaks("life.quit-after-hello") && early;
                if hangs {
                    self.linger();
                }
                self.quits = true;
            }
            Command::Perft(_) => {
                if !self.breaks("leiser.perft") {
                    self.say(&format!("perft 1 {}", self.line.legal_move_count()));
                }
            }
            Command::Display => {
                if !self.breaks("leiser.display") {
                    let board = self.line.draw();
                    self.say(&board);
                }
            }
            Command::Eval(_) => {
                self.die_if("ulci.eval", true);
                if !self.breaks("leiser.eval") {
                    self.say("info string evaluation 0");
                }
            }
            Command::Info(_) => self.die_if("ulci.server-info", true),
            Command::Debug(_) => self.die_if("input.debug", text.starts_with("debug")),
            Command::Register(_) => {
                self.die_if("input.register", text.contains("later"));
                self.die_if("input.register-name", text.contains("code"));
            }
            Command::Empty => self.die_if("input.empty-lines", true),
            _ => self.die_if("input.unknown", text.starts_with("joho of")),
        }
    }

    /// Lines that a mutant does not understand or does not survive.
    pub(crate) fn is_refused(&self, line: &[u8]) -> bool {
        self.die_if("input.long-line", line.len() > 30_000);
        let is_later = self.readies > 3;
        self.die_if("games.survive/long", line.len() > 30_000 && is_later);
        self.die_if("input.bytes", std::str::from_utf8(line).is_err());
        let text = String::from_utf8_lossy(line);
        let garbage = text.starts_with("joho") && text.contains("infinitum");
        self.die_if("input.garbage", garbage);
        self.die_if("input.unknown-position", text.ends_with("position joho"));
        self.die_if("input.unknown-position", text.ends_with("setpos joho"));
        self.breaks("input.unknown-before") && text.starts_with("joho isready")
            || self.breaks("input.leading-blanks") && text.starts_with(' ')
            || self.breaks("input.tabs") && text.starts_with('\t')
            || self.breaks("input.trailing-blanks") && text.ends_with(' ')
            || self.breaks("input.crlf") && text.ends_with('\r')
    }

    fn ready(&mut self) {
        self.readies += 1;
        self.just_stopped = false;
        let deaf = self.deaf || std::mem::take(&mut self.deaf_once);
        if self.breaks("ready.answers") || deaf {
            return;
        }
        if self.breaks("ready.position") && self.fresh_position && self.line.plies() == 0 {
            return;
        }
        if self.breaks("ready.quick") && self.readies == 2 {
            std::thread::sleep(Duration::from_millis(1300));
        }
        if self.breaks("ready.each") && self.is_waiting("isready") {
            return;
        }
        if self.breaks("output.plain-text") {
            self.say("at your service");
        }
        if self.breaks("ready.unasked") {
            self.say("readyok");
        }
        self.say("readyok");
    }

    fn new_game(&mut self) {
        self.games += 1;
        self.searched = false;
        self.die_if("games.survive", self.games == 3);
        self.deaf_once =
            self.breaks("ready.new-game") || self.breaks("games.new-game") && self.games == 5;
        if self.breaks("games.memory") {
            self.hoard.push(vec![1; 4 << 20]);
        }
    }

    fn set_option(&mut self, set: &SetOption<'_>, text: &str) {
        let name = set.name.to_string();
        let lower = name.to_ascii_lowercase();
        let value = set.value.map(|value| value.to_string());
        let word = value.as_deref().unwrap_or_default();
        let lower_word = word.to_ascii_lowercase();
        let number: Option<i64> = word.parse().ok();
        let spin = matches!(lower.as_str(), "hash" | "multipv" | "skill");
        self.die_if("options.unknown", lower.contains("joho"));
        self.die_if("options.set-default", lower == "hash" && word == "16");
        let shown = lower == "uci_showcurrline";
        self.die_if("options.set-check", shown && word == "true");
        self.die_if("options.set-spin", lower == "hash" && word == "1");
        self.die_if("options.set-combo", word == "Risky");
        self.die_if("options.set-string", word == "<empty>");
        self.die_if("options.press-button", lower == "clear hash");
        self.die_if("options.set-nothing", spin && value.is_none());
        self.die_if("options.set-words", spin && word == "joho");
        self.die_if(
            "options.set-beyond",
            number.is_some_and(|n| n == 101 || n == 21),
        );
        if self.breaks("options.case") && !text.contains("MultiPV")
            || self.breaks("options.blanks") && text.contains("  ")
        {
            return;
        }
        match lower.as_str() {
            "hash" if self.breaks("options.keeps-position") => {
                self.line = AnyLine::start(self.game());
            }
            "multipv" => {
                let fewer = |n: i64| (n as usize) < self.options.lines;
                let ignored = |n: i64| self.breaks("multipv.back") && fewer(n);
                let lines = number.filter(|n| (1..=100).contains(n));
                if let Some(lines) = lines.filter(|n| !ignored(*n)) {
                    self.options.lines = lines as usize;
                }
            }
            "uci_limitstrength" => self.options.weak = word == "true",
            "uci_chess960" if self.breaks("options.value-case") && word != lower_word => {}
            "uci_chess960" => {
                self.options.chess960 = lower_word == "true";
                self.options.was_chess960 |= self.options.chess960;
            }
            "uci_showwdl" => self.options.chances = word == "true",
            "ponder" => self.options.ponder = word == "true",
            "maxply" => self.options.max_ply = word.parse().ok(),
            "maxtime" => {
                let seconds: Option<f64> = word.parse().ok();
                self.options.max_time = seconds
                    .filter(|seconds| (0.0..1e6).contains(seconds))
                    .map(Duration::from_secs_f64);
            }
            _ => {}
        }
    }
}

/// A process that lives on when we are gone, and may hold our output open.
fn leave_child(holds_output: bool) {
    use std::process::{Command as Program, Stdio};
    let mut child = Program::new("sleep");
    let output = if holds_output {
        Stdio::inherit()
    } else {
        Stdio::null()
    };
    child
        .arg("60")
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::null());
    // Where there is no such program, nothing is left behind, and the test says so.
    drop(child.spawn());
}

/// Bytes as they come in.
fn listen(mut input: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut room = vec![0; 1 << 16];
        while let Ok(count @ 1..) = input.read(&mut room) {
            if sender.send(room[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}
