//! Accounts, and who is kept out.

use super::{Stage, conversations, settings};
use quadrille_server::hall::{Effect, Keep, Settings};
use quadrille_server::password::{self, Work};

fn open() -> Settings {
    Settings {
        register: true,
        ..settings()
    }
}

/// The operator makes an account, or changes its password.
fn account(stage: &mut Stage, name: &str, password: &str) {
    let hash = password::hash(password, Work::Small).expect("a hash");
    let answer = stage.order(&format!(
        r#"{{"order":"account","name":"{name}","hash":"{hash}"}}"#
    ));
    assert!(answer.get("error").is_none(), "{answer}");
}

/// The guest of that name gets another, and cannot make the account its own.
#[test]
fn an_account_is_not_taken_by_registering() {
    let mut stage = Stage::new(open());
    stage.run("G is lobby carl");
    account(&mut stage, "carl", "operator");
    stage.run(
        "
        G< info string carl is an account now: you are carl-2
        G< lobby welcome name carl-2 account no …
        G> lobby register password hacked1
        G~
        A connects
        A> id username carl
        A> id password hacked1
        A> uciok
        A<< info clienterror the name or the password is wrong
        B connects
        B> id username carl
        B> id lobby 1
        B> id password operator
        B> uciok
        B<< lobby welcome name carl account yes …
        G is in
        ",
    );
}

/// A name that was given away while the password was hashed.
#[test]
fn an_account_is_not_taken_while_a_password_is_hashed() {
    let mut stage = Stage::new(open());
    stage.run("G is lobby carl");
    let conn = stage.conn("G");
    stage.hall.line(
        conn,
        "lobby register password hacked1",
        stage.now,
        stage.now,
    );
    stage.hall.effects();
    account(&mut stage, "carl", "operator");
    stage.heard("G");
    stage.hall.hashed(conn, Some("hash"), stage.now);
    stage.settle();
    stage.run("G< lobby error that name has become another's account\nG.");
}

/// The guest keeps its game and its token, the account has its own seat.
#[test]
fn an_account_does_not_become_the_guest_of_its_name() {
    let mut stage = Stage::new(settings());
    stage.run(
        "
        G connects
        G> id username dora
        G> id lobby 1
        G> uciok
        ",
    );
    let heard = stage.heard("G");
    let welcome = heard.iter().find(|l| l.starts_with("lobby welcome"));
    let token = welcome.and_then(|l| l.split(' ').nth(7)).expect("a token");
    stage.word(token);
    account(&mut stage, "dora", "secret");
    stage.run(
        "
        D connects
        D> id username dora
        D> id lobby 1
        D> id password secret
        D> uciok
        D<< lobby welcome name dora account yes …
        G is in
        G closes
        H connects
        H> id username dora
        H> id lobby 1
        H> id token $1
        H> uciok
        H<< info clienterror dora is an account: …
        D is in
        ",
    );
}

/// An account that was made while the server was down.
#[test]
fn a_guest_of_before_a_restart_gives_way_to_an_account() {
    let mut before = Stage::new(settings());
    before.run(
        "
        G is lobby dora
        B is lobby Bob
        G> lobby seek time 60 colour white
        B> lobby accept id 3
        G> readyok
        B> readyok
        ",
    );
    let token = before.games[&1].players[0].token.clone();
    account(&mut before, "dora", "secret");
    let mut stage = Stage::with(settings(), super::restart::kept(&before), 2);
    stage.now = std::time::Duration::ZERO;
    stage.word(token);
    stage.run(
        "
        D connects
        D> id username dora
        D> id lobby 1
        D> id password secret
        D> uciok
        D<< lobby welcome name dora account yes …
        D.
        G connects
        G> id lobby 1
        G> id token $1
        G> uciok
        G<< lobby welcome name dora-2 account no …
        G<< lobby start id 1 white dora-2 …
        D is in
        ",
    );
}

