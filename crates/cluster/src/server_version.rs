//! The version of the NATS server, and a warning about old ones.

use async_nats::Client;

/// The first version that a wildcard as reply subject does not end.
const SAFE: (u32, u32) = (2, 10);

/// Returns the two first numbers of a version such as `2.9.10` or `v2.11.0-beta.1`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.trim_start_matches('v').split(['.', '-', '+']);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Returns a warning if a version of the server is too old. One that cannot be read is
/// that of a build of its own, of which nothing is known.
fn warning(version: &str) -> Option<String> {
    let old = numbers(version).is_some_and(|numbers| numbers < SAFE);
    old.then(|| {
        let version = crate::names::shown(version);
        format!(
            "the NATS server has version {version}: anyone who may connect to servers before 2.10 \
             can crash them with one message; use 2.10 or newer, or let only \
             workers connect that you trust"
        )
    })
}

/// Returns a warning if the server of a connection is too old.
pub(crate) fn warning_of(client: &Client) -> Option<String> {
    warning(&client.server_info().version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
    use tokio::net::TcpListener;

    /// A connection to a server that only says its version.
    async fn client_of(version: &str) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let info = format!(
            "INFO {{\"server_id\":\"x\",\"version\":\"{version}\",\"max_payload\":1048576}}\r\n"
        );
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let (read, mut write) = stream.into_split();
            write.write_all(info.as_bytes()).await.unwrap();
            let mut lines = BufReader::new(read).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                if line == "PING" {
                    write.write_all(b"PONG\r\n").await.unwrap();
                }
            }
        });
        let connecting = async_nats::connect(url);
        let client = tokio::time::timeout(Duration::from_secs(20), connecting).await;
        client.expect("it connects").unwrap()
    }

    #[tokio::test]
    async fn the_version_is_that_of_the_server_s_info() {
        let words = warning_of(&client_of("2.9.10").await).unwrap();
        assert_eq!(
            words,
            "the NATS server has version 2.9.10: anyone who may connect to servers before 2.10 \
             can crash them with one message; use 2.10 or newer, or let only workers connect \
             that you trust"
        );
        assert_eq!(warning_of(&client_of("2.10.7").await), None);
    }

    #[test]
    fn servers_before_2_10_are_warned_of() {
        for old in [
            "2.9.10",
            "2.9.25",
            "1.4.1",
            "0.9.6",
            "v2.9.0",
            "2.9.0-beta.1",
        ] {
            let words = warning(old).unwrap();
            let begin = format!("the NATS server has version {old}: ");
            assert!(words.starts_with(&begin), "{words}");
            assert!(words.contains("use 2.10 or newer"), "{words}");
        }
        for new in [
            "2.10.0",
            "2.10.0-beta.1",
            "2.12.3",
            "v2.11.1",
            "3.0.0",
            "10.0.0",
        ] {
            assert_eq!(warning(new), None, "{new}");
        }
        for unknown in ["", "dev", "2", "2.x"] {
            assert_eq!(warning(unknown), None, "{unknown}");
        }
    }
}
