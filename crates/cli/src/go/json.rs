//! A search as JSON, one object per line.

use std::io::{self, Write};

use quadrille_driver::{Answer, Engine, Event, NamedMove, Outcome};
use quadrille_games::AnyLine;
use serde_json::{Value, json};

use super::{Show, notations};

pub(super) struct Lines<W> {
    out: W,
}

impl<W: Write> Lines<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out }
    }

    fn put(&mut self, object: &Value) -> io::Result<()> {
        writeln!(self.out, "{object}")?;
        self.out.flush()
    }
}

impl<W: Write> Show for Lines<W> {
    fn start(&mut self, engine: &Engine, line: &AnyLine) -> io::Result<()> {
        self.put(&json!({
            "event": "start",
            "engine": engine.name(),
            "id": engine.identity(),
            "dialect": engine.dialect(),
            "game": line.game().name(),
            "position": line.position_text(),
        }))
    }

    fn event(&mut self, event: &Event, _: &AnyLine) -> io::Result<()> {
        match event {
            Event::Info(info) => {
                let mut object = json!({ "event": "info" });
                if let (Some(object), Ok(Value::Object(fields))) =
                    (object.as_object_mut(), serde_json::to_value(info))
                {
                    object.extend(fields);
                }
                self.put(&object)
            }
            Event::Text(text) => self.put(&json!({ "event": "text", "text": text })),
        }
    }

    fn end(&mut self, engine: &Engine, outcome: &Outcome, line: &AnyLine) -> io::Result<()> {
        let (best, ponder) = notations(outcome, line);
        let kind = match &outcome.answer {
            Answer::Move(_) => "move",
            Answer::NoMove => "no-move",
            Answer::Illegal(_) => "illegal",
            Answer::TimedOut(_) => "timed-out",
            Answer::Failed(_) => "failed",
        };
        let findings = engine.findings();
        self.put(&json!({
            "event": "result",
            "answer": kind,
            "best": outcome.best().map(|m| a_move(m, best.as_deref())),
            "ponder": outcome.ponder.as_ref().map(|m| a_move(m, ponder.as_deref())),
            "text": outcome.text,
            "lines": outcome.lines,
            "elapsed": outcome.elapsed.as_micros() as f64 / 1000.0,
            "findings": findings,
        }))
    }
}

fn a_move(m: &NamedMove, notation: Option<&str>) -> Value {
    json!({ "move": m.text, "notation": notation })
}
