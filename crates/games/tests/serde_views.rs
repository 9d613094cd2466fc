//! The views of a page as JSON, both ways.

use quadrille_games::any_line::{BeamView, BounceView, FireView, MoveView, PieceView};
use quadrille_games::builder::{AnyBuilder, ProblemView};
use quadrille_games::{AnyLine, Game, Outcome, Reason, Side};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn there_and_back<T>(value: &T) -> Value
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(&back, value, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_view_comes_back_as_it_was() {
    for game in Game::ALL {
        assert_eq!(there_and_back(&game), json!(game.name()));
        let line = AnyLine::start(game);
        for m in line.legal_moves(50) {
            there_and_back::<MoveView>(&m);
        }
        there_and_back::<Vec<PieceView>>(&line.pieces());
        let errors = AnyBuilder::new(game, "").unwrap().build();
        if let Err(errors) = errors {
            for error in errors.iter() {
                there_and_back::<ProblemView>(&error.view());
            }
        }
    }
    let leiser = AnyLine::start(Game::Leiser);
    there_and_back::<Option<BeamView>>(&leiser.beam(Side::White));
    there_and_back::<Option<FireView>>(&leiser.fire("h4g5").unwrap());
    let gyges = AnyLine::start(Game::Gyges);
    there_and_back::<Option<BounceView>>(&gyges.bounce_path("2|13").unwrap());
}

#[test]
fn the_names_are_those_of_the_command_line() {
    let m = AnyLine::start(Game::Chess).find("e2e4").unwrap();
    assert_eq!(
        there_and_back(&m),
        json!({
            "text": "e2e4", "notation": "e4", "squares": ["e2", "e4"],
            "suffix": null, "tactical": false,
        })
    );
    let win = Outcome::win(Side::Black, Reason::KingZapped);
    assert_eq!(
        there_and_back(&win),
        json!({ "winner": "black", "reason": "king-zapped" })
    );
    let draw = Outcome::draw(Reason::SeventyFiveMoves);
    assert_eq!(
        there_and_back(&draw),
        json!({ "winner": null, "reason": "seventy-five-moves" })
    );
    let mut builder = AnyBuilder::new(Game::Gyges, "").unwrap();
    let error = builder.put("g9", "1").unwrap_err();
    assert_eq!(
        there_and_back(&error.view()),
        json!({
            "field": "placement", "square": null,
            "message": "\"g9\" is not a square of this board",
        })
    );
}
