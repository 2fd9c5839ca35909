//! Makes random texts with every length of padding and every length of a UTF-8 character.

use proptest::collection::vec;
use proptest::prelude::*;

/// Lists the first and last character of each length in UTF-8, and characters that tools trip over. A byte
/// order mark is not among them: at the front of a text it does not come back.
const CHARACTERS: [char; 16] = [
    'a',
    'Z',
    '0',
    ' ',
    '\n',
    '"',
    '\\',
    '\u{1}',
    '\u{7F}',
    '\u{80}',
    '\u{7FF}',
    '\u{800}',
    '\u{D7FF}',
    '\u{E000}',
    '\u{10000}',
    '\u{10FFFF}',
];

/// Makes a text without NUL and without a leading byte order mark; a quarter of them are ordinary names.
pub fn text() -> impl Strategy<Value = String> {
    let odd = prop_oneof![3 => prop::sample::select(&CHARACTERS[..]), 1 => any::<char>().prop_map(bearable)];
    prop_oneof![
        1 => prop::sample::select(&["", "a", "hp", "pos", "name", "items", "Node", "res://a.gd"][..])
            .prop_map(str::to_owned),
        3 => vec(odd, 0..9).prop_map(String::from_iter),
    ]
}

fn bearable(c: char) -> char {
    if matches!(c, '\0' | '\u{FEFF}') { '?' } else { c }
}
