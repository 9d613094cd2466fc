//! The messages as TypeScript: one file for a page.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};

use ts_rs::{Config, TS, TypeVisitor};

use crate::wire::{FromPage, Pending, ToPage};

/// Numbers with names: aliases, of which the types below say nothing.
const NUMBERS: [&str; 6] = [
    "EngineId", "EventId", "JobId", "NodeId", "StudyId", "TableId",
];

const HEAD: &str = "\
// Generated from crates/desk/src/wire by `cargo xtask types`; changes belong there.
/* eslint-disable */
";

/// All declarations by name, each type once.
struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    found: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // What has no file of its own is a part of TypeScript, or a list of others.
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let text = format!("{docs}export {}\n", T::decl(&self.config));
            self.found.insert(T::ident(&self.config), text);
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// The whole file.
///
/// ```
/// let file = quadrille_desk::typescript::file();
/// assert!(file.contains("export type Topic ="));
/// ```
pub fn file() -> String {
    let mut all = Declarations {
        config: Config::new().with_large_int("number"),
        seen: HashSet::new(),
        found: BTreeMap::new(),
    };
    all.visit::<FromPage>();
    all.visit::<ToPage>();
    all.visit::<Pending>();
    let mut text = String::from(HEAD);
    for name in NUMBERS {
        text.push_str("\nexport type ");
        text.push_str(name);
        text.push_str(" = number;\n");
    }
    for declaration in all.found.values() {
        text.push('\n');
        for line in declaration.lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}
