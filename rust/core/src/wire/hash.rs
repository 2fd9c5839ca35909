//! Computes the engine's hash of a key from its bytes, which decides its place in a Dictionary's table. It
//! keeps no table.
//!
//! The behaviour is that of 4.6.3, recorded from a running engine in `tests/golden/hashes.txt`. None of it is
//! secret or seeded, which is why keys can be made to collide (hash flooding).

/// The start of every murmur hash of the engine.
pub(crate) const SEED: u32 = 0x07F0_7C65;
/// The start of the hash of a text.
const TEXT: u32 = 5381;
/// The nesting beyond which containers hash as 0, and the engine logs an error.
pub(crate) const MAX_RECURSION: usize = 100;

/// Mixes one word in by a round of 32-bit MurmurHash3.
#[inline]
#[must_use]
pub const fn word(hash: u32, word: u32) -> u32 {
    let word = word.wrapping_mul(0xCC9E_2D51).rotate_left(15).wrapping_mul(0x1B87_3593);
    (hash ^ word).rotate_left(13).wrapping_mul(5).wrapping_add(0xE654_6B64)
}

/// Mixes a long in by two rounds, the low half first.
#[must_use]
pub fn long(hash: u32, number: u64) -> u32 {
    word(word(hash, low(number)), low(number >> 32))
}

/// Returns the single that stands for all that are one key with it: 0.0 for -0.0, and one NaN.
pub(crate) fn one_single(number: f32) -> f32 {
    if number.is_nan() { f32::NAN } else { number + 0.0 }
}

/// Returns the double that stands for all that are one key with it.
pub(crate) fn one_double(number: f64) -> f64 {
    if number.is_nan() { f64::NAN } else { number + 0.0 }
}

/// Mixes a single in, where 0.0 equals -0.0 and all NaNs are one.
#[must_use]
pub fn single(hash: u32, number: f32) -> u32 {
    word(hash, one_single(number).to_bits())
}

/// Mixes a double in, where 0.0 equals -0.0 and all NaNs are one.
#[must_use]
pub fn double(hash: u32, number: f64) -> u32 {
    long(hash, one_double(number).to_bits())
}

/// Does the last mixing of 32-bit MurmurHash3.
#[must_use]
pub const fn finish(hash: u32) -> u32 {
    let hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    let hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

/// Hashes a whole number by Thomas Wang's mix of 64 bits, cut to 32.
#[must_use]
pub fn int(number: u64) -> u32 {
    let mixed = (!number).wrapping_add(number << 18);
    let mixed = (mixed ^ (mixed >> 31)).wrapping_mul(21);
    let mixed = mixed ^ (mixed >> 11);
    let mixed = mixed.wrapping_add(mixed << 6);
    low(mixed ^ (mixed >> 22))
}

/// Mixes more characters of a text in: each UTF-32 unit is added to 33 times the hash.
pub(crate) fn more_text(hash: u32, text: &str) -> u32 {
    if text.is_ascii() {
        return more_ascii(hash, text.as_bytes());
    }
    text.chars().fold(hash, |hash, unit| hash.wrapping_mul(33).wrapping_add(u32::from(unit)))
}

/// Hashes a String or StringName whose characters are one byte each.
#[inline]
#[must_use]
pub fn ascii(text: &[u8]) -> u32 {
    more_ascii(TEXT, text)
}

/// Mixes more characters of a text in that are one byte each.
#[inline]
pub(crate) fn more_ascii(hash: u32, text: &[u8]) -> u32 {
    const P: [u32; 4] = [33, 33 * 33, 33 * 33 * 33, 33 * 33 * 33 * 33];
    // Four are taken at a time, so that one multiplication has to wait for the last, not four.
    let (words, tail) = text.as_chunks::<4>();
    let hash = words.iter().fold(hash, |hash, [a, b, c, d]| {
        let [a, b, c, d] = [a, b, c, d].map(|byte| u32::from(*byte));
        let added = a.wrapping_mul(P[2]).wrapping_add(b.wrapping_mul(P[1]));
        let added = added.wrapping_add(c.wrapping_mul(P[0])).wrapping_add(d);
        hash.wrapping_mul(P[3]).wrapping_add(added)
    });
    tail.iter().fold(hash, |hash, byte| hash.wrapping_mul(33).wrapping_add(u32::from(*byte)))
}

/// Joins the hashes of two texts: each of the second text's `characters` multiplies the hash before it by 33,
/// and does nothing else.
#[inline]
#[must_use]
pub fn joined(before: u32, text: u32, characters: usize) -> u32 {
    let factor = match POWERS.get(characters) {
        Some(factor) => *factor,
        // The powers repeat after 2^32 characters, and sooner.
        None => 33_u32.wrapping_pow(low(u64::try_from(characters).unwrap_or(0))),
    };
    before.wrapping_sub(TEXT).wrapping_mul(factor).wrapping_add(text)
}

/// Lists the powers of 33 for the lengths that names have.
static POWERS: [u32; 64] = {
    let mut powers = [1_u32; 64];
    let mut slots: &mut [u32] = &mut powers;
    let mut so_far = 1_u32;
    while let [slot, others @ ..] = slots {
        *slot = so_far;
        so_far = so_far.wrapping_mul(33);
        slots = others;
    }
    powers
};

/// Hashes a String or StringName.
#[must_use]
pub fn text(text: &str) -> u32 {
    more_text(TEXT, text)
}

/// Hashes bytes as 32-bit MurmurHash3; the rest of the last word is mixed in by itself.
#[must_use]
pub fn buffer(bytes: &[u8]) -> u32 {
    let (words, tail) = bytes.as_chunks::<4>();
    let mut hash = words.iter().fold(SEED, |hash, bytes| word(hash, u32::from_le_bytes(*bytes)));
    if !tail.is_empty() {
        let last = tail.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
        hash ^= last.wrapping_mul(0xCC9E_2D51).rotate_left(15).wrapping_mul(0x1B87_3593);
    }
    finish(hash ^ low(u64::try_from(bytes.len()).unwrap_or(0)))
}

fn low(number: u64) -> u32 {
    u32::try_from(number & u64::from(u32::MAX)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_is_what_both_in_one_are() {
        let long = "x".repeat(100);
        for before in ["", "/", "root", "имя", "a text of more than sixteen bytes"] {
            for after in ["", "a", "level_17", "日本", &long[..62], &long[..63], &long[..64], &long] {
                let joined = joined(text(before), text(after), after.chars().count());
                assert_eq!(joined, text(&format!("{before}{after}")), "{before:?} {after:?}");
            }
        }
    }
}
