//! One conversation, from the first word to `quit`.

use std::io::Write;
use std::path::Path;

use quadrille_games::{Line, Position};
use quadrille_protocol::{
    Code, Command, Diagnostic, Dialect, Go, Id, IdKey, Parsed, PositionBase, Register, Report,
    SetOption, SetPos, SetPosition, Severity, Status, Text,
};
use quadrille_search::{KnownValues, Searcher};

use crate::book::{self, Book};
use crate::choice::seeded;
use crate::inbox::Inbox;
use crate::limits::{self, limits};
use crate::options::{Effect, Options};
use crate::output::Output;
use crate::speech::{Blame, Spoken};
use crate::strength;
use crate::thinking::{Job, Thinking};

/// The searcher, at home or away.
enum Mind<P: Spoken> {
    Idle(Box<Searcher<P>>),
    Busy(Thinking<P>),
}

/// What the searcher must be told before it is used again. Kept apart from the
/// options because it may be away when they change.
#[derive(Default)]
struct Chores {
    forget: bool,
    values: bool,
    tables: bool,
}

pub(crate) struct Session<P: Spoken> {
    pub(crate) inbox: Inbox,
    pub(crate) out: Output,
    pub(crate) options: Options,
    pub(crate) rules: P::Rules,
    pub(crate) line: Line<P>,
    /// Why the position on the board is not the one the host asked for.
    doubt: Option<String>,
    mind: Option<Mind<P>>,
    chores: Chores,
    /// The table size and threads that the searcher has now.
    size: Option<(usize, usize)>,
    book: Option<Book>,
    pub(crate) values: KnownValues,
    debug: bool,
    pub(crate) over: bool,
}

impl<P: Spoken> Session<P> {
    /// Allocates nothing large: the host may only want to know who we are.
    pub(crate) fn new(rules: P::Rules, inbox: Inbox, writer: Box<dyn Write + Send>) -> Self {
        Self {
            inbox,
            out: Output::new(P::DIALECT, writer),
            options: Options::new(P::OFFERS),
            line: Line::new(P::start(&rules)),
            rules,
            doubt: None,
            mind: None,
            chores: Chores::default(),
            size: None,
            book: P::own_book(),
            values: KnownValues::default(),
            debug: false,
            over: false,
        }
    }

    /// Answers until `quit` or the end of input.
    pub(crate) fn run(mut self) {
        while !self.over && !self.out.is_broken() {
            match self.inbox.next() {
                Some(line) => self.obey(&line),
                None => self.quit(),
            }
        }
        self.stop();
        self.settle();
    }

    fn obey(&mut self, line: &[u8]) {
        let parsed = Command::parse(line, P::DIALECT);
        self.tell_findings(&parsed, line);
        match parsed.message {
            Command::Uci | Command::Ugi => self.introduce(&parsed.message),
            Command::Debug(on) => self.debug = on.unwrap_or(self.debug),
            Command::IsReady => self.be_ready(),
            Command::SetOption(set) => self.set_option(set, line),
            Command::Register(register) => self.register(register),
            Command::UciNewGame => self.chores.forget = true,
            Command::Position(position) => self.set_position(position),
            Command::SetPos(setpos) => self.set_board(setpos),
            Command::Move(m) => self.play(m),
            Command::Go(ref go) => match go.get_perft() {
                Some(depth) => self.perft(Some(depth)),
                None => self.go(go),
            },
            Command::Stop => self.stop(),
            Command::PonderHit => {
                if let Some(Mind::Busy(thinking)) = &self.mind {
                    thinking.control.ponder_hit();
                }
            }
            Command::Quit => self.quit(),
            Command::Eval(m) => self.eval(m),
            Command::Bench(depth) => self.bench(depth),
            Command::Perft(depth) => self.perft(depth),
            Command::Display | Command::ShowPos => self.display(),
            Command::Generate => self.generate(),
            Command::Help => self.help(),
            // Clocks of others and messages of the server concern nobody here;
            // unknown commands are ignored, as every dialect wants it.
            _ => {}
        }
    }

