//! Evaluations with a net: they follow the board, and are the same with every
//! kernel and for every image of a board.

use std::sync::Arc;

use quadrille_games::chess::Chess;
use quadrille_games::gyges::{Gyges, GygesRules};
use quadrille_games::leiser::{Leiser, LeiserRules, Year};
use quadrille_games::liberty::{Kind, Liberty, RandomStart, Rules};
use quadrille_games::random::SplitMix64;
use quadrille_games::{Position, Side};
use quadrille_search::Evaluator;
use quadrille_search::net::{FAR, Inputs, Kernel, Net, Numbers};
use quadrille_search::score::MAX_EVAL;

use crate::evaluations::{images, swap_liberty};
use crate::support::{by_the_book, random_file, random_numbers};

const NEURONS: usize = 64;
const SEED: u64 = 7;

/// One net for each kernel, and their numbers.
fn kernels<P: Inputs>() -> (Vec<Arc<Net>>, Numbers) {
    (nets::<P>(), random_numbers::<P>(NEURONS, SEED))
}

fn nets<P: Inputs>() -> Vec<Arc<Net>> {
    let net = Net::read::<P>(&random_file::<P>(NEURONS, SEED)).expect("a net");
    let with = |kernel| Arc::new(net.clone().with_kernel(kernel));
    Kernel::all().into_iter().map(with).collect()
}

/// What an evaluation with that net says, computed without any of its code;
/// `None` where chess has more to say than the net.
fn expected<P: Inputs>(position: &P, numbers: &Numbers) -> Option<i32> {
    if !P::SHAPE.adds_to_hand_written {
        return None;
    }
    let by_hand = P::Eval::new(position).evaluate(position);
    let count = |view: Side| {
        let mut count = 0;
        position.features(view, |_| count += 1);
        count
    };
    let fits = Side::BOTH.iter().all(|&view| count(view) <= P::SHAPE.most);
    if by_hand.abs() > FAR || !position.is_readable() || !fits {
        return Some(by_hand);
    }
    Some((by_hand + by_the_book(position, numbers)).clamp(-MAX_EVAL, MAX_EVAL))
}

/// Plays a random game with moves made and taken back, and asks for values now
/// and then only, as a search does. Says how often the net was asked.
fn follows_the_board<P: Inputs>(
    start: &P,
    (nets, numbers): &(Vec<Arc<Net>>, Numbers),
    random: &mut SplitMix64,
) -> usize {
    let mut evals: Vec<P::Eval> = nets
        .iter()
        .map(|net| P::Eval::with_net(start, net))
        .collect();
    let mut asked = 0;
    let mut position = start.clone();
    let mut undone = Vec::new();
    for _ in 0..120 {
        let moves = position.moves();
        if moves.is_empty() || position.outcome().is_some() {
            break;
        }
        let m = moves[random.index(moves.len())];
        let mut everyone = Everyone(&mut evals);
        everyone.0.iter_mut().for_each(Evaluator::push);
        undone.push((m, position.make(m, &mut everyone)));
        if random.index(8) == 0 {
            for _ in 0..random.index(4) {
                let Some((m, undo)) = undone.pop() else { break };
                position.unmake(m, undo);
                evals.iter_mut().for_each(Evaluator::pop);
            }
        }
        if random.index(3) == 0 {
            asked += usize::from(position.is_readable());
            let afresh = P::Eval::with_net(&position, &nets[0]).evaluate(&position);
            let wanted = expected(&position, numbers).unwrap_or(afresh);
            assert_eq!(afresh, wanted, "{}", position.text());
            for eval in &mut evals {
                assert_eq!(eval.evaluate(&position), wanted, "{}", position.text());
            }
        }
    }
    asked
}

/// Tells several evaluations of the same board.
struct Everyone<'a, E>(&'a mut [E]);

impl<T: Copy, E: quadrille_games::Observer<T>> quadrille_games::Observer<T> for Everyone<'_, E> {
    fn added(&mut self, piece: T, square: u16) {
        for eval in &mut *self.0 {
            eval.added(piece, square);
        }
    }

    fn removed(&mut self, piece: T, square: u16) {
        for eval in &mut *self.0 {
            eval.removed(piece, square);
        }
    }

    fn moved(&mut self, piece: T, from: u16, to: u16) {
        for eval in &mut *self.0 {
            eval.moved(piece, from, to);
        }
    }
}

fn follow<P: Inputs>(starts: &[P], games: usize, least: usize) {
    let mut random = SplitMix64::new(3);
    let kernels = kernels::<P>();
    let mut asked = 0;
    for start in starts {
        for _ in 0..games {
            asked += follows_the_board(start, &kernels, &mut random);
        }
    }
    assert!(asked > least, "asked only {asked} times");
}

fn gygeses() -> Vec<Gyges> {
    (0..30)
        .map(|n| Gyges::start_numbered(n * 269, &GygesRules::default()))
        .map(|start| start.expect("below 8100"))
        .collect()
}

