//! A file of each game as it was written once: whatever changes in the rules'
//! lists of moves or their codes must not make old files unreadable.

use std::path::Path;

use quadrille_games::match_game;
use quadrille_lab::openings::Opening;
use quadrille_lab::{Games, stats};

/// Searched plies of each file, and the position at the end of its first game.
const FILES: [(&str, u64, &str); 4] = [
    ("chess", 540, "8/8/b7/8/8/1k6/2pK4/q7 w - - 0 112"),
    (
        "leiser",
        379,
        "1ee2sw3/1sese2ne2/8/1se5SW/6NE1/6NW1/2SE1NW1NWNN/8 W",
    ),
    ("gyges", 87, "000000/200302/300021/100032/003010/000000/10"),
    (
        "liberty",
        465,
        "E2K1k2/4l3/l2e1NE1/7Z/8/8/8/8 b - - 12 75 - enzl",
    ),
];

fn last_of_first<P: Opening>(path: &Path) -> String {
    let mut file = Games::open(path).expect("a file of games");
    let block = file.next_block::<P>(&P::run_rules()).expect("whole");
    let game = block
        .expect("a block")
        .into_iter()
        .find(|game| game.number == 0);
    game.expect("a first game").line().position().text()
}

#[test]
fn old_files_are_read() {
    for (game, plies, last) in FILES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let path = folder.join(format!("{game}.games"));
        let stats = stats::of_any(&path).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((stats.games, stats.plies), (5, plies), "{game}");
        let known = stats.header.game;
        assert_eq!(known.to_string(), game);
        assert_eq!(match_game!(known, P => last_of_first::<P>(&path)), last);
    }
}
