//! Nets: their file and their arithmetic.

use std::sync::Arc;

use quadrille_games::chess::Chess;
use quadrille_games::random::SplitMix64;
use quadrille_games::{Line, Position};
use quadrille_search::net::{self, Inputs, Kernel, Net, NetError, Numbers};
use quadrille_search::{Control, Limits, Playable, Searcher};

use crate::support::{by_the_book, random_file, random_numbers};

#[test]
fn every_kernel_computes_the_same() {
    let net = Net::read::<Chess>(&random_file::<Chess>(96, 11)).expect("a net");
    let mut random = SplitMix64::new(5);
    let mut line = Line::<Chess>::new(Chess::start(&<Chess as Position>::Rules::default()));
    for _ in 0..80 {
        let position = *line.position();
        let expected = by_the_book(&position, &random_numbers::<Chess>(96, 11));
        for kernel in Kernel::all() {
            let value = net.clone().with_kernel(kernel).value(&position);
            assert_eq!(value, expected, "{} in {}", kernel.name(), position.text());
        }
        let moves = position.moves();
        if moves.is_empty() {
            break;
        }
        line.push(moves[random.index(moves.len())]);
    }
}

#[test]
fn a_search_is_the_same_with_every_kernel() {
    let net = Net::read::<Chess>(&random_file::<Chess>(32, 2)).expect("a net");
    let nodes = |net: Option<Arc<Net>>| {
        let mut searcher = Searcher::<Chess>::new();
        searcher.set_net(net);
        let line = Line::new(Chess::start(&<Chess as Position>::Rules::default()));
        let answer = searcher.go(&line, &Limits::to_depth(6), &Control::new(), &mut ());
        (answer.last.nodes, answer.best)
    };
    let by_hand = nodes(None);
    let mut kernels = Kernel::all().into_iter();
    let mut with = || {
        kernels
            .next()
            .map(|kernel| nodes(Some(Arc::new(net.clone().with_kernel(kernel)))))
    };
    let plain = with().expect("the plain kernel");
    assert_ne!(plain, by_hand, "the net is asked");
    while let Some(other) = with() {
        assert_eq!(other, plain);
    }
}

#[test]
fn damaged_files_are_refused_with_a_reason() {
    let file = random_file::<Chess>(32, 1);
    let told = |bytes: &[u8]| {
        Chess::read_net(bytes)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(told(&file), Ok(()));
    assert_eq!(
        told(b"MZ"),
        Err("not a net: it does not begin with QDNET001".into())
    );
    for cut in [8, 9, 15, 40, file.len() / 2, file.len() - 1] {
        assert_eq!(
            told(&file[..cut]),
            Err("a damaged net: it is cut short".into()),
            "{cut}"
        );
    }
    let mut longer = file.clone();
    longer.push(0);
    assert_eq!(
        told(&longer),
        Err("a damaged net: something lies behind its end".into())
    );
    for at in (16..file.len()).step_by(997) {
        let mut flipped = file.clone();
        flipped[at] ^= 16;
        assert!(told(&flipped).is_err(), "byte {at}");
    }
}

#[test]
fn files_of_other_nets_are_refused_with_a_reason() {
    let numbers = random_numbers::<Chess>(32, 1);
    let error = |shape: &net::Shape, numbers: &Numbers| {
        let file = net::write("chess", shape, numbers, "");
        Chess::read_net(&file).map(|_| ()).expect_err("another net")
    };
    let shape = Chess::SHAPE;
    let other = net::Shape {
        name: "chess-1",
        ..shape
    };
    let found = "chess-1".into();
    let wanted = shape.name;
    assert_eq!(error(&other, &numbers), NetError::Inputs { wanted, found });
    let fewer = net::Shape {
        buckets: 7,
        ..shape
    };
    assert_eq!(error(&fewer, &numbers), NetError::Description("buckets"));
    let narrow = Numbers {
        neurons: 31,
        ..numbers.clone()
    };
    assert_eq!(error(&shape, &narrow), NetError::Description("neurons"));
    let wide = Numbers {
        neurons: 4096,
        ..numbers.clone()
    };
    let said = error(&shape, &wide).to_string();
    assert_eq!(said, "a net of 4096 neurons; 2048 is the most");
    let mut heavy = numbers;
    heavy.last[5] = -128;
    assert_eq!(error(&shape, &heavy), NetError::Weight(-128));
}

/// `training/train.py --examples` wrote these with the net: its value, the
/// bucket, the features of mover and other side.
#[test]
fn the_trainer_in_python_means_the_same() {
    let net = Chess::own_net().expect("the program's own net");
    let examples = include_str!("data/chess-net.txt");
    assert_eq!(examples.lines().count(), 64);
    for line in examples.lines() {
        let [value, bucket, mover, other] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("four words: {line}");
        };
        let number = |word: &str| word.parse::<i32>().expect("a number");
        let features = |words: &str| -> Vec<usize> {
            words.split('/').map(|word| number(word) as usize).collect()
        };
        let found = net.value_of(&features(mover), &features(other), number(bucket) as usize);
        assert_eq!(found, number(value), "{line}");
    }
}
