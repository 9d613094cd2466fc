//! Keys while a match runs: p pause, + and - concurrency, q stop, ? what they do.

#[cfg(unix)]
use std::io::{self, IsTerminal, Read};

use quadrille_host::tournament::Command;
use tokio::sync::mpsc::UnboundedSender;

/// Keeps the terminal in the mode that gives single keys.
pub(crate) struct Keys {
    #[cfg(unix)]
    before: rustix::termios::Termios,
}

/// Listens to the keyboard, if there is one; `help` is called when the keys are
/// asked for.
#[cfg(unix)]
pub(crate) fn listen(
    commands: UnboundedSender<Command>,
    help: impl Fn() + Send + 'static,
) -> Option<Keys> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
    let stdin = io::stdin();
    if !stdin.is_terminal() || !io::stdout().is_terminal() {
        return None;
    }
    let before = tcgetattr(&stdin).ok()?;
    let mut single = before.clone();
    // Signals still come from ctrl-c.
    single.local_modes &= !(LocalModes::ICANON | LocalModes::ECHO);
    tcsetattr(&stdin, OptionalActions::Now, &single).ok()?;
    std::thread::spawn(move || read(&commands, help));
    Some(Keys { before })
}

/// Without a way to get single keys there are none: ctrl-c stops a match.
#[cfg(not(unix))]
pub(crate) fn listen(
    _commands: UnboundedSender<Command>,
    _help: impl Fn() + Send + 'static,
) -> Option<Keys> {
    None
}

#[cfg(unix)]
impl Drop for Keys {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        // If the terminal is gone there is nothing to put back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

#[cfg(unix)]
fn read(commands: &UnboundedSender<Command>, help: impl Fn()) {
    let mut stops = [Command::Stop, Command::Abort].into_iter();
    for key in io::stdin().lock().bytes().map_while(Result::ok) {
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
        if let Some(command) = command
            && commands.send(command).is_err()
        {
            return;
        }
    }
}