/// What came in by the old password is out, and its token opens nothing.
#[test]
fn another_password_ends_what_the_old_one_opened() {
    let mut stage = Stage::new(settings());
    account(&mut stage, "Ann", "secret");
    stage.run(
        "
        A connects
        A> id username Ann
        A> id lobby 1
        A> id password secret
        A> uciok
        B is lobby Bob
        A> lobby seek time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        ",
    );
    let heard = stage.heard("A");
    let welcome = heard.iter().find(|l| l.starts_with("lobby welcome"));
    let token = welcome.and_then(|l| l.split(' ').nth(7)).expect("a token");
    stage.word(token);
    account(&mut stage, "Ann", "another");
    stage.run(
        "
        A< info clienterror the password of this account was changed
        A is cut off
        T connects
        T> id lobby 1
        T> id username Ann
        T> id token $1
        T> uciok
        T<< info clienterror Ann is an account: …
        C connects
        C> id lobby 1
        C> id username Ann
        C> id password another
        C> uciok
        C<< lobby start id 1 white Ann …
        ",
    );
    // Nor after a restart.
    let mut again = Stage::with(settings(), super::restart::kept(&stage), 2);
    again.now = std::time::Duration::ZERO;
    again.word(token);
    again.run(
        "
        T connects
        T> id lobby 1
        T> id username Ann
        T> id token $1
        T> uciok
        T<< info clienterror Ann is an account: …
        ",
    );
}

/// A password that was right when it was said, and is not any more when that is known.
#[test]
fn the_old_password_opens_nothing_after_a_change() {
    let mut stage = Stage::new(settings());
    account(&mut stage, "Ann", "secret");
    for who in ["A", "B", "C"] {
        stage.connect(who, "10.0.0.1");
    }
    let come = |stage: &mut Stage, who: &str| {
        let conn = stage.conn(who);
        for line in ["id username Ann", "id lobby 1", "id password secret"] {
            stage.hall.line(conn, line, stage.now, stage.now);
        }
        stage.hall.line(conn, "uciok", stage.now, stage.now);
        conn
    };
    // Two are compared at a time; the third waits.
    let conns = ["A", "B", "C"].map(|who| come(&mut stage, who));
    let effects = stage.hall.effects();
    let is_check = |e: &&Effect| matches!(e, Effect::Check { .. });
    let begun = effects.iter().filter(is_check).count();
    account(&mut stage, "Ann", "another");
    let kept = stage.kept.len();
    for conn in &conns[..2] {
        stage.hall.checked(*conn, true, stage.now);
    }
    // The third is compared with the new one.
    stage.settle();
    stage.run(
        "
        A<< info clienterror the password of this account was changed
        A is cut off
        B<< info clienterror the password of this account was changed
        B is cut off
        C<< info clienterror the name or the password is wrong
        C is cut off
        ",
    );
    let token = |keep: &Keep| matches!(keep, Keep::Logins(_, Some(l)) if !l.token.is_empty());
    assert!(!stage.kept[kept..].iter().any(token), "no token was given");
    assert_eq!(begun, 2);
}

/// The system had no random numbers: it may be tried again.
#[test]
fn a_password_that_could_not_be_hashed_is_told() {
    let mut stage = Stage::new(open());
    stage.run("G is lobby carl");
    let conn = stage.conn("G");
    let register = "lobby register password longenough";
    stage.hall.line(conn, register, stage.now, stage.now);
    stage.hall.effects();
    stage.hall.hashed(conn, None, stage.now);
    stage.settle();
    stage.run("G< lobby error the password could not be hashed: try again\nG.");
    stage.say("G", register);
    stage.run("G< lobby welcome name carl account yes …");
}

/// Hashing is work: others must not wait for one who has it done again and again.
#[test]
fn registering_is_metered() {
    let mut stage = Stage::new(open());
    let mut made = 0;
    for i in 0..20 {
        let who = format!("h{i}");
        stage.enter(&who, "lobby", &who, "10.0.0.6");
        stage.say(&who, "lobby register password longenough");
        let heard = stage.heard(&who);
        made += usize::from(heard.iter().any(|l| l.contains("account yes")));
    }
    assert_eq!(made, 10, "ten at once, as with passwords");
    // And one at a time for each.
    stage.enter("a", "lobby", "ann", "10.0.0.7");
    let conn = stage.conn("a");
    for _ in 0..5 {
        stage.hall.line(
            conn,
            "lobby register password longenough",
            stage.now,
            stage.now,
        );
    }
    let effects = stage.hall.effects();
    let hash = |e: &&Effect| matches!(e, Effect::Hash { .. });
    assert_eq!(effects.iter().filter(hash).count(), 1);
}

