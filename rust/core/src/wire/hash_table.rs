//! Lists the capacities of the engine's hash table, and tells when it grows. It holds no entry.

/// Lists the primes that a Dictionary's table goes through. It begins with the third (hash_map.h, hashfuncs.h
/// of 4.6.3).
pub const CAPACITIES: &[u32] = &[
    23,
    47,
    97,
    193,
    389,
    769,
    1543,
    3079,
    6151,
    12289,
    24593,
    49157,
    98317,
    196_613,
    393_241,
    786_433,
    1_572_869,
    3_145_739,
    6_291_469,
    12_582_917,
    25_165_843,
    50_331_653,
    100_663_319,
    201_326_611,
    402_653_189,
    805_306_457,
    1_610_612_741,
];

/// Returns how many entries a table of this capacity takes: it is three quarters full at most.
#[must_use]
pub fn most(capacity: u32) -> u64 {
    u64::from(capacity).saturating_mul(3) >> 2
}

/// Tells whether a table of this capacity takes this number of entries.
#[must_use]
pub fn holds(capacity: u32, entries: u64) -> bool {
    entries <= most(capacity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacities_double_and_are_prime() {
        for pair in CAPACITIES.windows(2) {
            let pair = [u64::from(pair[0]), u64::from(pair[1])];
            assert!(pair[1] * 10 > pair[0] * 19, "{pair:?}");
        }
        for prime in CAPACITIES {
            let mut divisors = (2..).take_while(|d| d * d <= *prime);
            assert!(divisors.all(|d| prime % d != 0), "{prime}");
        }
    }

    #[test]
    fn three_quarters_are_full() {
        assert!(holds(23, 17) && !holds(23, 18));
    }
}
