//! The numbers of the search as options, for tools that tune engines by playing
//! games over the protocol.

use quadrille_protocol::{OptionLine, Report, Text};
use quadrille_search::tunables::{self, TUNABLES, Tunable};

use crate::options::{is_named, read_spin};
use crate::outbox::Lines;

/// Announces all of them.
pub(crate) fn announce(lines: &mut Lines<'_>) {
    for &Tunable {
        name,
        default,
        min,
        max,
        ..
    } in TUNABLES
    {
        let line = OptionLine::spin(name, default.into(), min.into(), max.into());
        lines.add(&Report::Option(line));
    }
}

/// Sets the number of this name: what had to be changed about the value, or why
/// it cannot be. `None` if there is no such number.
pub(crate) fn set(name: Text<'_>, value: Option<&str>) -> Option<Result<Option<String>, String>> {
    let number = TUNABLES.iter().find(|t| is_named(name, t.name))?;
    let name = number.name;
    let Some(value) = value else {
        return Some(Err(format!("option {name} needs a value")));
    };
    let read = read_spin(name, value.trim(), number.min.into(), number.max.into());
    Some(read.map(|(value, note)| {
        // Within the range of an i32, because the limits are.
        tunables::set(name, value as i32);
        note
    }))
}
