//! Engines that want to be registered.

use std::mem;

use quadrille_protocol::{Command, Register, Text};

use super::EngineClient;
use crate::findings::HostDiagnostic;

/// What has been answered to `registration error`, and what can be.
#[derive(Debug, Default)]
pub(super) struct Registration {
    /// Name and code of the user, until they are sent.
    code: Option<(String, String)>,
    /// They were sent.
    tried: bool,
    /// `register later` was sent: that is the last word on it.
    postponed: bool,
}

impl Registration {
    pub(super) const fn new(code: Option<(String, String)>) -> Self {
        Self {
            code,
            tried: false,
            postponed: false,
        }
    }
}

impl EngineClient {
    /// Answers `registration error`: with name and code if there are any, then with
    /// `register later`, each once. What the engine says after that is its answer to
    /// ours ("after every attempt to register the engine it should answer"), and an
    /// engine that is not registered may be used.
    ///
    /// Returns whether the engine's verdict on name and code is to be waited for.
    pub(super) fn answer_registration(&mut self) -> bool {
        if let Some((name, code)) = self.registration.code.take() {
            self.registration.tried = true;
            self.send(&Command::Register(Register {
                later: false,
                name: Some(Text::from(name.as_str())),
                code: Some(Text::from(code.as_str())),
            }));
            return true;
        }
        if !mem::replace(&mut self.registration.postponed, true) {
            let diagnostic = if self.registration.tried {
                HostDiagnostic::NotRegistered
            } else {
                HostDiagnostic::Unregistered
            };
            self.findings.add(diagnostic, b"registration error");
            self.send(&Command::Register(Register {
                later: true,
                ..Register::default()
            }));
        }
        false
    }
}
