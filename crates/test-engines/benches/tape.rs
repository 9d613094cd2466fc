//! What `tape record` adds to the time from a command to its answer: an engine that
//! echoes, spoken to directly and through a recorder, in turn. Prints the median
//! and the 99th percentile of both and of the difference.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use quadrille_transcript::{Recorded, Recorder};

const ROUNDS: usize = 5_000;
const LINE: &[u8] = b"isready and some more words\n";

/// The time of one question and answer.
fn ask(to: &mut impl Write, from: &mut impl Read) -> Duration {
    let mut answer = [0; LINE.len()];
    let begun = Instant::now();
    to.write_all(LINE).expect("cat reads");
    to.flush().expect("cat reads");
    from.read_exact(&mut answer).expect("cat answers");
    begun.elapsed()
}

fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times[index].as_secs_f64() * 1e6
}

#[cfg(unix)]
fn main() {
    let mut direct = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cat is there");
    let mut to = direct.stdin.take().expect("it was asked for");
    let mut from = direct.stdout.take().expect("it was asked for");

    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let file = File::create(folder.path().join("t.tape")).expect("a folder of our own");
    let recorder = Recorder::begin(file, &[]).expect("a folder of our own");
    let (host_in, mut taped_to) = std::io::pipe().expect("pipes");
    let (mut taped_from, host_out) = std::io::pipe().expect("pipes");
    let engine = Recorded::spawn(&mut Command::new("cat")).expect("cat is there");
    let recorded = Recorded::start(engine, recorder, host_in, host_out).expect("threads");

    let (mut plain, mut taped) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS + 100 {
        let (one, other) = (ask(&mut to, &mut from), ask(&mut taped_to, &mut taped_from));
        // The first ones warm up.
        if round >= 100 {
            plain.push(one);
            taped.push(other);
        }
    }
    drop((to, taped_to));
    let _ = direct.wait();
    let _ = recorded.wait();
    let medians = [percentile(&mut plain, 50), percentile(&mut taped, 50)];
    let late = [percentile(&mut plain, 99), percentile(&mut taped, 99)];
    println!("question and answer, {ROUNDS} times: median, 99 %");
    println!("direct   {:8.1} us {:8.1} us", medians[0], late[0]);
    println!("recorded {:8.1} us {:8.1} us", medians[1], late[1]);
    // Each way goes through the recorder once.
    let added = medians[1] - medians[0];
    println!(
        "added    {added:8.1} us for both ways, {:.1} us for one",
        added / 2.0
    );
}

#[cfg(not(unix))]
fn main() {
    println!("this bench needs cat");
}
