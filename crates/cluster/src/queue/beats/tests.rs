//! Tests of what heartbeats count for.

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::crew::Entry;
use crate::messages::Card;
use crate::names::VERSION;
use crate::queue::{Holders, Waiting};

const PATIENCE: Duration = Duration::from_secs(30);

/// Lets workers with these names in: ann is `ann.x`.
fn crew_of(names: &[&str]) -> State {
    let entry = Entry {
        needs: Vec::new(),
        expected: Vec::new(),
        reference: 0,
        slowest_permille: 4000,
        patience: PATIENCE,
    };
    let mut state = State::default();
    for name in names {
        let card = Card {
            v: VERSION,
            worker: format!("{name}.x"),
            name: (*name).into(),
            program: "test".into(),
            nps: 1,
            capacity: 1,
            offers: Vec::new(),
            declines: None,
        };
        state.crew.admit(card, &entry).unwrap();
    }
    state
}

/// Waits for a job whose only attempt was dealt at a time.
fn expect(state: &mut State, number: u64, attempt: u32, dealt: Instant) -> UnboundedReceiver<Word> {
    let (sender, receiver) = unbounded_channel();
    let waiting = Waiting {
        sender,
        seen: dealt,
        held: dealt,
        closed_to: Vec::new(),
        checks: None,
        attempts: vec![attempt],
        holders: Holders::default(),
    };
    state.waiting.insert(number, waiting);
    receiver
}

fn beat(name: &str, busy: &[(u64, u32)], free: usize) -> Beat {
    Beat {
        worker: format!("{name}.x"),
        busy: busy.to_vec(),
        free,
        live: Vec::new(),
    }
}

/// The words about a job that came so far.
fn words(receiver: &mut UnboundedReceiver<Word>) -> Vec<String> {
    let mut words = Vec::new();
    while let Ok(word) = receiver.try_recv() {
        let text = format!("{word:?}");
        let name = text.split(|c: char| !c.is_alphanumeric()).next();
        words.push(name.unwrap_or_default().to_owned());
    }
    words
}

#[test]
fn an_attempt_that_was_never_dealt_keeps_no_job() {
    for (attempt, wanted) in [(1001, &[][..]), (1002, &["Lost"]), (7, &["Lost"])] {
        let mut state = crew_of(&["ann"]);
        let begun = Instant::now();
        let mut job = expect(&mut state, 5, 1001, begun);
        // It says so all the time, and has time for another one.
        for second in 0..=PATIENCE.as_secs() * 3 {
            let now = begun + Duration::from_secs(second);
            state.heard(beat("ann", &[(5, attempt)], 1), now);
            state.judge(true, PATIENCE, now);
        }
        assert_eq!(words(&mut job), wanted, "{attempt}");
        let known = state.waiting[&5].holders.is_known("ann.x", 1001);
        assert_eq!(known, attempt == 1001);
        assert!(!state.waiting[&5].holders.is_known("ann.x", attempt) || attempt == 1001);
    }
}

#[test]
fn what_strangers_say_of_a_job_does_not_count() {
    let mut state = crew_of(&["ann"]);
    let begun = Instant::now();
    let mut job = expect(&mut state, 5, 1001, begun);
    let said = state.heard(beat("ghost", &[(5, 1001)], 1), begun);
    assert_eq!(said, Heard::Stranger);
    assert!(!state.waiting[&5].holders.is_known("ghost.x", 1001));
    assert!(words(&mut job).is_empty());
}
