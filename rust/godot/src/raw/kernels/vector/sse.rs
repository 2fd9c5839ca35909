//! Implements the registers for x86-64: SSE2 is always there, shuffles came with SSSE3.

use std::arch::x86_64::*;

use super::Vector;

#[derive(Clone, Copy)]
#[repr(transparent)]
pub(in super::super) struct Sse(__m128i);

impl Vector for Sse {
    const IS_WIDE: bool = true;

    operations! {
        fn can_pick() -> bool = std::arch::is_x86_feature_detected!("ssse3") && std::arch::is_x86_feature_detected!("popcnt");
        fn bytes(each: u8) -> Self = Self(_mm_set1_epi8(each.cast_signed()));
        fn lanes(each: u32) -> Self = Self(_mm_set1_epi32(each.cast_signed()));
        fn words([low, high]: [u64; 2]) -> Self = Self(_mm_set_epi64x(high.cast_signed(), low.cast_signed()));
        fn low(self) -> u64 = _mm_cvtsi128_si64(self.0).cast_unsigned();
        fn high(self) -> u64 = _mm_cvtsi128_si64(_mm_unpackhi_epi64(self.0, self.0)).cast_unsigned();
        fn and(self, other: Self) -> Self = Self(_mm_and_si128(self.0, other.0));
        fn or(self, other: Self) -> Self = Self(_mm_or_si128(self.0, other.0));
        fn xor(self, other: Self) -> Self = Self(_mm_xor_si128(self.0, other.0));
        fn choose(self, yes: Self, no: Self) -> Self = Self(_mm_or_si128(_mm_and_si128(self.0, yes.0), _mm_andnot_si128(self.0, no.0)));
        fn plus(self, other: Self) -> Self = Self(_mm_add_epi32(self.0, other.0));
        fn minus(self, other: Self) -> Self = Self(_mm_sub_epi32(self.0, other.0));
        fn up<const BITS: i32>(self) -> Self = Self(_mm_slli_epi32::<BITS>(self.0));
        fn down<const BITS: i32>(self) -> Self = Self(_mm_srli_epi32::<BITS>(self.0));
        fn above(self, bound: i32) -> Self = Self(_mm_cmpgt_epi32(self.0, _mm_set1_epi32(bound)));
        fn equals(self, other: Self) -> Self = Self(_mm_cmpeq_epi32(self.0, other.0));
        fn bytes_less(self, other: u8) -> Self = Self(_mm_subs_epu8(self.0, Self::bytes(other).0));
        fn bytes_above(self, bound: i8) -> Self = Self(_mm_cmpgt_epi8(self.0, _mm_set1_epi8(bound)));
        fn upper_halves(self) -> Self = Self(_mm_srli_epi16::<4>(self.0)).and(Self::bytes(0x0F));
        fn mask(self) -> u32 = _mm_movemask_epi8(self.0).cast_unsigned();
        fn is_full(self) -> bool = self.mask() == 0xFFFF;
        fn is_zero(self) -> bool = Self(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())).is_full();
        fn has_zero(self) -> bool = Self(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())).mask() != 0;
        fn narrowed([a, b, c, d]: [Self; 4]) -> Self = Self(_mm_packus_epi16(_mm_packs_epi32(a.0, b.0), _mm_packs_epi32(c.0, d.0)));
        unsafe fn load(from: *const u8) -> Self = Self(_mm_loadu_si128(from.cast()));
        unsafe fn store(self, to: *mut u8) = _mm_storeu_si128(to.cast(), self.0);
        unsafe fn store_low(self, to: *mut u8) = _mm_storel_epi64(to.cast(), self.0);
        unsafe fn picked(self, order: Self) -> Self = Self(_mm_shuffle_epi8(self.0, order.0));
        unsafe fn behind<const FROM: i32>(self, before: Self) -> Self = Self(_mm_alignr_epi8::<FROM>(self.0, before.0));
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
