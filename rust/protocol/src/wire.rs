//! Reads and writes the bytes around values: ids, counts and the kinds of control messages.
//!
//! ```text
//! packet   = message | control
//! message  = id, value                    id: one byte for 1 to 250; 251 and a count of id - 251 beyond
//! control  = 0, kind, ...                 hello, answer, ack, resync, batch
//! batch    = 0, 4, (count, message or control other than a batch)*
//! state    = id, seq: u16, 0, [parts], bits                              a value, or one part of it, in full
//!          | id, seq: u16, back: u8, [gap: u8], [parts], hash: u16, bits a difference from one state or two
//! ack      = 0, 2, id, seq: u16, mask: u32                               of a state of one part: those before seq
//!          | 0, 2, id, seq: u16, (parts, mask: u32)*                     of others: seq and those before it
//! hello    = 0, 0 or 1, "VSP", 1, session: u32, theirs: u32, hash: u64, count, (mark: u32)*
//! bye      = 0, 5, reason: u8, text
//! count    = LEB128 in the shortest form
//! ```
//! All numbers are little-endian. The low five bits of `back` say how many states before `seq` the newer base is, the next
//! that there is an older one too, as many states before the newer or, with the bit above, `gap`. `hash` is that of the
//! packed bytes of the newer base and then of the older, of each the parts in their order. `parts` is a bit for each part, in as
//! few bytes, where a state has several.

use std::num::NonZeroU16;

use variant_pack::{CodeBases, Codes, PartSet};

use crate::pieces::Piece;

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
        self.0.split_off_first().copied()
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        self.0.split_off(..count)
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

/// The farthest that a base can lie behind its difference.
pub(crate) const MOST_BACK: u8 = 31;
const HAS_OLDER: u8 = 0x20;
const HAS_GAP: u8 = 0x40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BaseNumbers {
    /// The states from the newer base to the difference, from 1 to [`MOST_BACK`].
    pub(crate) back: u8,
    /// The states from the older base to the newer, if there is an older one.
    pub(crate) gap: Option<u8>,
}

impl BaseNumbers {
    pub(crate) fn put(self, out: &mut Vec<u8>) {
        match self.gap {
            None => out.push(self.back),
            Some(gap) if gap == self.back => out.push(self.back | HAS_OLDER),
            Some(gap) => out.extend([self.back | HAS_OLDER | HAS_GAP, gap]),
        }
    }

    /// Returns the distances, which are equal or not: all that are equal predict the same.
    pub(crate) fn distances(self) -> Option<(u8, u8)> {
        self.gap.map(|gap| if gap == self.back { (1, 1) } else { (self.back, gap) })
    }

    /// Returns the bases of these numbers as packers take them.
    pub(crate) fn bases<'c>(self, newer: &'c Codes, older: Option<&'c Codes>) -> CodeBases<'c> {
        CodeBases::new(newer, self.apart(older))
    }

    /// Returns the older base with its distances.
    pub(crate) fn apart<C>(self, older: Option<C>) -> Option<(C, NonZeroU16, NonZeroU16)> {
        let (ahead, gap) = self.distances()?;
        Some((older?, NonZeroU16::new(u16::from(ahead))?, NonZeroU16::new(u16::from(gap))?))
    }

    /// Reads them in their only form. `Some(None)`: there are none, and the value is full.
    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Option<Option<BaseNumbers>> {
        let first = bytes.byte()?;
        let back = first & MOST_BACK;
        let gap = match first & !MOST_BACK {
            0 if back == 0 => return Some(None),
            0 => None,
            HAS_OLDER => Some(back),
            flags if flags == HAS_OLDER | HAS_GAP => {
                Some(bytes.byte().filter(|gap| *gap != 0 && *gap != back)?)
            }
            _ => return None,
        };
        (back != 0).then_some(Some(BaseNumbers { back, gap }))
    }
}

/// Appends which parts are meant, where there are several.
pub(crate) fn put_parts(out: &mut Vec<u8>, parts: PartSet, count: u8) {
    if count > 1 {
        out.extend(parts.bits().to_le_bytes().iter().take(usize::from(count.div_ceil(8))));
    }
}

