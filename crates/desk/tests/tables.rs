//! Games between people, engines and guests.

use quadrille_desk::Rights;
use quadrille_desk::effect::{SearchNews, Thinking, Thought};
use quadrille_desk::thought::{Value, line_view, score_view};
use quadrille_desk::wire::{
    Answer, Ask, Level, NewTable, RefusalCode, Seat, SeatState, TableAction, TableEnd, TimeSetting,
    ToPage, Topic,
};
use quadrille_games::{AnyLine, Game, Side};

use crate::common::{ENGINE, World, start};

fn person() -> Seat {
    Seat::Person { name: "Ann".into() }
}

fn guest() -> Seat {
    Seat::Guest {
        name: String::new(),
    }
}

fn machine() -> Seat {
    Seat::Engine {
        engine: ENGINE,
        level: Level::Step(3),
    }
}

const BLITZ: TimeSetting = TimeSetting::Clock {
    base: 60_000.0,
    increment: 1_000.0,
    moves: 0,
};
const CALM: TimeSetting = TimeSetting::Unlimited { engine: 500.0 };

fn table(world: &mut World, game: Game, white: Seat, black: Seat, time: TimeSetting) -> u32 {
    world.number(Ask::NewTable {
        table: NewTable {
            start: start(game),
            seats: (white, black),
            time,
        },
    })
}

fn go(world: &mut World, table: u32, text: &str) {
    let ply = u32::try_from(world.table(table).plies.len()).unwrap();
    let text = text.into();
    let done = world.act(table, TableAction::Move { text, ply });
    assert_eq!(done, Ok(Answer::Done));
}

#[test]
fn a_person_beats_an_engine() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, machine(), person(), CALM);
    let order = world.orders[0].clone();
    assert_eq!(order.level, Level::Step(3));
    assert!(matches!(order.time, Thinking::Limits(l) if l.movetime == Some(500.0)));
    assert_eq!(world.status(id).states.0, SeatState::Starting);
    world.engine_plays("f2f3", 100.0);
    go(&mut world, id, "e5");
    assert_eq!(world.orders[1].line.played_texts(), ["f2f3", "e7e5"]);
    world.engine_plays("g2g4", 100.0);
    go(&mut world, id, "Qh4#");
    let view = world.table(id);
    let Some(TableEnd::Rules { outcome }) = view.end else {
        panic!("{:?}", view.end);
    };
    assert_eq!(outcome.winner, Some(Side::Black));
    assert_eq!(world.finished.len(), 1);
    assert!(world.finished[0].contains("[Black \"Ann\"]"));
    let late = TableAction::Resign { side: Side::Black };
    assert_eq!(world.act(id, late).unwrap_err().code, RefusalCode::Turn);
    let study = world.number(Ask::StudyTable { table: id });
    assert_eq!(world.study(study).nodes.len(), 5);
    let Ok(Answer::Table(next)) = world.act(id, TableAction::Rematch) else {
        panic!("another game");
    };
    assert!(matches!(
        world.table(next).seats.0.seat,
        Seat::Person { .. }
    ));
    assert_eq!(world.table(id).next, Some(next));
}

#[test]
fn a_late_click_is_no_move() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, person(), person(), CALM);
    go(&mut world, id, "e4");
    let text = "d4".to_owned();
    let late = world.act(id, TableAction::Move { text, ply: 0 });
    assert_eq!(late.unwrap_err().code, RefusalCode::Turn);
    let text = "e4".to_owned();
    let illegal = world.act(id, TableAction::Move { text, ply: 1 });
    assert_eq!(illegal.unwrap_err().code, RefusalCode::Move);
}