    /// What was wrong with a line. A value that cannot be read is told always,
    /// the rest (skipped words, words of other dialects, commands at the wrong
    /// moment) only in debug mode: the texts want it ignored.
    fn tell_findings(&mut self, parsed: &Parsed<'_, Command<'_>>, line: &[u8]) {
        let perft = matches!(&parsed.message, Command::Go(go) if go.get_perft().is_some());
        let out_of_place = if perft {
            quadrille_protocol::Findings::new()
        } else {
            self.out.hear(&parsed.message)
        };
        if self.debug {
            self.out.say_all(|lines| {
                lines.note(&format!("received: {}", Text::from_bytes(line)));
                for finding in parsed.diagnostics() {
                    lines.note(&finding.explain(line).to_string());
                }
                for code in out_of_place.iter() {
                    lines.note(&format!("{}[{code}]: {}", code.severity(), code.sentence()));
                }
            });
            return;
        }
        let told = |finding: &&Diagnostic| {
            finding.severity() > Severity::Note && is_about_a_value(finding.code)
        };
        for finding in parsed.diagnostics().iter().filter(told) {
            self.complain(Blame::Host, &finding.explain(line).to_string());
        }
    }

    pub(crate) fn complain(&self, blame: Blame, text: &str) {
        self.out.say_all(|lines| P::complain(lines, blame, text));
    }

    fn introduce(&mut self, hello: &Command<'_>) {
        let ugi = matches!(hello, Command::Ugi);
        if ugi != (P::DIALECT == Dialect::Ugi) {
            let word = P::DIALECT.hello();
            self.complain(Blame::Host, &format!("this engine answers to {word}"));
            return;
        }
        let name = format!("{} {}", P::TITLE, env!("CARGO_PKG_VERSION"));
        self.out.say_all(|lines| {
            P::introduce(lines);
            lines.add(&Report::Id(Id::new(IdKey::Name, name.as_str())));
            lines.add(&Report::Id(Id::new(IdKey::Author, "the Quadrille authors")));
            for offer in P::OFFERS {
                lines.add(&Report::Option(offer.line()));
            }
            lines.add(if ugi { &Report::UgiOk } else { &Report::UciOk });
        });
    }

    /// `isready` is also the time to get ready: tables are allocated now.
    fn be_ready(&mut self) {
        if !self.out.owes_move() {
            self.settle();
            let searcher = self.prepare(self.threads());
            self.mind = Some(Mind::Idle(searcher));
        }
        self.out.say(&Report::ReadyOk);
    }

    /// "After every attempt to register" there is an answer; putting it off is
    /// no attempt.
    fn register(&mut self, register: Register<'_>) {
        if P::DIALECT == Dialect::Uci && (register.name.is_some() || register.code.is_some()) {
            self.out.say_all(|lines| {
                lines.add(&Report::Registration(Status::Checking));
                lines.add(&Report::Registration(Status::Ok));
            });
        }
    }

    fn set_option(&mut self, set: SetOption<'_>, line: &[u8]) {
        let known = |set: &SetOption<'_>| P::OFFERS.iter().find(|o| o.answers_to(set.name));
        let found = set.readings(line).find_map(|set| Some((known(&set)?, set)));
        let Some((offer, set)) = found else {
            if !set.name.is_empty() {
                self.complain(Blame::Host, &format!("there is no option '{}'", set.name));
            }
            return;
        };
        let value = set.value.map(|value| value.to_string());
        match self.options.set(offer, value.as_deref()) {
            Ok((effect, note)) => {
                if let Some(note) = note {
                    self.complain(Blame::Host, &note);
                }
                self.carry_out(effect);
            }
            Err(why) => self.complain(Blame::Host, &why),
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            // Done before the next search, or by `isready`.
            Effect::Nothing | Effect::Resize => {}
            Effect::Forget => self.chores.forget = true,
            Effect::Tables => self.chores.tables = true,
            Effect::Book(path) => self.open_book(&path),
            Effect::Rules(words) => match P::rules_from_text(&words) {
                Ok(rules) => self.change_rules(rules),
                Err(error) => self.complain(Blame::Host, &error.to_string()),
            },
            Effect::Value(text) => {
                match crate::values::change::<P>(&mut self.values, &text, &self.rules) {
                    Ok(()) => self.chores.values = true,
                    Err(why) => self.complain(Blame::Host, &why),
                }
            }
        }
    }

    /// Without a path it is our own again. A host that names a book which is no
    /// good gets none: its choice is not replaced by ours.
    fn open_book(&mut self, path: &str) {
        self.book = None;
        if path.is_empty() {
            self.book = P::own_book();
            return;
        }
        match book::open(Path::new(path)) {
            Ok(book) => self.book = Some(book),
            Err(error) => self.complain(Blame::Engine, &format!("book {path}: {error}")),
        }
    }

