//! Who may come in.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use quadrille_net::{Secret, network, sha256};

/// Connections that have not shown who they are: all together, and of one address.
const HALF_OPEN: usize = 64;
const HALF_OPEN_EACH: usize = 8;
/// More of them, for addresses that have shown who they are before: strangers must not
/// keep everybody out.
const KEPT: usize = 16;

/// So many wrong passwords of one address, and it has to wait.
const TRIES: u32 = 5;
pub(super) const BAN: Duration = Duration::from_mins(5);

/// Addresses that are remembered. Beyond that the oldest are forgotten.
const REMEMBERED: usize = 4096;

/// Addresses that are known to have come in.
const KNOWN: usize = 256;

/// Whether a word is the password, in a time that does not depend on how much of
/// it is right: the sums of both are compared to their end.
pub(super) fn is_password(password: &Secret, word: &str) -> bool {
    let (one, other) = (
        sha256(password.reveal().as_bytes()),
        sha256(word.as_bytes()),
    );
    let differences = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(differences) == 0
}

#[derive(Debug)]
struct Visitor {
    half_open: usize,
    wrong: u32,
    last: Instant,
}

/// Remembers addresses: how many of their connections are half open, and how often
/// their password was wrong.
#[derive(Debug, Default)]
pub(super) struct Entrance {
    visitors: Mutex<HashMap<IpAddr, Visitor>>,
    /// Addresses that have come in, the latest last.
    known: Mutex<VecDeque<IpAddr>>,
}

/// A connection that is half open, until it is dropped.
#[derive(Debug)]
pub(super) struct Threshold {
    entrance: Arc<Entrance>,
    place: IpAddr,
}

impl Entrance {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Visitor>> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> MutexGuard<'_, VecDeque<IpAddr>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection from this address.
    pub(super) fn step_on(self: &Arc<Self>, address: IpAddr) -> Result<Threshold, &'static str> {
        let place = network(address);
        let kept = if self.known().contains(&place) {
            KEPT
        } else {
            0
        };
        let mut visitors = self.lock();
        if visitors.values().map(|v| v.half_open).sum::<usize>() >= HALF_OPEN + kept {
            return Err("too many connections are half open");
        }
        make_room(&mut visitors);
        let visitor = visitors.entry(place).or_insert_with(|| Visitor {
            half_open: 0,
            wrong: 0,
            last: Instant::now(),
        });
        if visitor.wrong >= TRIES {
            if visitor.last.elapsed() < BAN {
                return Err("too many wrong passwords from this address");
            }
            visitor.wrong = 0;
        }
        if visitor.half_open >= HALF_OPEN_EACH {
            return Err("too many connections of this address are half open");
        }
        visitor.half_open += 1;
        let entrance = Arc::clone(self);
        Ok(Threshold { entrance, place })
    }
}

fn make_room(visitors: &mut HashMap<IpAddr, Visitor>) {
    if visitors.len() < REMEMBERED {
        return;
    }
    visitors.retain(|_, v| v.half_open > 0 || (v.wrong > 0 && v.last.elapsed() < BAN));
    if visitors.len() < REMEMBERED {
        return;
    }
    // Many at once, so that it is seldom done.
    let idle = visitors.iter().filter(|(_, v)| v.half_open == 0);
    let mut idle: Vec<(Instant, IpAddr)> = idle.map(|(place, v)| (v.last, *place)).collect();
    idle.sort_unstable();
    for (_, place) in idle.iter().take(REMEMBERED / 4) {
        visitors.remove(place);
    }
}

impl Threshold {
    /// Its password was wrong.
    pub(super) fn was_wrong(&self) {
        if let Some(visitor) = self.entrance.lock().get_mut(&self.place) {
            visitor.wrong += 1;
            visitor.last = Instant::now();
        }
    }

    /// Its password was right: what was wrong before is forgiven, and it is known from
    /// now on.
    pub(super) fn was_right(&self) {
        let mut known = self.entrance.known();
        if !known.contains(&self.place) {
            if known.len() >= KNOWN {
                known.pop_front();
            }
            known.push_back(self.place);
        }
        drop(known);
        if let Some(visitor) = self.entrance.lock().get_mut(&self.place) {
            visitor.wrong = 0;
        }
    }
}

