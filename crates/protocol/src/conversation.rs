//! Who may say what, when, and what is owed: the conversation as a state
//! machine without any input or output of its own.
//!
//! Feed it every message in the order in which it crosses the pipe. It never
//! refuses one; it says what was out of place and keeps going, as both sides of
//! a real conversation must.

use alloc::vec::Vec;

use crate::command::Command;
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::go::Go;
use crate::info::Info;
use crate::items::Items;
use crate::report::{Id, IdKey, Report, Status};

/// What was out of place about one message; empty if nothing was.
pub type Findings = Items<Code, 4>;

/// Where a conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The host has not said hello.
    Silent,
    /// Hello was said, `uciok` (`ugiok`) has not come.
    Handshake,
    /// The engine waits.
    Idle,
    /// A search runs that ends by itself.
    Searching,
    /// A search runs that ends only on `stop` (`go infinite`).
    Infinite,
    /// A search runs that ends only on `stop` or goes on after `ponderhit`.
    Pondering,
    /// `stop` was said, `bestmove` has not come.
    Stopping,
    /// `quit` was said.
    Over,
}

/// What the engine or the host still has to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Owed {
    /// The engine owes `uciok` or `ugiok`.
    pub handshake: bool,
    /// So many `readyok`.
    pub readyok: u32,
    /// So many `bestmove`.
    pub bestmove: u32,
    /// The host owes `register`.
    pub register: bool,
}

impl Owed {
    /// Whether nothing is owed.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Timed,
    Infinite,
    Ponder,
}

#[derive(Debug, Clone, Copy)]
struct Search {
    kind: Kind,
    /// What a ponder search becomes on `ponderhit`.
    after_hit: Kind,
    stopped: bool,
    info_seen: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hello {
    NotYet,
    Waiting,
    Done,
}

/// The state both sides share. [`HostSide`] and [`EngineSide`] are the two ways
/// to look at it.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, not states of one machine"
)]
struct Conversation {
    dialect: Dialect,
    hello: Hello,
    named: bool,
    /// A person plays (ULCI `id username`): no final info is expected.
    human: bool,
    readyok: u32,
    ever_ready: bool,
    position: bool,
    newgame_unconfirmed: bool,
    /// `eval` or another debugging aid was asked for, and its answer may look
    /// like search information (`info score cp 12`).
    asked_aside: bool,
    /// Searches without `bestmove`, oldest first.
    searches: Vec<Search>,
    ever_answered: bool,
    register_owed: bool,
    /// It was answered once; what comes then are answers to that.
    register_said: bool,
    checking_copy: bool,
    checking_registration: bool,
    copy_error: bool,
    over: bool,
}

