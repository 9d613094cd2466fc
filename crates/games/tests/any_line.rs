//! The text-only line plays exactly what the typed ones play, in all games.

use quadrille_games::any_line::SetupError;
use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_games::perft::{Options, PerftError, PerftKind};
use quadrille_games::random::SplitMix64;
use quadrille_games::{AnyLine, AnyMove, Game, Line, MoveErrorKind, Position, Reason, Side};

/// Random games, each step compared with the typed line.
fn compare<P: Position>(rules: &str, position: &str, seed: u64)
where
    AnyLine: From<Line<P>>,
{
    let typed_rules = P::rules_from_text(rules).unwrap();
    let start = P::from_text(position, &typed_rules).unwrap();
    let mut typed = Line::new(start);
    let mut any = AnyLine::new(P::GAME, rules, position).unwrap();
    let mut random = SplitMix64::new(seed);
    for _ in 0..60 {
        let board = typed.position();
        assert_eq!(any.position_text(), board.text());
        assert_eq!(any.start_text(), typed.start().text());
        assert_eq!(any.side(), board.side());
        assert_eq!(any.size(), board.size());
        assert_eq!(any.hash(), board.hash());
        assert_eq!(any.keys(), typed.keys());
        assert_eq!(any.occurrences(), typed.occurrences());
        assert_eq!(any.in_check(), board.in_check());
        assert_eq!(any.outcome(), typed.outcome());
        assert_eq!(any.outcome_with_claims(), typed.outcome_with_claims());
        assert_eq!(any.claimable(), typed.claimable());
        assert_eq!(any.draw(), board.draw());
        assert_eq!(any.plies(), typed.moves().len());
        assert_eq!(any.legal_move_count(), board.count_moves());
        let mut count = 0;
        board.pieces(|_, _| count += 1);
        assert_eq!(any.pieces().len(), count);
        let views = any.legal_moves(usize::MAX);
        let texts: Vec<String> = board.moves().iter().map(|&m| board.move_text(m)).collect();
        assert!(views.iter().map(|v| &v.text).eq(&texts));
        if views.is_empty() {
            break;
        }
        let choice = random.index(views.len());
        let (view, m) = (&views[choice], any.legal(usize::MAX)[choice]);
        assert_eq!(any.find(&view.notation).as_ref(), Ok(view));
        assert_eq!(any.parse_move(&view.text), Ok(m));
        assert_eq!(any.parse_notation(&view.notation), Ok(m));
        assert_eq!(any.text_of(m).as_ref(), Ok(&view.text));
        assert_eq!(any.notation_of(m).as_ref(), Ok(&view.notation));
        match random.index(3) {
            0 => assert_eq!(any.play(&view.text).as_ref(), Ok(view)),
            1 => assert_eq!(any.play_notation(&view.notation).as_ref(), Ok(view)),
            _ => any.push(m).unwrap(),
        }
        typed.play(&view.text).unwrap();
        if random.index(5) == 0 {
            let popped = any.pop().unwrap();
            assert_eq!(any.view_of(popped).as_ref(), Ok(view));
            typed.pop();
        }
    }
    let wanted: Vec<String> = {
        let mut board = typed.start().clone();
        let text = |&m: &P::Move| {
            let text = board.move_text(m);
            board.make(m, &mut ());
            text
        };
        typed.moves().iter().map(text).collect()
    };
    assert!(any.moves().iter().map(|m| &m.text).eq(&wanted));
    assert_eq!(any.played_texts(), wanted);
    let values = typed.moves().iter().map(|&m| AnyMove::new::<P>(m));
    assert!(values.eq(any.played()));
    assert_eq!(
        AnyLine::from(typed.clone()).position_text(),
        any.position_text()
    );
    while any.pop().is_some() {}
    assert_eq!(any.position_text(), any.start_text());
    assert_eq!(any.keys().len(), 1);
}

#[test]
fn chess() {
    compare::<Chess>("", "startpos", 1);
    compare::<Chess>("", "kiwipete", 2);
    compare::<Chess>("chess960", "dfrc 0 959", 3);
    compare::<Chess>("", "lasker", 4);
}

#[test]
fn liberty() {
    compare::<Liberty>("", "Liberty chess", 5);
    compare::<Liberty>("ff", "Mini chess", 6);
    compare::<Liberty>("", "Elimination", 7);
}

#[test]
fn leiserchess() {
    for (seed, year) in ["2012", "2013", "2014", "2015", "2016", "2018"]
        .iter()
        .enumerate()
    {
        compare::<Leiser>(year, "startpos", seed as u64);
    }
    compare::<Leiser>("2016 quiet=20", "endgame", 8);
}