/// Reads which parts are meant: some of those that there are.
pub(crate) fn read_parts(bytes: &mut Bytes<'_>, count: u8) -> Option<PartSet> {
    if count <= 1 {
        return Some(PartSet::one(0));
    }
    let taken = bytes.take(usize::from(count.div_ceil(8)))?;
    let mut bits = [0; 8];
    bits.iter_mut().zip(taken).for_each(|(bit, byte)| *bit = *byte);
    let parts = PartSet::of_bits(u64::from_le_bytes(bits));
    let is_right = !parts.is_empty() && parts.without(PartSet::all(count)).is_empty();
    is_right.then_some(parts)
}

/// Reads what an acknowledgement names: of parts each a bit for its state and those before it, the lowest for its own.
pub(crate) fn read_acks(bytes: &mut Bytes<'_>, count: u8) -> Option<Vec<(PartSet, u64)>> {
    if count <= 1 {
        let mask = u64::from(bytes.u32()?);
        return bytes.0.is_empty().then(|| vec![(PartSet::one(0), mask << 1 | 1)]);
    }
    let mut named = Vec::new();
    let mut parts = PartSet::default();
    while !bytes.0.is_empty() {
        let these = read_parts(bytes, count)?;
        // Each part is named once, so that there are no more of them than parts.
        if !these.among(parts).is_empty() {
            return None;
        }
        parts = parts.with(these);
        named.push((these, u64::from(bytes.u32()?)));
    }
    (!named.is_empty()).then_some(named)
}

/// Returns the hash that a difference says of its bases, part after part, of the newer first: FNV-1a of 32 bits, folded to 16.
pub(crate) fn base_hash(newer: &[(u8, &Piece)], older: &[(u8, &Piece)]) -> u16 {
    let bytes = newer.iter().chain(older).flat_map(|(_, piece)| piece.iter());
    let hash = bytes.fold(0x811c_9dc5u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    let folded = hash ^ hash.wrapping_shr(16);
    u16::try_from(folded & 0xFFFF).unwrap_or_default()
}

pub(crate) fn put_control(out: &mut Vec<u8>, kind: Control) {
    out.extend([CONTROL, kind.byte()]);
}

#[cfg(test)]
mod tests {
    use super::{BaseNumbers, Bytes, Piece, base_hash, put_count, put_id};

    #[test]
    fn the_hash_of_a_base_is_the_published_one() {
        // FNV-1a of 32 bits: 0x811c9dc5, 0xe40c292c, 0xbf9cf968.
        let [none, a, foo, bar] = [&b""[..], b"a", b"foo", b"bar"].map(Piece::from);
        assert_eq!(base_hash(&[], &[]), 0x1cd9);
        assert_eq!(base_hash(&[(0, &none), (1, &a)], &[]), 0xcd20);
        assert_eq!(base_hash(&[(0, &foo)], &[(0, &bar)]), 0x46f4);
    }

    #[test]
    fn the_numbers_of_bases_have_one_form() {
        for (bytes, read) in [
            (&[0][..], Some(None)),
            (&[1], Some(Some((1, None)))),
            (&[31], Some(Some((31, None)))),
            (&[0x25], Some(Some((5, Some(5))))),
            (&[0x65, 4], Some(Some((5, Some(4))))),
            (&[0x65, 255], Some(Some((5, Some(255))))),
            // Equal distances are said without a gap, and none is 0.
            (&[0x65, 5], None),
            (&[0x65, 0], None),
            (&[0x65], None),
            (&[0x20], None),
            (&[0x60, 4], None),
            (&[0x45, 4], None),
            (&[0x85], None),
            (&[0xA5], None),
            (&[], None),
        ] {
            let numbers = BaseNumbers::read(&mut Bytes(bytes));
            assert_eq!(numbers, read.map(|it| it.map(|(back, gap)| BaseNumbers { back, gap })), "{bytes:?}");
            if let Some(Some(numbers)) = numbers {
                let mut out = Vec::new();
                numbers.put(&mut out);
                assert_eq!(out, bytes);
            }
        }
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
