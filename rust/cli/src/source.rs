//! Opens inputs: reads a path or the standard input, and takes off hexadecimal digits, Base64, compression
//! and encryption.
//!
//! `framing` and `values` find out which of the bytes are a value.

use std::fs::File;
use std::io::{self, BufReader, Cursor, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine, alphabet};
use variant_core::{Error, ErrorKind, Fault, Limits, Rules};
use variant_save::SaveKeys;

use crate::arguments::Reading;
use crate::container::{self, Layer, Layers};
use crate::failure::{BadData, Failure};
pub(crate) use crate::input_name::{is_stdin, name, shown};
use crate::values::{Input, ValueStream};
use crate::{framing, pasted};

/// The most bytes of a value or a packed file that are held, unless `--max-bytes` says otherwise.
const MOST_BYTES: u64 = 1 << 30;

/// The most bytes of a file that is read at once; a larger one is read in parts. Each core holds a file.
const READ_AT_ONCE: u64 = 8 << 20;

/// The byte order mark that some programs write before UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

pub(crate) fn open(path: &Path, reading: &Reading, rules: &Rules) -> Result<ValueStream, Failure> {
    let (input, layers) = unpacked(path, reading)?;
    values(path, input, layers, reading, rules)
}

pub(crate) fn values(
    path: &Path,
    input: Input,
    layers: Vec<&'static str>,
    reading: &Reading,
    rules: &Rules,
) -> Result<ValueStream, Failure> {
    let framing = framing::of(path, &input, reading).map_err(|error| Failure::file(path, error))?;
    // A value that the limits refuse for its size is not read into memory first.
    let most = most_held(reading).min(rules.limits.max_bytes);
    let limits = Limits { max_bytes: most, ..rules.limits };
    let rules = Rules { limits, ..*rules };
    let mut values = ValueStream::new(shown(path), input, layers, framing, &rules);
    values.skipped = reading.skip;
    Ok(values)
}

pub(crate) fn most_held(reading: &Reading) -> u64 {
    reading.max_bytes.unwrap_or(MOST_BYTES)
}

/// Returns the bytes of an input behind those that `--skip` leaves out, and the layers that were around them.
/// A large plain file is not read yet.
pub(crate) fn unpacked(path: &Path, reading: &Reading) -> Result<(Input, Vec<&'static str>), Failure> {
    let (mut input, layers) = all_of(path, reading)?;
    let too_few = || Failure::misuse(format!("--skip {}: {} has fewer bytes", reading.skip, shown(path)));
    match &mut input {
        Input::Held(bytes) => {
            let skip = usize::try_from(reading.skip).ok().filter(|skip| *skip <= bytes.len());
            bytes.drain(..skip.ok_or_else(too_few)?);
        }
        Input::Read(reader, size) => {
            if let Some(size) = size {
                *size = size.checked_sub(reading.skip).ok_or_else(too_few)?;
            }
            let passed = io::copy(&mut reader.take(reading.skip), &mut io::sink());
            if passed.map_err(|error| Failure::file(path, error))? < reading.skip {
                return Err(too_few());
            }
        }
    }
    Ok((input, layers))
}

