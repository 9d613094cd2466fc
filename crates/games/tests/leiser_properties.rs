//! Promises of the `Position` trait, kept along random games of all years.

use crate::leiser_support::{opening, scatter};
use quadrille_games::leiser::{
    Leiser, LeiserRules, Move, Piece, Year, perft_generated, perft_legal,
};
use quadrille_games::random::SplitMix64;
use quadrille_games::{GameMove, Line, Observer, Position, Reason, Side};

/// Walks random games and shows every position with its line.
fn along_games(
    seed: u64,
    games: usize,
    plies: usize,
    mut see: impl FnMut(&Leiser, &mut SplitMix64),
) {
    for year in Year::ALL {
        let mut dice = SplitMix64::new(seed ^ u64::from(year.number()) << 32);
        for _ in 0..games {
            let mut line = opening(&mut dice, year);
            for _ in 0..plies {
                see(line.position(), &mut dice);
                let moves = line.position().moves();
                if moves.is_empty() {
                    break;
                }
                line.push(moves[dice.index(moves.len())]);
            }
        }
    }
}

#[test]
fn make_keeps_every_promise_and_unmake_restores() {
    along_games(11, 40, 60, |position, _| {
        let mut board = *position;
        for m in position.moves() {
            let undo = board.make(m, &mut ());
            assert_eq!(
                board.hash(),
                board.recomputed_hash(),
                "{} {m:?}",
                position.text()
            );
            assert_eq!(board.side(), position.side().other());
            check_kept_beams(&board);
            board.unmake(m, undo);
            assert_eq!(board, *position);
        }
    });
}

/// Kept beams, pieces and key are those of a position read afresh.
fn check_kept_beams(board: &Leiser) {
    for side in Side::BOTH {
        let Some(beam) = board.beam(side) else {
            assert!(board.lit(side).is_empty() && board.struck(side).is_none());
            continue;
        };
        let lit = board.lit(side);
        for step in &beam.path {
            assert!(lit.contains(step.square), "{}", board.text());
        }
        for square in board.lit(side) {
            assert!(
                beam.path.iter().any(|s| s.square == square),
                "{}",
                board.text()
            );
        }
        let last = beam
            .path
            .iter()
            .find(|s| s.leaving.is_none())
            .map(|s| s.square);
        assert_eq!(board.struck(side), last, "{}", board.text());
    }
}

#[test]
fn texts_are_read_back() {
    along_games(23, 20, 40, |position, _| {
        if position.king(Side::White).is_none() || position.king(Side::Black).is_none() {
            return;
        }
        let text = position.text();
        let again = Leiser::from_text(&text, &position.rules()).unwrap();
        assert_eq!(again.text(), text);
        assert_eq!(again.hash(), position.hash());
        assert_eq!(again.lit(Side::White), position.lit(Side::White));
        for m in position.moves() {
            let engine = position.move_text(m);
            let people = position.notation(m);
            assert_eq!(position.parse_move(&engine), Ok(m), "{text} {engine}");
            assert_eq!(
                position.parse_move(&engine.to_uppercase()),
                Ok(m),
                "{text} {engine}"
            );
            assert_eq!(position.parse_notation(&engine), Ok(m), "{text} {engine}");
            assert_eq!(position.parse_notation(&people), Ok(m), "{text} {people}");
            let bare = people.split('x').next().unwrap();
            assert_eq!(position.parse_notation(bare), Ok(m), "{text} {bare}");
            assert_eq!(Move::from_bits(m.to_bits()), m);
        }
    });
}

#[test]
fn a_move_is_legal_exactly_when_it_is_generated() {
    for year in Year::ALL {
        let mut dice = SplitMix64::new(77 + u64::from(year.number()));
        let rules = LeiserRules::of(year);
        let text = scatter(&mut dice, rules.features().size as usize, 16);
        let mut position = Leiser::from_text(&text, &rules).unwrap();
        for _ in 0..4 {
            // Swaps, if there are any, so that Ko (2) takes part.
            let moves = position.moves();
            let swap = moves.iter().find(|m| {
                let target = position.piece_at(m.to());
                target.is_some_and(|p| p.side() != position.side()) && !position.zaps(**m)
            });
            let Some(&m) = swap.or(moves.first()) else {
                break;
            };
            position.make(m, &mut ());
        }
        check_all_codes(&position);
    }
}

