//! Recovers from a damaged save what the intact slices hold: entries of the root Dictionary, or objects of a document.
//!
//! Only a person should ask for it, because the result was never one state of the game.

use std::collections::BTreeMap;

use variant_core::Walker;

use crate::chunk::{self, Chunk, FRAME_BYTES};
use crate::cut;
use crate::document::{self, Outline};
use crate::fault::{Fault, Kind};
use crate::head::Head;
use crate::keys::{Sealer, Subkeys};
use crate::open::{OUTLINE_INDEX, OpenOptions, SliceHead, verify};
use crate::rebuild::{RebuiltDocument, WholeUnits};
use crate::unpack::Unpacker;

/// Holds the entries that were recovered from a damaged save.
#[derive(Clone, PartialEq, Eq)]
pub struct RecoveredEntries {
    /// The header: everything that the save says of itself.
    pub head: Head,
    /// The complete entries, as the bytes of an untyped Dictionary; or a document of the complete objects that its value leads to.
    pub payload: Vec<u8>,
    /// The number of entries in the payload. In a document, objects are entries too.
    pub entries: u32,
    /// The number of lost entries; `None` if it cannot be known. Objects that nothing leads to any more are lost.
    pub lost: Option<u32>,
    /// The places in a document where null stands for an object that is lost, such as `hero[3].pet`; of more than 100 the first.
    pub lost_references: Vec<String>,
    /// The slices that are damaged or missing, by their index, as far as their number is known.
    pub bad_slices: Vec<u32>,
}

impl std::fmt::Debug for RecoveredEntries {
    /// Shows counts and no content.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recovered")
            .field("entries", &self.entries)
            .field("lost", &self.lost)
            .finish_non_exhaustive()
    }
}

/// Recovers the complete entries of a damaged save.
///
/// # Errors
/// Fails if the header is damaged or no entry is whole; if its root is no Dictionary and it is no document; if the outline of a
/// document is lost; or if the key is missing or wrong.
pub fn recover(bytes: &[u8], opening: &OpenOptions<'_>) -> Result<RecoveredEntries, Fault> {
    let found = find(bytes);
    let head_chunk = found.iter().find(|chunk| chunk.name == chunk::HEAD);
    let Some(head_chunk) = head_chunk else {
        return Err(match bytes.starts_with(&crate::SIGNATURE) || !found.is_empty() {
            true => Fault::damaged(8, "its header is lost, and the rest with it"),
            false => Fault::new(Kind::NotASave, 0, "it does not begin like one"),
        });
    };
    let head = Head::read(head_chunk)?;
    let at = head_chunk.payload_at();
    if !head.is_document && !head.is_cut_at_entries {
        let words = "it is no Dictionary that was cut between its entries: only a backup helps";
        return Err(Fault::damaged(at, words));
    }
    if head.payload_bytes > opening.most_bytes {
        return Err(Fault::new(Kind::TooLarge, at, "it holds more bytes than are allowed"));
    }
    check_protection(bytes, &head, head_chunk, opening)?;
    let sealer = sealer(&found, &head, head_chunk, opening)?;
    let whole = open_slices(&found, &head, sealer.as_ref(), opening);
    let recovered = match head.is_document {
        true => {
            let outline = outline(&found, &head, sealer.as_ref(), opening);
            of_document(head, whole, outline.as_deref()).map_err(|words| Fault::damaged(at, words))?
        }
        false => gather(head, whole),
    };
    if recovered.entries == 0 {
        return Err(Fault::damaged(at, "none of its entries is whole: only a backup helps"));
    }
    Ok(recovered)
}

