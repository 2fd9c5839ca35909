//! Packs counts of elements, bytes and characters, by the bounds that a schema has for them.

use variant_core::ErrorKind;

use crate::bits::{BitReader, BitWriter, varint_bits, width};
use crate::fault::Outcome;

/// Counts of a range of so many bits or fewer have a fixed width.
const MOST_FIXED: u32 = 6;

/// The bounds of a count. It has a fixed width where `max - min` takes 6 bits or fewer, else it is a varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "both are what they are called")]
pub struct Count {
    pub min: u64,
    pub max: Option<u64>,
    /// The bits of a count that always has as many.
    fixed: Option<u32>,
}

impl Count {
    /// A count without bounds: of names of paths, and of bytes of any value.
    pub(crate) const OPEN: Count = Count { min: 0, max: None, fixed: None };

    pub(crate) fn new(min: Option<u64>, max: Option<u64>) -> Count {
        let min = min.unwrap_or(0);
        let bits = max.map(|max| width(max.saturating_sub(min)));
        Count { min, max, fixed: bits.filter(|bits| *bits <= MOST_FIXED) }
    }

    pub(crate) fn check(&self, count: u64) -> Result<(), ErrorKind> {
        let is_within = count >= self.min && self.max.is_none_or(|max| count <= max);
        if is_within { Ok(()) } else { Err(ErrorKind::WrongSize) }
    }

    pub(crate) fn write(&self, count: u64, bits: &mut BitWriter) {
        let above = count.saturating_sub(self.min);
        match self.fixed {
            Some(width) => bits.put(above, width),
            None => bits.varint(above),
        }
    }

    pub(crate) fn read(&self, bits: &mut BitReader<'_>) -> Outcome<u64> {
        let above = match self.fixed {
            Some(width) => bits.take(width)?,
            None => bits.varint()?.ok_or(ErrorKind::WrongSize)?,
        };
        let count = self.min.checked_add(above).ok_or(ErrorKind::WrongSize)?;
        self.check(count)?;
        Ok(count)
    }

    /// The least and the most bits.
    pub(crate) fn bits(&self) -> (u64, u64) {
        match self.fixed {
            Some(width) => (u64::from(width), u64::from(width)),
            None => {
                let most = self.max.map_or(u64::MAX, |max| max.saturating_sub(self.min));
                (6, u64::from(varint_bits(most)))
            }
        }
    }
}
