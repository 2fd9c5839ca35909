//! Reads, seals and opens one slice of a payload: three numbers and a body, which is packed and perhaps sealed. It does not know which
//! slices a save has.

use crate::chunk::Chunk;
use crate::fault::{Kind, SaveFault};
use crate::head::{Head, MOST_SLICE_BYTES};
use crate::keys::{Sealer, TAG_BYTES};
use crate::unpack::Unpacker;

/// The index of the outline of a document, which is packed and sealed as a slice. No slice has it.
pub(crate) const OUTLINE_INDEX: u32 = u32::MAX;

/// Says where a slice stands. It is sealed with it, so that the end of a payload cannot be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlicePosition {
    Inner,
    Last,
}

impl SlicePosition {
    pub(crate) const fn of(at: usize, count: usize) -> SlicePosition {
        if at.saturating_add(1) == count { SlicePosition::Last } else { SlicePosition::Inner }
    }
}

/// The numbers before the body of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceWords {
    pub(crate) index: u32,
    /// The bytes of the slice when it is loaded.
    pub(crate) size: u32,
    /// The entries, or parts of a document, that begin in it.
    pub(crate) entries: u32,
}

impl SliceWords {
    pub(crate) fn bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        let words = [self.index, self.size, self.entries].into_iter().flat_map(u32::to_le_bytes);
        bytes.iter_mut().zip(words).for_each(|(to, from)| *to = from);
        bytes
    }
}

/// Everything that is said of a slice, and that is sealed with its body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceClaims {
    /// The name of its chunk.
    pub(crate) name: [u8; 4],
    pub(crate) words: SliceWords,
    pub(crate) position: SlicePosition,
}

/// A slice as it stands in a file.
pub(crate) struct PackedSlice<'a> {
    pub(crate) words: SliceWords,
    /// The name of its chunk.
    name: [u8; 4],
    body: &'a [u8],
    pub(crate) at: u64,
}

impl<'a> PackedSlice<'a> {
    pub(crate) fn read(chunk: &Chunk<'a>) -> Result<PackedSlice<'a>, SaveFault> {
        let mut fields = chunk.fields();
        let words = SliceWords { index: fields.u32()?, size: fields.u32()?, entries: fields.u32()? };
        Ok(PackedSlice { words, name: chunk.name, body: fields.rest(), at: chunk.payload_at() })
    }

    /// Returns the raw bytes of the slice, exactly as many as it declares.
    pub(crate) fn open(
        &self,
        unpacker: &mut Unpacker,
        head: &Head,
        sealer: Option<&Sealer>,
        position: SlicePosition,
    ) -> Result<Vec<u8>, SaveFault> {
        let most = if self.words.index == OUTLINE_INDEX { MOST_SLICE_BYTES } else { head.slice_bytes };
        if self.words.size > most {
            return Err(SaveFault::damaged(self.at, "a slice is larger than its header allows"));
        }
        let size = usize::try_from(self.words.size).unwrap_or(usize::MAX);
        // A packed slice is never longer than its raw bytes.
        if self.body.len() > size.saturating_add(TAG_BYTES) {
            return Err(SaveFault::damaged(self.at, "a slice is longer than what it holds"));
        }
        let opened;
        let packed = match sealer {
            Some(sealer) => {
                let not_authentic = || SaveFault::new(Kind::NotAuthentic, self.at, "a slice does not open");
                let claims = SliceClaims { name: self.name, words: self.words, position };
                opened = sealer.open(&claims, self.body).ok_or_else(not_authentic)?;
                &opened[..]
            }
            None => self.body,
        };
        let raw = unpacker.slice(packed, size, head.compression);
        raw.ok_or_else(|| SaveFault::damaged(self.at, "a slice does not unpack to its size"))
    }
}
