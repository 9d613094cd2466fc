//! Conversations as scripts.
//!
//! ```text
//! > uci                  the client sends this line
//! < id name Test         the engine says this line
//! <~ bestmove e2         the engine says this line and ends in the middle of it
//! = Started              the client reports this event
//! +10s                   so much time passes; deadlines are kept on the way
//! ```
//!
//! What the client sends must stand where it is sent, line by line, and so must its
//! events; nothing may be sent or reported that is not in the script.

use std::time::Duration;

use quadrille_client::findings::FindingCode;
use quadrille_client::{ClientConfig, ClientEvent, EngineClient, Limits, Reply};
use quadrille_games::{AnyLine, Game};

/// A conversation, and the time in it.
pub(crate) struct Talk {
    pub(crate) client: EngineClient,
    pub(crate) now: Duration,
    sent: Vec<String>,
    events: Vec<String>,
}

impl Talk {
    pub(crate) fn new(game: Game, config: ClientConfig) -> Self {
        let now = Duration::from_secs(100);
        let mut talk = Self {
            client: EngineClient::new(game, config, now),
            now,
            sent: Vec::new(),
            events: Vec::new(),
        };
        talk.collect(None);
        talk
    }

    /// An engine of chess that is ready.
    pub(crate) fn chess() -> Self {
        let mut talk = Self::new(Game::Chess, ClientConfig::default());
        talk.run(
            "> uci
             < id name Test
             < uciok
             > isready
             < readyok
             = Started",
        );
        talk
    }

    /// Starts a search; `go` is the line that the client sends.
    pub(crate) fn search(&mut self, line: &AnyLine, limits: Limits) -> String {
        assert!(self.client.settle(self.now), "nothing runs");
        self.client.prepare(line, &limits, self.now);
        self.collect(None);
        assert_eq!(self.sent.pop().as_deref(), Some("isready"));
        self.sent.clear();
        self.run("< readyok\n= Ready");
        self.client.go(line, limits, Duration::ZERO, self.now);
        self.collect(None);
        self.sent.pop().expect("go")
    }

    /// From the usual position.
    pub(crate) fn go(&mut self, limits: Limits) {
        self.search(&AnyLine::start(self.client.game()), limits);
    }

    fn collect(&mut self, event: Option<ClientEvent>) {
        let out = String::from_utf8(self.client.take_output()).expect("text");
        self.sent.extend(out.lines().map(String::from));
        self.events.extend(event.map(words));
    }

    /// Lets time pass, and calls the client when it wants to be called.
    fn pass(&mut self, by: Duration) {
        let end = self.now + by;
        for _ in 0..100 {
            match self.client.deadline().filter(|deadline| *deadline <= end) {
                Some(deadline) => {
                    self.now = self.now.max(deadline);
                    let event = self.client.on_time(self.now);
                    self.collect(event);
                }
                None => break,
            }
        }
        let next = self.client.deadline();
        assert!(
            next.is_none_or(|next| next > end),
            "a deadline does not pass"
        );
        self.now = end;
    }

    pub(crate) fn run(&mut self, script: &str) {
        self.collect(None);
        for line in script
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            let (mark, rest) = line.split_once(' ').unwrap_or((line, ""));
            match mark {
                ">" => assert_eq!(first(&mut self.sent), rest, "in {script}"),
                "=" => assert_eq!(first(&mut self.events), rest, "in {script}"),
                "<" | "<~" => {
                    self.nothing_left(script);
                    let event = if mark == "<" {
                        self.client.on_line(rest.as_bytes(), self.now)
                    } else {
                        self.client.on_broken_line(rest.as_bytes(), self.now)
                    };
                    self.collect(event);
                }
                _ => {
                    self.nothing_left(script);
                    let seconds = mark.trim_matches(['+', 's']).parse();
                    self.pass(Duration::from_secs_f64(seconds.expect("+2.5s")));
                }
            }
        }
        self.nothing_left(script);
    }

    fn nothing_left(&self, script: &str) {
        assert!(self.sent.is_empty(), "sent {:?} in {script}", self.sent);
        assert!(self.events.is_empty(), "{:?} in {script}", self.events);
    }

    /// What only a host notices, by code.
    pub(crate) fn findings(&self) -> Vec<String> {
        let codes = self.client.findings().iter().map(|finding| &finding.code);
        let host = codes.filter(|code| matches!(code, FindingCode::Host(_)));
        host.map(ToString::to_string).collect()
    }
}

fn first(list: &mut Vec<String>) -> String {
    if list.is_empty() {
        return "(nothing)".into();
    }
    list.remove(0)
}

/// An event in few words.
fn words(event: ClientEvent) -> String {
    match event {
        ClientEvent::Started => "Started".into(),
        ClientEvent::StartFailed(error) => format!("no start: {error}"),
        ClientEvent::Ready => "Ready".into(),
        ClientEvent::Settled => "Settled".into(),
        ClientEvent::Info(info) => match info.depth {
            Some(depth) => format!("info depth {depth}"),
            None => "info".into(),
        },
        ClientEvent::Text(text) => format!("text {text}"),
        ClientEvent::Answered(answered) => {
            let early = if answered.premature { "early " } else { "" };
            let ponder = answered
                .ponder
                .map(|ponder| format!(" ponder {}", ponder.text));
            let reply = match answered.reply {
                Reply::Move(best) => best.text,
                Reply::NoMove => "no move".into(),
                Reply::Illegal(error) => format!("illegal: {error}"),
                Reply::TimedOut(_) => "late".into(),
            };
            format!("{early}{reply}{}", ponder.unwrap_or_default())
        }
        ClientEvent::Stalled { question, patience } => {
            format!("stalled at {question} for {} s", patience.as_secs_f64())
        }
    }
}
