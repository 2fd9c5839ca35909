//! Writes and checks the handshake: the numbers of both sessions, and 32 bits of each message, so that a difference is told
//! by name.

use std::fmt;

use crate::table::Table;
use crate::wire::{Bytes, Control, put_control, put_count};

const MARK: [u8; 3] = *b"VSP";
const VERSION: u8 = 1;

/// Says how the other side's table differs from ours. The names are ours: none comes from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The bytes are no handshake.
    NotAHello,
    /// The other side speaks another version of the protocol itself.
    OtherVersion(u8),
    /// These messages of ours differ there, or do not exist there.
    Messages {
        /// The messages of ours, in the order of the ids.
        ours: Vec<Difference>,
        /// How many messages the other side has that we lack.
        unknown: usize,
    },
}

/// Says how one message differs on the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The name that the message has here.
    pub name: Box<str>,
    /// The part that is different there.
    pub what: Differs,
}

/// Lists what can be different of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Differs {
    /// It does not exist there.
    Missing,
    /// Another side may send it, or it is not relayed alike.
    Direction,
    /// It is a state on one side alone.
    State,
    /// Its values are of another type, or have other keys.
    Type,
    /// Its values have other ranges, sizes or steps.
    Range,
}

impl Differs {
    const fn words(self) -> &'static str {
        match self {
            Differs::Missing => "is missing there",
            Differs::Direction => "is sent by another side there",
            Differs::State => "is a state on one side alone",
            Differs::Type => "has another type or other keys there",
            Differs::Range => "has other ranges or sizes there",
        }
    }
}

impl Mismatch {
    /// Returns the names of our messages that differ.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        match self {
            Mismatch::Messages { ours, .. } => ours.iter().map(|difference| &*difference.name).collect(),
            Mismatch::NotAHello | Mismatch::OtherVersion(_) => Vec::new(),
        }
    }
}

impl std::error::Error for Mismatch {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::NotAHello => f.write_str("the other side sent no handshake of a VariantProtocol"),
            Mismatch::OtherVersion(version) => {
                write!(
                    f,
                    "the other side speaks version {version} of the handshake, this one version {VERSION}"
                )
            }
            Mismatch::Messages { ours, unknown } => {
                f.write_str("the other side runs another version of the game:")?;
                for (at, Difference { name, what }) in ours.iter().enumerate() {
                    write!(f, "{} {name:?} {}", if at == 0 { "" } else { "," }, what.words())?;
                }
                match (ours.is_empty(), *unknown) {
                    (true, 0) => f.write_str(" its messages differ"),
                    (_, 0) => Ok(()),
                    (is_first, unknown) => {
                        write!(f, "{} it has {unknown} that this side lacks", if is_first { "" } else { ";" })
                    }
                }
            }
        }
    }
}

/// Holds what a handshake says of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sessions {
    /// The number of the side that sent it.
    pub(crate) own: u32,
    /// The number that this side knows of the other; 0: "I do not know you".
    pub(crate) other: u32,
}

/// Appends a handshake: a control message of the given kind.
pub(crate) fn write(table: &Table, kind: Control, sessions: Sessions, out: &mut Vec<u8>) {
    put_control(out, kind);
    out.extend(MARK);
    out.push(VERSION);
    out.extend(sessions.own.to_le_bytes());
    out.extend(sessions.other.to_le_bytes());
    out.extend(table.hash().to_le_bytes());
    put_count(out, usize::from(table.largest_id()));
    for id in 1..=table.largest_id() {
        out.extend(table.mark(id).to_le_bytes());
    }
}

/// Checks a handshake from behind its kind to its end.
pub(crate) fn check(table: &Table, bytes: &[u8]) -> Result<Sessions, Mismatch> {
    let mut bytes = Bytes(bytes);
    if bytes.take(3) != Some(&MARK) {
        return Err(Mismatch::NotAHello);
    }
    let version = bytes.byte().ok_or(Mismatch::NotAHello)?;
    if version != VERSION {
        return Err(Mismatch::OtherVersion(version));
    }
    let (own, other) = (bytes.u32(), bytes.u32());
    let (Some(own), Some(other), Some(hash)) = (own, other, bytes.u64()) else {
        return Err(Mismatch::NotAHello);
    };
    let count = bytes.count().ok_or(Mismatch::NotAHello)?;
    if count.checked_mul(4) != Some(bytes.0.len()) {
        return Err(Mismatch::NotAHello);
    }
    let (ours, unknown) = compare(table, bytes);
    if ours.is_empty() && unknown == 0 && hash == table.hash() {
        return Ok(Sessions { own, other });
    }
    Err(Mismatch::Messages { ours, unknown })
}

fn compare(table: &Table, mut marks: Bytes<'_>) -> (Vec<Difference>, usize) {
    let mut ours = Vec::new();
    let mut unknown = 0usize;
    for id in 1..=table.largest_id() {
        let theirs = marks.u32().unwrap_or(0);
        match table.message(id) {
            Some(message) if theirs != table.mark(id) => {
                let what = differs(table.mark(id), theirs);
                ours.push(Difference { name: message.name.clone(), what });
            }
            None if theirs != 0 => unknown = unknown.saturating_add(1),
            _ => {}
        }
    }
    while let Some(theirs) = marks.u32() {
        unknown = unknown.saturating_add(usize::from(theirs != 0));
    }
    (ours, unknown)
}

/// Says what differs between two marks of one id: their parts are those of [`Table::mark`].
const fn differs(ours: u32, theirs: u32) -> Differs {
    let changed = ours ^ theirs;
    if theirs == 0 {
        Differs::Missing
    } else if changed & 0b1011 != 0 {
        Differs::Direction
    } else if changed & 0b100 != 0 {
        Differs::State
    } else if changed & 0x3FF0 != 0 {
        Differs::Type
    } else {
        Differs::Range
    }
}
