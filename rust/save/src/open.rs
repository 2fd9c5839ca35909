//! Opens a save: everything in the file is checked before a byte of the state is given out.

use std::fmt;

use crate::chunk::{self, Chunk, Chunks, END_BYTES, FRAME_BYTES, to_u64};
use crate::fault::{Kind, SaveFault};
use crate::head::Head;
use crate::keys::{SaveKeys, Sealer, Subkeys};
use crate::slice::{PackedSlice, SlicePosition};
use crate::unpack::{Unpack, Unpacker};
use crate::write::hasher;

/// Selects how a save is opened.
#[derive(Clone, Copy, Debug)]
pub struct OpenOptions<'k> {
    /// The password or key. With one, a save without protection is refused: otherwise anybody who removes the
    /// protection of a file could change it.
    pub keys: Option<&'k SaveKeys>,
    /// Accepts saves without protection although there is a key, such as those of a game that had none
    /// before.
    pub takes_unprotected: bool,
    /// The size of the largest payload.
    pub most_bytes: u64,
    /// A function that decompresses slices by other means.
    pub unpacker: Option<Unpack>,
}

impl Default for OpenOptions<'_> {
    /// Returns an opening without a key, for at most 64 MiB.
    fn default() -> Self {
        OpenOptions { keys: None, takes_unprotected: false, most_bytes: 64 << 20, unpacker: None }
    }
}

/// Holds the parts of an intact save.
#[derive(Clone, PartialEq, Eq)]
pub struct SaveContents {
    /// The header: everything that the save says of itself.
    pub head: Head,
    /// The state: one value in Godot's binary format, which has to be checked as any other.
    pub payload: Vec<u8>,
    /// The metadata that lists of saves show.
    pub meta: Option<Vec<u8>>,
    /// The thumbnail, an image file.
    pub thumbnail: Option<Vec<u8>>,
    /// The schema as JSON.
    pub schema: Option<String>,
}

impl fmt::Debug for SaveContents {
    /// Shows sizes and no content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened")
            .field("head", &self.head)
            .field("payload", &self.payload.len())
            .finish_non_exhaustive()
    }
}

/// Opens a save that is complete.
///
/// # Errors
/// Fails with the first fault, its kind and its byte.
pub fn open(bytes: &[u8], opening: &OpenOptions<'_>) -> Result<SaveContents, SaveFault> {
    open_watched(bytes, opening, &mut |_| true)
}

/// Opens a save that is complete, and asks after each slice whether to go on: `goes_on` gets the share of the state
/// that is open, from 0 to 1.
///
/// # Errors
/// Fails as [`open`] does, and with [`Kind::Stopped`] when the answer was no.
pub fn open_watched(
    bytes: &[u8],
    opening: &OpenOptions<'_>,
    goes_on: &mut dyn FnMut(f64) -> bool,
) -> Result<SaveContents, SaveFault> {
    let chunks = NamedChunks::read(bytes)?;
    let subkeys = chunks.check(bytes, opening)?;
    let head = &chunks.head;
    if head.payload_bytes > opening.most_bytes {
        let words = format!("it holds {} bytes, {} are allowed", head.payload_bytes, opening.most_bytes);
        return Err(SaveFault::new(Kind::TooLarge, chunks.first.payload_at(), words));
    }
    let payload = chunks.payload(subkeys.as_ref(), opening.unpacker, goes_on)?;
    let own = |chunk: Option<Chunk<'_>>| chunk.map(|chunk| chunk.payload.to_vec());
    let schema = chunks.schema.map(|chunk| {
        let text = String::from_utf8(chunk.payload.to_vec());
        text.map_err(|_| SaveFault::damaged(chunk.payload_at(), "the schema is no UTF-8"))
    });
    let (meta, thumbnail) = (own(chunks.meta), own(chunks.thumbnail));
    Ok(SaveContents { schema: schema.transpose()?, head: chunks.head, payload, meta, thumbnail })
}

