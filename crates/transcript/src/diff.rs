//! Two conversations side by side: the same commands, and what was answered.

use std::io::{self, BufRead};

use quadrille_protocol::{Dialect, Info, InfoItem, Report};

use super::entry::{LeftOut, Tape};
use super::script::{Script, Turn};
use super::stream::TapeStream;

/// Steps that the exact comparison may take before a plainer one does.
const MOST_STEPS: usize = 1 << 22;

/// How two tapes differ at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A command that only the first tape has.
    OnlyFirst(String),
    /// A command that only the second tape has.
    OnlySecond(String),
    /// The same command, and other answers.
    Answers {
        /// The command.
        command: String,
        /// Lines that only the first engine said.
        first: Vec<String>,
        /// Lines that only the second engine said.
        second: Vec<String>,
    },
}

/// What a comparison found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Commands that both have.
    pub shared: usize,
    /// Those with the same answers.
    pub same: usize,
    /// The rest, in order.
    pub differences: Vec<Difference>,
    /// Facts of the heads of the two tapes that were not read.
    pub left_out: [Option<LeftOut>; 2],
}

/// What of the answers is compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Depth {
    /// Every line, without times and speeds.
    #[default]
    Lines,
    /// Everything but `info`.
    WithoutInfo,
}

/// Compares two tapes. Times, speeds and clocks are no difference.
pub fn compare(first: &Tape, second: &Tape, dialect: Dialect, depth: Depth) -> Comparison {
    let scripts = [first, second].map(|tape| Script::new(tape, dialect));
    let mut found = compare_scripts(&scripts[0], &scripts[1], dialect, depth);
    found.left_out = [first.left_out, second.left_out];
    found
}

/// The same of tapes that are read to their ends.
pub fn compare_streams<A: BufRead, B: BufRead>(
    first: &mut TapeStream<A>,
    second: &mut TapeStream<B>,
    dialect: Dialect,
    depth: Depth,
) -> io::Result<Comparison> {
    let scripts = (
        Script::read(first, dialect)?,
        Script::read(second, dialect)?,
    );
    let mut found = compare_scripts(&scripts.0, &scripts.1, dialect, depth);
    found.left_out = [first.left_out(), second.left_out()];
    Ok(found)
}

fn compare_scripts(first: &Script, second: &Script, dialect: Dialect, depth: Depth) -> Comparison {
    let mut found = Comparison::default();
    for step in align(&first.turns, &second.turns, |a, b| a.text == b.text) {
        let text = |turn: &Turn| String::from_utf8_lossy(&turn.text).into_owned();
        match step {
            Step::First(one) => found
                .differences
                .push(Difference::OnlyFirst(text(&first.turns[one]))),
            Step::Second(two) => {
                found
                    .differences
                    .push(Difference::OnlySecond(text(&second.turns[two])));
            }
            Step::Both(one, two) => {
                found.shared += 1;
                let (one, two) = (&first.turns[one], &second.turns[two]);
                let answers = [(first, one), (second, two)]
                    .map(|(script, turn)| answers(script, turn, dialect, depth));
                match differing(&answers[0], &answers[1]) {
                    None => found.same += 1,
                    Some((first, second)) => found.differences.push(Difference::Answers {
                        command: text(one),
                        first,
                        second,
                    }),
                }
            }
        }
    }
    found
}

/// The answers to a command in their tidy form.
fn answers(script: &Script, turn: &Turn, dialect: Dialect, depth: Depth) -> Vec<String> {
    let question = turn.question.and_then(|index| script.questions.get(index));
    let lines = question
        .into_iter()
        .flat_map(|question| question.answers.lines());
    let lines = lines.filter_map(|whole| {
        let parsed = Report::parse(whole.trim_ascii_end(), dialect);
        let tidy = match &parsed.message {
            Report::Info(_) if depth == Depth::WithoutInfo => return None,
            Report::Info(info) => Report::Info(timeless(info)).line(dialect),
            _ => parsed.normal(dialect),
        };
        Some(String::from_utf8_lossy(&tidy).into_owned())
    });
    lines.collect()
}