#[test]
fn gyges() {
    compare::<Gyges>("", "start", 9);
    compare::<Gyges>("may-stay", "test", 10);
}

#[test]
fn empty_texts_are_the_usual_game() {
    for game in Game::ALL {
        let line = AnyLine::new(game, "", " ").unwrap();
        assert_eq!(line.game(), game);
        let start = AnyLine::start(game);
        assert_eq!(line.position_text(), start.position_text());
        assert_eq!(line.rules_text(), start.rules_text());
        let presets = AnyLine::presets(game, "").unwrap();
        assert_eq!(presets[0].1, line.position_text());
        for (name, text) in presets {
            let named = AnyLine::new(game, "", name).unwrap();
            assert_eq!(named.position_text(), text, "{game} {name}");
            let again = AnyLine::new(game, &named.rules_text(), &text).unwrap();
            assert_eq!(again.position_text(), text);
        }
    }
}

#[test]
fn errors_say_which_text_is_wrong() {
    for game in Game::ALL {
        let rules = AnyLine::new(game, "nonsense", "").unwrap_err();
        assert!(
            matches!(&rules, SetupError::Rules(e) if e.game == game),
            "{rules}"
        );
        assert!(AnyLine::presets(game, "nonsense").is_err());
        let position = AnyLine::new(game, "", "nonsense").unwrap_err();
        assert!(matches!(&position, SetupError::Position(e) if e.game == game));
        let mut line = AnyLine::start(game);
        assert!(line.play("nonsense").is_err());
        assert!(line.play_notation("").is_err());
        assert_eq!(line.find("??").unwrap_err().text, "??");
        assert_eq!(line.plies(), 0);
        assert_eq!(line.pop(), None);
    }
    let mut chess = AnyLine::start(Game::Chess);
    let error = chess.play("e2e5").unwrap_err();
    assert!(matches!(error.kind, MoveErrorKind::Illegal(_)), "{error}");
}

#[test]
fn moves_are_told_square_by_square() {
    let view = |game, rules: &str, position: &str, text: &str| {
        let view = AnyLine::new(game, rules, position)
            .unwrap()
            .find(text)
            .unwrap();
        (view.squares.join(" "), view.suffix)
    };
    let castling = "r3k2r/8/8/8/8/8/1P6/R3K2R w KQkq - 0 1";
    let squares = |text: &str, suffix| (text.to_string(), suffix);
    assert_eq!(
        view(Game::Chess, "", castling, "O-O"),
        squares("e1 g1", None)
    );
    assert_eq!(
        view(Game::Chess, "chess960", castling, "O-O"),
        squares("e1 h1", None)
    );
    let promotion = "8/4P2k/8/8/8/8/8/K7 w - - 0 1";
    assert_eq!(
        view(Game::Chess, "", promotion, "e8=N"),
        squares("e7 e8", Some('n'))
    );
    assert_eq!(
        view(Game::Liberty, "", promotion, "e7e8r"),
        squares("e7 e8", Some('r'))
    );
    assert_eq!(view(Game::Leiser, "", "", "h4g5"), squares("h4 g5", None));
    assert_eq!(view(Game::Leiser, "", "", "h0R"), squares("h0", Some('R')));
    assert_eq!(view(Game::Gyges, "", "", "2|13"), squares("c1 b3", None));
    assert_eq!(
        view(Game::Gyges, "", "", "0|1|9"),
        squares("a1 b1 d2", None)
    );
}

#[test]
fn pieces_have_names_and_places() {
    let piece = |line: &AnyLine, square: &str| {
        let pieces = line.pieces();
        let found = pieces.iter().find(|p| p.square == square).cloned();
        found.map(|p| (p.piece, p.side, p.file, p.rank))
    };
    let white = Some(Side::White);
    let (chess, leiser) = (AnyLine::start(Game::Chess), AnyLine::start(Game::Leiser));
    let expected = Some(("K".into(), white, Some(4), Some(0)));
    assert_eq!(piece(&chess, "e1"), expected);
    assert_eq!(piece(&AnyLine::start(Game::Liberty), "e1"), expected);
    let king = Some(("NN".into(), white, Some(7), Some(0)));
    assert_eq!(piece(&leiser, "h0"), king);
    let gyges = AnyLine::start(Game::Gyges);
    assert_eq!(
        piece(&gyges, "f6"),
        Some(("3".into(), None, Some(5), Some(5)))
    );
    let won = "000000/000000/000000/000000/000000/12321/3";
    assert!(AnyLine::new(Game::Gyges, "", won).is_err());
    let wide = AnyLine::new(Game::Liberty, "", "Liberty chess").unwrap();
    assert_eq!(piece(&wide, "l12").map(|p| p.0), Some("r".into()));
}

