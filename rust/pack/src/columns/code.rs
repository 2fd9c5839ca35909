//! Writes and reads how far a number is from a predicted one: Exp-Golomb codes of an order, in two shapes.

use variant_core::ErrorKind;

use crate::bits::{BitReader, BitWriter, MissingBits};
use crate::fault::Outcome;

pub(crate) const CODE_BITS: u32 = 5;
const ORDERS: u64 = 15;
/// A prefix that is so much longer than a number is none that is written.
const MOST_MORE: u32 = 2;
/// The bits that are looked at for the end of a prefix; no prefix is longer.
const WINDOW: u64 = 48;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) order: u32,
    /// Whether the two first buckets have prefixes of their own.
    pub(crate) is_split: bool,
}

impl Code {
    pub(crate) fn of_bits(bits: u64) -> Code {
        Code { order: u32::try_from(bits & ORDERS).unwrap_or(0), is_split: bits > ORDERS }
    }

    pub(crate) fn to_bits(self) -> u64 {
        u64::from(self.order) | u64::from(self.is_split).wrapping_shl(4)
    }

    #[inline]
    pub(crate) fn bits(self, number: u64) -> u32 {
        let (ones, _, long) = self.bucket(number);
        ones.wrapping_add(1).wrapping_add(long).wrapping_add(self.order)
    }

    /// The ones of a number's prefix, the number above its low bits with a one in front, and how many bits follow that.
    #[inline]
    fn bucket(self, number: u64) -> (u32, u64, u32) {
        let high = number.wrapping_shr(self.order);
        let own = high.min(u64::from(self.most_own()));
        let high = high.wrapping_sub(own).wrapping_add(1);
        let long = high.ilog2();
        (long.wrapping_add(u32::try_from(own).unwrap_or(0)), high, long)
    }

    #[inline]
    pub(crate) fn write(self, number: u64, bits: &mut BitWriter) {
        let (ones, high, long) = self.bucket(number);
        let mask = |bits: u32| 1_u64.wrapping_shl(bits).wrapping_sub(1);
        let number = (high & mask(long)) | (number & mask(self.order)).wrapping_shl(long);
        let (head, rest) = (ones.wrapping_add(1), long.wrapping_add(self.order));
        if head.wrapping_add(rest) < u64::BITS {
            return bits.put(mask(ones) | number.wrapping_shl(head), head.wrapping_add(rest));
        }
        bits.put(mask(ones), head);
        bits.put(number, rest);
    }

    /// The most ones of a prefix that say no more than the next number above the low bits.
    const fn most_own(self) -> u32 {
        if self.is_split { 2 } else { 0 }
    }

    /// Reads a number of a column of such a width.
    #[inline]
    pub(crate) fn read(self, width: u32, bits: &mut BitReader<'_>) -> Outcome<u64> {
        let mut ahead = *bits;
        let window = u32::try_from(ahead.left().min(WINDOW)).unwrap_or(0);
        let ones = ahead.take(window)?.trailing_ones();
        let own = ones.min(self.most_own());
        let long = ones.wrapping_sub(own);
        if long > width.wrapping_add(MOST_MORE) {
            return Err(ErrorKind::OutOfRange.into());
        }
        if ones >= window {
            return Err(MissingBits(1).into());
        }
        bits.pass(u64::from(ones.wrapping_add(1)));
        let both = bits.take(long.wrapping_add(self.order))?;
        let one = 1_u64.wrapping_shl(long);
        let high = one.wrapping_add(both & one.wrapping_sub(1)).wrapping_sub(1).wrapping_add(u64::from(own));
        Ok(high.wrapping_shl(self.order).wrapping_add(both.wrapping_shr(long)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Code> {
        (0..32).map(Code::of_bits)
    }

    #[test]
    fn what_is_written_is_read() {
        let numbers =
            (0..300).chain((3..34).flat_map(|bits| (0..3).map(move |off| (1_u64 << bits) - 1 + off)));
        for code in all() {
            assert_eq!(Code::of_bits(code.to_bits()), code);
            for number in numbers.clone() {
                let mut bits = BitWriter::default();
                code.write(number, &mut bits);
                let count = bits.len();
                assert_eq!(u64::from(code.bits(number)), count, "{number} as {code:?}");
                let bytes = [bits.finish(), &[0; 9]].concat();
                let mut reader = BitReader::new(&bytes, 0);
                assert_eq!(code.read(34, &mut reader), Ok(number), "{code:?}");
                assert_eq!(reader.at(), count);
            }
        }
    }

    #[test]
    fn prefixes_are_bounded() {
        for code in all() {
            let refused = code.read(9, &mut BitReader::new(&[0xFF; 64], 0));
            assert_eq!(refused, Err(ErrorKind::OutOfRange.into()), "{code:?}");
            let missing = code.read(9, &mut BitReader::new(&[0xFF], 0));
            assert!(
                matches!(missing, Err(ref fault) if matches!(fault.kind, ErrorKind::Incomplete { .. })),
                "{code:?}"
            );
        }
    }

    /// Bits by hand: order 1 of 4 is 1, 0, then the low bit of q = 3 and the low bit of 4.
    #[test]
    fn bits_are_as_the_page_says() {
        let written = |code: Code, number: u64| {
            let mut bits = BitWriter::default();
            code.write(number, &mut bits);
            (bits.finish().to_vec(), code.bits(number))
        };
        let plain = |order| Code { order, is_split: false };
        let split = |order| Code { order, is_split: true };
        assert_eq!(written(plain(0), 0), (vec![0b0], 1));
        assert_eq!(written(plain(1), 4), (vec![0b0101], 4));
        assert_eq!(written(plain(1), 5), (vec![0b1101], 4));
        assert_eq!(written(split(1), 1), (vec![0b10], 2));
        assert_eq!(written(split(1), 3), (vec![0b101], 3));
        assert_eq!(written(split(1), 4), (vec![0b0011], 4));
    }
}
