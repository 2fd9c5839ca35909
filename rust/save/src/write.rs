//! Writes a save: the header, the parts that can be read without the state, keys, slices, and the hash of all
//! of it.

use std::fmt;

use crate::chunk::{self, END_BYTES, FRAME_BYTES};
use crate::cut::{self, CutPayload};
use crate::head::{Compression, Head, MOST_SLICE_BYTES, SaveId};
use crate::keys::{SaveKeys, Sealer, Subkeys};
use crate::lineage;
use crate::pack::{self, Packer};
use crate::slice::{OUTLINE_INDEX, SliceClaims, SlicePosition, SliceWords};
use crate::{MOST_META_BYTES, SIGNATURE};

/// The default size of a slice: larger slices would make files a little smaller, but a damaged byte loses a
/// whole slice.
const SLICE_BYTES: u32 = 64 << 10;

/// Selects how a save is protected against players and others.
#[derive(Clone, Copy, Debug, Default)]
pub enum Protection<'k> {
    /// Everybody can read and change the save. Accidental damage is detected.
    #[default]
    None,
    /// Everybody can read the save; with the key, changes are detected.
    Keyed(&'k SaveKeys),
    /// Only with the key can the state be read or anything be changed.
    Encrypted(&'k SaveKeys),
}

/// Holds everything that a save is made of.
#[derive(Clone, Default)]
pub struct Draft<'a> {
    /// The state: a value in Godot's binary format.
    pub payload: &'a [u8],
    /// Whether the payload is a document of objects.
    pub is_document: bool,
    /// See [`Head::version`].
    pub version: u32,
    /// See [`Head::schema_hash`].
    pub schema_hash: u64,
    /// See [`Head::class_hash`].
    pub class_hash: u64,
    /// See [`Head::time_ms`].
    pub time_ms: i64,
    /// The header of the save that this one continues.
    pub parent: Option<&'a Head>,
    /// The id of this save; if it is `None`, the next of the writer of `parent`, or the first of a new one.
    pub id: Option<SaveId>,
    /// See [`Head::game`].
    pub game: &'a str,
    /// See [`Head::engine`].
    pub engine: &'a str,
    /// See [`Head::library`].
    pub library: &'a str,
    /// The metadata that lists of saves show: a value in Godot's binary format. It is never encrypted and has
    /// at most [`MOST_META_BYTES`](crate::MOST_META_BYTES).
    pub meta: Option<&'a [u8]>,
    /// An image file, which is never decoded here. It is never encrypted and has at most
    /// [`MOST_META_BYTES`](crate::MOST_META_BYTES).
    pub thumbnail: Option<&'a [u8]>,
    /// The schema as JSON, by which tools explain the state.
    pub schema: Option<&'a str>,
    /// The size of a slice, from 1 byte to 1 MiB; see [`Head::slice_bytes`].
    pub slice_bytes: u32,
    /// See [`Head::compression`].
    pub compression: Compression,
    /// A function that compresses slices by other means.
    pub packer: Option<Packer<'a>>,
    /// See [`Protection`].
    pub protection: Protection<'a>,
}

impl<'a> Draft<'a> {
    /// Makes the draft of a save with this payload and nothing else, compressed.
    #[must_use]
    pub fn new(payload: &'a [u8]) -> Draft<'a> {
        Draft {
            payload,
            library: concat!("variant-save ", env!("CARGO_PKG_VERSION")),
            slice_bytes: SLICE_BYTES,
            ..Draft::default()
        }
    }
}

impl fmt::Debug for Draft<'_> {
    /// Shows sizes and no content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft")
            .field("payload", &self.payload.len())
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Says why nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The metadata is larger than any reader accepts.
    MetaTooLarge,
    /// The thumbnail or the schema is larger than any reader accepts.
    ThumbnailTooLarge,
    /// The slice size is 0 or over 1 MiB.
    BadSliceSize,
    /// The payload is over 4 GiB.
    TooLarge,
    /// The system gave no random bytes.
    NoRandom,
    /// This build has no encryption, or the password's cost is one that Argon2id does not take.
    NoEncryption,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WriteError::MetaTooLarge => "the metadata is larger than 1 MiB: put what is large into the state",
            WriteError::ThumbnailTooLarge => {
                "the thumbnail or the schema is larger than 1 MiB: use a smaller picture"
            }
            WriteError::BadSliceSize => "a slice has 1 byte to 1 MiB",
            WriteError::TooLarge => "the state is larger than 4 GiB",
            WriteError::NoRandom => "the system gave no random bytes",
            WriteError::NoEncryption => {
                "this build cannot encrypt, or the cost of the password is out of range"
            }
        })
    }
}

impl std::error::Error for WriteError {}

