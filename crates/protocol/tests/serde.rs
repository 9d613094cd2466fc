//! Messages as JSON, for logs and event streams.
#![cfg(feature = "serde")]

use quadrille_protocol::{Command, Dialect, Report};
use serde_json::json;

#[test]
fn reports_and_diagnostics_as_json() {
    let line = b"info depth 3 ebf 1.7 score mate -2 upperbound time 12 pv e2e4 e7e5";
    let parsed = Report::parse(line, Dialect::Uci);
    let value = serde_json::to_value(&parsed).unwrap();
    assert_eq!(
        value["message"],
        json!({"report": "info", "args": [
            {"depth": 3},
            {"unknown": "ebf 1.7"},
            {"score": {"value": {"mate": -2}, "bound": "upper"}},
            {"time": {"millis": 12}},
            {"pv": ["e2e4", "e7e5"]},
        ]})
    );
    assert_eq!(value["diagnostics"][0]["code"], "unknown-word");
    assert_eq!(value["diagnostics"][0]["severity"], "warning");
}

#[test]
fn commands_as_json() {
    let go = Command::parse(b"go infinite searchmoves e2e4", Dialect::Uci).message;
    let value = serde_json::to_value(&go).unwrap();
    assert_eq!(
        value,
        json!({"command": "go", "args": ["infinite", {"searchmoves": ["e2e4"]}]})
    );
    let odd = Command::parse(b"setoption name K\xF6 value 1", Dialect::Uci).message;
    let value = serde_json::to_value(&odd).unwrap();
    assert_eq!(value["args"]["name"], "K\u{FFFD}");
    let dialect: Dialect = serde_json::from_str("\"ulci\"").unwrap();
    assert_eq!(dialect, Dialect::Ulci);
}
