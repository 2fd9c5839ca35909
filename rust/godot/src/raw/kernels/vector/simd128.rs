//! Implements the registers for WebAssembly that is compiled with SIMD.

use std::arch::wasm32::*;

use super::Vector;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct Simd128(v128);

impl Vector for Simd128 {
    const IS_WIDE: bool = true;

    operations! {
        fn can_pick() -> bool = true;
        fn bytes(each: u8) -> Self = Self(u8x16_splat(each));
        fn lanes(each: u32) -> Self = Self(u32x4_splat(each));
        fn words([low, high]: [u64; 2]) -> Self = Self(u64x2(low, high));
        fn low(self) -> u64 = u64x2_extract_lane::<0>(self.0);
        fn high(self) -> u64 = u64x2_extract_lane::<1>(self.0);
        fn and(self, other: Self) -> Self = Self(v128_and(self.0, other.0));
        fn or(self, other: Self) -> Self = Self(v128_or(self.0, other.0));
        fn xor(self, other: Self) -> Self = Self(v128_xor(self.0, other.0));
        fn choose(self, yes: Self, no: Self) -> Self = Self(v128_bitselect(yes.0, no.0, self.0));
        fn plus(self, other: Self) -> Self = Self(u32x4_add(self.0, other.0));
        fn minus(self, other: Self) -> Self = Self(u32x4_sub(self.0, other.0));
        fn up<const BITS: i32>(self) -> Self = Self(u32x4_shl(self.0, BITS.cast_unsigned()));
        fn down<const BITS: i32>(self) -> Self = Self(u32x4_shr(self.0, BITS.cast_unsigned()));
        fn above(self, bound: i32) -> Self = Self(i32x4_gt(self.0, i32x4_splat(bound)));
        fn equals(self, other: Self) -> Self = Self(u32x4_eq(self.0, other.0));
        fn bytes_less(self, other: u8) -> Self = Self(u8x16_sub_sat(self.0, u8x16_splat(other)));
        fn bytes_above(self, bound: i8) -> Self = Self(i8x16_gt(self.0, i8x16_splat(bound)));
        fn upper_halves(self) -> Self = Self(u8x16_shr(self.0, 4));
        fn mask(self) -> u32 = u32::from(u8x16_bitmask(self.0));
        fn is_full(self) -> bool = u8x16_all_true(self.0);
        fn is_zero(self) -> bool = !v128_any_true(self.0);
        fn has_zero(self) -> bool = !u8x16_all_true(self.0);
        fn narrowed([a, b, c, d]: [Self; 4]) -> Self = Self(u8x16_narrow_i16x8(i16x8_narrow_i32x4(a.0, b.0), i16x8_narrow_i32x4(c.0, d.0)));
        unsafe fn load(from: *const u8) -> Self = Self(v128_load(from.cast()));
        unsafe fn store(self, to: *mut u8) = v128_store(to.cast(), self.0);
        unsafe fn store_low(self, to: *mut u8) = v128_store64_lane::<0>(self.0, to.cast());
        unsafe fn picked(self, order: Self) -> Self = Self(u8x16_swizzle(self.0, order.0));
    }

    #[inline(always)]
    unsafe fn behind<const FROM: i32>(self, before: Self) -> Self {
        // The instruction takes its order as constants only.
        Self(match FROM {
            13 => u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(
                before.0, self.0,
            ),
            14 => u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(
                before.0, self.0,
            ),
            _ => u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(
                before.0, self.0,
            ),
        })
    }
}
