//! The desk of a page without a server, as exports of the same plain kind: JSON in
//! the buffer, JSON with a list of deeds behind [`said`](crate::said).
//!
//! ```text
//! desk_open(length, now)          the buffer holds a `Beginning`; starts the desk
//! desk_join(now)                  a page is there; gives its number
//! desk_deeds()                    the deeds of that
//! desk_left(page, now)            a page is gone
//! desk_said(page, length, now)    a message of a page
//! desk_heard(worker, length, now) a line of an engine
//! desk_died(worker, length, now)  an engine's worker has failed, and how
//! desk_tick(now)                  time goes by
//! ```
//!
//! All but `desk_join` give the number of bytes of their answer. `now` is milliseconds since 1970. A
//! module that holds a desk holds no engine session, and the other way round.

use std::sync::Arc;
use std::time::Duration;

use quadrille_client::dialect_of;
use quadrille_desk::alone::{Alone, Beginning, Deed};
use quadrille_desk::wire::{EngineState, EngineView, OptionKindView, OptionView};
use quadrille_engine::{Machine, Session, TimeSource};
use quadrille_games::Game;
use quadrille_protocol::{Command, IdKey, OptionLine, OptionType, Report};

use crate::{HostClock, Module, with};

/// Numbers of a page are exact up to this one.
const LARGEST: i64 = 9_007_199_254_740_991;

fn text(module: &Module, length: u32) -> String {
    String::from_utf8_lossy(&module.written(length)).into_owned()
}

/// Does something with the desk, if there is one, and puts the deeds where the caller
/// finds them.
fn answer(work: impl FnOnce(&Module, &mut Alone) -> Vec<Deed>) -> u32 {
    with(|module| {
        let deeds = match module.desk.take() {
            Some(mut desk) => {
                let deeds = work(module, &mut desk);
                module.desk = Some(desk);
                deeds
            }
            None => Vec::new(),
        };
        module.put(&deeds)
    })
}

/// Starts the desk in place of the one before. No bytes at all mean that the
/// beginning cannot be read.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_open(length: u32, now: f64) -> u32 {
    with(|module| {
        module.said.clear();
        let Ok(mut beginning) = serde_json::from_str::<Beginning>(&text(module, length)) else {
            return 0;
        };
        if beginning.program.is_empty() {
            beginning.program = concat!("Quadrille ", env!("CARGO_PKG_VERSION")).into();
        }
        let (desk, deeds) = Alone::new(beginning, engines(), now);
        module.desk = Some(desk);
        module.put(&deeds)
    })
}

/// A page is there; gives its number, 0 without a desk.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_join(now: f64) -> u32 {
    let mut number = 0;
    answer(|_, desk| {
        let (page, deeds) = desk.join(now);
        number = page;
        deeds
    });
    number
}

/// The number of bytes of the last answer.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_deeds() -> u32 {
    with(|module| module.said.len() as u32)
}

/// A page is gone.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_left(page: u32, now: f64) -> u32 {
    answer(|_, desk| desk.left(page, now))
}

/// A page says something.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_said(page: u32, length: u32, now: f64) -> u32 {
    answer(|module, desk| desk.said(page, &text(module, length), now))
}

/// An engine says a line.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_heard(worker: u32, length: u32, now: f64) -> u32 {
    answer(|module, desk| desk.heard(worker, &text(module, length), now))
}

/// An engine's worker has failed.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_died(worker: u32, length: u32, now: f64) -> u32 {
    answer(|module, desk| desk.died(worker, &text(module, length), now))
}

/// Time goes by.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn desk_tick(now: f64) -> u32 {
    answer(|_, desk| desk.tick(now))
}

/// Our own engines, one for each game, as they introduce themselves.
fn engines() -> Vec<EngineView> {
    let numbered = Game::ALL.into_iter().zip(1..);
    numbered.map(|(game, id)| introduced(game, id)).collect()
}

fn introduced(game: Game, id: u32) -> EngineView {
    let dialect = dialect_of(game);
    let mut view = EngineView {
        id,
        name: format!("Quadrille {game}"),
        identity: None,
        author: None,
        builtin: true,
        games: vec![game],
        command: String::new(),
        args: Vec::new(),
        folder: None,
        init: Vec::new(),
        state: EngineState::Idle,
        options: Vec::new(),
        findings: Vec::new(),
        about: None,
    };
    let machine = Machine {
        time: Arc::new(HostClock),
        threads: false,
        memory: None,
        entropy: 0,
    };
    let Ok(mut session) = Session::new(game, "", &machine) else {
        return view;
    };
    session.feed(&Command::hello(dialect).line(dialect), HostClock.now());
    session.step(Duration::from_millis(1));
    let lines = session.take_lines();
    for line in lines.split(|byte| *byte == b'\n') {
        match Report::parse(line, dialect).message {
            Report::Id(id) if id.key == IdKey::Name => {
                let name = id.value.to_string();
                // Without its version.
                let short = name.rsplit_once(' ').map_or(&*name, |(short, _)| short);
                short.clone_into(&mut view.name);
                view.identity = Some(name);
            }
            Report::Id(id) if id.key == IdKey::Author => {
                view.author = Some(id.value.to_string());
            }
            Report::Option(option) => view.options.extend(shown(&option)),
            _ => {}
        }
    }
    view
}

/// An option as a page has it; one without a kind (UGI) is not shown.
fn shown(option: &OptionLine<'_>) -> Option<OptionView> {
    let words = |text: Option<quadrille_protocol::Text<'_>>| {
        text.map(|text| text.to_string()).unwrap_or_default()
    };
    let number = |n: Option<i64>, other: i64| n.unwrap_or(other).clamp(-LARGEST, LARGEST);
    let kind = match option.kind()? {
        OptionType::Check => OptionKindView::Check {
            default: option.default_bool().unwrap_or_default(),
        },
        OptionType::Spin => OptionKindView::Spin {
            default: number(option.default_number(), 0),
            min: number(option.min(), -LARGEST),
            max: number(option.max(), LARGEST),
        },
        OptionType::Combo => OptionKindView::Combo {
            default: words(option.default_value()),
            values: option.vars().map(|text| text.to_string()).collect(),
        },
        OptionType::Button => OptionKindView::Button,
        OptionType::String => OptionKindView::Text {
            default: words(option.default_value()),
            path: false,
        },
        OptionType::Other(_) => return None,
    };
    Some(OptionView {
        name: words(option.name()),
        kind,
        value: None,
        managed: true,
    })
}
