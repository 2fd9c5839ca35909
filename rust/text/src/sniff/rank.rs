//! Ranks several readings of one input by likelihood. None of them is wrong: small numbers are a value in
//! more than one dialect, and a length is the header of a value as well.

use std::io;

use variant_core::token::{Container, Leaf};
use variant_core::wire::Lane;
use variant_core::{Dialect, Framing, Limits, Rules};

use super::head::InputHead;
use crate::extent::between;
use crate::frame::frame;
use crate::trail::{Trail, View, view};

/// Describes a reading in which all of an input is values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The framing before each value.
    pub framing: Framing,
    /// The dialect of the values.
    pub dialect: Dialect,
    /// The number of values.
    pub values: u64,
}

/// Puts the likeliest reading first: the default one, which is this framing and dialect; then those whose
/// floats are no denormal numbers, which are other numbers read as floats; then those of that framing. Others
/// stay in their order.
pub fn rank(fits: &mut [Fit], head: &InputHead<'_>, framing: Framing, dialect: Dialect) {
    fits.sort_by_cached_key(|fit| {
        let is_taken = fit.framing == framing && fit.dialect == dialect;
        (!is_taken, has_denormals(head, fit.framing, fit.dialect), fit.framing != framing)
    });
}

/// Tells whether a float in the beginning of an input is a denormal number in this reading. Games do not
/// store those; ints read as floats are such.
pub(super) fn has_denormals(head: &InputHead<'_>, framing: Framing, dialect: Dialect) -> bool {
    let rules = Rules { full_objects: true, dialect, limits: Limits::engine(), ..Rules::engine() };
    let mut found = DenormalFinder(false);
    let mut at = 0;
    while at < head.bytes.len() as u64 {
        let frame = frame(head.bytes, head.size, at, framing);
        let value = between(head.bytes, frame.value, frame.end);
        // A view that writes nothing has no errors of its own.
        let read = view(value, &rules, &mut found).ok().and_then(Result::ok);
        at = match (framing, read) {
            (Framing::None, Some(extent)) => at + extent.consumed.max(4),
            (Framing::None, None) => break,
            _ => frame.end.max(at + 4),
        };
    }
    found.0
}

struct DenormalFinder(bool);

impl View for DenormalFinder {
    fn leaf(&mut self, _: &Trail, _: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        self.0 |= match leaf {
            Leaf::Float(number) => is_denormal(*number),
            Leaf::Math(_, lanes) | Leaf::Packed(_, lanes)
                if matches!(lanes.lane(), Lane::F32 | Lane::F64) =>
            {
                lanes.widened().any(is_denormal)
            }
            _ => false,
        };
        Ok(())
    }

    fn open(&mut self, _: &Trail, _: u64, _: &Container<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// Tells whether a number is denormal in the precision in which it was written: a float of 32 bits is exact
/// in it.
fn is_denormal(number: f64) -> bool {
    let single = number as f32;
    number.is_subnormal() || single.is_subnormal() && f64::from(single) == number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn denormal_numbers_are_told_from_small_ones() {
        assert!(is_denormal(f64::from(f32::from_bits(1))) && is_denormal(f64::from_bits(1)));
        for number in [0.0, -0.0, 1.0, 1e-30, 1e-40, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN] {
            assert!(!is_denormal(number), "{number}");
        }
    }

    /// Tests six values with their lengths, of which Godot 3 could also make matrices of denormal numbers.
    #[test]
    fn what_would_be_read_comes_first_and_denormal_numbers_last() {
        let words = [8, 3, 0x4370_0000, 8, 1, 1, 8, 3, 0x4128_0000, 8, 3, 0, 8, 1, 0, 8, 2, 3_u32];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let head = InputHead::of(&bytes);
        let fit = |framing, dialect| Fit { framing, dialect, values: 6 };
        assert!(has_denormals(&head, Framing::None, Dialect::Godot3));
        assert!(!has_denormals(&head, Framing::U32, Dialect::Godot4));
        let mut fits = [
            fit(Framing::None, Dialect::Godot3),
            fit(Framing::None, Dialect::Documented),
            fit(Framing::U32, Dialect::Documented),
            fit(Framing::U32, Dialect::Godot4),
        ];
        rank(&mut fits, &head, Framing::U32, Dialect::Godot4);
        assert_eq!(fits[0], fit(Framing::U32, Dialect::Godot4));
        assert_eq!(fits[1], fit(Framing::U32, Dialect::Documented));
        assert_eq!(fits[3].framing, Framing::None);
    }
}
