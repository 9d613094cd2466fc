//! Four workers, a director and a server, killed with SIGKILL at random moments:
//! what is left in the end is what a run without any of them leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use quadrille_match::store::{GameState, Reader};

use super::server::Server;

/// A server and workers in a folder.
pub(crate) struct Arena {
    folder: PathBuf,
    server: Server,
    workers: Vec<Option<Child>>,
}

impl Arena {
    pub(crate) fn new(server: Server, folder: &Path) -> Self {
        Self {
            folder: folder.into(),
            server,
            workers: Vec::new(),
        }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// Starts a worker, or one in its place.
    pub(crate) fn start_worker(&mut self, program: &Path, index: usize) {
        let file = self.folder.join(format!("w{index}.toml"));
        fs::write(
            &file,
            format!("name = \"w{index}\"\nconcurrency = 2\nspeed = 1000000\n"),
        )
        .unwrap();
        let child = Command::new(program)
            .args(["worker", "--quiet", "--nats", &self.url(), "--config"])
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while self.workers.len() <= index {
            self.workers.push(None);
        }
        self.workers[index] = Some(child);
    }

    fn kill_worker(&mut self, index: usize) {
        if let Some(mut child) = self.workers[index].take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for index in 0..self.workers.len() {
            self.kill_worker(index);
        }
    }
}

/// What is played, and how often something is killed.
pub(crate) struct Chaos {
    pub(crate) rounds: u32,
    pub(crate) nodes: u32,
    pub(crate) workers: usize,
    pub(crate) kills: u32,
    pub(crate) seed: u64,
}

/// What happened.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) games: usize,
    pub(crate) plies: usize,
    /// Workers, directors, servers.
    pub(crate) killed: [u32; 3],
    pub(crate) took: Duration,
    pub(crate) here: Duration,
}

fn random(seed: &mut u64, below: u64) -> u64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 33) % below
}

impl Chaos {
    /// The description, the same here and there.
    fn words(&self, name: &str) -> Vec<String> {
        let (nodes, rounds) = (self.nodes, self.rounds);
        let words = format!(
            "-engine cmd=builtin name=One nodes={nodes} -engine cmd=builtin name=Two nodes={} \
             -engine cmd=builtin name=Three nodes={} -each option.Hash=1 \
             -openings format=random plies=6 -srand 7 -games 2 -repeat -rounds {rounds} \
             -draw movenumber=30 movecount=4 score=20 -resign movecount=3 score=700 -maxmoves 60 \
             -store {name}.db -pgnout file={name}.pgn nodes=true pv=true -epdout file={name}.epd",
            nodes * 2,
            nodes * 3 / 2
        );
        words.split_whitespace().map(Into::into).collect()
    }

    /// Plays here, then there with something killed again and again, and compares.
    pub(crate) fn run(&self, program: &Path) -> Told {
        let folder = tempfile::TempDir::new().unwrap();
        let folder = folder.path();
        let mut told = Told::default();
        let begun = Instant::now();
        let mut here = Self::quadrille(program, folder, "-concurrency 2", &self.words("here"));
        assert!(here.wait().unwrap().success());
        told.here = begun.elapsed();
        let mut arena = Arena::new(Server::start(), folder);
        for index in 0..self.workers {
            arena.start_worker(program, index);
        }
        let begun = Instant::now();
        self.play_there(program, &mut arena, &mut told);
        told.took = begun.elapsed();
        drop(arena);
        compare(folder, &mut told);
        told
    }