fn check_all_codes(position: &Leiser) {
    let mut wanted: Vec<u64> = position.moves().iter().map(|m| m.to_bits()).collect();
    wanted.sort_unstable();
    assert!(
        wanted.windows(2).all(|w| w[0] != w[1]),
        "{}",
        position.text()
    );
    let found: Vec<u64> = (0..1 << 23)
        .filter(|&bits| position.is_legal(Move::from_bits(bits)))
        .collect();
    assert_eq!(found, wanted, "{}", position.text());
    for &bits in &wanted {
        for high in 23..64 {
            let odd = Move::from_bits(bits | 1 << high);
            assert!(!position.is_legal(odd), "bit {high} of {bits:#x}");
        }
    }
}

#[test]
fn illegal_moves_never_panic() {
    along_games(5, 6, 12, |position, dice| {
        for _ in 0..200 {
            let bits = (dice.index(1 << 30) as u64) << dice.index(34) | dice.index(1 << 23) as u64;
            let m = Move::from_bits(bits);
            let mut board = *position;
            board.make(m, &mut ());
            // A second one, from the meaningless position.
            board.make(Move::from_bits(dice.index(1 << 23) as u64), &mut ());
            let _ = (
                board.text(),
                board.count_moves(),
                board.draw(),
                board.generated_text(),
            );
            let _ = position.move_text(m);
            let _ = position.notation(m);
            let _ = position.fire(m);
            let _ = position.zaps(m);
        }
    });
}

/// The position turned by 180 degrees with the colours exchanged.
fn turned_round(position: &Leiser) -> Leiser {
    let text = position.text();
    let (board, side) = text.split_once(' ').unwrap();
    let ranks: Vec<String> = board.split('/').rev().map(turned_rank).collect();
    let side = if side == "W" { "B" } else { "W" };
    Leiser::from_text(&format!("{} {side}", ranks.join("/")), &position.rules()).unwrap()
}

fn turned_rank(rank: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let letters: Vec<char> = rank.chars().collect();
    let mut i = 0;
    while i < letters.len() {
        if letters[i].is_ascii_digit() {
            let digits = letters[i..]
                .iter()
                .take_while(|c| c.is_ascii_digit())
                .count();
            parts.push(letters[i..i + digits].iter().collect());
            i += digits;
        } else {
            let turned = [letters[i], letters[i + 1]].map(|c| match c {
                'N' => 's',
                'S' => 'n',
                'E' => 'w',
                'W' => 'e',
                'n' => 'S',
                's' => 'N',
                'e' => 'W',
                _ => 'E',
            });
            parts.push(turned.iter().collect());
            i += 2;
        }
    }
    parts.reverse();
    parts.concat()
}

#[test]
fn the_game_is_the_same_turned_round() {
    let start = Leiser::start(&LeiserRules::default());
    let mut mirrored = start;
    mirrored.pass();
    assert_eq!(turned_round(&start).text(), mirrored.text());
    along_games(31, 6, 30, |position, dice| {
        if position.outcome().is_some() || dice.index(8) > 0 {
            return;
        }
        // Without the earlier board, so that both see the same Ko.
        let position = Leiser::from_text(&position.text(), &position.rules()).unwrap();
        let round = turned_round(&position);
        assert_eq!(turned_round(&round), position);
        assert_eq!(
            perft_legal(&position, 2),
            perft_legal(&round, 2),
            "{}",
            position.text()
        );
        assert_eq!(perft_generated(&position, 2), perft_generated(&round, 2));
    });
}

/// Keeps a board of its own from what it is told.
struct Mirror([Option<Piece>; 100]);

impl Observer<Piece> for Mirror {
    fn added(&mut self, piece: Piece, square: u16) {
        assert_eq!(self.0[square as usize].replace(piece), None);
    }

    fn removed(&mut self, piece: Piece, square: u16) {
        assert_eq!(self.0[square as usize].take(), Some(piece));
    }
}

