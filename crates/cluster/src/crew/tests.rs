//! Tests of who gets in and who stays.

use super::*;

fn entry() -> Entry {
    Entry {
        needs: vec![Need {
            engine: "new".into(),
            game: Game::Chess,
            options: Vec::new(),
        }],
        expected: Vec::new(),
        reference: 1000,
        slowest_permille: 4000,
        patience: Duration::from_secs(30),
    }
}

fn card(worker: &str, nps: u64, proof: &str) -> Card {
    Card {
        v: VERSION,
        worker: format!("{}.{worker}", worker.to_uppercase()),
        name: worker.to_uppercase(),
        program: "quadrille".into(),
        nps,
        capacity: 2,
        offers: vec![Offer {
            engine: "new".into(),
            game: Game::Chess,
            identity: Identity::default(),
            options: OptionList::default(),
            proof: proof.into(),
        }],
        declines: None,
    }
}

#[test]
fn only_those_who_can_play_are_let_in() {
    let mut crew = Crew::default();
    let mut refused = |card: Card| crew.admit(card, &entry()).unwrap_err();
    assert!(refused(card("a", 100, "bench 7")).contains("too slow"));
    assert!(refused(card("a b", 1000, "bench 7")).contains("cannot be read"));
    let other = Card {
        v: 99,
        ..card("a", 1000, "")
    };
    assert!(refused(other).contains("version 99"));
    let none = Card {
        offers: Vec::new(),
        ..card("a", 1000, "")
    };
    assert!(refused(none).contains("no engine 'new' for chess"));
    crew.admit(card("a", 500, "bench 7"), &entry()).unwrap();
    assert_eq!(crew.is_share("A.a", 1000, 2000), Some(true));
    let error = crew
        .admit(card("b", 1000, "bench 8"), &entry())
        .unwrap_err();
    assert!(
        error.contains("another program: bench 8, but on A bench 7"),
        "{error}"
    );
    crew.admit(card("b", 1000, "bench 7"), &entry()).unwrap();
    assert!(crew.greeting("new", Game::Chess).is_some());
}

#[test]
fn checksums_are_compared_whole() {
    let sum = format!("sha256 {}", "0123456789abcdef".repeat(4));
    assert_eq!(sum.len(), 71);
    let mut crew = Crew::default();
    crew.admit(card("a", 1000, &sum), &entry()).unwrap();
    crew.admit(card("b", 1000, &sum), &entry()).unwrap();
    // The first one was killed and comes back.
    crew.admit(card("a", 1000, &sum), &entry()).unwrap();
    let other = format!("{}0", &sum[..70]);
    let error = crew.admit(card("c", 1000, &other), &entry()).unwrap_err();
    let wanted = format!("another program: {other}, but on A {sum} (");
    assert!(error.contains(&wanted), "{error}");
    // Longer than what is shown of them.
    let long = |end: &str| format!("{}{end}", "v".repeat(300));
    let mut crew = Crew::default();
    crew.admit(card("a", 1000, &long("1")), &entry()).unwrap();
    crew.admit(card("b", 1000, &long("1")), &entry()).unwrap();
    let error = crew
        .admit(card("c", 1000, &long("2")), &entry())
        .unwrap_err();
    assert!(error.len() < 400, "{error}");
}

#[test]
fn the_match_can_name_the_program_that_it_means() {
    let entry = Entry {
        expected: vec![("new".into(), "bench 7".into())],
        ..entry()
    };
    let mut crew = Crew::default();
    let error = crew.admit(card("a", 1000, "bench 8"), &entry).unwrap_err();
    assert!(
        error.contains("bench 8, but bench= of the match says bench 7"),
        "{error}"
    );
    crew.admit(card("b", 1000, "bench 7"), &entry).unwrap();
    assert!(crew.admit(card("a", 1000, "bench 8"), &entry).is_err());
}

#[test]
fn a_worker_may_have_become_faster_since_its_game_began() {
    let mut crew = Crew::default();
    for nps in [500, 1000, 1000] {
        crew.admit(card("a", nps, "x"), &entry()).unwrap();
    }
    let share = |share| crew.is_share("A.a", 1000, share);
    assert_eq!(
        [1000, 2000, 1500].map(share),
        [Some(true), Some(true), Some(false)]
    );
    assert_eq!(crew.is_share("B.b", 1000, 1000), None);
}

#[test]
fn a_key_that_is_expelled_does_not_get_in_again() {
    let mut crew = Crew::default();
    for worker in ["a", "b"] {
        let card = Card {
            worker: format!("A.{worker}"),
            ..card(worker, 1000, "x")
        };
        crew.admit(card, &entry()).unwrap();
    }
    crew.admit(card("c", 1000, "x"), &entry()).unwrap();
    let long = Duration::from_mins(1);
    assert!(crew.has_beside(&["A"], long) && !crew.has_beside(&["A", "C"], long));
    assert!(!crew.is_suspect("A"));
    assert_eq!(
        crew.checked("A", Role::Player, true),
        Checked {
            checks: 1,
            wrong: 1
        }
    );
    assert!(crew.is_suspect("A"));
    assert_eq!(crew.expel("A", "it lies").len(), 2);
    assert_eq!(crew.count(long).0, 1);
    let error = crew.admit(card("a", 1000, "x"), &entry()).unwrap_err();
    assert_eq!(error, was_set_aside("it lies"));
}

