//! Writes and reads numbers of any width, the lowest bit first, and numbers without an upper bound.

/// A place in memory as a number of 64 bits, the nearest that there is.
pub(crate) fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Such a number as a place in memory.
pub(crate) fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Where the buckets of numbers without an upper bound begin, and the bits of each.
const BUCKETS: [(u64, u32); 8] = [
    (0, 3),
    (8, 6),
    (72, 10),
    (1_096, 15),
    (33_864, 21),
    (2_131_016, 32),
    (4_297_098_312, 48),
    (281_479_273_808_968, 64),
];
const BUCKET_BITS: u32 = 3;

/// The bits that numbers up to `last` take.
pub(crate) const fn width(last: u64) -> u32 {
    u64::BITS.wrapping_sub(last.leading_zeros())
}

pub(crate) fn varint_bits(number: u64) -> u32 {
    bucket(number).2.wrapping_add(BUCKET_BITS)
}

/// The number of the bucket, where it begins and the bits in it.
fn bucket(number: u64) -> (u64, u64, u32) {
    let mut found = (0, 0, 3);
    for (at, (begin, bits)) in (0..).zip(BUCKETS) {
        if number < begin {
            break;
        }
        found = (at, begin, bits);
    }
    found
}

/// Signed numbers as unsigned ones, small ones first.
pub(crate) const fn zigzag(number: i64) -> u64 {
    (number.wrapping_shl(1) ^ number.wrapping_shr(63)).cast_unsigned()
}

pub(crate) const fn unzigzag(code: u64) -> i64 {
    code.wrapping_shr(1).cast_signed() ^ (code & 1).cast_signed().wrapping_neg()
}

#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are not in `bytes` yet, `used` of them, always less than 64.
    held: u64,
    used: u32,
}

impl BitWriter {
    /// Starts anew behind these bytes.
    pub(crate) fn start(&mut self, head: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(head);
        (self.held, self.used) = (0, 0);
    }

    #[inline]
    pub(crate) fn put(&mut self, number: u64, width: u32) {
        debug_assert!(width == 64 || number.checked_shr(width).unwrap_or(0) == 0, "{number} in {width} bits");
        self.held |= number.wrapping_shl(self.used);
        let total = self.used.wrapping_add(width);
        if total < 64 {
            self.used = total;
            return;
        }
        self.bytes.extend_from_slice(&self.held.to_le_bytes());
        let taken = 64_u32.wrapping_sub(self.used);
        self.held = number.checked_shr(taken).unwrap_or(0);
        self.used = total.wrapping_sub(64);
    }

    pub(crate) fn bit(&mut self, bit: bool) {
        self.put(u64::from(bit), 1);
    }

    pub(crate) fn varint(&mut self, number: u64) {
        let (at, begin, bits) = bucket(number);
        self.put(at, BUCKET_BITS);
        self.put(number.wrapping_sub(begin), bits);
    }

    /// Bits so far, those of the head included.
    pub(crate) fn len(&self) -> u64 {
        self.mark().len()
    }

    pub(crate) fn mark(&self) -> ReadSpan {
        ReadSpan { bytes: self.bytes.len(), held: self.held, used: self.used }
    }

    pub(crate) fn back(&mut self, mark: &ReadSpan) {
        self.bytes.truncate(mark.bytes);
        (self.held, self.used) = (mark.held, mark.used);
    }

    pub(crate) fn append(&mut self, other: &mut BitWriter) {
        let mut left = other.len();
        let bytes = other.finish();
        for eight in bytes.chunks(8) {
            let word = eight.iter().rev().fold(0, |sum: u64, byte| sum.wrapping_shl(8) | u64::from(*byte));
            self.put(word, u32::try_from(left.min(64)).unwrap_or(64));
            left = left.saturating_sub(64);
        }
    }