#[test]
fn clocks_run_and_flags_fall() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, person(), person(), BLITZ);
    world.now += 30_000.0;
    go(&mut world, id, "e4");
    world.now += 30_000.0;
    go(&mut world, id, "e5");
    let clock = world.status(id).clock.expect("a clock");
    assert_eq!(clock.left, (60_000.0, 60_000.0), "the first moves are free");
    world.now += 10_000.0;
    assert_eq!(world.status(id).clock.map(|c| c.left.0), Some(50_000.0));
    go(&mut world, id, "Nf3");
    let left = world.status(id).clock.map(|c| c.left.0);
    assert_eq!(left, Some(51_000.0));
    assert_eq!(Some(world.table(id).plies[2].spent), Some(10_000.0));
    assert!(
        world.wake <= world.now + 60_000.0,
        "in time, or to look again"
    );
    world.wait(59_000.0);
    assert_eq!(world.table(id).end, None);
    world.wait(1_000.0);
    let loser = Side::Black;
    let end = world.table(id).end;
    assert_eq!(end, Some(TableEnd::Time { loser, draw: false }));
}

#[test]
fn time_is_a_draw_against_a_bare_king() {
    let mut world = World::new();
    let mut start = start(Game::Chess);
    start.position = "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1".into();
    let id = world.number(Ask::NewTable {
        table: NewTable {
            start,
            seats: (person(), person()),
            time: TimeSetting::PerMove { each: 5_000.0 },
        },
    });
    go(&mut world, id, "Kd5");
    go(&mut world, id, "Kd2");
    go(&mut world, id, "Kd4");
    world.wait(6_000.0);
    let loser = Side::White;
    let end = world.table(id).end;
    assert_eq!(end, Some(TableEnd::Time { loser, draw: true }));
}

#[test]
fn engines_are_charged_what_they_spent() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, machine(), person(), BLITZ);
    world.engine_plays("e2e4", 2_000.0);
    go(&mut world, id, "e5");
    let order = world.orders.last().expect("an order");
    assert_eq!(
        order.time,
        Thinking::Clocks {
            left: (60_000.0, 60_000.0),
            increment: (1_000.0, 1_000.0),
            moves: None,
        }
    );
    world.now += 5_000.0;
    world.engine_plays("g1f3", 4_000.0);
    let left = world.status(id).clock.map(|c| c.left.0);
    assert_eq!(
        left,
        Some(57_000.0),
        "the machine's own delay is not charged"
    );
    go(&mut world, id, "Nc6");
    let search = world.orders.last().expect("an order").search;
    world.wait(58_500.0);
    assert_eq!(world.stopped, [search], "told to stop");
    world.wait(7_000.0);
    let end = world.table(id).end;
    assert!(matches!(end, Some(TableEnd::Time { .. })), "{end:?}");
}

/// What was sent about a topic since the last look: each message as it goes out.
fn sent(world: &mut World, topic: &Topic) -> Vec<String> {
    let told = world
        .sent
        .drain(..)
        .filter(|(_, message)| matches!(message, ToPage::News { topic: of, .. } if of == topic));
    let texts = told.map(|(_, message)| serde_json::to_string(&message).unwrap());
    texts.collect()
}

#[test]
fn a_ply_sends_the_board_once_and_a_clock_is_small() {
    let mut world = World::new();
    let hours = TimeSetting::Clock {
        base: 86_400_000.0,
        increment: 2_000.0,
        moves: 40,
    };
    let id = table(&mut world, Game::Chess, person(), machine(), hours);
    let (board, clock) = (Topic::Table(id), Topic::Clock(id));
    world.table(id);
    world.status(id);
    world.sent.clear();
    let play = |world: &mut World, text: &str, ply| {
        let text = text.into();
        world.act(id, TableAction::Move { text, ply }).unwrap();
    };
    play(&mut world, "e4", 0);
    assert_eq!(sent(&mut world, &board).len(), 1);
    // The engine begins, plays, and thinks again after the next ply.
    world.engine_plays("e7e5", 1_234.567_8);
    assert_eq!(sent(&mut world, &board).len(), 1);
    world.now += 4_321.123_456;
    play(&mut world, "d4", 2);
    let boards = |world: &World| {
        let told = world.sent.iter();
        let told = told.filter(|(_, message)| matches!(message, ToPage::News { topic, .. } if *topic == Topic::Table(id)));
        told.count()
    };
    assert_eq!(boards(&world), 1);
    let ply = sent(&mut world, &clock);
    let search = world.orders.last().expect("an order").search;
    world.heard(search, SearchNews::Begun);
    for action in [TableAction::Pause, TableAction::Resume, TableAction::Pause] {
        world.act(id, action).unwrap();
    }
    assert_eq!(boards(&world), 0, "clocks are no news of the board");
    let clocks = [ply, sent(&mut world, &clock)].concat();
    assert_eq!(clocks.len(), 5);
    for text in clocks {
        assert!(text.len() < 200, "{} bytes: {text}", text.len());
    }
}

