//! A small library for a page without a server: games in memory, kept one by one.

use std::collections::{BTreeMap, HashMap};

use quadrille_games::records::{AnyRecord, NodeId as Node};
use quadrille_games::{AnyLine, Game};
use serde::{Deserialize, Serialize};

use crate::boards::line_from;
use crate::desk::{Desk, Kept};
use crate::names;
use crate::refuse::{Answered, clean};
use crate::study::LONGEST_TAG;
use crate::wire::{
    Answer, Explored, ExploredMove, LibraryGame, LibraryQuery, LibraryView, Refusal, SourceView,
    Topic,
};
use crate::work::LibraryWork;

/// More games than this are not taken in: it is a page's memory.
const MOST_GAMES: usize = 20_000;
/// Games of one answer.
const MOST_TOLD: u32 = 500;
/// Where games come from.
const PLAYED: u32 = 1;

/// All games.
#[derive(Debug, Default)]
pub(crate) struct Library {
    games: BTreeMap<u32, Entry>,
    deleted: HashMap<u32, Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    source: u32,
    /// The file that the source was, if it was one.
    file: Option<String>,
    record: AnyRecord,
    /// The positions of its main line.
    keys: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
struct KeptGame {
    source: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    pgn: String,
}

impl Entry {
    fn new(source: u32, file: Option<String>, record: AnyRecord) -> Self {
        let keys = record.line(record.last(Node::ROOT)).keys().to_vec();
        Self {
            source,
            file,
            record,
            keys,
        }
    }

    fn tag(&self, name: &str) -> String {
        clean(self.record.tags().get(name).unwrap_or("?"), LONGEST_TAG)
    }

    fn line(&self) -> AnyLine {
        self.record.line(self.record.last(Node::ROOT))
    }

    fn view(&self, id: u32) -> LibraryGame {
        LibraryGame {
            id,
            game: self.record.game(),
            white: self.tag("White"),
            black: self.tag("Black"),
            result: self.record.result().word().into(),
            date: self.tag("Date"),
            event: self.tag("Event"),
            opening: names::opening(&self.line()),
            plies: u32::try_from(self.keys.len().saturating_sub(1)).unwrap_or(u32::MAX),
            trouble: None,
            study: None,
        }
    }

    fn fits(&self, query: &LibraryQuery, key: Option<u64>) -> bool {
        let holds = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let player = query
            .player
            .as_deref()
            .is_none_or(|part| holds(&self.tag("White"), part) || holds(&self.tag("Black"), part));
        let opening = query.opening.as_deref().is_none_or(|part| {
            names::opening(&self.line())
                .is_some_and(|(code, name)| code.starts_with(part) || holds(&name, part))
        });
        let result = query.result.as_deref();
        query.game.is_none_or(|game| game == self.record.game())
            && result.is_none_or(|result| result == self.record.result().word())
            && query.source.is_none_or(|source| source == self.source)
            && key.is_none_or(|key| self.keys.contains(&key))
            && player
            && opening
    }
}

impl Library {
    pub(crate) fn restore(&mut self, id: u32, text: &str) {
        let Ok(kept) = serde_json::from_str::<KeptGame>(text) else {
            return;
        };
        let games = AnyRecord::read(kept.pgn.as_bytes(), Game::Chess, 1);
        if let Some((record, _)) = games.into_iter().next() {
            let entry = Entry::new(kept.source, kept.file, record);
            self.games.insert(id, entry);
        }
    }

    pub(crate) fn kept(&self, id: u32) -> Option<String> {
        let entry = self.games.get(&id)?;
        let kept = KeptGame {
            source: entry.source,
            file: entry.file.clone(),
            pgn: entry.record.to_pgn(),
        };
        serde_json::to_string(&kept).ok()
    }

    pub(crate) fn view(&self) -> LibraryView {
        let mut sources: BTreeMap<u32, (u32, Option<&str>)> = BTreeMap::new();
        for entry in self.games.values() {
            let (games, file) = sources.entry(entry.source).or_default();
            *games += 1;
            *file = entry.file.as_deref();
        }
        let sources = sources.into_iter().map(|(id, (games, file))| SourceView {
            id,
            name: match (id, file) {
                (PLAYED, _) => "Played here".into(),
                (_, Some(file)) => file.into(),
                (other, None) => format!("Loaded {}", other.saturating_sub(PLAYED)),
            },
            games,
        });
        LibraryView {
            games: u32::try_from(self.games.len()).unwrap_or(u32::MAX),
            sources: sources.collect(),
        }
    }

