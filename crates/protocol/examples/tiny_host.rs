//! A whole host: starts an engine, lets it think for a second, and says what
//! was wrong with what it heard.
//!
//! `cargo run -p quadrille-protocol --example tiny_host -- stockfish`
use quadrille_protocol::{Command, Dialect, Go, HostSide, LineBuffer, Report, SetPosition};
use std::io::{Read, Write};
use std::process::{self, Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const DIALECT: Dialect = Dialect::Uci;

struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<Vec<u8>>,
    talk: HostSide,
}

impl Engine {
    fn start(program: &str) -> Option<Self> {
        let mut command = process::Command::new(program);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.spawn().ok()?;
        let (input, mut output) = (child.stdin.take()?, child.stdout.take()?);
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let (mut buffer, mut chunk) = (LineBuffer::new(), [0; 4096]);
            while let Ok(count @ 1..) = output.read(&mut chunk) {
                buffer.feed(&chunk[..count]);
                while let Some(line) = buffer.next_line() {
                    if sender.send(line.to_vec()).is_err() {
                        return;
                    }
                }
            }
        });
        let talk = HostSide::new(DIALECT);
        Some(Self {
            child,
            input,
            lines,
            talk,
        })
    }

    fn say(&mut self, command: &Command<'_>) {
        self.talk.sent(command);
        let mut line = command.line(DIALECT);
        line.push(b'\n');
        // A dead engine is noticed when its answer does not come.
        let _ = self.input.write_all(&line);
    }

    /// Listens until nothing is owed any more; `false` if the engine is too
    /// slow or gone.
    fn settle(&mut self) -> bool {
        while !self.talk.owed().is_nothing() {
            let Ok(line) = self.lines.recv_timeout(Duration::from_secs(10)) else {
                return false;
            };
            let parsed = Report::parse(&line, DIALECT);
            println!("{}", String::from_utf8_lossy(&line));
            for finding in parsed.diagnostics() {
                println!("    {}", finding.explain(&line));
            }
            for code in self.talk.received(&parsed.message).iter() {
                println!(
                    "    {}: {} [{}]",
                    code.severity(),
                    code.sentence(),
                    code.clause()
                );
            }
        }
        true
    }
}

fn main() {
    let program = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "stockfish".into());
    let Some(mut engine) = Engine::start(&program) else {
        eprintln!("cannot start {program}");
        process::exit(2);
    };
    let position = SetPosition::startpos().with_moves("e2e4 c7c5");
    let steps: [&[Command<'_>]; 3] = [
        &[Command::Uci],
        &[Command::UciNewGame, Command::IsReady],
        &[
            Command::Position(position),
            Command::Go(Go::new().movetime(1000)),
        ],
    ];
    for step in steps {
        for command in step {
            engine.say(command);
        }
        if !engine.settle() {
            eprintln!("{program} owes {:?} and says nothing", engine.talk.owed());
            let _ = engine.child.kill();
            process::exit(1);
        }
    }
    engine.say(&Command::Quit);
    let _ = engine.child.wait();
}
