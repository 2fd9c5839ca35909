//! Implements the registers for 64-bit ARM, which always has NEON.

use std::arch::aarch64::*;

use super::Vector;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct Neon(uint8x16_t);

/// The bit of each byte of a mask, eight by eight.
const BITS: [u64; 2] = [0x8040_2010_0804_0201; 2];

impl Neon {
    #[inline(always)]
    fn as_lanes(self) -> uint32x4_t {
        // SAFETY: NEON is part of this processor.
        unsafe { vreinterpretq_u32_u8(self.0) }
    }

    #[inline(always)]
    fn of_lanes(lanes: uint32x4_t) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vreinterpretq_u8_u32(lanes) })
    }

    #[inline(always)]
    fn as_words(self) -> uint64x2_t {
        // SAFETY: NEON is part of this processor.
        unsafe { vreinterpretq_u64_u8(self.0) }
    }
}

impl Vector for Neon {
    const IS_WIDE: bool = true;

    #[inline(always)]
    fn can_pick() -> bool {
        true
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { vld1q_u8(from) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { vst1q_u8(to, self.0) };
    }

    #[inline(always)]
    unsafe fn store_low(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { vst1_u8(to, vget_low_u8(self.0)) };
    }

    #[inline(always)]
    fn bytes(each: u8) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vdupq_n_u8(each) })
    }

    #[inline(always)]
    fn lanes(each: u32) -> Self {
        // SAFETY: NEON is part of this processor.
        Self::of_lanes(unsafe { vdupq_n_u32(each) })
    }

    #[inline(always)]
    fn words([low, high]: [u64; 2]) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high))) })
    }

    #[inline(always)]
    fn low(self) -> u64 {
        // SAFETY: NEON is part of this processor.
        unsafe { vgetq_lane_u64::<0>(self.as_words()) }
    }

    #[inline(always)]
    fn high(self) -> u64 {
        // SAFETY: NEON is part of this processor.
        unsafe { vgetq_lane_u64::<1>(self.as_words()) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vandq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vorrq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { veorq_u8(self.0, other.0) })
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vbslq_u8(self.0, yes.0, no.0) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self::of_lanes(unsafe { vaddq_u32(self.as_lanes(), other.as_lanes()) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self::of_lanes(unsafe { vsubq_u32(self.as_lanes(), other.as_lanes()) })
    }

    #[inline(always)]
    fn up<const BITS: i32>(self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self::of_lanes(unsafe { vshlq_n_u32::<BITS>(self.as_lanes()) })
    }

    #[inline(always)]
    fn down<const BITS: i32>(self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self::of_lanes(unsafe { vshrq_n_u32::<BITS>(self.as_lanes()) })
    }

    #[inline(always)]
    fn above(self, bound: i32) -> Self {
        // SAFETY: NEON is part of this processor.
        Self::of_lanes(unsafe { vcgtq_s32(vreinterpretq_s32_u8(self.0), vdupq_n_s32(bound)) })
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self::of_lanes(unsafe { vceqq_u32(self.as_lanes(), other.as_lanes()) })
    }

    #[inline(always)]
    fn bytes_less(self, other: u8) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vqsubq_u8(self.0, vdupq_n_u8(other)) })
    }

    #[inline(always)]
    fn bytes_above(self, bound: i8) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vcgtq_s8(vreinterpretq_s8_u8(self.0), vdupq_n_s8(bound)) })
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vshrq_n_u8::<4>(self.0) })
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
    fn is_full(self) -> bool {
        // SAFETY: NEON is part of this processor.
        (unsafe { vminvq_u32(self.as_lanes()) }) == u32::MAX
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: NEON is part of this processor.
        (unsafe { vmaxvq_u32(self.as_lanes()) }) == 0
    }

    #[inline(always)]
    fn has_zero(self) -> bool {
        // SAFETY: NEON is part of this processor.
        (unsafe { vminvq_u8(self.0) }) == 0
    }

    #[inline(always)]
    fn narrowed(four: [Self; 4]) -> Self {
        // SAFETY: NEON is part of this processor.
        unsafe {
            let [a, b, c, d] = four.map(|lanes| vqmovn_s32(vreinterpretq_s32_u8(lanes.0)));
            Self(vcombine_u8(vqmovun_s16(vcombine_s16(a, b)), vqmovun_s16(vcombine_s16(c, d))))
        }
    }

    #[inline(always)]
    unsafe fn picked(self, order: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vqtbl1q_u8(self.0, order.0) })
    }

    #[inline(always)]
    unsafe fn behind<const FROM: i32>(self, before: Self) -> Self {
        // SAFETY: NEON is part of this processor.
        Self(unsafe { vextq_u8::<FROM>(before.0, self.0) })
    }
}
