//! Head: what an input begins with, and how far a reader comes in it as a value of a dialect.

use variant_core::cursor::length;
use variant_core::{Dialect, ErrorKind, Limits, Rules, validate};

/// So many bytes of an input tell how it is framed, and that takes as long for any size.
pub const LOOKED_AT: usize = 64 << 10;

/// What an input begins with.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// INVARIANT: no more than `LOOKED_AT`, and no more than `size`.
    pub(super) bytes: &'a [u8],
    /// Of the whole input.
    pub(super) size: u64,
}

impl<'a> Head<'a> {
    /// Of bytes that an input of this size begins with.
    #[must_use]
    pub fn new(bytes: &'a [u8], size: u64) -> Head<'a> {
        let bytes = bytes.get(..LOOKED_AT).unwrap_or(bytes);
        Head { bytes, size: size.max(length(bytes)) }
    }

    /// Of bytes that are the input.
    #[must_use]
    pub fn of(whole: &'a [u8]) -> Head<'a> {
        Head::new(whole, length(whole))
    }

    /// All that is looked at.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Bytes of the whole input.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// No more than so many bytes of it.
    pub(super) fn cut(&self, most: usize) -> Head<'a> {
        Head { bytes: self.bytes.get(..most).unwrap_or(self.bytes), size: self.size }
    }

    /// What is behind so many bytes of it.
    pub(super) fn from(&self, skip: usize) -> Option<Head<'a>> {
        Some(Head::new(self.bytes.get(skip..)?, self.size - skip as u64))
    }

    /// Whether it is a value in this dialect, or begins as one and goes on behind the head.
    #[must_use]
    pub fn goes_on(&self, dialect: Dialect) -> bool {
        let reach = reach(self.bytes, dialect);
        reach.is_whole || reach.goes_on(self.size - length(self.bytes))
    }

    /// Whether all of it is there, and a value of this dialect but for its end.
    pub(super) fn is_cut(&self, dialect: Dialect) -> bool {
        self.is_whole() && reach(self.bytes, dialect).is_cut
    }

    /// Whether a value of this dialect may begin so, whatever follows.
    pub(super) fn begins(&self, dialect: Dialect) -> bool {
        reach(self.bytes, dialect).bytes > 0
    }

    /// Whether all of it is there.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.size
    }
}

/// How far a reader comes.
pub(super) struct Reach {
    pub(super) bytes: u64,
    pub(super) is_whole: bool,
    /// All is well but that it ends.
    pub(super) is_cut: bool,
    /// So many bytes are missing then, at least.
    lacks: u64,
}

impl Reach {
    /// Whether so many bytes behind it may be the rest.
    pub(super) const fn goes_on(&self, behind: u64) -> bool {
        self.is_cut && self.lacks <= behind
    }
}

pub(super) fn reach(bytes: &[u8], dialect: Dialect) -> Reach {
    let rules = Rules { full_objects: true, ..Rules::safe(Limits::engine()) }.of_dialect(dialect);
    match validate(bytes, &rules) {
        Ok(extent) => Reach { bytes: extent.consumed, is_whole: true, is_cut: false, lacks: 0 },
        Err(error) => {
            let lacks = if let ErrorKind::Incomplete { needed, .. } = error.kind() { needed } else { 0 };
            Reach { bytes: error.offset(), is_whole: false, is_cut: lacks > 0, lacks: u64::from(lacks) }
        }
    }
}
