//! What a worker says when it is asked who it is.

use std::sync::atomic::Ordering;

use super::Shop;
use crate::messages::{WorkerStatus, write};
use crate::names;

impl Shop {
    pub(super) async fn answer_roll(&self) {
        let engines: Vec<String> = {
            let offers = self.offers.lock().await;
            let mut names: Vec<String> = offers.keys().map(|(name, _)| name.clone()).collect();
            names.sort();
            names.dedup();
            names
        };
        let (state, playing) = {
            let events = self.events();
            let mut words = Vec::new();
            let mut playing = 0;
            for known in events.values() {
                match (&known.served, &known.refused) {
                    (Some(served), _) => {
                        playing += served.busy();
                        words.push(if known.is_silent() {
                            format!("waits for the director of {}", known.title)
                        } else {
                            format!("plays for {}", known.title)
                        });
                    }
                    (None, Some((reason, _))) => {
                        words.push(format!("does not play for {}: {reason}", known.title));
                    }
                    (None, None) => words.push(format!("asks {}", known.title)),
                }
            }
            words.sort();
            if words.is_empty() {
                ("waits".into(), playing)
            } else {
                (words.join("; "), playing)
            }
        };
        let status = WorkerStatus {
            worker: self.id.clone(),
            name: self.name.clone(),
            program: concat!("quadrille ", env!("CARGO_PKG_VERSION")).into(),
            engines,
            nps: self.nps(),
            capacity: self.capacity,
            playing,
            games: self.played.load(Ordering::Relaxed),
            state,
            heard_ms: 0,
        };
        let _ = self
            .client
            .publish(names::status(&self.id), write(&status))
            .await;
    }
}
