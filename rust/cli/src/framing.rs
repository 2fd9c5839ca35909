//! Finds out what stands before the values of an input, a length or nothing, and writes it.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use variant_text::sniff::{InputHead, LOOKED_AT, are_lengths, guess_framing};

use crate::arguments::{Framing, Reading};
use crate::failure::Failure;
use crate::values::Input;
use crate::{container, source};

/// The bytes of the smallest value. A length of less is none, so zeros are no stream of empty values.
const LEAST_VALUE: u64 = 4;

/// Returns how an input is framed: as the call says, or else by lengths, if they add up to the whole input.
/// `Auto` means that no lengths were found.
pub(crate) fn of(path: &Path, input: &Input, reading: &Reading) -> io::Result<Framing> {
    match (reading.framing, input) {
        (Framing::Auto, Input::Held(bytes)) => {
            let size = bytes.len() as u64;
            let add_up = lengths_add_up(&mut io::Cursor::new(bytes), size)?;
            Ok(if add_up { guessed(bytes, size) } else { Framing::Auto })
        }
        (Framing::Auto, Input::Read(_, Some(size))) => of_file(path, reading.skip, *size),
        // A pipe cannot be read twice, so one without a framing in the call was read whole, and is `Held`.
        (given, _) => Ok(given),
    }
}

/// Returns how a file that is not in memory is framed, behind the bytes that `--skip` leaves out.
fn of_file(path: &Path, skip: u64, size: u64) -> io::Result<Framing> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(skip))?;
    if !lengths_add_up(&mut BufReader::new(&file), size)? {
        return Ok(Framing::Auto);
    }
    file.seek(SeekFrom::Start(skip))?;
    let mut first = Vec::new();
    file.take(LOOKED_AT as u64).read_to_end(&mut first)?;
    Ok(guessed(&first, size))
}

/// Finds the framing of a file that is to be replaced, so that it is read as before; `None` where there is no such file or no
/// length in it. Refuses a compressed or encrypted file, since `encode` makes neither.
pub(crate) fn of_replaced(path: &Path) -> Result<Option<Framing>, Failure> {
    let failed = |error| Failure::file(path, error);
    let about = match fs::metadata(path) {
        Ok(about) if about.is_file() => about,
        _ => return Ok(None),
    };
    let mut first = Vec::new();
    File::open(path).and_then(|file| file.take(LOOKED_AT as u64).read_to_end(&mut first)).map_err(failed)?;
    if container::is_packed(&first) {
        let ways = "`gdvar edit` keeps that, and --framing writes plain bytes";
        let shown = source::shown(path);
        return Err(Failure::misuse(format!("{shown} is compressed or encrypted: {ways}")));
    }
    let framing = match guess_framing(&first) {
        variant_core::Framing::U32Be if about.len() <= LOOKED_AT as u64 => Framing::U32be,
        _ => of_file(path, 0, about.len()).map_err(failed)?,
    };
    Ok(Some(framing).filter(|framing| matches!(framing, Framing::U32 | Framing::U32be)))
}

/// Returns the framing of an input whose lengths add up, by its first bytes.
fn guessed(first: &[u8], size: u64) -> Framing {
    let are_some = are_lengths(&InputHead::new(first, size), variant_core::Framing::U32);
    if are_some { Framing::U32 } else { Framing::Auto }
}

/// Whether the whole input is values, each with its length before it. Only the lengths are read.
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

pub(crate) fn framed(value: &[u8], framing: Framing) -> Result<Vec<u8>, Failure> {
    let length = u32::try_from(value.len()).map_err(|_| Failure::data("a value too long for a frame"))?;
    Ok([&framing.length(length), value].concat())
}
