//! Names a value of the tree as people write it: `players[3].name`; the root is `(root)`.

use std::fmt::{self, Display};

use crate::quote;
use crate::wire::VariantType;

/// The characters of one key that a path shows.
pub(crate) const KEY_CHARS: usize = 64;
/// The steps that a path shows at either end before it is cut in the middle.
const SHOWN_STEPS: usize = 16;

/// Holds one step of a path, from a container to what is in it. `T` is the form in which it holds a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<T = String> {
    /// An Array's element, or a packed array's.
    Index(u64),
    /// A Dictionary's value under a text key: its first 65 characters.
    Key(T),
    /// A Dictionary's value under an int key.
    IntKey(i64),
    /// A Dictionary's value under a vector of ints, with as many of the numbers as its type has.
    VectorKey(VariantType, [i32; 4]),
    /// A Dictionary's value under a key of another type, or one that is no longer known: the index of the
    /// entry, from 0.
    Entry(u64),
    /// A Dictionary's key itself: the index of the entry, from 0.
    KeyOf(u64),
    /// An Object's property: the first 65 characters of its name.
    Property(T),
}

/// Holds the name of a key or property, at its place in the input.
pub(crate) type Label<'a> = Step<&'a [u8]>;

impl<T> Step<T> {
    /// Makes the same step with another form of text.
    pub(crate) fn map<'s, U>(&'s self, text: impl FnOnce(&'s T) -> U) -> Step<U> {
        match self {
            Step::Index(at) => Step::Index(*at),
            Step::Key(key) => Step::Key(text(key)),
            Step::IntKey(key) => Step::IntKey(*key),
            Step::VectorKey(ty, numbers) => Step::VectorKey(*ty, *numbers),
            Step::Entry(at) => Step::Entry(*at),
            Step::KeyOf(at) => Step::KeyOf(*at),
            Step::Property(name) => Step::Property(text(name)),
        }
    }
}

impl Step {
    /// Makes the step to the value under a vector of ints. Returns `None` for a type that is none.
    #[must_use]
    pub fn of_vector(ty: VariantType, ints: impl IntoIterator<Item = i32>) -> Option<Step> {
        vector_size(ty)?;
        let mut numbers = [0; 4];
        for (slot, number) in numbers.iter_mut().zip(ints) {
            *slot = number;
        }
        Some(Step::VectorKey(ty, numbers))
    }
}

const fn vector_size(ty: VariantType) -> Option<usize> {
    match ty {
        VariantType::Vector2i => Some(2),
        VariantType::Vector3i => Some(3),
        VariantType::Vector4i => Some(4),
        _ => None,
    }
}

impl Label<'_> {
    /// Makes the step to the value under it.
    pub(crate) fn step(self) -> Step {
        self.map(|text| String::from_utf8_lossy(shown(text)).into_owned())
    }
}

/// Returns as much of a text as a path shows, and one character more to tell that there was more.
pub(crate) fn shown(text: &[u8]) -> &[u8] {
    if text.len() <= KEY_CHARS {
        return text;
    }
    // These are the places where characters begin: all others of their bytes begin with the bits 10.
    let mut starts = text.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80).map(|(at, _)| at);
    let end = starts.nth(KEY_CHARS.saturating_add(1)).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

/// Lists the steps from the root to one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// Tells whether it names the root itself.
    #[must_use]
    pub const fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path as that of a part of a value with a name: `hit`, `hit.hp`, `hit[3]`.
    #[must_use]
    pub fn within(&self, name: &str) -> String {
        if self.is_root() {
            return name.to_owned();
        }
        let path = self.to_string();
        let dot = if path.starts_with('[') { "" } else { "." };
        format!("{name}{dot}{path}")
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return f.write_str("(root)");
        }
        let hidden = self.0.len().saturating_sub(SHOWN_STEPS.saturating_mul(2));
        for (at, step) in self.0.iter().enumerate() {
            if hidden > 0 && at == SHOWN_STEPS {
                write!(f, "...({hidden} more)...")?;
            }
            if hidden == 0 || at < SHOWN_STEPS || at >= SHOWN_STEPS.saturating_add(hidden) {
                write_step(f, step, if at == 0 { "" } else { "." })?;
            }
        }
        Ok(())
    }
}

