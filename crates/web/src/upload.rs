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
        Ok(file) => write(file, body).await,
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
    let shown: String = shown
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect();
    match site.hub.import(path, shown).await {
        Some(job) => job.to_string().into_response(),
        None => broken("the program is ending"),
    }
}

async fn write(mut file: File, body: Body) -> Result<(), Response> {
    let mut stream = body.into_data_stream();
    let mut size = 0;
    while let Some(part) = stream.next().await {
        let part = part.map_err(|error| broken(&error.to_string()))?;
        size += part.len() as u64;
        if size > LARGEST {
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
