//! Pipes that the host has left.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use quadrille_engine::run;
use quadrille_games::Game;

/// A session that has not ended after so long hangs.
const HANG: Duration = Duration::from_mins(1);

/// Reads one command and then waits for the test.
struct Held {
    command: &'static [u8],
    released: Receiver<()>,
}

impl Read for Held {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.command.is_empty() {
            let _ = self.released.recv();
        }
        self.command.read(buffer)
    }
}

/// Takes so many writes and refuses the rest.
struct Deaf(usize);

impl Write for Deaf {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.0 -= 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// No word comes that could wake the session: the refused line has to.
#[test]
fn work_ends_when_its_reports_are_refused() {
    for command in [&b"go infinite\n"[..], b"perft 30\n"] {
        let (release, released) = channel();
        let (done, ended) = channel();
        thread::spawn(move || {
            let held = Held { command, released };
            run(Game::Leiser, "", held, Deaf(2)).expect("the usual rules");
            let _ = done.send(());
        });
        let text = String::from_utf8_lossy(command);
        ended.recv_timeout(HANG).expect(&text);
        drop(release);
    }
}
