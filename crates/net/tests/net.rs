//! TLS on both sides: certificates, trust, and what goes wrong.

use std::fs;
use std::path::Path;
use std::time::Duration;

use quadrille_net::{
    Acceptor, Certificate, CertificateError, ConnectError, Connection, Fingerprint, Trust, connect,
};
use tempfile::tempdir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const PATIENCE: Duration = Duration::from_secs(20);

/// A server behind this door that sends back what it hears, in capitals, for one
/// client. Gives its port, and how it went.
async fn echo(door: Acceptor) -> (u16, tokio::task::JoinHandle<std::io::Result<()>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let task = tokio::spawn(async move {
        let (stream, _) = listener.accept().await?;
        let mut connection = door.enter(stream).await?;
        let mut heard = Vec::new();
        (&mut connection).take(5).read_to_end(&mut heard).await?;
        connection.write_all(&heard.to_ascii_uppercase()).await?;
        connection.shutdown().await
    });
    (port, task)
}

async fn ask(mut connection: Connection) -> std::io::Result<String> {
    connection.write_all(b"hello").await?;
    let mut heard = String::new();
    connection.read_to_string(&mut heard).await?;
    Ok(heard)
}

async fn visit(door: &Acceptor, host: &str, trust: Option<&Trust>) -> Result<String, ConnectError> {
    let (port, task) = echo(door.clone()).await;
    let connection = connect(host, port, trust, PATIENCE).await;
    match connection {
        Ok(connection) => {
            let heard = ask(connection).await.expect("an answer");
            task.await.expect("no panic").expect("served");
            Ok(heard)
        }
        Err(error) => {
            // The server hears of it too, and does not wait on.
            let _ = task.await.expect("no panic");
            Err(error)
        }
    }
}

#[tokio::test]
async fn a_certificate_is_made_once_and_trusted_by_its_fingerprint_or_as_its_own_authority() {
    let folder = tempdir().expect("a folder");
    let kept = folder.path().join("not/yet/there");
    let certificate = Certificate::kept_in(&kept, &["0.0.0.0".into()]).expect("made");
    let again = Certificate::kept_in(&kept, &["other.example".into()]).expect("kept");
    assert_eq!(certificate.fingerprint(), again.fingerprint());
    assert!(!format!("{certificate:?}").to_lowercase().contains("key"));

    let door = Acceptor::tls(&certificate).expect("usable");
    let trust = Trust::Fingerprint(certificate.fingerprint());
    assert_eq!(
        visit(&door, "127.0.0.1", Some(&trust)).await.unwrap(),
        "HELLO"
    );
    // As a file of authorities it must also be for the name that was asked for.
    let trust = Trust::Authority(kept.join("tls.pem"));
    for host in ["localhost", "127.0.0.1"] {
        assert_eq!(visit(&door, host, Some(&trust)).await.unwrap(), "HELLO");
    }
    assert_eq!(
        visit(&Acceptor::plain(), "127.0.0.1", None).await.unwrap(),
        "HELLO"
    );
}

#[cfg(unix)]
#[test]
fn the_key_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().expect("a folder");
    Certificate::kept_in(folder.path(), &[]).expect("made");
    let file = folder.path().join("tls.pem");
    let mode = |file: &Path| fs::metadata(file).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o600);
    assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("mine");
    let error = Certificate::kept_in(folder.path(), &[]).unwrap_err();
    assert!(error.to_string().contains("chmod 600"), "{error}");
}

/// Two servers that are started at once in one folder must not end up with the
/// certificate of the one and the key of the other.
#[test]
fn two_that_make_one_at_once_agree() {
    let folder = tempdir().expect("a folder");
    let made: Vec<Fingerprint> = std::thread::scope(|scope| {
        let make = || Certificate::kept_in(folder.path(), &[]);
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
        let made = threads.into_iter().map(|thread| {
            let certificate = thread.join().expect("no panic").expect("made");
            Acceptor::tls(&certificate).expect("its own key");
            certificate.fingerprint()
        });
        made.collect()
    });
    assert!(made.iter().all(|one| *one == made[0]), "{made:?}");
}

