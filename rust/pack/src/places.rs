//! Tells where the values of packed bytes lie, bit by bit, for whoever shows them.

use std::collections::HashMap;

use crate::bits::BitReader;
use crate::layout::Layout;
use crate::make::Maker;
use crate::read::Reader;
use variant_core::Limits;

/// A value of packed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Where it begins in the value's bytes in Godot's format.
    pub byte: u64,
    /// Its first bit, counted from the first of the tag.
    pub start: u64,
    /// The bit behind its last one; the first where it takes none.
    pub end: u64,
}

/// The places of all values that these codes and these bits are, in the order of the value's bytes. `head` are the bits in
/// front.
pub(crate) fn of(layout: &Layout, codes: &[u64], bits: &[u8], head: u64) -> Vec<Extent> {
    let mut again = Vec::new();
    let mut reader = Reader::new(layout, BitReader::new(bits, 0), &mut again, &Limits::engine());
    reader.marks = Some(Vec::new());
    // It was read before.
    let _ = reader.value(layout.root);
    let mut marks: HashMap<u64, Vec<(u64, u64)>> = HashMap::new();
    for mark in reader.marks.unwrap_or_default() {
        marks.entry(mark.code).or_default().push((mark.start, mark.end));
    }
    let mut made = Vec::new();
    let mut maker = Maker::new(layout, codes, &mut made, &Limits::engine());
    maker.spots = Some(Vec::new());
    // It was made before.
    let _ = maker.value(layout.root);
    let spots = maker.spots.unwrap_or_default();
    // Values that begin at one code are inside of each other. The innermost has the last mark; a value that is only read, such
    // as the case of a discriminated union, has one more.
    let mut left: HashMap<u64, usize> = HashMap::new();
    for (_, code) in &spots {
        let count = left.entry(*code).or_default();
        *count = count.saturating_add(1);
    }
    let mut places = Vec::with_capacity(spots.len());
    for (byte, code) in spots {
        let of_code = marks.get(&code).map(Vec::as_slice).unwrap_or_default();
        let behind = left.get_mut(&code);
        let at = of_code.len().saturating_sub(behind.as_deref().copied().unwrap_or(1));
        if let Some(count) = behind {
            *count = count.saturating_sub(1);
        }
        if let Some((start, end)) = of_code.get(at).or(of_code.last()) {
            places.push(Extent { byte, start: start.saturating_add(head), end: end.saturating_add(head) });
        }
    }
    places
}
