//! The pages that are open, and what waits for them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use quadrille_desk::effect::PageId;
use quadrille_desk::wire::{EngineId, ToPage};
use tokio::sync::mpsc;

use super::online::Online;
use crate::guard::Role;

/// Pages that may be open at once.
const MOST_PAGES: usize = 64;
/// Of these, those of guests, and of one of them.
const MOST_GUESTS: usize = 32;
const MOST_OF_A_GUEST: usize = 4;
/// Visitors of a game server, and of one address.
const MOST_VISITORS: usize = 1000;
const MOST_FROM_ONE: usize = 20;
/// Messages and bytes that may wait for a page.
const MOST_MESSAGES: usize = 1000;
const MOST_BYTES: usize = 64 << 20;

/// Where messages for a page wait.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    messages: mpsc::Sender<String>,
    bytes: Arc<AtomicUsize>,
}

/// The other end.
#[derive(Debug)]
pub(crate) struct Waiting {
    messages: mpsc::Receiver<String>,
    bytes: Arc<AtomicUsize>,
}

impl Queue {
    /// A queue and its other end.
    pub(crate) fn new() -> (Self, Waiting) {
        let (sender, receiver) = mpsc::channel(MOST_MESSAGES);
        let bytes = Arc::new(AtomicUsize::new(0));
        let waiting = Waiting {
            messages: receiver,
            bytes: Arc::clone(&bytes),
        };
        let queue = Self {
            messages: sender,
            bytes,
        };
        (queue, waiting)
    }

    /// Puts a message behind the others; `false` if there is no room.
    fn put(&self, message: String) -> bool {
        let size = message.len();
        let before = self.bytes.fetch_add(size, Ordering::Relaxed);
        // One message is taken however large it is.
        (before == 0 || before + size <= MOST_BYTES) && self.messages.try_send(message).is_ok()
    }
}

impl Waiting {
    /// The next message; `None` if there will be no more.
    pub(crate) async fn next(&mut self) -> Option<String> {
        let message = self.messages.recv().await?;
        self.bytes.fetch_sub(message.len(), Ordering::Relaxed);
        Some(message)
    }
}

/// A page.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) role: Role,
    queue: Queue,
    /// Which line of a log it wants next.
    pub(super) logs: BTreeMap<EngineId, u32>,
    /// Its place at a game server.
    pub(super) online: Option<Online>,
}

/// All pages.
#[derive(Debug, Default)]
pub(super) struct Pages {
    open: BTreeMap<PageId, Open>,
}

impl Pages {
    /// Whether there is no room for another one. Guests cannot keep the owner out,
    /// nor each other.
    pub(super) fn is_full(&self, role: &Role) -> bool {
        let visits = |page: &&Open| matches!(page.role, Role::Visitor(_));
        let visitors = self.open.values().filter(visits).count();
        let guests = self.open.values();
        let guests = guests.filter(|page| matches!(page.role, Role::Guest(_)));
        let same = self.open.values().filter(|page| page.role == *role);
        match role {
            Role::Owner => self.open.len() - visitors >= MOST_PAGES,
            Role::Guest(_) => guests.count() >= MOST_GUESTS || same.count() >= MOST_OF_A_GUEST,
            Role::Visitor(_) => visitors >= MOST_VISITORS || same.count() >= MOST_FROM_ONE,
        }
    }

    /// Takes in a page.
    pub(super) fn join(&mut self, id: PageId, role: Role, queue: Queue) {
        let page = Open {
            role,
            queue,
            logs: BTreeMap::new(),
            online: None,
        };
        self.open.insert(id, page);
    }

    pub(super) fn leave(&mut self, page: PageId) -> bool {
        self.open.remove(&page).is_some()
    }

    pub(super) fn get(&self, page: PageId) -> Option<&Open> {
        self.open.get(&page)
    }

    pub(super) fn get_mut(&mut self, page: PageId) -> Option<&mut Open> {
        self.open.get_mut(&page)
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (PageId, &mut Open)> {
        self.open.iter_mut().map(|(id, page)| (*id, page))
    }

    pub(super) fn ids(&self) -> Vec<PageId> {
        self.open.keys().copied().collect()
    }

    /// Sends a message; `false` if the page is too far behind, and had better come
    /// again.
    pub(super) fn send(&self, page: PageId, message: &ToPage) -> bool {
        let Some(page) = self.open.get(&page) else {
            return true;
        };
        match serde_json::to_string(message) {
            Ok(text) => page.queue.put(text),
            Err(error) => {
                eprintln!("warning: a message cannot be written: {error}");
                true
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_does_not_read_is_noticed_and_costs_no_more() {
        let (queue, _waiting) = Queue::new();
        let mut pages = Pages::default();
        let page = 1;
        pages.join(page, Role::Owner, queue);
        let message = ToPage::Answer {
            id: 1,
            answer: Box::new(quadrille_desk::wire::Answer::Text("x".repeat(100_000))),
        };
        let sent = (0..10_000)
            .take_while(|_| pages.send(page, &message))
            .count();
        assert!(sent > 100 && sent <= MOST_BYTES / 100_000, "{sent}");
    }
}