/// Opens all bytes of an input, and returns the layers that were around them.
fn all_of(path: &Path, reading: &Reading) -> Result<(Input, Vec<&'static str>), Failure> {
    let failed = |error| Failure::file(path, error);
    let is_text = reading.hex || reading.base64;
    let mut head = Vec::new();
    if !is_text && !is_stdin(path) {
        let mut file = File::open(path).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if about.is_file() && about.len() > READ_AT_ONCE {
            (&mut file).take(4).read_to_end(&mut head).map_err(failed)?;
            if !container::is_packed(&head) {
                let rest = Cursor::new(head).chain(file);
                return Ok((Input::Read(Box::new(BufReader::new(rest)), Some(about.len())), Vec::new()));
            }
        }
    } else if !is_text && reading.framing.has_lengths() {
        io::stdin().lock().take(4).read_to_end(&mut head).map_err(failed)?;
        if !container::is_packed(&head) {
            let rest = Cursor::new(head).chain(io::stdin());
            return Ok((Input::Read(Box::new(BufReader::new(rest)), None), Vec::new()));
        }
    }
    let most = most_held(reading);
    // The bytes taken from the standard input are gone from it; a file is read again from its start.
    let head = if is_stdin(path) { head } else { Vec::new() };
    let bytes = raw(path, head, most)?;
    let bytes = match (reading.hex, reading.base64) {
        (true, _) => pasted::read(&bytes),
        (_, true) => from_base64(&bytes).ok_or("expected Base64"),
        _ => Ok(bytes),
    };
    let packed = bytes.map_err(Failure::data)?;
    let keys = keys(reading, &packed)?;
    let (bytes, layers) = container::unpack(packed, keys.as_ref(), most, reading.max_ratio)?;
    Ok((Input::Held(bytes), layers.iter().map(Layer::name).collect()))
}

/// Reads and unpacks a whole file, and returns the layers and keys that pack it again.
pub(crate) fn layered(path: &Path, reading: &Reading) -> Result<(Vec<u8>, Layers), Failure> {
    let (packed, keys) = packed(path, reading)?;
    let (bytes, layers) = container::unpack(packed, keys.as_ref(), most_held(reading), reading.max_ratio)?;
    Ok((bytes, Layers { layers, keys }))
}

/// Reads a whole file as it is, and returns the password or key that opens it.
pub(crate) fn packed(path: &Path, reading: &Reading) -> Result<(Vec<u8>, Option<SaveKeys>), Failure> {
    let packed = raw(path, Vec::new(), most_held(reading))?;
    let keys = keys(reading, &packed)?;
    Ok((packed, keys))
}

/// Returns the password and key of an encrypted file. A person at a terminal who gave neither is asked, once for all files.
fn keys(reading: &Reading, packed: &[u8]) -> Result<Option<SaveKeys>, Failure> {
    static PROVEN: Mutex<Option<String>> = Mutex::new(None);
    let keys = match &reading.password {
        Some(password) => Some(SaveKeys::password(password)),
        None => given_keys(reading.password_file.as_deref(), reading.key.as_deref(), "")?,
    };
    if keys.is_some() || !container::is_encrypted(packed) {
        return Ok(keys);
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    let typed = typed(&PROVEN, packed, || rpassword::prompt_password("password: "));
    typed.map(Some).map_err(|error| Failure::File("the password".to_owned(), error))
}

/// Returns the password that is the first line of a file, or the key of 32 bytes as digits. `kind` stands in front of the names of
/// both options.
pub(crate) fn given_keys(
    file: Option<&Path>,
    digits: Option<&str>,
    kind: &str,
) -> Result<Option<SaveKeys>, Failure> {
    if let Some(file) = file {
        let text = text(file)?;
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let password = std::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line));
        let wrong = |_| Failure::misuse(format!("--{kind}password-file: expected text in UTF-8"));
        return Ok(Some(SaveKeys::password(password.map_err(wrong)?)));
    }
    let Some(digits) = digits else { return Ok(None) };
    let key = pasted::read(digits.as_bytes()).ok().and_then(|bytes| bytes.try_into().ok());
    let wrong = || Failure::misuse(format!("--{kind}key: expected 64 hexadecimal digits"));
    Ok(Some(SaveKeys::key(key.ok_or_else(wrong)?)))
}

/// Returns the password that is typed, or the one that was typed before and has opened a file.
fn typed(
    proven: &Mutex<Option<String>>,
    packed: &[u8],
    ask: impl FnOnce() -> io::Result<String>,
) -> io::Result<SaveKeys> {
    let mut proven = proven.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(password) = &*proven {
        return Ok(SaveKeys::password(password));
    }
    let typed = ask()?;
    let keys = SaveKeys::password(&typed);
    if container::opens(packed, &keys) {
        *proven = Some(typed);
    }
    Ok(keys)
}

