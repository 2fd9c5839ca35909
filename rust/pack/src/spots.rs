//! Says where each part of a value stands in packed bits and what it takes of them, for tools that show them.

use std::collections::HashMap;

use variant_core::{Limits, Rejection, Rules};

use crate::bits::BitReader;
use crate::layout::{Layout, Node};
use crate::make::{BuiltValue, Maker};
use crate::packer::Packer;
use crate::pass::Pass;
use crate::read::{CodeReader, ReadSpan};

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

/// The share of a value that a part takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The part in the schema: `entities[].pos`.
    pub path: String,
    /// Bytes in Godot's format, without the names of keys.
    pub bytes: u64,
    /// Bits when packed.
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
        let mut next = self.tagging.bits();
        let spots = self.made_spots(layout).into_iter().map(|made| {
            // What has no bits of its own stands where the next has.
            let (bit, end) =
                found.get(&(made.code, made.node)).map_or((next, next), |mark| (mark.bit, mark.end));
            next = bit;
            ErrorLocation { byte: made.byte, bit, bits: end.saturating_sub(bit) }
        });
        Ok((value, spots.collect()))
    }

    /// Says what each part of a value takes, the largest first.
    ///
    /// # Errors
    /// The errors of [`Packer::pack`].
    pub fn report(
        &mut self,
        layout: &Layout,
        value: &[u8],
        rules: &Rules,
    ) -> Result<Vec<Share>, Box<Rejection>> {
        self.take(layout, value, rules)?;
        self.write(layout, &[])?;
        let share = |node: &Node| Share { path: node.path.clone(), bytes: 0, bits: 0 };
        let mut shares: Vec<Share> = layout.nodes.iter().map(share).collect();
        for span in read_spans(layout, self.bits.finish()) {
            if let Some(share) = shares.get_mut(span.node) {
                share.bits = share.bits.saturating_add(span.end.saturating_sub(span.bit));
            }
        }
        for made in self.made_spots(layout) {
            if let Some(share) = shares.get_mut(made.node) {
                share.bytes = share.bytes.saturating_add(made.bytes);
            }
        }
        shares.retain(|share| share.bytes > 0 || share.bits > 0);
        shares.sort_by(|a, b| b.bits.cmp(&a.bits).then(a.path.cmp(&b.path)));
        Ok(shares)
    }

    /// Where each value was read in bytes that were read before.
    #[cold]
    pub(crate) fn marks(&self, layout: &Layout, packed: &[u8]) -> Vec<ReadSpan> {
        let head = self.tagging.bits();
        let mut marks = read_spans(layout, self.tagging.strip(layout, None, packed).unwrap_or_default());
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

/// Where each value stands in bits without a tag that are right.
#[cold]
fn read_spans(layout: &Layout, packed: &[u8]) -> Vec<ReadSpan> {
    let (mut codes, limits) = (Vec::new(), Limits::engine());
    let mut reader = CodeReader::new(layout, BitReader::new(packed, 0), &mut codes, &limits);
    reader.marks = Some(Vec::new());
    // It was read before.
    let _ = reader.value(layout.root);
    reader.marks.unwrap_or_default()
}
