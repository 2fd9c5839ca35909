//! Paths: the short way past a NodePath that came before in the same walk, byte for byte. All limits are kept; it refuses
//! nothing: what is over a limit, or not known, is walked name by name.

use super::charge;
use super::ledger::Ledger;
use super::level::Level;
use crate::cursor::Cursor;
use crate::sink::Sink;
use crate::token::{self, Container, TextForm};
use crate::wire::Rules;

impl Ledger {
    /// Takes a NodePath that the sink knows as a value.
    #[inline]
    pub(super) fn known_path<S: Sink>(
        &mut self,
        level: &Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Option<S::Output> {
        let limits = &rules.limits;
        let record = token::peek_path(cursor.rest())?;
        let is_counted = self.values >= limits.max_values || !self.names.may_come_again(rules);
        if is_counted || level.item_type.is_some() || !rules.is_safe() {
            return None;
        }
        let opening = Container::NodePath { absolute: false, names: record.names, subnames: 0 };
        let fields = record.fields().map(|bytes| charge::text(TextForm::PathName, bytes));
        let price = fields.fold(charge::container(&opening), u64::saturating_add);
        // Twice as much in a double-precision build, as `pay` has it.
        if self.heap.saturating_add(price.saturating_mul(2)) > limits.max_heap_bytes {
            return None;
        }
        let output = sink.known_path(record.bytes)?;
        self.pay(price, rules, cursor.at()).ok()?;
        cursor.take(u64::try_from(record.bytes.len()).ok()?).ok()?;
        self.values = self.values.saturating_add(1);
        Some(output)
    }
}

#[cfg(test)]
mod tests {
    use crate::quick::Quick;
    use crate::{Limits, Rules, Walker, validate};

    /// "a/b" without a header before it, as words.
    const PATH: [u32; 8] = [22, 0x8000_0002, 0, 0, 1, 0x61, 1, 0x62];

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn array(items: &[&[u32]]) -> Vec<u8> {
        bytes(&[&[28, u32::try_from(items.len()).unwrap()], &items.concat()[..]].concat())
    }

    /// How many paths were taken at once; the answer is that of a walk that takes none.
    #[track_caller]
    fn taken(input: &[u8], limits: Limits) -> u64 {
        let mut quick = Quick::default();
        quick.agrees(input, &Rules::safe(limits), &mut Walker::new());
        quick.taken[2]
    }

    #[test]
    fn a_path_too_many_is_not_taken() {
        let dictionary = bytes(&[&[27, 2, 2, 1][..], &PATH, &[2, 2], &PATH].concat());
        for max_values in 0..8 {
            let limits = Limits { max_values, ..Limits::save_file() };
            assert_eq!(taken(&dictionary, limits), u64::from(max_values >= 5), "{max_values} values");
        }
    }

    /// A name that is found again costs 8 steps, of which some are free: a path that comes often enough is refused.
    #[test]
    fn names_that_are_counted_are_not_passed() {
        let often = array(&[&PATH[..]; 400]);
        for (max_key_probes, expected) in [(0, 0), (7, 0), (8, 399), (1024, 399)] {
            let limits = Limits { max_key_probes, ..Limits::save_file() };
            assert_eq!(taken(&often, limits), expected, "{max_key_probes} steps a name");
        }
    }

    /// Twice what the path costs has to be there, for builds of double precision.
    #[test]
    fn a_path_that_can_be_paid_twice_is_taken() {
        let least = |input: &[u8]| {
            let passes = |max_heap_bytes| Rules::safe(Limits { max_heap_bytes, ..Limits::save_file() });
            (0..10_000).find(|limit| validate(input, &passes(*limit)).is_ok()).unwrap()
        };
        let twice = array(&[&PATH, &PATH]);
        let before = least(&array(&[&PATH, &[0]]));
        let price = least(&twice) - before;
        for (max_heap_bytes, expected) in
            [(before, 0), (before + price, 0), (before + 2 * price - 1, 0), (before + 2 * price, 1)]
        {
            let limits = Limits { max_heap_bytes, ..Limits::save_file() };
            assert_eq!(taken(&twice, limits), expected, "{max_heap_bytes} bytes");
        }
    }

    /// In a typed array a path may be of the wrong type: each is looked at with care.
    #[test]
    fn a_path_of_a_typed_array_is_not_taken() {
        for (ty, is_good) in [(22, true), (2, false)] {
            let typed = [&[0x1_001C, ty, 1][..], &PATH].concat();
            let input = array(&[&PATH, &typed]);
            assert_eq!(taken(&input, Limits::save_file()), 0, "of type {ty}");
            assert_eq!(validate(&input, &Rules::default()).is_ok(), is_good);
        }
        assert_eq!(taken(&array(&[&PATH, &PATH]), Limits::save_file()), 1);
    }
}
