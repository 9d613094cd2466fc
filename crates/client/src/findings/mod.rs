//! What was unusual about an engine: one kind of value from the line that
//! showed it to the file and the screen.
//!
//! A [`Finding`] has a code of the protocol ([`ProtocolCode`]: what a line or
//! the order of a conversation shows) or of the host ([`HostDiagnostic`]: what takes a
//! board, a clock or a process to notice). Both tables have a severity, a
//! sentence and the clause of the specification for each code.

mod host_diagnostic;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use quadrille_games::Side;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use host_diagnostic::HostDiagnostic;
pub use quadrille_protocol::{Code as ProtocolCode, Severity};

/// How much of the line that first showed something is kept.
const EXAMPLE: usize = 300;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FindingCode {
    /// About a line, or about the order of the conversation.
    Protocol(ProtocolCode),
    /// About a move, the time or the process.
    Host(HostDiagnostic),
    /// A code in a file that another version of this program has written.
    Other(String),
}

impl FindingCode {
    /// The stable name, in kebab case.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Protocol(code) => code.as_str(),
            Self::Host(oddity) => oddity.as_str(),
            Self::Other(code) => code,
        }
    }

    /// How bad it is; a warning where that is not known here.
    pub const fn severity(&self) -> Severity {
        match self {
            Self::Protocol(code) => code.severity(),
            Self::Host(oddity) => oddity.severity(),
            Self::Other(_) => Severity::Warning,
        }
    }

    /// What is wrong, for people.
    pub const fn sentence(&self) -> &'static str {
        match self {
            Self::Protocol(code) => code.sentence(),
            Self::Host(oddity) => oddity.sentence(),
            Self::Other(_) => "this version of the program does not know the code",
        }
    }

    /// Where the rule stands: specification and section.
    pub const fn clause(&self) -> Option<&'static str> {
        match self {
            Self::Protocol(code) => Some(code.clause()),
            Self::Host(oddity) => Some(oddity.clause()),
            Self::Other(_) => None,
        }
    }
}

impl From<ProtocolCode> for FindingCode {
    fn from(code: ProtocolCode) -> Self {
        Self::Protocol(code)
    }
}

impl From<HostDiagnostic> for FindingCode {
    fn from(oddity: HostDiagnostic) -> Self {
        Self::Host(oddity)
    }
}

impl From<&str> for FindingCode {
    fn from(text: &str) -> Self {
        let protocol = ProtocolCode::ALL.iter().find(|code| code.as_str() == text);
        let host = HostDiagnostic::ALL
            .iter()
            .find(|oddity| oddity.as_str() == text);
        match (protocol, host) {
            (Some(&code), _) => Self::Protocol(code),
            (None, Some(&oddity)) => Self::Host(oddity),
            (None, None) => Self::Other(text.into()),
        }
    }
}

/// In the order of their names.
impl Ord for FindingCode {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for FindingCode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for FindingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for FindingCode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for FindingCode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Cow::<str>::deserialize(from)?.as_ref().into())
    }
}

/// Something unusual about an engine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Finding {
    /// The side it played in a game; `None` outside one.
    #[serde(default, deserialize_with = "crate::serial::side_index::deserialize")]
    pub side: Option<Side>,
    /// What.
    pub code: FindingCode,
    /// How bad.
    pub severity: Severity,
    /// How often.
    pub count: u64,
    /// The line that showed it first, or the circumstance in words.
    pub example: String,
}

impl Finding {
    /// Where the rule stands: specification and section.
    pub const fn clause(&self) -> Option<&'static str> {
        self.code.clause()
    }

    /// Whether a user should be told even in a short report, and a strict event
    /// fails: all but notes.
    pub fn is_complaint(&self) -> bool {
        self.severity > Severity::Note
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = 4 + usize::from(self.side.is_some()) + usize::from(self.clause().is_some());
        let mut out = to.serialize_struct("Finding", fields)?;
        match self.side {
            Some(side) => out.serialize_field("side", &side.index())?,
            None => out.skip_field("side")?,
        }
        out.serialize_field("code", &self.code)?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("count", &self.count)?;
        out.serialize_field("example", &self.example)?;
        match self.clause() {
            Some(clause) => out.serialize_field("clause", clause)?,
            None => out.skip_field("clause")?,
        }
        out.end()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}[{}]: {}",
            self.severity,
            self.code,
            self.code.sentence()
        )?;
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        if self.example.is_empty() {
            return Ok(());
        }
        write!(f, ": {}", self.example)
    }
}

