//! Reading game records: SAN to move and the move made, beside shakmaty.
//!
//! Both read the same 1,000 random games, prepared in memory as one text a
//! game; the table shows the best of several turns in rotation.

use std::hint::black_box;
use std::time::Instant;

use quadrille_games::Position;
use quadrille_games::chess::Chess;
use quadrille_games::random::SplitMix64;
use shakmaty::Position as _;
use shakmaty::san::SanPlus;

/// Random games, written by shakmaty so that neither reader knows the writer.
fn games() -> Vec<String> {
    let mut random = SplitMix64::new(1);
    let mut list = Vec::new();
    for _ in 0..1_000 {
        let mut position = shakmaty::Chess::default();
        let mut text = String::new();
        for _ in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random.index(moves.len())];
            let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
            text.push_str(&san.to_string());
            text.push(' ');
        }
        list.push(text);
    }
    list
}

fn ours(games: &[String]) -> u64 {
    let mut moves = 0;
    for game in games {
        let mut position = Chess::default();
        for san in game.split_ascii_whitespace() {
            let m = position.parse_notation(san).expect("a legal game");
            position.play(m);
            moves += 1;
        }
        black_box(&position);
    }
    moves
}

fn theirs(games: &[String]) -> u64 {
    let mut moves = 0;
    for game in games {
        let mut position = shakmaty::Chess::default();
        for san in game.split_ascii_whitespace() {
            let san = SanPlus::from_ascii(san.as_bytes()).expect("SAN");
            let m = san.san.to_move(&position).expect("a legal game");
            position.play_unchecked(m);
            moves += 1;
        }
        black_box(&position);
    }
    moves
}

fn main() {
    let games = games();
    assert_eq!(ours(&games), theirs(&games));
    let runners: [fn(&[String]) -> u64; 2] = [ours, theirs];
    let mut best = [f64::MAX; 2];
    let mut moves = 0;
    for _ in 0..25 {
        for (time, run) in best.iter_mut().zip(runners) {
            let start = Instant::now();
            moves = black_box(run(&games));
            *time = time.min(start.elapsed().as_secs_f64());
        }
    }
    let speed = best.map(|t| moves as f64 / t / 1e6);
    println!("SAN read and played, million moves a second");
    println!(
        "quadrille {:.1}, shakmaty {:.1}, ratio {:.2}",
        speed[0],
        speed[1],
        best[1] / best[0]
    );
}
