//! Reads what a list of saves shows without the state: header, metadata, and the thumbnail on request.
//!
//! It needs no key, and nothing that it returns is ever used to load a save.

use std::io::{Read, Seek, SeekFrom};

use crate::chunk::{self, Chunks, FRAME_BYTES};
use crate::fault::{Kind, SaveFault};
use crate::head::Head;
use crate::{MOST_META_BYTES, SIGNATURE};

/// Holds the front of a save, read without opening the save. It may be forged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveFront {
    /// The header: everything that the save says of itself.
    pub head: Head,
    /// The metadata: a value in Godot's binary format, which has to be checked like any other.
    pub meta: Option<Vec<u8>>,
    /// The image file, if it was requested.
    pub thumbnail: Option<Vec<u8>>,
}

/// The thumbnail of a front that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thumbnail {
    /// It is read, too.
    Read,
    /// It is left out.
    Skip,
}

/// Reads the front of a save: header and metadata take at most 4 KiB and 1 MiB, and a thumbnail that is read at most 1 MiB
/// more.
///
/// # Errors
/// Fails if the front is not intact or a newer library wrote it. A file that cannot be read counts as cut
/// short there.
pub fn peek(source: &mut (impl Read + Seek), thumbnail: Thumbnail) -> Result<SaveFront, SaveFault> {
    let mut front = Vec::new();
    read_up_to(source, &mut front, SIGNATURE.len());
    Chunks::of(&front)?;
    let first = next(source, &mut front, Thumbnail::Read)?.filter(|(name, _)| *name == chunk::HEAD);
    let Some((_, at)) = first else { return Err(SaveFault::damaged(8, "its header is not the first chunk")) };
    let head = Head::read(&chunk::read(&front, at)?)?;
    let mut peeked = SaveFront { head, meta: None, thumbnail: None };
    // Both stand before the slices; in a file without them the first other chunk ends the loop.
    while let Some((name, at)) = next(source, &mut front, thumbnail)? {
        let payload = || chunk::read(&front, at).map(|chunk| chunk.payload.to_vec());
        match name {
            // A second one is a forger's, who could go on for ever.
            chunk::META if peeked.meta.is_none() => peeked.meta = Some(payload()?),
            chunk::THUMBNAIL if peeked.thumbnail.is_none() => {
                peeked.thumbnail = Some(payload()?);
            }
            _ => break,
        }
    }
    Ok(peeked)
}

/// Reads the next chunk to the end of `front` if it is wanted; returns its name and its position there.
fn next(
    source: &mut (impl Read + Seek),
    front: &mut Vec<u8>,
    thumbnail: Thumbnail,
) -> Result<Option<([u8; 4], usize)>, SaveFault> {
    let at = front.len();
    read_up_to(source, front, 8);
    let Some((length, name)) = front.get(at..).and_then(|head| head.split_first_chunk::<4>()) else {
        return Ok(None);
    };
    let (length, name) = (u32::from_le_bytes(*length), <[u8; 4]>::try_from(name).unwrap_or_default());
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let is_wanted = match name {
        chunk::HEAD | chunk::META => true,
        chunk::THUMBNAIL => thumbnail == Thumbnail::Read,
        _ => false,
    };
    if !is_wanted {
        return Ok(None);
    }
    if length > chunk::most_bytes(name) {
        return Err(SaveFault::damaged(chunk::to_u64(at), "a chunk is too large"));
    }
    let rest = length.saturating_add(FRAME_BYTES).saturating_sub(8);
    if read_up_to(source, front, rest) < rest {
        return Err(SaveFault::new(Kind::CutShort, chunk::to_u64(front.len()), "it ends in a chunk"));
    }
    Ok(Some((name, at)))
}

/// Reads at most `count` bytes and returns how many there were.
fn read_up_to(source: &mut (impl Read + Seek), front: &mut Vec<u8>, count: usize) -> usize {
    let start = front.len();
    let _ = source.seek(SeekFrom::Start(chunk::to_u64(start)));
    let limit = chunk::to_u64(count.min(MOST_META_BYTES.saturating_add(FRAME_BYTES)));
    let _ = source.by_ref().take(limit).read_to_end(front);
    front.len().saturating_sub(start)
}
