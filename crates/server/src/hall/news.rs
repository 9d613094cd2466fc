//! News of lists to those who follow them.
//!
//! A seek goes to everybody who has listed seeks. With thousands of followers one seek is
//! thousands of lines, which would keep the hall from everything else. So no more than
//! [`SLICE`] are sent at a time, and others of the hall get their turn between two slices.
//! A seek that is taken back before anybody was told of it is never told.

use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::Arc;
use std::time::Duration;

use super::effect::ConnId;
use super::{Client, ClientStage, Hall, Timer};
use crate::message::{List, Tell, ToClient};

/// Lines that are sent at a time.
const SLICE: usize = 500;
/// From one slice to the next.
const BETWEEN: Duration = Duration::from_millis(1);
/// News that wait. Those who want to know more list again.
const WAITING: usize = 1000;

/// A line on its way to the followers of a list.
struct Item {
    list: List,
    /// The seek that it announces.
    seek: Option<u64>,
    line: Arc<str>,
    /// Who knows already, in order.
    except: Vec<ConnId>,
    /// The last one that it was sent to.
    after: Option<ConnId>,
}

/// Lines on their way, the oldest first.
#[derive(Default)]
pub(super) struct News {
    queue: VecDeque<Item>,
}

impl Hall {
    /// Tells those who follow a list, but for some who know already.
    pub(super) fn tell_followers(&mut self, list: List, tell: &Tell, mut except: Vec<ConnId>) {
        let followers = self.followers.get(&list);
        if followers.is_none_or(std::collections::BTreeSet::is_empty) {
            return;
        }
        if let Tell::SeekGone(id) = tell {
            let unsaid = |item: &Item| item.seek == Some(*id) && item.after.is_none();
            if let Some(place) = self.news.queue.iter().position(unsaid) {
                self.news.queue.remove(place);
                return;
            }
        }
        if self.news.queue.len() >= WAITING {
            return;
        }
        except.sort_unstable();
        let seek = match tell {
            Tell::Seek(view) => Some(view.id),
            _ => None,
        };
        let first = self.news.queue.is_empty();
        let few = followers.is_some_and(|followers| followers.len() <= SLICE);
        self.news.queue.push_back(Item {
            list,
            seek,
            line: ToClient::Lobby(tell.clone()).to_string().into(),
            except,
            after: None,
        });
        if first && few {
            self.send_slice();
        } else if first {
            self.wake(Duration::ZERO, Timer::News);
        }
    }

    /// Sends the next slice.
    pub(super) fn send_news(&mut self, now: Duration) {
        self.send_slice();
        if !self.news.queue.is_empty() {
            self.wake(now + BETWEEN, Timer::News);
        }
    }

    fn send_slice(&mut self) {
        let mut left = SLICE;
        while left > 0
            && let Some(item) = self.news.queue.front_mut()
        {
            let start = item.after.map_or(Bound::Unbounded, Bound::Excluded);
            let followers = self.followers.get(&item.list).into_iter();
            let next: Vec<ConnId> = followers
                .flat_map(|all| all.range((start, Bound::Unbounded)))
                .take(left)
                .copied()
                .collect();
            let (line, except) = (Arc::clone(&item.line), std::mem::take(&mut item.except));
            if next.len() < left {
                self.news.queue.pop_front();
            } else {
                item.after = next.last().copied();
                item.except.clone_from(&except);
            }
            left -= next.len();
            for conn in next {
                if except.binary_search(&conn).is_err() {
                    self.post(conn, Arc::clone(&line));
                }
            }
        }
    }

    /// A client follows a list from now on.
    pub(super) fn follow(&mut self, conn: ConnId, list: List) {
        self.followers.entry(list).or_default().insert(conn);
    }

    /// Forgets a client that is gone.
    pub(super) fn forget_client(&mut self, conn: ConnId) {
        let client = self.clients.remove(&conn);
        let hashes =
            |client: &Client| client.stage == ClientStage::Checking || client.registering.is_some();
        if client.as_ref().is_some_and(hashes) {
            self.checks.forget(conn);
        }
        let address = client.and_then(|known| known.address);
        if let Some(address) = address
            && let Some(conns) = self.addresses.get_mut(&address)
        {
            conns.remove(&conn);
            if conns.is_empty() {
                self.addresses.remove(&address);
            }
        }
        for followers in self.followers.values_mut() {
            followers.remove(&conn);
        }
    }
}
