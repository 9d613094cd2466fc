//! Subjects and streams: every name that is used on the server.
//!
//! | subject | who says it | what |
//! |---|---|---|
//! | `quadrille.2.event.EVENT` | director, every second | [`Notice`](crate::messages::Notice): work is offered |
//! | `quadrille.2.apply.EVENT.WORKER` | worker, asks | [`Card`](crate::messages::Card): may I play? |
//! | `quadrille.2.beat.EVENT.WORKER` | worker | [`Beat`](crate::messages::Beat): what I am playing, moves so far |
//! | `quadrille.2.worker.WORKER` | director | [`Order`](crate::messages::Order): set aside, apply again |
//! | `quadrille.2.roll` | `worker --status`, asks all | workers and directors answer with what they know |
//! | `quadrille.2.status.WORKER` | worker, asked by the one above | its [`WorkerStatus`](crate::messages::WorkerStatus) |
//! | `quadrille.2.job.EVENT.NUMBER.ATTEMPT` | director, into a stream | [`Job`](crate::messages::Job) |
//! | `quadrille.2.result.EVENT.NUMBER.WORKER` | worker, into a stream | [`Reply`](crate::messages::Reply) |
//!
//! `WORKER` is two words, `KEY.ID`: the key is the worker's name as far as it can
//! stand in a subject ([`key`]), the id another one each time it is started. So the
//! server can be told to let a user speak as one worker only.
//!
//! The number behind `quadrille` is that of the messages: programs that do not
//! understand each other do not hear each other.

use quadrille_net::sanitize;

/// The form of all messages.
pub(crate) const VERSION: u32 = 2;

/// What everything begins with.
const ROOT: &str = "quadrille.2";

pub(crate) fn notices() -> String {
    format!("{ROOT}.event.*")
}

pub(crate) fn notice(event: &str) -> String {
    format!("{ROOT}.event.{event}")
}

pub(crate) fn apply(event: &str, worker: &str) -> String {
    format!("{ROOT}.apply.{event}.{worker}")
}

pub(crate) fn applications(event: &str) -> String {
    format!("{ROOT}.apply.{event}.*.*")
}

pub(crate) fn beat(event: &str, worker: &str) -> String {
    format!("{ROOT}.beat.{event}.{worker}")
}

pub(crate) fn beats(event: &str) -> String {
    format!("{ROOT}.beat.{event}.*.*")
}

pub(crate) fn orders(worker: &str) -> String {
    format!("{ROOT}.worker.{worker}")
}

pub(crate) fn roll() -> String {
    format!("{ROOT}.roll")
}

/// Where a worker answers the question who is there: at a subject of its own, for a
/// worker with an account of its own on the server cannot answer at an inbox.
pub(crate) fn status(worker: &str) -> String {
    format!("{ROOT}.status.{worker}")
}

pub(crate) fn statuses() -> String {
    format!("{ROOT}.status.*.*")
}

pub(crate) fn job(event: &str, number: u64, attempt: u32) -> String {
    format!("{ROOT}.job.{event}.{number}.{attempt}")
}

pub(crate) fn jobs(event: &str) -> String {
    format!("{ROOT}.job.{event}.>")
}

/// Number and attempt of the subject of a job.
pub(crate) fn job_of(subject: &str) -> Option<(u64, u32)> {
    let mut words = subject.rsplit('.');
    let attempt = words.next()?.parse().ok()?;
    let number = words.next()?.parse().ok()?;
    Some((number, attempt))
}

pub(crate) fn result(event: &str, number: u64, worker: &str) -> String {
    format!("{ROOT}.result.{event}.{number}.{worker}")
}

pub(crate) fn results(event: &str) -> String {
    format!("{ROOT}.result.{event}.*.*.*")
}

/// Returns the worker in whose name something was sent: the last two words of the
/// subject, which the server checks where each worker has a user of its own.
pub(crate) fn sender(subject: &str) -> Option<&str> {
    let (before, _) = subject.rsplit_once('.')?;
    let (before, _) = before.rsplit_once('.')?;
    subject.get(before.len() + 1..)
}

/// Returns a worker's name as it stands in subjects.
pub(crate) fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let word: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .take(64)
        .collect();
    if word.is_empty() { "_".into() } else { word }
}

/// Returns the key of a worker `KEY.ID`.
pub(crate) fn key_of(worker: &str) -> &str {
    worker.split_once('.').map_or(worker, |(key, _)| key)
}

/// Returns whether this is `KEY.ID`.
pub(crate) fn is_worker(worker: &str) -> bool {
    let parts = worker.split_once('.');
    parts.is_some_and(|(key, id)| is_word(key) && is_word(id))
}

/// Returns where answers to a worker or a director are sent: apart from those to
/// others, so that the server can be told to let nobody else listen there.
pub(crate) fn inbox(key: &str) -> String {
    format!("_INBOX.{key}")
}

