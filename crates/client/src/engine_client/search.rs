//! One search: from `go` to its `bestmove`.

use std::time::Duration;

use quadrille_games::{AnyLine, MoveError, MoveErrorKind};
use quadrille_protocol::{Command, Phase, Report, Status, Text};

use super::answer::{Answered, Reply, Words, is_allowed, ponder_move};
use super::stray::{DOUBT, Doubt, Stray, is_stray};
use super::{ClientEvent, EngineClient, State, searchmoves};
use crate::findings::HostDiagnostic;
use crate::info::InfoLine;
use crate::limits::Limits;
use crate::moves::{Understood, is_finished, understand};

/// How far a search may go beyond four times its nodes.
const NODES_IN_HAND: u64 = 20_000;

/// A search whose answer is still to come.
#[derive(Debug)]
pub(super) struct Searching {
    line: AnyLine,
    limits: Limits,
    /// When to send `stop`; in a ponder search not before `ponderhit`.
    deadline: Option<Duration>,
    /// Whether `stop` was sent.
    stopped: bool,
    /// When to give up after that.
    give_up: Option<Duration>,
    overdue: bool,
    /// A line that may not be the answer to this search.
    stray: Option<Stray>,
    /// When the last line came, in a host that was never suspended.
    heard: Duration,
}

impl Searching {
    pub(super) const fn line(&self) -> &AnyLine {
        &self.line
    }

    /// The question that was not answered, if none was.
    pub(super) const fn question(&self) -> &'static str {
        if self.stopped { "stop" } else { "go" }
    }

    pub(super) fn postpone(&mut self, by: Duration) {
        for deadline in [&mut self.deadline, &mut self.give_up] {
            *deadline = deadline.map(|at| at.saturating_add(by));
        }
        // What would end a doubt could not come meanwhile either.
        self.heard = self.heard.saturating_add(by);
        if let Some(stray) = &mut self.stray {
            stray.doubted_since = stray.doubted_since.saturating_add(by);
        }
    }

    /// When to stop or to give up, whatever the engine says.
    fn own_deadline(&self) -> Option<Duration> {
        if self.stopped {
            self.give_up
        } else {
            self.deadline
        }
    }
}

impl EngineClient {
    /// Starts a search at the end of a line, after [`prepare`](Self::prepare) for the same.
    /// `used` is what the engine has used of its time already.
    pub fn go(&mut self, line: &AnyLine, limits: Limits, used: Duration, now: Duration) {
        let words = searchmoves(line, &limits);
        let told = limits.after(used, line.side());
        let go = told.go(self.dialect, line.side(), &words);
        self.send(&Command::Go(go));
        let mut search = Searching {
            line: line.clone(),
            limits,
            deadline: None,
            stopped: false,
            give_up: None,
            overdue: false,
            stray: None,
            heard: now,
        };
        if !search.limits.ponder {
            search.deadline = self.patience(&search, now);
        }
        self.state = State::Searching(Box::new(search));
    }

    fn patience(&self, search: &Searching, now: Duration) -> Option<Duration> {
        let patience = search.limits.patience(search.line.side(), &self.timeouts);
        patience.and_then(|patience| now.checked_add(patience))
    }

    /// Tells the engine to end the search; its answer is still to come. Returns whether
    /// there was a search to stop.
    pub fn stop(&mut self, now: Duration) -> bool {
        let State::Searching(search) = &mut self.state else {
            return false;
        };
        if search.stopped {
            return false;
        }
        search.stopped = true;
        search.give_up = now.checked_add(self.timeouts.stop);
        self.send(&Command::Stop);
        true
    }

    /// Tells the engine that the opponent played the move it ponders on: from now on its
    /// clock runs. Returns whether it was pondering.
    pub fn ponderhit(&mut self, now: Duration) -> bool {
        if !self.is_pondering() {
            return false;
        }
        let State::Searching(search) = &self.state else {
            return false;
        };
        if search.stopped {
            return false;
        }
        let deadline = self.patience(search, now);
        self.send(&Command::PonderHit);
        if let State::Searching(search) = &mut self.state {
            search.deadline = deadline;
        }
        true
    }