fn snapshot(position: &Leiser) -> [Option<Piece>; 100] {
    let mut board = [None; 100];
    position.pieces(|piece, square| board[square as usize] = Some(piece));
    board
}

#[test]
fn observers_can_follow_the_board() {
    along_games(43, 20, 40, |position, _| {
        for m in position.moves() {
            let mut mirror = Mirror(snapshot(position));
            let mut child = *position;
            child.make(m, &mut mirror);
            assert_eq!(mirror.0, snapshot(&child), "{} {m:?}", position.text());
        }
    });
}

#[test]
fn a_pass_only_gives_the_turn_away() {
    along_games(3, 4, 20, |position, _| {
        let mut board = *position;
        let undo = board.pass();
        assert_eq!(board.side(), position.side().other());
        assert_eq!(board.hash(), board.recomputed_hash());
        assert_eq!(snapshot(&board), snapshot(position));
        board.unpass(undo);
        assert_eq!(board, *position);
    });
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut line = Line::new(Leiser::start(&LeiserRules::default()));
    for i in 0..2 {
        for m in ["h0R", "a7R", "h0L", "a7L"] {
            assert_eq!(line.outcome(), None, "round {i}");
            line.play(m).unwrap();
        }
    }
    let outcome = line.outcome().unwrap();
    assert_eq!((outcome.winner, outcome.reason), (None, Reason::Threefold));
}

#[test]
fn the_quiet_limit_is_a_rule_of_the_host() {
    let rules = LeiserRules {
        quiet_limit_plies: 2,
        ..LeiserRules::default()
    };
    let mut line = Line::new(Leiser::start(&rules));
    line.play("h0R").unwrap();
    line.play("a7R").unwrap();
    assert_eq!(line.outcome().map(|o| o.reason), Some(Reason::FiftyMoves));
    assert!(line.position().moves().is_empty());
    assert_eq!(line.position().count_moves(), 0);
    let without = LeiserRules {
        quiet_limit_plies: 0,
        ..rules
    };
    let mut board = Leiser::from_text("endgame", &without).unwrap();
    for _ in 0..300 {
        let turn = board
            .moves()
            .into_iter()
            .find(|m| m.turning().is_some())
            .unwrap();
        board.make(turn, &mut ());
    }
    assert_eq!(board.outcome(), None);
    assert_eq!(LeiserRules::of(Year::Y2013).quiet_limit_plies, 200);
}

#[test]
fn without_ko_the_null_move_is_always_there() {
    let rules = Leiser::rules_from_text("2016 noko").unwrap();
    let start = Leiser::start(&rules);
    assert_eq!(start.count_moves(), 78);
    assert!(start.parse_move("h0h0").is_ok());
}

#[test]
fn suicide_loses() {
    let figure = "ssse6/8/5se1sw/2nw5/5NESW1/2NE5/8/6NWNN W";
    let mut line = Line::new(Leiser::from_text(figure, &LeiserRules::default()).unwrap());
    assert!(
        line.position()
            .notation(line.position().parse_move("g0R").unwrap())
            .ends_with("xh0#")
    );
    line.play("g0R").unwrap();
    let outcome = line.outcome().unwrap();
    assert_eq!(
        (outcome.winner, outcome.reason),
        (Some(Side::Black), Reason::KingZapped)
    );
}

#[test]
fn suicide_in_three_moves_from_the_start() {
    let mut line = Line::new(Leiser::start(&LeiserRules::default()));
    for m in ["h4R", "d6e6", "e1L", "e6R"] {
        line.play(m).unwrap();
        assert_eq!(line.outcome(), None, "{m}");
    }
    line.play("e1f0").unwrap();
    assert_eq!(line.outcome().map(|o| o.result()), Some("0-1"));
}

#[test]
fn the_tactics_figure_in_our_notation() {
    let figure = "ssse3SW2/3sw4/5se1sw/ne1nw5/6SESW/2NE1NE3/6NW1/7NN W";
    let mut line = Line::new(Leiser::from_text(figure, &LeiserRules::default()).unwrap());
    for (engine, people) in [("c2b1", "Pc2-b1xf5"), ("d6c7", "Pd6-c7xh0#")] {
        let m = line.position().parse_move(engine).unwrap();
        assert_eq!(line.position().notation(m), people);
        let spaced = people.replace('x', " x ");
        assert_eq!(line.position().parse_notation(&spaced), Ok(m), "{spaced}");
        line.push(m);
    }
    assert_eq!(line.outcome().map(|o| o.result()), Some("0-1"));
}

