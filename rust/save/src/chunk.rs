//! Reads and writes chunks: `u32 length | 4 letters | payload | u32 CRC-32 of letters and payload`. It knows
//! the names of all chunks and the meaning of none, and reads the fields of a payload.

use crate::fault::{Kind, SaveFault};
use crate::{MOST_META_BYTES, SIGNATURE};

pub(crate) const HEAD: [u8; 4] = *b"HEAD";
pub(crate) const META: [u8; 4] = *b"META";
pub(crate) const THUMBNAIL: [u8; 4] = *b"tHMB";
pub(crate) const SCHEMA: [u8; 4] = *b"sCHM";
pub(crate) const KEYS: [u8; 4] = *b"KEYS";
pub(crate) const OUTLINE: [u8; 4] = *b"oUTL";
pub(crate) const DATA: [u8; 4] = *b"DATA";
pub(crate) const END: [u8; 4] = *b"END ";

/// The number of bytes of a chunk's length, letters and checksum.
pub(crate) const FRAME_BYTES: usize = 12;
/// The number of bytes of the last chunk's payload: count of raw bytes, count of slices, hash.
pub(crate) const END_BYTES: usize = 44;
/// The longest payload of a header that a writer makes: fixed fields, eight ancestors, three texts.
pub(crate) const MOST_HEAD_BYTES: usize = 4 << 10;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    pub(crate) name: [u8; 4],
    pub(crate) payload: &'a [u8],
    /// The byte of the file where its length field begins.
    pub(crate) at: usize,
}

impl<'a> Chunk<'a> {
    pub(crate) fn payload_at(&self) -> u64 {
        to_u64(self.at.saturating_add(8))
    }

    pub(crate) fn fields(&self) -> Fields<'a> {
        Fields::new(self.payload, self.payload_at())
    }

    pub(crate) const fn end(&self) -> usize {
        self.at.saturating_add(FRAME_BYTES).saturating_add(self.payload.len())
    }
}

/// Reads the chunks of a whole file one after another.
#[derive(Clone, Debug)]
pub(crate) struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Chunks<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Result<Chunks<'a>, SaveFault> {
        if bytes.starts_with(&SIGNATURE) {
            return Ok(Chunks { bytes, at: SIGNATURE.len() });
        }
        Err(match bytes {
            [] => SaveFault::new(Kind::CutShort, 0, "the file is empty"),
            _ if SIGNATURE.starts_with(bytes) => {
                SaveFault::new(Kind::CutShort, to_u64(bytes.len()), "it ends in its signature")
            }
            _ => SaveFault::new(Kind::NotASave, 0, "it does not begin like one"),
        })
    }

    pub(crate) const fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Reads the next chunk, whose checksum is right.
    pub(crate) fn next(&mut self) -> Result<Chunk<'a>, SaveFault> {
        match read(self.bytes, self.at) {
            Ok(chunk) => {
                self.at = chunk.end();
                Ok(chunk)
            }
            // A length that reaches beyond the file was changed, if the file still ends with an intact last
            // chunk.
            Err(fault) if fault.kind == Kind::CutShort && ends(self.bytes) => {
                Err(SaveFault::damaged(fault.at, "a length was changed"))
            }
            Err(fault) => Err(fault),
        }
    }
}

/// Reads the chunk that begins at this byte.
pub(crate) fn read(bytes: &[u8], at: usize) -> Result<Chunk<'_>, SaveFault> {
    let mut fields = Fields::new(bytes.get(at..).unwrap_or_default(), to_u64(at));
    let cut = |_| SaveFault::new(Kind::CutShort, to_u64(bytes.len()), "it ends in a chunk");
    let length = usize::try_from(fields.u32().map_err(cut)?).unwrap_or(usize::MAX);
    let covered = fields.rest();
    let name: [u8; 4] = fields.array().map_err(cut)?;
    let payload = fields.take(length).map_err(cut)?;
    let sum = fields.u32().map_err(cut)?;
    let covered = covered.get(..length.saturating_add(4)).unwrap_or_default();
    if checksum(covered) == sum {
        Ok(Chunk { name, payload, at })
    } else {
        Err(SaveFault::damaged(to_u64(at), "a checksum does not fit"))
    }
}

fn ends(bytes: &[u8]) -> bool {
    let last = bytes.len().checked_sub(FRAME_BYTES.saturating_add(END_BYTES));
    last.is_some_and(|at| read(bytes, at).is_ok_and(|chunk| chunk.name == END))
}

pub(crate) fn write(file: &mut Vec<u8>, name: [u8; 4], payload: &[u8]) {
    file.extend(u32::try_from(payload.len()).unwrap_or(u32::MAX).to_le_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(payload);
    let sum = checksum(file.get(start..).unwrap_or_default());
    file.extend(sum.to_le_bytes());
}

/// Reads the number that stands at this byte.
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_le_bytes(*word))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// The longest payload that a writer gives a chunk of this name.
pub(crate) const fn most_bytes(name: [u8; 4]) -> usize {
    match name {
        HEAD => MOST_HEAD_BYTES,
        _ => MOST_META_BYTES,
    }
}

pub(crate) fn to_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Reads the little-endian fields of a payload. A field that is not there is a damaged save.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    at: u64,
}

impl<'a> Fields<'a> {
    pub(crate) const fn new(payload: &'a [u8], at: u64) -> Fields<'a> {
        Fields { rest: payload, at }
    }

    pub(crate) const fn at(&self) -> u64 {
        self.at
    }

    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], SaveFault> {
        let missing = SaveFault::damaged(self.at, "a field is missing");
        let taken = self.rest.split_off(..count).ok_or(missing)?;
        self.at = self.at.saturating_add(to_u64(count));
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], SaveFault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, SaveFault> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, SaveFault> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, SaveFault> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, SaveFault> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a text of at most 65 535 bytes behind its length.
    pub(crate) fn text(&mut self) -> Result<&'a str, SaveFault> {
        let at = self.at;
        let length = self.u16()?;
        std::str::from_utf8(self.take(usize::from(length))?)
            .map_err(|_| SaveFault::damaged(at, "a text is no UTF-8"))
    }

    pub(crate) fn end(self) -> Result<(), SaveFault> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(SaveFault::damaged(self.at, "a chunk has bytes too many"))
        }
    }
}
