//! `quadrille check`: engines, hosts, files, exit codes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::support::{refusal, stdout};

fn check(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("check")
        .args(arguments)
        .output()
        .expect("the binary was built for this test")
}

fn report(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON, and nothing else")
}

fn names(report: &Value, list: &str) -> Vec<String> {
    let rows = report[list].as_array().expect("a list");
    let name = |row: &Value| row.as_str().or(row["id"].as_str()).map(Into::into);
    rows.iter().filter_map(name).collect()
}

/// What our engines have beside notes, after a second look on a busy machine.
fn faults(game: &str) -> Vec<String> {
    let look = || {
        let report = report(&check(&["builtin", "--game", game, "--json"]));
        assert_eq!(report["subject"]["game"], game);
        assert!(names(&report, "passed").len() > 90, "{game}");
        let findings = report["findings"].as_array().expect("a list").clone();
        let bad = findings.into_iter().filter(|f| f["severity"] != "note");
        bad.map(|f| format!("{game} {}: {}", f["id"], f["seen"]))
            .collect::<Vec<_>>()
    };
    let first = look();
    if first.is_empty() { first } else { look() }
}

#[test]
fn our_own_engines_keep_every_rule() {
    let games = ["chess", "liberty", "leiser", "gyges"];
    let threads = games.map(|game| std::thread::spawn(move || faults(game)));
    for thread in threads {
        let faults = thread.join().expect("a check comes to its end");
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn checks_are_chosen_by_name_and_group() {
    let output = check(&[
        "builtin",
        "--only",
        "handshake",
        "--skip",
        "handshake.quick",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0));
    let report = report(&output);
    let passed = names(&report, "passed");
    assert!(
        passed.iter().all(|id| id.starts_with("handshake.")),
        "{passed:?}"
    );
    assert!(passed.contains(&"handshake.uciok".into()));
    assert!(!passed.contains(&"handshake.quick".into()));
    let words = refusal(&["check", "builtin", "--only", "go.dept"]);
    assert!(words.contains("did you mean 'go.depth'"), "{words}");
}

#[test]
fn an_option_that_the_engine_does_not_have_is_told() {
    let arguments = ["builtin", "--only", "ready", "--option", "Hsh=16"];
    let output = check(&arguments);
    let text = String::from_utf8_lossy(&output.stdout);
    let told = "the engine has no option 'Hsh', and was told it all the same; was Hash meant?";
    assert!(text.contains(told), "{text}");
    let output = check(&[
        "builtin", "--only", "ready", "--option", "hash=16", "--json",
    ]);
    assert_eq!(report(&output)["unknown_options"], Value::Null);
}

/// A program that is no engine: it starts, and ends at once.
const NO_ENGINE: &str = "false";

#[test]
fn the_exit_code_is_the_worst_that_was_found() {
    let only = ["--only", "handshake.starts", "--quiet"];
    let output = check(&[&[NO_ENGINE][..], &only].concat());
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    let line = String::from_utf8_lossy(&output.stdout);
    assert_eq!(line, "false: 0 of 1 checks passed, 1 error\n");
    let output = check(&[&[NO_ENGINE][..], &only, &["--fail-on", "never"]].concat());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// There is nothing to judge, and nothing is written.
#[test]
fn a_program_that_is_not_there_is_a_mistake_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.xml").display().to_string();
    for engine in ["./no-such-engine", "no-such-engine"] {
        let words = refusal(&["check", engine, "--fail-on", "never", "--junit", &path]);
        assert!(words.contains("cannot start"), "{words}");
    }
    assert!(!folder.path().join("a.xml").exists());
}

#[cfg(unix)]
#[test]
fn a_program_that_cannot_be_started_is_no_finding() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no-engine");
    // It is there, and its interpreter is not.
    std::fs::write(&path, "#!/no/such/interpreter\n").expect("a file");
    let runnable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, runnable).expect("it is ours");
    let path = path.display().to_string();
    for more in [&[][..], &["--fail-on", "never"]] {
        let words = refusal(&[&["check", &path], more].concat());
        assert!(words.contains(" cannot be checked: "), "{words}");
    }
    // Nobody listens at the port of this address.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("tcp://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let output = check(&[&address]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn reports_are_written_where_they_are_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (junit, sarif, html) = (path("a.xml"), path("a.sarif"), path("a.html"));
    let json = path("a.json");
    let only = [
        "--only",
        "handshake.starts",
        "--junit",
        &junit,
        "--sarif",
        &sarif,
    ];
    let more = ["--html", &html, "--json", &json];
    let output = check(&[&[NO_ENGINE][..], &only, &more].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("handshake.starts") && text.contains("mend:"),
        "{text}"
    );
    assert!(
        text.contains("try:   ") && text.contains("| false"),
        "{text}"
    );
    let read = |path: &str| std::fs::read_to_string(path).expect("it was written");
    assert!(read(&junit).contains("failures=\"1\""));
    assert!(read(&sarif).contains("\"ruleId\": \"handshake.starts\""));
    assert!(read(&html).starts_with("<!doctype html>"));
    let report: Value = serde_json::from_str(&read(&json)).expect("JSON");
    assert_eq!(names(&report, "findings"), ["handshake.starts"]);
    let reproduce = report["findings"][0]["reproduce"]
        .as_str()
        .expect("a command");
    assert!(reproduce.ends_with("| false"), "{reproduce}");
}