    /// Whether a search was told to end.
    pub fn is_stopping(&self) -> bool {
        matches!(&self.state, State::Searching(search) if search.stopped)
    }

    /// Whether the search ends only by `stop` or goes on after `ponderhit`.
    fn is_endless(&self) -> bool {
        matches!(
            self.conversation.phase(),
            Phase::Infinite | Phase::Pondering
        )
    }

    pub(super) fn search_deadline(&self, search: &Searching) -> Option<Duration> {
        let doubt = self.doubt_until(search);
        [search.own_deadline(), doubt].into_iter().flatten().min()
    }

    /// How long a doubtful line is kept from being the answer. Without a clock there
    /// might be no other deadline for hours. Where `stop` is still to come there is no
    /// hurry, and an engine that reports about its search will answer it. One that has
    /// talked while it thinks may go on to do so.
    fn doubt_until(&self, search: &Searching) -> Option<Duration> {
        let stray = search.stray.as_ref()?;
        let (doubted, since) = match stray.doubt {
            Doubt::SaidBefore => (self.last.count == 0, stray.doubted_since),
            Doubt::AmidWords => (!self.past.plain, search.heard),
        };
        (doubted && !self.is_endless()).then(|| since.saturating_add(DOUBT))
    }

    pub(super) fn on_search_time(&mut self, now: Duration) -> Option<ClientEvent> {
        let State::Searching(search) = &self.state else {
            return None;
        };
        if self.doubt_until(search).is_some_and(|doubt| now >= doubt) {
            return self.take_stray();
        }
        let State::Searching(search) = &mut self.state else {
            return None;
        };
        if !search.stopped {
            search.overdue = true;
            self.stop(now);
            return None;
        }
        // It was the answer to this search after all: there is no other.
        if search.stray.is_some() {
            return self.take_stray();
        }
        let question = search.question();
        self.findings
            .add(HostDiagnostic::NoAnswer, question.as_bytes());
        Some(self.give_up())
    }

    /// Takes the line that was in doubt for the answer, where the engine will say no more.
    pub fn take_stray(&mut self) -> Option<ClientEvent> {
        let State::Searching(search) = &mut self.state else {
            return None;
        };
        let stray = search.stray.take()?;
        search.overdue = false;
        self.past.last.clear();
        self.on_search_line(&stray.line, stray.arrived, false)
    }

    /// Takes in a line, which may be put aside if it is doubtful.
    pub(super) fn on_search_line(
        &mut self,
        line: &[u8],
        now: Duration,
        may_doubt: bool,
    ) -> Option<ClientEvent> {
        let parsed = Report::parse(line, self.dialect);
        let State::Searching(search) = &mut self.state else {
            return None;
        };
        search.heard = search.heard.max(now);
        if let Report::BestMove(best) = &parsed.message
            && may_doubt
        {
            let doubt = if parsed.is_amid_words() {
                Some(Doubt::AmidWords)
            } else {
                let said = self.last.count == 0 && is_stray(&search.line, best, &self.past.last);
                said.then_some(Doubt::SaidBefore)
            };
            if let Some(doubt) = doubt {
                search.stray = Some(Stray {
                    line: line.to_vec(),
                    arrived: now,
                    doubted_since: now,
                    doubt,
                });
                return None;
            }
            self.past.plain = true;
        }
        let endless = self.is_endless();
        self.examine(&parsed);
        match parsed.message {
            Report::BestMove(best) => {
                let words = Words::from(&best);
                self.on_best_move(line, words, endless, now)
            }
            Report::Info(info) => {
                self.last.keep(line, &info);
                let State::Searching(search) = &self.state else {
                    return None;
                };
                let event = self
                    .reports
                    .then(|| ClientEvent::Info(Box::new(InfoLine::read(&info, &search.line))));
                let beyond = info
                    .get_nodes()
                    .is_some_and(|nodes| goes_beyond(nodes, &search.limits));
                if beyond && !search.stopped && !endless {
                    self.findings.add(HostDiagnostic::IgnoresNodes, line);
                    self.stop(now);
                }
                event
            }
            Report::Registration(Status::Error) => {
                self.answer_registration();
                None
            }
            Report::Text(text) => self.reports.then(|| ClientEvent::Text(text.to_string())),
            _ => None,
        }
    }

