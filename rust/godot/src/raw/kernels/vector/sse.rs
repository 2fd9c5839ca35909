//! Implements the registers for x86-64: SSE2 is always there, shuffles came with SSSE3.

use std::arch::x86_64::*;

use super::Vector;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct Sse(__m128i);

impl Vector for Sse {
    const IS_WIDE: bool = true;

    #[inline(always)]
    fn can_pick() -> bool {
        std::arch::is_x86_feature_detected!("ssse3") && std::arch::is_x86_feature_detected!("popcnt")
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm_loadu_si128(from.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm_storeu_si128(to.cast(), self.0) };
    }

    #[inline(always)]
    unsafe fn store_low(self, to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm_storel_epi64(to.cast(), self.0) };
    }

    #[inline(always)]
    fn bytes(each: u8) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_set1_epi8(each.cast_signed()) })
    }

    #[inline(always)]
    fn lanes(each: u32) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_set1_epi32(each.cast_signed()) })
    }

    #[inline(always)]
    fn words([low, high]: [u64; 2]) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_set_epi64x(high.cast_signed(), low.cast_signed()) })
    }

    #[inline(always)]
    fn low(self) -> u64 {
        // SAFETY: SSE2 is part of this processor.
        unsafe { _mm_cvtsi128_si64(self.0) }.cast_unsigned()
    }

    #[inline(always)]
    fn high(self) -> u64 {
        // SAFETY: SSE2 is part of this processor.
        unsafe { _mm_cvtsi128_si64(_mm_unpackhi_epi64(self.0, self.0)) }.cast_unsigned()
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_and_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_or_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_xor_si128(self.0, other.0) })
    }

    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_or_si128(_mm_and_si128(self.0, yes.0), _mm_andnot_si128(self.0, no.0)) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_sub_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn up<const BITS: i32>(self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_slli_epi32::<BITS>(self.0) })
    }

    #[inline(always)]
    fn down<const BITS: i32>(self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_srli_epi32::<BITS>(self.0) })
    }

    #[inline(always)]
    fn above(self, bound: i32) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_cmpgt_epi32(self.0, _mm_set1_epi32(bound)) })
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_cmpeq_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn bytes_less(self, other: u8) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_subs_epu8(self.0, Self::bytes(other).0) })
    }

    #[inline(always)]
    fn bytes_above(self, bound: i8) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_cmpgt_epi8(self.0, _mm_set1_epi8(bound)) })
    }

    #[inline(always)]
    fn upper_halves(self) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_srli_epi16::<4>(self.0) }).and(Self::bytes(0x0F))
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        // SAFETY: SSE2 is part of this processor.
        unsafe { _mm_movemask_epi8(self.0) }.cast_unsigned()
    }

    #[inline(always)]
    fn masks([a, b, c, d]: [Self; 4]) -> u64 {
        let low = a.mask() | b.mask() << 16;
        let high = c.mask() | d.mask() << 16;
        u64::from(low) | u64::from(high) << 32
    }

    #[inline(always)]
    fn is_full(self) -> bool {
        self.mask() == 0xFFFF
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_cmpeq_epi8(self.0, _mm_setzero_si128()) }).is_full()
    }

    #[inline(always)]
    fn has_zero(self) -> bool {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_cmpeq_epi8(self.0, _mm_setzero_si128()) }).mask() != 0
    }

    #[inline(always)]
    fn narrowed([a, b, c, d]: [Self; 4]) -> Self {
        // SAFETY: SSE2 is part of this processor.
        Self(unsafe { _mm_packus_epi16(_mm_packs_epi32(a.0, b.0), _mm_packs_epi32(c.0, d.0)) })
    }

    #[inline(always)]
    unsafe fn picked(self, order: Self) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm_shuffle_epi8(self.0, order.0) })
    }

    #[inline(always)]
    unsafe fn behind<const FROM: i32>(self, before: Self) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { _mm_alignr_epi8::<FROM>(self.0, before.0) })
    }

    #[inline(always)]
    unsafe fn sixes(self) -> Self {
        // SAFETY: the caller's promise.
        // Pairs of bytes are joined first, then pairs of words.
        unsafe {
            let words = _mm_maddubs_epi16(self.0, _mm_set1_epi16(0x4001));
            Self(_mm_madd_epi16(words, _mm_set1_epi32(0x1000_0001)))
        }
    }
}
