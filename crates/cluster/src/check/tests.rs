//! Tests of what is compared.

use super::*;

fn ply(text: &str, cp: i64) -> Ply {
    Ply {
        text: text.into(),
        score: Some(EngineScore::Cp(cp)),
        nodes: Some(100),
        ..Ply::default()
    }
}

fn opinion(moves: &[(&str, i64)]) -> Opinion {
    let plies: Vec<Ply> = moves.iter().map(|(text, cp)| ply(text, *cp)).collect();
    Opinion::new(&plies, &Ending::unterminated())
}

#[test]
fn the_minority_of_three_is_wrong() {
    let right = opinion(&[("e2e4", 30), ("e7e5", -20)]);
    let forged = opinion(&[("e2e4", 30), ("f7f6", -20)]);
    let scores = opinion(&[("e2e4", 31), ("e7e5", -20)]);
    let more = opinion(&[("e2e4", 32), ("e7e5", -20)]);
    assert!(right.agrees(&scores, true) && !right.agrees(&scores, false));
    assert_eq!(wrong_of([&forged, &right, &right]), Majority::First);
    assert_eq!(wrong_of([&right, &forged, &right]), Majority::Second);
    assert_eq!(wrong_of([&scores, &right, &right]), Majority::First);
    assert_eq!(wrong_of([&right, &scores, &more]), Majority::ReportsVary);
    assert_eq!(wrong_of([&forged, &scores, &more]), Majority::First);
    let odd = opinion(&[("d2d4", 30)]);
    assert_eq!(wrong_of([&forged, &right, &odd]), Majority::None);
    let told = forged.difference(&right);
    assert_eq!(told, "move 2 after the opening is f7f6, not e7e5");
    assert!(scores.difference(&right).contains("of move 1"));
}

#[test]
fn the_chance_of_many_is_that_of_the_binomial_distribution() {
    for (checks, wrong, p, wanted) in [
        (1, 1, 0.001, 0.001),
        (3, 3, 0.02, 8e-6),
        (10, 1, 0.5, 1.0 - 1.0 / 1024.0),
        (10, 4, 0.02, 3.05e-5),
        (0, 0, 0.02, 1.0),
        (1000, 40, 0.02, 4.3e-5),
    ] {
        let found = tail(checks, wrong, p);
        assert!(
            (found - wanted).abs() <= wanted * 0.05,
            "{checks} {wrong}: {found}"
        );
    }
}

#[test]
fn few_findings_condemn_only_where_chance_makes_none() {
    let checked = |checks, wrong| Checked { checks, wrong };
    assert!(REPLAYED.condemns(checked(1, 1)));
    assert!(!REPLAYED.condemns(checked(20, 1)) && REPLAYED.condemns(checked(21, 2)));
    assert!(!LOOKED.condemns(checked(1, 1)) && !LOOKED.condemns(checked(2, 2)));
    assert!(LOOKED.condemns(checked(3, 3)) && !LOOKED.condemns(checked(10, 3)));
    assert!(LOOKED.condemns(checked(10, 4)));
    // The rate that is expected is no reason, however long the event.
    assert!(!LOOKED.condemns(checked(10_000, 200)) && LOOKED.condemns(checked(10_000, 280)));
    assert!(!LOOKED.condemns(checked(0, 0)) && !REPLAYED.condemns(checked(100_000, 0)));
}

fn seat(name: &str) -> SeatJob {
    SeatJob {
        engine: name.into(),
        name: name.into(),
        options: Vec::new(),
        time: "10+0.1".parse().unwrap(),
        margin_ms: 0,
        ponder: false,
        white_pov: false,
        restart: false,
        timeouts: quadrille_driver::spec::Timeouts::default(),
    }
}

fn looks(plies: &[Ply]) -> Option<Looks> {
    let line = AnyLine::start(Game::Chess);
    Looks::of(&line, plies, [seat("a"), seat("b")], |turn| turn)
}

#[test]
fn looks_are_at_positions_before_and_after_a_move() {
    let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
    let plies: Vec<Ply> = moves.iter().map(|text| ply(text, 20)).collect();
    assert!(looks(&plies[..2]).is_none(), "too short to judge by");
    let looks = looks(&plies).unwrap();
    assert_eq!(looks.job.looks.len(), 12);
    let places: Vec<(usize, usize)> = looks.job.looks.iter().map(|l| (l.after, l.seat)).collect();
    assert_eq!(places[..4], [(0, 0), (1, 0), (1, 1), (2, 1)]);
    assert_eq!(
        looks.job.looks[0].nodes,
        Some(5_000),
        "no fewer than say something"
    );
    assert_eq!(line_after(&looks.job, 2).unwrap().plies(), 2);
    let found = |before: i64, after: i64| -> Vec<Option<EngineScore>> {
        let pair = [before, after].map(|cp| Some(EngineScore::Cp(cp)));
        pair.into_iter().cycle().take(12).collect()
    };
    let verdict = |before, after| is_wrong(&looks.wrong(&found(before, after)).unwrap());
    assert!(!verdict(40, -30), "near to what was told");
    assert!(verdict(900, -900), "the score is another");
    assert!(verdict(20, 400), "each move throws the game away");
    assert_eq!(looks.wrong(&found(0, 0)[..4]), None);
    assert!(alike(&found(20, -20), &found(60, -40)));
    assert!(!alike(&found(20, -20), &found(900, -900)));
}

#[test]
fn only_what_repeats_itself_is_played_again() {
    let fixed = |options: &[(&str, &str)]| SeatJob {
        time: quadrille_match::config::TimeControl {
            nodes: Some(100),
            ..Default::default()
        },
        options: options
            .iter()
            .map(|(name, value)| ((*name).into(), Some((*value).into())))
            .collect(),
        ..seat("a")
    };
    assert!(repeats(&[fixed(&[]), fixed(&[("Threads", "1")])]));
    assert!(!repeats(&[fixed(&[]), fixed(&[("threads", "2")])]));
    assert!(!repeats(&[fixed(&[]), seat("b")]));
}
