//! Where the bytes of a table come from, and how many of them are kept.
//!
//! A table in memory is one slice. A large file is read in pages when they are
//! first asked for; pages stay until the memory that [`Tables`](crate::Tables) may
//! use is spent, and after that every read goes to the system, which keeps files
//! in memory by itself. So a set of any size can be opened, nothing is mapped, and
//! a file that changes or shrinks under us is an error, not a crash.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use crate::error::Fault;

/// Bytes that can be read from any place: a file, a part of an archive, a
/// download that is fetched piece by piece.
pub trait Source: Send + Sync + 'static {
    /// How many bytes there are.
    fn size(&self) -> io::Result<u64>;

    /// Fills `into` with the bytes from `at` on, or fails.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;

    /// Says that many reads of small pieces are to come.
    fn prepare(&self) {}
}

/// Bytes in a page.
const PAGE: usize = 1 << 15;

/// Sources up to this size are taken into memory whole.
const SMALL: u64 = 8 * PAGE as u64;

/// How much memory all tables of a set may still take.
#[derive(Debug)]
pub(crate) struct Budget(AtomicUsize);

impl Budget {
    pub(crate) const fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes this much, if there is as much.
    fn take(&self, bytes: usize) -> bool {
        let less = |left: usize| left.checked_sub(bytes);
        let order = Ordering::Relaxed;
        self.0.fetch_update(order, order, less).is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Where a table's bytes are before it is first used.
#[derive(Clone)]
pub(crate) enum Origin {
    /// In memory.
    Bytes(Arc<[u8]>),
    /// To be read.
    Source(Arc<dyn Source>),
}

/// The bytes of a table in use.
pub(crate) enum Store {
    Whole(Arc<[u8]>),
    Paged(Paged),
}

/// The last page of a source is filled up with zeros, which are never shown.
type Page = OnceLock<Box<[u8; PAGE]>>;

/// What was read last without being kept. What is needed next often lies near it.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    at: u64,
    bytes: Vec<u8>,
}

/// At least as much is read at a time.
const NEAR: u64 = 256;

/// A source read page by page.
pub(crate) struct Paged {
    source: Arc<dyn Source>,
    size: u64,
    /// Empty where there was no memory even for the list.
    pages: Box<[Page]>,
    budget: Arc<Budget>,
}

fn failed(error: &io::Error) -> Fault {
    Fault::Read(error.kind())
}

impl Store {
    pub(crate) fn open(origin: &Origin, budget: &Arc<Budget>) -> Result<Self, Fault> {
        let source = match origin {
            Origin::Bytes(bytes) => return Ok(Self::Whole(bytes.clone())),
            Origin::Source(source) => source,
        };
        let size = source.size().map_err(|e| failed(&e))?;
        if size <= SMALL && budget.take(size as usize) {
            let mut bytes = vec![0; size as usize];
            source.read_at(0, &mut bytes).map_err(|e| failed(&e))?;
            return Ok(Self::Whole(bytes.into()));
        }
        source.prepare();
        let count = usize::try_from(size.div_ceil(PAGE as u64)).unwrap_or(usize::MAX);
        let room = count.saturating_mul(size_of::<Page>());
        let count = if budget.take(room) { count } else { 0 };
        Ok(Self::Paged(Paged {
            source: source.clone(),
            size,
            pages: (0..count).map(|_| Page::new()).collect(),
            budget: budget.clone(),
        }))
    }

    pub(crate) fn size(&self) -> u64 {
        match self {
            Self::Whole(bytes) => bytes.len() as u64,
            Self::Paged(paged) => paged.size,
        }
    }

    /// The `count` bytes from `at` on. They lie in `spare` where they are not kept in
    /// one piece.
    #[inline]
    pub(crate) fn bytes<'a>(
        &'a self,
        at: u64,
        count: usize,
        spare: &'a mut Spare,
    ) -> Result<&'a [u8], Fault> {
        match self {
            Self::Whole(bytes) => usize::try_from(at)
                .ok()
                .and_then(|at| bytes.get(at..at.checked_add(count)?))
                .ok_or(BEYOND),
            Self::Paged(paged) => paged.bytes(at, count, spare),
        }
    }

    #[inline]
    pub(crate) fn array<const N: usize>(
        &self,
        at: u64,
        spare: &mut Spare,
    ) -> Result<[u8; N], Fault> {
        let found = self.bytes(at, N, spare)?;
        found.try_into().map_err(|_| BEYOND)
    }
}

const BEYOND: Fault = Fault::Contents("it points beyond the end of the file");

impl Paged {
    #[inline]
    fn bytes<'a>(&'a self, at: u64, count: usize, spare: &'a mut Spare) -> Result<&'a [u8], Fault> {
        if at
            .checked_add(count as u64)
            .is_none_or(|end| end > self.size)
        {
            return Err(BEYOND);
        }
        let (page, within) = (at / PAGE as u64, (at % PAGE as u64) as usize);
        if within + count <= PAGE
            && let Some(kept) = self.page(page)?
        {
            return kept.get(within..within + count).ok_or(BEYOND);
        }
        self.near(at, count, spare)
    }

    /// The same without keeping anything but what lies around it.
    #[cold]
    fn near<'a>(&self, at: u64, count: usize, spare: &'a mut Spare) -> Result<&'a [u8], Fault> {
        let end = at + count as u64;
        let has = at >= spare.at && end <= spare.at + spare.bytes.len() as u64;
        if !has {
            let from = at - at % NEAR;
            let until = end.next_multiple_of(NEAR).min(self.size);
            spare.bytes.clear();
            let mut bytes = core::mem::take(&mut spare.bytes);
            bytes.resize((until - from) as usize, 0);
            self.source
                .read_at(from, &mut bytes)
                .map_err(|e| failed(&e))?;
            *spare = Spare { at: from, bytes };
        }
        let within = (at - spare.at) as usize;
        spare.bytes.get(within..within + count).ok_or(BEYOND)
    }

    /// A page that is kept; `None` if there is no room to keep it.
    #[inline]
    fn page(&self, number: u64) -> Result<Option<&[u8; PAGE]>, Fault> {
        let Some(page) = self.pages.get(number as usize) else {
            return Ok(None);
        };
        match page.get() {
            Some(bytes) => Ok(Some(bytes)),
            None => self.read_page(number, page),
        }
    }

    #[cold]
    fn read_page<'a>(&self, number: u64, page: &'a Page) -> Result<Option<&'a [u8; PAGE]>, Fault> {
        if !self.budget.take(PAGE) {
            return Ok(None);
        }
        let at = number * PAGE as u64;
        let count = (self.size - at).min(PAGE as u64) as usize;
        let mut bytes = vec![0; PAGE].into_boxed_slice();
        let read = self.source.read_at(at, &mut bytes[..count]);
        // A box of PAGE bytes is a page; and another thread may have been faster, then
        // ours is not needed.
        let kept = read.is_ok() && bytes.try_into().is_ok_and(|bytes| page.set(bytes).is_ok());
        if !kept {
            self.budget.give_back(PAGE);
        }
        read.map_err(|e| failed(&e))?;
        Ok(page.get().map(|bytes| &**bytes))
    }
}
