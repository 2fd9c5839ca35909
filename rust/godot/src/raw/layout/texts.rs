//! How long is a text, and where is the text of a name: tried on texts whose answers are known.

use godot::builtin::{GString, StringName};
use godot::sys::GodotFfi;

use super::search::WORD;
use super::{asked, pointer_at, read};

/// How far a name's record is looked through, in bytes.
const NAME_RECORD: usize = 5 * WORD;

/// Whether the length of a text, which counts a NUL, is so far before its first character.
pub(super) fn have_lengths(back: usize) -> bool {
    [1, 2, 7, 40, 1000].map(|length| GString::from("x".repeat(length).as_str())).iter().all(|text| {
        let Some(first) = asked::character(text) else { return false };
        // SAFETY: a text is one pointer. Before the characters stands the header of their block, which is no smaller than that
        // in any engine there was.
        unsafe {
            pointer_at(text.sys().cast()) == first && read::<u64>(first.sub(back)) == text.len() as u64 + 1
        }
    })
}

/// The distance from a name's record to the text in it.
pub(super) fn name_text() -> Option<usize> {
    let names = ["one_name", "another_name_that_is_longer", "имя"];
    let names: Vec<(StringName, GString)> = names
        .into_iter()
        .map(|name| {
            let name = StringName::from(name);
            let text = asked::text_of(&name);
            (name, text)
        })
        .collect();
    if names.iter().any(|(_, text)| text.is_empty()) {
        return None;
    }
    (0..NAME_RECORD).step_by(WORD).find(|offset| {
        names.iter().all(|(name, text)| {
            // SAFETY: a name is one pointer to its record, which is at least that large: counts, text, hash, links.
            unsafe {
                let record = pointer_at(name.sys().cast());
                pointer_at(record.add(*offset)) == pointer_at(text.sys().cast())
            }
        })
    })
}
