//! Searches one position and prints what the search says, line by line.
//!
//! `think <game> <depth|ms> [position text]`, where a limit that ends in `ms`
//! is a time.

use std::time::Duration;

use quadrille_games::Line;
use quadrille_games::chess::Chess;
use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::Liberty;
use quadrille_search::{Control, Limits, Playable, Progress, Searcher, Sink};

struct Print<P>(P);

impl<P: Playable> Sink<P::Move> for Print<P> {
    fn progress(&mut self, progress: &Progress<P::Move>) {
        let line = &progress.lines[0];
        let mut position = self.0.clone();
        let mut text = String::new();
        for &m in &line.moves {
            text += " ";
            text += &position.notation(m);
            position.make(m, &mut ());
        }
        let seconds = progress.time.as_secs_f64();
        println!(
            "{:3}/{:<3} {:>9.3}s {:>11} {:>5.2} Mnps {:>3}‰ {:<24} {}",
            line.depth,
            line.seldepth,
            seconds,
            progress.nodes,
            progress.nodes as f64 / seconds.max(1e-9) / 1e6,
            progress.hashfull,
            line.score.to_string(),
            text.trim()
        );
    }
}

fn think<P: Playable>(limit: &str, text: Option<&str>) {
    let rules = P::Rules::default();
    let position = match text {
        None => P::start(&rules),
        Some(text) => match P::from_text(text, &rules) {
            Ok(position) => position,
            Err(error) => {
                eprintln!("{error}");
                return;
            }
        },
    };
    let limits = match limit.strip_suffix("ms") {
        Some(ms) => Limits::for_time(Duration::from_millis(ms.parse().unwrap_or(1000))),
        None => Limits::to_depth(limit.parse().unwrap_or(10)),
    };
    let mut searcher = Searcher::new();
    searcher.set_hash(64);
    let mut print = Print(position.clone());
    searcher.go(&Line::new(position), &limits, &Control::new(), &mut print);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let limit = arguments.get(1).map_or("10", String::as_str);
    let text = arguments.get(2).map(String::as_str);
    match arguments.first().map(String::as_str) {
        Some("liberty") => think::<Liberty>(limit, text),
        Some("leiser") => think::<Leiser>(limit, text),
        Some("gyges") => think::<Gyges>(limit, text),
        _ => think::<Chess>(limit, text),
    }
}