/// Writes a save as the bytes of its file.
///
/// # Errors
/// Fails if no reader would accept the save, or if the system has no random bytes.
pub fn write(draft: &Draft<'_>) -> Result<Vec<u8>, WriteError> {
    check(draft)?;
    let most = usize::try_from(draft.slice_bytes).unwrap_or(usize::MAX);
    let of_document = draft.is_document.then(|| cut::slices_of_document(draft.payload, most)).flatten();
    let cut = of_document.unwrap_or_else(|| cut::slices(draft.payload, most));
    let keys = match draft.protection {
        Protection::None => None,
        Protection::Keyed(keys) | Protection::Encrypted(keys) => Some(keys),
    };
    let subkeys = keys.map(|keys| keys.fresh().ok_or(WriteError::NoEncryption)).transpose()?;
    let head = head(draft, keys, &cut)?;
    let is_encrypted = head.is_encrypted;
    let mut file = SIGNATURE.to_vec();
    let head = head.payload();
    chunk::write(&mut file, chunk::HEAD, &head);
    let parts = [
        (chunk::META, draft.meta),
        (chunk::THUMBNAIL, draft.thumbnail),
        (chunk::SCHEMA, draft.schema.map(str::as_bytes)),
    ];
    for (name, part) in parts {
        if let Some(part) = part {
            chunk::write(&mut file, name, part);
        }
    }
    let keys_chunk = subkeys.as_ref().map(Subkeys::payload);
    if let Some(payload) = &keys_chunk {
        chunk::write(&mut file, chunk::KEYS, payload);
    }
    let sealer = subkeys.as_ref().filter(|_| is_encrypted);
    let sealer = sealer.map(|keys| Sealer::new(keys, &head, keys_chunk.as_deref().unwrap_or_default()));
    write_slices(&mut file, draft, &cut, sealer.as_ref())?;
    write_end(&mut file, draft.payload.len(), cut.slices.len(), subkeys.as_ref());
    Ok(file)
}

fn check(draft: &Draft<'_>) -> Result<(), WriteError> {
    let is_large = |part: Option<&[u8]>| part.is_some_and(|part| part.len() > MOST_META_BYTES);
    if is_large(draft.meta) {
        return Err(WriteError::MetaTooLarge);
    }
    if is_large(draft.thumbnail) || is_large(draft.schema.map(str::as_bytes)) {
        return Err(WriteError::ThumbnailTooLarge);
    }
    if draft.slice_bytes == 0 || draft.slice_bytes > MOST_SLICE_BYTES {
        return Err(WriteError::BadSliceSize);
    }
    if u32::try_from(draft.payload.len()).is_err() {
        return Err(WriteError::TooLarge);
    }
    Ok(())
}

fn head(draft: &Draft<'_>, keys: Option<&SaveKeys>, cut: &CutPayload) -> Result<Head, WriteError> {
    let id = draft.id.or_else(|| lineage::next_id(draft.parent.map(|parent| parent.id)));
    let id = id.ok_or(WriteError::NoRandom)?;
    Ok(Head {
        compression: draft.compression,
        is_encrypted: matches!(draft.protection, Protection::Encrypted(_)),
        is_keyed: keys.is_some(),
        is_of_password: keys.is_some_and(SaveKeys::is_password),
        is_document: draft.is_document,
        is_cut_at_entries: cut.is_cut,
        version: draft.version,
        schema_hash: draft.schema_hash,
        class_hash: draft.class_hash,
        time_ms: draft.time_ms,
        payload_bytes: chunk::to_u64(draft.payload.len()),
        slice_bytes: draft.slice_bytes,
        generation: draft.parent.map_or(0, |parent| parent.generation.saturating_add(1)),
        id,
        ancestors: draft.parent.map(|parent| lineage::ancestors(parent, id)).unwrap_or_default(),
        game: draft.game.to_owned(),
        engine: draft.engine.to_owned(),
        library: draft.library.to_owned(),
    })
}

fn write_slices(
    file: &mut Vec<u8>,
    draft: &Draft<'_>,
    cut: &CutPayload,
    sealer: Option<&Sealer>,
) -> Result<(), WriteError> {
    let mut write = |name, position, index, raw: &[u8], entries| {
        let mut body = pack::pack(raw, draft.compression, draft.packer);
        let size = u32::try_from(raw.len()).map_err(|_| WriteError::TooLarge)?;
        let words = SliceWords { index, size, entries };
        if let Some(sealer) = sealer {
            body =
                sealer.seal(&SliceClaims { name, words, position }, &body).ok_or(WriteError::NoEncryption)?;
        }
        chunk::write(file, name, &[&words.bytes()[..], &body].concat());
        Ok(())
    };
    if let Some(outline) = &cut.outline {
        write(chunk::OUTLINE, SlicePosition::Inner, OUTLINE_INDEX, outline, 0)?;
    }
    for (at, slice) in cut.slices.iter().enumerate() {
        let raw = draft.payload.get(slice.range.clone()).unwrap_or_default();
        let index = u32::try_from(at).map_err(|_| WriteError::TooLarge)?;
        write(chunk::DATA, SlicePosition::of(at, cut.slices.len()), index, raw, slice.entries)?;
    }
    Ok(())
}

/// Writes the last chunk. Its hash covers everything before it, and its own length, letters and counts too.
fn write_end(file: &mut Vec<u8>, raw: usize, slices: usize, keys: Option<&Subkeys>) {
    let counts =
        [&chunk::to_u64(raw).to_le_bytes()[..], &u32::try_from(slices).unwrap_or(u32::MAX).to_le_bytes()]
            .concat();
    let covered =
        [&u32::try_from(END_BYTES).unwrap_or_default().to_le_bytes()[..], &chunk::END, &counts].concat();
    let mut hasher = hasher(keys);
    hasher.update(file).update(&covered);
    let hash = *hasher.finalize().as_bytes();
    file.reserve(FRAME_BYTES.saturating_add(END_BYTES));
    chunk::write(file, chunk::END, &[&counts[..], &hash].concat());
}

/// Returns BLAKE3, under the file's key where it has one.
pub(crate) fn hasher(keys: Option<&Subkeys>) -> blake3::Hasher {
    keys.map_or_else(blake3::Hasher::new, |keys| {
        blake3::Hasher::new_keyed(&keys.derive("variant_stream save 1 hash"))
    })
}
