//! What is seen of a check while it runs, on standard error.

use std::io::Write;

use quadrille_check::Event;
use quadrille_protocol::Severity;

/// One line that is drawn anew on a terminal; elsewhere nothing, so that logs
/// stay short.
pub(super) struct Progress {
    shown: bool,
    probe: String,
    found: [usize; 3],
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            shown: super::is_watched(),
            probe: String::new(),
            found: [0; 3],
        }
    }

    pub(super) fn see(&mut self, event: &Event) {
        match event {
            Event::Probe { name, number, of } => {
                self.probe = format!("{number}/{of} {name}");
                self.draw("");
            }
            Event::Asking(id) => self.draw(id),
            Event::Found(finding) => {
                let place = match finding.severity {
                    Severity::Error => 0,
                    Severity::Warning => 1,
                    Severity::Note => 2,
                };
                self.found[place] += 1;
                self.draw(&finding.id);
            }
            _ => {}
        }
    }

    fn draw(&self, what: &str) {
        if self.shown {
            let [errors, warnings, notes] = self.found;
            let _ = write!(
                std::io::stderr(),
                "\r\x1b[K{}  {errors} errors, {warnings} warnings, {notes} notes  {what}",
                self.probe
            );
        }
    }

    /// Leaves an empty line to print on.
    pub(super) fn close(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
