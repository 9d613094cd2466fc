//! Keys while a match runs: p pause, + and - concurrency, q stop, ? what they do.

#[cfg(unix)]
use std::io::{self, IsTerminal};
#[cfg(unix)]
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(unix)]
use std::time::Duration;

use quadrille_match::tournament::Command;
#[cfg(unix)]
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};
use tokio::sync::mpsc::UnboundedSender;

/// How often to see whether the terminal is ours and gives single keys: a shell
/// takes it when it stops us (ctrl-Z), and gives it back (`fg`) in the mode it likes.
#[cfg(unix)]
const LOOK: rustix::event::Timespec = rustix::event::Timespec {
    tv_sec: 0,
    tv_nsec: 300_000_000,
};
#[cfg(unix)]
const NOT_OURS: Duration = Duration::from_millis(300);

/// Keeps the terminal in the mode that gives single keys.
pub(crate) struct Keys {
    #[cfg(unix)]
    before: Termios,
    /// Whether the match is over and the terminal is as it was.
    #[cfg(unix)]
    over: Arc<Mutex<bool>>,
}

/// Listens to the keyboard, if there is one; `help` is called when the keys are
/// asked for.
#[cfg(unix)]
pub(crate) fn listen(
    commands: UnboundedSender<Command>,
    help: impl Fn() + Send + 'static,
) -> Option<Keys> {
    let stdin = io::stdin();
    if !stdin.is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let before = tcgetattr(&stdin).ok()?;
    let over = Arc::new(Mutex::new(false));
    let keys = Keys {
        before,
        over: Arc::clone(&over),
    };
    single_keys();
    std::thread::spawn(move || read(&commands, help, &over));
    Some(keys)
}

/// Without a way to get single keys there are none: ctrl-c stops a match.
#[cfg(not(unix))]
pub(crate) fn listen(
    _commands: UnboundedSender<Command>,
    _help: impl Fn() + Send + 'static,
) -> Option<Keys> {
    None
}

/// Whether the terminal is ours just now. Who reads it or changes its mode in the
/// background is stopped by the system.
#[cfg(unix)]
fn is_ours() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Asks for single keys, if the terminal is ours and does not give them.
#[cfg(unix)]
fn single_keys() {
    let whole_lines = LocalModes::ICANON | LocalModes::ECHO;
    if is_ours()
        && let Ok(mut mode) = tcgetattr(io::stdin())
        && mode.local_modes.intersects(whole_lines)
    {
        // Signals still come from ctrl-c.
        mode.local_modes &= !whole_lines;
        // Then keys come with the next end of a line.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &mode);
    }
}

#[cfg(unix)]
impl Drop for Keys {
    fn drop(&mut self) {
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        *over = true;
        if is_ours() {
            // If the terminal is gone there is nothing to put back.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
        }
    }
}

#[cfg(unix)]
fn read(commands: &UnboundedSender<Command>, help: impl Fn(), over: &Mutex<bool>) {
    use rustix::event::{PollFd, PollFlags, poll};
    let stdin = io::stdin();
    let mut stops = [Command::Stop, Command::Abort].into_iter();
    let mut keys = [0; 16];
    loop {
        // An error is a signal that came in between, or shows when it is read.
        let _ = poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&LOOK));
        {
            let over = over.lock().unwrap_or_else(PoisonError::into_inner);
            if *over {
                return;
            }
            single_keys();
        }
        if !is_ours() {
            std::thread::sleep(NOT_OURS);
            continue;
        }
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        let none = rustix::event::Timespec::default();
        if poll(&mut fds, Some(&none)) != Ok(1) {
            continue;
        }
        let Ok(count @ 1..) = rustix::io::read(&stdin, &mut keys) else {
            return;
        };
        for &key in &keys[..count] {
            if !press(key, commands, &help, &mut stops) {
                return;
            }
        }
    }
}

/// `false` when commands are taken no more.
#[cfg(unix)]
fn press(
    key: u8,
    commands: &UnboundedSender<Command>,
    help: &impl Fn(),
    stops: &mut impl Iterator<Item = Command>,
) -> bool {
    let command = match key {
        b'p' | b'P' | b' ' => Some(Command::TogglePause),
        b'+' => Some(Command::Change(1)),
        b'-' => Some(Command::Change(-1)),
        b'q' | b'Q' => stops.next(),
        b'?' | b'h' | b'H' => {
            help();
            None
        }
        _ => None,
    };
    command.is_none_or(|command| commands.send(command).is_ok())
}