/// Opens the outline of a document.
fn outline(
    found: &[Chunk<'_>],
    head: &Head,
    sealer: Option<&Sealer>,
    opening: &OpenOptions<'_>,
) -> Option<Vec<u8>> {
    let chunk = found.iter().find(|chunk| chunk.name == chunk::OUTLINE)?;
    let slice = SliceHead::read(chunk).ok().filter(|slice| slice.index == OUTLINE_INDEX)?;
    slice.open(&mut Unpacker::new(opening.unpacker), head, (sealer, false)).ok()
}

/// Makes a document of the whole rows and entries, or says why there is none.
fn of_document(
    head: Head,
    whole: IntactSlices,
    outline: Option<&[u8]>,
) -> Result<RecoveredEntries, &'static str> {
    let bad_slices = whole.bad();
    let slices: BTreeMap<u32, Vec<u8>> = whole.slices.into_iter().map(|(at, (_, raw))| (at, raw)).collect();
    let is_in_order = slices.keys().copied().eq(0..u32::try_from(slices.len()).unwrap_or(u32::MAX));
    let bytes = slices.values().map(|raw| chunk::to_u64(raw.len())).sum::<u64>();
    let number = |units: u64| u32::try_from(units).unwrap_or(u32::MAX);
    if bad_slices.is_empty() && is_in_order && bytes == head.payload_bytes {
        let payload = slices.into_values().flatten().collect::<Vec<u8>>();
        let (parts, _) = document::parts(&payload).ok_or("its state is no document of objects")?;
        let entries = number(parts.units());
        return Ok(RecoveredEntries {
            head,
            payload,
            entries,
            lost: Some(0),
            lost_references: Vec::new(),
            bad_slices,
        });
    }
    let lost = "the part is lost that tells where its objects stand: only a backup helps";
    let outline = outline.and_then(Outline::read);
    let (outline, places) =
        outline.filter(|(outline, _)| outline.can_be_of(head.payload_bytes)).ok_or(lost)?;
    let rebuilt = WholeUnits::of(&outline, &places, slices).rebuilt();
    let rebuilt = rebuilt.ok_or("no whole object is left that its value leads to: only a backup helps")?;
    let lost = Some(number(outline.units()).saturating_sub(rebuilt.entries));
    let RebuiltDocument { payload, entries, lost_references } = rebuilt;
    Ok(RecoveredEntries { head, payload, entries, lost, lost_references, bad_slices })
}

/// Refuses what [`open`](crate::open) would refuse as changed by somebody without the key: the parts of a damaged save can be
/// trusted only where each is sealed by itself.
fn check_protection(
    bytes: &[u8],
    head: &Head,
    head_chunk: &Chunk<'_>,
    opening: &OpenOptions<'_>,
) -> Result<(), Fault> {
    if opening.keys.is_none() || opening.takes_unprotected || head.is_encrypted {
        return Ok(());
    }
    match verify(bytes, opening) {
        Err(fault) if fault.kind.is_damage() => {
            let words =
                "it is damaged and not encrypted, so nobody can tell which part was changed on purpose";
            Err(Fault::new(Kind::NotAuthentic, head_chunk.payload_at(), words))
        }
        other => other.map(drop),
    }
}

fn sealer(
    found: &[Chunk<'_>],
    head: &Head,
    head_chunk: &Chunk<'_>,
    opening: &OpenOptions<'_>,
) -> Result<Option<Sealer>, Fault> {
    if !head.is_encrypted {
        return Ok(None);
    }
    let keys_chunk = found.iter().find(|chunk| chunk.name == chunk::KEYS);
    let lost = || Fault::damaged(head_chunk.payload_at(), "the part that the key is checked by is lost");
    let keys_chunk = keys_chunk.ok_or_else(lost)?;
    let needed =
        || Fault::new(Kind::WrongKey, keys_chunk.payload_at(), "this save needs a password or a key");
    let subkeys: Subkeys = opening.keys.ok_or_else(needed)?.of_file(keys_chunk, head)?;
    Ok(Some(Sealer::new(&subkeys, head_chunk.payload, keys_chunk.payload)))
}

/// Finds all chunks whose checksum is right, wherever they stand: behind a damaged chunk it searches byte by
/// byte.
fn find(bytes: &[u8]) -> Vec<Chunk<'_>> {
    let mut found = Vec::new();
    let mut at = crate::SIGNATURE.len();
    // A hostile file could make every byte look like a long chunk.
    let mut budget = bytes.len().saturating_mul(MOST_SUMS_OF_A_BYTE);
    while at.saturating_add(FRAME_BYTES) <= bytes.len() {
        let name = bytes.get(at.saturating_add(4)..at.saturating_add(8)).unwrap_or_default();
        if !KNOWN.iter().any(|known| known == name) {
            at = at.saturating_add(1);
            continue;
        }
        let length = bytes
            .get(at..)
            .and_then(|rest| rest.first_chunk())
            .map_or(0, |length| u32::from_le_bytes(*length));
        let cost = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len().saturating_sub(at));
        let Some(left) = budget.checked_sub(cost) else { break };
        budget = left;
        match chunk::read(bytes, at) {
            Ok(chunk) => {
                at = chunk.end();
                found.push(chunk);
            }
            Err(_) => at = at.saturating_add(1),
        }
    }
    found
}