    fn find(&self, query: &LibraryQuery) -> Result<Vec<LibraryGame>, Refusal> {
        let key = match &query.position {
            Some(start) => Some((start.game, line_from(start)?.hash())),
            None => None,
        };
        let game_fits = |entry: &Entry| key.is_none_or(|(game, _)| game == entry.record.game());
        let found = self.games.iter().rev();
        let found = found.filter(|(_, entry)| game_fits(entry));
        let found = found.filter(|(_, entry)| entry.fits(query, key.map(|(_, key)| key)));
        let part = found.skip(query.skip as usize);
        let part = part.take(query.most.min(MOST_TOLD) as usize);
        Ok(part.map(|(id, entry)| entry.view(*id)).collect())
    }

    /// What was played from the end of a line.
    fn explore(&self, line: &AnyLine) -> Explored {
        let key = line.hash();
        let mut moves: BTreeMap<String, (u32, u32, u32)> = BTreeMap::new();
        let games = self.games.values();
        for entry in games.filter(|entry| entry.record.game() == line.game()) {
            let Some(place) = entry.keys.iter().position(|&known| known == key) else {
                continue;
            };
            let texts = entry.line().played_texts();
            let Some(text) = texts.into_iter().nth(place) else {
                continue;
            };
            let results = moves.entry(text).or_default();
            match entry.record.result().word() {
                "1-0" => results.0 += 1,
                "1/2-1/2" => results.1 += 1,
                "0-1" => results.2 += 1,
                _ => {}
            }
        }
        let told = moves.into_iter().filter_map(|(text, results)| {
            let m = line.find(&text).ok()?;
            Some(ExploredMove {
                name: names::after(line, &m.text),
                text: m.text,
                notation: m.notation,
                results,
            })
        });
        let mut moves: Vec<ExploredMove> = told.collect();
        moves.sort_by_key(|m| std::cmp::Reverse(m.results.0 + m.results.1 + m.results.2));
        Explored {
            opening: names::opening(line),
            moves,
        }
    }
}

impl Desk {
    /// Takes games in as a separate source; gives its number.
    pub(crate) fn add_to_library(&mut self, records: Vec<AnyRecord>, file: Option<&str>) -> u32 {
        let sources = self.library.games.values().map(|entry| entry.source);
        let source = sources.max().unwrap_or(PLAYED).max(PLAYED) + 1;
        for record in records {
            self.put_game(source, file.map(String::from), record);
        }
        source
    }

    /// A game that was played here.
    pub(crate) fn add_played(&mut self, record: AnyRecord) {
        if self.setup.alone {
            self.put_game(PLAYED, None, record);
        }
    }

    fn put_game(&mut self, source: u32, file: Option<String>, record: AnyRecord) {
        if self.library.games.len() >= MOST_GAMES {
            return;
        }
        self.next.game = self.next.game.saturating_add(1);
        let id = self.next.game;
        self.library
            .games
            .insert(id, Entry::new(source, file, record));
        self.note_down(Kept::Numbers);
        self.note_down(Kept::Game(id));
        self.changed(Topic::Library);
    }

    /// Answers about the library; all that is left after that needs a server.
    pub(crate) fn library_here(&mut self, work: LibraryWork) -> Answered {
        match work {
            LibraryWork::Find(query) => self.library.find(&query).map(Answer::Games),
            LibraryWork::Open(id) => {
                let entry = self.library.games.get(&id);
                let record = entry.map(|entry| entry.record.clone());
                let record = record.ok_or_else(|| Refusal::gone("game", id))?;
                self.put_study(record, "").map(Answer::Study)
            }
            LibraryWork::Export(ids) => {
                let games = ids.iter().filter_map(|id| self.library.games.get(id));
                let text: String = games.map(|entry| entry.record.to_pgn()).collect();
                Ok(Answer::Text(text))
            }
            LibraryWork::Delete(ids) => {
                for id in ids {
                    if let Some(entry) = self.library.games.remove(&id) {
                        self.library.deleted.insert(id, entry);
                        self.note_down(Kept::Game(id));
                        self.changed(Topic::Library);
                    }
                }
                Ok(Answer::Done)
            }
            LibraryWork::Restore(ids) => {
                for id in ids {
                    if let Some(entry) = self.library.deleted.remove(&id) {
                        self.library.games.insert(id, entry);
                        self.note_down(Kept::Game(id));
                        self.changed(Topic::Library);
                    }
                }
                Ok(Answer::Done)
            }
            LibraryWork::Explore(line) => Ok(Answer::Explored(self.library.explore(&line))),
            LibraryWork::Paste { text, game, name } => {
                self.paste(&text, game, name.as_deref(), true)
            }
        }
    }
}
