//! What every line of an engine is judged by, whatever it is an answer to.

use std::time::Instant;

use quadrille_net::sanitize::cut;
use quadrille_protocol::{BestMove, Code, Id, IdKey, Info, Parsed, Phase, Report, Text};

use super::examiner::Examiner;
use super::heard::Heard;
use quadrille_driver::EngineOption;

/// What kind of line was heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// `uciok`, `ugiok`.
    Greeted,
    /// `readyok`.
    Ready,
    /// `bestmove`.
    Best,
    /// `info` about a search.
    Info,
    /// `id`, `option`.
    Declaration,
    /// Text for people, of whatever kind.
    Talk,
}

/// Lines longer than this hint at a best line without end.
const LONG: usize = 1 << 16;

/// How much of a line is quoted.
const QUOTED: usize = 120;

impl Examiner<'_> {
    /// Hears a line: judges it, and keeps what it says.
    pub(super) fn observe(&mut self, line: &[u8], at: Instant) -> Said {
        let parsed = Report::parse(line, self.dialect);
        self.judge_form(line, &parsed);
        self.judge_moment(line, &parsed.message);
        match &parsed.message {
            Report::UciOk | Report::UgiOk => Said::Greeted,
            Report::ReadyOk => {
                self.unsettled = false;
                Said::Ready
            }
            Report::BestMove(best) => {
                self.hear_best(best, at);
                Said::Best
            }
            Report::Info(info) => self.hear_info(info, at),
            Report::Id(id) => {
                self.declared = true;
                self.hear_id(*id);
                Said::Declaration
            }
            Report::Option(option) => {
                self.options.extend(EngineOption::read(option));
                Said::Declaration
            }
            Report::CopyProtection(_) | Report::Registration(_) => {
                self.pass("handshake.status");
                if matches!(
                    parsed.message,
                    Report::Registration(quadrille_protocol::Status::Error)
                ) {
                    self.say("register later");
                }
                Said::Declaration
            }
            _ => Said::Talk,
        }
    }

    /// What the line alone shows.
    fn judge_form(&mut self, line: &[u8], parsed: &Parsed<'_, Report<'_>>) {
        let quote = |line: &[u8]| cut(&String::from_utf8_lossy(line), QUOTED).into_owned();
        // An answer for people may quote whatever it was asked.
        let is_quote = self.asked_for_text && matches!(parsed.message, Report::Text(_));
        let lacks_number = parsed
            .diagnostics()
            .iter()
            .any(|diagnostic| matches!(diagnostic.code, Code::MissingValue | Code::NotANumber));
        for diagnostic in parsed.diagnostics() {
            let id = id_of_form(diagnostic.code, &parsed.message);
            // A number that is not there makes an unknown word of its keyword.
            let twice = lacks_number && diagnostic.code == Code::UnknownWord;
            if let Some(id) = id.filter(|_| !is_quote && !twice) {
                let word = line.get(diagnostic.span()).unwrap_or_default();
                let word = String::from_utf8_lossy(word);
                let seen = match word.trim() {
                    "" => format!("{}: {}", diagnostic.code.sentence(), quote(line)),
                    word => format!(
                        "{} ('{}'): {}",
                        diagnostic.code.sentence(),
                        cut(word, 40),
                        quote(line)
                    ),
                };
                self.fail(id, seen);
            }
        }
        if matches!(parsed.message, Report::Text(_)) && !self.asked_for_text {
            let id = if self.is_before_hello() {
                "handshake.banner"
            } else {
                "output.plain-text"
            };
            self.fail(id, format!("a line that is no message: {}", quote(line)));
        }
        if line.len() > LONG {
            self.fail(
                "output.long-line",
                format!("a line of {} bytes", line.len()),
            );
        }
    }

    /// Whether nothing of the handshake has been said by the engine.
    fn is_before_hello(&self) -> bool {
        let phase = self.talk.as_ref().map(|talk| talk.sides.phase());
        match phase {
            Some(Phase::Silent) | None => true,
            Some(Phase::Handshake) => !self.declared,
            Some(_) => false,
        }
    }

    /// What the moment shows at which the line comes.
    fn judge_moment(&mut self, line: &[u8], report: &Report<'_>) {
        let Some(talk) = &mut self.talk else {
            return;
        };
        let codes: Vec<Code> = talk.sides.received(report).iter().copied().collect();
        for code in codes {
            if matches!(code, Code::BestmoveWithoutGo | Code::SecondBestmove) {
                self.note_second_answer();
            }
            if let Some(id) = id_of_moment(code) {
                let quoted = cut(&String::from_utf8_lossy(line), QUOTED).into_owned();
                self.fail(id, format!("{}: {quoted}", code.sentence()));
            }
        }
        if let Report::BestMove(_) = report {
            self.pass("bestmove.final-info");
            self.pass("bestmove.once");
        }
    }

    /// An answer that no search waits for. Those before it in this scene may have been to other
    /// searches than it seemed.
    fn note_second_answer(&mut self) {
        self.answers_twice = true;
        self.note_symptom("bestmove.once");
        self.record.blame_scene_on("bestmove.once");
    }

    fn hear_id(&mut self, id: Id<'_>) {
        let value = id.value.to_string();
        if value.is_empty() {
            self.fail(
                "handshake.id-value",
                format!("`id {}` without a text", id.key.word()),
            );
        }
        match id.key {
            IdKey::Name => self.name = Some(value),
            IdKey::Author => self.author = Some(value),
            _ => {}
        }
    }

    fn hear_info(&mut self, info: &Info<'_>, at: Instant) -> Said {
        let Some(running) = &self.running else {
            return Said::Talk;
        };
        let since = at.saturating_duration_since(running.since);
        let heard = Heard::read(info, self.dialect, since);
        if heard.is_text {
            return Said::Talk;
        }
        self.judge_info(info, &heard);
        if let Some(running) = &mut self.running {
            running.infos.push(heard);
        }
        Said::Info
    }

    fn hear_best(&mut self, best: &BestMove<'_>, at: Instant) {
        let words = |text: Option<Text<'_>>| text.map(|text| text.to_string());
        let (said, ponder) = (words(best.best), words(best.ponder));
        self.judge_best_words(best);
        self.unsettled = true;
        if self.running.is_some() {
            self.finish_search(said, ponder.as_deref(), at);
        }
    }
}