#[test]
fn a_job_is_left_to_others_where_others_are() {
    let mut crew = Crew::default();
    let long = Duration::from_mins(1);
    for worker in ["a", "b"] {
        crew.admit(card(worker, 1000, "x"), &entry()).unwrap();
    }
    let words = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    for (avoid, may) in [
        (&["A.a", "A"][..], true),
        (&["A", "B.b"], false),
        (&["A.x", "B"], true),
        (&["B", "A.a"], false),
    ] {
        assert_eq!(crew.may_take(&words(avoid), long), may, "{avoid:?}");
    }
    crew.set_aside("B.b", "it lies");
    assert!(!crew.may_take(&words(&["A"]), long));
}

#[test]
fn a_worker_that_is_set_aside_stays_out() {
    let mut crew = Crew::default();
    let beat = |worker: &str| Beat {
        worker: format!("{}.{worker}", worker.to_uppercase()),
        busy: vec![(3, 1)],
        free: 1,
        live: Vec::new(),
    };
    assert_eq!(crew.beat(&beat("a")), Heard::Stranger);
    crew.admit(card("a", 1000, "x"), &entry()).unwrap();
    assert_eq!(crew.beat(&beat("a")), Heard::Known);
    let long = Duration::from_mins(1);
    assert_eq!(crew.count(long), (1, 1));
    let closed = |key: &str| [key.to_owned()];
    assert!(crew.has_time(&[], long) && crew.has_time(&closed("B"), long));
    assert!(!crew.has_time(&closed("A"), long));
    let busy: Vec<u64> = crew.busy(long).map(|(_, number, _)| number).collect();
    assert_eq!(busy, [3]);
    assert!(!crew.trouble("A.a") && !crew.trouble("A.a") && crew.trouble("A.a"));
    assert!(crew.set_aside("A.a", "it lies") && !crew.set_aside("A.a", "again"));
    let told = was_set_aside("it lies");
    assert_eq!(crew.beat(&beat("a")), Heard::Aside(told.clone()));
    assert_eq!(crew.count(long), (0, 0));
    assert!(!crew.has_time(&[], long));
    assert_eq!(crew.standing("A.a"), Standing::Aside);
    assert_eq!(crew.standing("gone"), Standing::Unknown);
    assert_eq!(crew.admit(card("a", 1000, "x"), &entry()), Err(told));
    assert!(
        crew.statuses("t", long)[0]
            .state
            .contains("set aside in t: it lies")
    );
    // Under other words, but with the same name.
    for word in ["b", "c"] {
        let worker = format!("A.{word}");
        let card = Card {
            worker: worker.clone(),
            ..card(word, 1000, "x")
        };
        crew.admit(card, &entry()).unwrap();
        assert!(crew.set_aside(&worker, "it lies"));
    }
    let card = Card {
        worker: "A.d".into(),
        ..card("d", 1000, "x")
    };
    assert!(crew.admit(card, &entry()).unwrap_err().contains("3 times"));
}

#[test]
fn a_later_run_knows_who_was_let_in() {
    let mut crew = Crew::default();
    assert_eq!(crew.roster(), None);
    let mut more = card("a", 500, "bench 7");
    let mut other = more.offers[0].clone();
    other.engine = "unneeded".into();
    more.offers.push(other);
    crew.admit(more, &entry()).unwrap();
    assert!(crew.greeting("new", Game::Chess).is_some());
    assert_eq!(crew.greeting("unneeded", Game::Chess), None);
    crew.admit(card("liar", 500, "bench 7"), &entry()).unwrap();
    crew.set_aside("LIAR.liar", "it lies");
    let roster = crew.roster().unwrap();
    assert_eq!(crew.roster(), None, "nothing is new");
    let mut crew = Crew::default();
    assert_eq!(crew.standing("A.a"), Standing::Unknown);
    crew.recall(&roster);
    assert_eq!(crew.standing("A.a"), Standing::Known);
    assert_eq!(
        (crew.is_share("A.a", 1000, 2000), crew.name_of("A.a")),
        (Some(true), Some("A"))
    );
    assert_eq!(crew.standing("LIAR.liar"), Standing::Unknown);
    // It is in the next one too.
    crew.admit(card("b", 1000, "bench 7"), &entry()).unwrap();
    let roster = crew.roster().unwrap();
    assert!(
        roster.contains("\"A\"") && roster.contains("\"B\""),
        "{roster}"
    );
}

#[test]
fn numbers_without_gaps_take_no_room() {
    let mut numbers = Numbers::default();
    for number in [3, 1, 2, 5] {
        numbers.insert(number);
    }
    assert_eq!((numbers.below, numbers.beyond.len()), (3, 1));
    assert!(numbers.contains(2) && numbers.contains(5) && !numbers.contains(4));
}
