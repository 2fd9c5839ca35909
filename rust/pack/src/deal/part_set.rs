//! PartSet: some of the parts of a value.

/// The most parts of a value.
pub const MOST_PARTS: u8 = 64;

/// Some of the parts of a value, numbered from 0 on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartSet(u64);

impl PartSet {
    /// The first parts of so many.
    #[must_use]
    pub const fn all(count: u8) -> PartSet {
        match u64::MAX.checked_shr(64_u32.saturating_sub(widen(count))) {
            Some(bits) => PartSet(bits),
            None => PartSet(0),
        }
    }

    /// A single part.
    #[must_use]
    pub const fn one(part: u8) -> PartSet {
        match 1_u64.checked_shl(widen(part)) {
            Some(bit) => PartSet(bit),
            None => PartSet(0),
        }
    }

    /// Those that these bits stand for, the lowest for the first.
    #[must_use]
    pub const fn of_bits(bits: u64) -> PartSet {
        PartSet(bits)
    }

    /// A bit for each.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether a part is one of them.
    #[must_use]
    pub const fn has(self, part: u8) -> bool {
        self.0 & PartSet::one(part).0 != 0
    }

    /// These and the others.
    #[must_use]
    pub const fn with(self, others: PartSet) -> PartSet {
        PartSet(self.0 | others.0)
    }

    /// These without the others.
    #[must_use]
    pub const fn without(self, others: PartSet) -> PartSet {
        PartSet(self.0 & !others.0)
    }

    /// Those of these that are among the others.
    #[must_use]
    pub const fn among(self, others: PartSet) -> PartSet {
        PartSet(self.0 & others.0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Lists them, the lowest first.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..MOST_PARTS).filter(move |part| self.has(*part))
    }
}

/// Converts without loss. `u32::from` cannot be called in a constant.
#[expect(clippy::as_conversions, reason = "it is wider")]
const fn widen(number: u8) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::{MOST_PARTS, PartSet};

    #[test]
    fn sets_have_as_many_parts_as_they_are_made_of() {
        for count in 0..=MOST_PARTS {
            let all = PartSet::all(count);
            assert_eq!(all.iter().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
            assert_eq!(all.len(), u32::from(count));
        }
        assert!(PartSet::one(64).is_empty() && PartSet::one(63).has(63) && !PartSet::all(63).has(63));
    }
}
