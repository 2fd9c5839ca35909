//! Implements the registers for 64-bit ARM, which always has NEON.

use std::arch::aarch64::*;

use super::Vector;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct Neon(uint8x16_t);

/// The bit of each byte of a mask, eight by eight.
const BITS: [u64; 2] = [0x8040_2010_0804_0201; 2];

impl Neon {
    operations! {
        fn as_lanes(self) -> uint32x4_t = vreinterpretq_u32_u8(self.0);
        fn of_lanes(lanes: uint32x4_t) -> Self = Self(vreinterpretq_u8_u32(lanes));
        fn as_words(self) -> uint64x2_t = vreinterpretq_u64_u8(self.0);
    }
}

impl Vector for Neon {
    const IS_WIDE: bool = true;

    operations! {
        fn can_pick() -> bool = true;
        fn bytes(each: u8) -> Self = Self(vdupq_n_u8(each));
        fn lanes(each: u32) -> Self = Self::of_lanes(vdupq_n_u32(each));
        fn words([low, high]: [u64; 2]) -> Self = Self(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high))));
        fn low(self) -> u64 = vgetq_lane_u64::<0>(self.as_words());
        fn high(self) -> u64 = vgetq_lane_u64::<1>(self.as_words());
        fn and(self, other: Self) -> Self = Self(vandq_u8(self.0, other.0));
        fn or(self, other: Self) -> Self = Self(vorrq_u8(self.0, other.0));
        fn xor(self, other: Self) -> Self = Self(veorq_u8(self.0, other.0));
        fn choose(self, yes: Self, no: Self) -> Self = Self(vbslq_u8(self.0, yes.0, no.0));
        fn plus(self, other: Self) -> Self = Self::of_lanes(vaddq_u32(self.as_lanes(), other.as_lanes()));
        fn minus(self, other: Self) -> Self = Self::of_lanes(vsubq_u32(self.as_lanes(), other.as_lanes()));
        fn up<const BITS: i32>(self) -> Self = Self::of_lanes(vshlq_n_u32::<BITS>(self.as_lanes()));
        fn down<const BITS: i32>(self) -> Self = Self::of_lanes(vshrq_n_u32::<BITS>(self.as_lanes()));
        fn above(self, bound: i32) -> Self = Self::of_lanes(vcgtq_s32(vreinterpretq_s32_u8(self.0), vdupq_n_s32(bound)));
        fn equals(self, other: Self) -> Self = Self::of_lanes(vceqq_u32(self.as_lanes(), other.as_lanes()));
        fn bytes_less(self, other: u8) -> Self = Self(vqsubq_u8(self.0, vdupq_n_u8(other)));
        fn bytes_above(self, bound: i8) -> Self = Self(vcgtq_s8(vreinterpretq_s8_u8(self.0), vdupq_n_s8(bound)));
        fn upper_halves(self) -> Self = Self(vshrq_n_u8::<4>(self.0));
        fn is_full(self) -> bool = vminvq_u32(self.as_lanes()) == u32::MAX;
        fn is_zero(self) -> bool = vmaxvq_u32(self.as_lanes()) == 0;
        fn has_zero(self) -> bool = vminvq_u8(self.0) == 0;
        unsafe fn load(from: *const u8) -> Self = Self(vld1q_u8(from));
        unsafe fn store(self, to: *mut u8) = vst1q_u8(to, self.0);
        unsafe fn store_low(self, to: *mut u8) = vst1_u8(to, vget_low_u8(self.0));
        unsafe fn picked(self, order: Self) -> Self = Self(vqtbl1q_u8(self.0, order.0));
        unsafe fn behind<const FROM: i32>(self, before: Self) -> Self = Self(vextq_u8::<FROM>(before.0, self.0));
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        // SAFETY: NEON is part of this processor.
        let bits = self.and(Self::words(BITS)).0;
        let (low, high) = unsafe { (vaddv_u8(vget_low_u8(bits)), vaddv_u8(vget_high_u8(bits))) };
        u32::from(low) | u32::from(high) << 8
    }

    #[inline(always)]
    fn masks(four: [Self; 4]) -> u64 {
        // SAFETY: NEON is part of this processor.
        let [a, b, c, d] = four.map(|mask| mask.and(Self::words(BITS)).0);
        // Adding the bits of eight bytes makes a byte of them: 16 bytes become eight, four, then two.
        unsafe {
            let added = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
            Self(vpaddq_u8(added, added)).low()
        }
    }

    #[inline(always)]
    fn narrowed(four: [Self; 4]) -> Self {
        // SAFETY: NEON is part of this processor.
        unsafe {
            let [a, b, c, d] = four.map(|lanes| vqmovn_s32(vreinterpretq_s32_u8(lanes.0)));
            Self(vcombine_u8(vqmovun_s16(vcombine_s16(a, b)), vqmovun_s16(vcombine_s16(c, d))))
        }
    }
}
