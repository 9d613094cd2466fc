//! Accounts and strangers who guess their passwords.

use quadrille_server::hall::{AccountRow, ConnId, Effect, Keep, Kept, Logins};
use quadrille_server::password::{self, Work};

use super::{Stage, settings};

/// A hall with Ann's account, whose password is `secret`.
fn stage() -> (Stage, AccountRow) {
    let hash = password::hash("secret", Work::Small).expect("a hash");
    let row = AccountRow {
        name: "Ann".into(),
        hash,
    };
    let kept = Kept {
        accounts: vec![row.clone()],
        ..Kept::default()
    };
    (Stage::with(settings(), kept, 1), row)
}

/// Comes in from somewhere with a password, a token or both; what it is told.
fn come(stage: &mut Stage, who: &str, from: &str, password: &str, token: &str) -> String {
    stage.connect(who, from);
    stage.say(who, "id lobby 1");
    stage.say(who, "id username Ann");
    for (key, value) in [("password", password), ("token", token)] {
        if !value.is_empty() {
            stage.say(who, &format!("id {key} {value}"));
        }
    }
    stage.say(who, "uciok");
    stage.heard(who).join("\n")
}

fn guess(stage: &mut Stage, n: usize) -> String {
    let from = format!("10.1.{}.{}", n / 250, n % 250 + 1);
    come(stage, &format!("H{n}"), &from, "guess", "")
}

fn token_of(welcome: &str) -> String {
    let line = welcome
        .lines()
        .find(|line| line.starts_with("lobby welcome"));
    let words = line.expect(welcome).split(' ');
    words
        .skip_while(|word| *word != "token")
        .nth(1)
        .expect("a token")
        .into()
}

/// What a store would give back.
fn kept(stage: &Stage, row: AccountRow) -> Kept {
    let last = stage.kept.iter().rev().find_map(|keep| match keep {
        Keep::Logins(name, Some(logins)) => Some((name.clone(), logins.clone())),
        _ => None,
    });
    Kept {
        accounts: vec![row],
        logins: last.into_iter().collect(),
        ..Kept::default()
    }
}

#[test]
fn guesses_from_many_addresses_are_paused() {
    let (mut stage, _) = stage();
    let wrong = |answer: &String| answer.contains("the name or the password is wrong");
    let checked = (0..300).map(|n| guess(&mut stage, n)).filter(wrong).count();
    assert_eq!(checked, 10, "of 300 from 300 addresses");
    let paused = guess(&mut stage, 300);
    assert!(
        paused.contains("too many wrong passwords for this account: wait 1 s"),
        "{paused}"
    );
    // Over an hour there is about one a minute.
    let mut checked = 0;
    for n in 301..1500 {
        stage.pass(3000);
        checked += usize::from(wrong(&guess(&mut stage, n)));
    }
    assert!((60..75).contains(&checked), "{checked} in an hour");
    // A new address of the owner gets in when there is no pause.
    stage.pass(60_000);
    let welcome = come(&mut stage, "A", "10.9.9.9", "secret", "");
    assert!(
        welcome.contains("lobby welcome name Ann account yes"),
        "{welcome}"
    );
}

#[test]
fn a_stranger_does_not_lock_the_owner_out() {
    let (mut stage, row) = stage();
    let token = token_of(&come(&mut stage, "A", "10.0.0.1", "secret", ""));
    stage.run("A closes");
    for n in 0..30 {
        guess(&mut stage, n);
    }
    // From where she was before, and with the token from anywhere.
    let back = come(&mut stage, "B", "10.0.0.1", "secret", "");
    assert!(
        back.contains("lobby welcome name Ann account yes"),
        "{back}"
    );
    let note = "info string 10 wrong passwords were tried for Ann since you were here, the last \
                from 10.1.0.10";
    assert!(back.contains(note), "{back}");
    assert!(
        !come(&mut stage, "C", "10.0.0.1", "secret", "").contains("wrong"),
        "told once"
    );
    for n in 30..60 {
        guess(&mut stage, n);
    }
    let other = come(&mut stage, "D", "10.0.0.9", "", &token);
    assert!(
        other.contains("lobby welcome name Ann account yes"),
        "{other}"
    );
    stage.run("D closes");
    // Also after a restart.
    for n in 60..90 {
        guess(&mut stage, n);
    }
    let mut later = Stage::with(settings(), kept(&stage, row), 2);
    for n in 0..30 {
        guess(&mut later, n);
    }
    let known = come(&mut later, "A", "10.0.0.1", "secret", "");
    assert!(
        known.contains("lobby welcome name Ann account yes"),
        "{known}"
    );
    let by_token = come(&mut later, "B", "10.0.0.10", "", &token);
    assert!(
        by_token.contains("lobby welcome name Ann account yes"),
        "{by_token}"
    );
}