#[test]
fn moves_are_taken_back_with_their_time() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, person(), machine(), BLITZ);
    go(&mut world, id, "e4");
    world.engine_plays("e7e5", 10.0);
    world.now += 3_000.0;
    go(&mut world, id, "Qh5");
    let search = world.orders.last().expect("an order").search;
    assert_eq!(world.act(id, TableAction::TakeBack), Ok(Answer::Done));
    assert_eq!(world.stopped, [search]);
    assert_eq!(world.table(id).plies.len(), 2);
    let left = world.status(id).clock.map(|c| c.left.0);
    assert_eq!(left, Some(60_000.0));
    // What the stopped engine still says is not taken.
    let best = Some("g7g6".to_owned());
    world.heard(
        search,
        SearchNews::Done {
            best,
            spent: 1.0,
            resigns: false,
        },
    );
    assert_eq!(world.table(id).plies.len(), 2);
    assert_eq!(world.act(id, TableAction::TakeBack), Ok(Answer::Done));
    let none = world.act(id, TableAction::TakeBack);
    assert_eq!(none.unwrap_err().code, RefusalCode::Turn);
}

fn thought(cp: i64) -> SearchNews {
    let line = AnyLine::start(Game::Chess);
    let score = score_view(Game::Chess, Value::Cp(cp), None);
    let view = line_view(&line, 1, 9, score, ["e2e4"].into_iter()).expect("legal");
    SearchNews::Lines(Box::new(Thought {
        lines: vec![view],
        ..Thought::default()
    }))
}

#[test]
fn an_engine_takes_a_draw_only_if_it_is_not_better() {
    for (cp, agreed) in [(80, true), (-80, false)] {
        let mut world = World::new();
        let id = table(&mut world, Game::Chess, person(), machine(), CALM);
        go(&mut world, id, "e4");
        let offer = TableAction::OfferDraw { side: Side::White };
        assert!(
            world.act(id, offer.clone()).is_err(),
            "it knows nothing yet"
        );
        let search = world.orders[0].search;
        world.heard(search, thought(cp));
        world.engine_plays("e7e5", 10.0);
        assert_eq!(world.act(id, offer).is_ok(), agreed);
        let view = world.table(id);
        assert_eq!(view.end == Some(TableEnd::Agreed), agreed);
        assert_eq!(view.plies[1].score.is_some(), agreed, "told after the end");
    }
}

#[test]
fn people_offer_accept_and_decline() {
    let mut world = World::new();
    let id = table(&mut world, Game::Gyges, person(), person(), CALM);
    let offer = TableAction::OfferDraw { side: Side::Black };
    assert_eq!(world.act(id, offer.clone()), Ok(Answer::Done));
    assert_eq!(world.status(id).draw_offer, Some(Side::Black));
    assert_eq!(world.act(id, TableAction::DeclineDraw), Ok(Answer::Done));
    assert_eq!(world.status(id).draw_offer, None);
    let _ = world.act(id, offer);
    assert_eq!(world.act(id, TableAction::AcceptDraw), Ok(Answer::Done));
    assert_eq!(world.table(id).end, Some(TableEnd::Agreed));
}