/// All presets, and boards on which a net sees little, or nothing.
fn libertys() -> Vec<Liberty> {
    let rules = Rules::default();
    let mut all: Vec<Liberty> = Liberty::presets(&rules)
        .into_iter()
        .map(|(_, text)| Liberty::from_text(&text, &rules).expect("a preset"))
        .collect();
    for (seed, width, height) in [(1, 9, 8), (2, 16, 16), (3, 5, 12), (4, 2, 4), (5, 20, 7)] {
        let start = RandomStart {
            width,
            height,
            kinds: Kind::ALL.to_vec(),
            king: seed % 2 == 0,
            friendly_fire: seed % 3 == 0,
        };
        all.push(start.position(seed).expect("a position"));
    }
    all
}

#[test]
fn values_follow_chess_games() {
    follow(
        &[Chess::start(&<Chess as Position>::Rules::default())],
        20,
        400,
    );
}

#[test]
fn values_follow_leiserchess_games() {
    follow(&[Leiser::start(&LeiserRules::default())], 20, 400);
    // Nets do not know the rules of other years.
    let kernels = kernels::<Leiser>();
    let other = Year::ALL.into_iter().filter(|&year| year != Year::Y2016);
    for year in other {
        let start = Leiser::start(&LeiserRules::of(year));
        let asked = follows_the_board(&start, &kernels, &mut SplitMix64::new(1));
        assert_eq!(asked, 0, "{year}");
    }
}

#[test]
fn values_follow_gyges_games() {
    follow(&gygeses(), 3, 200);
}

#[test]
fn values_follow_liberty_games() {
    follow(&libertys(), 1, 500);
}

/// Hand-written, and with a net.
fn values<P: Inputs>(position: &P, net: &Arc<Net>) -> [i32; 2] {
    [
        P::Eval::new(position).evaluate(position),
        P::Eval::with_net(position, net).evaluate(position),
    ]
}

/// Positions of random games that are not over, and some of their images.
fn compare<P: Inputs>(starts: &[P], images: impl Fn(&P) -> Vec<P>) {
    let mut random = SplitMix64::new(4);
    let net = &nets::<P>()[0];
    let mut differ = 0;
    for start in starts {
        let mut position = start.clone();
        for _ in 0..60 {
            let wanted = values(&position, net);
            differ += usize::from(wanted[0] != wanted[1]);
            for image in images(&position) {
                assert_eq!(values(&image, net), wanted, "{}", position.text());
            }
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.make(moves[random.index(moves.len())], &mut ());
            if position.outcome().is_some() {
                break;
            }
        }
    }
    assert!(differ > 100, "the net was asked only {differ} times");
}

#[test]
fn all_eight_images_of_a_leiserchess_board_are_worth_the_same() {
    let starts = [Leiser::start(&LeiserRules::default()); 10];
    compare(&starts, |position| {
        let mut all = images(position);
        for _ in 0..3 {
            all.extend(all.clone().iter().flat_map(images));
            all.sort_by_key(Position::text);
            all.dedup();
        }
        // Eight of each colour, half of that where a board is its own image.
        assert!(all.len() >= 8, "{}", all.len());
        all
    });
}

#[test]
fn images_of_a_gyges_board_are_worth_the_same() {
    compare(&gygeses(), |position| {
        vec![position.turned(), position.mirrored()]
    });
}

#[test]
fn images_of_a_liberty_board_are_worth_the_same() {
    compare(&libertys(), |position| {
        let mut all = vec![swap_liberty(position)];
        all.extend(mirrored(position));
        all
    });
}

/// Files reversed; `None` if no King says which wing is which.
fn mirrored(position: &Liberty) -> Option<Liberty> {
    let width = position.variant().width;
    let in_the_middle = |side: Side| {
        let kings: Vec<u16> = position.kings(side).collect();
        kings.len() != 1 || 2 * (kings[0] % width) + 1 == width
    };
    if Side::BOTH.into_iter().all(in_the_middle) {
        return None;
    }
    let text = position.text();
    let mut fields: Vec<String> = text.split(' ').map(Into::into).collect();
    let ranks: Vec<String> = fields[0].split('/').map(reversed).collect();
    fields[0] = ranks.join("/");
    fields[2] = "-".into();
    fields[3] = "-".into();
    Some(Liberty::from_text(&fields.join(" "), &position.rules()).expect("a position"))
}

/// A rank of an L-FEN from its end, numbers left whole.
fn reversed(rank: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for c in rank.chars() {
        match words.last_mut() {
            Some(word) if c.is_ascii_digit() && word.ends_with(|d: char| d.is_ascii_digit()) => {
                word.push(c);
            }
            _ => words.push(c.into()),
        }
    }
    words.reverse();
    words.concat()
}

#[test]
fn features_are_within_their_shape() {
    fn check<P: Inputs>(starts: &[P]) {
        let mut random = SplitMix64::new(9);
        for start in starts {
            let mut position = start.clone();
            for _ in 0..80 {
                for view in Side::BOTH {
                    position.features(view, |feature| assert!(feature < P::SHAPE.features));
                }
                assert!(position.bucket() < P::SHAPE.buckets);
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                position.make(moves[random.index(moves.len())], &mut ());
            }
        }
        // A row holds 16-bit numbers, and one more for "none".
        assert!(P::SHAPE.features < usize::from(u16::MAX));
    }
    check(&Year::ALL.map(|year| Leiser::start(&LeiserRules::of(year))));
    check(&gygeses());
    check(&libertys());
    check(&[Chess::start(&<Chess as Position>::Rules::default())]);
}