/// A token opens nothing but its account, and nothing after another password.
#[test]
fn a_token_is_for_one_account_and_one_password() {
    let (mut stage, _) = stage();
    let token = token_of(&come(&mut stage, "A", "10.0.0.1", "secret", ""));
    stage.run("A closes");
    stage.connect("H", "10.0.0.2");
    for line in [
        "id lobby 1",
        "id username Hal",
        &format!("id token {token}"),
        "uciok",
    ] {
        stage.say("H", line);
    }
    let hal = stage.heard("H").join("\n");
    assert!(hal.contains("lobby welcome name Hal account no"), "{hal}");
    let hash = password::hash("another", Work::Small).expect("a hash");
    stage.order(&format!(
        r#"{{"order":"account","name":"ann","hash":"{hash}"}}"#
    ));
    let refused = come(&mut stage, "B", "10.0.0.1", "", &token);
    assert!(
        refused.contains("is an account: send id password"),
        "{refused}"
    );
    assert!(come(&mut stage, "C", "10.0.0.1", "another", &token).contains("account yes"));
}

/// Who goes before the answer comes has tried all the same.
#[test]
fn a_guess_counts_though_nobody_waits_for_the_answer() {
    let (mut stage, _) = stage();
    come(&mut stage, "A", "10.0.0.1", "secret", "");
    stage.run("A closes");
    stage.connect("H", "10.0.0.2");
    let conn = stage.conn("H");
    for line in ["id username Ann", "id password guess", "uciok"] {
        stage.hall.line(conn, line, stage.now, stage.now);
    }
    stage.hall.closed(conn, stage.now);
    stage.settle();
    let back = come(&mut stage, "B", "10.0.0.1", "secret", "");
    assert!(
        back.contains("1 wrong password was tried for Ann"),
        "{back}"
    );
}

/// A client that says a password and nothing else; what the hall wants.
fn knock(stage: &mut Stage, n: usize, account: &str, from: &str) -> Vec<Effect> {
    let conn = ConnId(n as u64);
    let address = from.parse().expect("an address");
    stage.hall.connect(conn, Some(address), stage.now);
    let name = format!("id username {account}");
    for line in [&*name, "id lobby 1", "id password guess", "uciok"] {
        stage.hall.line(conn, line, stage.now, stage.now);
    }
    stage.hall.effects()
}

fn checks(effects: &[Effect]) -> Vec<ConnId> {
    let of = |effect: &Effect| match effect {
        Effect::Check { conn, .. } => Some(*conn),
        _ => None,
    };
    effects.iter().filter_map(of).collect()
}

/// Two passwords are compared at a time. Few others wait, owners do not wait for
/// strangers, and one that nobody waits for is not compared at all.
#[test]
fn passwords_wait_in_a_bounded_queue() {
    let account = |n| AccountRow {
        name: format!("owner-{n}"),
        hash: "not looked at".into(),
    };
    let home = Logins {
        known: ["10.9.9.9".to_owned()].into(),
        ..Logins::default()
    };
    let kept = Kept {
        accounts: (0..60).map(account).collect(),
        logins: vec![("owner-0".into(), home)],
        ..Kept::default()
    };
    let mut stage = Stage::with(settings(), kept, 1);
    let (mut begun, mut refused) = (Vec::new(), 0);
    for n in 1..=400 {
        let from = format!("10.1.{}.{}", n / 250, n % 250 + 1);
        let effects = knock(&mut stage, n, &format!("owner-{}", 1 + n % 59), &from);
        begun.extend(checks(&effects));
        let busy = "too many passwords are being checked: try again in a few seconds";
        let is_busy = |e: &Effect| matches!(e, Effect::Send(_, line) if line.contains(busy));
        refused += usize::from(effects.iter().any(is_busy));
    }
    assert_eq!(begun, [ConnId(1), ConnId(2)]);
    assert_eq!(refused, 400 - 2 - 128);
    // The owner is next, or the one after that.
    let effects = knock(&mut stage, 1000, "owner-0", "10.9.9.9");
    assert!(checks(&effects).is_empty());
    stage.hall.checked(ConnId(1), false, stage.now);
    stage.hall.checked(ConnId(2), false, stage.now);
    let next = checks(&stage.hall.effects());
    assert_eq!(next.len(), 2);
    assert!(next.contains(&ConnId(1000)), "{next:?}");
    // All others go.
    for n in 1..=400 {
        stage.hall.closed(ConnId(n), stage.now);
    }
    stage.hall.effects();
    for conn in next {
        stage.hall.checked(conn, false, stage.now);
    }
    assert!(checks(&stage.hall.effects()).is_empty());
    let effects = knock(&mut stage, 2000, "owner-1", "10.8.8.8");
    assert_eq!(checks(&effects), [ConnId(2000)]);
}