#[test]
fn json_without_a_file_takes_the_place_of_the_text() {
    let only = ["--only", "handshake.starts"];
    for words in [
        &[NO_ENGINE, "--json"][..],
        &[NO_ENGINE, "--json", "-"],
        &["--json", NO_ENGINE],
    ] {
        let report = report(&check(&[words, &only].concat()));
        assert_eq!(
            names(&report, "findings"),
            ["handshake.starts"],
            "{words:?}"
        );
    }
    assert!(refusal(&["check", "--json"]).contains("name an engine"));
}

#[test]
fn what_a_baseline_accepts_does_not_fail_the_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let known = folder.path().join("known.txt").display().to_string();
    let only = ["--only", "handshake.starts"];
    let words = [&[NO_ENGINE][..], &only, &["--baseline", &known]].concat();
    let missing = refusal(&[&["check"][..], &words].concat());
    assert!(
        missing.contains("--write-baseline FILE makes one"),
        "{missing}"
    );
    let output = check(&[&[NO_ENGINE][..], &only, &["--write-baseline", &known]].concat());
    assert_eq!(output.status.code(), Some(5));
    let text = std::fs::read_to_string(&known).expect("it was written");
    assert!(text.contains("error   handshake.starts"), "{text}");
    let output = check(&words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("1 error; 1 accepted") && printed.contains("(accepted)"),
        "{printed}"
    );
    // What is worse than what is accepted is new.
    std::fs::write(&known, "note handshake.starts\nerror handshake.uciok\n").expect("a file");
    assert_eq!(check(&words).status.code(), Some(5));
    // What is accepted and was passed can be left out.
    let words = ["builtin", "--only", "handshake.uciok", "--baseline", &known];
    let output = check(&words);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("accepted by the baseline, and passed: handshake.uciok"),
        "{printed}"
    );
    std::fs::write(&known, "error handshake.start\n").expect("a file");
    let said = refusal(&[&["check"][..], &words].concat());
    assert!(
        said.contains("line 1: unknown check 'handshake.start'"),
        "{said}"
    );
}

