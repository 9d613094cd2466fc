//! Files of games that are too large for a message.

use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, HeaderMap};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use crate::guard::Role;
use crate::http::{Shared, forbidden};
use crate::library::shown_name;
use crate::secret::Secret;

/// Bytes of a file of games.
pub(crate) const LARGEST: u64 = 512 << 20;

/// Takes a file and answers with the number of the job that reads it. Its name comes
/// in the header `x-name` and is only shown.
pub(crate) async fn take(
    State(site): State<Shared>,
    role: Role,
    headers: HeaderMap,
    body: Body,
) -> Response {
    if role != Role::Owner {
        return forbidden();
    }
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok());
    if announced
        .and_then(|text| text.parse().ok())
        .is_some_and(|bytes: u64| bytes > LARGEST)
    {
        return too_large();
    }
    let Ok(name) = Secret::new() else {
        return broken("no random bytes");
    };
    let path = site.uploads.join(format!("{}.pgn", &name.as_str()[..16]));
    let taken = match File::create(&path).await {
        Ok(file) => write(file, body, LARGEST).await,
        Err(error) => Err(broken(&error.to_string())),
    };
    if let Err(response) = taken {
        let _ = tokio::fs::remove_file(&path).await;
        return response;
    }
    let shown = headers
        .get("x-name")
        .and_then(|name| name.to_str().ok())
        .unwrap_or("upload");
    let shown = shown_name(&decoded(shown));
    match site.hub.import(path.clone(), shown, false).await {
        Some(job) => job.to_string().into_response(),
        None => {
            let _ = tokio::fs::remove_file(&path).await;
            broken("the program is ending")
        }
    }
}

/// A name in a header has plain letters only; the others are written with per cent
/// signs.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        let digits = behind.get(..2).filter(|_| byte == b'%');
        let digits = digits.and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(byte);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn write(mut file: File, body: Body, most: u64) -> Result<(), Response> {
    let mut stream = body.into_data_stream();
    let mut size = 0;
    while let Some(part) = stream.next().await {
        let part = part.map_err(|error| broken(&error.to_string()))?;
        size += part.len() as u64;
        if size > most {
            return Err(too_large());
        }
        let written = file.write_all(&part).await;
        written.map_err(|error| broken(&error.to_string()))?;
    }
    file.flush()
        .await
        .map_err(|error| broken(&error.to_string()))
}

fn too_large() -> Response {
    let words = format!("A file may have {} MiB at most.\n", LARGEST >> 20);
    (StatusCode::PAYLOAD_TOO_LARGE, words).into_response()
}

fn broken(why: &str) -> Response {
    let words = format!("The file could not be taken: {why}.\n");
    (StatusCode::INTERNAL_SERVER_ERROR, words).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_letters_come_through() {
        assert_eq!(decoded("games 1.pgn"), "games 1.pgn");
        assert_eq!(decoded("%D0%BF%D0%B0.pgn"), "па.pgn");
        assert_eq!(decoded("100%.pgn %4"), "100%.pgn %4");
        assert_eq!(decoded("%ff%"), "\u{fffd}%");
    }

    #[tokio::test]
    async fn what_was_not_announced_is_bounded_too() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.pgn");
        for (bytes, taken) in [(1000, true), (1001, false)] {
            let file = File::create(&path).await.expect("a file");
            let written = write(file, Body::from(vec![b'x'; bytes]), 1000).await;
            assert_eq!(written.is_ok(), taken, "{bytes}");
        }
    }
}