/// However many owners come, strangers are served too.
#[test]
fn strangers_have_their_share_of_the_queue() {
    let account = |n| AccountRow {
        name: format!("owner-{n}"),
        hash: "not looked at".into(),
    };
    let home = |n: usize| {
        let known = [format!("10.9.{n}.9")].into();
        let home = Logins {
            known,
            ..Logins::default()
        };
        (format!("owner-{n}"), home)
    };
    let kept = Kept {
        accounts: (0..60).map(account).collect(),
        logins: (0..50).map(home).collect(),
        ..Kept::default()
    };
    let mut stage = Stage::with(settings(), kept, 1);
    let mut running = Vec::new();
    for n in 0..50 {
        let from = format!("10.9.{n}.9");
        running.extend(checks(&knock(&mut stage, n, &format!("owner-{n}"), &from)));
    }
    knock(&mut stage, 100, "owner-55", "10.8.8.8");
    for n in 0..4 {
        stage.hall.checked(running[n], false, stage.now);
        running.extend(checks(&stage.hall.effects()));
    }
    assert!(running.contains(&ConnId(100)), "{running:?}");
}

/// A client of the account with this number: everything that the hall wants.
fn owner(stage: &mut Stage, n: usize, word: &str) -> Vec<Effect> {
    let conn = ConnId(n as u64 + 1);
    let address = format!("10.{}.{}.1", n / 250, n % 250 + 1);
    let address = address.parse().expect("an address");
    stage.hall.connect(conn, Some(address), stage.now);
    let name = format!("id username owner-{n}");
    for line in [&*name, "id lobby 1", word, "uciok"] {
        stage.hall.line(conn, line, stage.now, stage.now);
    }
    stage.hall.effects()
}

/// After a restart every owner of an account comes back with its token: no password is
/// checked, also if it stands beside the token.
#[test]
fn twenty_thousand_accounts_come_back_by_their_tokens() {
    const ACCOUNTS: usize = 20_000;
    let mut large = settings();
    large.connections = 2 * ACCOUNTS;
    let accounts = |n| AccountRow {
        name: format!("owner-{n}"),
        hash: "not looked at".into(),
    };
    let mut kept = Kept {
        accounts: (0..ACCOUNTS).map(accounts).collect(),
        ..Kept::default()
    };
    let mut stage = Stage::with(large.clone(), kept.clone(), 1);
    for n in 0..ACCOUNTS {
        let asked = owner(&mut stage, n, "id password right");
        assert!(asked.iter().any(|e| matches!(e, Effect::Check { .. })));
        stage.hall.checked(ConnId(n as u64 + 1), true, stage.now);
        for effect in stage.hall.effects() {
            if let Effect::Keep(Keep::Logins(name, Some(logins))) = effect {
                kept.logins.push((name, logins));
            }
        }
    }
    assert_eq!(kept.logins.len(), ACCOUNTS);
    let tokens = kept.logins.clone();
    let mut stage = Stage::with(large, kept, 2);
    for (n, (name, logins)) in tokens.iter().enumerate() {
        assert_eq!(*name, format!("owner-{n}"));
        let effects = owner(&mut stage, n, &format!("id token {}", logins.token));
        let welcome = format!("lobby welcome name {name} account yes");
        let is_in = |e: &Effect| matches!(e, Effect::Send(_, line) if line.starts_with(&welcome));
        assert!(effects.iter().any(is_in), "{n}: {effects:?}");
        assert!(!effects.iter().any(|e| matches!(e, Effect::Check { .. })));
    }
}

/// Places are kept for those who have been here: strangers cannot fill the server.
#[test]
fn an_owner_finds_a_place_among_strangers() {
    let (stage, row) = stage();
    drop(stage);
    let mut few = settings();
    few.connections = 16;
    let owner = Logins {
        known: ["10.9.9.9".to_owned()].into(),
        ..Logins::default()
    };
    let kept = Kept {
        accounts: vec![row],
        logins: vec![("ann".into(), owner)],
        ..Kept::default()
    };
    let mut stage = Stage::with(few, kept, 1);
    for n in 0..20 {
        stage.connect(&format!("S{n}"), &format!("10.0.0.{n}"));
    }
    assert!(!stage.is_cut_off("S13") && stage.is_cut_off("S14"));
    let welcome = come(&mut stage, "A", "10.9.9.9", "secret", "");
    assert!(welcome.contains("lobby welcome name Ann"), "{welcome}");
}
