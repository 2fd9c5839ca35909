//! Reads and writes FastLZ, both levels: the default of `open_compressed`. No kept crate reads it without C, and it is
//! small.
//!
//! A stream is instructions: literal runs, and matches that copy from what was written. The first byte's top
//! bits name the level. Every copy is checked against what is there and what may still be written.

/// The distance of a match of level 2 that goes on in 16 more bits.
const FAR: usize = 0x1FFF;

/// The number of bytes of the longest literal run, and the least that the engine compresses.
const LONGEST_RUN: usize = 32;
const LEAST: usize = 16;

/// Returns at most `most` bytes; `None` for a stream that is none, or that gives more.
pub(super) fn decompress(input: &[u8], most: usize) -> Option<Vec<u8>> {
    // The number of the level, less one.
    let level = input.first().map(|first| first >> 5).filter(|level| *level < 2)?;
    let mut input = input;
    let mut output = Vec::new();
    // The level stands in the first instruction, which is a literal run.
    let mut code = input.split_off_first()? & 31;
    loop {
        if code < 32 {
            let run = input.split_off(..usize::from(code).checked_add(1)?)?;
            if output.len().checked_add(run.len())? > most {
                return None;
            }
            output.extend_from_slice(run);
        } else {
            copy(&mut input, code, level, most, &mut output)?;
        }
        match input.split_off_first() {
            Some(next) => code = *next,
            None => return Some(output),
        }
    }
}

fn copy(input: &mut &[u8], code: u8, level: u8, most: usize, output: &mut Vec<u8>) -> Option<()> {
    let mut next = || input.split_off_first().copied();
    let mut length = usize::from(code >> 5).checked_add(2)?;
    if code >> 5 == 7 {
        loop {
            let more = next()?;
            length = length.checked_add(usize::from(more))?;
            if level == 0 || more != 255 {
                break;
            }
        }
    }
    let mut distance = usize::from(code & 31) << 8 | usize::from(next()?);
    if level == 1 && distance == FAR {
        distance = distance.checked_add(usize::from(next()?) << 8 | usize::from(next()?))?;
    }
    let from = output.len().checked_sub(distance.checked_add(1)?)?;
    if output.len().checked_add(length)? > most {
        return None;
    }
    // Byte by byte: a match may reach into what it writes.
    for at in from..from.checked_add(length)? {
        output.push(*output.get(at)?);
    }
    Some(())
}

/// Writes the bytes as literal runs of level 1: it saves nothing, and every reader takes it. The engine compresses no
/// fewer than 16 bytes, and fills them up with zeros.
pub(super) fn compress(raw: &[u8]) -> Vec<u8> {
    let mut padded = raw.to_vec();
    padded.resize(raw.len().max(LEAST), 0);
    let mut output = Vec::new();
    for run in padded.chunks(LONGEST_RUN) {
        output.push(u8::try_from(run.len().saturating_sub(1)).unwrap_or(0));
        output.extend_from_slice(run);
    }
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_matches() {
        assert_eq!(decompress(&[2, b'a', b'b', b'c'], 99).unwrap(), b"abc");
        // Three bytes from one back: the match reaches into itself.
        assert_eq!(decompress(&[0, b'a', 1 << 5, 0], 99).unwrap(), b"aaaa");
        // The long form: 7 + 2 + 4.
        assert_eq!(decompress(&[0, b'a', 7 << 5, 4, 0], 99).unwrap().len(), 14);
        // Level 2 goes on after 255.
        assert_eq!(decompress(&[32, b'a', 7 << 5, 255, 1, 0], 999).unwrap().len(), 1 + 9 + 256);
    }

    #[test]
    fn far_matches_of_level_2() {
        let mut stream = vec![32, b'x', 7 << 5];
        let long = 0x1FFF + 5;
        stream.extend(std::iter::repeat_n(255, (long - 9) / 255));
        stream.extend([u8::try_from((long - 9) % 255).unwrap(), 0]);
        stream.extend([1, b'y', b'z', 1 << 5 | 31, 255, 0, 6]);
        let output = decompress(&stream, 1 << 20).unwrap();
        assert_eq!(output.len(), 1 + long + 2 + 3);
        assert_eq!(&output[1 + long..], b"yzxxx");
    }

    #[test]
    fn broken_streams_give_nothing() {
        for stream in [&[][..], &[2, 1], &[0, 1, 32], &[0, 1, 32, 1], &[0, 1, 7 << 5], &[3 << 5, 0]] {
            assert_eq!(decompress(stream, 99), None, "{stream:?}");
        }
        assert_eq!(decompress(&[2, 1, 2, 3], 2), None, "more than it may give");
        assert_eq!(decompress(&[0, 1, 7 << 5, 255, 0], 100), None, "more than it may give");
    }

    #[test]
    fn no_stream_panics() {
        let mut state = 1_u32;
        for _ in 0..20_000 {
            let stream: Vec<u8> = (0..24)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state.to_le_bytes()[3]
                })
                .collect();
            let _ = decompress(&stream, 4096).map(|output| assert!(output.len() <= 4096));
        }
    }
}
