//! `quadrille tape show`.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use quadrille_driver::Speaker;
use quadrille_net::sanitize::one_line;
use quadrille_protocol::Severity;
use quadrille_transcript::{Heard, Listener, Odd, StreamItem};
use serde_json::json;

use super::{Source, finished};
use crate::failure::Failure;
use crate::paint;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,

    /// Only what was said, without meanings and findings
    #[arg(long)]
    plain: bool,

    /// Leave `info` lines out
    #[arg(long)]
    no_info: bool,

    /// One JSON object per line
    #[arg(long, conflicts_with = "plain")]
    json: bool,
}

/// Lines of a file that are none of a tape, as far as they are shown.
const BAD_LINES: usize = 1000;

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";
const HOST: &str = "\x1b[36m";
const ENGINE: &str = "\x1b[32m";

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (mut stream, dialect) = arguments.source.open()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut listener = Listener::new(dialect);
    let colours = paint::wanted();
    let mut written = Ok(());
    if !arguments.json {
        for (name, value) in stream.head() {
            written = written.and_then(|()| writeln!(out, "{name}: {}", one_line(value)));
        }
    }
    let mut before = Duration::ZERO;
    let mut bad = Vec::new();
    while written.is_ok()
        && let Some(item) = arguments.source.read(stream.next_item())?
    {
        let moment = match item {
            StreamItem::Moment(moment) => moment,
            StreamItem::BadLine(number) => {
                // All of them are told behind the rest, up to a number.
                if bad.len() < BAD_LINES {
                    bad.push(Odd::bad_line(number));
                }
                continue;
            }
        };
        let heard = listener.hear(&moment);
        if arguments.no_info && heard.message["report"] == "info" {
            continue;
        }
        let text = if arguments.json {
            object(&heard)
        } else {
            let mut text = line(&heard, before, arguments.plain, colours);
            before = heard.at;
            let odd = heard.odd.iter().filter(|_| !arguments.plain);
            odd.for_each(|odd| text += &finding(odd, colours));
            text
        };
        written = out.write_all(text.as_bytes());
    }
    let mut end = String::new();
    if arguments.json {
        let owed = listener.owed();
        let object = json!({
            "event": "end", "dialect": dialect.name(), "cut": stream.is_cut(),
            "owed": {
                "handshake": owed.handshake, "readyok": owed.readyok, "bestmove": owed.bestmove,
            },
        });
        end = format!("{object}\n");
    } else if !arguments.plain {
        let cut = stream.is_cut().then(Odd::cut);
        let left_out = stream.left_out().as_ref().map(Odd::left_out);
        for odd in listener
            .end()
            .iter()
            .chain(&left_out)
            .chain(&bad)
            .chain(&cut)
        {
            end += &finding(odd, colours);
        }
    }
    let written = written
        .and_then(|()| out.write_all(end.as_bytes()))
        .and_then(|()| out.flush());
    finished(written, ExitCode::SUCCESS)
}

pub(super) fn side(speaker: Option<Speaker>) -> &'static str {
    match speaker {
        Some(Speaker::Host) => "host",
        Some(Speaker::Engine) => "engine",
        None => "tape",
    }
}

fn object(heard: &Heard) -> String {
    let odd: Vec<_> = heard
        .odd
        .iter()
        .map(|odd| {
            json!({
                "code": odd.code, "severity": odd.severity, "sentence": odd.sentence,
                "clause": odd.clause,
            })
        })
        .collect();
    let object = json!({
        "event": "line",
        "at": heard.at.as_micros() as f64 / 1000.0,
        "side": side(heard.speaker),
        "text": heard.text,
        "meaning": heard.meaning,
        "message": heard.message,
        "findings": odd,
    });
    format!("{object}\n")
}

/// A colour around a text, where colours are wanted.
fn dyed(colour: &str, text: &str, colours: bool) -> String {
    if colours && !text.is_empty() {
        format!("{colour}{text}{RESET}")
    } else {
        text.into()
    }
}

fn line(heard: &Heard, before: Duration, plain: bool, colours: bool) -> String {
    let since = heard.at.saturating_sub(before);
    let time = format!(
        "{:>12.6} {:>+11.3}ms",
        heard.at.as_secs_f64(),
        since.as_secs_f64() * 1000.0
    );
    let (mark, colour) = match heard.speaker {
        Some(Speaker::Host) => (">", HOST),
        Some(Speaker::Engine) => ("<", ENGINE),
        None => ("!", DIM),
    };
    let text = dyed(colour, &one_line(&heard.text), colours);
    let mut out = format!("{} {mark} {text}", dyed(DIM, &time, colours));
    if !plain && !heard.meaning.is_empty() {
        let meaning = format!("   ({})", one_line(&heard.meaning));
        out += &dyed(DIM, &meaning, colours);
    }
    out + "\n"
}

fn colour(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => DIM,
        Severity::Warning => "\x1b[33m",
        Severity::Error => "\x1b[31m",
    }
}

fn finding(odd: &Odd, colours: bool) -> String {
    let text = format!(
        "{}[{}]: {} ({})",
        odd.severity, odd.code, odd.sentence, odd.clause
    );
    format!(
        "{:>29}{}\n",
        "",
        dyed(colour(odd.severity), &one_line(&text), colours)
    )
}

/// A finding with the line that showed it.
pub(super) fn odd(heard: Option<&Heard>, odd: &Odd, colours: bool) -> String {
    let place = heard.map_or_else(String::new, |heard| line(heard, heard.at, true, colours));
    place + &finding(odd, colours)
}