#[test]
fn files_that_are_no_certificate() {
    let [one, other] = [0, 1].map(|_| tempdir().expect("a folder"));
    for folder in [&one, &other] {
        Certificate::kept_in(folder.path(), &[]).expect("made");
    }
    let [one, other] = [one.path(), other.path()].map(|folder| folder.join("tls.pem"));
    // Certificate of the one, key of the other.
    let mixed = Certificate::from_files(&one, &other).expect("both can be read");
    let error = Acceptor::tls(&mixed).unwrap_err();
    assert!(matches!(error, CertificateError::Unusable(_)), "{error}");
    assert!(Certificate::from_files(&one, &one).is_ok());

    let text = fs::read_to_string(&one).expect("text");
    let without_key = &text[..text.find("-----BEGIN PRIVATE").expect("a key")];
    let file = other.with_file_name("some.pem");
    for (content, words) in [
        (without_key, "holds no private key in PEM form"),
        ("", "holds no certificate in PEM form"),
        ("rubbish", "holds no certificate in PEM form"),
        (&text[..200], "holds no certificate in PEM form"),
    ] {
        fs::write(&file, content).expect("written");
        let error = Certificate::from_files(&file, &file).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
    let missing = one.with_file_name("missing");
    let error = Certificate::from_files(&missing, &one).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_shows_its_fingerprint() {
    let folder = tempdir().expect("a folder");
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("made");
    let door = Acceptor::tls(&certificate).expect("usable");
    let elsewhere = tempdir().expect("a folder");
    let stranger = Certificate::kept_in(elsewhere.path(), &[]).expect("made");

    let found = certificate.fingerprint();
    let by_authority = Trust::Authority(elsewhere.path().join("tls.pem"));
    let error = visit(&door, "127.0.0.1", Some(&by_authority))
        .await
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains(&format!("add #{found} to the address")),
        "{error}"
    );

    let wanted = stranger.fingerprint();
    let pinned = Trust::Fingerprint(wanted);
    let error = visit(&door, "127.0.0.1", Some(&pinned)).await.unwrap_err();
    let other =
        matches!(error, ConnectError::Other { found: f, wanted: w } if (f, w) == (found, wanted));
    assert!(other, "{error}");
    assert!(
        error
            .to_string()
            .contains(&format!("{found}, not {wanted}")),
        "{error}"
    );
}

#[tokio::test]
async fn a_name_that_is_not_in_the_certificate_is_refused() {
    let folder = tempdir().expect("a folder");
    let key = rcgen::KeyPair::generate().expect("a key");
    let params = rcgen::CertificateParams::new(["other.example".into()]).expect("a name");
    let made = params.self_signed(&key).expect("signed");
    let file = folder.path().join("other.pem");
    fs::write(&file, made.pem() + &key.serialize_pem()).expect("written");
    let certificate = Certificate::from_files(&file, &file).expect("good");
    let door = Acceptor::tls(&certificate).expect("usable");
    let error = visit(&door, "localhost", Some(&Trust::Authority(file)))
        .await
        .unwrap_err();
    assert!(matches!(error, ConnectError::Unknown { .. }), "{error}");
    assert!(error.to_string().contains("other.example"), "{error}");
    // By its sum it is known whatever name it has.
    let trust = Trust::Fingerprint(certificate.fingerprint());
    assert_eq!(
        visit(&door, "localhost", Some(&trust)).await.unwrap(),
        "HELLO"
    );
}

#[tokio::test]
async fn one_side_plain_and_the_other_not() {
    let folder = tempdir().expect("a folder");
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("made");
    let trust = Trust::Fingerprint(certificate.fingerprint());
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let greeting = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a client");
        let _ = stream.write_all(b"info string welcome\n").await;
        // What it heard is read, so that the greeting is not lost with a reset.
        let _ = stream.read(&mut [0; 4096]).await;
    });
    let error = connect("127.0.0.1", port, Some(&trust), PATIENCE).await;
    let error = error.unwrap_err();
    greeting.await.expect("no panic");
    assert!(matches!(error, ConnectError::NotTls), "{error}");

    let door = Acceptor::tls(&certificate).expect("usable");
    let (port, task) = echo(door).await;
    let mut plain = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("there");
    plain.write_all(b"uci\nisready\n").await.expect("sent");
    assert!(task.await.expect("no panic").is_err(), "it is no handshake");
}

/// A client that connects and says nothing, and a server that does.
#[tokio::test]
async fn silence_has_an_end_on_both_sides() {
    let folder = tempdir().expect("a folder");
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("made");
    let door = Acceptor::tls(&certificate).expect("usable");
    let (port, task) = echo(door.with_patience(Duration::from_millis(50))).await;
    let _silent = TcpStream::connect(("127.0.0.1", port))
        .await
        .expect("there");
    let error = task.await.expect("no panic").unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("it is bound").port();
    let trust = Trust::Fingerprint(certificate.fingerprint());
    let soon = Duration::from_millis(50);
    let error = connect("127.0.0.1", port, Some(&trust), soon)
        .await
        .unwrap_err();
    assert!(matches!(error, ConnectError::Late), "{error}");
}

#[test]
fn fingerprints_are_read_as_others_write_them() {
    let text = format!("sha256:{}", "a0".repeat(32));
    let fingerprint: Fingerprint = text.parse().expect("one");
    assert_eq!(fingerprint.to_string(), text);
    let openssl = format!("SHA256:{}", ["A0"; 32].join(":"));
    assert_eq!(openssl.parse(), Ok(fingerprint));
    let short = format!("sha256:{}", "a0".repeat(31));
    let other = format!("sha1:{}", "a0".repeat(32));
    let odd = format!("sha256:{}é", "a0".repeat(31));
    for text in ["", "sha256:", "a0", &short, &other, &odd] {
        assert!(text.parse::<Fingerprint>().is_err(), "{text}");
    }
}
