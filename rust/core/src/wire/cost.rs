//! Prices a value by the limits on values and memory, in the units in which a walk counts them.

use super::heap;
use super::limits::{DEAREST, Limits, RealWidth, Rules};
use super::types::VariantType;

/// Holds values and bytes of memory, which a walk counts against `max_values` and `max_heap_bytes`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The values: leaves, containers, keys, and each string of a PackedStringArray.
    pub values: u64,
    /// The bytes by the price list of [`heap`], in single precision. A double-precision build pays twice.
    pub heap: u64,
}

impl Cost {
    /// Prices a Dictionary of `count` entries that gets `more` entries, its table alone.
    #[must_use]
    pub fn of_entries(count: u64, more: u64) -> Cost {
        let (all, there) = (heap::dictionary(count.saturating_add(more), 0), heap::dictionary(count, 0));
        Cost { values: 0, heap: all.saturating_sub(there) }
    }

    /// Prices an Array of `count` elements that gets `more` elements, its slots alone.
    #[must_use]
    pub const fn of_elements(count: u64, more: u64) -> Cost {
        let (all, there) = (heap::array(count.saturating_add(more)), heap::array(count));
        Cost { values: 0, heap: all.saturating_sub(there) }
    }

    /// Prices `count` names that are made from texts which were charged as Strings.
    #[must_use]
    pub fn of_names(count: u64) -> Cost {
        Cost { values: 0, heap: heap::leaf(VariantType::StringName, 0).saturating_mul(count) }
    }

    /// Adds both costs.
    #[must_use]
    pub const fn and(self, other: Cost) -> Cost {
        Cost { values: self.values.saturating_add(other.values), heap: self.heap.saturating_add(other.heap) }
    }

    /// Tells whether this cost is no more than that.
    #[must_use]
    pub const fn is_within(self, most: Cost) -> bool {
        self.values <= most.values && self.heap <= most.heap
    }
}

impl Limits {
    /// Returns what is left of `max_values` and `max_heap_bytes` beside any value of this many bytes, of the
    /// kinds that [`Limits::are_beyond`] is about.
    #[must_use]
    pub fn left_beside(&self, bytes: u64, rules: &Rules) -> Cost {
        let heap =
            if rules.reals == RealWidth::Double { self.max_heap_bytes >> 1 } else { self.max_heap_bytes };
        Cost {
            values: self.max_values.saturating_sub(bytes >> 2),
            heap: heap.saturating_sub(bytes.saturating_mul(DEAREST)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_costs_what_it_was_not_charged_yet() {
        for count in [0, 1, 16, 17, 18, 46, 4000] {
            for more in [0, 1, 2, 31, 5000] {
                let grown = Cost::of_entries(count, more);
                assert_eq!(heap::dictionary(count, 0) + grown.heap, heap::dictionary(count + more, 0));
                let grown = Cost::of_elements(count, more);
                assert_eq!(heap::array(count) + grown.heap, heap::array(count + more));
            }
        }
        assert_eq!(Cost::of_names(3).heap, 3 * 56);
    }

    #[test]
    fn costs_are_compared_in_both_parts_and_never_overflow() {
        let one = Cost { values: 1, heap: 10 };
        assert_eq!(one.and(Cost { values: 2, heap: 20 }), Cost { values: 3, heap: 30 });
        let all = Cost { values: u64::MAX, heap: u64::MAX };
        assert_eq!(all.and(one), all);
        assert!(one.is_within(one) && one.is_within(all));
        assert!(!one.is_within(Cost { values: 0, ..one }) && !one.is_within(Cost { heap: 9, ..one }));
    }

    #[test]
    fn a_value_leaves_what_its_bytes_cannot_need() {
        let limits = Limits { max_values: 300, max_heap_bytes: 100_000, ..Limits::engine() };
        let rules = Rules::safe(limits);
        assert_eq!(limits.left_beside(1024, &rules), Cost { values: 44, heap: 100_000 - 48 * 1024 });
        let rules = Rules { reals: RealWidth::Double, ..rules };
        assert_eq!(limits.left_beside(1024, &rules), Cost { values: 44, heap: 50_000 - 48 * 1024 });
        assert_eq!(limits.left_beside(u64::MAX, &rules), Cost::default());
    }
}