/// Checks that a save is complete without opening its state: chunks, checksums, hash, and the key where one
/// is given.
///
/// # Errors
/// Fails as [`open`] does.
pub fn verify(bytes: &[u8], opening: &OpenOptions<'_>) -> Result<Head, SaveFault> {
    let chunks = NamedChunks::read(bytes)?;
    chunks.check(bytes, opening)?;
    Ok(chunks.head)
}

/// Returns the hash that the bytes of a file end with, which tells whole files apart. It is not checked here. The last
/// [`END_OF_FILE`] bytes are enough.
#[must_use]
pub fn identity(bytes: &[u8]) -> Option<[u8; 32]> {
    let at = bytes.len().checked_sub(FRAME_BYTES.saturating_add(END_BYTES))?;
    let chunk = chunk::read(bytes, at).ok().filter(|chunk| chunk.name == chunk::END)?;
    chunk.payload.last_chunk().copied()
}

/// The number of bytes of the last chunk of a file.
pub const END_OF_FILE: i64 = 56;
const _: () = assert!(END_OF_FILE == 12 + 44 && FRAME_BYTES == 12 && END_BYTES == 8 + 4 + 32);

/// Holds the chunks of an intact file by their names.
struct NamedChunks<'a> {
    head: Head,
    first: Chunk<'a>,
    meta: Option<Chunk<'a>>,
    thumbnail: Option<Chunk<'a>>,
    schema: Option<Chunk<'a>>,
    keys: Option<Chunk<'a>>,
    slices: Vec<Chunk<'a>>,
    end: Chunk<'a>,
}

