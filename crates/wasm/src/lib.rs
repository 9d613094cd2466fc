//! One engine session as a WebAssembly module without glue: numbers and bytes in
//! its memory, nothing else. `js/engine.mjs` is the other side.
//!
//! ```text
//! import env.now()            milliseconds since any fixed moment, with fractions
//! open(game, length, seed)    starts a session; 0 chess, 1 Liberty Chess,
//!                             2 Leiserchess, 3 Gyges; the buffer holds the words
//!                             that choose rules; 0 if it worked, else 1 and the
//!                             reason as a line
//! buffer(length)              where the caller writes that many bytes
//! feed(length)                a line in the buffer, without its end
//! step(milliseconds)          works for a while: 0 idle, 1 more to do, 2 waits for
//!                             another word, 3 the conversation is over
//! take()                      how many bytes the engine has said since
//! said()                      where they are, until the next call
//! ```
//!
//! A module holds one session; a page that wants two engines takes two workers. The
//! same module can hold a page's desk instead: see [`desk`].

pub mod desk;

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use quadrille_desk::alone::{Alone, Deed};
use quadrille_engine::{Machine, Moment, Session, Step, TimeSource};
use quadrille_games::Game;

/// What `step` answers.
const IDLE: u32 = 0;
const WORKING: u32 = 1;
const WAITING: u32 = 2;
const OVER: u32 = 3;

#[cfg(target_family = "wasm")]
mod host {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        safe fn now() -> f64;
    }

    pub(super) fn milliseconds() -> f64 {
        now()
    }
}

/// Built natively, as part of the workspace, the module has no caller and no
/// clock.
#[cfg(not(target_family = "wasm"))]
mod host {
    pub(super) fn milliseconds() -> f64 {
        0.0
    }
}

/// The clock of the caller.
#[derive(Debug)]
struct HostClock;

impl TimeSource for HostClock {
    fn now(&self) -> Moment {
        // Not a number, negative or without end: a clock that stands still.
        let time = Duration::try_from_secs_f64(host::milliseconds() / 1000.0);
        Moment::after_origin(time.unwrap_or_default())
    }
}

#[derive(Default)]
struct Module {
    session: Option<Session>,
    desk: Option<Alone>,
    /// What the caller wrote.
    buffer: Vec<u8>,
    /// What the engine said.
    said: Vec<u8>,
}

thread_local! {
    static MODULE: RefCell<Module> = RefCell::default();
}

fn with<T>(work: impl FnOnce(&mut Module) -> T) -> T {
    MODULE.with_borrow_mut(work)
}

impl Module {
    /// The first bytes of the buffer, as many as there are.
    fn written(&self, length: u32) -> Vec<u8> {
        let length = self.buffer.len().min(length as usize);
        self.buffer[..length].to_vec()
    }

    /// Puts deeds where the caller finds them; gives the number of bytes.
    fn put(&mut self, deeds: &[Deed]) -> u32 {
        // Strings and numbers always have a form in JSON.
        self.said = serde_json::to_vec(deeds).unwrap_or_default();
        self.said.len() as u32
    }
}

/// Starts a session in place of the one before.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn open(game: u32, length: u32, seed: f64) -> u32 {
    with(|module| {
        module.session = None;
        module.said.clear();
        let machine = Machine {
            time: Arc::new(HostClock),
            threads: false,
            memory: None,
            entropy: seed.to_bits(),
        };
        let rules = module.written(length);
        let opened = match Game::ALL.get(game as usize) {
            Some(&game) => Session::new(game, &String::from_utf8_lossy(&rules), &machine)
                .map_err(|error| error.to_string()),
            None => Err(format!("there is no game {game}: 0 to 3")),
        };
        match opened {
            Ok(session) => {
                module.session = Some(session);
                0
            }
            Err(why) => {
                module.said = why.into_bytes();
                module.said.push(b'\n');
                1
            }
        }
    })
}

/// Room for the caller to write into, until the next call.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn buffer(length: u32) -> *mut u8 {
    with(|module| {
        module.buffer.clear();
        module.buffer.resize(length as usize, 0);
        module.buffer.as_mut_ptr()
    })
}

/// Takes in a line.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn feed(length: u32) {
    with(|module| {
        let line = module.written(length);
        if let Some(session) = &mut module.session {
            session.feed(&line, HostClock.now());
        }
    });
}

/// Works for about this long.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn step(milliseconds: f64) -> u32 {
    with(|module| {
        let Some(session) = &mut module.session else {
            return OVER;
        };
        let slice = Duration::try_from_secs_f64(milliseconds / 1000.0);
        match session.step(slice.unwrap_or_default()) {
            Step::Working => WORKING,
            Step::Waiting => WAITING,
            Step::Done if session.is_over() => OVER,
            Step::Done => IDLE,
        }
    })
}

/// Takes what the engine has said; gives the number of bytes.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn take() -> u32 {
    with(|module| {
        if let Some(session) = &mut module.session {
            module.said = session.take_lines();
        }
        module.said.len() as u32
    })
}

/// Where what was taken lies, until the next call.
// SAFETY: no other function of the module has this name.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn said() -> *const u8 {
    with(|module| module.said.as_ptr())
}
