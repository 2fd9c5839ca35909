//! Says what the protocol asks of the form that a message's values are sent in.

use std::fmt;

use variant_core::ErrorKind;

/// Turns values in Godot's binary format into what is sent, and back. `variant-pack` implements it for its
/// layouts; the protocol itself reads no bit of a message.
pub trait Form: Send + Sync {
    /// Returns a hash of everything that both sides have to agree on.
    fn hash(&self) -> u64;

    /// Returns the most bytes that a value takes, or `None` if nothing bounds them.
    fn most_bytes(&self) -> Option<u64>;

    /// Returns the path of the part that takes the most bytes, for messages about values that are too large.
    fn largest_part(&self) -> String;

    /// Appends what is sent for a value to `out`.
    ///
    /// # Errors
    /// The value is not one that the receiver accepts.
    fn pack(&self, value: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit>;

    /// Appends the value of what was sent to `out`, in Godot's binary format.
    ///
    /// # Errors
    /// The bytes are not what [`pack`](Form::pack) makes of an allowed value.
    fn unpack(&self, sent: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit>;

    /// Appends the value like [`unpack`](Form::unpack), for a caller who judges what comes out by the schema. A form that
    /// saves nothing by that judges all the same.
    ///
    /// # Errors
    /// The bytes are none of this form.
    fn transcode(&self, sent: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        self.unpack(sent, out)
    }

    /// Appends the difference from one packed value to another to `out`.
    ///
    /// # Errors
    /// A packed value is expected, and `base` or `new` is none.
    fn delta(&self, base: &[u8], new: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit>;

    /// Appends the packed value that a difference makes of `base` to `out`.
    ///
    /// # Errors
    /// The difference was made for another base, or makes a value that is not allowed.
    fn apply(&self, base: &[u8], delta: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit>;
}

/// Says why a value or its bytes were refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The group that the reason belongs to.
    pub why: Why,
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The byte where it shows.
    pub at: u64,
    /// The bit where it shows, where packed bits were read.
    pub bit: Option<u64>,
    /// The path of the part that is at fault, without the message's name.
    pub path: String,
    /// The values that would have been accepted.
    pub expected: String,
    /// The value that was there instead.
    pub got: String,
}

/// Groups reasons by what they say about the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// A limit was broken.
    OverLimit,
    /// A delta does not belong to the base that it was applied to.
    OtherBase,
    /// Everything else.
    Refused,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unfit { at, bit, path, expected, got, .. } = self;
        let colon = if path.is_empty() { "" } else { ": " };
        write!(f, "{path}{colon}expected {expected}, got {got}")?;
        match bit {
            Some(bit) => write!(f, " (bit {bit})"),
            None => write!(f, " (byte {at})"),
        }
    }
}

impl std::error::Error for Unfit {}