impl Conversation {
    const fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            hello: Hello::NotYet,
            named: false,
            human: false,
            readyok: 0,
            ever_ready: false,
            position: false,
            newgame_unconfirmed: false,
            asked_aside: false,
            searches: Vec::new(),
            ever_answered: false,
            register_owed: false,
            register_said: false,
            checking_copy: false,
            checking_registration: false,
            copy_error: false,
            over: false,
        }
    }

    fn phase(&self) -> Phase {
        if self.over {
            return Phase::Over;
        }
        match (self.searches.last(), self.hello) {
            (Some(search), _) if search.stopped => Phase::Stopping,
            (Some(search), _) => match search.kind {
                Kind::Timed => Phase::Searching,
                Kind::Infinite => Phase::Infinite,
                Kind::Ponder => Phase::Pondering,
            },
            (None, Hello::NotYet) => Phase::Silent,
            (None, Hello::Waiting) => Phase::Handshake,
            (None, Hello::Done) => Phase::Idle,
        }
    }

    fn owed(&self) -> Owed {
        Owed {
            handshake: self.hello == Hello::Waiting,
            readyok: self.readyok,
            bestmove: self.searches.len() as u32,
            register: self.register_owed,
        }
    }

    fn host_says(&mut self, command: &Command<'_>) -> Findings {
        let mut found = Findings::new();
        if self.over {
            found.push(Code::AfterQuit);
        }
        let greeting = matches!(command, Command::Uci | Command::Ugi);
        let harmless = matches!(
            command,
            Command::Quit
                | Command::Debug(_)
                | Command::Empty
                | Command::Unknown(_)
                | Command::Register(_)
        );
        if self.hello != Hello::Done && !greeting && !harmless {
            found.push(Code::BeforeHandshake);
        }
        let searching = !self.searches.is_empty();
        match command {
            Command::Uci | Command::Ugi => self.greet(command, &mut found),
            Command::IsReady => {
                self.readyok = self.readyok.saturating_add(1);
                self.newgame_unconfirmed = false;
            }
            Command::SetOption(_) if searching && self.is_guarded() => {
                found.push(Code::SetoptionWhileSearching);
            }
            Command::Register(_) => (self.register_owed, self.register_said) = (false, true),
            Command::UciNewGame => {
                if searching {
                    found.push(Code::NewgameWhileSearching);
                }
                self.newgame_unconfirmed = true;
            }
            Command::Position(_) | Command::SetPos(_) | Command::Move(_) => {
                if searching && self.is_guarded() {
                    found.push(Code::PositionWhileSearching);
                }
                self.position = true;
            }
            Command::Go(go) => self.go(go, &mut found),
            // All that were asked for before it.
            Command::Stop => {
                if self.searches.iter().all(|search| search.stopped) {
                    found.push(Code::StopWhileIdle);
                }
                self.searches.iter_mut().for_each(|s| s.stopped = true);
            }
            Command::PonderHit => match self.searches.last_mut() {
                Some(search) if search.kind == Kind::Ponder => {
                    search.kind = search.after_hit;
                }
                _ => found.push(Code::PonderhitWithoutPonder),
            },
            Command::Quit => self.over = true,
            Command::Eval(_) | Command::Bench(_) | Command::Perft(_) | Command::Display => {
                self.asked_aside = true;
            }
            _ => {}
        }
        found
    }

    /// Whether the dialect says what may not be said during a search. UGI's
    /// text has no such rule.
    fn is_guarded(&self) -> bool {
        self.dialect != Dialect::Ugi
    }

    fn greet(&mut self, command: &Command<'_>, found: &mut Findings) {
        let proper = (self.dialect == Dialect::Ugi) == matches!(command, Command::Ugi);
        if !proper {
            found.push(Code::WrongHandshake);
        }
        if self.hello != Hello::NotYet {
            found.push(Code::HelloAgain);
        }
        self.hello = Hello::Waiting;
        self.named = false;
    }

    fn go(&mut self, go: &Go<'_>, found: &mut Findings) {
        if !self.searches.is_empty() {
            found.push(Code::GoWhileSearching);
        }
        if self.copy_error {
            found.push(Code::CopyProtected);
        }
        if self.register_owed {
            found.push(Code::RegisterOwed);
        }
        // UGI has no such rule: its engine starts with a board set up.
        if self.dialect != Dialect::Ugi {
            if !self.position {
                found.push(Code::GoWithoutPosition);
            }
            if !self.ever_ready {
                found.push(Code::NeverReady);
            } else if self.newgame_unconfirmed {
                found.push(Code::NewgameWithoutIsready);
            }
        }
        self.newgame_unconfirmed = false;
        self.asked_aside = false;
        let after_hit = if go.is_infinite() {
            Kind::Infinite
        } else {
            Kind::Timed
        };
        let kind = if go.is_ponder() {
            Kind::Ponder
        } else {
            after_hit
        };
        // `go perft` counts and ends without a move. Searches that were never
        // answered cannot pile up without end.
        if go.get_perft().is_none() && self.searches.len() < 1000 {
            self.searches.push(Search {
                kind,
                after_hit,
                stopped: false,
                info_seen: false,
            });
        }
    }

    fn engine_says(&mut self, report: &Report<'_>) -> Findings {
        let mut found = Findings::new();
        match report {
            Report::Id(id) => self.identify(*id, &mut found),
            Report::Option(_) => self.must_be_in_handshake(&mut found),
            Report::UciOk | Report::UgiOk => self.handshake_done(report, &mut found),
            Report::ReadyOk => match self.readyok.checked_sub(1) {
                Some(left) => {
                    self.readyok = left;
                    self.ever_ready = true;
                }
                None => found.push(Code::UnexpectedReadyok),
            },
            Report::BestMove(_) => self.bestmove(&mut found),
            Report::Info(info) => self.info(info, &mut found),
            Report::CopyProtection(status) => {
                check_status(*status, &mut self.checking_copy, &mut found);
                self.copy_error |= *status == Status::Error;
            }
            Report::Registration(status) => {
                check_status(*status, &mut self.checking_registration, &mut found);
                self.register_owed = *status == Status::Error && !self.register_said;
            }
            Report::Perft { .. } | Report::Empty | Report::Text(_) => {}
        }
        found
    }

    fn identify(&mut self, id: Id<'_>, found: &mut Findings) {
        self.must_be_in_handshake(found);
        self.named |= id.key == IdKey::Name;
        self.human |= id.key == IdKey::Username;
    }

    fn must_be_in_handshake(&self, found: &mut Findings) {
        match self.hello {
            Hello::NotYet => found.push(Code::BeforeHandshake),
            Hello::Waiting => {}
            Hello::Done => found.push(Code::LateIdentification),
        }
    }

    fn handshake_done(&mut self, report: &Report<'_>, found: &mut Findings) {
        if self.hello != Hello::Waiting {
            found.push(Code::UnexpectedUciok);
        }
        if (self.dialect == Dialect::Ugi) != matches!(report, Report::UgiOk) {
            found.push(Code::WrongHandshake);
        }
        if !self.named {
            found.push(Code::MissingId);
        }
        self.hello = Hello::Done;
    }

    fn bestmove(&mut self, found: &mut Findings) {
        if self.searches.is_empty() {
            found.push(if self.ever_answered {
                Code::SecondBestmove
            } else {
                Code::BestmoveWithoutGo
            });
            return;
        }
        let search = self.searches.remove(0);
        // An engine may take a `go` that came during a search for the end of that one.
        let replaced = !self.searches.is_empty();
        if search.kind != Kind::Timed && !search.stopped && !replaced && !self.over {
            found.push(Code::PrematureBestmove);
        }
        if !search.info_seen && !self.human {
            found.push(Code::NoFinalInfo);
        }
        self.ever_answered = true;
    }

    fn info(&mut self, info: &Info<'_>, found: &mut Findings) {
        match self.searches.first_mut() {
            Some(search) => search.info_seen |= info.is_about_search(),
            None if info.is_about_search() && !self.asked_aside => {
                found.push(Code::InfoWhileIdle);
            }
            None => {}
        }
    }
}

