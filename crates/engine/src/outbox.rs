//! Everything the engine has said and the state of the conversation.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use quadrille_protocol::{Command, Dialect, EngineSide, Findings, Info, Report, Severity};

/// Lines on their way to the host, in order and whole. Clones are the same box.
///
/// A session and its tasks put lines in; the caller takes them out, from any
/// thread, when it likes or when it is called.
#[derive(Clone)]
pub struct Outbox(Arc<Shared>);

struct Shared {
    desk: Mutex<Desk>,
    listener: OnceLock<Listener>,
}

type Listener = Box<dyn Fn(&Outbox) + Send + Sync>;

struct Desk {
    talk: EngineSide,
    bytes: Vec<u8>,
}

/// Lines that come out together.
pub(crate) struct Lines<'a> {
    desk: &'a mut Desk,
}

impl Lines<'_> {
    /// Adds a report.
    pub(crate) fn add(&mut self, report: &Report<'_>) {
        let dialect = self.desk.talk.dialect();
        let findings = self.desk.talk.sent(report);
        debug_assert!(
            findings.iter().all(|f| f.severity() < Severity::Error),
            "{findings:?}: {report:?}"
        );
        report.write(dialect, &mut self.desk.bytes);
        self.desk.bytes.push(b'\n');
    }

    /// Whether a search still owes its `bestmove`.
    pub(crate) fn owe_move(&self) -> bool {
        self.desk.talk.owed().bestmove > 0
    }

    /// Adds `info string` with a text.
    pub(crate) fn note(&mut self, text: &str) {
        self.add(&Report::Info(Info::message(text)));
    }

    /// Adds a line of text that belongs to no protocol.
    pub(crate) fn text(&mut self, text: &str) {
        self.add(&Report::Text(text.into()));
    }
}

impl Outbox {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self(Arc::new(Shared {
            desk: Mutex::new(Desk {
                talk: EngineSide::new(dialect),
                bytes: Vec::new(),
            }),
            listener: OnceLock::new(),
        }))
    }

    /// Names what is called whenever there are new lines, on the thread that
    /// made them, with this box. The first listener stays, as long as the box
    /// does.
    pub fn on_lines(&self, listener: impl Fn(&Self) + Send + Sync + 'static) {
        let _ = self.0.listener.set(Box::new(listener));
    }

    /// Moves all lines, each with its line end, to the end of `bytes`.
    ///
    /// Two threads that take lines must agree on who writes first: hold the
    /// writer before taking.
    pub fn take(&self, bytes: &mut Vec<u8>) {
        bytes.append(&mut self.desk().bytes);
    }

    /// Says several lines together.
    pub(crate) fn say_all(&self, what: impl FnOnce(&mut Lines<'_>)) {
        self.hold_back(what);
        self.flush();
    }

    /// Adds lines that go out together with the next ones, or with
    /// [`flush`](Self::flush).
    pub(crate) fn hold_back(&self, what: impl FnOnce(&mut Lines<'_>)) {
        what(&mut Lines {
            desk: &mut self.desk(),
        });
    }

    /// Reports that there are lines.
    pub(crate) fn flush(&self) {
        if let Some(listener) = self.0.listener.get() {
            listener(self);
        }
    }

    /// Says one report.
    pub(crate) fn say(&self, report: &Report<'_>) {
        self.say_all(|lines| lines.add(report));
    }

    /// Says `info string` with a text.
    pub(crate) fn note(&self, text: &str) {
        self.say_all(|lines| lines.note(text));
    }

    /// A command came in: what was out of place about it?
    pub(crate) fn hear(&self, command: &Command<'_>) -> Findings {
        self.desk().talk.received(command)
    }

    /// Whether a search still owes its `bestmove`.
    pub(crate) fn owes_move(&self) -> bool {
        self.desk().talk.owed().bestmove > 0
    }

    /// A panic while the lock is held leaves at worst an unfinished line.
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.0.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