#[test]
fn a_goal_is_a_place_without_file_and_rank() {
    let mut line = AnyLine::new(Game::Gyges, "", "bench").unwrap();
    let win = loop {
        let moves = line.legal_moves(usize::MAX);
        if let Some(win) = moves.iter().find(|m| m.notation.ends_with('#')) {
            break win.clone();
        }
        line.play(&moves[0].text).unwrap();
        assert!(line.plies() < 200, "a win comes before that");
    };
    assert!(win.tactical);
    let path = line.bounce_path(&win.text).unwrap().unwrap();
    assert_eq!(path.squares.first(), win.squares.first());
    assert_eq!(path.squares.last(), win.squares.last());
    line.play(&win.text).unwrap();
    assert_eq!(line.outcome().map(|o| o.reason), Some(Reason::Goal));
    let pieces = line.pieces();
    let goal = pieces.iter().find(|p| p.square.starts_with('P')).unwrap();
    assert_eq!((goal.file, goal.rank), (None, None));
    assert_eq!(line.legal_move_count(), 0);
}

#[test]
fn lasers_and_bounces_are_drawn() {
    let leiser = AnyLine::new(Game::Leiser, "2016", "").unwrap();
    let beam = leiser.beam(Side::White).unwrap();
    assert_eq!(beam.path, ["h1", "h2", "h3", "h4"]);
    assert_eq!(beam.struck, None);
    let fire = leiser.fire("h4g5").unwrap().unwrap();
    assert_eq!(fire.shots.len(), 1);
    assert_eq!(fire.stomped, None);
    assert!(leiser.fire("h4h4").is_err());
    let gyges = AnyLine::start(Game::Gyges);
    let path = gyges.bounce_path("c1-b3").unwrap().unwrap();
    assert_eq!(path.squares, ["c1", "b1", "b2", "b3"]);
    assert_eq!(path.bounces, ["b1"]);
    assert!(gyges.bounce_path("c1-f6").is_err());
    let chess = AnyLine::start(Game::Chess);
    assert_eq!(chess.beam(Side::White), None);
    assert_eq!(chess.fire("e2e4"), Ok(None));
    assert_eq!(chess.bounce_path("e2e4"), Ok(None));
}

#[test]
fn lists_of_moves_can_be_bounded() {
    let line = AnyLine::start(Game::Gyges);
    assert_eq!(line.legal_moves(7).len(), 7);
    assert_eq!(line.legal_moves(usize::MAX).len(), 222);
    assert!(line.legal_moves(0).is_empty());
}

#[test]
fn repetition_is_claimed_before_it_ends_the_game() {
    let mut line = AnyLine::start(Game::Chess);
    for round in 1..=4 {
        assert_eq!(line.occurrences(), round);
        let claim = line.claimable().map(|o| o.reason);
        assert_eq!(claim, (round >= 3).then_some(Reason::Threefold));
        for m in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            line.play(m).unwrap();
        }
    }
    assert_eq!(line.outcome().map(|o| o.reason), Some(Reason::Fivefold));
    assert_eq!(line.claimable(), None);
    line.pop();
    assert_eq!(line.outcome(), None);
}

#[test]
fn every_count_of_every_game() {
    let total = |game, count, depth| {
        let tally = AnyLine::start(game).perft(count, &Options::new(depth));
        tally.map(|t| t.total)
    };
    assert_eq!(total(Game::Chess, PerftKind::Legal, 3), Ok(8_902));
    assert_eq!(total(Game::Liberty, PerftKind::Legal, 3), Ok(8_902));
    assert_eq!(total(Game::Liberty, PerftKind::Reference, 3), Ok(8_902));
    assert_eq!(total(Game::Leiser, PerftKind::Generated, 3), Ok(473_126));
    assert_eq!(total(Game::Gyges, PerftKind::Legal, 2), Ok(56_352));
    for game in Game::ALL {
        for count in [
            PerftKind::Legal,
            PerftKind::Exact,
            PerftKind::Generated,
            PerftKind::Reference,
        ] {
            let found = total(game, count, 1);
            let known = PerftKind::of(game).contains(&count);
            assert_eq!(found.is_ok(), known, "{game} {count}");
            assert!(known || found == Err(PerftError::NotCounted));
            assert_eq!(count.name().parse(), Ok(count));
        }
    }
    let tally = AnyLine::start(Game::Chess)
        .perft(PerftKind::Legal, &Options::new(2))
        .unwrap();
    assert!(tally.moves.contains(&("e2e4".into(), 20)));
}
