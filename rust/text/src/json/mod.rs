//! JSON of encoded Variants. Tagged, it holds all that the bytes say and comes back to the last bit; plain,
//! it is for reading only.
//!
//! | in the bytes | as JSON |
//! |---|---|
//! | null, bool, int, float, String, untyped Array | `null`, `true`, `7`, `7.0`, `"x"`, `[1, 2]` |
//! | int beyond 2^53, float that is not finite | `{"$int": "9007199254740993"}`, `{"$float": "nan"}` |
//! | untyped Dictionary | `{"hp": 80}`; from the first key on that is no String, `"$entries": [[1, "x"]]` |
//! | anything else | `{"$Vector2": [1.0, 2.0]}`, `{"$StringName": "x"}`, `{"$Array[int]": [1]}` |
//!
//! A tag is the only member of its object and begins with `$`. No key of a Dictionary does: one that begins
//! so stands among `$entries`, as every key does after it. A type of real numbers has `:64` where they are
//! doubles, as double-precision builds write them.

mod digits;
mod path;
mod read;
mod tag;
mod write;

pub use read::{JsonError, from_json};
pub(crate) use write::write_leaf;
pub use write::{Form, write};

/// Begins every tag.
const MARK: char = '$';
/// The member with all further entries of a Dictionary, as pairs.
const ENTRIES: &str = "$entries";
