//! The one writer, and the state of the conversation.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_protocol::{Command, Dialect, EngineSide, Findings, Info, Report, Severity};

/// Where all reports go. Clones write to the same place; what one call says
/// comes out together, whatever other threads have to say.
#[derive(Clone)]
pub(crate) struct Output(Arc<Mutex<Desk>>);

struct Desk {
    writer: Box<dyn Write + Send>,
    talk: EngineSide,
    /// Lines on their way.
    bytes: Vec<u8>,
    /// Nobody reads us any more.
    broken: bool,
}

/// Lines that will be written together.
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

    /// Adds `info string` with a text.
    pub(crate) fn note(&mut self, text: &str) {
        self.add(&Report::Info(Info::message(text)));
    }

    /// Adds a line of text that belongs to no protocol.
    pub(crate) fn text(&mut self, text: &str) {
        self.add(&Report::Text(text.into()));
    }
}

impl Output {
    pub(crate) fn new(dialect: Dialect, writer: Box<dyn Write + Send>) -> Self {
        Self(Arc::new(Mutex::new(Desk {
            writer,
            talk: EngineSide::new(dialect),
            bytes: Vec::new(),
            broken: false,
        })))
    }

    /// Writes several lines together and flushes them.
    pub(crate) fn say_all(&self, what: impl FnOnce(&mut Lines<'_>)) {
        let mut desk = self.desk();
        what(&mut Lines { desk: &mut desk });
        let bytes = std::mem::take(&mut desk.bytes);
        let done = desk
            .writer
            .write_all(&bytes)
            .and_then(|()| desk.writer.flush());
        desk.broken |= done.is_err();
        // Keep the room for the next lines.
        desk.bytes = bytes;
        desk.bytes.clear();
    }

    /// Writes one report.
    pub(crate) fn say(&self, report: &Report<'_>) {
        self.say_all(|lines| lines.add(report));
    }

    /// Writes `info string` with a text.
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

    /// Whether nobody reads us any more.
    pub(crate) fn is_broken(&self) -> bool {
        self.desk().broken
    }

    /// A panic while the lock is held leaves at worst an unfinished line.
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
