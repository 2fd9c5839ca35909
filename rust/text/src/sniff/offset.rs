//! Finds values behind the header of another program, such as a mark and a version, or a text with its
//! length. Nothing says how long a header is, so every length up to some bytes is tried.

use variant_core::{Dialect, Framing};

use super::framing::is_stream;
use super::head::InputHead;
use super::rank::has_denormals;

/// The most bytes of a header. Each length is a reading to be tried.
const MOST_SKIPPED: usize = 64;
/// The bytes that are read behind each of them.
const LOOKED_AT: usize = 4 << 10;
/// The bytes of the smallest value that is recognized: a null is any four zeros.
const LEAST: u64 = 8;

/// Returns the bytes before the first value, where all behind them is values, of at least as many bytes: the end of
/// a broken value is often one. Values with their lengths before them are likelier than one value alone, since that
/// stands behind such a length as well; then the shorter header is.
#[must_use]
pub fn behind(head: &InputHead<'_>) -> Option<u64> {
    let head = head.cut(LOOKED_AT);
    let skips = 1..MOST_SKIPPED.min(head.bytes.len());
    let is_some = |rest: &InputHead<'_>, skip: usize| rest.size >= skip as u64;
    let readings = skips.filter_map(|skip| {
        let rest = head.from(skip).filter(|rest| is_some(rest, skip))?;
        Some((skip, likelihood(&rest)?))
    });
    readings.min_by_key(|(skip, likelihood)| (*likelihood, *skip)).map(|(skip, _)| skip as u64)
}

/// Returns how likely it is that values begin here, the likeliest first; `None` where none do.
fn likelihood(rest: &InputHead<'_>) -> Option<(bool, bool)> {
    if rest.size < LEAST {
        return None;
    }
    let readings = [Framing::U32, Framing::U32Be, Framing::None].into_iter();
    let fitting = readings.flat_map(|framing| Dialect::ALL.map(|dialect| (framing, dialect))).filter(
        |(framing, dialect)| match framing {
            Framing::None => rest.goes_on(*dialect),
            framed => rest.size >= LEAST + 4 && is_stream(rest, *framed, *dialect),
        },
    );
    let ranked =
        fitting.map(|(framing, dialect)| (has_denormals(rest, framing, dialect), framing == Framing::None));
    ranked.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Option<u64> {
        behind(&InputHead::of(bytes))
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn values_behind_a_header_are_found() {
        let int = words(&[2, 7]);
        let framed = words(&[8, 2, 7]);
        let version = [&words(&[5])[..], b"0.9.1"].concat();
        for (header, rest, expected) in [
            (&version[..], &framed, 9),
            (b"SAVE\x02\0\0\0", &framed, 8),
            (b"SAVE\x02\0\0\0", &int, 8),
            (b"\x05", &int, 1),
            (b"\xff\xfe", &framed, 2),
        ] {
            assert_eq!(found(&[header, rest].concat()), Some(expected), "{header:?}");
        }
        // There are more of them than are read.
        let long = [&b"MARK"[..], &framed.repeat(20_000)].concat();
        assert_eq!(behind(&InputHead::new(&long[..4096], long.len() as u64)), Some(4));
    }

    #[test]
    fn nothing_is_found_in_others() {
        let cut = words(&[27, 3, 4, 4, u32::from_le_bytes(*b"name"), 4, 9, 0x6162_6364]);
        let broken = words(&[28, 3, 99, 7, 2, 7]);
        for bytes in [&broken[..], b"neither this nor that", &[0; 64], &[255; 100], &cut, &[9]] {
            assert_eq!(found(bytes), None, "{bytes:?}");
        }
    }
}
