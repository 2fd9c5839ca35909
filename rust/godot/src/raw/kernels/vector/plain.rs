//! Implements the registers byte by byte, as the reference for all processors.

use super::{Vector, WIDTH};

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Plain([u8; WIDTH]);

impl Plain {
    fn as_lanes(self) -> [u32; 4] {
        [0, 4, 8, 12].map(|at| u32::from_le_bytes([0, 1, 2, 3].map(|byte| self.0[at + byte])))
    }

    fn of_lanes(lanes: [u32; 4]) -> Self {
        Self(std::array::from_fn(|at| lanes[at / 4].to_le_bytes()[at % 4]))
    }

    fn by_byte(self, other: Self, combine: impl Fn(u8, u8) -> u8) -> Self {
        Self(std::array::from_fn(|at| combine(self.0[at], other.0[at])))
    }

    fn by_lane(self, other: Self, combine: impl Fn(u32, u32) -> u32) -> Self {
        let (a, b) = (self.as_lanes(), other.as_lanes());
        Self::of_lanes(std::array::from_fn(|at| combine(a[at], b[at])))
    }
}

impl Vector for Plain {
    const IS_WIDE: bool = false;

    operations! {
        fn can_pick() -> bool = false;
        fn bytes(each: u8) -> Self = Self([each; WIDTH]);
        fn lanes(each: u32) -> Self = Self::of_lanes([each; 4]);
        fn words(words: [u64; 2]) -> Self = Self(std::array::from_fn(|at| words[at / 8].to_le_bytes()[at % 8]));
        fn low(self) -> u64 = u64::from_le_bytes(std::array::from_fn(|at| self.0[at]));
        fn high(self) -> u64 = u64::from_le_bytes(std::array::from_fn(|at| self.0[at + 8]));
        fn and(self, other: Self) -> Self = self.by_byte(other, |a, b| a & b);
        fn or(self, other: Self) -> Self = self.by_byte(other, |a, b| a | b);
        fn xor(self, other: Self) -> Self = self.by_byte(other, |a, b| a ^ b);
        fn choose(self, yes: Self, no: Self) -> Self = self.and(yes).or(self.xor(Self::bytes(0xFF)).and(no));
        fn plus(self, other: Self) -> Self = self.by_lane(other, u32::wrapping_add);
        fn minus(self, other: Self) -> Self = self.by_lane(other, u32::wrapping_sub);
        fn up<const BITS: i32>(self) -> Self = Self::of_lanes(self.as_lanes().map(|lane| lane << BITS));
        fn down<const BITS: i32>(self) -> Self = Self::of_lanes(self.as_lanes().map(|lane| lane >> BITS));
        fn above(self, bound: i32) -> Self = Self::of_lanes(self.as_lanes().map(|lane| if lane.cast_signed() > bound { u32::MAX } else { 0 }));
        fn equals(self, other: Self) -> Self = self.by_lane(other, |a, b| if a == b { u32::MAX } else { 0 });
        fn bytes_less(self, other: u8) -> Self = Self(self.0.map(|byte| byte.saturating_sub(other)));
        fn bytes_above(self, bound: i8) -> Self = Self(self.0.map(|byte| if byte.cast_signed() > bound { 0xFF } else { 0 }));
        fn upper_halves(self) -> Self = Self(self.0.map(|byte| byte >> 4));
        fn mask(self) -> u32 = (0..WIDTH).map(|at| u32::from(self.0[at] >> 7) << at).sum();
        fn is_full(self) -> bool = self.0 == [0xFF; WIDTH];
        fn is_zero(self) -> bool = self.0 == [0; WIDTH];
        fn has_zero(self) -> bool = self.0.contains(&0);
        fn narrowed(four: [Self; 4]) -> Self = Self(std::array::from_fn(|at| four[at / 4].as_lanes()[at % 4].cast_signed().clamp(0, 0xFF) as u8));
        unsafe fn load(from: *const u8) -> Self = Self(from.cast::<[u8; WIDTH]>().read_unaligned());
        unsafe fn store(self, to: *mut u8) = to.cast::<[u8; WIDTH]>().write_unaligned(self.0);
        unsafe fn store_low(self, to: *mut u8) = to.cast::<[u8; 8]>().write_unaligned(self.low().to_le_bytes());
        unsafe fn picked(self, order: Self) -> Self = Self(order.0.map(|at| self.0.get(usize::from(at)).copied().unwrap_or(0)));
    }

    unsafe fn behind<const FROM: i32>(self, before: Self) -> Self {
        let from = FROM as usize;
        Self(std::array::from_fn(|at| {
            before.0.get(from + at).copied().unwrap_or_else(|| self.0[from + at - WIDTH])
        }))
    }
}