/// As a person would do it.
#[cfg(unix)]
#[test]
fn the_command_of_a_finding_shows_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("my engine.sh");
    let text = "while read -r line; do case \"$line\" in\nuci) echo 'id name Shell'; echo uciok;;\n\
                isready*) echo readyok;;\ngo*) echo 'info depth 1 joho 7'; echo 'bestmove e2e4';;\n\
                quit) exit 0;;\nesac; done";
    std::fs::write(&script, text).expect("a file");
    let script = script.display().to_string();
    let output = check(&[
        "sh",
        "--only",
        "handshake.id-author,input.crlf",
        "--json",
        "--",
        &script,
    ]);
    let report = report(&output);
    let findings = report["findings"].as_array().expect("a list");
    let of = |id: &str| {
        findings
            .iter()
            .find(|finding| finding["id"] == id)
            .expect(id)
    };
    let author = of("handshake.id-author")["reproduce"]
        .as_str()
        .expect("a command");
    let shown = Command::new("sh")
        .args(["-c", author])
        .output()
        .expect("a shell");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains("id name Shell") && !shown.contains("id author"),
        "{author}: {shown}"
    );
}

#[test]
fn a_host_that_is_killed_leaves_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("host.txt");
    std::fs::write(&path, "the report before\n").expect("a file");
    let json = folder.path().join("host.json");
    let mut posed = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["check", "--host", "-o"])
        .arg(&path)
        .arg("--json")
        .arg(&json)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let mut input = posed.stdin.take().expect("a pipe");
    input.write_all(b"isready\n").expect("it reads");
    let read = || std::fs::read_to_string(&path).unwrap_or_default();
    let until = std::time::Instant::now() + std::time::Duration::from_mins(1);
    while !read().contains("host.hello") && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    // As its host is ended, so is it: nothing can be written any more.
    posed.kill().expect("it runs");
    posed.wait().expect("it ended");
    let text = read();
    assert!(
        text.starts_with("the report before\nhost: ") && text.contains("broken off"),
        "{text}"
    );
    assert!(text.contains("host.hello"), "{text}");
    let json = std::fs::read_to_string(&json).expect("a file");
    let report: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(report["complete"], false);
}

#[test]
fn all_checks_are_listed() {
    let list = stdout(&["check", "--list"]);
    assert!(
        list.contains("go.depth") && list.contains("ugi.max-ply"),
        "{list}"
    );
    let hosts = stdout(&["check", "--list", "--host"]);
    assert!(
        hosts.contains("host.quit") && !hosts.contains("go.depth"),
        "{hosts}"
    );
}

#[test]
fn a_host_is_judged_by_what_it_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("host.json");
    let mut posed = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["check", "--host", "--json", "-o"])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let mut input = posed.stdin.take().expect("a pipe");
    // Everything at once: a host that waits for nothing.
    input
        .write_all(b"uci\nisready\nposition startpos moves e2e5\ngo depth 1\nquit\n")
        .expect("it reads");
    drop(input);
    let output = posed.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(5));
    let text = std::fs::read_to_string(&path).expect("a report");
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["subject"]["role"], "host");
    let found = names(&report, "findings");
    for id in ["host.waits", "host.position-moves", "host.waits-ready"] {
        assert!(found.iter().any(|name| name == id), "{id}: {found:?}");
    }
    assert!(!found.iter().any(|name| name == "host.quit"), "{found:?}");
}

#[test]
fn what_cannot_be_meant_is_refused_before_the_check() {
    let nothing = ["--only", "go", "--skip", "go"];
    let words = refusal(&[&["check", "builtin"][..], &nothing[..]].concat());
    assert!(words.contains("no check of uci is left"), "{words}");
    let words = refusal(&["check", "builtin", "--only", "ugi"]);
    assert!(words.contains("no check of uci is left"), "{words}");
    // All of them would be found out after a minute.
    for option in [
        "--json",
        "--junit",
        "--sarif",
        "--html",
        "--output",
        "--write-baseline",
    ] {
        let words = refusal(&["check", "builtin", option, "no-such-folder/a"]);
        assert!(
            words.contains("no-such-folder/a cannot be written"),
            "{words}"
        );
    }
    let list = stdout(&["check", "--list", "--only", "stop,go.depth"]);
    assert!(
        list.contains("stop.quick") && list.contains("go.depth "),
        "{list}"
    );
    assert!(
        !list.contains("go.nodes") && !list.contains("handshake"),
        "{list}"
    );
}