fn write_step(f: &mut fmt::Formatter<'_>, step: &Step, dot: &str) -> fmt::Result {
    match step {
        Step::Index(at) => write!(f, "[{at}]"),
        Step::IntKey(key) => write!(f, "[{key}]"),
        Step::VectorKey(ty, numbers) => write_vector(f, *ty, numbers),
        Step::Entry(at) => write!(f, "[entry {at}]"),
        Step::KeyOf(at) => write!(f, "[key {at}]"),
        Step::Key(key) | Step::Property(key) if is_name(key) => {
            f.write_str(dot)?;
            f.write_str(key)
        }
        Step::Key(key) | Step::Property(key) => write_quoted(f, key),
    }
}

/// Writes a vector as GDScript has it: `[Vector2i(1, -2)]`.
fn write_vector(f: &mut fmt::Formatter<'_>, ty: VariantType, numbers: &[i32; 4]) -> fmt::Result {
    write!(f, "[{}(", ty.name())?;
    for (at, number) in numbers.iter().take(vector_size(ty).unwrap_or(0)).enumerate() {
        write!(f, "{}{number}", if at == 0 { "" } else { ", " })?;
    }
    f.write_str(")]")
}

fn is_name(key: &str) -> bool {
    let starts = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && key.len() <= KEY_CHARS && key.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
}

/// Writes a key with JSON string escapes, so that it can neither break a line nor pose as the rest of a message.
fn write_quoted(f: &mut fmt::Formatter<'_>, key: &str) -> fmt::Result {
    f.write_str("[\"")?;
    let is_cut = quote::write_inside(f, key, KEY_CHARS)?;
    f.write_str(if is_cut { "...\"]" } else { "\"]" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_like_gdscript() {
        let steps = [Step::Key("players".into()), Step::Index(3), Step::Key("name".into())];
        assert_eq!(Path(steps.to_vec()).to_string(), "players[3].name");
        assert_eq!(Path::default().to_string(), "(root)");
        assert_eq!(Path(vec![Step::Index(0), Step::Key("a b".into())]).to_string(), "[0][\"a b\"]");
        assert_eq!(Path(vec![Step::IntKey(-4), Step::KeyOf(2)]).to_string(), "[-4][key 2]");
        let tile = Step::of_vector(VariantType::Vector2i, [1, -2]).unwrap();
        assert_eq!(Path(vec![Step::Key("tiles".into()), tile]).to_string(), "tiles[Vector2i(1, -2)]");
        assert_eq!(Step::of_vector(VariantType::Rect2i, [1, 2, 3, 4]), None);
    }

    #[test]
    fn keys_cannot_break_out() {
        let path = Path(vec![Step::Key("a\"\n\\\t\r\u{202E}\u{1}".into())]);
        assert_eq!(path.to_string(), "[\"a\\\"\\n\\\\\\t\\r\\u202e\\u0001\"]");
        assert!(Path(vec![Step::Key("x ".repeat(500))]).to_string().len() < 80);
    }

    /// Tests that the shown part has 65 whole characters of any width.
    #[test]
    fn what_is_shown_of_a_text_is_whole_characters() {
        for text in ["x".repeat(200), "имя".repeat(40), "名前".repeat(40), "x😀".repeat(40), "é".repeat(65)]
        {
            for length in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
                let text = &text[..length];
                let expected: String = text.chars().take(if length > KEY_CHARS { 65 } else { 64 }).collect();
                assert_eq!(shown(text.as_bytes()), expected.as_bytes());
                assert_eq!(Label::Key(text.as_bytes()).step(), Step::Key(expected));
            }
        }
    }

    #[test]
    fn long_paths_are_cut_in_the_middle() {
        let text = Path(vec![Step::Index(0); 1024]).to_string();
        assert!(text.contains("...(992 more)..."), "{text}");
        assert!(text.len() < 200);
    }

    #[test]
    fn paths_are_cut_where_they_would_be_longer() {
        let path = |steps: u32| Path((0..steps).map(|at| Step::Index(at.into())).collect()).to_string();
        let all = |steps: std::ops::Range<u32>| steps.map(|at| format!("[{at}]")).collect::<String>();
        assert_eq!(path(32), all(0..32));
        assert_eq!(path(33), format!("{}...(1 more)...{}", all(0..16), all(17..33)));
        assert_eq!(path(40), format!("{}...(8 more)...{}", all(0..16), all(24..40)));
    }

    #[test]
    fn names_stand_without_quotes() {
        let key = |key: &str| Path(vec![Step::Key(key.into())]).to_string();
        for name in ["_", "_a", "a_1", "Z"] {
            assert_eq!(key(name), name);
        }
        for other in ["1a", "", "-", "é", "a-b"] {
            assert_eq!(key(other), format!("[\"{other}\"]"));
        }
    }
}