    fn quadrille(program: &Path, folder: &Path, more: &str, words: &[String]) -> Child {
        Command::new(program)
            .args(["match", "--quiet"])
            .args(words)
            .args(more.split_whitespace())
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// The director, from its beginning or where it was.
    fn direct(&self, program: &Path, arena: &Arena) -> Child {
        let nats = format!("--nats {} --nats-patience 1", arena.url());
        let begun = Reader::open(&arena.folder.join("there.db")).is_ok();
        let words = if begun {
            vec!["--resume".into(), "there.db".into()]
        } else {
            // One that was killed before it had begun leaves nothing to go on with.
            let _ = fs::remove_file(arena.folder.join("there.db"));
            let mut words = self.words("there");
            words.extend(["-concurrency".into(), "8".into()]);
            words
        };
        Self::quadrille(program, &arena.folder, &nats, &words)
    }

    fn play_there(&self, program: &Path, arena: &mut Arena, told: &mut Told) {
        let mut seed = self.seed;
        let mut director = self.direct(program, arena);
        let end = Instant::now() + Duration::from_mins(15);
        let mut kills = 0;
        loop {
            assert!(Instant::now() < end, "the match does not come to its end");
            if let Some(status) = director.try_wait().unwrap() {
                if status.success() {
                    break;
                }
                // A server that is away when it begins ends it.
                sleep(Duration::from_millis(100));
                director = self.direct(program, arena);
                continue;
            }
            if kills == self.kills {
                sleep(Duration::from_millis(20));
                continue;
            }
            sleep(Duration::from_millis(random(&mut seed, 400)));
            kills += 1;
            // Each at least once, where there is time for it.
            match if kills <= 3 {
                u64::from(kills)
            } else {
                random(&mut seed, 6)
            } {
                1 => {
                    let _ = director.kill();
                    let _ = director.wait();
                    told.killed[1] += 1;
                    director = self.direct(program, arena);
                }
                2 => {
                    arena.server.kill();
                    told.killed[2] += 1;
                    sleep(Duration::from_millis(random(&mut seed, 300)));
                    arena.server.run();
                }
                _ => {
                    let index = random(&mut seed, self.workers as u64) as usize;
                    arena.kill_worker(index);
                    told.killed[0] += 1;
                    sleep(Duration::from_millis(random(&mut seed, 100)));
                    arena.start_worker(program, index);
                }
            }
        }
    }
}

/// Everything but times: the tags `Date`, `GameStartTime`, `GameEndTime` and
/// `GameDuration`, and the seconds behind each move.
fn without_times(pgn: &str) -> String {
    let timed = [
        "[Date ",
        "[UTCDate ",
        "[UTCTime ",
        "[GameStartTime ",
        "[GameEndTime ",
        "[GameDuration ",
    ];
    let lines = pgn
        .lines()
        .filter(|line| !timed.iter().any(|tag| line.starts_with(tag)));
    let words = lines.flat_map(|line| line.split(' ').chain(["\n"]));
    let is_time = |word: &str| {
        let number = word
            .trim_end_matches([',', '}'])
            .strip_suffix('s')
            .unwrap_or("");
        let number = number.strip_prefix("charged=").unwrap_or(number);
        number.contains('.') && number.parse::<f64>().is_ok()
    };
    let kept: Vec<&str> = words.filter(|word| !is_time(word)).collect();
    // Where lines are broken depends on the length of the times.
    let joined = kept.join(" ");
    joined
        .split_whitespace()
        .map(|word| word.trim_end_matches(','))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Games, plies, findings, table and records.
fn compare(folder: &Path, told: &mut Told) {
    let [here, there] =
        ["here", "there"].map(|name| Reader::open(&folder.join(format!("{name}.db"))).unwrap());
    let (ours, theirs) = (here.games().unwrap(), there.games().unwrap());
    assert_eq!(
        ours.len(),
        theirs.len(),
        "nothing is lost, nothing is there twice"
    );
    told.games = theirs.len();
    for (mut a, mut b) in ours.into_iter().zip(theirs) {
        let number = a.new.number;
        assert_eq!(
            (a.state, b.state),
            (GameState::Finished, GameState::Finished)
        );
        for row in [&mut a, &mut b] {
            row.new.started.clear();
            let end = row.end.as_mut().unwrap();
            end.ended.clear();
            end.duration_us = 0;
            end.played_at = None;
            for side in &mut end.sides {
                side.time = Duration::ZERO;
                side.node_time = Duration::ZERO;
            }
        }
        assert_eq!(a, b, "game {number}");
        let plies = [&here, &there].map(|reader| {
            let mut plies = reader.plies(number).unwrap();
            for ply in &mut plies {
                (ply.elapsed, ply.charged) = (Duration::ZERO, Duration::ZERO);
                (ply.told, ply.nps) = (None, None);
            }
            plies
        });
        assert_eq!(plies[0], plies[1], "game {number}");
        told.plies += plies[1].len();
    }
    assert_eq!(here.players().unwrap(), there.players().unwrap());
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(
        without_times(&read("here.pgn")),
        without_times(&read("there.pgn"))
    );
    assert_eq!(read("here.epd"), read("there.epd"));
}
