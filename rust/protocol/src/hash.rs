//! Hashes what both sides of a protocol have to agree on.

/// Hashes bytes to 32 bits.
pub(crate) fn folded(bytes: &[u8]) -> u32 {
    let hash = fnv(bytes);
    u32::try_from((hash ^ (hash >> 32)) & 0xFFFF_FFFF).unwrap_or_default()
}

/// Computes the hash FNV-1a of 64 bits: short, and the same in every language.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, add)
}
