//! Tests the fast paths in an engine version that the library was never tested with, before any value of the
//! game.
//!
//! Some hundred values are encoded and decoded both in place and by the fallback, which have to agree byte
//! for byte. A crash cannot be caught, so the probes of `raw/layout` come first, and layouts that they do not
//! find are not tried.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use godot::sys::GdextBuild;
use variant_core::VariantType;

use crate::call::codec::{Codec, Limits, Rules};
use crate::call::form::Call;
use crate::call::settings::Settings;
use crate::engine::fallbacks::withdraw;
use crate::engine::samples::samples;
use crate::raw::builtin_method::knows_typed_dictionaries;
use crate::raw::in_place::{self, BorrowedBytes};
use crate::raw::pretend::lacks;

/// The major and minor versions of Godot in which all engine suites and the conformance run have passed.
/// README.md has the table.
const TRIED: [(u8, u8); 1] = [(4, 6)];

/// The settings: references are made as the engine makes them, so that a built value can be compared with its
/// bytes.
static SETTINGS: Settings = Settings::new(Rules::safe(Limits::engine()));

/// Turns the fast paths off for good if they do not agree with the fallback.
pub(crate) fn make() {
    let (major, minor, patch) = GdextBuild::godot_runtime_version_triple();
    let is_tried = TRIED.contains(&(major, minor)) && !lacks("a tried version");
    if is_tried || !in_place::is_possible() {
        return;
    }
    let version = format!("Godot {major}.{minor}.{patch}");
    let found =
        first_difference().or_else(|| lacks("agreement").then(|| "nothing, a test pretends it".to_owned()));
    if let Some(what) = found {
        withdraw(format!(
            "official calls for everything: {version} is untried, and {what} did not come out the same"
        ));
    }
}

/// Returns the type of the first value for which the fast path and the fallback differ.
fn first_difference() -> Option<String> {
    let mut codec = Codec::new();
    let mut values = values();
    let is_typed = |bytes: &[u8]| bytes[0] == VariantType::Dictionary.id() && bytes[2] != 0;
    values.retain(|bytes| knows_typed_dictionaries() || !is_typed(bytes));
    // In the second round many keys and names are cached.
    for _ in 0..2 {
        let mut former: &[u8] = &[VariantType::Array.id(), 0, 0, 0, 0, 0, 0, 0];
        for bytes in &values {
            if !agrees(&mut codec, bytes, former) {
                let ty = bytes.first().and_then(|id| VariantType::from_id(*id));
                return Some(ty.map_or("a value", VariantType::name).to_owned());
            }
            former = bytes;
        }
    }
    None
}

/// Tells whether all fast paths agree on a value. `former` is a value that is updated to it. A value that a
/// fast path does not take counts as agreement.
fn agrees(codec: &mut Codec, bytes: &[u8], former: &[u8]) -> bool {
    let s = &SETTINGS;
    let Some((plain, wanted)) = plainly(codec, bytes) else { return true };
    let holder = PackedByteArray::from(bytes).to_variant();
    let lent = BorrowedBytes::by(&holder).unwrap_or_else(|| bytes.into());
    let (mut placed, mut single) = (Variant::nil(), Variant::nil());
    let decoded = codec.decode(&Call::plain(s), lent, &mut placed).is_ok()
        && written_plainly(codec, &placed).as_ref() == Some(&wanted)
        && encodes(codec, &placed, &wanted);
    let is_single = Codec::decode_single(s, bytes, &mut single);
    let target = plainly(codec, former).map(|(target, _)| target);
    let updated = target.filter(|target| codec.update(s, target, bytes));
    decoded
        && encodes(codec, &plain, &wanted)
        && (!is_single || written_plainly(codec, &single).as_ref() == Some(&wanted))
        && updated.is_none_or(|value| written_plainly(codec, &value).as_ref() == Some(&wanted))
}

/// Returns the value of bytes and its bytes, by the fallback; `None` if they are refused.
fn plainly(codec: &mut Codec, bytes: &[u8]) -> Option<(Variant, PackedByteArray)> {
    let mut value = Variant::nil();
    codec.decode_by_calls(&Call::plain(&SETTINGS), &bytes.into(), &mut value).ok()?;
    let written = written_plainly(codec, &value)?;
    Some((value, written))
}