    fn on_best_move(
        &mut self,
        said: &[u8],
        words: Words,
        premature: bool,
        now: Duration,
    ) -> Option<ClientEvent> {
        let State::Searching(search) = std::mem::replace(&mut self.state, State::Idle) else {
            return None;
        };
        // That was an answer to an earlier search: this is the one to ours.
        if let Some(stray) = &search.stray
            && stray.doubt == Doubt::SaidBefore
        {
            self.findings
                .add(HostDiagnostic::StrayBestmove, &stray.line);
        }
        let mut answered = self.understand_answer(said, words, &search);
        answered.at = now;
        answered.premature = premature;
        Some(ClientEvent::Answered(Box::new(answered)))
    }

    /// What the words after `bestmove` mean here; `said` is the whole line.
    fn understand_answer(&mut self, said: &[u8], words: Words, search: &Searching) -> Answered {
        let line = &search.line;
        let understood = match &words.best {
            Some(text) => understand(line, Text::from(text.as_str())),
            None => Understood::Null,
        };
        // Only a move that could be played can come again by mistake.
        self.past.last.clear();
        if let (Understood::Move(..), Some(text)) = (&understood, &words.best) {
            self.past.last.extend_from_slice(text.as_bytes());
        }
        let mut note = |diagnostic: HostDiagnostic| self.findings.add(diagnostic, said);
        let mut ponder = None;
        let reply = match understood {
            Understood::Move(found, diagnostic) => {
                if let Some(diagnostic) = diagnostic {
                    note(diagnostic);
                }
                if !is_allowed(line, &search.limits.searchmoves, &found) {
                    note(HostDiagnostic::OutsideSearchmoves);
                }
                if let Some(text) = &words.ponder {
                    ponder = ponder_move(line, &found, text);
                    if ponder.is_none() {
                        note(HostDiagnostic::IllegalPonder);
                    }
                }
                Reply::Move(found)
            }
            Understood::Null if is_finished(line) => Reply::NoMove,
            Understood::Null => {
                note(HostDiagnostic::NullMoveInPlay);
                let text = words.best.as_deref().unwrap_or_default();
                Reply::Illegal(MoveError::new(text, MoveErrorKind::NullMove))
            }
            Understood::Illegal(error) => {
                note(HostDiagnostic::IllegalMove);
                Reply::Illegal(error)
            }
        };
        if search.overdue {
            note(HostDiagnostic::Overdue);
        }
        if let Some(report) = self.last.only_bounds() {
            self.findings.add(HostDiagnostic::OnlyBounds, report);
        }
        Answered {
            reply: if search.overdue {
                Reply::TimedOut(Box::new(reply))
            } else {
                reply
            },
            ponder,
            text: words.best,
            score: words.score,
            lines: self.last.read(self.dialect, line),
            head: self.last.head(line),
            info_count: self.last.count,
            at: Duration::ZERO,
            premature: false,
        }
    }

    /// Reads the lines of a search that has no answer.
    pub fn last_lines(&self, line: &AnyLine) -> (Vec<InfoLine>, Option<String>, u64) {
        let lines = self.last.read(self.dialect, line);
        (lines, self.last.head(line), self.last.count)
    }
}

/// Whether an engine that was given so many nodes does not care. Engines count
/// in batches, and each thread for itself.
fn goes_beyond(nodes: u64, limits: &Limits) -> bool {
    let most = |limit: u64| limit.saturating_mul(4).saturating_add(NODES_IN_HAND);
    limits.nodes.is_some_and(|limit| nodes > most(limit))
}
