//! Hashes what both sides of a protocol have to agree on.

/// Hashes bytes to 32 bits.
pub(crate) fn folded(bytes: &[u8]) -> u32 {
    let mut hash = Fnv::new();
    hash.add(bytes);
    u32::try_from((hash.0 ^ (hash.0 >> 32)) & 0xFFFF_FFFF).unwrap_or_default()
}

/// Computes the hash FNV-1a of 64 bits: short, and the same in every language.
pub(crate) struct Fnv(pub(crate) u64);

impl Fnv {
    pub(crate) const fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
