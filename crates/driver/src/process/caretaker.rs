//! The thread that starts engines and buries them, and the guardian that
//! outlives us.
//!
//! Engines are started by one thread that never ends, because on Linux a child
//! asks to be killed when the thread that started it is gone, and the threads
//! of an asynchronous runtime come and go.
//!
//! That request covers the engine itself but not what the engine has started.
//! These are in the engine's process group and are killed with it. Even those
//! that have left the group are found (on Linux): by looking at the tree below
//! the engine while it lives (`tree`), and afterwards by an entry that every
//! engine gets in its environment and its children inherit. If the program wants
//! it, whatever child we have that we have not started is killed as well.
//!
//! If we are killed ourselves, a guardian does the same: one small shell per
//! host that reads the numbers of the process groups from a pipe. When the pipe
//! closes, which it does however we die, it kills what is left.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::oneshot;

use super::system;
#[cfg(target_os = "linux")]
use super::tree;

/// The name of the entry in an engine's environment.
const MARK: &str = "QUADRILLE_ENGINE";

/// `+ id` adds a group, `- id` takes it out. Signals from the terminal are for
/// the host, not for the guardian. The first argument is what all entries of
/// this host begin with. If engines were running it looks more than once: a process
/// that is just becoming another program (`exec`) has no environment for a moment.
const GUARDIAN: &str = r#"
trap '' HUP INT QUIT TERM
groups=' '
while read -r word id; do
    case $word in
        +) groups="$groups$id " ;;
        -) groups="${groups%% $id *} ${groups#* $id }" ;;
    esac
done
exec 2>/dev/null
for id in $groups; do kill -KILL "-$id"; done
looks=0
case $groups in *[0-9]*) looks='0 1 2' ;; esac
for pause in $looks; do
    sleep "$pause"
    for file in $(grep -lF -- "$1" /proc/[0-9]*/environ); do
        id=${file#/proc/}
        kill -KILL "${id%/environ}"
    done
done
"#;

/// How often to look after processes that were killed and have not ended yet.
const PATIENCE: Duration = Duration::from_millis(10);

/// When what an engine left behind is looked for once more: a process that is just
/// becoming another program (`exec`) has no environment for a moment.
const LOOKS: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// How long the end of a program waits for the last look round.
const LAST_LOOK: Duration = Duration::from_secs(2);

enum Job {
    Start(Box<Command>, oneshot::Sender<io::Result<Orphan>>),
    /// Killed, and not waited for any more.
    Bury(Child),
    /// Ended and waited for.
    Forget(u32),
    /// Kill what others leave behind, from now on.
    Adopt,
    /// Look for it now, and say when that is done.
    LookRound(Sender<()>),
}

fn caretaker() -> io::Result<&'static Sender<Job>> {
    static JOBS: OnceLock<io::Result<Sender<Job>>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (sender, receiver) = channel();
        std::thread::Builder::new()
            .name("caretaker".into())
            .spawn(move || Caretaker::default().work(&receiver))
            .map(|_| sender)
    });
    jobs.as_ref()
        .map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

/// Starts a process from the thread that lives as long as we do.
pub(super) async fn start(command: Command) -> io::Result<Orphan> {
    let gone = || io::Error::other("the thread that starts engines is gone");
    let (sender, receiver) = oneshot::channel();
    caretaker()?
        .send(Job::Start(Box::new(command), sender))
        .map_err(|_| gone())?;
    receiver.await.map_err(|_| gone())?
}

/// Takes over a process that has been killed.
pub(super) fn bury(child: Child) {
    if let Ok(jobs) = caretaker() {
        // Without a caretaker there is nothing to do but leave a zombie.
        let _ = jobs.send(Job::Bury(child));
    }
}

/// A process has ended and was waited for.
pub(super) fn forget(id: u32) {
    if let Ok(jobs) = caretaker() {
        let _ = jobs.send(Job::Forget(id));
    }
}

/// See [`Orphans`](super::Orphans).
pub(super) fn adopt() {
    if let Ok(jobs) = caretaker() {
        let _ = jobs.send(Job::Adopt);
    }
}

/// Waits until what engines have left behind is killed, but not for ever.
pub(super) fn look_round() {
    let (sender, done) = channel();
    if let Ok(jobs) = caretaker()
        && jobs.send(Job::LookRound(sender)).is_ok()
    {
        let _ = done.recv_timeout(LAST_LOOK);
    }
}

/// A child on its way to the caller; killed if it never arrives.
pub(super) struct Orphan(pub(super) Option<Child>);

impl Drop for Orphan {
    fn drop(&mut self) {
        if let Some(child) = self.0.take() {
            system::kill_tree(child.id());
            bury(child);
        }
    }
}

#[derive(Default)]
struct Caretaker {
    guardian: Option<(Child, ChildStdin)>,
    /// The engines and their entries.
    running: BTreeMap<u32, String>,
    started: u64,
    dying: Vec<Child>,
    /// Entries of engines that have ended, and when to look for them again.
    gone: Vec<(Instant, String)>,
    /// Whether all our other children are orphans to be killed.
    adopts: bool,
    /// What was there before that and is no engine's: a script that becomes this
    /// program (`exec`) leaves it the children it had, such as the `tee` that our
    /// output goes to.
    #[cfg(target_os = "linux")]
    bystanders: Vec<tree::Known>,
}