fn check_status(status: Status<'_>, checking: &mut bool, found: &mut Findings) {
    match status {
        Status::Checking => *checking = true,
        Status::Ok | Status::Error => {
            if !core::mem::take(checking) {
                found.push(Code::StatusWithoutChecking);
            }
        }
        Status::Other(_) => {}
    }
}

macro_rules! side {
    ($name:ident, $in:ident, $received:ident, $out:ident, $sent:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Debug, Clone)]
        pub struct $name(Conversation);

        impl $name {
            /// A conversation that has not begun.
            pub const fn new(dialect: Dialect) -> Self {
                Self(Conversation::new(dialect))
            }

            /// A message came in: what was out of place about it?
            pub fn received(&mut self, message: &$in<'_>) -> Findings {
                self.0.$received(message)
            }

            /// A message went out: what was out of place about it?
            pub fn sent(&mut self, message: &$out<'_>) -> Findings {
                self.0.$sent(message)
            }

            /// What would be out of place if this were sent now?
            pub fn check(&self, message: &$out<'_>) -> Findings {
                self.0.clone().$sent(message)
            }

            /// Where the conversation stands.
            pub fn phase(&self) -> Phase {
                self.0.phase()
            }

            /// What is owed now.
            pub fn owed(&self) -> Owed {
                self.0.owed()
            }

            /// The dialect it is held in.
            pub const fn dialect(&self) -> Dialect {
                self.0.dialect
            }
        }
    };
}

side!(
    HostSide,
    Report,
    engine_says,
    Command,
    host_says,
    "The conversation as a host sees it: commands go out, reports come in.

```
use quadrille_protocol::{Code, Command, Dialect, Go, HostSide, Phase, Report};

let mut talk = HostSide::new(Dialect::Uci);
talk.sent(&Command::Uci);
for line in [\"id name Toy\", \"id author Me\", \"uciok\"] {
    let report = Report::parse(line.as_bytes(), Dialect::Uci).message;
    assert!(talk.received(&report).is_empty());
}
assert_eq!(talk.phase(), Phase::Idle);

talk.sent(&Command::Go(Go::new().infinite()));
let best = Report::parse(b\"bestmove e2e4\", Dialect::Uci).message;
let wrong = talk.received(&best);
assert!(wrong.contains(&Code::PrematureBestmove));
```"
);

side!(
    EngineSide,
    Command,
    host_says,
    Report,
    engine_says,
    "The conversation as an engine sees it: commands come in, reports go out.

```
use quadrille_protocol::{Code, Command, Dialect, EngineSide};

let mut talk = EngineSide::new(Dialect::Uci);
talk.received(&Command::Uci);
assert!(talk.owed().handshake);
let stop = talk.received(&Command::Stop);
assert!(stop.contains(&Code::StopWhileIdle));
```"
);
