//! Misdeeds that hurt others: floods, and processes that hide.

use std::process::{Command as Program, Stdio};

use super::animal::Animal;
use super::quirk::Quirk;

/// More than any engine has.
const OPTIONS: usize = 30_000;

/// As much as a pipe holds.
const PIPE: usize = 1 << 16;

impl Animal {
    /// Without end where there should be a search.
    pub(crate) fn flood(&mut self) {
        for (quirk, byte) in [(Quirk::NewlineFlood, b'\n'), (Quirk::EndlessLine, b'x')] {
            let much = vec![byte; PIPE];
            while self.has(quirk) {
                self.say_raw(&much);
            }
        }
        while self.has(Quirk::FloodForever) {
            self.say("info depth 1 currmove a2a3 currmovenumber 1");
        }
    }

    pub(crate) fn declare_too_much(&mut self) {
        for number in 0..OPTIONS {
            self.say(&format!(
                "option name Weight {number} type spin default 0 min -9 max 9"
            ));
        }
    }

    /// A process whose parent has ended, with a session of its own and nothing in
    /// its environment that tells where it comes from.
    pub(crate) fn start_hermit(&mut self) {
        let mut command = Program::new("setsid");
        command
            .args(["sh", "-c", "sleep 3600 >/dev/null 2>&1 & echo $!"])
            .env_clear()
            .stdin(Stdio::null())
            .stderr(Stdio::null());
        if let Ok(output) = command.output() {
            let id = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            self.say(&format!("info string child {id}"));
        }
    }
}

/// Starts the same program anew in the process group of its parent.
#[cfg(unix)]
pub(crate) fn join_host(words: &[String]) -> String {
    use std::os::unix::process::CommandExt;
    let parent = std::os::unix::process::parent_id();
    let stat = std::fs::read_to_string(format!("/proc/{parent}/stat")).unwrap_or_default();
    // Behind the name come the state, the parent and the group.
    let behind = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let group = behind.split(' ').nth(2).and_then(|text| text.parse().ok());
    let Some(group) = group else {
        return "the group of the host is not known".into();
    };
    let rest = words.iter().filter(|word| *word != Quirk::JoinsHost.word());
    let own = std::env::current_exe().unwrap_or_default();
    let error = Program::new(own).args(rest).process_group(group).exec();
    format!("cannot join the host: {error}")
}

#[cfg(not(unix))]
pub(crate) fn join_host(_: &[String]) -> String {
    "there are no process groups here".into()
}
