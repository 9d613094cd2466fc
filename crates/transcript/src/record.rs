//! Between a host and an engine: everything goes through untouched and is on the
//! tape before it goes on.
//!
//! Two threads pass bytes on as they come, whatever they are: no line is waited
//! for. What was read is written to the tape first, so that the tape has the order
//! of the conversation and ends, if we are killed, behind everything that either
//! side has heard.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::entry::{Entry, Event, head, write_said};
use quadrille_driver::Speaker;
use quadrille_driver::date::now;
use quadrille_driver::files::{emptied, open_alone};

/// As much as a pipe holds on Linux.
const CHUNK: usize = 1 << 16;

/// How long is listened for the last words of an engine that has ended: a program
/// that it left behind may hold its output open for ever. A host that is slow to
/// read them is waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A tape that is being written. All copies are the same tape.
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Mutex<Recording>>);

#[derive(Debug)]
struct Recording {
    begun: Instant,
    file: Option<File>,
    /// Facts for the head of a tape that begins with the first word.
    head: Option<Vec<(String, String)>>,
    /// Kept from piece to piece.
    text: Vec<u8>,
    failure: Option<io::Error>,
}

impl Recorder {
    /// Opens the file of a tape, which no other program may be writing. What is in it
    /// stays until the tape begins.
    pub fn open(path: &Path) -> io::Result<File> {
        open_alone(path)
    }

    /// Begins a tape with what is known of the engine.
    pub fn begin(file: File, facts: &[(&str, &str)]) -> io::Result<Self> {
        Ok(Self::of(begun(file, facts)?, None))
    }

    /// Begins a tape with what is known of the engine when the first word is said: an engine
    /// that cannot be started leaves the file as it was.
    pub fn begin_later(file: File, facts: &[(&str, &str)]) -> Self {
        let owned = |(name, value): &(&str, &str)| ((*name).into(), (*value).into());
        Self::of(file, Some(facts.iter().map(owned).collect()))
    }

    fn of(file: File, head: Option<Vec<(String, String)>>) -> Self {
        Self(Arc::new(Mutex::new(Recording {
            begun: Instant::now(),
            file: Some(file),
            head,
            text: Vec::new(),
            failure: None,
        })))
    }

    /// Returns whether the tape has begun.
    pub fn has_begun(&self) -> bool {
        let recording = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recording.head.is_none()
    }

    fn with(&self, write: impl FnOnce(Duration, &mut Vec<u8>)) {
        let mut recording = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let recording = &mut *recording;
        if let Some(facts) = recording.head.take()
            && let Some(file) = recording.file.take()
        {
            let facts: Vec<_> = facts.iter().map(|(a, b)| (&**a, &**b)).collect();
            match begun(file, &facts) {
                Ok(file) => recording.file = Some(file),
                Err(error) => recording.failure = Some(error),
            }
            recording.begun = Instant::now();
        }
        let Some(file) = &mut recording.file else {
            return;
        };
        recording.text.clear();
        write(recording.begun.elapsed(), &mut recording.text);
        // One write for whole lines: a tape that is cut is cut at the end.
        if let Err(error) = file.write_all(&recording.text) {
            // The conversation is worth more than the tape.
            recording.failure = Some(error);
            recording.file = None;
        }
    }

    /// Bytes went by.
    pub fn said(&self, speaker: Speaker, bytes: &[u8]) {
        self.with(|at, out| write_said(at, speaker, bytes, out));
    }

    /// A whole line went by.
    pub fn line(&self, speaker: Speaker, line: &[u8]) {
        self.with(|at, out| Entry::line(at, speaker, line).write(out));
    }

    /// Something else happened.
    pub fn event(&self, event: Event) {
        self.with(|at, out| Entry { at, event }.write(out));
    }

    /// Why nothing is written any more, told once.
    pub fn failure(&self) -> Option<io::Error> {
        let mut recording = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        recording.failure.take()
    }

    /// What hears the lines of a driven engine.
    pub fn tape(&self) -> quadrille_driver::Tape {
        let own = self.clone();
        Box::new(move |speaker, line| own.line(speaker, line))
    }
}

/// Replaces what is in a file by the head of a tape that begins now.
fn begun(file: File, facts: &[(&str, &str)]) -> io::Result<File> {
    let mut file = emptied(file)?;
    let begun = now().to_string();
    let mut all = vec![("begun", begun.as_str())];
    all.extend_from_slice(facts);
    file.write_all(&head(&all))?;
    Ok(file)
}

/// An engine whose conversation is on a tape.
#[derive(Debug)]
pub struct Recorded {
    child: Child,
    recorder: Recorder,
    engine: thread::JoinHandle<()>,
    /// Something that the engine said is on its way to the host.
    owed: Arc<AtomicBool>,
}

impl Recorded {
    /// Starts a program. Its standard error is ours.
    pub fn spawn(command: &mut Command) -> io::Result<Child> {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.spawn()
    }

    /// Passes on what goes to a program that was [spawned](Self::spawn) and what
    /// comes from it.
    pub fn start(
        mut child: Child,
        recorder: Recorder,
        host_in: impl Read + Send + 'static,
        host_out: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        let (Some(engine_in), Some(engine_out)) = (child.stdin.take(), child.stdout.take()) else {
            // Both were asked for.
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let own = recorder.clone();
        // It may wait for the host for ever, so it is never waited for.
        thread::Builder::new().name("host".into()).spawn(move || {
            let (mut engine_in, owed) = (engine_in, AtomicBool::default());
            pass(host_in, &mut engine_in, &own, Speaker::Host, &owed);
            // Before the engine hears of it, and may end.
            own.event(Event::HostClosed);
            drop(engine_in);
        })?;
        let own = recorder.clone();
        let owed = Arc::new(AtomicBool::new(false));
        let owes = Arc::clone(&owed);
        let engine = thread::Builder::new()
            .name("engine".into())
            .spawn(move || {
                pass(engine_out, host_out, &own, Speaker::Engine, &owes);
                own.event(Event::EngineClosed);
            })?;
        Ok(Self {
            child,
            recorder,
            engine,
            owed,
        })
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the engine has ended and everything it said has been passed on.
    pub fn wait(mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait()?;
        let mut late = Instant::now() + LAST_WORDS;
        while !self.engine.is_finished() && Instant::now() < late {
            if self.owed.load(Ordering::Relaxed) {
                late = Instant::now() + LAST_WORDS;
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.recorder.event(Event::Ended(ending(status)));
        Ok(status)
    }
}

/// How a process ended, in the words of a tape.
fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exit {code}"),
        None => "exit".into(),
    }
}

/// Passes bytes on until one side is closed. While some are read and not yet written, they are `owed`.
fn pass(
    mut from: impl Read,
    mut to: impl Write,
    recorder: &Recorder,
    speaker: Speaker,
    owed: &AtomicBool,
) {
    let mut chunk = vec![0; CHUNK];
    loop {
        let n = match from.read(&mut chunk) {
            Ok(0) => return,
            Ok(n) => n.min(chunk.len()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        owed.store(true, Ordering::Relaxed);
        recorder.said(speaker, &chunk[..n]);
        let passed = to.write_all(&chunk[..n]).and_then(|()| to.flush());
        owed.store(false, Ordering::Relaxed);
        if passed.is_err() {
            return;
        }
    }
}