impl<'a> NamedChunks<'a> {
    /// Finds all chunks and checks their checksums.
    fn read(bytes: &'a [u8]) -> Result<NamedChunks<'a>, SaveFault> {
        let mut chunks = Chunks::of(bytes)?;
        let first = chunks.next()?;
        if first.name != chunk::HEAD {
            return Err(SaveFault::damaged(to_u64(first.at), "its header is not the first chunk"));
        }
        let mut named = NamedChunks {
            head: Head::read(&first)?,
            first,
            meta: None,
            thumbnail: None,
            schema: None,
            keys: None,
            slices: Vec::new(),
            end: first,
        };
        loop {
            if chunks.is_at_end() {
                return Err(SaveFault::new(Kind::CutShort, to_u64(bytes.len()), "its last chunk is missing"));
            }
            let found = chunks.next()?;
            if found.name == chunk::END {
                named.end = found;
                break;
            }
            named.take(found)?;
        }
        if !chunks.is_at_end() {
            return Err(SaveFault::damaged(to_u64(chunks.at()), "something follows its last chunk"));
        }
        if named.head.is_keyed != named.keys.is_some() {
            let words = "its header and its keys contradict each other";
            return Err(SaveFault::damaged(to_u64(first.at), words));
        }
        Ok(named)
    }

    /// Checks the hash of the whole file, under the key where the save has one.
    fn check(&self, bytes: &[u8], opening: &OpenOptions<'_>) -> Result<Option<Subkeys>, SaveFault> {
        let mut fields = self.end.fields();
        let (raw, count) = (fields.u64()?, fields.u32()?);
        let hash_at = fields.at();
        let hash: [u8; 32] = fields.array()?;
        fields.end()?;
        let subkeys = match (opening.keys, &self.keys) {
            (None, None) => None,
            (Some(_), None) if opening.takes_unprotected => None,
            (Some(_), None) => {
                let words = "it has no password or key, and this game's saves have one";
                return Err(SaveFault::new(Kind::NotAuthentic, self.first.payload_at(), words));
            }
            (None, Some(chunk)) if self.head.is_encrypted => {
                let needed = if self.head.is_of_password { "a password" } else { "a key" };
                let words = format!("this save needs {needed}");
                return Err(SaveFault::new(Kind::WrongKey, chunk.payload_at(), words));
            }
            // Without the key its hash cannot be checked; the checksums of its chunks were right.
            (None, Some(_)) => None,
            (Some(keys), Some(chunk)) => Some(keys.of_file(chunk, &self.head)?),
        };
        let is_checked = subkeys.is_some() || self.keys.is_none();
        let covered = usize::try_from(hash_at).ok().and_then(|end| bytes.get(..end)).unwrap_or_default();
        if is_checked && hasher(subkeys.as_ref()).update(covered).finalize() != blake3::Hash::from(hash) {
            return Err(match subkeys {
                Some(_) => SaveFault::new(Kind::NotAuthentic, hash_at, "its hash does not fit"),
                None => SaveFault::damaged(hash_at, "its hash does not fit"),
            });
        }
        if raw != self.head.payload_bytes || u64::from(count) != to_u64(self.slices.len()) {
            return Err(SaveFault::damaged(self.end.payload_at(), "its counts contradict its header"));
        }
        Ok(subkeys)
    }

    fn payload(
        &self,
        subkeys: Option<&Subkeys>,
        unpacker: Option<Unpack>,
        goes_on: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Vec<u8>, SaveFault> {
        let sealer = subkeys.zip(self.keys.as_ref()).filter(|_| self.head.is_encrypted);
        let sealer = sealer.map(|(subkeys, keys)| Sealer::new(subkeys, self.first.payload, keys.payload));
        let slices = self.packed_slices()?;
        let mut payload = Vec::new();
        let mut unpacker = Unpacker::new(unpacker);
        let count = slices.len();
        let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        for (at, slice) in slices.iter().enumerate() {
            let position = SlicePosition::of(at, count);
            if !goes_on(number(at) / number(count)) {
                return Err(SaveFault::new(Kind::Stopped, slice.at, "the caller stopped it"));
            }
            payload.extend(slice.open(&mut unpacker, &self.head, sealer.as_ref(), position)?);
        }
        Ok(payload)
    }

    /// Returns the slices in their order. Their sizes add up to what the header says, so none of them is opened in vain.
    fn packed_slices(&self) -> Result<Vec<PackedSlice<'a>>, SaveFault> {
        let mut slices = Vec::new();
        let mut left = self.head.payload_bytes;
        for (at, chunk) in self.slices.iter().enumerate() {
            let slice = PackedSlice::read(chunk)?;
            if to_u64(at) != u64::from(slice.words.index) {
                return Err(SaveFault::damaged(slice.at, "its slices are out of order"));
            }
            let over = || SaveFault::damaged(slice.at, "its slices hold more than its header says");
            left = left.checked_sub(u64::from(slice.words.size)).ok_or_else(over)?;
            slices.push(slice);
        }
        match left {
            0 => Ok(slices),
            _ => {
                let words = "its slices hold less than its header says";
                Err(SaveFault::damaged(self.end.payload_at(), words))
            }
        }
    }

    /// Stores a chunk by its name. An unknown optional chunk is skipped.
    fn take(&mut self, found: Chunk<'a>) -> Result<(), SaveFault> {
        let before_slices = self.slices.is_empty();
        let place = match found.name {
            chunk::DATA => {
                self.slices.push(found);
                return Ok(());
            }
            chunk::META => &mut self.meta,
            chunk::THUMBNAIL => &mut self.thumbnail,
            chunk::SCHEMA => &mut self.schema,
            chunk::KEYS => &mut self.keys,
            chunk::HEAD => return Err(SaveFault::damaged(to_u64(found.at), "it has two headers")),
            // Its first letter says whether a reader that does not know it may skip it.
            [first, ..] if first.is_ascii_lowercase() => return Ok(()),
            _ => {
                let words = "it has a chunk that this library does not know";
                return Err(SaveFault::new(Kind::Newer, to_u64(found.at), words));
            }
        };
        if place.is_some() || !before_slices || found.payload.len() > chunk::most_bytes(found.name) {
            let words = "a chunk is there twice, too late or too large";
            return Err(SaveFault::damaged(to_u64(found.at), words));
        }
        *place = Some(found);
        Ok(())
    }
}