#[test]
fn a_password_of_several_words_is_kept_whole() {
    let mut stage = Stage::new(open());
    stage.run(
        "
        A is lobby Ann
        A> lobby register password correct horse battery
        A< lobby welcome name Ann account yes …
        B connects
        B> id username Ann
        B> id password correct
        B> uciok
        B is cut off
        C connects
        C> id username Ann
        C> id lobby 1
        C> id password correct horse battery
        C> uciok
        C<< lobby welcome name Ann account yes …
        ",
    );
}

conversations! {
    a_banned_guest_does_not_come_back_under_its_name: "
        A is lobby Ann
        ! {\"order\":\"ban\",\"what\":\"Ann\",\"why\":\"cheating\"}
        A is cut off
        B connects
        B> id username ann
        B> uciok
        B<< info clienterror ann is banned: cheating
        B is cut off
        # An engine is named after its program.
        C connects
        C> id name Ann
        C> uciok
        C<< info clienterror ann is banned: cheating
        C is cut off
        ! {\"order\":\"unban\",\"what\":\"Ann\"}
        D is lobby Ann
        D is in
    "
    one_who_is_away_is_banned_too: "
        A is lobby Ann
        B is lobby Bob
        A> lobby seek time 60 colour white
        B> lobby accept id 3
        A> readyok
        B> readyok
        A closes
        ! {\"order\":\"ban\",\"what\":\"Ann\",\"why\":\"cheating\"}
        B<< lobby end id 1 result 0-1 reason White disconnects: banned
    "
}

/// Not with its token either.
#[test]
fn a_banned_account_does_not_come_back_with_its_token() {
    let mut stage = Stage::new(settings());
    account(&mut stage, "Ann", "secret");
    stage.run(
        "
        A connects
        A> id username Ann
        A> id lobby 1
        A> id password secret
        A> uciok
        ",
    );
    let heard = stage.heard("A");
    let welcome = heard.iter().find(|l| l.starts_with("lobby welcome"));
    stage.word(welcome.and_then(|l| l.split(' ').nth(7)).expect("a token"));
    stage.run(
        "
        ! {\"order\":\"tournament\",\"title\":\"Cup\",\"game\":\"chess\",\"rules\":\"\",\"position\":\"startpos\",\"time\":\"60+0\",\"swiss\":false,\"rounds\":1,\"rated\":false}
        A> lobby tournament join id 2
        ! {\"order\":\"ban\",\"what\":\"ann\",\"why\":\"cheating\"}
        A is cut off
        B connects
        B> id username Ann
        B> id lobby 1
        B> id token $1
        B> uciok
        B<< info clienterror ann is banned: cheating
        B is cut off
        ",
    );
}

#[test]
fn what_cannot_be_banned_is_refused() {
    let mut stage = Stage::new(settings());
    for what in [
        "",
        "127.0.0.0/24",
        "a b",
        "an.address.of.much.too.many.letters",
    ] {
        let answer = stage.order(&format!(r#"{{"order":"ban","what":"{what}","why":"x"}}"#));
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.contains("cannot be banned"), "{what}: {answer}");
    }
}

/// An account is a person or an engine by what comes in last.
#[test]
fn a_person_stays_a_person_after_an_engine_of_its_account() {
    let mut stage = Stage::new(settings());
    account(&mut stage, "Ann", "secret");
    stage.run(
        "
        E connects
        E> id name Fish
        E> id account Ann
        E> id password secret
        E> uciok
        P connects
        P> id username Ann
        P> id lobby 1
        P> id password secret
        P> uciok
        E is cut off
        P> lobby list players
        P<< lobby player name Ann kind person …
        F connects
        F> id name Fish
        F> id account Ann
        F> id lobby 1
        F> id password secret
        F> uciok
        F> lobby list players
        F<< lobby player name Ann kind engine …
        ",
    );
}
