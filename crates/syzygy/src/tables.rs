//! A set of tables.

use core::fmt;
use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::error::{Fault, OpenError, ProbeError, TableKind};
use crate::material::Material;
use crate::store::{Budget, Origin, Source, Store};
use crate::table::Table;

/// Memory that tables may take unless something else is said.
const MEMORY: usize = 256 << 20;

/// A set of Syzygy tables, from folders, from memory or from anywhere else.
///
/// A table is read when it is first needed. Asking is possible from several
/// threads at once, and there can be several sets.
///
/// ```no_run
/// use quadrille_games::{Position, chess::{Chess, ChessRules}};
/// use quadrille_syzygy::{Tables, Wdl};
///
/// let mut tables = Tables::new();
/// tables.add_folder("syzygy".as_ref())?;
/// let mate_with_two = "8/2K5/4B3/3N4/8/8/4k3/8 b - - 0 1";
/// let position = Chess::from_text(mate_with_two, &ChessRules::default())?;
/// assert_eq!(tables.wdl(&position)?, Wdl::Loss);
/// assert_eq!(tables.dtz(&position)?, -53);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tables {
    endings: Vec<Ending>,
    by_material: HashMap<Material, usize, BuildHasherDefault<MaterialHasher>>,
    most_men: u32,
    budget: Arc<Budget>,
}

/// The tables of one ending.
struct Ending {
    material: Material,
    wdl: Option<Entry>,
    dtz: Option<Entry>,
}

struct Entry {
    origin: Origin,
    table: OnceLock<Result<Table, Fault>>,
}

impl Default for Tables {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("wdl", &self.count(TableKind::Wdl))
            .field("dtz", &self.count(TableKind::Dtz))
            .field("most_men", &self.most_men)
            .finish_non_exhaustive()
    }
}

impl Tables {
    /// No tables yet; they may take 256 MiB of memory.
    pub fn new() -> Self {
        Self::with_memory(MEMORY)
    }

    /// No tables yet; they may take so many bytes of memory for what they read
    /// from files. Whatever does not fit is read again when it is needed.
    pub fn with_memory(bytes: usize) -> Self {
        Self {
            endings: Vec::new(),
            by_material: HashMap::default(),
            most_men: 0,
            budget: Arc::new(Budget::new(bytes)),
        }
    }

    /// Adds a table that lies in memory, under its file name (`KQvK.rtbw`).
    /// Nothing is copied; several sets can share the bytes.
    pub fn add_bytes(&mut self, name: &str, bytes: impl Into<Arc<[u8]>>) -> Result<(), OpenError> {
        let (material, kind) = read_name(name)?;
        let bytes = bytes.into();
        let size = bytes.len() as u64;
        let head = bytes.get(..4).unwrap_or(&[]);
        let tail = bytes.get(bytes.len().saturating_sub(16)..).unwrap_or(&[]);
        look_at(kind, size, head, tail).map_err(|fault| OpenError::Damaged(name.into(), fault))?;
        self.insert(material, kind, Origin::Bytes(bytes));
        Ok(())
    }

    /// Adds a table that can be read from somewhere, under its file name. It is
    /// looked at here only as far as that shows whether it arrived whole.
    pub fn add_source(&mut self, name: &str, source: impl Source) -> Result<(), OpenError> {
        let (material, kind) = read_name(name)?;
        self.add(material, kind, name.as_ref(), Arc::new(source))
    }

    pub(crate) fn add(
        &mut self,
        material: Material,
        kind: TableKind,
        path: &Path,
        source: Arc<dyn Source>,
    ) -> Result<(), OpenError> {
        let mut head = [0; 4];
        let mut tail = [0; 16];
        let mut ends = || {
            let size = source.size()?;
            if size >= 32 {
                source.read_at(0, &mut head)?;
                source.read_at(size - 16, &mut tail)?;
            }
            Ok(size)
        };
        let size = ends().map_err(|error: std::io::Error| Fault::Read(error.kind()));
        let fault = size
            .and_then(|size| look_at(kind, size, &head, &tail))
            .err();
        if let Some(fault) = fault {
            return Err(OpenError::Damaged(path.into(), fault));
        }
        self.insert(material, kind, Origin::Source(source));
        Ok(())
    }

