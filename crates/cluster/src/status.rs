//! Which workers there are, asked over the network.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt;

use crate::access::Access;
use crate::error::ClusterError;
use crate::messages::{WorkerStatus, read, write};
use crate::names;

/// How long answers are waited for.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How much longer one's own question is waited for where nobody answers.
const HEARD: Duration = Duration::from_millis(100);
/// More than there are.
const MOST: usize = 100_000;

/// Asks all workers who they are, and all directors whom they know: a worker
/// that does not answer is in the list too, with the time it was last heard.
/// `name` is that of the worker whose user asks, if it is one.
pub async fn workers(
    access: &Access,
    name: Option<&str>,
) -> Result<Vec<WorkerStatus>, ClusterError> {
    let key = name.map_or_else(|| names::DIRECTOR_INBOX.to_owned(), names::key);
    let client = access.connect("quadrille worker --status", &key).await?;
    let failed = |error: &(dyn std::error::Error + 'static)| ClusterError::server(error);
    let inbox = client.new_inbox();
    let answers = client.subscribe(inbox.clone()).await;
    let mut answers = answers.map_err(|error| failed(&error))?;
    let statuses = client.subscribe(names::statuses()).await;
    let mut statuses = statuses.map_err(|error| failed(&error))?;
    let questions = client.subscribe(names::roll()).await;
    let mut questions = questions.map_err(|error| failed(&error))?;
    let asked = client
        .publish_with_reply(names::roll(), inbox.clone(), write(&()))
        .await;
    asked.map_err(|error| failed(&error))?;
    client.flush().await.map_err(|error| failed(&error))?;
    let mut found: BTreeMap<String, WorkerStatus> = BTreeMap::new();
    let end = tokio::time::Instant::now() + PATIENCE;
    loop {
        // Directors answer at the inbox, workers each at a subject of its own.
        let list = tokio::select! {
            () = tokio::time::sleep_until(end) => break,
            Some(message) = answers.next() => {
                read::<Vec<WorkerStatus>>(&message.payload).unwrap_or_default()
            }
            Some(message) = statuses.next() => {
                let status = read::<WorkerStatus>(&message.payload);
                let sender = names::sender(&message.subject);
                let own = status.filter(|status| sender == Some(status.worker.as_str()));
                own.into_iter().collect()
            }
            else => break,
        };
        for status in list {
            if found.len() < MOST {
                merge(&mut found, status);
            }
        }
    }
    // The server says nothing of a question that it drops.
    let own = async {
        while let Some(question) = questions.next().await {
            if question.reply.is_some_and(|reply| *reply == *inbox) {
                return true;
            }
        }
        false
    };
    if found.is_empty() && tokio::time::timeout(HEARD, own).await != Ok(true) {
        return Err(ClusterError::Input(format!(
            "the NATS server does not let this user ask which workers there are (subject {}); \
             ask as the user that leads matches",
            names::roll()
        )));
    }
    let mut list: Vec<WorkerStatus> = found.into_values().collect();
    list.sort_by(|a, b| (&a.name, &a.worker).cmp(&(&b.name, &b.worker)));
    Ok(list)
}

/// What a worker says of itself is newer than what a director knows; only that it
/// was set aside it may not know.
fn merge(found: &mut BTreeMap<String, WorkerStatus>, status: WorkerStatus) {
    match found.get_mut(&status.worker) {
        None => {
            found.insert(status.worker.clone(), status);
        }
        Some(known) => {
            let aside = |s: &WorkerStatus| s.state.contains("set aside").then(|| s.state.clone());
            let state = aside(known).or_else(|| aside(&status));
            if status.heard_ms < known.heard_ms {
                *known = status;
            }
            if let Some(state) = state {
                known.state = state;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_word_counts_but_not_over_a_set_aside() {
        let status = |state: &str, heard_ms| WorkerStatus {
            worker: "w".into(),
            name: "attic".into(),
            program: String::new(),
            engines: Vec::new(),
            nps: 1,
            capacity: 1,
            playing: 0,
            games: heard_ms,
            state: state.into(),
            heard_ms,
        };
        let mut found = BTreeMap::new();
        merge(&mut found, status("plays for x", 900));
        merge(&mut found, status("waits", 0));
        merge(&mut found, status("silent, in y", 5000));
        assert_eq!((found["w"].state.as_str(), found["w"].games), ("waits", 0));
        merge(&mut found, status("set aside in z: it lies", 5000));
        assert_eq!(found["w"].heard_ms, 0);
        assert!(found["w"].state.contains("it lies"));
    }
}
