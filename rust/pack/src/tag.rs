//! Tags: what stands in front of packed bytes, so that those of another layout, and a difference from another value, are
//! found. They find mistakes, not attackers.

use variant_core::ErrorKind;

use crate::digest::folded;
use crate::layout::Layout;
use crate::text::size;

const FORMAT: u64 = 1;
const SHORT_BYTES: usize = 2;
const LONG_BYTES: usize = 9;
const BASE_BYTES: usize = 2;

/// How much stands in front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tagging {
    /// Nothing: something else tells that the layout and the base are the right ones.
    Bare,
    /// 2 bytes: 12 bits of the layout's hash. A delta has 2 more for its base.
    #[default]
    Short,
    /// 9 bytes, with all of the hash, for files. A delta has 2 more.
    Long,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tag {
    bytes: [u8; LONG_BYTES + BASE_BYTES],
    length: usize,
}

impl Tag {
    /// Appends the lowest bytes of a word.
    fn put(&mut self, word: u64, count: usize) {
        let slots = self.bytes.iter_mut().skip(self.length);
        slots.zip(word.to_le_bytes()).take(count).for_each(|(slot, byte)| *slot = byte);
        self.length = self.length.saturating_add(count);
    }
}

impl std::ops::Deref for Tag {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl Tagging {
    /// The bytes in front of packed bytes. `base` is the hash of what a difference is from.
    pub(crate) fn tag(self, layout: &Layout, base: Option<u64>) -> Tag {
        // A difference counts all keys, also those that others pass over.
        let hash = if base.is_some() { layout.full_hash } else { layout.hash };
        let head = FORMAT | u64::from(base.is_some()).wrapping_shl(3);
        let mut tag = Tag::default();
        match self {
            Tagging::Bare => return tag,
            Tagging::Short => tag.put(head | (hash & 0xFFF).wrapping_shl(4), SHORT_BYTES),
            Tagging::Long => {
                tag.put(head, 1);
                tag.put(hash, 8);
            }
        }
        if let Some(base) = base {
            tag.put(folded(base), BASE_BYTES);
        }
        tag
    }

    pub(crate) fn strip<'b>(
        self,
        layout: &Layout,
        base: Option<u64>,
        bytes: &'b [u8],
    ) -> Result<&'b [u8], ErrorKind> {
        let tag = self.tag(layout, base);
        let of_layout = size(self.bits().wrapping_shr(3));
        let found = bytes.get(..of_layout).unwrap_or(bytes);
        if !tag.starts_with(found) {
            return Err(ErrorKind::SchemaMismatch);
        }
        match bytes.split_at_checked(tag.len()) {
            Some((found, rest)) if *found == *tag => Ok(rest),
            Some(_) => Err(ErrorKind::BaselineMismatch),
            None => Err(ErrorKind::Incomplete {
                needed: u32::try_from(tag.len().saturating_sub(bytes.len())).unwrap_or(u32::MAX),
                part: variant_core::Part::Header,
                declared: u32::try_from(tag.len()).unwrap_or(u32::MAX),
                left: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            }),
        }
    }

    pub(crate) const fn bits(self) -> u64 {
        match self {
            Tagging::Bare => 0,
            Tagging::Short => 16,
            Tagging::Long => 72,
        }
    }

    pub(crate) const fn delta_bits(self) -> u64 {
        match self.bits() {
            0 => 0,
            of_layout => of_layout.saturating_add(16),
        }
    }
}