fn written_plainly(codec: &mut Codec, value: &Variant) -> Option<PackedByteArray> {
    let mut answer = Variant::nil();
    codec.encode_by_calls(&SETTINGS, value, &mut answer).ok()?;
    answer.try_to().ok()
}

fn encodes(codec: &mut Codec, value: &Variant, wanted: &PackedByteArray) -> bool {
    codec.encoded(&Call::plain(&SETTINGS), value).is_ok_and(|bytes| bytes == *wanted)
}

/// Returns the test values: every type alone, as an element, a value, a key and a declared type; containers
/// of many sizes and depths.
fn values() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for ty in VariantType::ALL.iter().copied() {
        let leaves = samples(ty);
        for leaf in &leaves {
            all.push(leaf.clone());
            all.push(array(&[leaf, leaf, &int(3)]));
            all.push(dictionary(&[(&text("key"), leaf), (&name("other"), leaf), (&int(1), &array(&[leaf]))]));
            all.push(dictionary(&[(leaf, &int(2))]));
        }
        if let [small, large] = &leaves[..] {
            all.push(dictionary(&[(large, small), (&int(1), large)]));
            all.push(typed_array(ty, &[small, large, small]));
            all.push(typed_dictionary(ty, VariantType::String, &[(large, &text("value"))]));
            all.push(typed_dictionary(VariantType::Int, ty, &[(&int(1), small), (&int(2), large)]));
        }
    }
    let mut nested = int(0);
    for count in [0, 1, 2, 9, 17, 40, 300] {
        let (ints, texts): (Vec<_>, Vec<_>) =
            (0..count).map(|n| (int(n * 77), text(&format!("item {n}")))).unzip();
        let pairs: Vec<(&[u8], &[u8])> =
            ints.iter().zip(&texts).map(|(n, text)| (&n[..], &text[..])).collect();
        let swapped: Vec<(&[u8], &[u8])> = pairs.iter().map(|(n, text)| (*text, *n)).collect();
        nested = array(&[&nested, &dictionary(&[(&text("deeper"), &nested)])]);
        all.extend([dictionary(&pairs), dictionary(&swapped), array(&slices(&ints)), array(&slices(&texts))]);
        all.extend([
            nested.clone(),
            text(&"a".repeat(count as usize * 7)),
            text(&"\u{fc}\u{1f600}".repeat(count as usize)),
        ]);
    }
    all
}

fn slices(values: &[Vec<u8>]) -> Vec<&[u8]> {
    values.iter().map(|value| &value[..]).collect()
}

fn int(number: u32) -> Vec<u8> {
    words(&[VariantType::Int.id().into(), number])
}

fn text(text: &str) -> Vec<u8> {
    let mut bytes = words(&[VariantType::String.id().into(), text.len() as u32]);
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn name(of: &str) -> Vec<u8> {
    let mut bytes = text(of);
    bytes[0] = VariantType::StringName.id();
    bytes
}

fn array(elements: &[&[u8]]) -> Vec<u8> {
    [words(&[VariantType::Array.id().into(), elements.len() as u32]), elements.concat()].concat()
}

fn dictionary(entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let head = words(&[VariantType::Dictionary.id().into(), entries.len() as u32]);
    entries.iter().fold(head, |bytes, (key, value)| [&bytes, *key, *value].concat())
}

/// Returns an Array with a builtin element type.
fn typed_array(ty: VariantType, elements: &[&[u8]]) -> Vec<u8> {
    let head = words(&[u32::from(VariantType::Array.id()) | 1 << 16, ty.id().into(), elements.len() as u32]);
    [head, elements.concat()].concat()
}

fn typed_dictionary(key: VariantType, value: VariantType, entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let header = u32::from(VariantType::Dictionary.id()) | 1 << 16 | 1 << 18;
    let head = words(&[header, key.id().into(), value.id().into(), entries.len() as u32]);
    entries.iter().fold(head, |bytes, (key, value)| [&bytes, *key, *value].concat())
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that every test value is valid: a value that nothing reads would prove nothing.
    #[test]
    fn hundreds_of_values_are_tried_and_all_are_values() {
        let rules = variant_core::Rules::safe(Limits::engine());
        let values = values();
        assert!(values.len() > 500, "{}", values.len());
        for bytes in values {
            if let Err(error) = variant_core::validate(&bytes, &rules) {
                panic!("{error}: {bytes:?}");
            }
        }
    }
}
