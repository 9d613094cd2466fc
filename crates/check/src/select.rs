//! Which checks are wanted.

use quadrille_client::spelling::nearest;
use thiserror::Error;

use super::report::Role;
use super::table::{self, Check};

/// The checks that are wanted: all, or those that are named, without those that
/// are named as unwanted. A name is that of a check (`go.depth`) or of a group
/// (`go`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    only: Vec<String>,
    skip: Vec<String>,
}

/// A name that no check and no group has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no check and no group '{name}'{}", suggestion(.nearest.as_deref()))]
pub struct UnknownCheck {
    /// The name.
    pub name: String,
    /// A name that is much like it.
    pub nearest: Option<String>,
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(
        || ": `quadrille check --list` shows them".into(),
        |name| format!(": did you mean '{name}'?"),
    )
}

impl Selection {
    /// Reads names; several may stand in one text, with commas or blanks between
    /// them. Without any in `only`, all checks are wanted.
    pub fn new<'a>(
        role: Role,
        only: impl IntoIterator<Item = &'a str>,
        skip: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnknownCheck> {
        Ok(Self {
            only: names(role, only)?,
            skip: names(role, skip)?,
        })
    }

    /// Whether a check is wanted.
    pub fn has(&self, check: &Check) -> bool {
        let named = |list: &[String]| {
            list.iter()
                .any(|name| name == check.id || name == check.group())
        };
        (self.only.is_empty() || named(&self.only)) && !named(&self.skip)
    }
}

fn names<'a>(
    role: Role,
    texts: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<String>, UnknownCheck> {
    let known = || {
        let checks = table::all().filter(|check| check.role() == role);
        checks.flat_map(|check| [check.id, check.group()])
    };
    let mut list = Vec::new();
    for name in texts
        .into_iter()
        .flat_map(|text| text.split([',', ' ']))
        .filter(|name| !name.is_empty())
    {
        // `go.*` and `go.` are meant as the group.
        let plain = name.trim_end_matches('*').trim_end_matches('.');
        if !known().any(|word| word == plain) {
            return Err(UnknownCheck {
                name: name.into(),
                nearest: nearest(plain, known()).map(Into::into),
            });
        }
        list.push(plain.to_owned());
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_and_groups_are_named() {
        let selection = Selection::new(Role::Engine, ["go,stop.*"], ["go.depth"]).expect("names");
        let wanted = |id: &str| selection.has(table::find(id).expect(id));
        assert!(wanted("go.nodes") && wanted("stop.idle"));
        assert!(!wanted("go.depth") && !wanted("pv.legal"));
        let all = Selection::default();
        assert!(table::all().all(|check| all.has(check)));
    }

    #[test]
    fn misspelt_names_are_refused_with_a_suggestion() {
        let error = Selection::new(Role::Engine, ["go.dept"], []).expect_err("no such check");
        assert_eq!(
            error.to_string(),
            "there is no check and no group 'go.dept': did you mean 'go.depth'?"
        );
        assert!(Selection::new(Role::Engine, ["host.hello"], []).is_err());
        assert!(Selection::new(Role::Host, ["host"], []).is_ok());
    }
}
