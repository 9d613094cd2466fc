//! Servers that do not let everybody in.

use std::io::Write;

use quadrille_cluster::{Access, workers};
use tempfile::NamedTempFile;

use crate::support::server::{Server, is_there};

fn file(text: &str) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file
}

async fn gets_in(access: &Access) -> bool {
    workers(access, None).await.is_ok()
}

#[tokio::test]
async fn a_password_and_a_token_open() {
    if !is_there() {
        return;
    }
    let server = Server::with(
        ["--user", "me", "--pass", "secret"]
            .map(Into::into)
            .to_vec(),
    );
    let plain = Access {
        url: server.url(),
        ..Access::default()
    };
    let refused = workers(&plain, None).await.unwrap_err().to_string();
    assert!(refused.contains("does not let us in"), "{refused}");
    let named = Access {
        user: Some("me".into()),
        password: Some("secret".into()),
        ..plain.clone()
    };
    assert!(gets_in(&named).await);
    let in_url = Access {
        url: server.url().replace("nats://", "nats://me:secret@"),
        ..Access::default()
    };
    assert!(gets_in(&in_url).await);
    let wrong = Access {
        url: server.url().replace("nats://", "nats://me:s3same@"),
        ..Access::default()
    };
    let error = workers(&wrong, None).await.unwrap_err().to_string();
    assert!(
        error.contains("does not let us in") && !error.contains("s3same"),
        "{error}"
    );
    let server = Server::with(["--auth", "word"].map(Into::into).to_vec());
    let token = Access {
        url: server.url(),
        token: Some("word".into()),
        ..Access::default()
    };
    assert!(gets_in(&token).await);
}

/// Made for this test with `nk -gen user`, and used nowhere else.
const SEED: &str = "SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU";

#[tokio::test]
async fn a_key_opens() {
    if !is_there() {
        return;
    }
    let pair = nkeys::KeyPair::from_seed(SEED).unwrap();
    let config = file(&format!(
        "authorization {{ users = [ {{ nkey: {} }} ] }}\n",
        pair.public_key()
    ));
    let seed = file(SEED);
    let words = ["-c".into(), config.path().display().to_string()];
    let server = Server::with(words.to_vec());
    let plain = Access {
        url: server.url(),
        ..Access::default()
    };
    assert!(!gets_in(&plain).await);
    let key = Access {
        nkey: Some(seed.path().into()),
        ..plain.clone()
    };
    assert!(gets_in(&key).await);
    let missing = Access {
        creds: Some("/nowhere/x.creds".into()),
        ..plain
    };
    let error = workers(&missing, None).await.unwrap_err();
    assert!(
        error.is_in_the_description() && error.to_string().contains("/nowhere"),
        "{error}"
    );
}

#[tokio::test]
async fn a_server_with_a_certificate_is_believed_if_its_authority_is_named() {
    if !is_there() {
        return;
    }
    let made =
        rcgen::generate_simple_self_signed(["127.0.0.1".into(), "localhost".into()]).unwrap();
    let (cert, key) = (
        file(&made.cert.pem()),
        file(&made.signing_key.serialize_pem()),
    );
    let words = [
        "--tls".into(),
        format!("--tlscert={}", cert.path().display()),
        format!("--tlskey={}", key.path().display()),
    ];
    let server = Server::with(words.to_vec());
    let secure = Access {
        url: server.url().replace("nats://", "tls://"),
        ..Access::default()
    };
    assert!(!gets_in(&secure).await, "a stranger is not believed");
    let trusting = Access {
        ca: Some(cert.path().into()),
        ..secure
    };
    assert!(gets_in(&trusting).await);
}

#[tokio::test]
async fn a_certificate_of_openssl_is_believed_where_it_is_named() {
    if !is_there() {
        return;
    }
    // As `openssl req -x509` makes it: its own authority, for a name nobody uses.
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(vec!["hub.example".into()]).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let own = params.self_signed(&key).unwrap();
    let other = rcgen::generate_simple_self_signed(["127.0.0.1".into()]).unwrap();
    let files = [
        own.pem(),
        key.serialize_pem(),
        other.cert.pem(),
        "no certificate".into(),
    ];
    let [cert, key, other, none] = files.map(|text| file(&text));
    let server = Server::with(vec![
        "--tls".into(),
        format!("--tlscert={}", cert.path().display()),
        format!("--tlskey={}", key.path().display()),
    ]);
    let named = |ca: Option<&NamedTempFile>| Access {
        url: server.url().replace("nats://", "tls://"),
        ca: ca.map(|file| file.path().into()),
        ..Access::default()
    };
    let found = workers(&named(Some(&cert)), None).await;
    assert!(found.is_ok(), "{found:?}");
    for (access, todo) in [
        (named(None), "with --nats-ca FILE"),
        (named(Some(&other)), "copy it from the server again"),
        (named(Some(&none)), "there is no certificate in it"),
    ] {
        let error = workers(&access, None).await.unwrap_err().to_string();
        assert!(error.contains(todo), "{error}");
    }
}

#[tokio::test]
async fn a_server_without_jetstream_is_told_what_to_do() {
    if !is_there() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let server = Server::plain();
    let tournament = crate::director::begin(folder.path(), crate::director::MATCH);
    let access = Access {
        url: server.url(),
        ..Access::default()
    };
    let options = crate::director::options();
    let opened = quadrille_cluster::Director::open(&access, &tournament, &options).await;
    let error = opened.unwrap_err().to_string();
    assert!(error.contains("nats-server -js"), "{error}");
}