/// What has no end, such as `/dev/zero`, is read as far as this.
#[cfg(unix)]
#[test]
fn a_baseline_has_a_bound() {
    let folder = tempfile::tempdir().expect("a folder");
    let known = folder.path().join("known.txt").display().to_string();
    let line = "note go.depth\n";
    let most = line.repeat((1 << 20) / line.len());
    for (text, is_read) in [(most.clone(), true), (most + line, false)] {
        std::fs::write(&known, text).expect("a file");
        let from_pipe = Command::new("cat")
            .arg(&known)
            .stdout(Stdio::piped())
            .spawn();
        let pipe = from_pipe.expect("cat").stdout.expect("a pipe");
        for (path, input) in [(&*known, Stdio::null()), ("/dev/stdin", pipe.into())] {
            let output = Command::new(env!("CARGO_BIN_EXE_quadrille"))
                .args(["check", NO_ENGINE, "--only", "handshake.starts"])
                .args(["--baseline", path])
                .stdin(input)
                .output()
                .expect("the binary was built for this test");
            let errors = String::from_utf8_lossy(&output.stderr);
            let refused = errors.contains(": it has more than 1048576 bytes");
            assert_eq!(refused, !is_read, "{path}: {errors}");
            let code = if is_read { 5 } else { 2 };
            assert_eq!(output.status.code(), Some(code), "{path}: {errors}");
        }
    }
}

#[test]
fn two_outputs_do_not_share_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    let one = folder.path().join("one").display().to_string();
    let again = folder.path().join("sub/../one").display().to_string();
    let outputs = [
        "--output", "--json", "--junit", "--sarif", "--html", "--tape",
    ];
    for pair in outputs.windows(2) {
        for second in [&one, &again] {
            let words = refusal(&["check", "builtin", pair[0], &one, pair[1], second]);
            let wanted = format!("{} and {} are the same file ({second})", pair[0], pair[1]);
            assert!(words.contains(&wanted), "{words}");
            assert!(
                words.contains("name another file for one of them"),
                "{words}"
            );
        }
    }
    assert!(!folder.path().join("one").exists(), "nothing is written");
    std::fs::write(&one, "note go.depth\n").expect("a file");
    let words = refusal(&["check", "builtin", "--baseline", &one, "--html", &one]);
    assert!(
        words.contains("--html and --baseline are the same file"),
        "{words}"
    );
    assert_eq!(
        std::fs::read_to_string(&one).expect("a file"),
        "note go.depth\n"
    );
    // A baseline is renewed in its place.
    let renewed = ["--baseline", &one, "--write-baseline", &one];
    let only = [NO_ENGINE, "--only", "handshake.starts"];
    let output = check(&[&only[..], &renewed[..]].concat());
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    if cfg!(unix) {
        let devices = ["--json", "/dev/null", "--junit", "/dev/null"];
        let output = check(&[&only[..], &devices[..]].concat());
        assert_eq!(output.status.code(), Some(5), "{output:?}");
    }
}

