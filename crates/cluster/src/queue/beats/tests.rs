//! Tests of what heartbeats count for.

use tokio::sync::mpsc::{Receiver, channel};

use super::*;
use crate::crew::Entry;
use crate::messages::{Card, Live};
use crate::names::VERSION;
use crate::queue::{Holders, Waiting};

const PATIENCE: Duration = Duration::from_secs(30);
const TICK: Duration = Duration::from_secs(1);

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
fn expect(state: &mut State, number: u64, attempt: u32, dealt: Instant) -> Receiver<Word> {
    let (sender, receiver) = channel(MOST_WORDS);
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
fn words(receiver: &mut Receiver<Word>) -> Vec<String> {
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
        let begun = state.crew.clock().now();
        let mut job = expect(&mut state, 5, 1001, begun);
        // It says so all the time, and has time for another one.
        for second in 0..=PATIENCE.as_secs() * 3 {
            state.crew.tick(begun + Duration::from_secs(second), TICK);
            state.heard(beat("ann", &[(5, attempt)], 1));
            state.judge(true, PATIENCE);
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
    let begun = state.crew.clock().now();
    let mut job = expect(&mut state, 5, 1001, begun);
    let said = state.heard(beat("ghost", &[(5, 1001)], 1));
    assert_eq!(said, Heard::Stranger);
    assert!(!state.waiting[&5].holders.is_known("ghost.x", 1001));
    assert!(words(&mut job).is_empty());
}

#[test]
fn a_check_waits_while_those_who_may_take_it_are_busy() {
    for (free, lost) in [(0, false), (1, true)] {
        let mut state = crew_of(&["player", "ann"]);
        let begun = state.crew.clock().now();
        let mut check = expect(&mut state, 5, 1001, begun);
        state.waiting.get_mut(&5).unwrap().closed_to = vec!["player".into()];
        let mut game = expect(&mut state, 6, 1001, begun);
        for second in 0..=PATIENCE.as_secs() * 3 {
            state.crew.tick(begun + Duration::from_secs(second), TICK);
            // The one whose game it is has time all along.
            state.heard(beat("player", &[], 1));
            state.heard(beat("ann", &[], free));
            state.judge(true, PATIENCE);
        }
        assert_eq!(!words(&mut check).is_empty(), lost, "{free}");
        assert_eq!(words(&mut game), ["Lost"], "any of them may take it");
    }
}

#[test]
fn a_job_that_the_server_gives_to_nobody_is_dealt_again_at_once() {
    let begun = Instant::now();
    let left = |state: &mut State, attempt| state.left(5, attempt, PATIENCE);
    // A check whose only other worker is busy, or has time.
    for (free, wanted) in [(0, "Left"), (1, "Lost")] {
        let mut state = crew_of(&["player", "ann"]);
        let mut check = expect(&mut state, 5, 1001, begun);
        state.waiting.get_mut(&5).unwrap().closed_to = vec!["player".into()];
        state.heard(beat("player", &[], 1));
        state.heard(beat("ann", &[], free));
        left(&mut state, 1001);
        assert_eq!(words(&mut check), [wanted]);
    }
    // A game; neither one that a worker has nor an attempt of before.
    let mut state = crew_of(&["ann"]);
    let mut game = expect(&mut state, 5, 1002, begun);
    left(&mut state, 1001);
    assert!(words(&mut game).is_empty());
    left(&mut state, 1002);
    assert_eq!(words(&mut game), ["Lost"]);
    state.heard(beat("ann", &[(5, 1002)], 0));
    left(&mut state, 1002);
    assert!(words(&mut game).is_empty());
}

#[test]
fn a_director_that_was_suspended_does_not_take_its_silence_for_that_of_workers() {
    let mut state = crew_of(&["ann", "bob"]);
    let begun = state.crew.clock().now();
    let mut job = expect(&mut state, 5, 1001, begun);
    let mut check = expect(&mut state, 6, 1001, begun);
    state.waiting.get_mut(&6).unwrap().closed_to = vec!["ann".into()];
    let both = |state: &mut State| {
        state.heard(beat("ann", &[(5, 1001)], 1));
        state.heard(beat("bob", &[(6, 1001)], 1));
    };
    both(&mut state);
    assert_eq!(state.judge(true, PATIENCE), 2);
    let hour = Duration::from_hours(1);
    for second in 0..3 {
        // It looks before it has read anything, and then reads one worker before the other.
        state
            .crew
            .tick(begun + hour + Duration::from_secs(second), TICK * 2);
        assert_eq!(state.judge(true, PATIENCE), 2, "{second}");
        assert!(state.crew.has_beside(&["ann"], PATIENCE));
        state.heard(beat("ann", &[(5, 1001)], 1));
    }
    both(&mut state);
    state.judge(true, PATIENCE);
    assert!(words(&mut job).is_empty() && words(&mut check).is_empty());
    assert!(state.news.iter().all(|event| {
        !matches!(
            event,
            quadrille_match::tournament::MatchEvent::Warning { .. }
        )
    }));
    // Who stays silent while it runs is gone.
    for second in 3..40 {
        let now = begun + hour + Duration::from_secs(second);
        state.crew.tick(now, TICK * 2);
        state.heard(beat("ann", &[(5, 1001)], 1));
    }
    assert_eq!(state.judge(true, PATIENCE), 1);
}

#[test]
fn what_a_heartbeat_makes_the_director_store_is_bounded() {
    let mut state = crew_of(&["ann"]);
    let mut job = expect(&mut state, 5, 1001, Instant::now());
    let busy: Vec<(u64, u32)> = (1..=4096).map(|number| (number, 1001)).collect();
    for _ in 0..1000 {
        let live = Live {
            number: 5,
            attempt: 1001,
            from: 0,
            plies: Vec::new(),
        };
        state.heard(Beat {
            live: vec![live; 10],
            ..beat("ann", &busy, 0)
        });
    }
    assert_eq!(state.crew.count(PATIENCE), (1, 1), "games that were dealt");
    assert_eq!(words(&mut job).len(), MOST_HEARD);
}
