//! Plays games against itself and fits the weights of an evaluation to them.
//!
//! ```text
//! tune generate GAME FILE GAMES NODES SEED   appends positions to FILE
//! tune fit GAME FILE EPOCHS RATE [FROM TO]   prints the fitted weights; with
//!                                            a range all others count as 0
//! ```
//!
//! A line of the file is `position|result|value`, both seen from White: the
//! result as 0, 1 or 2 half points, the value as the search saw it. The fit
//! minimises the squared error of a logistic curve through half of each.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::ops::Range;

use quadrille_games::gyges::Gyges;
use quadrille_games::leiser::Leiser;
use quadrille_games::liberty::{Kind, Liberty, RandomStart};
use quadrille_games::{Line, Position, Side};
use quadrille_search::tuning::{Formula, Tunable};
use quadrille_search::{Control, Limits, Searcher};

/// Values are turned into expected results with this scale, as in chess:
/// 400 is ten to one.
const SCALE: f32 = 173.72;
/// Lines with larger values say nothing about weights.
const DECIDED: i32 = 1200;
/// How much of a weight is lost with each step at full rate.
const DECAY: f32 = 1e-4;
/// No game is longer.
const MAX_PLIES: usize = 300;

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [task, "gyges", ref rest @ ..] => run::<Gyges>(task, rest, gyges_start),
        [task, "leiser", ref rest @ ..] => run::<Leiser>(task, rest, |_| start()),
        [task, "liberty", ref rest @ ..] => run::<Liberty>(task, rest, liberty_start),
        _ => Err(usage()),
    }
}

fn usage() -> io::Error {
    io::Error::other("tune generate|fit gyges|leiser|liberty FILE ...")
}

fn run<P: Tunable>(task: &str, rest: &[&str], start: fn(&mut Random) -> P) -> io::Result<()> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| usage());
    match (task, rest) {
        ("generate", [file, games, nodes, seed]) => {
            generate(file, number(games)?, number(nodes)?, number(seed)?, start)
        }
        ("fit", [file, epochs, rate, range @ ..]) => {
            let rate = rate.parse().map_err(|_| usage())?;
            let range = match range {
                [from, to] => number(from)? as usize..number(to)? as usize,
                _ => 0..usize::MAX,
            };
            fit::<P>(file, number(epochs)?, rate, range)
        }
        _ => Err(usage()),
    }
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * bound as u128) >> 64) as usize
    }
}

fn start<P: Position>() -> P {
    P::start(&P::Rules::default())
}

fn gyges_start(random: &mut Random) -> Gyges {
    let number = random.below(Gyges::STARTS);
    Gyges::start_numbered(number, &quadrille_games::gyges::GygesRules::default())
        .unwrap_or_else(start)
}

fn liberty_start(random: &mut Random) -> Liberty {
    let rules = quadrille_games::liberty::Rules::default();
    let presets = Liberty::presets(&rules);
    if random.below(3) > 0 {
        let (_, text) = &presets[random.below(presets.len())];
        return Liberty::from_text(text, &rules).unwrap_or_else(|_| start());
    }
    let kinds: Vec<Kind> = Kind::ALL
        .into_iter()
        .filter(|kind| !matches!(kind, Kind::King | Kind::Pawn))
        .filter(|_| random.below(2) == 0)
        .collect();
    let random_start = RandomStart {
        width: 5 + random.below(8) as u16,
        height: 6 + random.below(6) as u16,
        kinds,
        ..RandomStart::default()
    };
    random_start
        .position(random.below(1 << 30) as u64)
        .unwrap_or_else(|_| start())
}

fn generate<P: Tunable>(
    file: &str,
    games: u64,
    nodes: u64,
    seed: u64,
    start: fn(&mut Random) -> P,
) -> io::Result<()> {
    let file = OpenOptions::new().create(true).append(true).open(file)?;
    let mut out = BufWriter::new(file);
    let mut random = Random(seed);
    let mut searcher = Searcher::<P>::new();
    searcher.set_hash(4);
    for game in 0..games {
        searcher.clear();
        let mut line = Line::new(start(&mut random));
        for _ in 0..4 + random.below(6) {
            open(&mut line, &mut random);
        }
        play(&mut searcher, line, nodes, &mut out)?;
        if game % 100 == 99 {
            out.flush()?;
            eprintln!("{} games", game + 1);
        }
    }
    out.flush()
}

/// One random move; not one that loses at once, if that can be seen.
fn open<P: Tunable>(line: &mut Line<P>, random: &mut Random) {
    if line.outcome().is_some() {
        return;
    }
    let moves = line.position().moves();
    for _ in 0..40 {
        let Some(&m) = moves.get(random.below(moves.len())) else {
            return;
        };
        let mut after = line.position().clone();
        after.make(m, &mut ());
        if after.win_at_once().is_none() {
            line.push(m);
            return;
        }
    }
}

