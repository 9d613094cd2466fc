//! Permissions: who may say what.
//!
//! The operator may do everything. A guest came by the link to a seat, a visitor came to
//! play at a game server; each may say what is listed here, and a guest only about the
//! table of that seat.

use crate::desk::{Desk, Rights};
use crate::effect::PageId;
use crate::wire::{Ask, FromPage, Refusal, Topic};

/// Strangers to whom something is open.
#[derive(Debug, Clone, Copy)]
struct Strangers {
    guests: bool,
    visitors: bool,
}

const NONE: Strangers = Strangers {
    guests: false,
    visitors: false,
};
const GUESTS: Strangers = Strangers {
    guests: true,
    visitors: false,
};
const VISITORS: Strangers = Strangers {
    guests: false,
    visitors: true,
};
const BOTH: Strangers = Strangers {
    guests: true,
    visitors: true,
};

impl Desk {
    /// Permission of a page to say something; the refusal says why not.
    pub(crate) fn may(&self, page: PageId, message: &FromPage) -> Result<(), Refusal> {
        let rights = self.pages.get(&page).map(|page| &page.rights);
        if rights == Some(&Rights::Owner) {
            return Ok(());
        }
        if !rights.is_some_and(|rights| is_open(rights, message)) {
            let words = "only the person who started this program may do that";
            return Err(Refusal::forbidden(words));
        }
        match message {
            FromPage::Follow {
                topic: Topic::Table(table) | Topic::Clock(table),
                ..
            } if !self.sits_at(page, *table) => Err(Refusal::gone("game", *table)),
            FromPage::Ask {
                ask: Ask::Act { table, .. } | Ask::LookTable { table, .. },
                ..
            } if self.tables.contains_key(table) && !self.sits_at(page, *table) => {
                Err(Refusal::forbidden("this is another table than yours"))
            }
            // Other boards may be so large that everybody would wait for them.
            FromPage::Ask {
                ask: Ask::Moves { start, moves, .. },
                ..
            } if self.token(page).is_some() && !self.is_guests_board(page, start, moves) => {
                let words = "a guest may play at this table and nothing else";
                Err(Refusal::forbidden(words))
            }
            _ => Ok(()),
        }
    }

    fn sits_at(&self, page: PageId, table: u32) -> bool {
        let token = self.token(page);
        let table = self.tables.get(&table);
        table.is_some_and(|table| token.is_some_and(|token| table.has_token(token)))
    }
}

/// Returns `true` if those with such rights may say such a thing at all.
pub(crate) fn is_open(rights: &Rights, message: &FromPage) -> bool {
    let to = match message {
        FromPage::Ask { ask, .. } => open_asks(ask),
        FromPage::Follow { topic, .. } | FromPage::Leave { topic } => open_topics(topic),
        // Visitors are led to no other server.
        FromPage::Join { address: Some(_) } => NONE,
        FromPage::Join { address: None } | FromPage::Tell { .. } | FromPage::Part => VISITORS,
    };
    match rights {
        Rights::Owner => true,
        Rights::Guest { .. } => to.guests,
        Rights::Visitor => to.visitors,
    }
}

const fn open_topics(topic: &Topic) -> Strangers {
    match topic {
        Topic::Table(_) | Topic::Clock(_) => GUESTS,
        // They are told that there are none.
        Topic::Settings => VISITORS,
        Topic::Studies
        | Topic::Study(_)
        | Topic::Tables
        | Topic::Engines
        | Topic::Log(_)
        | Topic::Analysis
        | Topic::Jobs
        | Topic::Report(_)
        | Topic::Check(_)
        | Topic::Events
        | Topic::Event(_)
        | Topic::Library => NONE,
    }
}

/// Every question has its place here: a new one is open to nobody by oversight.
const fn open_asks(ask: &Ask) -> Strangers {
    match ask {
        Ask::Position { .. } => VISITORS,
        Ask::Moves { .. } => BOTH,
        Ask::Act { .. } | Ask::LookTable { .. } => GUESTS,
        Ask::Edit { .. }
        | Ask::NewStudy { .. }
        | Ask::Paste { .. }
        | Ask::Look { .. }
        | Ask::Play { .. }
        | Ask::PlayLine { .. }
        | Ask::EditStudy { .. }
        | Ask::Export { .. }
        | Ask::DeleteStudy { .. }
        | Ask::RestoreStudy { .. }
        | Ask::NewTable { .. }
        | Ask::StudyTable { .. }
        | Ask::Analyse { .. }
        | Ask::StopAnalysis
        | Ask::Preview { .. }
        | Ask::AddEngine { .. }
        | Ask::StopAdding
        | Ask::ChangeEngine { .. }
        | Ask::StopEngine { .. }
        | Ask::Report { .. }
        | Ask::Check { .. }
        | Ask::CancelJob { .. }
        | Ask::ForgetJob { .. }
        | Ask::NewEvent { .. }
        | Ask::AttachEvent { .. }
        | Ask::ControlEvent { .. }
        | Ask::ForgetEvent { .. }
        | Ask::StudyEventGame { .. }
        | Ask::ExportEvent { .. }
        | Ask::FindGames { .. }
        | Ask::OpenGame { .. }
        | Ask::ExportGames { .. }
        | Ask::DeleteGames { .. }
        | Ask::RestoreGames { .. }
        | Ask::Explore { .. }
        | Ask::Remember { .. } => NONE,
    }
}