/// Two reports in one pipe are no report that a program could read.
#[cfg(unix)]
#[test]
fn two_outputs_do_not_share_a_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe").display().to_string();
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    // The text is printed to standard output.
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        if !cfg!(target_os = "linux") && path.starts_with("/proc") {
            continue;
        }
        for option in ["--json", "--junit", "--sarif", "--html", "--write-baseline"] {
            let words = refusal(&["check", "builtin", option, path]);
            let wanted = format!("standard output and {option} are the same file ({path})");
            assert!(words.contains(&wanted), "{words}");
        }
        let words = refusal(&["check", "builtin", "--json", "-", "--sarif", path]);
        assert!(words.contains("standard output and --sarif"), "{words}");
        let words = ["check", "builtin", "-o", "/dev/stdout", "--json", path];
        let words = refusal(&words);
        assert!(
            words.contains("--output and --json are the same"),
            "{words}"
        );
    }
    let words = refusal(&["check", "builtin", "--json", &pipe, "--junit", &pipe]);
    assert!(words.contains("--json and --junit are the same"), "{words}");
    // Standard output belongs to the host, and the report goes to standard error.
    for (path, stream) in [("/dev/stdout", "output"), ("/dev/stderr", "error")] {
        let words = refusal(&["check", "--host", "--json", path]);
        let wanted = format!("standard {stream} and --json are the same file");
        assert!(words.contains(&wanted), "{words}");
    }
    // Where the text goes elsewhere, one report may go there.
    let text = folder.path().join("text").display().to_string();
    let words = [NO_ENGINE, "--only", "handshake.starts", "-o", &text];
    let output = check(&[&words[..], &["--json", "/dev/stdout"]].concat());
    assert_eq!(output.status.code(), Some(5), "{output:?}");
    assert_eq!(names(&report(&output), "findings"), ["handshake.starts"]);
}

#[test]
fn a_dash_is_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |words: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(["check", NO_ENGINE, "--only", "handshake.starts"])
            .args(words)
            .current_dir(folder.path())
            .output()
            .expect("the binary was built for this test")
    };
    for (words, begin) in [
        (&["-o", "-"][..], "false: 0 of 1"),
        (&["--html", "-"], "<!DOCTYPE html>"),
        (&["--junit", "-"], "<?xml"),
        (&["--sarif", "-"], "{"),
        (&["--write-baseline", "-"], "#"),
        (&["--html", "-", "-o", "text"], "<!DOCTYPE html>"),
    ] {
        let output = check(words);
        assert_eq!(output.status.code(), Some(5), "{words:?}: {output:?}");
        let said = String::from_utf8(output.stdout).expect("we print UTF-8");
        let (said, begin) = (said.to_lowercase(), begin.to_lowercase());
        assert!(said.starts_with(&begin), "{words:?}: {said}");
        let has_text = said.contains("1 error\n\nerror    handshake.starts");
        assert_eq!(has_text, words[0] == "-o", "{words:?}: {said}");
    }
    let kept = std::fs::read_to_string(folder.path().join("text")).expect("a file");
    assert!(kept.starts_with("false: 0 of 1"), "{kept}");
    for words in [
        &["--html", "-", "--sarif", "-"][..],
        &["--json", "-", "--junit", "-"],
        &["-o", "-", "--json", "-"],
    ] {
        let said = refusal(&[&["check", "builtin"], words].concat());
        assert!(said.contains("would both go to standard output"), "{said}");
    }
    for words in [
        &["check", "builtin", "--tape", "-"][..],
        &["go", "builtin", "--tape", "-"],
        &["check", "--host", "-o", "-"],
        &["check", "--host", "--html", "-"],
    ] {
        let said = refusal(words);
        assert!(said.contains("cannot go to standard output"), "{said}");
    }
    assert!(!folder.path().join("-").exists());
}