/// Everything unusual about an engine so far, in the order in which it was
/// first noticed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Findings {
    list: Vec<Finding>,
}

impl Findings {
    /// Notes something that a line shows.
    pub fn add(&mut self, code: impl Into<FindingCode>, line: &[u8]) {
        self.note(code, || {
            let shown = &line[..line.len().min(EXAMPLE)];
            String::from_utf8_lossy(shown).into_owned()
        });
    }

    /// Notes something that is told in words the first time.
    pub fn note(&mut self, code: impl Into<FindingCode>, example: impl FnOnce() -> String) {
        let code = code.into();
        match self.list.iter_mut().find(|known| known.code == code) {
            Some(known) => known.count += 1,
            None => self.list.push(Finding {
                side: None,
                severity: code.severity(),
                code,
                count: 1,
                example: example(),
            }),
        }
    }

    /// Those of them that say something about the user's wishes, not about the
    /// engine.
    pub fn of_the_user(&self) -> Self {
        let wishes =
            [HostDiagnostic::UnknownOption, HostDiagnostic::HostOption].map(FindingCode::from);
        let mut list = self.list.clone();
        list.retain(|finding| wishes.contains(&finding.code));
        Self { list }
    }

    /// One after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.list.iter()
    }

    /// Looks for one.
    pub fn get(&self, code: impl Into<FindingCode>) -> Option<&Finding> {
        let code = code.into();
        self.list.iter().find(|known| known.code == code)
    }

    /// Whether this was found.
    pub fn contains(&self, code: impl Into<FindingCode>) -> bool {
        self.get(code).is_some()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What has come on top of what was known before, as the findings about a
    /// side of a game.
    pub fn since<'a>(&'a self, before: &'a Self, side: Side) -> impl Iterator<Item = Finding> + 'a {
        self.list.iter().filter_map(move |finding| {
            let known = before.list.iter().find(|known| known.code == finding.code);
            let known = known.map_or(0, |known| known.count);
            (finding.count > known).then(|| Finding {
                side: Some(side),
                count: finding.count - known,
                ..finding.clone()
            })
        })
    }
}

impl<'a> IntoIterator for &'a Findings {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_known_by_its_name_alone() {
        let protocol = ProtocolCode::ALL
            .iter()
            .map(|&code| FindingCode::from(code));
        let host = HostDiagnostic::ALL
            .iter()
            .map(|&oddity| FindingCode::from(oddity));
        for code in protocol.chain(host) {
            assert_eq!(FindingCode::from(code.as_str()), code, "{code}");
            assert!(code.sentence().len() > 8, "{code}");
            assert!(
                code.clause().is_some_and(|clause| clause.len() > 4),
                "{code}"
            );
        }
        let later = FindingCode::from("invented-later");
        assert_eq!(later, FindingCode::Other("invented-later".into()));
    }

    #[test]
    fn rows_of_stored_games_are_read() {
        // As the first version of the store wrote them.
        let text = r#"[{"side":1,"code":"illegal-pv","severity":"warning","count":3,"example":"ply 7: pv e2e4"},
            {"side":0,"code":"second-bestmove","severity":"error","count":1,"example":"bestmove e2e4"},
            {"side":0,"code":"invented-later","severity":"error","count":2,"example":""}]"#;
        let found: Vec<Finding> = serde_json::from_str(text).unwrap();
        assert_eq!(found[0].code, HostDiagnostic::IllegalPv.into());
        assert_eq!((found[0].side, found[0].count), (Some(Side::Black), 3));
        assert_eq!(found[1].code, ProtocolCode::SecondBestmove.into());
        assert_eq!(found[1].severity, Severity::Error);
        assert_eq!(found[2].severity, Severity::Error, "as it was written");
        let again = serde_json::to_string(&found).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Finding>>(&again).unwrap(), found);
        assert!(again.contains(r#""clause":"UCI, info: pv""#), "{again}");
        for side in ["2", "\"white\"", "-1"] {
            let row =
                format!(r#"{{"side":{side},"code":"x","severity":"note","count":1,"example":""}}"#);
            assert!(serde_json::from_str::<Finding>(&row).is_err(), "{side}");
        }
    }
}