/// The rule that a line breaks by its form.
fn id_of_form(code: Code, report: &Report<'_>) -> Option<&'static str> {
    let is_info = matches!(report, Report::Info(_));
    let is_option = matches!(report, Report::Option(_));
    let is_best = matches!(report, Report::BestMove(_));
    Some(match code {
        Code::InvalidUtf8 | Code::ByteOrderMark => "output.utf8",
        Code::SkippedWords => "output.plain-text",
        Code::ExtraWords if is_best => "bestmove.words",
        Code::ExtraWords if is_info => "info.words",
        Code::ExtraWords => "output.extra-words",
        Code::UnknownWord if is_option => "options.words",
        Code::UnknownWord if is_info => "info.words",
        Code::UnknownWord if is_best => "bestmove.words",
        Code::NotANumber | Code::MissingValue | Code::NumberTooLarge | Code::FractionalNumber
            if is_option =>
        {
            "options.numbers"
        }
        Code::NotANumber | Code::MissingValue | Code::NumberTooLarge if is_info => "info.numbers",
        Code::FractionalNumber => "info.whole-numbers",
        Code::NegativeNumber => "info.negative",
        Code::DuplicateWord if is_info => "info.duplicate",
        Code::MissingMove if is_best => "bestmove.missing",
        Code::MissingKeyword if is_info => "info.keyword",
        Code::SeldepthAlone => "info.seldepth",
        Code::MoveNumberZero => "info.currmovenumber",
        Code::WdlSum => "score.wdl-sum",
        Code::OptionWithoutName => "options.name",
        Code::OptionWithoutType => "options.type",
        Code::UnknownOptionType => "options.type-known",
        Code::EmptyRange => "options.spin-order",
        Code::DefaultOutOfRange => "options.spin-default",
        Code::DefaultNotListed => "options.combo-default",
        Code::DefaultNotABool => "options.check-default",
        Code::AmbiguousOption => "options.unambiguous",
        Code::UnknownStatus => "handshake.status",
        _ => return None,
    })
}

/// The rule that a line breaks by its moment.
fn id_of_moment(code: Code) -> Option<&'static str> {
    Some(match code {
        Code::BeforeHandshake => "handshake.unasked",
        Code::UnexpectedUciok => "handshake.once",
        Code::LateIdentification => "handshake.late",
        Code::WrongHandshake => "handshake.uciok",
        Code::UnexpectedReadyok => "ready.unasked",
        Code::BestmoveWithoutGo | Code::SecondBestmove => "bestmove.once",
        Code::PrematureBestmove => "go.infinite",
        Code::NoFinalInfo => "bestmove.final-info",
        Code::InfoWhileIdle => "info.idle",
        Code::StatusWithoutChecking => "handshake.status",
        _ => return None,
    })
}