/// A pipe without a writer is waited for, but not without a word.
#[cfg(unix)]
#[test]
fn a_baseline_in_a_pipe_is_waited_for_aloud() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("known");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["check", NO_ENGINE, "--only", "handshake.starts"])
        .args(["--baseline", "known"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    let mut said = String::new();
    BufReader::new(child.stderr.take().expect("a pipe"))
        .read_line(&mut said)
        .expect("UTF-8");
    assert_eq!(
        said,
        "known: waiting for a program that writes to this pipe\n"
    );
    std::fs::write(&pipe, "error handshake.starts\n").expect("a reader");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

/// A script that says nothing, in a folder of its own.
#[cfg(unix)]
fn script(folder: &std::path::Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("engine");
    std::fs::write(&path, "#!/bin/sh\nexit\n").expect("a file");
    let rights = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, rights).expect("a file of our own");
    path.display().to_string()
}

#[cfg(unix)]
#[test]
fn an_output_is_not_written_over_the_engine() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = script(folder.path());
    let link = folder.path().join("link").display().to_string();
    std::os::unix::fs::symlink("engine", &link).expect("a link");
    let only = ["--only", "handshake.starts"];
    for option in [
        "--tape",
        "--json",
        "--sarif",
        "--html",
        "--junit",
        "--output",
        "--write-baseline",
    ] {
        for path in [&engine, &link] {
            let words = [&["check", &engine, option, path][..], &only].concat();
            let said = refusal(&words);
            let wanted = format!("{option} and the engine's program are the same file ({path})");
            assert!(said.contains(&wanted), "{said}");
            let words = ["check", "sh", option, path, "--", &engine];
            let said = refusal(&words);
            let wanted = format!("{option} and an argument of the engine are the same file");
            assert!(said.contains(&wanted), "{said}");
        }
    }
    let said = refusal(&["go", &engine, "--tape", &link]);
    assert!(
        said.contains("--tape and the engine's program are the same file"),
        "{said}"
    );
    let text = std::fs::read_to_string(&engine).expect("a file");
    assert!(text.starts_with("#!/bin/sh"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_tape_is_replaced_when_the_engine_has_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = script(folder.path());
    // It is no program, though it may be run.
    std::fs::write(&engine, "#!/no/such/interpreter\n").expect("a file");
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    std::fs::write(&old, "a tape of yesterday\n").expect("a file");
    for word in ["check", "go"] {
        for tape in [&old, &new] {
            let tape = tape.display().to_string();
            let output = crate::support::quadrille(&[word, &engine, "--tape", &tape]);
            assert!(!output.status.success(), "{output:?}");
        }
        let text = std::fs::read_to_string(&old).expect("a file");
        assert_eq!(text, "a tape of yesterday\n", "{word}");
        assert!(!new.exists(), "{word} left an empty file");
    }
    std::fs::write(&engine, "#!/bin/sh\nexit\n").expect("a file");
    for word in ["check", "go"] {
        std::fs::write(&old, "a tape of yesterday\n").expect("a file");
        let tape = old.display().to_string();
        crate::support::quadrille(&[word, &engine, "--tape", &tape]);
        let text = std::fs::read_to_string(&old).expect("a file");
        assert!(text.starts_with("# quadrille tape 1\n"), "{word}: {text}");
    }
}

#[test]
fn a_check_is_on_a_tape() {
    let folder = tempfile::TempDir::new().unwrap();
    let tape = folder.path().join("a.tape");
    let tape = tape.to_str().unwrap();
    let said = stdout(&[
        "check",
        "builtin",
        "--only",
        "handshake",
        "--quiet",
        "--tape",
        tape,
    ]);
    assert!(said.contains("passed"), "{said}");
    let shown = stdout(&["tape", "show", tape]);
    assert!(
        shown.contains("uciok") && shown.contains("isready"),
        "{shown}"
    );
}

#[cfg(unix)]
#[test]
fn a_report_goes_to_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.txt");
    // Longer than what follows.
    std::fs::write(&path, "x".repeat(100_000)).expect("a file");
    let name = path.display().to_string();
    let output = check(&[NO_ENGINE, "--only", "handshake.starts", "-o", &name]);
    assert_eq!((output.stdout.len(), output.status.code()), (0, Some(5)));
    let text = std::fs::read_to_string(&path).expect("a report");
    assert!(
        text.starts_with("false: 0 of 1") && !text.contains('x'.to_string().repeat(9).as_str()),
        "{text}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_printed_is_a_failure() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("Linux has it");
    let output = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["check", "builtin", "--only", "handshake.starts"])
        .stdout(full)
        .output()
        .expect("the binary was built for this test");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
