//! Sixteen bytes in a register: what the kernels ask of a processor, and how each does it. Knows of no text.
//!
//! `plain` does it byte by byte: it says what is meant, for tests, and stands where a processor has no such register. There
//! `can_pick()` is false, and the scalar twins of the kernels run, which are faster then.

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(any(
    test,
    not(any(
        target_arch = "x86_64",
        all(target_arch = "aarch64", target_endian = "little"),
        all(target_family = "wasm", target_feature = "simd128"),
    ))
))]
mod plain;
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse;

#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(super) use neon::Neon as Wide;
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little"),
    all(target_family = "wasm", target_feature = "simd128"),
)))]
pub(super) use plain::Plain as Wide;
#[cfg(test)]
pub(super) use plain::Plain;
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
pub(super) use simd128::Simd128 as Wide;
#[cfg(target_arch = "x86_64")]
pub(super) use sse::Sse as Wide;

/// Bytes or characters up to which kernels are tried with the plain twin too: it takes its time.
#[cfg(test)]
pub(super) const FEW: usize = 40;

/// Bytes of a vector.
pub(super) const WIDTH: usize = 16;

/// Sixteen bytes, which are four lanes of 32 bits too, the least byte of each first. Masks are all ones where something
/// is so, else zeros.
pub(super) trait Vector: Copy {
    /// Whether every processor that this is compiled for has a register for it.
    const IS_WIDE: bool;

    /// Whether this one also has what the methods take that ask for it, and counts bits in one step.
    fn can_pick() -> bool;

    /// # Safety
    /// 16 bytes lie there.
    unsafe fn load(from: *const u8) -> Self;
    /// # Safety
    /// There is room for 16 bytes.
    unsafe fn store(self, to: *mut u8);
    /// The first eight bytes.
    ///
    /// # Safety
    /// There is room for them.
    unsafe fn store_low(self, to: *mut u8);

    /// The same byte everywhere.
    fn bytes(each: u8) -> Self;
    /// The same lane everywhere.
    fn lanes(each: u32) -> Self;
    /// Eight bytes and eight more.
    fn words(words: [u64; 2]) -> Self;
    /// The first eight bytes.
    fn low(self) -> u64;
    /// The other eight bytes.
    fn high(self) -> u64;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// By a mask.
    fn choose(self, yes: Self, no: Self) -> Self;

    /// Of lanes.
    fn plus(self, other: Self) -> Self;
    /// Of lanes.
    fn minus(self, other: Self) -> Self;
    /// Lanes moved towards their higher bits.
    fn up<const BITS: i32>(self) -> Self;
    /// Lanes moved towards their lower bits.
    fn down<const BITS: i32>(self) -> Self;
    /// A mask: lanes that are greater, with their signs.
    fn above(self, bound: i32) -> Self;
    /// A mask: lanes that are equal.
    fn equals(self, other: Self) -> Self;

    /// Of bytes, which end at zero.
    fn bytes_less(self, other: u8) -> Self;
    /// A mask: bytes that are greater, with their signs.
    fn bytes_above(self, bound: i8) -> Self;
    /// The upper four bits of each byte.
    fn upper_halves(self) -> Self;

    /// Of a mask, one bit a byte.
    fn mask(self) -> u32;
    /// Of four masks.
    fn masks(four: [Self; 4]) -> u64;
    /// Whether all bits of a mask are ones.
    fn is_full(self) -> bool;
    /// Whether all bits are zeros.
    fn is_zero(self) -> bool;
    /// Whether a byte is zero.
    fn has_zero(self) -> bool;

    /// The lanes of all four as bytes: what is too much for one becomes 0xFF, or 0 when it is negative.
    fn narrowed(four: [Self; 4]) -> Self;

    /// The bytes that `order` names by their places, zeros where it has its top bit.
    ///
    /// # Safety
    /// The processor [can](Vector::can_pick).
    unsafe fn picked(self, order: Self) -> Self;
    /// The last of the bytes `before`, from a place on, which is 13, 14 or 15, and these behind them.
    ///
    /// # Safety
    /// The processor [can](Vector::can_pick).
    unsafe fn behind<const FROM: i32>(self, before: Self) -> Self;
    /// Of lanes of four bytes that have six bits each, or of one that has seven: those bits, moved together.
    ///
    /// # Safety
    /// The processor [can](Vector::can_pick).
    #[inline(always)]
    unsafe fn sixes(self) -> Self {
        let two = self.down::<2>().and(Self::lanes(0x3F << 6));
        let three = self.down::<4>().and(Self::lanes(0x3F << 12));
        let four = self.down::<6>().and(Self::lanes(0x3F << 18));
        self.and(Self::lanes(0x7F)).or(two).or(three.or(four))
    }
}

#[cfg(test)]
mod tests;
