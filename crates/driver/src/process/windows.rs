//! Processes on Windows: a job object for each engine. What an engine starts is
//! in its job; the job ends with the last handle to it, and that is ours, so
//! that the system ends the whole tree however we end.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::ExitStatus;

use process_wrap::tokio::{ChildWrapper, CommandWrap, CreationFlags, JobObject, KillOnDrop};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};
use windows::Win32::Foundation::HANDLE;
use windows::Win32::System::Threading::{
    ABOVE_NORMAL_PRIORITY_CLASS, BELOW_NORMAL_PRIORITY_CLASS, CREATE_NO_WINDOW,
    HIGH_PRIORITY_CLASS, IDLE_PRIORITY_CLASS, NORMAL_PRIORITY_CLASS, PROCESS_CREATION_FLAGS,
    SetProcessAffinityMask,
};

use super::{Started, command};
use crate::spec::EngineSpec;

pub(super) type Input = ChildStdin;
pub(super) type Output = ChildStdout;
pub(super) type Errors = ChildStderr;

/// There are no signals here.
pub(super) const fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// A process and its job.
#[derive(Debug)]
pub(super) struct Body {
    /// Gone once it was killed or waited for.
    child: Option<Box<dyn ChildWrapper>>,
    id: u32,
}

impl Started {
    #[expect(clippy::unused_async, reason = "it waits on other systems")]
    pub(super) async fn new(spec: &EngineSpec) -> io::Result<Self> {
        // A console of its own, so that ctrl-c in ours is not for the engine.
        let flags = CREATE_NO_WINDOW | priority(spec.nice);
        let mut command = CommandWrap::from(Command::from(command(spec)));
        command
            .wrap(CreationFlags(flags))
            .wrap(KillOnDrop)
            .wrap(JobObject);
        let mut child = command.spawn()?;
        bind(child.as_ref(), &spec.affinity)?;
        let missing = || io::Error::other("a pipe to the engine is missing");
        Ok(Self {
            input: child.stdin().take().ok_or_else(missing)?,
            output: child.stdout().take().ok_or_else(missing)?,
            errors: child.stderr().take().ok_or_else(missing)?,
            body: Body {
                id: child.id().ok_or_else(missing)?,
                child: Some(child),
            },
        })
    }
}

/// The class of priority that comes next to a nice level.
const fn priority(nice: Option<i32>) -> PROCESS_CREATION_FLAGS {
    match nice {
        None => PROCESS_CREATION_FLAGS(0),
        Some(15..) => IDLE_PRIORITY_CLASS,
        Some(5..) => BELOW_NORMAL_PRIORITY_CLASS,
        Some(-4..) => NORMAL_PRIORITY_CLASS,
        Some(-14..) => ABOVE_NORMAL_PRIORITY_CLASS,
        Some(_) => HIGH_PRIORITY_CLASS,
    }
}

/// Binds a process to processors; to all of them if none is named.
fn bind(child: &dyn ChildWrapper, processors: &[usize]) -> io::Result<()> {
    if processors.is_empty() {
        return Ok(());
    }
    // Numbers beyond the mask name no processor that can be asked for; a mask
    // that stays empty is refused.
    let bits = processors
        .iter()
        .filter_map(|&cpu| 1_usize.checked_shl(u32::try_from(cpu).ok()?));
    let mask = bits.fold(0, |mask, bit| mask | bit);
    let gone = || io::Error::other("the engine has ended already");
    let handle = child.process_handle().ok_or_else(gone)?;
    // SAFETY: the handle is that of a child which has not been waited for and is
    // borrowed until the call is over; the mask is a number.
    unsafe { SetProcessAffinityMask(HANDLE(handle.as_raw_handle()), mask) }?;
    Ok(())
}

impl Body {
    pub(super) fn id(&self) -> u32 {
        self.id
    }

    pub(super) fn has_ended(&mut self) -> bool {
        match &mut self.child {
            Some(child) => !matches!(child.try_wait(), Ok(None)),
            None => true,
        }
    }

    /// What it has started is in its job.
    #[expect(clippy::unused_self, reason = "the same on all systems")]
    pub(super) const fn look_below(&self) {}

    /// The status of a process that has ended; `None` if it was asked before.
    pub(super) fn bury(&mut self) -> Option<ExitStatus> {
        let mut child = self.child.take()?;
        let status = child.try_wait().ok().flatten();
        // Its children may live on.
        let _ = child.start_kill();
        status
    }

    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // It fails where nothing is left to kill.
            let _ = child.start_kill();
        }
    }
}
