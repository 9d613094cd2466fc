//! Project chores, run as `cargo xtask <task>`.

mod perft_deep;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  perft-deep   every deep perft figure of the four games, in release
  diff [N]     compare N chess positions (5,000,000) with two other libraries
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["perft-deep"] => perft_deep::run(),
        ["diff"] => perft_deep::diff("5000000"),
        ["diff", positions] => perft_deep::diff(positions),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