fn play<P: Tunable>(
    searcher: &mut Searcher<P>,
    mut line: Line<P>,
    nodes: u64,
    out: &mut impl Write,
) -> io::Result<()> {
    let limits = Limits::to_nodes(nodes);
    let mut seen: Vec<(String, i32)> = Vec::new();
    let mut result = 1;
    for _ in 0..MAX_PLIES {
        if let Some(outcome) = line.outcome_with_claims() {
            result = outcome.winner.map_or(1, |side| 2 - 2 * side.index());
            break;
        }
        let answer = searcher.go(&line, &limits, &Control::new(), &mut ());
        let Some(best) = answer.best else {
            break;
        };
        let value = answer.last.lines.first().map_or(0, |l| l.score.value());
        let position = line.position();
        let white = match position.side() {
            Side::White => value,
            Side::Black => -value,
        };
        if value.abs() > 20_000 {
            result = if white > 0 { 2 } else { 0 };
            break;
        }
        if value.abs() < DECIDED && !position.is_tactical(best) && !position.in_check() {
            seen.push((position.text(), white));
        }
        line.push(best);
    }
    for (text, value) in seen {
        writeln!(out, "{text}|{result}|{value}")?;
    }
    Ok(())
}

struct Sample {
    formula: Formula,
    target: f32,
}

fn read<P: Tunable>(file: &str) -> io::Result<Vec<Sample>> {
    let rules = P::Rules::default();
    let mut samples = Vec::new();
    for line in BufReader::new(File::open(file)?).lines() {
        let line = line?;
        let mut parts = line.rsplitn(3, '|');
        let value = parts.next().and_then(|t| t.parse::<f32>().ok());
        let result = parts.next().and_then(|t| t.parse::<f32>().ok());
        let position = parts.next().and_then(|t| P::from_text(t, &rules).ok());
        if let (Some(value), Some(result), Some(position)) = (value, result, position) {
            samples.push(Sample {
                formula: position.formula(),
                target: 0.5 * result / 2.0 + 0.5 * curve(value),
            });
        }
    }
    Ok(samples)
}

fn curve(value: f32) -> f32 {
    1.0 / (1.0 + (-value / SCALE).exp())
}

fn predict(formula: &Formula, weights: &[f32]) -> f32 {
    let sum: f32 = formula
        .factors
        .iter()
        .map(|&(i, f)| weights[i as usize] * f)
        .sum();
    curve(formula.fixed + sum)
}

fn error(samples: &[Sample], weights: &[f32]) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|s| f64::from(predict(&s.formula, weights) - s.target).powi(2))
        .sum();
    sum / samples.len().max(1) as f64
}

/// Adam on small batches; every tenth sample is kept aside to see whether
/// what was learnt is true.
fn fit<P: Tunable>(file: &str, epochs: u64, rate: f32, range: Range<usize>) -> io::Result<()> {
    let mut samples = read::<P>(file)?;
    for sample in &mut samples {
        let factors = &mut sample.formula.factors;
        factors.retain(|&(index, _)| range.contains(&(index as usize)));
    }
    let (held, mut taught): (Vec<_>, Vec<_>) = {
        let mut index = 0;
        samples.into_iter().partition(|_| {
            index += 1;
            (index / 50) % 10 == 0
        })
    };
    let mut weights: Vec<f32> = P::weights().iter().map(|&w| w as f32).collect();
    println!(
        "{} samples, {} weights, error {:.6} / {:.6}",
        taught.len(),
        weights.len(),
        error(&taught, &weights),
        error(&held, &weights)
    );
    let mut adam = Adam::new(weights.len());
    let mut random = Random(1);
    for epoch in 0..epochs {
        for i in (1..taught.len()).rev() {
            taught.swap(i, random.below(i + 1));
        }
        let rate = rate * (1.01 - epoch as f32 / epochs as f32);
        for batch in taught.chunks(1024) {
            adam.step(batch, &mut weights, rate);
        }
        println!(
            "epoch {epoch}: error {:.6} / {:.6}",
            error(&taught, &weights),
            error(&held, &weights)
        );
    }
    let rounded: Vec<i32> = weights.iter().map(|w| w.round() as i32).collect();
    // Long lists go into a file of 16-bit numbers beside the samples.
    let short = rounded.len().min(200);
    println!("{:?}", &rounded[..short]);
    let bytes: Vec<u8> = rounded
        .iter()
        .flat_map(|&w| (w.clamp(-32_000, 32_000) as i16).to_le_bytes())
        .collect();
    std::fs::write(format!("{file}.weights"), bytes)?;
    Ok(())
}

struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    gradient: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(weights: usize) -> Self {
        Self {
            mean: vec![0.0; weights],
            square: vec![0.0; weights],
            gradient: vec![0.0; weights],
            steps: 0,
        }
    }

    fn step(&mut self, batch: &[Sample], weights: &mut [f32], rate: f32) {
        self.gradient.fill(0.0);
        for sample in batch {
            let p = predict(&sample.formula, weights);
            let slope = (p - sample.target) * p * (1.0 - p);
            for &(i, factor) in &sample.formula.factors {
                self.gradient[i as usize] += slope * factor;
            }
        }
        self.steps += 1;
        let (b1, b2) = (0.9f32, 0.999f32);
        let size = batch.len() as f32;
        for (i, weight) in weights.iter_mut().enumerate() {
            let g = self.gradient[i] / size;
            self.mean[i] = b1 * self.mean[i] + (1.0 - b1) * g;
            self.square[i] = b2 * self.square[i] + (1.0 - b2) * g * g;
            let mean = self.mean[i] / (1.0 - b1.powi(self.steps));
            let square = self.square[i] / (1.0 - b2.powi(self.steps));
            // A little decay keeps what is rarely seen near nothing.
            *weight -= rate * (mean / (square.sqrt() + 1e-8) + DECAY * *weight);
        }
    }
}