    /// The first table of a name counts, as in a list of folders.
    fn insert(&mut self, material: Material, kind: TableKind, origin: Origin) {
        let next = self.endings.len();
        let place = *self.by_material.entry(material).or_insert(next);
        self.by_material.entry(material.mirrored()).or_insert(place);
        if place == next {
            self.endings.push(Ending {
                material,
                wdl: None,
                dtz: None,
            });
        }
        if kind == TableKind::Wdl {
            self.most_men = self.most_men.max(material.men());
        }
        if let Some(ending) = self.endings.get_mut(place) {
            let table = OnceLock::new();
            ending
                .entry_mut(kind)
                .get_or_insert(Entry { origin, table });
        }
    }

    /// How many tables of a kind there are.
    pub fn count(&self, kind: TableKind) -> usize {
        let has = |ending: &&Ending| ending.entry(kind).is_some();
        self.endings.iter().filter(has).count()
    }

    /// The most pieces, kings included, of an ending with a table of results.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// Whether there is a table of this kind for these pieces.
    pub fn has(&self, material: Material, kind: TableKind) -> bool {
        let place = self.by_material.get(&material);
        let ending = place.and_then(|&place| self.endings.get(place));
        ending.is_some_and(|ending| ending.entry(kind).is_some())
    }

    /// Reads the headers of all tables now rather than when they are needed, and
    /// names those that are damaged. A table that passes can still be damaged in
    /// its contents; that shows when it is asked.
    pub fn check(&self) -> Vec<(String, Fault)> {
        let mut found = Vec::new();
        for ending in &self.endings {
            for kind in [TableKind::Wdl, TableKind::Dtz] {
                let opened = ending
                    .entry(kind)
                    .map(|entry| self.opened(entry, ending, kind));
                if let Some(Err(fault)) = opened {
                    found.push((format!("{}.{}", ending.material, kind.extension()), *fault));
                }
            }
        }
        found
    }

    /// The table for these pieces, read if need be.
    #[inline]
    pub(crate) fn table(&self, material: Material, kind: TableKind) -> Result<&Table, ProbeError> {
        let place = self.by_material.get(&material);
        let ending = place.and_then(|&place| self.endings.get(place));
        let Some((ending, entry)) = ending.and_then(|e| Some((e, e.entry(kind)?))) else {
            return Err(ProbeError::Missing(material.as_named(), kind));
        };
        self.opened(entry, ending, kind)
            .as_ref()
            .map_err(|&fault| ProbeError::Damaged(material.as_named(), kind, fault))
    }

    #[inline]
    fn opened<'a>(
        &self,
        entry: &'a Entry,
        ending: &Ending,
        kind: TableKind,
    ) -> &'a Result<Table, Fault> {
        entry.table.get_or_init(|| {
            let store = Store::open(&entry.origin, &self.budget)?;
            Table::read(store, kind, ending.material)
        })
    }
}

impl Ending {
    #[inline]
    fn entry(&self, kind: TableKind) -> Option<&Entry> {
        match kind {
            TableKind::Wdl => self.wdl.as_ref(),
            TableKind::Dtz => self.dtz.as_ref(),
        }
    }

    fn entry_mut(&mut self, kind: TableKind) -> &mut Option<Entry> {
        match kind {
            TableKind::Wdl => &mut self.wdl,
            TableKind::Dtz => &mut self.dtz,
        }
    }
}

/// What a file of this name is about.
pub(crate) fn read_name(name: &str) -> Result<(Material, TableKind), OpenError> {
    let wrong = || OpenError::Name(name.into());
    let (stem, extension) = name.rsplit_once('.').ok_or_else(wrong)?;
    let kind = [TableKind::Wdl, TableKind::Dtz]
        .into_iter()
        .find(|kind| kind.extension() == extension)
        .ok_or_else(wrong)?;
    Ok((stem.parse().map_err(|_| wrong())?, kind))
}

/// Whether a table is whole as far as its ends show. A download that was given its
/// room at once and broken off later has no checksum yet.
fn look_at(kind: TableKind, size: u64, head: &[u8], tail: &[u8]) -> Result<(), Fault> {
    if size <= 16 || size % 64 != 16 {
        return Err(Fault::Length);
    }
    if head != kind.magic() {
        return Err(Fault::Magic);
    }
    if tail.iter().all(|&byte| byte == 0) {
        return Err(Fault::Unfinished);
    }
    Ok(())
}

/// Materials differ in a few bits that lie far apart; one multiplication brings
/// them together. They come from boards, not from strangers.
#[derive(Default)]
struct MaterialHasher(u64);

impl Hasher for MaterialHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u64(&mut self, bits: u64) {
        let mixed = (self.0 ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