    /// A game that has begun is read again under the new rules; at the start
    /// position the new rules bring their own.
    fn change_rules(&mut self, rules: P::Rules) {
        if rules == self.rules {
            return;
        }
        let at_start = self.line.moves().is_empty() && *self.line.start() == P::start(&self.rules);
        let start = (!at_start)
            .then(|| P::from_text(&self.line.start().text(), &rules).ok())
            .flatten();
        let mut line = Line::new(start.unwrap_or_else(|| P::start(&rules)));
        for &m in self.line.moves() {
            if !line.position().is_legal(m) {
                break;
            }
            line.push(m);
        }
        self.line = line;
        self.rules = rules;
    }

    fn set_position(&mut self, position: SetPosition<'_>) {
        let start = match position.base {
            PositionBase::Startpos | PositionBase::Omitted => Ok(P::start(&self.rules)),
            PositionBase::Fen(text) | PositionBase::Named(text) => read::<P>(text, &self.rules),
        };
        let moves = position.moves.unwrap_or_default();
        match start {
            Ok(start) => self.set_line(start, moves.iter()),
            Err(why) => self.refuse_position(&why),
        }
    }

    fn set_board(&mut self, setpos: SetPos<'_>) {
        let board = match setpos {
            SetPos::Named(text) | SetPos::Data(text) if P::DIALECT == Dialect::Ugi => {
                // A side behind the board is no part of the protocol: the
                // bottom row is always the mover's.
                let mut words = text.as_bytes().split(u8::is_ascii_whitespace);
                read::<P>(
                    Text::from_bytes(words.next().unwrap_or_default()),
                    &self.rules,
                )
            }
            SetPos::Missing => Err("setpos needs a board".into()),
            _ => Err("setpos is a command of UGI".into()),
        };
        match board {
            Ok(start) => self.set_line(start, std::iter::empty()),
            Err(why) => self.refuse_position(&why),
        }
    }

    fn refuse_position(&mut self, why: &str) {
        self.complain(Blame::Host, &format!("{why}; the position before it stays"));
        let text = self.line.position().text();
        self.doubt = Some(format!("the last position was refused; searching {text}"));
    }