#[test]
fn pinned_pawns_are_named_and_may_be_displaced() {
    let figure = "ssse6/8/5se1sw/2nw5/5NESW1/2NE5/8/6NWNN B";
    let position = Leiser::from_text(figure, &LeiserRules::default()).unwrap();
    let pinned: Vec<String> = position
        .pinned()
        .into_iter()
        .map(|s| s.name(8).to_string())
        .collect();
    assert_eq!(pinned, ["f5", "h5"]);
    // 2013 has no pins.
    let old = Leiser::from_text(figure, &LeiserRules::of(Year::Y2013)).unwrap();
    assert!(old.pinned().is_empty());
}

#[test]
fn every_preset_is_read_under_every_year() {
    for year in Year::ALL {
        let rules = LeiserRules::of(year);
        let presets = Leiser::presets(&rules);
        assert_eq!(presets[0], ("startpos", Leiser::start(&rules).text()));
        for (name, text) in presets {
            let position = Leiser::from_text(name, &rules).unwrap();
            assert_eq!(position.text(), text);
            assert_eq!(
                Leiser::from_text(&name.to_uppercase(), &rules),
                Ok(position)
            );
        }
        for name in ["classic", "start", " Start "] {
            assert_eq!(Leiser::from_text(name, &rules), Ok(Leiser::start(&rules)));
        }
        let words = Leiser::rules_text(&rules);
        assert_eq!(Leiser::rules_from_text(&words), Ok(rules));
    }
    let odd = LeiserRules {
        ko: false,
        quiet_limit_plies: 7,
        year: Year::Y2015,
    };
    assert_eq!(Leiser::rules_text(&odd), "2015 quiet=7 noko");
    assert_eq!(Leiser::rules_from_text("2015 quiet=7 noko"), Ok(odd));
    assert_eq!(Leiser::rules_from_text("noko quiet=7 2015"), Ok(odd));
    assert_eq!(Leiser::rules_from_text(""), Ok(LeiserRules::default()));
}

#[test]
fn the_board_is_drawn_from_the_top() {
    let drawn = Leiser::start(&LeiserRules::default()).draw();
    let lines: Vec<&str> = drawn.lines().collect();
    assert_eq!(lines[0], "7  ss -- -- -- nw -- -- --");
    assert_eq!(lines[7], "0  -- -- -- SE -- -- -- NN");
    assert_eq!(lines[8], "   a  b  c  d  e  f  g  h");
    assert_eq!(lines[10], "White to move");
}

#[test]
fn tolerant_forms_of_positions() {
    let rules = LeiserRules::default();
    let start = Leiser::start(&rules);
    let forms = [
        "ss3nw3/3nw4/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3SE3NN",
        "  ss3nw3/3nw4/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3SE3NN  w  ",
        "ss 3 nw 3 / 3nw4/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3 SE 3 NN W",
        "ss111nw12/12nw22/2nw1nw3/1nw3SE1SE/nw1nw3SE1/3SE1SE2/4SE3/3SE3NN\tW\r\n",
    ];
    for form in forms {
        assert_eq!(Leiser::from_text(form, &rules), Ok(start), "{form}");
    }
    // 63 characters of board and two for the side.
    let long = "ss1nwnw1nw1nw/1nw1nw1nw1nw/1nw6/8/8/1SE1SE1SE1SE/SE1SE1SE1SE1/NN7 B";
    assert!(long.len() >= 65);
    let position = Leiser::from_text(long, &rules).unwrap();
    assert_eq!(position.text(), long);
    let split = "ss9/55/10/91/19/10/10/10/10/9NN B";
    let wide = Leiser::from_text(split, &LeiserRules::of(Year::Y2012)).unwrap();
    assert_eq!(wide.text(), "ss9/10/10/10/10/10/10/10/10/9NN B");
}
