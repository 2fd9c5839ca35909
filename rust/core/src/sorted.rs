//! Brings the entries of dictionaries into one order, so that equal contents have equal bytes (FORMAT_READING.md section 8.1).
//!
//! It works on bytes that an encoder wrote. A dictionary whose entries stand in order already is left as it is.

use std::ops::Range;

use crate::encode::Encoder;
use crate::error::Error;
use crate::fault::ErrorKind;
use crate::path::Path;
use crate::sink::{Refusal, Sink};
use crate::token::{Container, Leaf, Text, TextForm};
use crate::walk::Walker;
use crate::wire::{Rules, Target};

/// Reads one value by `rules` and writes it for `target` with the entries of every dictionary in ascending order of their
/// keys' bytes, those of keys that are containers sorted before.
///
/// # Errors
/// Fails with what decoding refuses, and with what the target cannot read.
pub fn sort_keys(bytes: &[u8], rules: &Rules, target: Target) -> Result<Vec<u8>, Error> {
    let mut output = Vec::new();
    let encoder = Encoder::new(&mut output, &rules.limits).for_target(target);
    let mut sorting = Sorting { encoder, moved: Vec::new() };
    Walker::new().decode(bytes, rules, &mut sorting)?;
    sorting.encoder.finish().map_err(|fault| Error::new(fault, Path::default()))?;
    Ok(output)
}

/// Writes what is read, and sorts each dictionary when it ends.
struct Sorting<'o> {
    encoder: Encoder<'o>,
    /// Entries on their way to their places.
    moved: Vec<u8>,
}

/// A container whose entries are being written.
struct SortFrame {
    form: TextForm,
    /// Where the entries of a Dictionary begin, and the key and the whole of each.
    entries: Option<(usize, Vec<SortItem>)>,
}

struct SortItem {
    key: Range<usize>,
    /// Where the value ends.
    end: usize,
}

impl Sorting<'_> {
    fn length(&mut self) -> usize {
        self.encoder.output_mut().len()
    }

    /// Puts entries in order that stand from `start` on.
    fn sort(&mut self, start: usize, mut entries: Vec<SortItem>) -> Option<()> {
        let output = self.encoder.output_mut();
        let key = |entry: &SortItem| output.get(entry.key.clone()).unwrap_or_default();
        if entries.is_sorted_by(|before, after| key(before) <= key(after)) {
            return Some(());
        }
        entries.sort_by(|one, other| key(one).cmp(key(other)));
        self.moved.clear();
        for entry in &entries {
            self.moved.extend_from_slice(output.get(entry.key.start..entry.end)?);
        }
        output.get_mut(start..)?.copy_from_slice(&self.moved);
        Some(())
    }
}

impl Sink for Sorting<'_> {
    type Output = ();
    type Frame = SortFrame;

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        Sink::leaf(&mut self.encoder, at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<SortFrame, Refusal> {
        let form = Sink::open(&mut self.encoder, at, container, reserve)?;
        let is_dictionary = matches!(container, Container::Dictionary { .. });
        let entries = is_dictionary.then(|| (self.length(), Vec::new()));
        Ok(SortFrame { form, entries })
    }

    fn text(&mut self, open: &mut SortFrame, text: Text<'_>) -> Result<(), Refusal> {
        Sink::text(&mut self.encoder, &mut open.form, text)
    }

    fn key(&mut self, open: &mut SortFrame, (): ()) -> Result<(), Refusal> {
        let end = self.length();
        if let Some((start, entries)) = &mut open.entries {
            let begin = entries.last().map_or(*start, |entry| entry.end);
            entries.push(SortItem { key: begin..end, end });
        }
        Ok(())
    }

    fn item(&mut self, open: &mut SortFrame, (): ()) -> Result<(), Refusal> {
        let length = self.length();
        if let Some(entry) = open.entries.as_mut().and_then(|(_, entries)| entries.last_mut()) {
            entry.end = length;
        }
        Ok(())
    }

    fn close(&mut self, open: SortFrame) -> Result<(), Refusal> {
        if let Some((start, entries)) = open.entries {
            self.sort(start, entries).ok_or(ErrorKind::Refused)?;
        }
        Sink::close(&mut self.encoder, open.form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dictionary, Value, VariantType, decode};

    fn sorted(value: &Value) -> Vec<u8> {
        sort_keys(&value.encode().unwrap(), &Rules::engine(), Target::default()).unwrap()
    }

    fn dictionary(entries: Vec<(Value, Value)>) -> Value {
        Value::from(Dictionary { entries, ..Dictionary::default() })
    }

    /// Tests that the order in which entries stand makes no difference, at any level and within keys.
    #[test]
    fn any_order_gives_the_same_bytes() {
        let keys = || -> Vec<Value> {
            let inner = dictionary(vec![(Value::from(2), Value::Nil), (Value::from(1), Value::Nil)]);
            let texts = ["b", "a", "", "ab", "B"].map(Value::from);
            texts.into_iter().chain([Value::from(-1), Value::from(1_i64 << 40), Value::Nil, inner]).collect()
        };
        let of = |keys: Vec<Value>| {
            dictionary(
                keys.into_iter()
                    .map(|key| (key.clone(), Value::from(vec![dictionary(vec![(key, Value::from(7))])])))
                    .collect(),
            )
        };
        let first = sorted(&of(keys()));
        for turn in 1..keys().len() {
            let mut turned = keys();
            turned.rotate_left(turn);
            assert_eq!(sorted(&of(turned)), first, "turned by {turn}");
            let mut back = keys();
            back.reverse();
            back.rotate_left(turn);
            assert_eq!(sorted(&of(back)), first, "reversed and turned by {turn}");
        }
        // Sorted once more nothing changes, and it is the same value.
        let value = decode(&first, &Rules::engine()).unwrap();
        assert_eq!(sorted(&value), first);
        let Value::Dictionary(all) = value else { panic!("{value:?}") };
        assert_eq!(all.entries.len(), keys().len());
        assert!(
            keys()
                .iter()
                .filter(|key| !matches!(key, Value::Dictionary(_)))
                .all(|key| { all.entries.iter().any(|(found, _)| found == key) })
        );
    }

    /// Tests the order itself: by the bytes of the keys, the least significant of a length first.
    #[test]
    fn the_order_is_that_of_bytes() {
        let entry = |key: &str| (Value::from(key), Value::Nil);
        let value = dictionary(vec![entry("b"), (Value::from(5), Value::Nil), entry("aa"), entry("a")]);
        let Value::Dictionary(all) = decode(&sorted(&value), &Rules::engine()).unwrap() else { panic!() };
        let keys: Vec<Value> = all.entries.into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, [Value::from(5), Value::from("a"), Value::from("b"), Value::from("aa")]);
    }

    /// Tests that everything but the order stays: objects in full, names, declared types.
    #[test]
    fn values_without_an_order_stay_as_they_are() {
        for hex in crate::tests::golden_godot_4() {
            let rules = Rules { full_objects: true, ..Rules::engine() };
            let Ok(value) = decode(&hex, &rules) else { continue };
            // A mark before a text is dropped by whoever reads it, and so it is here.
            let written = decode(&value.encode().unwrap(), &rules).unwrap().encode().unwrap();
            let sorted = sort_keys(&written, &rules, Target::default()).unwrap();
            assert_eq!(sorted.len(), written.len());
            let has_order = written.contains(&VariantType::Dictionary.id());
            assert!(has_order || sorted == written);
        }
    }
}
