//! Framing: what stands before the values of an input, found out or written.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use variant_core::{Progress, PushDecoder, Rules, Skip, validate};

use crate::arguments::Framing;
use crate::failure::Failure;

/// Bytes of the smallest value: zeros are no stream of empty ones.
const LEAST_VALUE: u64 = 4;
/// Bytes of a piece of a large file.
const PIECE: usize = 1 << 18;

/// Auto, nothing, where the bytes are one value or their lengths do not add up.
pub(crate) fn guess(bytes: &[u8], rules: &Rules) -> Framing {
    let is_value = || validate(bytes, rules).is_ok_and(|extent| extent.trailing == 0);
    let adds_up = lengths_add_up(&mut io::Cursor::new(bytes), bytes.len() as u64);
    if adds_up.unwrap_or(false) && !is_value() { Framing::U32 } else { Framing::Auto }
}

/// The same of a file that is not held.
pub(crate) fn guess_file(path: &Path, rules: &Rules) -> io::Result<Framing> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    if !lengths_add_up(&mut BufReader::new(&file), size)? {
        return Ok(Framing::Auto);
    }
    file.rewind()?;
    let mut decoder = PushDecoder::new(Skip, *rules);
    let mut piece = vec![0; PIECE];
    let mut left = size;
    // A stream of values is seldom a value for long: this is over soon.
    while let count @ 1.. = file.read(&mut piece)? {
        left = left.saturating_sub(count as u64);
        match decoder.feed(&piece[..count]) {
            Ok(Progress::NeedMore { .. }) => {}
            Ok(Progress::Done { unused: 0, .. }) if left == 0 => return Ok(Framing::Auto),
            _ => break,
        }
    }
    Ok(Framing::U32)
}

/// Whether the whole is values, each with its length before it. Only the lengths are read.
fn lengths_add_up(input: &mut (impl Read + Seek), size: u64) -> io::Result<bool> {
    let mut at = 0;
    while at < size {
        let mut word = [0; 4];
        match input.read_exact(&mut word) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        }
        let length = u32::from_le_bytes(word);
        at += 4 + u64::from(length);
        if u64::from(length) < LEAST_VALUE || at > size {
            return Ok(false);
        }
        input.seek_relative(i64::from(length))?;
    }
    Ok(size > 0)
}

/// A value as it is written in a framing.
pub(crate) fn framed(value: &[u8], framing: Framing) -> Result<Vec<u8>, Failure> {
    let length = u32::try_from(value.len()).map_err(|_| Failure::data("a value too long for a frame"))?;
    let head = match framing {
        Framing::Auto | Framing::None => return Ok(value.to_vec()),
        Framing::U32 => length.to_le_bytes(),
        Framing::U32be => length.to_be_bytes(),
    };
    Ok([&head, value].concat())
}
