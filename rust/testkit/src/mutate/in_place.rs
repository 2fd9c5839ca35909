//! Changes that keep the length: bits, bytes, words, types, flags.

use super::Random;

/// Words that sit on the edges of what counts, lengths and ids may be.
pub(super) const EDGES: [u32; 24] = [
    0, 1, 2, 3, 4, 5, 7, 8, 16, 38, 39, 255, 256, 0x10000, 0x3FFFFFFF, 0x40000000, 0x7FFFFFFE, 0x7FFFFFFF,
    0x80000000, 0x80000001, 0xFFFFFFFC, 0xFFFFFFFD, 0xFFFFFFFE, 0xFFFFFFFF,
];

/// Every such change. Those that stand twice reach deepest.
pub(super) const CHANGES: [fn(&mut Random, &mut [u8]); 10] =
    [flip_bit, flip_bit, set_byte, set_word, set_word, nudge_word, nudge_word, set_type, set_type, flip_flag];

/// One of them.
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

/// Puts an edge where a word stands.
fn set_word(random: &mut Random, input: &mut [u8]) {
    let edge = random.pick(&EDGES);
    with_word(random, input, |_| edge);
}

/// One more or one less: counts that are nearly right.
fn nudge_word(random: &mut Random, input: &mut [u8]) {
    let step = random.pick(&[1, u32::MAX, 2, 4, 0x8000_0000]);
    with_word(random, input, |word| word.wrapping_add(step));
}

/// Another type id in what may be a header.
fn set_type(random: &mut Random, input: &mut [u8]) {
    let id = u32::from(random.byte() % 40);
    with_word(random, input, |word| word & !0xFF | id);
}

/// A bit above the type id in what may be a header; mostly one that means something.
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
