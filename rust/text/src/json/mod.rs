//! Writes and reads encoded Variants as JSON. The tagged form holds all that the bytes say and comes back to
//! the last bit; the plain form is for reading only.
//!
//! | in the bytes | as JSON |
//! |---|---|
//! | null, bool, int, float, String, untyped Array | `null`, `true`, `7`, `7.0`, `"x"`, `[1, 2]` |
//! | int beyond 2^53, float that is not finite | `{"$int": "9007199254740993"}`, `{"$float": "nan"}` |
//! | untyped Dictionary | `{"hp": 80}`; from the first key on that is no String, `"$entries": [[1, "x"]]` |
//! | anything else | `{"$Vector2": [1.0, 2.0]}`, `{"$StringName": "x"}`, `{"$Array[int]": [1]}` |
//!
//! A tag is the only member of its object and begins with `$`. No key of a Dictionary does: a key that begins
//! so stands among `$entries`, as every key does after it. A type of real numbers has `:64` where they are
//! doubles, as double-precision builds write them.

use variant_core::{Dialect, Error, ErrorKind, Limits, Rules, Step, validate};

mod path;
mod read;
mod tag;
mod write;

pub use read::{JsonError, from_json};
pub use write::{JsonForm, write};
pub(crate) use write::{write_in, write_leaf};

/// Finds the first text or int that is a key twice, in bytes that were made from JSON: an engine writes none
/// such, and keeps only one of the two values when it reads them. A [`Value`](variant_core::Value) can hold
/// both and comes back unchanged. Other keys may look equal, since engines write every Callable as nothing.
/// It also returns `None` where a SAFE reader finds another fault before.
#[must_use]
pub fn key_twice(bytes: &[u8], dialect: Dialect) -> Option<Error> {
    let rules = Rules { full_objects: true, dialect, ..Rules::safe(Limits::engine()) };
    validate(bytes, &rules).err().filter(|error| {
        let is_plain = matches!(error.path().0.last(), Some(Step::Key(_) | Step::IntKey(_)));
        is_plain && error.kind() == ErrorKind::DuplicateKey
    })
}

/// The character that begins every tag.
const MARK: char = '$';
/// The member with all further entries of a Dictionary, as pairs.
const ENTRIES: &str = "$entries";

#[cfg(test)]
mod tests {
    use variant_core::QuotedText;

    #[test]
    fn quoted_text_is_json() {
        let every: String = (0..0x11_0000).filter_map(char::from_u32).collect();
        let read: String = serde_json::from_str(&QuotedText::whole(&every).to_string()).unwrap();
        assert_eq!(read, every);
    }
}
