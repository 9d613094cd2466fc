//! Fifty kills: four workers, a director and a NATS server, one of them killed with
//! SIGKILL at a random moment, fifty times; the store, the records and the table
//! are those of a run on this machine.
//!
//! `cargo bench -p quadrille-cluster --bench chaos`; `QUADRILLE_KILLS` and
//! `QUADRILLE_SEED` change it.

#[path = "../tests/support/chaos.rs"]
mod chaos;
#[path = "support/mod.rs"]
mod program;
#[path = "../tests/support/server.rs"]
mod server;

use chaos::Chaos;

fn main() {
    if !server::is_there() {
        return;
    }
    let number = |name: &str, usual: u64| {
        let told = std::env::var(name).ok().and_then(|text| text.parse().ok());
        told.unwrap_or(usual)
    };
    let kills = number("QUADRILLE_KILLS", 50) as u32;
    let seed = number("QUADRILLE_SEED", 1);
    let chaos = Chaos {
        rounds: kills.saturating_mul(3).div_ceil(2),
        nodes: 2000,
        workers: 4,
        kills,
        seed,
    };
    let told = chaos.run(&program::quadrille());
    let [workers, directors, servers] = told.killed;
    println!(
        "{} games of {} plies played by 4 workers in {:.0} s, with {kills} kills: workers {workers}, \
         director {directors}, nats-server {servers} times (on this machine alone: {:.0} s)",
        told.games,
        told.plies,
        told.took.as_secs_f64(),
        told.here.as_secs_f64()
    );
    println!(
        "store, PGN, EPD and table are equal to those of the local run; nothing lost, nothing doubled"
    );
    println!(
        "not compared: Date, GameStartTime, GameEndTime, GameDuration, seconds and nodes per second of moves; worker and scale of the store"
    );
}
