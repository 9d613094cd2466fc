//! Numbers of the search, tuned by games: see `docs/tuning.md`.

use std::path::Path;

use quadrille_games::Game;
use quadrille_lab::spsa::{self, Course, SpsaSettings};

use crate::args::Args;
use crate::print_line;

pub(crate) const USAGE: &str = "
lab spsa --game GAME [options] NAME[=STEP]...    tunes numbers of the search by games
  --iterations N   (default 1000)
  --games N        games of an iteration, an even number (default 10)
  --nodes N        nodes for each move (default 5000)
  --seed N         the same seed gives the same course (default 1)
  --rate X         how far values follow a result (default 0.012)
  --numbers FILE   more of NAME[=STEP], one on a line; # begins a comment
  --state FILE     where the run is kept; the same command continues it
A step is how far the two players are from a value in the last iteration; a tenth of the
value, at least 1, if it is not given. One game at a time is played, because the numbers
belong to the process.
";

/// Iterations between two lines of output.
const REPORT_EVERY: u32 = 10;

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let game = args.text("--game")?.ok_or("--game GAME is missing")?;
    let game: Game = game.parse().map_err(|error| format!("{error}"))?;
    let usual = SpsaSettings::default();
    let mut settings = SpsaSettings {
        game,
        iterations: args.value("--iterations", usual.iterations)?,
        games: args.value("--games", usual.games)?,
        nodes: args.value("--nodes", usual.nodes)?,
        seed: args.value("--seed", usual.seed)?,
        rate: args.value("--rate", usual.rate)?,
        numbers: Vec::new(),
    };
    let state = args.text("--state")?;
    let file = match args.text("--numbers")? {
        Some(path) => spsa::read_text(Path::new(&path))?,
        None => String::new(),
    };
    let words = args.rest()?;
    let lines = file
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let lines = lines.filter(|line| !line.trim().is_empty());
    settings.numbers = spsa::numbers(words.iter().map(String::as_str).chain(lines))?;
    let course = spsa::run(settings, state.as_deref().map(Path::new), |course| {
        if course.done().is_multiple_of(REPORT_EVERY) || course.is_over() {
            print_line(&standing(course))?;
        }
        Ok(true)
    })?;
    for (number, value) in course.values() {
        let (name, old) = (number.of.name, number.of.default);
        print_line(&format!("{name} {old} -> {value:.0}"))?;
    }
    Ok(())
}

fn standing(course: &Course) -> String {
    let each = course.values();
    let each = each.map(|(number, value)| format!("{} {value:.1}", number.of.name));
    let each: Vec<String> = each.collect();
    let (done, games) = (course.done(), course.games());
    format!("iteration {done}, {games} games: {}", each.join(", "))
}