/// Without what depends on the machine.
fn timeless<'a>(info: &Info<'a>) -> Info<'a> {
    let mut kept = Info::new();
    for item in &info.items {
        if !matches!(
            item,
            InfoItem::Time(_) | InfoItem::Nps(_) | InfoItem::CpuLoad(_) | InfoItem::HashFull(_)
        ) {
            kept = kept.with(*item);
        }
    }
    kept
}

/// The lines that only one side has; nothing if there are none.
fn differing(first: &[String], second: &[String]) -> Option<(Vec<String>, Vec<String>)> {
    let (mut only_first, mut only_second) = (Vec::new(), Vec::new());
    for step in align(first, second, |a, b| a == b) {
        match step {
            Step::First(one) => only_first.push(first[one].clone()),
            Step::Second(two) => only_second.push(second[two].clone()),
            Step::Both(..) => {}
        }
    }
    let same = only_first.is_empty() && only_second.is_empty();
    (!same).then_some((only_first, only_second))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    First(usize),
    Second(usize),
    Both(usize, usize),
}

/// Puts two lists side by side with as many pairs as possible.
fn align<T>(first: &[T], second: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<Step> {
    let head = first
        .iter()
        .zip(second)
        .take_while(|(a, b)| same(a, b))
        .count();
    let (a, b) = (&first[head..], &second[head..]);
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(a, b)| same(a, b))
        .count();
    let (a, b) = (&a[..a.len() - tail], &b[..b.len() - tail]);
    let mut steps: Vec<Step> = (0..head).map(|i| Step::Both(i, i)).collect();
    steps.extend(middle(a, b, &same).into_iter().map(|step| match step {
        Step::First(one) => Step::First(one + head),
        Step::Second(two) => Step::Second(two + head),
        Step::Both(one, two) => Step::Both(one + head, two + head),
    }));
    steps.extend((0..tail).map(|i| Step::Both(head + a.len() + i, head + b.len() + i)));
    steps
}

/// The longest common part by the textbook's table, as long as that is not too
/// large; beyond that pairs are taken in order as they come.
fn middle<T>(a: &[T], b: &[T], same: &impl Fn(&T, &T) -> bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let (mut i, mut j) = (0, 0);
    let width = b.len() + 1;
    let fits = (a.len() + 1).saturating_mul(width) <= MOST_STEPS;
    let mut table = vec![0_u32; if fits { (a.len() + 1) * width } else { 0 }];
    if fits {
        for i in (0..a.len()).rev() {
            for j in (0..b.len()).rev() {
                table[i * width + j] = if same(&a[i], &b[j]) {
                    table[(i + 1) * width + j + 1] + 1
                } else {
                    table[(i + 1) * width + j].max(table[i * width + j + 1])
                };
            }
        }
    }
    while i < a.len() && j < b.len() {
        if same(&a[i], &b[j]) {
            steps.push(Step::Both(i, j));
            (i, j) = (i + 1, j + 1);
        } else if !fits || table[(i + 1) * width + j] >= table[i * width + j + 1] {
            // Too long for the table: a little look ahead finds what was inserted.
            let ahead = |k: &usize| !fits && j + k < b.len() && same(&a[i], &b[j + k]);
            match (1..64).find(ahead) {
                Some(k) => {
                    steps.extend((j..j + k).map(Step::Second));
                    j += k;
                }
                None => {
                    steps.push(Step::First(i));
                    i += 1;
                }
            }
        } else {
            steps.push(Step::Second(j));
            j += 1;
        }
    }
    steps.extend((i..a.len()).map(Step::First));
    steps.extend((j..b.len()).map(Step::Second));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_aligned_with_as_many_pairs_as_possible() {
        let count = |a: &str, b: &str| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let steps = align(&a, &b, |a, b| a == b);
            let both = steps
                .iter()
                .filter(|step| matches!(step, Step::Both(..)))
                .count();
            assert_eq!(steps.len() + both, a.len() + b.len());
            both
        };
        assert_eq!(count("abcdef", "abcdef"), 6);
        assert_eq!(count("abcdef", "abxdef"), 5);
        assert_eq!(count("abcabba", "cbabac"), 4);
        assert_eq!((count("", "abc"), count("abc", "")), (0, 0));
        // Too long for the table.
        let (long, other) = ("ab".repeat(2000), format!("x{}y", "ab".repeat(2000)));
        assert_eq!(count(&long, &other), 4000);
    }
}
