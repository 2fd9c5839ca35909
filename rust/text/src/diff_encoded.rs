//! Compares encoded values, so that no two that differ in a byte pass for equal.

use std::io;

use variant_core::token::{Container, Leaf};
use variant_core::{Error, Path, Rules, decode};

use crate::diff::{Change, Difference, diff_named};
use crate::document::Document;
use crate::hex::Hex;
use crate::trail::{Trail, View, view};

/// The number of bytes shown from the first different one.
const SHOWN_BYTES: usize = 16;

/// Reports every difference between two encoded values. Where the values are equal and the bytes are not, it
/// reports [`Change::Rewritten`] at the place of the first different byte. The inner result is the verdict on
/// the bytes; the first that is refused is named.
///
/// # Errors
/// Returns the errors of `found`.
pub fn diff_encoded<E>(
    before: &[u8],
    after: &[u8],
    rules: &Rules,
    found: &mut dyn FnMut(Difference) -> Result<(), E>,
) -> Result<Result<(), (Side, Error)>, E> {
    let decoded = decode(before, rules)
        .map_err(|error| (Side::Before, error))
        .and_then(|a| Ok((a, decode(after, rules).map_err(|error| (Side::After, error))?)));
    let (a, b) = match decoded {
        Ok(both) => both,
        Err(refused) => return Ok(Err(refused)),
    };
    let mut is_same = true;
    let documents = [Document::of(before, rules), Document::of(after, rules)];
    diff_named(&a, &b, [documents[0].as_ref(), documents[1].as_ref()], &mut |difference| {
        is_same = false;
        found(difference)
    })?;
    if is_same && before != after {
        found(rewritten(before, after, rules))?;
    }
    Ok(Ok(()))
}

/// Names one of the two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Before,
    /// The second.
    After,
}

fn rewritten(before: &[u8], after: &[u8], rules: &Rules) -> Difference {
    let at = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let mut locate = ByteLocator { at: at as u64, path: String::new() };
    // It was decoded already, and nothing is written. Bytes behind the value belong to no part of it.
    if let Ok(Ok(extent)) = view(before, rules, &mut locate)
        && locate.at >= extent.consumed
    {
        locate.path = Path::default().to_string();
    }
    let shown = |bytes: &[u8]| {
        let rest = bytes.get(at..).unwrap_or_default();
        let digits = Hex(rest.get(..SHOWN_BYTES).unwrap_or(rest));
        Some(format!("{{\"byte_offset\":{at},\"bytes\":\"{digits}\"}}"))
    };
    Difference { path: locate.path, change: Change::Rewritten, before: shown(before), after: shown(after) }
}

struct ByteLocator {
    at: u64,
    path: String,
}

impl ByteLocator {
    fn pass(&mut self, trail: &Trail, at: u64) {
        if at <= self.at {
            self.path = trail.path().to_string();
        }
    }
}

impl View for ByteLocator {
    fn leaf(&mut self, trail: &Trail, at: u64, _: &Leaf<'_>) -> io::Result<()> {
        self.pass(trail, at);
        Ok(())
    }

    fn open(&mut self, trail: &Trail, at: u64, _: &Container<'_>) -> io::Result<()> {
        self.pass(trail, at);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::looking;

    fn found(before: &[u8], after: &[u8]) -> Vec<(String, Change)> {
        let mut found = Vec::new();
        let told: Result<_, ()> = diff_encoded(before, after, &looking(), &mut |difference| {
            found.push((difference.path, difference.change));
            Ok(())
        });
        assert_eq!(told, Ok(Ok(())));
        found
    }

    /// Makes a Dictionary of ints.
    fn dictionary(entries: &[(u32, u32)]) -> Vec<u8> {
        let words = entries.iter().flat_map(|(key, value)| [2, *key, 2, *value]);
        let head = [27, u32::try_from(entries.len()).unwrap()];
        head.into_iter().chain(words).flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn keys_that_come_twice_are_matched_in_order() {
        let twice = [(1, 7), (1, 8), (2, 9)];
        assert_eq!(found(&dictionary(&twice), &dictionary(&twice)), []);
        let other = found(&dictionary(&twice), &dictionary(&[(1, 7), (1, 5), (2, 9)]));
        assert_eq!(other, [("[1]".to_owned(), Change::Changed)]);
        let turned = found(&dictionary(&twice), &dictionary(&[(2, 9), (1, 7), (1, 8)]));
        assert_eq!(turned, [("(root)".to_owned(), Change::Reordered)]);
    }

    #[test]
    fn bytes_behind_the_value_belong_to_the_whole() {
        let bytes = dictionary(&[(1, 7)]);
        let longer = [bytes.as_slice(), &[0]].concat();
        for (before, after) in
            [(&bytes, &longer), (&longer, &bytes), (&longer, &[bytes.as_slice(), &[1]].concat())]
        {
            assert_eq!(found(before, after), [("(root)".to_owned(), Change::Rewritten)]);
        }
    }

    /// Tests every byte of a value, spoiled: bytes that can still be read differ.
    #[test]
    fn no_byte_differs_unseen() {
        let mut bytes = dictionary(&[(1, 7), (2, 8)]);
        // The second value becomes the String "abc", with a byte of padding; one byte more follows.
        bytes.truncate(32);
        bytes.extend([4, 0, 0, 0, 3, 0, 0, 0, b'a', b'b', b'c', 0, 99]);
        let mut read = 0;
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut spoiled = bytes.clone();
                spoiled[at] ^= 1 << bit;
                let mut is_same = true;
                let told: Result<_, ()> = diff_encoded(&bytes, &spoiled, &looking(), &mut |_| {
                    is_same = false;
                    Ok(())
                });
                if told == Ok(Ok(())) {
                    read += 1;
                    assert!(!is_same, "byte {at} bit {bit}");
                }
            }
        }
        assert!(read > 50, "{read}");
    }
}
