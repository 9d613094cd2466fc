//! The other side of the connection, at ports that are no game server's.

use quadrille_net::{Acceptor, Certificate};
use quadrille_server::client::{Connector, address};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What a client says that comes to a port where one connection is served so.
async fn told<F>(serve: impl FnOnce(TcpStream) -> F) -> String
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let at = listener.local_addr().expect("it is bound").to_string();
    let mut connector = Connector::new(address(&at).expect("an address"));
    let entering = tokio::spawn(async move {
        let entered = connector.enter().await;
        entered.expect_err("no game server").to_string()
    });
    let (stream, _) = listener.accept().await.expect("a client");
    let served = tokio::spawn(serve(stream));
    let said = entering.await.expect("no panic");
    served.await.expect("no panic");
    said
}

/// A server under TLS waits for the client, as the client for it.
#[tokio::test]
async fn a_port_under_tls_is_told_from_a_plain_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = Certificate::kept_in(folder.path(), &[]).expect("a certificate");
    let door = Acceptor::tls(&certificate).expect("usable");
    let said = told(|stream| async move {
        assert!(door.enter(stream).await.is_err(), "no TLS");
    })
    .await;
    assert!(said.contains("write tls://HOST:PORT"), "{said}");
}

/// So does a page.
#[tokio::test]
async fn the_port_of_a_page_is_told() {
    let said = told(|mut stream| async move {
        let mut request = [0; 100];
        let count = stream.read(&mut request).await.expect("a request");
        assert!(count > 0, "it says something");
        let answer = b"HTTP/1.1 400 Bad Request\r\n\r\n";
        stream.write_all(answer).await.expect("it listens");
    })
    .await;
    assert!(
        said.contains("is no game server: it says 'HTTP/1.1 400"),
        "{said}"
    );
    assert!(said.contains("page"), "{said}");
}

/// One that closes at once may be a server that is being restarted.
#[tokio::test]
async fn a_port_that_says_nothing_is_told() {
    let said = told(|stream| async move { drop(stream) }).await;
    assert!(
        said.contains("does not greet as a game server does"),
        "{said}"
    );
}