impl Caretaker {
    fn work(&mut self, jobs: &Receiver<Job>) {
        loop {
            let job = match self.patience() {
                None => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(patience) => jobs.recv_timeout(patience),
            };
            match job {
                Ok(Job::Start(command, answer)) => self.start(*command, answer),
                Ok(Job::Bury(child)) => {
                    let id = child.id();
                    self.dying.push(child);
                    self.release(id);
                }
                Ok(Job::Forget(id)) => self.release(id),
                Ok(Job::Adopt) => self.adopt(),
                Ok(Job::LookRound(done)) => {
                    self.look_again(None);
                    self.kill_orphans();
                    let _ = done.send(());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let still_there = |child: &mut Child| matches!(child.try_wait(), Ok(None));
            self.dying.retain_mut(still_there);
            self.look_again(Some(Instant::now()));
        }
    }

    /// How long to wait for the next job; `None` for ever.
    fn patience(&self) -> Option<Duration> {
        if !self.dying.is_empty() {
            return Some(PATIENCE);
        }
        let next = self.gone.iter().map(|(when, _)| *when).min()?;
        Some(next.saturating_duration_since(Instant::now()))
    }

    /// Looks for what is due, or for everything.
    fn look_again(&mut self, now: Option<Instant>) {
        let is_due = |(when, _): &mut (Instant, String)| now.is_none_or(|now| *when <= now);
        for (_, mark) in self.gone.extract_if(.., is_due) {
            system::kill_marked(&mark);
        }
    }

    fn start(&mut self, mut command: Command, answer: oneshot::Sender<io::Result<Orphan>>) {
        self.started += 1;
        let mark = format!("{}{}", host_mark(), self.started);
        let started = command.env(MARK, &mark).spawn();
        if let Ok(child) = &started {
            self.running.insert(child.id(), format!("{MARK}={mark}"));
            self.tell('+', child.id());
        }
        // The caller may have lost patience: then it dies with the answer.
        let _ = answer.send(started.map(|child| Orphan(Some(child))));
    }

    fn release(&mut self, id: u32) {
        if let Some(mark) = self.running.remove(&id) {
            self.tell('-', id);
            system::kill_marked(&mark);
            self.kill_orphans();
            // Orphans that are ours by then are found whatever they are becoming.
            if !self.adopts {
                let now = Instant::now();
                self.gone
                    .extend(LOOKS.map(|pause| (now + pause, mark.clone())));
            }
        }
    }

    fn adopt(&mut self) {
        #[cfg(target_os = "linux")]
        if !self.adopts {
            let others = self.children_of_others();
            let below = |known: &tree::Known| tree::below(libc::pid_t::from(*known).unsigned_abs());
            self.bystanders = others.iter().flat_map(below).collect();
            self.bystanders.extend(others);
        }
        self.adopts = system::adopt();
    }

    /// Children that we have and did not start.
    #[cfg(target_os = "linux")]
    fn children_of_others(&self) -> Vec<tree::Known> {
        let ours = |id: libc::pid_t| {
            let id = id.unsigned_abs();
            let guardian = self.guardian.as_ref().map(|(child, _)| child.id());
            let dying = self.dying.iter().any(|child| child.id() == id);
            guardian == Some(id) || dying || self.running.contains_key(&id)
        };
        let mut others = tree::children(std::process::id().cast_signed());
        others.retain(|other| !ours((*other).into()));
        others
    }

    /// What is our child and was not started by us was left behind by an engine
    /// that has ended: those that live keep theirs. Bystanders are none of it.
    #[cfg(target_os = "linux")]
    fn kill_orphans(&self) {
        if !self.adopts {
            return;
        }
        // One that is just being killed may leave its own behind.
        for _ in 0..5 {
            let mut orphans = self.children_of_others();
            orphans.retain(|orphan| !self.bystanders.contains(orphan));
            if orphans.is_empty() {
                return;
            }
            for orphan in orphans {
                let id = libc::pid_t::from(orphan);
                let below = tree::below(id.unsigned_abs());
                orphan.kill();
                below.into_iter().for_each(tree::Known::kill);
                system::bury(id);
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    const fn kill_orphans(&self) {
        let _ = self.adopts;
    }

    /// Without a guardian the host works all the same.
    fn tell(&mut self, word: char, id: u32) {
        if let Some((_, pipe)) = &mut self.guardian
            && writeln!(pipe, "{word} {id}").is_ok()
        {
            return;
        }
        if let Some((mut dead, _)) = self.guardian.take() {
            let _ = dead.kill();
            self.dying.push(dead);
        }
        if self.running.is_empty() {
            return;
        }
        self.guardian = guardian().ok();
        if let Some((_, pipe)) = &mut self.guardian {
            for id in self.running.keys() {
                // A guardian that dies at once is replaced the next time.
                let _ = writeln!(pipe, "+ {id}");
            }
        }
    }
}

/// What the entries of all our engines begin with. Numbers of processes come
/// again, so the time belongs to it.
fn host_mark() -> &'static str {
    static START: OnceLock<String> = OnceLock::new();
    START.get_or_init(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let nanos = now.unwrap_or_default().as_nanos();
        format!("{}-{nanos}-", std::process::id())
    })
}

fn guardian() -> io::Result<(Child, ChildStdin)> {
    let mut child = Command::new("/bin/sh")
        .args(["-c", GUARDIAN, "quadrille-guardian"])
        .arg(format!("{MARK}={}", host_mark()))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let pipe = child.stdin.take();
    let pipe = pipe.ok_or_else(|| io::Error::other("no pipe to the guardian"))?;
    Ok((child, pipe))
}