#[test]
fn draws_can_be_claimed_and_hints_asked_for() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, person(), person(), CALM);
    assert!(world.act(id, TableAction::ClaimDraw).is_err());
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(2) {
        go(&mut world, id, text);
    }
    assert!(world.table(id).board.claim.is_some());
    assert_eq!(world.act(id, TableAction::Hint), Ok(Answer::Done));
    world.engine_plays("e2e4", 5.0);
    assert_eq!(world.status(id).hint.as_deref(), Some("e2e4"));
    assert_eq!(world.act(id, TableAction::ClaimDraw), Ok(Answer::Done));
    let end = world.table(id).end;
    assert!(matches!(end, Some(TableEnd::Rules { outcome }) if outcome.winner.is_none()));
}

#[test]
fn a_game_by_link_begins_when_the_guest_is_there() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, person(), guest(), BLITZ);
    let text = "e2e4".to_owned();
    let early = world.act(id, TableAction::Move { text, ply: 0 });
    let early = early.unwrap_err();
    assert_eq!(early.code, RefusalCode::Turn);
    assert!(early.words.contains("link"), "{}", early.words);
    assert!(world.table(id).plies.is_empty());
    let link = world.table(id).seats.1.link.expect("for the owner");
    let token = link.strip_prefix("?guest=").and_then(|l| l.split_once('#'));
    let rights = Rights::Guest {
        token: token.expect("a token").0.into(),
    };
    let page = world.open(rights).expect("the guest");
    go(&mut world, id, "e2e4");
    // A game that has begun goes on while they are away.
    let effects = world.desk.left(page, world.now);
    world.take(effects);
    let text = "e7e5".to_owned();
    assert!(world.act(id, TableAction::Move { text, ply: 1 }).is_err());
    assert_eq!(world.table(id).plies.len(), 1);
    assert_eq!(world.status(id).states.1, SeatState::Away);
    assert_eq!(world.act(id, TableAction::TakeBack), Ok(Answer::Done));
}

#[test]
fn a_guest_sits_down_by_link() {
    let mut world = World::new();
    let id = table(&mut world, Game::Leiser, person(), guest(), CALM);
    let view = world.table(id);
    assert_eq!(world.status(id).states.1, SeatState::Away);
    let link = view.seats.1.link.expect("for the owner");
    let token = link.strip_prefix("?guest=").and_then(|l| l.split_once('#'));
    let (token, place) = token.expect("a token and a place");
    assert_eq!(place, format!("/play/{id}"));
    let wrong = Rights::Guest {
        token: "guess".into(),
    };
    assert_eq!(world.open(wrong), None);
    assert_eq!(world.desk.guest_table(token), Some(id));
    assert_eq!(world.desk.guest_table("guess"), None);
    let rights = Rights::Guest {
        token: token.into(),
    };
    let page = world.open(rights).expect("the guest");
    let seen = world.table_as(page, id);
    assert!(seen.seats.1.mine && !seen.seats.0.mine);
    assert_eq!(seen.seats.1.link, None);
    assert_eq!(world.status(id).states.1, SeatState::Idle);
    let act = |world: &mut World, action| world.ask_as(page, Ask::Act { table: id, action });
    let name = "Bob\n<b>".to_owned();
    assert_eq!(
        act(&mut world, TableAction::Name { name }),
        Ok(Answer::Done)
    );
    let resign = TableAction::Resign { side: Side::White };
    let refused = act(&mut world, resign).unwrap_err();
    assert_eq!(refused.code, RefusalCode::Forbidden);
    let text = "h4g5".to_owned();
    let early = act(&mut world, TableAction::Move { text, ply: 0 });
    assert_eq!(early.unwrap_err().code, RefusalCode::Turn);
    // Nobody may ask an engine in a game against another person.
    let action = TableAction::Hint;
    let hint = world.ask(Ask::Act { table: id, action }).unwrap_err();
    assert_eq!(hint.code, RefusalCode::Forbidden);
    go(&mut world, id, "h4g5");
    assert_eq!(
        act(&mut world, TableAction::TakeBack).unwrap_err().code,
        RefusalCode::Turn
    );
    assert_eq!(world.act(id, TableAction::TakeBack), Ok(Answer::Done));
    assert_eq!(world.status(id).takeback, Some(Side::White));
    assert_eq!(
        act(&mut world, TableAction::AcceptTakeBack),
        Ok(Answer::Done)
    );
    assert_eq!(world.table(id).plies.len(), 0);
    for forbidden in [
        Ask::StudyTable { table: id },
        Ask::NewStudy {
            start: start(Game::Chess),
            title: None,
        },
        Ask::Remember {
            name: "x".into(),
            value: "1".into(),
        },
    ] {
        let refused = world.ask_as(page, forbidden).unwrap_err();
        assert_eq!(refused.code, RefusalCode::Forbidden);
    }
    let pause = world.act(id, TableAction::Pause);
    assert_eq!(pause.unwrap_err().code, RefusalCode::Value);
}