impl Drop for Threshold {
    fn drop(&mut self) {
        let mut visitors = self.entrance.lock();
        if let Some(visitor) = visitors.get_mut(&self.place) {
            visitor.half_open -= 1;
            if visitor.half_open == 0 && visitor.wrong == 0 {
                visitors.remove(&self.place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv6Addr;

    #[test]
    fn passwords_are_compared_whole() {
        let secret = Secret::new("open sesame").expect("a word");
        assert!(is_password(&secret, "open sesame"));
        for wrong in ["", "open", "open sesame ", "Open sesame", "open sesamf"] {
            assert!(!is_password(&secret, wrong), "{wrong}");
        }
    }

    #[test]
    fn an_address_has_few_half_open_connections_and_few_tries() {
        let entrance = Arc::new(Entrance::default());
        let here: IpAddr = "127.0.0.1".parse().expect("an address");
        let open: Vec<_> = (0..HALF_OPEN_EACH)
            .map(|_| entrance.step_on(here).expect("room"))
            .collect();
        assert!(entrance.step_on(here).is_err());
        // Its other form is the same address.
        assert!(
            entrance
                .step_on("::ffff:127.0.0.1".parse().expect("one"))
                .is_err()
        );
        assert!(entrance.step_on("127.0.0.2".parse().expect("one")).is_ok());
        drop(open);
        assert!(entrance.lock().is_empty(), "nothing is remembered in vain");
        for _ in 0..TRIES {
            entrance.step_on(here).expect("room").was_wrong();
        }
        let refused = entrance.step_on(here).map(|_| ());
        assert_eq!(refused, Err("too many wrong passwords from this address"));
    }

    #[test]
    fn a_right_password_forgives() {
        let entrance = Arc::new(Entrance::default());
        let here: IpAddr = "127.0.0.1".parse().expect("an address");
        for _ in 0..20 {
            entrance.step_on(here).expect("room").was_wrong();
            entrance.step_on(here).expect("room").was_right();
        }
    }

    #[test]
    fn strangers_do_not_keep_out_who_was_in_before() {
        let entrance = Arc::new(Entrance::default());
        let owner: IpAddr = "9.9.9.9".parse().expect("an address");
        entrance.step_on(owner).expect("room").was_right();
        let strangers = |n: u32| entrance.step_on(IpAddr::from((n + 1).to_be_bytes()));
        let open: Vec<_> = (0..2 * HALF_OPEN as u32).map(strangers).collect();
        let taken = open.iter().filter(|place| place.is_ok()).count();
        assert_eq!(taken, HALF_OPEN);
        let mine: Vec<_> = (0..20).map(|_| entrance.step_on(owner)).collect();
        let mine = mine.iter().filter(|place| place.is_ok()).count();
        assert_eq!(mine, HALF_OPEN_EACH, "as many as without strangers");
    }

    #[test]
    fn known_addresses_are_bounded() {
        let entrance = Arc::new(Entrance::default());
        for n in 0..3 * KNOWN as u32 {
            let place = entrance.step_on(IpAddr::from((n + 1).to_be_bytes()));
            place.expect("room").was_right();
        }
        assert_eq!(entrance.known().len(), KNOWN);
    }

    #[test]
    fn the_whole_world_fills_neither_memory_nor_the_entrance_for_ever() {
        let entrance = Arc::new(Entrance::default());
        for n in 0..3 * REMEMBERED as u32 {
            let address = IpAddr::from((n + 1).to_be_bytes());
            entrance.step_on(address).expect("room").was_wrong();
        }
        assert!(entrance.lock().len() <= REMEMBERED);
        let open: Vec<_> = (0..HALF_OPEN as u32)
            .map(|n| entrance.step_on(IpAddr::from((n + 1).to_be_bytes())))
            .collect();
        assert!(open.iter().all(Result::is_ok));
        assert!(entrance.step_on("9.9.9.9".parse().expect("one")).is_err());
        drop(open);
        // Blocks of the newer kind count as one address.
        for n in 0..u16::try_from(TRIES).expect("few") {
            let address = Ipv6Addr::new(0x2001, 0xdb8, 1, 1, n, n, n, n);
            entrance.step_on(address.into()).expect("room").was_wrong();
        }
        let another = Ipv6Addr::new(0x2001, 0xdb8, 1, 1, 7, 7, 7, 7);
        assert!(entrance.step_on(another.into()).is_err());
    }
}
