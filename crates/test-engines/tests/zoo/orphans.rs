//! Nothing is left when we ourselves are killed.
//!
//! A host in a process of its own starts engines and is killed without a
//! chance to clean up. That host is this test binary again, asked for the one
//! test that is not run otherwise.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use quadrille_games::Game;

use super::beast::{is_alive, is_gone, spec, start};

const INNER: &str = "zoo::orphans::a_host_that_will_be_killed";

/// What leaves a session of its own can only be found on Linux.
const QUIRKS: &str = if cfg!(unix) {
    "has-child has-runaway hangs-on-quit"
} else {
    "has-child hangs-on-quit"
};

#[tokio::test]
#[ignore = "only started by the test below"]
async fn a_host_that_will_be_killed() {
    if std::env::var_os("ZOO_INNER").is_none() {
        return;
    }
    let beast = start(&spec(QUIRKS), Game::Chess).await;
    let children: Vec<String> = beast.children().iter().map(u32::to_string).collect();
    println!("pids {} {}", beast.id(), children.join(" "));
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn no_orphans_after_a_kill() {
    let mut host = Command::new(std::env::current_exe().expect("we run"))
        .args(["--exact", INNER, "--ignored", "--nocapture"])
        .env("ZOO_INNER", "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("we can be run again");
    let output = BufReader::new(host.stdout.take().expect("a pipe"));
    let mut lines = output.lines().map_while(Result::ok);
    let pids = lines
        .find_map(|line| line.split_once("pids ").map(|(_, rest)| rest.to_owned()))
        .expect("it has started its engine");
    let pids: Vec<u32> = pids
        .split(' ')
        .map(|n| n.parse().expect("a number"))
        .collect();
    assert_eq!(pids.len(), QUIRKS.split(' ').count());
    assert!(pids.iter().all(|&id| is_alive(id)));
    host.kill().expect("it runs");
    host.wait().expect("it is ours");
    for id in pids {
        assert!(is_gone(id).await, "{id} lives on");
    }
}
