//! `quadrille connect` at a real server.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use quadrille_net::{Acceptor, Certificate};
use quadrille_server::hall::Settings;
use quadrille_server::password::Work;
use quadrille_server::{Options, Server};

use super::connect::{Client, connect_to, spawn_in};

/// A server in this program, with its address; it ends with the runtime.
struct Host {
    _runtime: tokio::runtime::Runtime,
    address: String,
}

fn serve(folder: &Path, tls: bool) -> Host {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("threads");
    let options = Options {
        settings: Settings::default(),
        store: folder.join("server.db"),
        program: "Quadrille".into(),
        log: Box::new(|_| {}),
        work: Work::Small,
    };
    let (door, trust) = if tls {
        let certificate = Certificate::kept_in(folder, &[]).expect("made");
        let trust = format!("#{}", certificate.fingerprint());
        (Acceptor::tls(&certificate).expect("usable"), trust)
    } else {
        (Acceptor::plain(), String::new())
    };
    let at: SocketAddr = runtime.block_on(async {
        let server = Server::start(options).expect("a store");
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port");
        let at = listener.local_addr().expect("it is bound");
        tokio::spawn(async move { server.listen(listener, door).await });
        at
    });
    let kind = if tls { "tls" } else { "tcp" };
    Host {
        _runtime: runtime,
        address: format!("{kind}://{at}{trust}"),
    }
}

/// A person plays an engine of the pool under TLS, from the first seek to the
/// rematch.
#[test]
fn a_person_plays_an_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = serve(folder.path(), true);
    let engine = connect_to(&host.address, &["--engine", "builtin", "--as", "Robot"]);
    engine.sees("in as Robot");
    let mut ann = connect_to(&host.address, &["--as", "Ann"]);
    ann.sees("You are Ann, a guest");
    ann.types("engines");
    ann.sees("Robot (engine)");
    ann.types("play level 1 60+1 white");
    ann.sees("You are White.");
    ann.sees("Your move.");
    ann.types("e5");
    ann.sees("moves lists what is legal");
    ann.types("e4");
    ann.sees("You played e4.");
    ann.sees("Robot played ");
    ann.sees("Your move.");
    ann.types("draw");
    ann.types("d4");
    ann.sees("You played d4.");
    ann.sees("Robot played ");
    ann.sees("Your move.");
    ann.types("resign");
    ann.sees("is over: 0-1");
    engine.sees("over: game");
    ann.types("rematch");
    ann.sees("You are Black.");
    ann.sees("Robot played ");
    ann.types("abort");
    ann.sees("is over:");
    ann.types("quit");
    assert!(ann.ends());
}

/// Two people find each other, and a third watches.
#[test]
fn people_meet() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = serve(folder.path(), false);
    let mut ann = connect_to(
        &host.address,
        &["--as", "Ann", "--seek", "gyges 60+1 white"],
    );
    ann.sees("You are Ann");
    let mut bob = connect_to(&host.address, &["--as", "Bob"]);
    bob.sees("You are Bob");
    let id = first_seek(&mut bob);
    bob.types(&format!("accept {id}"));
    ann.sees("You are White.");
    bob.sees("You are Black.");
    ann.sees("Your move.");
    ann.types("moves");
    let mut eve = connect_to(&host.address, &["--as", "Eve"]);
    eve.sees("You are Eve");
    eve.types("watch 1");
    eve.sees("You watch.");
    bob.types("takeback");
    bob.types("a1a2");
    bob.sees("the turn of Ann");
    ann.types("resign");
    for client in [&ann, &bob, &eve] {
        client.sees("is over: 0-1");
    }
}

/// A guest who left, or whose terminal was closed, is known again and finds its game.
#[test]
fn a_guest_comes_back_after_it_has_quit() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = serve(folder.path(), false);
    let data = tempfile::tempdir().expect("a folder");
    let enter = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(["connect", &host.address, "--as", name]);
        command.env("XDG_DATA_HOME", data.path());
        spawn_in(&mut command, tempfile::tempdir().expect("a folder"))
    };
    let mut ann = enter("Ann");
    ann.sees("You are Ann");
    ann.types("seek chess960 60+1 white");
    let mut bob = enter("Bob");
    bob.sees("You are Bob");
    let id = first_seek(&mut bob);
    bob.types(&format!("accept {id}"));
    bob.sees("You are Black.");
    ann.sees("Your move.");
    // While one plays, another terminal under its name is another guest.
    let mut second = enter("Bob");
    second.sees("You are Bob-2");
    second.types("quit");
    assert!(second.ends());
    bob.types("quit");
    assert!(bob.ends());
    ann.sees("Bob has lost the connection");
    let bob = enter("bob");
    bob.sees("You are Bob,");
    bob.sees("You are Black.");
    ann.sees("Bob is back.");
}

/// The number of the seek that is there.
fn first_seek(client: &mut Client) -> String {
    for _ in 0..100 {
        client.types("seeks");
        let line = client.sees_one_of(&["seeks gyges", "seeks chess", "These were the seeks"]);
        if let Some(line) = line.strip_prefix("  ")
            && line.contains("Ann")
        {
            let id = line.split_whitespace().next().expect("a number");
            return id.to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("Ann's seek is not there");
}

/// Two engines, one that seeks and one that takes what is sought, play game after
/// game by themselves.
#[test]
fn engines_play_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = serve(folder.path(), false);
    let engine = ["--engine", "builtin", "--overhead", "0", "--as"];
    let takes = [&engine[..], &["Takes", "--accept"]].concat();
    let takes = connect_to(&host.address, &takes);
    takes.sees("in as Takes");
    let seeks = [&engine[..], &["Seeks", "--seek", "chess 0.3+0.005 white"]].concat();
    let seeks = connect_to(&host.address, &seeks);
    for _ in 0..2 {
        for engine in [&takes, &seeks] {
            engine.sees("begins: game");
            engine.sees("over: game");
        }
    }
}

/// An engine takes a challenge, and the flag of one who does not move falls.
#[test]
fn an_engine_takes_a_challenge() {
    let folder = tempfile::tempdir().expect("a folder");
    let host = serve(folder.path(), false);
    let one = connect_to(
        &host.address,
        &["--engine", "builtin", "--as", "One", "--game", "leiser"],
    );
    one.sees("in as One");
    let mut ann = connect_to(&host.address, &["--as", "Ann", "--game", "leiser"]);
    ann.sees("You are Ann");
    ann.types("challenge One 1+0 white");
    ann.sees("You are White.");
    ann.sees("Your move.");
    ann.sees("is over: 0-1");
    one.sees("over: game");
}
