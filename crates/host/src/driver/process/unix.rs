//! Processes on Unix: a process group for each engine, a caretaker for all.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};

use tokio::net::unix::pipe;

use super::{Started, caretaker, system};
use crate::spec::EngineSpec;

pub(crate) use super::system::processor_time;

pub(super) type Input = pipe::Sender;
pub(super) type Output = pipe::Receiver;
pub(super) type Errors = pipe::Receiver;

/// The signal that ended a process.
pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// A process and its group.
#[derive(Debug)]
pub(super) struct Body {
    /// Gone once it was killed or waited for.
    child: Option<Child>,
    id: u32,
}

impl Started {
    pub(super) async fn new(spec: &EngineSpec) -> io::Result<Self> {
        let mut command = Command::new(&spec.command);
        command
            .args(&spec.args)
            .envs(spec.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(folder) = &spec.folder {
            command.current_dir(folder);
        }
        system::prepare(&mut command, spec.nice, &spec.affinity);
        let mut orphan = caretaker::start(command).await?;
        let missing = || io::Error::other("a pipe to the engine is missing");
        let child = orphan.0.as_mut().ok_or_else(missing)?;
        let id = child.id();
        let input = OwnedFd::from(child.stdin.take().ok_or_else(missing)?);
        let output = OwnedFd::from(child.stdout.take().ok_or_else(missing)?);
        let errors = OwnedFd::from(child.stderr.take().ok_or_else(missing)?);
        Ok(Self {
            input: pipe::Sender::from_owned_fd(input)?,
            output: pipe::Receiver::from_owned_fd(output)?,
            errors: pipe::Receiver::from_owned_fd(errors)?,
            // Only now: until here an error kills it.
            body: Body {
                child: orphan.0.take(),
                id,
            },
        })
    }
}

impl Body {
    pub(super) fn id(&self) -> u32 {
        self.id
    }

    pub(super) fn has_ended(&self) -> bool {
        self.child.is_none() || system::has_ended(self.id)
    }

    /// Waits for a process that has ended; `None` if that was done before.
    pub(super) fn bury(&mut self) -> Option<ExitStatus> {
        let mut child = self.child.take()?;
        // Its children may live on. Its number is its own until it is waited
        // for, so that no other process is hit.
        system::kill_group(self.id);
        let status = child.wait().ok();
        caretaker::forget(self.id);
        status
    }

    pub(super) fn kill(&mut self) {
        if let Some(child) = self.child.take() {
            system::kill_group(self.id);
            caretaker::bury(child);
        }
    }
}
