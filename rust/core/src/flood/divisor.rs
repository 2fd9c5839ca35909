//! Divisor: remainders of many numbers by one, which is how places of the engine's tables are found.

/// A number to divide by, and 2^64 divided by it: with that a remainder takes two multiplications and no division.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Divisor {
    number: u32,
    inverse: u64,
}

impl Divisor {
    /// Prepares a division. The remainder by 1 is 0 whatever its inverse.
    pub(crate) fn new(number: u32) -> Divisor {
        let inverse = u64::MAX.checked_div(number.into()).unwrap_or(0).wrapping_add(1);
        Divisor { number, inverse }
    }

    #[inline]
    pub(crate) const fn number(self) -> u32 {
        self.number
    }

    /// Gives the remainder of a number. It is exact for all of 32 bits (Lemire, Kaser and Kurz, "Faster remainder by direct
    /// computation", 2019).
    #[inline]
    pub(crate) fn remainder(self, of: u32) -> u32 {
        let fraction = self.inverse.wrapping_mul(of.into());
        let product = u128::from(fraction).wrapping_mul(self.number.into());
        u32::try_from(product >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{hash, hash_table};

    #[test]
    fn remainders_are_exact() {
        for number in hash_table::CAPACITIES.iter().copied().chain([1, 2, 3, u32::MAX]) {
            let divisor = Divisor::new(number);
            let near = |n: u32| [n.wrapping_sub(1), n, n.wrapping_add(1)];
            let some = (0..5000_u32).map(|n| hash::int(n.into()));
            for of in (0..32).flat_map(|n| near(number.wrapping_mul(n))).chain(near(u32::MAX)).chain(some) {
                assert_eq!(divisor.remainder(of), of % number, "{of} by {number}");
            }
        }
    }
}
