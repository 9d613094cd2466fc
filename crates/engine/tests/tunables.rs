//! The numbers of the search as options. In a process of its own: they are the same
//! for everything in one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille-chess"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        Self {
            input: child.stdin.take().expect("a pipe"),
            output: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
        }
    }

    /// Says a line and gives everything up to a line that begins with `end`.
    fn ask(&mut self, line: &str, end: &str) -> Vec<String> {
        writeln!(self.input, "{line}").expect("the engine reads");
        let mut said = Vec::new();
        for line in (&mut self.output).lines() {
            let line = line.expect("text");
            let last = line.starts_with(end);
            said.push(line);
            if last {
                return said;
            }
        }
        panic!("no {end}: {said:?}");
    }

    fn nodes(&mut self) -> String {
        self.ask("ucinewgame\ngo depth 9", "bestmove");
        let said = self.ask("bench 6", "Nodes searched: ");
        said.last().expect("a line").clone()
    }
}

#[test]
fn numbers_of_the_search_are_options() {
    let mut engine = Engine::start();
    let said = engine.ask("uci", "uciok");
    let line = "option name late_base type spin default 6 min 1 max 50";
    assert!(said.iter().any(|l| l == line), "{said:?}");
    let usual = engine.nodes();
    assert_eq!(engine.nodes(), usual);
    engine.ask("setoption name LATE_base value 1\nisready", "readyok");
    assert_ne!(engine.nodes(), usual, "another number is another search");
    let said = engine.ask("setoption name late_base value 99\nisready", "readyok");
    assert!(
        said.iter().any(|l| l.contains("goes from 1 to 50")),
        "{said:?}"
    );
    let said = engine.ask("setoption name late_base value few\nisready", "readyok");
    assert!(
        said.iter().any(|l| l.contains("is a whole number")),
        "{said:?}"
    );
    engine.ask("setoption name late_base value 6\nisready", "readyok");
    assert_eq!(engine.nodes(), usual);
    writeln!(engine.input, "quit").expect("the engine reads");
    assert!(engine.child.wait().expect("it ends").success());
}
