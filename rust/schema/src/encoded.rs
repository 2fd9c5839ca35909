//! EncodedPrefix: a value as engines write it, to be found at the head of bytes without reading them as a value.
//!
//! It compares and judges nothing else: other encodings of the same value are not found.

/// Bytes that are compared at once.
const AT_ONCE: usize = 16;

/// The bytes of a value.
#[derive(Debug)]
pub(crate) struct EncodedPrefix {
    bytes: Box<[u8]>,
    /// The first of them as one number, and which bits of it count.
    number: u128,
    mask: u128,
}

impl EncodedPrefix {
    pub(crate) fn new(bytes: &[u8]) -> EncodedPrefix {
        let (mut number, mut mask) = ([0; AT_ONCE], [0; AT_ONCE]);
        for ((slot, counts), byte) in number.iter_mut().zip(&mut mask).zip(bytes) {
            (*slot, *counts) = (*byte, 0xFF);
        }
        let (number, mask) = (u128::from_le_bytes(number), u128::from_le_bytes(mask));
        EncodedPrefix { bytes: bytes.into(), number, mask }
    }

    /// Returns what follows these bytes in others that begin with them.
    #[inline(always)]
    pub(crate) fn strip<'i>(&self, bytes: &'i [u8]) -> Option<&'i [u8]> {
        match bytes.first_chunk() {
            Some(head) if (u128::from_le_bytes(*head) ^ self.number) & self.mask != 0 => None,
            Some(_) if self.bytes.len() <= AT_ONCE => bytes.get(self.bytes.len()..),
            _ => bytes.strip_prefix(&*self.bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_strips_what_a_plain_comparison_strips() {
        let all: Vec<u8> = (1..=40).collect();
        for length in 0..40 {
            let encoded = EncodedPrefix::new(&all[..length]);
            for end in 0..=40 {
                let mut bytes = all[..end].to_vec();
                assert_eq!(encoded.strip(&bytes), bytes.strip_prefix(&all[..length]), "{length} of {end}");
                for at in 0..end {
                    bytes[at] ^= 0x80;
                    assert_eq!(encoded.strip(&bytes), bytes.strip_prefix(&all[..length]), "{length}, {at}");
                    bytes[at] ^= 0x80;
                }
            }
        }
    }
}
