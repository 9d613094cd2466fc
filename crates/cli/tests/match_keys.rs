//! A match on a terminal, in a shell that stops it and lets it go on.

#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};
use tempfile::TempDir;

/// For anything that is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A terminal with a shell on it.
struct Terminal {
    shell: Child,
    ours: File,
    said: Receiver<Vec<u8>>,
    text: String,
}

impl Terminal {
    fn new(folder: &TempDir) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let theirs = || {
            let mut options = File::options();
            options.read(true).write(true).open(&name).unwrap()
        };
        let shell = Command::new("setsid")
            .args(["--ctty", "bash", "--norc", "--noprofile", "-i"])
            .current_dir(folder.path())
            .env("HISTFILE", "/dev/null")
            .stdin(theirs())
            .stdout(theirs())
            .stderr(theirs())
            .spawn()
            .unwrap();
        let ours = File::from(ours);
        let mut reader = ours.try_clone().unwrap();
        let (sender, said) = channel();
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self {
            shell,
            ours,
            said,
            text: String::new(),
        }
    }

    fn keys(&mut self, text: &str) {
        self.text.clear();
        self.ours.write_all(text.as_bytes()).unwrap();
    }

    /// Waits until one of these words was said; which.
    fn wait(&mut self, words: &[&str]) -> usize {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(found) = words.iter().position(|word| self.text.contains(word)) {
                return found;
            }
            if let Ok(bytes) = self.said.recv_timeout(Duration::from_millis(100)) {
                self.text += &String::from_utf8_lossy(&bytes);
            }
        }
        panic!("none of {words:?} in {:?}", self.text);
    }

    /// Waits until the terminal gives single keys.
    fn wait_for_single_keys(&self) {
        let begun = Instant::now();
        loop {
            let mode = tcgetattr(&self.ours).unwrap();
            if !mode.local_modes.intersects(LocalModes::ICANON) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "the terminal gives whole lines");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.ours.write_all(b"\x1a\nkill -KILL %1; exit\n");
        thread::sleep(Duration::from_millis(100));
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

#[test]
fn a_match_lives_in_the_background_and_keys_work_after_that() {
    let folder = TempDir::new().unwrap();
    let mut terminal = Terminal::new(&folder);
    let program = env!("CARGO_BIN_EXE_quadrille");
    terminal.keys(&format!(
        "{program} match -engine cmd=builtin name=a -engine cmd=builtin name=b -store e.db \
         -each st=0.05 -rounds 1000 -openings format=random plies=8\n"
    ));
    terminal.wait(&["q stop (twice: now)"]);
    terminal.keys("\x1a");
    terminal.wait(&["Stopped"]);
    // It neither reads the terminal nor changes it while that belongs to others.
    terminal.keys("bg >/dev/null; sleep 1; jobs %1\n");
    let stopped = terminal.wait(&["Running", "Stopped"]);
    assert_eq!(stopped, 0, "{}", terminal.text);
    terminal.keys("fg\n");
    terminal.wait(&["quadrille match"]);
    terminal.wait_for_single_keys();
    terminal.keys("p");
    terminal.wait(&["paused: p goes on"]);
    terminal.keys("q");
    terminal.wait(&["stopping after the running games"]);
    terminal.keys("q");
    terminal.wait(&["Go on with: quadrille match --resume"]);
}