    /// Plays the moves as far as they are legal.
    fn set_line<'a>(&mut self, start: P, moves: impl Iterator<Item = Text<'a>> + Clone) {
        self.doubt = None;
        self.line = Line::new(start);
        for (index, word) in moves.enumerate() {
            self.play_on_if_drawn();
            match limits::parse(self.line.position(), word) {
                Ok(m) => self.line.push(m),
                Err(why) => {
                    let number = index + 1;
                    let why = format!("illegal {why} (number {number}); the moves before it stand");
                    self.complain(Blame::Host, &why);
                    let text = self.line.position().text();
                    self.doubt = Some(format!("after the illegal move, searching {text}"));
                    return;
                }
            }
        }
    }

    /// A host that goes on with a game our rules call drawn plays by others.
    fn play_on_if_drawn(&mut self) {
        let drawn = |line: &Line<P>| {
            let outcome = line.position().outcome();
            outcome.is_some_and(|o| o.winner.is_none()) && line.position().count_moves() == 0
        };
        let mut rules = self.line.position().rules();
        while drawn(&self.line) {
            let Some(relaxed) = P::relaxed(&rules) else {
                return;
            };
            let Ok(start) = P::from_text(&self.line.start().text(), &relaxed) else {
                return;
            };
            let mut line = Line::new(start);
            for &m in self.line.moves() {
                line.push(m);
            }
            self.line = line;
            rules = relaxed;
        }
    }

    /// `move`: plays one move on the board.
    fn play(&mut self, word: Option<Text<'_>>) {
        let Some(word) = word else { return };
        self.play_on_if_drawn();
        match limits::parse(self.line.position(), word) {
            Ok(m) => {
                self.line.push(m);
                self.display();
            }
            Err(why) => self.complain(Blame::Host, &format!("illegal {why}")),
        }
    }

    fn go(&mut self, go: &Go<'_>) {
        self.stop();
        self.settle();
        self.play_on_if_drawn();
        let (mut limits, complaints) = limits(go, self.line.position(), &self.options);
        for text in self.doubt.iter().chain(&complaints) {
            self.complain(Blame::Host, text);
        }
        // A host that names no limit at all will say `stop`; UGI hosts name
        // them elsewhere.
        limits.infinite |= P::DIALECT != Dialect::Ugi && limits::is_endless(&limits);
        let random = seeded(self.options.seed, self.line.position().hash());
        let mut job = Job {
            line: self.line.clone(),
            threads: self.threads(),
            options: self.options.clone(),
            book: None,
            noise: None,
            limits,
            random,
        };
        job.book = self.book_move(&mut job);
        self.weaken(&mut job);
        let searcher = self.prepare(job.threads);
        self.mind = Thinking::start(searcher, job, &self.out).map(Mind::Busy);
        if self.mind.is_none() {
            self.size = None;
        }
    }

    fn threads(&self) -> usize {
        if self.is_weakened() {
            1
        } else {
            self.options.threads
        }
    }

    fn is_weakened(&self) -> bool {
        self.options.limit_strength && !self.options.analyse
    }

    /// A host that analyses or restricts the moves wants to hear the search.
    fn book_move(&mut self, job: &mut Job<P>) -> Option<P::Move> {
        let playing = self.options.own_book && !self.options.analyse && !job.limits.infinite;
        let book = self.book.as_mut().filter(|_| playing)?;
        if !job.limits.only.is_empty() {
            return None;
        }
        let m = self.line.position().book_move(book, &mut job.random)?;
        self.line.position().is_legal(m).then_some(m)
    }

    fn weaken(&self, job: &mut Job<P>) {
        if !self.is_weakened() || job.limits.infinite {
            return;
        }
        if let Some(rung) = strength::rung(P::LADDER, self.options.elo) {
            let lines = job.limits.lines.max(strength::LINES);
            // Enough to have looked at every move once for each line, and at what
            // it takes: a search that ends before has one line only, and so
            // nothing to choose from.
            let glance = job.line.position().count_moves() * lines as u64 * 4;
            let nodes = job.limits.nodes.unwrap_or(u64::MAX);
            job.limits.nodes = Some(nodes.min(rung.nodes.max(glance)));
            job.limits.lines = lines;
            job.noise = Some(rung.noise);
        }
    }

    /// Ends a running search; its answer comes from its own thread.
    pub(crate) fn stop(&mut self) {
        if let Some(Mind::Busy(thinking)) = &self.mind {
            thinking.control.stop();
        }
    }

    /// Waits for a search that is at its end and takes the searcher back.
    fn settle(&mut self) {
        if matches!(self.mind, Some(Mind::Busy(_))) {
            let Some(Mind::Busy(thinking)) = self.mind.take() else {
                return;
            };
            self.mind = thinking.join().map(Mind::Idle);
            if self.mind.is_none() {
                self.size = None;
            }
        }
    }

    /// Takes out the searcher, with everything done that was put off.
    fn prepare(&mut self, threads: usize) -> Box<Searcher<P>> {
        let mut searcher = match self.mind.take() {
            Some(Mind::Idle(searcher)) => searcher,
            _ => {
                self.chores = Chores {
                    values: !self.values.is_empty(),
                    tables: !self.options.syzygy_path.is_empty(),
                    forget: false,
                };
                Box::new(Searcher::new())
            }
        };
        let size = (self.options.hash, threads);
        if self.size != Some(size) {
            searcher.set_hash(size.0);
            searcher.set_threads(size.1);
            self.size = Some(size);
        }
        if std::mem::take(&mut self.chores.values) {
            searcher.set_known_values(self.values.clone());
            // What was learnt before rests on the old values.
            self.chores.forget = true;
        }
        if std::mem::take(&mut self.chores.tables) {
            self.change_tables(&mut searcher);
        }
        if std::mem::take(&mut self.chores.forget) {
            searcher.clear();
        }
        searcher
    }

    /// The old tables are closed before new ones are opened: only one set can
    /// be open at a time.
    fn change_tables(&mut self, searcher: &mut Searcher<P>) {
        searcher.set_endgame_tables(None);
        match P::open_tables(&self.options) {
            Ok(Some((tables, note))) => {
                searcher.set_endgame_tables(Some(tables));
                self.out.note(&note);
            }
            Ok(None) => {}
            Err(why) => self.complain(Blame::Engine, &why),
        }
    }

    /// Nothing more is read; a search that runs will still answer.
    pub(crate) fn quit(&mut self) {
        self.over = true;
        self.out.hear(&Command::Quit);
        self.inbox.close();
    }
}

/// Findings that mean the host wanted something it did not get.
fn is_about_a_value(code: Code) -> bool {
    matches!(
        code,
        Code::MissingValue
            | Code::NotANumber
            | Code::NumberTooLarge
            | Code::NegativeNumber
            | Code::FractionalNumber
            | Code::MissingMove
            | Code::OptionWithoutName
    )
}

fn read<P: Position>(text: Text<'_>, rules: &P::Rules) -> Result<P, String> {
    match text.to_str() {
        Some(text) => P::from_text(text, rules).map_err(|error| error.to_string()),
        None => Err("the position is not readable text".into()),
    }
}
