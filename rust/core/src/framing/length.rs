//! Reads and writes the length in front of a value, in each framing that has one.

use super::Framing;

/// The most bytes of a varint: 32 bits, 7 in each.
const MOST_VARINT: usize = 5;
/// Set in every byte of a varint but its last.
const GOES_ON: u8 = 0x80;

impl Framing {
    /// Reads the length that bytes begin with, and how many of them it takes; `None` where more are needed to tell. Without
    /// lengths it is 0 and takes none.
    ///
    /// A varint that is longer than it has to be counts as a length that no limit allows.
    ///
    /// ```
    /// use variant_core::Framing;
    ///
    /// assert_eq!(Framing::U32.read_length(&[8, 0, 0, 0, 2]), Some((8, 4)));
    /// assert_eq!(Framing::Varint.read_length(&[0xAC, 0x02, 2]), Some((300, 2)));
    /// assert_eq!(Framing::Varint.read_length(&[0xAC]), None);
    /// ```
    #[must_use]
    pub fn read_length(self, bytes: &[u8]) -> Option<(u64, usize)> {
        let word = || bytes.first_chunk::<4>().copied();
        match self {
            Framing::None => Some((0, 0)),
            Framing::U32 => word().map(|word| (u64::from(u32::from_le_bytes(word)), 4)),
            Framing::U32Be => word().map(|word| (u64::from(u32::from_be_bytes(word)), 4)),
            Framing::Varint => varint(bytes),
        }
    }

    /// Appends a length; nothing where there are none.
    pub fn write_length(self, length: u32, output: &mut Vec<u8>) {
        match self {
            Framing::None => {}
            Framing::U32 => output.extend(length.to_le_bytes()),
            Framing::U32Be => output.extend(length.to_be_bytes()),
            Framing::Varint => {
                let mut rest = length;
                loop {
                    let [low, ..] = rest.to_le_bytes();
                    rest = rest.wrapping_shr(7);
                    if rest == 0 {
                        return output.push(low);
                    }
                    output.push(low | GOES_ON);
                }
            }
        }
    }

    /// The bytes of the shortest length.
    #[must_use]
    pub const fn least_length(self) -> usize {
        match self {
            Framing::None => 0,
            Framing::U32 | Framing::U32Be => 4,
            Framing::Varint => 1,
        }
    }
}

fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut length = 0;
    let mut size = 0_usize;
    let mut shift = 0;
    for byte in bytes.iter().take(MOST_VARINT) {
        length |= u64::from(byte & !GOES_ON).wrapping_shl(shift);
        (size, shift) = (size.saturating_add(1), shift.wrapping_add(7));
        if byte & GOES_ON == 0 {
            let is_shortest = size == 1 || *byte != 0;
            return Some((if is_shortest { length } else { u64::MAX }, size));
        }
    }
    (size == MOST_VARINT).then_some((u64::MAX, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Framing; 4] = [Framing::None, Framing::U32, Framing::U32Be, Framing::Varint];

    #[test]
    fn lengths_come_back() {
        for length in
            [0, 1, 127, 128, 255, 256, 300, 16_383, 16_384, 1 << 21, (1 << 28) - 1, 1 << 28, u32::MAX]
        {
            for framing in ALL {
                let mut bytes = Vec::new();
                framing.write_length(length, &mut bytes);
                let size = bytes.len();
                assert!(size >= framing.least_length());
                bytes.push(0xFF);
                let told = if framing == Framing::None { 0 } else { u64::from(length) };
                assert_eq!(framing.read_length(&bytes), Some((told, size)), "{framing:?} {length}");
                for cut in 0..size {
                    assert_eq!(framing.read_length(&bytes[..cut]), None, "{framing:?} {length}");
                }
            }
        }
    }

    #[test]
    fn varints_have_one_form() {
        let varint = |bytes: &[u8]| Framing::Varint.read_length(bytes);
        assert_eq!(varint(&[0x7F]), Some((127, 1)));
        assert_eq!(varint(&[0x80, 0x01]), Some((128, 2)));
        assert_eq!(varint(&[0x80, 0x00]), Some((u64::MAX, 2)));
        assert_eq!(varint(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), Some((u64::from(u32::MAX), 5)));
        assert_eq!(varint(&[0xFF, 0xFF, 0xFF, 0xFF, 0x8F]), Some((u64::MAX, 5)));
        assert!(varint(&[0xFF, 0xFF, 0xFF, 0xFF, 0x1F]).unwrap().0 > u64::from(u32::MAX));
    }
}
