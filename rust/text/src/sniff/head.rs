//! Holds the beginning of an input, and tells how far it can be read as a value of a dialect.

use variant_core::cursor::length;
use variant_core::{Dialect, ErrorKind, Limits, Rules, validate};

/// The bytes of an input by which its framing is guessed, so that the guess takes equally long for any size.
pub const LOOKED_AT: usize = 64 << 10;

/// Holds the beginning of an input.
#[derive(Clone, Copy, Debug)]
pub struct InputHead<'a> {
    /// The bytes of the beginning.
    ///
    /// INVARIANT: no more than `LOOKED_AT`, and no more than `size`.
    pub(super) bytes: &'a [u8],
    /// The size of the whole input.
    pub(super) size: u64,
}

impl<'a> InputHead<'a> {
    /// Holds bytes that an input of this size begins with.
    #[must_use]
    pub fn new(bytes: &'a [u8], size: u64) -> InputHead<'a> {
        let bytes = bytes.get(..LOOKED_AT).unwrap_or(bytes);
        InputHead { bytes, size: size.max(length(bytes)) }
    }

    /// Holds bytes that are the whole input.
    #[must_use]
    pub fn of(whole: &'a [u8]) -> InputHead<'a> {
        InputHead::new(whole, length(whole))
    }

    /// Returns the bytes of the beginning.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the size of the whole input.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    pub(super) fn cut(&self, most: usize) -> InputHead<'a> {
        InputHead { bytes: self.bytes.get(..most).unwrap_or(self.bytes), size: self.size }
    }

    pub(super) fn from(&self, skip: usize) -> Option<InputHead<'a>> {
        Some(InputHead::new(self.bytes.get(skip..)?, self.size - skip as u64))
    }

    /// Tells whether it is a value in this dialect, or begins as one and goes on behind the head.
    #[must_use]
    pub fn goes_on(&self, dialect: Dialect) -> bool {
        let reach = reach(self.bytes, dialect);
        reach.is_whole || reach.goes_on(self.size - length(self.bytes))
    }

    /// Tells whether all of it is there, and a value of this dialect but for its end.
    pub(super) fn is_cut(&self, dialect: Dialect) -> bool {
        self.is_whole() && reach(self.bytes, dialect).is_cut
    }

    /// Tells whether a value of this dialect may begin so, whatever follows.
    pub(super) fn begins(&self, dialect: Dialect) -> bool {
        reach(self.bytes, dialect).bytes > 0
    }

    /// Whether all of it is there.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.size
    }
}

pub(super) struct ReadableExtent {
    pub(super) bytes: u64,
    pub(super) is_whole: bool,
    /// Whether their only fault is that they end.
    pub(super) is_cut: bool,
    /// The bytes that are missing then, at least.
    lacks: u64,
}

impl ReadableExtent {
    /// Tells whether `behind` bytes after it may be the rest.
    pub(super) const fn goes_on(&self, behind: u64) -> bool {
        self.is_cut && self.lacks <= behind
    }
}

pub(super) fn reach(bytes: &[u8], dialect: Dialect) -> ReadableExtent {
    let rules = Rules { full_objects: true, ..Rules::safe(Limits::engine()) }.of_dialect(dialect);
    match validate(bytes, &rules) {
        Ok(extent) => ReadableExtent { bytes: extent.consumed, is_whole: true, is_cut: false, lacks: 0 },
        Err(error) => {
            let lacks = if let ErrorKind::Incomplete { needed, .. } = error.kind() { needed } else { 0 };
            ReadableExtent {
                bytes: error.offset(),
                is_whole: false,
                is_cut: lacks > 0,
                lacks: u64::from(lacks),
            }
        }
    }
}
