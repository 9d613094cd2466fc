//! A short list that lives in place.

use alloc::vec::Vec;
use core::fmt;

/// A list whose first `N` items need no allocation.
///
/// Messages are sequences: the order of the words in a line is part of what
/// was said. Ordinary lines fit in place; a line with more items than that
/// spills into a vector and loses nothing.
#[derive(Clone)]
pub struct Items<T, const N: usize> {
    len: usize,
    inline: [T; N],
    more: Vec<T>,
}

impl<T: Copy + Default, const N: usize> Items<T, N> {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        Self {
            len: 0,
            inline: [T::default(); N],
            more: Vec::new(),
        }
    }

    /// Appends an item.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.len < N {
            self.inline[self.len] = item;
        } else {
            self.more.push(item);
        }
        self.len += 1;
    }

    /// The number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The items in order.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.into_iter()
    }

    /// The item at `index`.
    pub fn get(&self, index: usize) -> Option<&T> {
        if index < N {
            self.inline[..self.len.min(N)].get(index)
        } else {
            self.more.get(index - N)
        }
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> Items<T, N> {
    /// Whether this item is among them.
    pub fn contains(&self, item: &T) -> bool {
        self.iter().any(|known| known == item)
    }
}

impl<'a, T: Copy + Default, const N: usize> IntoIterator for &'a Items<T, N> {
    type Item = &'a T;
    type IntoIter = core::iter::Chain<core::slice::Iter<'a, T>, core::slice::Iter<'a, T>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.inline[..self.len.min(N)].iter().chain(&self.more)
    }
}

impl<T: Copy + Default, const N: usize> Default for Items<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Copy + Default, const N: usize> FromIterator<T> for Items<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        let mut items = Self::new();
        items.extend(iter);
        items
    }
}

impl<T: Copy + Default, const N: usize> Extend<T> for Items<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, iter: I) {
        for item in iter {
            self.push(item);
        }
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> PartialEq for Items<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Copy + Default + Eq, const N: usize> Eq for Items<T, N> {}

impl<T: Copy + Default + fmt::Debug, const N: usize> fmt::Debug for Items<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(feature = "serde")]
impl<T: Copy + Default + serde::Serialize, const N: usize> serde::Serialize for Items<T, N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spills_and_keeps_the_order() {
        let items: Items<u32, 2> = (0..5).collect();
        assert_eq!(items.len(), 5);
        assert!(items.iter().copied().eq(0..5));
        assert_eq!(
            (items.get(1), items.get(2), items.get(5)),
            (Some(&1), Some(&2), None)
        );
        assert_eq!(items, (0..5).collect());
        assert_ne!(items, (0..4).collect());
        assert!(items.contains(&1) && items.contains(&4) && !items.contains(&5));
        assert_eq!((&items).into_iter().sum::<u32>(), 10);
    }
}