const KNOWN: [[u8; 4]; 8] = [
    chunk::HEAD,
    chunk::META,
    chunk::THUMBNAIL,
    chunk::SCHEMA,
    chunk::KEYS,
    chunk::OUTLINE,
    chunk::DATA,
    chunk::END,
];
/// The largest number of checksums that cover a byte. In an honest file it is one; damage adds a few bytes
/// that look like chunks.
const MOST_SUMS_OF_A_BYTE: usize = 8;

/// Holds the intact slices of a damaged save.
struct IntactSlices {
    /// The number of entries that begin in each slice, and its raw bytes, by index.
    slices: BTreeMap<u32, (u32, Vec<u8>)>,
    /// The number of slices of the save, as far as it is known.
    count: u32,
}

impl IntactSlices {
    fn bad(&self) -> Vec<u32> {
        (0..self.count).filter(|index| !self.slices.contains_key(index)).take(MOST_NAMED).collect()
    }
}

fn open_slices(
    found: &[Chunk<'_>],
    head: &Head,
    sealer: Option<&Sealer>,
    opening: &OpenOptions<'_>,
) -> IntactSlices {
    let end = found.iter().find(|chunk| chunk.name == chunk::END).and_then(|end| {
        let mut fields = end.fields();
        fields.u64().and_then(|_| fields.u32()).ok()
    });
    let mut slices = BTreeMap::new();
    let mut count = end.unwrap_or(0);
    let mut left = opening.most_bytes.min(head.payload_bytes);
    let mut unpacker = Unpacker::new(opening.unpacker);
    for chunk in found.iter().filter(|chunk| chunk.name == chunk::DATA) {
        let Ok(slice) = SliceHead::read(chunk) else { continue };
        // Charged before it is opened: a forger repeats slices.
        if slices.contains_key(&slice.index) || u64::from(slice.size) > left {
            continue;
        }
        let is_last = end.is_some_and(|count| slice.index.checked_add(1) == Some(count));
        let mut opened = slice.open(&mut unpacker, head, (sealer, is_last));
        if opened.is_err() && end.is_none() && sealer.is_some() {
            // If the end is lost, it is not known which slice is the last.
            opened = slice.open(&mut unpacker, head, (sealer, true));
        }
        let Ok(raw) = opened else { continue };
        left = left.saturating_sub(chunk::to_u64(raw.len()));
        // An index that no payload of this size reaches belongs to no slice of this save.
        if u64::from(slice.index) <= head.payload_bytes {
            count = count.max(slice.index.saturating_add(1));
            slices.entry(slice.index).or_insert((slice.entries, raw));
        }
    }
    IntactSlices { slices, count }
}

/// Joins the entries of slices that follow one another.
fn gather(head: Head, whole: IntactSlices) -> RecoveredEntries {
    let bad_slices = whole.bad();
    let mut slices = whole.slices;
    let declared = slices.get(&0).and_then(|(_, raw)| cut::opening(raw));
    let mut payload = vec![27, 0, 0, 0, 0, 0, 0, 0];
    let mut entries = 0_u32;
    let mut walker = Walker::new();
    while let Some((first, (begun, mut run))) = slices.pop_first() {
        let start = match first {
            0 => declared.map_or(run.len(), |(_, start)| start),
            // The slice continues an entry whose beginning is lost.
            _ if begun == 0 => continue,
            _ => 0,
        };
        let mut next = first.saturating_add(1);
        while let Some((_, more)) = slices.get(&next).filter(|(begun, _)| *begun == 0) {
            run.extend(more);
            slices.remove(&next);
            next = next.saturating_add(1);
        }
        let (found, end) = cut::whole_entries(&mut walker, &run, start, u32::MAX);
        payload.extend(run.get(start..end).unwrap_or_default());
        entries = entries.saturating_add(u32::try_from(found.len()).unwrap_or(u32::MAX));
    }
    payload.iter_mut().skip(4).zip(entries.to_le_bytes()).for_each(|(to, from)| *to = from);
    RecoveredEntries {
        head,
        payload,
        entries,
        lost: declared.map(|(count, _)| count.saturating_sub(entries)),
        lost_references: Vec::new(),
        bad_slices,
    }
}

/// The largest number of damaged slices that a report names.
const MOST_NAMED: usize = 1 << 16;
