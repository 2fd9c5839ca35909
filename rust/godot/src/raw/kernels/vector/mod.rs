//! Defines the operations on registers of 16 bytes that the kernels need, and implements them for each
//! processor.
//!
//! `plain` implements them byte by byte: tests compare with it, and it is used where a processor has no such
//! register. There `can_pick()` is false, and the scalar fallbacks of the kernels run, which are then faster.

/// Writes operations of one expression each. They are always inlined: a vector that is passed to a function goes through memory.
macro_rules! operations {
    ($(fn $name:ident$(<const $n:ident: i32>)?($($input:tt)*) -> $output:ty = $body:expr;)*
     $(unsafe fn $raw:ident$(<const $m:ident: i32>)?($($raw_input:tt)*) $(-> $raw_output:ty)? = $raw_body:expr;)*) => {
        $(
            #[inline(always)]
            #[allow(unused_unsafe)]
            fn $name$(<const $n: i32>)?($($input)*) -> $output {
                // SAFETY: each processor that this is compiled for has these registers.
                unsafe { $body }
            }
        )*
        $(
            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn $raw$(<const $m: i32>)?($($raw_input)*) $(-> $raw_output)? {
                // SAFETY: the caller's promise.
                unsafe { $raw_body }
            }
        )*
    };
}

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

/// The largest number of bytes or characters for which kernels are also tested with the plain implementation,
/// which is slow.
#[cfg(test)]
pub(super) const FEW: usize = 40;

/// The number of bytes of a vector.
pub(super) const WIDTH: usize = 16;

/// Holds sixteen bytes, which are also four lanes of 32 bits with the lowest byte of each first. A mask has
/// all bits set where its condition is true, else none.
pub(super) trait Vector: Copy {
    /// Whether every processor that this is compiled for has such registers.
    const IS_WIDE: bool;

    /// Tells whether this processor has the shuffles that some methods need, and counts bits in one step.
    fn can_pick() -> bool;

    /// # Safety
    /// `from` points to 16 bytes.
    unsafe fn load(from: *const u8) -> Self;
    /// # Safety
    /// `to` has room for 16 bytes.
    unsafe fn store(self, to: *mut u8);
    /// Stores the first eight bytes.
    ///
    /// # Safety
    /// `to` has room for eight bytes.
    unsafe fn store_low(self, to: *mut u8);

    /// Makes a vector with the same byte everywhere.
    fn bytes(each: u8) -> Self;
    /// Makes a vector with the same lane everywhere.
    fn lanes(each: u32) -> Self;
    /// Makes a vector of two words of eight bytes.
    fn words(words: [u64; 2]) -> Self;
    /// Returns the first eight bytes.
    fn low(self) -> u64;
    /// Returns the last eight bytes.
    fn high(self) -> u64;

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Selects bits of `yes` where this mask is set, else of `no`.
    fn choose(self, yes: Self, no: Self) -> Self;

    /// Adds lanes.
    fn plus(self, other: Self) -> Self;
    /// Subtracts lanes.
    fn minus(self, other: Self) -> Self;
    /// Shifts lanes towards their higher bits.
    fn up<const BITS: i32>(self) -> Self;
    /// Shifts lanes towards their lower bits.
    fn down<const BITS: i32>(self) -> Self;
    /// Returns a mask of the lanes that are greater, with signs.
    fn above(self, bound: i32) -> Self;
    /// Returns a mask of the lanes that are equal.
    fn equals(self, other: Self) -> Self;

    /// Subtracts bytes; a difference below zero becomes zero.
    fn bytes_less(self, other: u8) -> Self;
    /// Returns a mask of the bytes that are greater, with signs.
    fn bytes_above(self, bound: i8) -> Self;
    /// Returns the upper four bits of each byte.
    fn upper_halves(self) -> Self;

    /// Returns one bit for each byte of a mask.
    fn mask(self) -> u32;
    /// Returns one bit for each byte of four masks.
    #[inline(always)]
    fn masks([a, b, c, d]: [Self; 4]) -> u64 {
        let low = a.mask() | b.mask() << 16;
        let high = c.mask() | d.mask() << 16;
        u64::from(low) | u64::from(high) << 32
    }
    /// Tells whether all bits of a mask are set.
    fn is_full(self) -> bool;
    /// Tells whether no bit is set.
    fn is_zero(self) -> bool;
    /// Tells whether a byte is zero.
    fn has_zero(self) -> bool;

    /// Narrows the lanes of four vectors to bytes: a lane that is too large becomes 0xFF, a negative one 0.
    fn narrowed(four: [Self; 4]) -> Self;

    /// Shuffles bytes: each byte of `order` is the position of the byte to take, or has its top bit set for
    /// zero.
    ///
    /// # Safety
    /// The processor [can shuffle](Vector::can_pick).
    unsafe fn picked(self, order: Self) -> Self;
    /// Returns the last bytes of `before`, from position `FROM` on, which is 13, 14 or 15, and these bytes
    /// behind them.
    ///
    /// # Safety
    /// The processor [can shuffle](Vector::can_pick).
    unsafe fn behind<const FROM: i32>(self, before: Self) -> Self;
    /// Joins the bits of each lane: six bits of each of its four bytes, or seven of a single byte.
    ///
    /// # Safety
    /// The processor [can shuffle](Vector::can_pick).
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
