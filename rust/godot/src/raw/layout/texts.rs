//! How long is a text, and where is the text of a name: found on texts whose answers are known.

use godot::builtin::{GString, StringName};
use godot::sys::{GodotFfi, interface_fn};

use super::{pointer_at, read};

/// Candidates for the distance from a buffer's first element back to its length.
const BACK: [usize; 2] = [16, 8];
/// How far a name's record is looked through, in bytes.
const NAME_RECORD: usize = 40;

/// The distance from a text's first character back to its length, which counts a NUL.
pub(super) fn length_back() -> Option<usize> {
    let texts: Vec<GString> =
        [1, 2, 7, 40, 1000].map(|length| GString::from("x".repeat(length).as_str())).into();
    BACK.into_iter().find(|back| {
        texts.iter().all(|text| {
            // SAFETY: interface call on a live text that is not empty; what stands before the characters is the
            // header of their block, which is larger than the candidates in every engine there was.
            unsafe {
                let chars = interface_fn!(string_operator_index_const)(text.sys().cast(), 0).cast::<u8>();
                let word = pointer_at(text.sys().cast());
                word == chars && read::<u64>(chars.sub(*back)) == text.len() as u64 + 1
            }
        })
    })
}

/// The distance from a name's record to the text in it.
pub(super) fn name_text() -> Option<usize> {
    let names = ["one_name", "another_name_that_is_longer", "имя"];
    let names: Vec<(StringName, GString)> = names
        .into_iter()
        .map(|name| {
            let name = StringName::from(name);
            let text = GString::from(&name);
            (name, text)
        })
        .collect();
    (0..NAME_RECORD).step_by(size_of::<usize>()).find(|offset| {
        names.iter().all(|(name, text)| {
            // SAFETY: a name is one pointer to its record, which is at least that large: counts, text, hash, links.
            unsafe {
                let record = pointer_at(name.sys().cast());
                pointer_at(record.add(*offset)) == pointer_at(text.sys().cast())
            }
        })
    })
}
