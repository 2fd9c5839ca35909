//! Reads little-endian numbers from a byte slice with checked bounds. It knows no types and no nesting.

use std::fmt;

/// Holds a position in the input. It is `Copy`, so a reader keeps the old one to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    /// The absolute position behind `rest`, so that a read has only `rest` to change. It can pass the end of
    /// the input by up to 3 bytes: the engine counts the last padding of a PackedByteArray even when it is
    /// not there.
    end: u64,
    /// Whether the input ends where `rest` does, so that nothing more can come.
    is_whole: bool,
}

/// Says how many more bytes are needed, at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage(pub u64);

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected more bytes, got the end of them ({} or more are missing)", self.0)
    }
}

impl std::error::Error for Shortage {}

impl<'a> Cursor<'a> {
    /// Makes a cursor at the start of `bytes`, which are at offset 0.
    #[inline]
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor::last_piece(bytes, 0)
    }

    /// Makes a cursor over a piece of an input, which begins at offset `at` of it. More may come after it.
    #[inline]
    #[must_use]
    pub fn piece(bytes: &'a [u8], at: u64) -> Cursor<'a> {
        Cursor { is_whole: false, ..Cursor::last_piece(bytes, at) }
    }

    /// Makes a cursor over the last piece of an input, which begins at offset `at` of it.
    #[inline]
    #[must_use]
    pub fn last_piece(bytes: &'a [u8], at: u64) -> Cursor<'a> {
        Cursor { rest: bytes, end: at.saturating_add(length(bytes)), is_whole: true }
    }

    /// Returns the byte offset from the start of the input.
    #[inline]
    #[must_use]
    pub fn at(&self) -> u64 {
        // `rest` ends at `end`: its length is never more.
        self.end.wrapping_sub(length(self.rest))
    }

    /// Tells whether nothing can come behind these bytes.
    pub(crate) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the bytes that are not read yet.
    #[inline]
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Takes the next `count` bytes.
    #[inline]
    pub fn take(&mut self, count: u64) -> Result<&'a [u8], Shortage> {
        let split = usize::try_from(count).ok().and_then(|count| self.rest.split_at_checked(count));
        let Some((taken, rest)) = split else {
            return Err(Shortage(count.saturating_sub(length(self.rest))));
        };
        self.rest = rest;
        Ok(taken)
    }

    /// Takes the next `N` bytes as an array.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Shortage> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(Shortage(u64::try_from(N).unwrap_or(u64::MAX).saturating_sub(length(self.rest))));
        };
        self.rest = rest;
        Ok(*taken)
    }

    /// Takes the next u32.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, Shortage> {
        self.array().map(u32::from_le_bytes)
    }

    /// Skips `count` bytes that may be missing at the very end of the input. The position moves by the full count,
    /// as the engine counts it.
    #[inline]
    pub(crate) fn skip_present(&mut self, count: u64) -> Result<(), Shortage> {
        let there = if self.is_whole { count.min(length(self.rest)) } else { count };
        self.take(there)?;
        self.end = self.end.saturating_add(count.saturating_sub(there));
        Ok(())
    }
}

/// Returns a slice's length as a u64.
#[must_use]
#[inline]
pub fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// Returns the bytes of zero padding after `count` bytes, to the next multiple of 4.
#[must_use]
#[inline]
pub const fn padding(count: u64) -> u64 {
    count.wrapping_neg() & 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_exact_and_moves_nothing() {
        let mut cursor = Cursor::new(&[1, 0, 0, 0, 9]);
        assert_eq!(cursor.u32(), Ok(1));
        assert_eq!(cursor.u32(), Err(Shortage(3)));
        assert_eq!(cursor.take(6), Err(Shortage(5)));
        assert_eq!((cursor.at(), cursor.rest()), (4, &[9u8][..]));
        let mut piece = Cursor::piece(cursor.rest(), 4);
        assert_eq!(piece.skip_present(3), Err(Shortage(2)));
        assert_eq!(cursor.skip_present(3), Ok(()));
        assert_eq!((cursor.at(), cursor.rest()), (7, &[][..]));
    }

    #[test]
    fn padding_completes_words() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(padding), [0, 3, 2, 1, 0, 3]);
    }
}