#[test]
fn a_restart_in_the_middle_loses_nothing() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, person(), machine(), BLITZ);
    go(&mut world, id, "e4");
    world.engine_plays("e7e5", 10.0);
    world.now += 5_000.0;
    go(&mut world, id, "Nf3");
    let before = (world.table(id).plies, world.status(id).clock);
    let mut world = world.restarted(3_600_000.0);
    assert!(world.orders.is_empty(), "it rests until a page looks");
    world.wait(3_600_000.0);
    let after = (world.table(id).plies, world.status(id).clock);
    assert_eq!(after.0, before.0);
    assert_eq!(after.1.map(|c| c.left), before.1.map(|c| c.left));
    assert_eq!(world.orders.len(), 1, "and goes on then");
    assert_eq!(
        world.orders[0].line.played_texts(),
        ["e2e4", "e7e5", "g1f3"]
    );
    world.engine_plays("b8c6", 1_000.0);
    assert_eq!(world.table(id).plies.len(), 4);
}

#[test]
fn a_paused_game_costs_no_time() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, person(), machine(), BLITZ);
    go(&mut world, id, "e4");
    world.engine_plays("e7e5", 10.0);
    world.now += 5_000.0;
    assert_eq!(world.act(id, TableAction::Pause), Ok(Answer::Done));
    world.wait(1_000_000.0);
    let status = world.status(id);
    assert!(status.paused);
    assert_eq!(status.clock.map(|c| c.left.0), Some(55_000.0));
    let text = "d4".to_owned();
    let refused = world.act(id, TableAction::Move { text, ply: 2 });
    assert_eq!(refused.unwrap_err().code, RefusalCode::Turn);
    assert_eq!(world.act(id, TableAction::Resume), Ok(Answer::Done));
    world.now += 1_000.0;
    go(&mut world, id, "d4");
    assert_eq!(Some(world.table(id).plies[2].spent), Some(6_000.0));
}

#[test]
fn an_engine_that_fails_twice_or_cheats_has_lost() {
    let mut world = World::new();
    let id = table(&mut world, Game::Chess, machine(), person(), CALM);
    let fail = |world: &mut World| {
        let search = world.orders.last().expect("an order").search;
        let words = "it died".to_owned();
        world.heard(search, SearchNews::Failed { words });
    };
    fail(&mut world);
    assert_eq!((world.orders.len(), world.table(id).end), (2, None));
    fail(&mut world);
    let end = world.table(id).end;
    assert!(matches!(
        end,
        Some(TableEnd::Engine {
            loser: Side::White,
            ..
        })
    ));
    let id = table(&mut world, Game::Chess, machine(), person(), CALM);
    world.engine_plays("e2e5", 1.0);
    let end = world.table(id).end;
    assert!(matches!(end, Some(TableEnd::Engine { .. })), "{end:?}");
}

#[test]
fn two_engines_play_by_themselves() {
    let mut world = World::new();
    let id = table(&mut world, Game::Gyges, machine(), machine(), CALM);
    for _ in 0..200 {
        if world.table(id).end.is_some() {
            break;
        }
        let moves = world.table(id).board.moves;
        let best = moves
            .iter()
            .find(|m| m.tactical)
            .unwrap_or(&moves[0])
            .text
            .clone();
        world.engine_plays(&best, 1.0);
    }
    assert!(world.table(id).end.is_some());
}
