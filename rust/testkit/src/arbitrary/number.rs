//! Makes random numbers, the edges of each width more often than anything between.

use proptest::prelude::*;

/// Lists the ints at which the width changes, and the ends of both widths.
const INTS: [i64; 14] = [
    0,
    1,
    -1,
    255,
    65_536,
    0x7FFF_FFFE,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    -0x8000_0000,
    -0x8000_0001,
    9_007_199_254_740_993,
    i64::MAX,
    i64::MIN,
];

/// Lists the ends of single precision, its subnormals and its special values, as bits; NaNs have a payload
/// and a sign.
const SINGLES: [u32; 16] = [
    0,
    0x8000_0000,
    0x3F80_0000,
    0xBF80_0000,
    0x3DCC_CCCD,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    0xFFC0_0000,
    0x7FA0_0001,
    0x0000_0001,
    0x8000_0001,
    0x007F_FFFF,
    0x0080_0000,
    0x7F7F_FFFF,
    0x4B80_0000,
];

/// Lists the ends and special values of double precision, and the numbers just beyond what a single can hold,
/// as bits.
const DOUBLES: [u64; 20] = [
    0,
    0x8000_0000_0000_0000,
    0x3FF0_0000_0000_0000,
    0x3FB9_9999_9999_999A,
    0x400921FB_54442D18,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_0000,
    0xFFF8_0000_0000_0000,
    0x7FF0_0000_0000_0001,
    0xFFFF_FFFF_FFFF_FFFF,
    0x0000_0000_0000_0001,
    0x0010_0000_0000_0000,
    0x7FEF_FFFF_FFFF_FFFF,
    0x47EF_FFFF_E000_0000,
    0x47EF_FFFF_E000_0001,
    0x36A0_0000_0000_0000,
    0x3690_0000_0000_0000,
    0x4170_0000_1000_0000,
    0x47F0_0000_0000_0000,
];

/// Makes a 64-bit int.
pub fn int() -> impl Strategy<Value = i64> {
    prop_oneof![
        2 => prop::sample::select(&INTS[..]),
        1 => any::<i64>(),
        1 => any::<i32>().prop_map(i64::from),
    ]
}

/// Makes a 32-bit int.
pub fn int32() -> impl Strategy<Value = i32> {
    prop_oneof![prop::sample::select(&[0, 1, -1, i32::MAX, i32::MIN][..]), any::<i32>()]
}

/// Makes a single-precision float of any bits.
pub fn single() -> impl Strategy<Value = f32> {
    prop_oneof![prop::sample::select(&SINGLES[..]), any::<u32>()].prop_map(f32::from_bits)
}

/// Makes a double-precision float of any bits; often one that a single can hold.
pub fn double() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => prop::sample::select(&DOUBLES[..]).prop_map(f64::from_bits),
        1 => any::<u64>().prop_map(f64::from_bits),
        1 => single().prop_map(f64::from),
    ]
}
