//! Processes on Unix: a process group for each engine, a caretaker for all.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};

use tokio::net::unix::pipe;

use super::{Started, caretaker, command, system};
use crate::spec::EngineSpec;

pub(super) type Input = pipe::Sender;
pub(super) type Output = pipe::Receiver;
pub(super) type Errors = pipe::Receiver;

/// Registers a pipe with the runtime of the calling thread. If that fails it stays where
/// it was.
pub(super) fn input_here(input: &mut Input) -> io::Result<()> {
    let copy = input.as_fd().try_clone_to_owned()?;
    *input = pipe::Sender::from_owned_fd(copy)?;
    Ok(())
}

/// The same for the pipe that is read.
pub(super) fn output_here(output: &mut Output) -> io::Result<()> {
    let copy = output.as_fd().try_clone_to_owned()?;
    *output = pipe::Receiver::from_owned_fd(copy)?;
    Ok(())
}

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
    /// What it had started when it was last looked at.
    #[cfg(target_os = "linux")]
    below: Vec<super::tree::Known>,
}

impl Started {
    pub(super) async fn new(spec: &EngineSpec) -> io::Result<Self> {
        let mut command = command(spec);
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
                #[cfg(target_os = "linux")]
                below: Vec::new(),
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

    /// Looks at what it has started, to know it when the process itself is gone.
    pub(super) fn look_below(&mut self) {
        #[cfg(target_os = "linux")]
        if self.child.is_some() {
            self.below = super::tree::below(self.id);
        }
    }

    /// Waits for a process that has ended; `None` if that was done before.
    pub(super) fn bury(&mut self) -> Option<ExitStatus> {
        let mut child = self.child.take()?;
        // Its children may live on. Its number is its own until it is waited
        // for, so that no other process is hit.
        system::kill_group(self.id);
        #[cfg(target_os = "linux")]
        self.below.drain(..).for_each(super::tree::Known::kill);
        let status = child.wait().ok();
        caretaker::forget(self.id);
        status
    }

    pub(super) fn kill(&mut self) {
        if let Some(child) = self.child.take() {
            system::kill_tree(self.id);
            caretaker::bury(child);
        }
    }
}