/// Returns whether a subject is one where somebody waits for an answer: below
/// `_INBOX`, and below that of `key` if one is given. A question names the subject of
/// its answer itself, and whoever answers does so with its own rights: answered at any
/// subject, a question could delete streams or give orders.
///
/// Below `_R_` the server passes the answer to a question from another account back to
/// that account. No client can name such a subject: the server refuses the question.
pub(crate) fn is_inbox(subject: &str, key: Option<&str>) -> bool {
    if let Some(words) = subject.strip_prefix("_R_.") {
        return words.split('.').all(is_word);
    }
    let mut words = subject.split('.');
    let root = words.next() == Some("_INBOX");
    let mut words = words.peekable();
    let theirs = key.is_none_or(|key| words.next_if_eq(&key).is_some());
    root && theirs && words.peek().is_some() && words.all(is_word)
}

/// Returns the word of a director, or of one who asks whether there is one.
pub(crate) fn director(client: &async_nats::Client) -> String {
    format!("{DIRECTOR_INBOX}.{}", fresh(client))
}

/// The inbox of directors, and of those who ask who is there.
pub(crate) const DIRECTOR_INBOX: &str = "director";

pub(crate) fn job_stream(event: &str) -> String {
    format!("QUADRILLE_JOBS_{event}")
}

pub(crate) fn result_stream(event: &str) -> String {
    format!("QUADRILLE_RESULTS_{event}")
}

/// Where a job of an event is asked for.
pub(crate) fn next_job(event: &str) -> String {
    format!("$JS.API.CONSUMER.MSG.NEXT.{}.{WORKERS}", job_stream(event))
}

/// Returns where results of an event are asked for.
pub(crate) fn next_result(event: &str) -> String {
    let stream = result_stream(event);
    format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{DIRECTOR}")
}

/// Returns where the server reports jobs of an event that it gives to nobody any more.
pub(crate) fn undelivered(event: &str) -> String {
    let stream = job_stream(event);
    format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{stream}.{WORKERS}")
}

/// The event of one of these streams.
pub(crate) fn event_of(stream: &str) -> Option<&str> {
    let jobs = || stream.strip_prefix("QUADRILLE_JOBS_");
    let results = || stream.strip_prefix("QUADRILLE_RESULTS_");
    jobs().or_else(results).filter(|event| is_word(event))
}

/// The consumer that all workers share.
pub(crate) const WORKERS: &str = "workers";
/// The consumer of the director.
pub(crate) const DIRECTOR: &str = "director";

/// Whether a word can stand in a subject: names come from others.
pub(crate) fn is_word(word: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    (1..=64).contains(&word.len()) && word.bytes().all(plain)
}

/// A name from the network as it is shown: one short line.
pub(crate) fn shown(name: &str) -> String {
    sanitize::cut(name, 64).into_owned()
}

/// Returns a proof from the network as it is shown. A checksum fits whole, so that it can be
/// written behind `bench=`.
pub(crate) fn shown_proof(proof: &str) -> String {
    sanitize::cut(proof, 100).into_owned()
}

/// A reason from the network as it is shown.
pub(crate) fn explained(reason: &str) -> String {
    sanitize::cut(reason, 400).into_owned()
}

/// A word that no other has.
pub(crate) fn fresh(client: &async_nats::Client) -> String {
    let inbox = client.new_inbox();
    let word: String = inbox.rsplit('.').next().unwrap_or(&inbox).into();
    word.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_read_back() {
        assert_eq!(job_of(&job("Ab1", 17, 3)), Some((17, 3)));
        assert_eq!(job_of("quadrille.2.job.x.y.1"), None);
        assert_eq!(sender(&result("Ab1", 17, "north.x")), Some("north.x"));
        assert_eq!(
            (sender("a.b"), sender("b"), key_of("north.x")),
            (None, None, "north")
        );
        assert_eq!(
            (key("my büro").as_str(), key("").as_str()),
            ("my_b_ro", "_")
        );
        for odd in ["a", "a.", ".b", "a.b.c", "a.*", "a b.c"] {
            assert!(!is_worker(odd), "{odd:?}");
        }
        assert_eq!(event_of(&job_stream("Ab1")), Some("Ab1"));
        assert_eq!(event_of(&result_stream("Ab1")), Some("Ab1"));
        assert_eq!(event_of("ORDERS"), None);
        assert!(is_inbox("_INBOX.north.Ab1.2", Some("north")) && is_inbox("_INBOX.Ab1", None));
        // From another account.
        assert!(is_inbox("_R_.YKT8lr.YtDHwf", Some("north")));
        for other in [
            "_R_.>",
            "_R_",
            "_R_.",
            "_INBOX.south.Ab1",
            "_INBOX.northern.Ab1",
            "_INBOX.north",
            "_INBOX.north.>",
            "_INBOX.north..x",
            "$JS.API.STREAM.DELETE.QUADRILLE_JOBS_Ab1",
            "quadrille.2.event.Ab1",
            "",
        ] {
            assert!(!is_inbox(other, Some("north")), "{other:?}");
        }
        assert!(!is_inbox("_INBOX", None) && !is_inbox("quadrille.2.roll", None));
        assert!(is_word("Ab-1_x"));
        for odd in ["", "a b", "a.b", ">", "*", "a\n", "ü"] {
            assert!(!is_word(odd), "{odd:?}");
        }
    }
}
