//! Changes inputs without changing their length: bits, bytes, words, types, flags.

use super::Random;

/// Lists words at the edges of valid counts, lengths and ids.
pub(super) const EDGES: [u32; 24] = [
    0, 1, 2, 3, 4, 5, 7, 8, 16, 38, 39, 255, 256, 0x10000, 0x3FFFFFFF, 0x40000000, 0x7FFFFFFE, 0x7FFFFFFF,
    0x80000000, 0x80000001, 0xFFFFFFFC, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF,
];

/// Lists every such change; those that break most deeply stand twice and so come more often.
pub const CHANGES: [fn(&mut Random, &mut [u8]); 10] =
    [flip_bit, flip_bit, set_byte, set_word, set_word, nudge_word, nudge_word, set_type, set_type, flip_flag];

/// Makes a random change of these.
pub(super) fn change(random: &mut Random, input: &mut [u8]) {
    let change = random.pick(&CHANGES);
    change(random, input);
}

fn flip_bit(random: &mut Random, input: &mut [u8]) {
    let bit = random.below(8);
    let at = random.below(input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte ^= 1 << bit;
    }
}

fn set_byte(random: &mut Random, input: &mut [u8]) {
    let value = random.byte();
    let at = random.below(input.len());
    if let Some(byte) = input.get_mut(at) {
        *byte = value;
    }
}

/// Replaces a word by an edge.
fn set_word(random: &mut Random, input: &mut [u8]) {
    let edge = random.pick(&EDGES);
    with_word(random, input, |_| edge);
}

/// Changes a word by a little, so that counts are nearly right.
fn nudge_word(random: &mut Random, input: &mut [u8]) {
    let step = random.pick(&[1, u32::MAX, 2, 4, 0x8000_0000]);
    with_word(random, input, |word| word.wrapping_add(step));
}

/// Puts another type id into what may be a header.
fn set_type(random: &mut Random, input: &mut [u8]) {
    let id = u32::from(random.byte() % 40);
    with_word(random, input, |word| word & !0xFF | id);
}

/// Flips a bit above the type id in what may be a header; mostly a bit that has a meaning.
fn flip_flag(random: &mut Random, input: &mut [u8]) {
    let bit = random.pick(&[16, 16, 17, 18, 19, 8, 20, 31]);
    with_word(random, input, |word| word ^ 1 << bit);
}

fn with_word(random: &mut Random, input: &mut [u8], change: impl FnOnce(u32) -> u32) {
    let at = random.below(input.len()) & !3;
    if let Some(word) = input.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) {
        *word = change(u32::from_le_bytes(*word)).to_le_bytes();
    }
}