    /// Ends with zero bits, up to a whole byte.
    pub(crate) fn finish(&mut self) -> &[u8] {
        let rest = size(self.used.div_ceil(8).into());
        self.bytes.extend_from_slice(self.held.to_le_bytes().get(..rest).unwrap_or_default());
        (self.held, self.used) = (0, 0);
        &self.bytes
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadSpan {
    bytes: usize,
    held: u64,
    used: u32,
}

impl ReadSpan {
    pub(crate) fn len(&self) -> u64 {
        length(self.bytes).saturating_mul(8).saturating_add(u64::from(self.used))
    }
}

/// The bits that one load brings at least.
pub(crate) const LOADED: u32 = 57;

/// A number of so many bits that is not beyond the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainCell {
    pub(crate) width: u32,
    pub(crate) last: u64,
}

pub(crate) const PADDING: [u8; 8] = [0; 8];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissingBits(pub(crate) u64);

#[derive(Clone, Copy, Debug)]
pub(crate) struct BitReader<'b> {
    bytes: &'b [u8],
    at: u64,
    end: u64,
}

impl<'b> BitReader<'b> {
    pub(crate) fn new(bytes: &'b [u8], at: u64) -> BitReader<'b> {
        let end = length(bytes.len()).saturating_mul(8);
        BitReader { bytes, at, end }
    }

    pub(crate) const fn at(&self) -> u64 {
        self.at
    }

    /// Reads what stands in front of so many bytes of padding, which make each read cheap.
    pub(crate) fn padded(bytes: &'b [u8]) -> BitReader<'b> {
        let all = BitReader::new(bytes, 0);
        BitReader { end: all.end.saturating_sub(length(PADDING.len()).saturating_mul(8)), ..all }
    }

    #[inline]
    pub(crate) const fn left(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    /// Asks whether so many bits are left, before anything is made of them.
    pub(crate) const fn needs(&self, bits: u64) -> Result<(), MissingBits> {
        let missing = bits.saturating_sub(self.left());
        if missing == 0 { Ok(()) } else { Err(MissingBits(missing)) }
    }

    /// Appends a number for each of these cells. `None`: bits are missing, they lie among the last, or a number is beyond the
    /// last one of its cell; the bits are not passed then.
    pub(crate) fn take_all(&mut self, cells: &[PlainCell], numbers: &mut Vec<u64>) -> Option<()> {
        let (mut at, mut is_fine, from) = (self.at, true, numbers.len());
        numbers.resize(from.saturating_add(cells.len()), 0);
        for (number, PlainCell { width, last }) in numbers.iter_mut().skip(from).zip(cells) {
            let byte = usize::try_from(at.wrapping_shr(3)).unwrap_or(usize::MAX);
            let word = u64::from_le_bytes(*self.bytes.get(byte..)?.first_chunk()?);
            *number =
                word.wrapping_shr(u32::try_from(at & 7).ok()?) & 1_u64.wrapping_shl(*width).wrapping_sub(1);
            is_fine &= *number <= *last;
            at = at.wrapping_add(u64::from(*width));
        }
        (at <= self.end && is_fine).then(|| self.at = at)
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, width: u32) -> Result<u64, MissingBits> {
        let next = self.at.wrapping_add(u64::from(width));
        let shift = u32::try_from(self.at & 7).unwrap_or(0);
        let byte = usize::try_from(self.at.wrapping_shr(3)).unwrap_or(usize::MAX);
        match self.bytes.get(byte..).and_then(<[u8]>::first_chunk) {
            Some(eight) if next <= self.end && width.wrapping_add(shift) < 64 => {
                self.at = next;
                let number = u64::from_le_bytes(*eight).wrapping_shr(shift);
                Ok(number & 1_u64.wrapping_shl(width).wrapping_sub(1))
            }
            _ => self.take_far(width),
        }
    }

    /// Takes bits that lie in nine bytes, or among the last.
    #[inline(never)]
    fn take_far(&mut self, width: u32) -> Result<u64, MissingBits> {
        let left = self.left();
        if u64::from(width) > left {
            return Err(MissingBits(u64::from(width).wrapping_sub(left)));
        }
        let byte = usize::try_from(self.at.wrapping_shr(3)).unwrap_or(usize::MAX);
        let shift = u32::try_from(self.at & 7).unwrap_or(0);
        let nine = self.bytes.get(byte..).unwrap_or_default().iter().take(9).rev();
        let number = nine.fold(0, |sum: u128, byte| sum.wrapping_shl(8) | u128::from(*byte));
        let number = u64::try_from(number.wrapping_shr(shift) & u128::from(u64::MAX)).unwrap_or(0);
        self.at = self.at.wrapping_add(u64::from(width));
        Ok(if width < 64 { number & 1_u64.wrapping_shl(width).wrapping_sub(1) } else { number })
    }

    /// Passes over so many bits, which are there.
    pub(crate) const fn pass(&mut self, bits: u64) {
        self.at = self.at.saturating_add(bits);
    }

    pub(crate) fn bit(&mut self) -> Result<bool, MissingBits> {
        self.take(1).map(|bit| bit == 1)
    }

    /// `None` for a form of 64 bits whose number would need more.
    pub(crate) fn varint(&mut self) -> Result<Option<u64>, MissingBits> {
        let at = self.take(BUCKET_BITS)?;
        let (begin, bits) =
            usize::try_from(at).ok().and_then(|at| BUCKETS.get(at)).copied().unwrap_or((0, 3));
        let rest = self.take(bits)?;
        Ok(begin.checked_add(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_lowest_bit_comes_first() {
        let mut writer = BitWriter::default();
        writer.put(0b101, 3);
        writer.put(0b1, 1);
        writer.put(0xAB, 8);
        assert_eq!(writer.len(), 12);
        assert_eq!(writer.finish(), [0b1011_1101, 0x0A]);
    }

    #[test]
    fn buckets_follow_each_other() {
        for pair in BUCKETS.windows(2) {
            assert_eq!(pair[0].0 + (1 << pair[0].1), pair[1].0);
        }
        assert_eq!(
            (varint_bits(0), varint_bits(7), varint_bits(8), varint_bits(71), varint_bits(72)),
            (6, 6, 9, 9, 13)
        );
        assert_eq!(varint_bits(u64::MAX), 67);
        // More than 64 bits hold: 7, then all ones.
        assert_eq!(BitReader::new(&[0xFF; 9], 0).varint(), Ok(None));
    }

    #[test]
    fn what_is_missing_is_counted() {
        let mut reader = BitReader::new(&[0xFF, 0x01], 3);
        assert_eq!(reader.take(14), Err(MissingBits(1)));
        assert_eq!(reader.take(13), Ok(0b11_1111));
        assert_eq!(reader.left(), 0);
        assert_eq!(reader.take(0), Ok(0));
    }

    #[test]
    fn padding_is_not_read() {
        let bytes = [&[0xFF, 0x01][..], &PADDING].concat();
        let (mut padded, mut bare) = (BitReader::padded(&bytes), BitReader::new(&[0xFF, 0x01], 0));
        for width in [3, 0, 9, 5, 4, 1] {
            assert_eq!(padded.take(width), bare.take(width));
            assert_eq!((padded.at(), padded.left()), (bare.at(), bare.left()));
        }
    }

    #[test]
    fn widths() {
        assert_eq!([0, 1, 2, 3, 4, 100, u64::MAX].map(width), [0, 1, 2, 2, 3, 7, 64]);
        assert_eq!([0, -1, 1, i64::MIN, i64::MAX].map(zigzag), [0, 1, 2, u64::MAX, u64::MAX - 1]);
        assert_eq!([i64::MIN, -5, 0, 9].map(|n| unzigzag(zigzag(n))), [i64::MIN, -5, 0, 9]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(numbers in prop::collection::vec((any::<u64>(), 0_u32..=64, any::<bool>()), 0..60)) {
            let mut writer = BitWriter::default();
            let cut = |number: u64, width: u32| if width == 64 { number } else { number & ((1 << width) - 1) };
            for (number, width, is_open) in &numbers {
                let number = cut(*number, *width);
                if *is_open { writer.varint(number) } else { writer.put(number, *width) }
            }
            let bits = writer.len();
            let bytes = writer.finish().to_vec();
            prop_assert_eq!(bytes.len() as u64, bits.div_ceil(8));
            let mut reader = BitReader::new(&bytes, 0);
            for (number, width, is_open) in &numbers {
                let number = cut(*number, *width);
                let found = if *is_open { reader.varint().unwrap().unwrap() } else { reader.take(*width).unwrap() };
                prop_assert_eq!(found, number);
            }
            prop_assert_eq!(reader.at(), bits);
        }
    }
}
