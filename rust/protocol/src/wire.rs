//! Reads and writes the bytes around values: ids, counts and the kinds of control messages.
//!
//! ```text
//! packet   = message | control
//! message  = id, value                    id: one byte for 1 to 250; 251 and a count of id - 251 beyond
//! control  = 0, kind, ...                 hello, answer, ack, resync, batch
//! batch    = 0, 4, (count, message or control other than a batch)*
//! state    = id, seq: u16, back: u8, bits (a full value)                if back is 0
//!          | id, seq: u16, back: u8, hash: u16, bits (a delta)          else: on seq - back, whose packed bytes have the hash
//! hello    = 0, 0 or 1, "VSP", 1, session: u32, theirs: u32, hash: u64, count, (mark: u32)*
//! bye      = 0, 5, reason: u8, text
//! count    = LEB128 in the shortest form
//! ```
//! All numbers are little-endian. `back` has five bits; the next two are kept for differences from two states.

/// The id byte of control messages.
pub(crate) const CONTROL: u8 = 0;
/// The first id byte that stands for an id in the bytes behind it.
const LONG_ID: u8 = 251;

/// Lists the kinds of control messages, each with its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// A handshake that asks for the other side's.
    Hello,
    /// A handshake that answers one.
    Answer,
    /// The newest state that arrived.
    Ack,
    /// A state could not be read: the next one has to be full.
    Resync,
    /// Several messages, each behind its length.
    Batch,
    /// The connection ends, and why.
    Bye,
}

impl Control {
    const ALL: [Control; 6] =
        [Control::Hello, Control::Answer, Control::Ack, Control::Resync, Control::Batch, Control::Bye];

    pub(crate) fn from_byte(byte: u8) -> Option<Control> {
        Control::ALL.get(usize::from(byte)).copied()
    }

    pub(crate) fn byte(self) -> u8 {
        Control::ALL
            .iter()
            .position(|kind| *kind == self)
            .and_then(|at| u8::try_from(at).ok())
            .unwrap_or(u8::MAX)
    }
}

/// Reads from the front of some bytes. Each read answers `None` where the bytes end.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'b>(pub(crate) &'b [u8]);

impl<'b> Bytes<'b> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a count in its shortest form. Longer forms of the same number are refused.
    pub(crate) fn count(&mut self) -> Option<usize> {
        let mut number = 0u32;
        for shift in [0u32, 7, 14, 21] {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7F).checked_shl(shift)?;
            if byte < 0x80 {
                let is_shortest = shift == 0 || byte != 0;
                return is_shortest.then(|| usize::try_from(number).ok())?;
            }
        }
        None
    }

    /// Reads the id of a message. `Some(0)` is a control message.
    pub(crate) fn id(&mut self) -> Option<u16> {
        match self.byte()? {
            LONG_ID => u16::try_from(self.count()?).ok()?.checked_add(u16::from(LONG_ID)),
            short if short < LONG_ID => Some(u16::from(short)),
            // 252 to 255 are nobody's.
            _ => None,
        }
    }
}

pub(crate) fn put_count(out: &mut Vec<u8>, count: usize) {
    let mut left = count;
    loop {
        let low = u8::try_from(left & 0x7F).unwrap_or(0);
        left >>= 7;
        if left == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

pub(crate) fn put_id(out: &mut Vec<u8>, id: u16) {
    match u8::try_from(id) {
        Ok(short) if short < LONG_ID => out.push(short),
        _ => {
            out.push(LONG_ID);
            put_count(out, usize::from(id.saturating_sub(u16::from(LONG_ID))));
        }
    }
}

/// Returns the hash that a difference says of its base: FNV-1a of 32 bits, folded to 16.
pub(crate) fn base_hash(packed: &[u8]) -> u16 {
    let hash =
        packed.iter().fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    let folded = hash ^ hash.wrapping_shr(16);
    u16::try_from(folded & 0xFFFF).unwrap_or_default()
}

pub(crate) fn put_control(out: &mut Vec<u8>, kind: Control) {
    out.extend([CONTROL, kind.byte()]);
}

#[cfg(test)]
mod tests {
    use super::{Bytes, base_hash, put_count, put_id};

    #[test]
    fn the_hash_of_a_base_is_the_published_one() {
        // FNV-1a of 32 bits: 0x811c9dc5, 0xe40c292c, 0xbf9cf968.
        assert_eq!([base_hash(b""), base_hash(b"a"), base_hash(b"foobar")], [0x1cd9, 0xcd20, 0x46f4]);
    }

    #[test]
    fn every_id_and_count_comes_back_and_has_one_form() {
        for id in 1..=4200u16 {
            let mut bytes = Vec::new();
            put_id(&mut bytes, id);
            assert_eq!(
                bytes.len(),
                if id <= 250 {
                    1
                } else if id < 251 + 128 {
                    2
                } else {
                    3
                }
            );
            let mut reader = Bytes(&bytes);
            assert_eq!(reader.id(), Some(id));
            assert!(reader.0.is_empty());
        }
        for count in (0..300).chain([16_383, 16_384, 2_097_151, 2_097_152, 268_435_455]) {
            let mut bytes = Vec::new();
            put_count(&mut bytes, count);
            assert_eq!(Bytes(&bytes).count(), Some(count));
        }
        assert_eq!(Bytes(&[0x80, 0x00]).count(), None, "a longer form of 0");
        assert_eq!(Bytes(&[0xFF, 0xFF, 0xFF, 0xFF, 0x01]).count(), None);
        assert_eq!(Bytes(&[0xFF]).count(), None);
        for nobody in 252..=255 {
            assert_eq!(Bytes(&[nobody, 1]).id(), None);
        }
    }
}
