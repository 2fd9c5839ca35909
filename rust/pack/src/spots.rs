//! Says where each part of a value stands in packed bits, for tools that show them.

use std::collections::HashMap;

use variant_core::{Limits, Rejection, Rules};

use crate::bits::BitReader;
use crate::layout::Layout;
use crate::make::{BuiltValue, Maker};
use crate::packer::Packer;
use crate::read::{ReadSpan, Reader};

/// Where a value stands: in the unpacked value, and in the packed bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorLocation {
    /// The first byte of the unpacked value, its header.
    pub byte: u64,
    /// The first bit, counted from the tag on.
    pub bit: u64,
    /// How many bits it takes, its parts included: none for what follows from something else, the key of a set or a literal.
    pub bits: u64,
}

impl Packer {
    /// The value of packed bytes, and where each part of it stands, in the order of its bytes.
    ///
    /// # Errors
    /// The errors of [`Packer::unpack`].
    pub fn spots(
        &mut self,
        layout: &Layout,
        packed: &[u8],
        rules: &Rules,
    ) -> Result<(Vec<u8>, Vec<ErrorLocation>), Box<Rejection>> {
        let value = self.unpack(layout, packed, rules)?.to_vec();
        let mut found = HashMap::new();
        for mark in self.marks(layout, packed) {
            found.entry((mark.code, mark.node)).or_insert(mark);
        }
        let mut next = self.tagging.bits(false);
        let spots = self.made_spots(layout).into_iter().map(|made| {
            // What has no bits of its own stands where the next has.
            let (bit, end) =
                found.get(&(made.code, made.node)).map_or((next, next), |mark| (mark.bit, mark.end));
            next = bit;
            ErrorLocation { byte: made.byte, bit, bits: end.saturating_sub(bit) }
        });
        Ok((value, spots.collect()))
    }

    /// Where each value was read in bytes that were read before.
    #[cold]
    pub(crate) fn marks(&self, layout: &Layout, packed: &[u8]) -> Vec<ReadSpan> {
        let head = self.tagging.bits(false);
        let rest = self.tagging.strip(layout, None, packed).unwrap_or_default();
        let mut codes = Vec::new();
        let limits = Limits::engine();
        let mut reader = Reader::new(layout, BitReader::new(rest, 0), &mut codes, &limits);
        reader.marks = Some(Vec::new());
        // It was read before.
        let _ = reader.value(layout.root);
        let mut marks = reader.marks.unwrap_or_default();
        for mark in &mut marks {
            mark.bit = mark.bit.saturating_add(head);
            mark.end = mark.end.saturating_add(head);
        }
        marks
    }

    /// Where each value of the codes at hand begins, which was made before.
    #[cold]
    pub(crate) fn made_spots(&self, layout: &Layout) -> Vec<BuiltValue> {
        let mut made = Vec::new();
        let limits = Limits::engine();
        let mut maker = Maker::new(layout, &self.codes, &mut made, &limits);
        maker.spots = Some(Vec::new());
        let _ = maker.value(layout.root);
        maker.spots.unwrap_or_default()
    }
}
