//! Writes and checks the handshake: 32 bits of each message, so that a difference is told by name.

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
        /// The names, in the order of the ids.
        ours: Vec<Box<str>>,
        /// How many messages the other side has that we lack.
        unknown: usize,
    },
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
                for (at, name) in ours.iter().enumerate() {
                    write!(f, "{} {name:?}", if at == 0 { "" } else { "," })?;
                }
                if !ours.is_empty() {
                    f.write_str(" differ or are missing there")?;
                }
                if *unknown > 0 {
                    let comma = if ours.is_empty() { "" } else { ";" };
                    write!(f, "{comma} it has {unknown} that this side lacks")?;
                }
                Ok(())
            }
        }
    }
}

/// Appends a handshake: a control message of the given kind.
pub(crate) fn write(table: &Table, kind: Control, out: &mut Vec<u8>) {
    put_control(out, kind);
    out.extend(MARK);
    out.push(VERSION);
    out.extend(table.hash().to_le_bytes());
    put_count(out, usize::from(table.largest_id()));
    for id in 1..=table.largest_id() {
        out.extend(table.mark(id).to_le_bytes());
    }
}

/// Checks a handshake from behind its kind to its end.
pub(crate) fn check(table: &Table, bytes: &[u8]) -> Result<(), Mismatch> {
    let mut bytes = Bytes(bytes);
    if bytes.take(3) != Some(&MARK) {
        return Err(Mismatch::NotAHello);
    }
    let version = bytes.byte().ok_or(Mismatch::NotAHello)?;
    if version != VERSION {
        return Err(Mismatch::OtherVersion(version));
    }
    let hash = bytes.u64().ok_or(Mismatch::NotAHello)?;
    let count = bytes.count().ok_or(Mismatch::NotAHello)?;
    if count.checked_mul(4) != Some(bytes.0.len()) {
        return Err(Mismatch::NotAHello);
    }
    let mismatch = compare(table, bytes);
    match mismatch {
        Mismatch::Messages { ref ours, unknown: 0 } if ours.is_empty() && hash == table.hash() => Ok(()),
        other => Err(other),
    }
}

fn compare(table: &Table, mut marks: Bytes<'_>) -> Mismatch {
    let mut ours = Vec::new();
    let mut unknown = 0usize;
    for id in 1..=table.largest_id() {
        let theirs = marks.u32().unwrap_or(0);
        match table.message(id) {
            Some(message) if theirs != table.mark(id) => ours.push(message.name.clone()),
            None if theirs != 0 => unknown = unknown.saturating_add(1),
            _ => {}
        }
    }
    while let Some(theirs) = marks.u32() {
        unknown = unknown.saturating_add(usize::from(theirs != 0));
    }
    Mismatch::Messages { ours, unknown }
}
