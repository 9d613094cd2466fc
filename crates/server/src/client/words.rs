//! What the server lists, in words.

use quadrille_net::sanitize::cut;

use crate::message::{Colour, GameView, PlayerView, SeekView, TournamentView, Wish};

pub(super) fn by(seek: &SeekView) -> String {
    format!("{} {} ({})", seek.id, seek.by, seek.rating)
}

pub(super) fn wish_words(wish: &Wish) -> String {
    let mut words = format!("{} {}", wish.game, wish.time);
    if wish.rated {
        words += " rated";
    }
    let extras = [&wish.preset, &wish.rules, &wish.fen];
    for text in extras.into_iter().flatten() {
        words.push(' ');
        words += &cut(text, 80);
    }
    match wish.colour {
        Colour::Random => words,
        colour => format!("{words}, as {colour}"),
    }
}

pub(super) fn player_words(player: &PlayerView) -> String {
    let kind = if player.person { "person" } else { "engine" };
    let ratings: Vec<String> = (player.ratings.iter())
        .map(|(game, rating)| format!("{game} {rating}"))
        .collect();
    let playing = match player.playing {
        Some(id) => format!(", plays game {id}"),
        None => String::new(),
    };
    format!("{} ({kind}) {}{playing}", player.name, ratings.join(", "))
}

pub(super) fn game_words(game: &GameView) -> String {
    let [white, black] = &game.players;
    format!(
        "  {} {white} - {black}, {} {}, {} half moves: watch {}",
        game.id, game.game, game.time, game.plies, game.id
    )
}

pub(super) fn tournament_words(tournament: &TournamentView) -> String {
    let TournamentView {
        id,
        state,
        round,
        rounds,
        players,
        game,
        time,
        title,
    } = tournament;
    let title = cut(title, 60);
    let count = match players {
        1 => "1 player".to_owned(),
        many => format!("{many} players"),
    };
    format!("  tournament {id} {title}: {game} {time}, {state}, round {round} of {rounds}, {count}")
}
