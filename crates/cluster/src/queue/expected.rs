//! A job that is waited for, and what is heard of it.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Holders, MOST_WORDS, Queue, Waiting, Word};

/// A job that is waited for. Dropping it gives it up.
#[derive(Debug)]
pub(crate) struct Expected {
    queue: Arc<Queue>,
    number: u64,
    receiver: mpsc::Receiver<Word>,
    /// Results that came before.
    early: usize,
}

impl Expected {
    pub(crate) async fn next(&mut self) -> Option<Word> {
        let word = self.receiver.recv().await;
        if matches!(word, Some(Word::Reply(..))) {
            self.early = self.early.saturating_sub(1);
        }
        word
    }

    /// Drops what was said of jobs that no worker has or one has for too long, and moves that were told.
    pub(crate) fn forget_lost(&mut self) {
        // Asked with a game that is over: what else there is comes in its order.
        let mut kept = Vec::new();
        while let Ok(word) = self.receiver.try_recv() {
            if !matches!(
                word,
                Word::Lost(_) | Word::Left | Word::Overdue(_) | Word::Live(..)
            ) {
                kept.push(word);
            }
        }
        let mut state = self.queue.lock();
        let now = state.crew.clock().now();
        if let Some(waiting) = state.waiting.get_mut(&self.number) {
            // Nor is more of that said before it can be dealt again.
            waiting.seen = now;
            for word in kept {
                let _ = waiting.sender.try_send(word);
            }
        }
    }

    /// Workers of these keys are not to take it: one that does is told of.
    pub(crate) fn close_to(&self, keys: &[&str]) {
        if let Some(waiting) = self.queue.lock().waiting.get_mut(&self.number) {
            waiting.closed_to = keys.iter().map(|key| (*key).to_owned()).collect();
        }
    }

    /// Names the game that this checks.
    pub(crate) fn checks(&self, game: u64) {
        if let Some(waiting) = self.queue.lock().waiting.get_mut(&self.number) {
            waiting.checks = Some(game);
        }
    }

    /// Whether there is a result that came before it was waited for.
    pub(crate) const fn has_early(&self) -> bool {
        self.early > 0
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.queue.lock().waiting.remove(&self.number);
    }
}

impl Queue {
    /// Waits for a job; what came of it before it is dealt comes first.
    pub(crate) fn expect(self: &Arc<Self>, number: u64) -> Expected {
        let (sender, receiver) = mpsc::channel(MOST_WORDS);
        let mut state = self.lock();
        let early = state.early.take(number);
        let count = early.len();
        for (reply, receipts) in early {
            let _ = sender.try_send(Word::Reply(reply, receipts));
        }
        let now = state.crew.clock().now();
        let waiting = Waiting {
            sender,
            seen: now,
            held: now,
            closed_to: Vec::new(),
            checks: None,
            attempts: Vec::new(),
            holders: Holders::default(),
        };
        state.waiting.insert(number, waiting);
        drop(state);
        Expected {
            queue: Arc::clone(self),
            number,
            receiver,
            early: count,
        }
    }
}