/// Reads all bytes of a text from a file or the standard input, without a byte order mark.
pub(crate) fn text(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut text = raw(path, Vec::new(), MOST_BYTES)?;
    if text.starts_with(MARK) {
        text.drain(..MARK.len());
    }
    Ok(text)
}

pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    raw(path, Vec::new(), MOST_BYTES)
}

/// Reads all bytes of a file or the standard input. `head` holds those that were read from it already.
fn raw(path: &Path, head: Vec<u8>, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = head;
    let room = most.saturating_add(1);
    let taken = if is_stdin(path) {
        io::stdin().lock().take(room).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(room).read_to_end(&mut bytes))
    };
    taken.map_err(|error| Failure::file(path, error))?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

pub(crate) fn too_large(most: u64) -> Failure {
    let fault = Fault::new(ErrorKind::TooManyBytes { limit: most, declared: 0 }, most);
    Failure::Data(Box::new(BadData {
        message: format!("more than {most} bytes would have to be held at once (--max-bytes allows more)"),
        error: Some(Error::new(fault, variant_core::Path::default())),
        ..BadData::default()
    }))
}

/// Refuses to read from a terminal when nothing is named, and to read the standard input twice.
pub(crate) fn asked_for(inputs: &[PathBuf]) -> Result<(), Failure> {
    if inputs.is_empty() && io::stdin().is_terminal() {
        return Err(Failure::misuse("name a file or a folder, or `-` for the standard input"));
    }
    match inputs.iter().filter(|input| is_stdin(input)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::misuse("the standard input can be read once: name `-` once")),
    }
}

/// Returns the named inputs, or `-` for the standard input if there are none.
pub(crate) fn named(inputs: &[PathBuf]) -> Vec<PathBuf> {
    if inputs.is_empty() { vec![PathBuf::from("-")] } else { inputs.to_vec() }
}

/// Reads bytes from Base64 in either alphabet. White space and padding (`=`) do not count.
pub(crate) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone);
    let digits = text.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte != b'=');
    let digits = digits.map(|byte| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => *other,
    });
    let standard = GeneralPurpose::new(&alphabet::STANDARD, config);
    standard.decode(digits.collect::<Vec<u8>>()).ok()
}

pub(crate) fn part(path: &Path, start: u64, count: u64) -> io::Result<Vec<u8>> {
    let (mut file, mut bytes) = (File::open(path)?, Vec::new());
    file.seek(SeekFrom::Start(start))?;
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_password_is_kept_when_it_has_opened_a_file() {
        let keys = SaveKeys::password("swordfish");
        let protection = variant_save::Protection::Encrypted(&keys);
        let draft = variant_save::Draft { protection, ..variant_save::Draft::new(&[0; 4]) };
        let save = variant_save::write(&draft).unwrap();
        let engine = include_bytes!("../../../tests/cli/files/save_pass.bin");
        for packed in [&save[..], engine] {
            let (proven, mut asked) = (Mutex::new(None), Vec::new());
            for password in ["sardine", "swordfish", "herring"] {
                let ask = || {
                    asked.push(password);
                    Ok(password.to_owned())
                };
                typed(&proven, packed, ask).unwrap();
            }
            assert_eq!(asked, ["sardine", "swordfish"]);
            assert_eq!(proven.into_inner().unwrap().as_deref(), Some("swordfish"));
        }
    }

    #[test]
    fn text_becomes_bytes() {
        assert_eq!(from_base64(b"AgAAAAcAAAA="), Some(vec![2, 0, 0, 0, 7, 0, 0, 0]));
        assert_eq!(from_base64(b"_-8"), Some(vec![0xFF, 0xEF]));
        assert_eq!(from_base64(b"A"), None);
        assert_eq!(from_base64(b"A!AA"), None);
    }
}
