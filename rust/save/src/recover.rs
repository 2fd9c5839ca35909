//! Recovers from a damaged save what the intact slices hold: entries of the root Dictionary, or objects of a document.
//!
//! Only a person should ask for it, because the result was never one state of the game.

use std::collections::BTreeMap;

use variant_core::Walker;

use crate::chunk::{self, Chunk, FRAME_BYTES};
use crate::cut;
use crate::document::{self, Outline};
use crate::fault::{Kind, SaveFault};
use crate::head::Head;
use crate::keys::{Sealer, Subkeys};
use crate::open::{OpenOptions, verify};
use crate::rebuild::{RebuiltDocument, WholeUnits};
use crate::slice::{OUTLINE_INDEX, PackedSlice, SlicePosition};
use crate::unpack::Unpacker;

/// Holds the entries that were recovered from a damaged save.
#[derive(Clone, Default, PartialEq, Eq)]
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
pub fn recover(bytes: &[u8], opening: &OpenOptions<'_>) -> Result<RecoveredEntries, SaveFault> {
    let found = find(bytes);
    let head_chunk = found.iter().find(|chunk| chunk.name == chunk::HEAD);
    let Some(head_chunk) = head_chunk else {
        return Err(match bytes.starts_with(&crate::SIGNATURE) || !found.is_empty() {
            true => SaveFault::damaged(8, "its header is lost, and the rest with it"),
            false => SaveFault::new(Kind::NotASave, 0, "it does not begin like one"),
        });
    };
    let head = Head::read(head_chunk)?;
    let at = head_chunk.payload_at();
    let damaged = |words: &'static str| Err(SaveFault::damaged(at, words));
    if !head.is_document && !head.is_cut_at_entries {
        return damaged("it is no Dictionary that was cut between its entries: only a backup helps");
    }
    if head.payload_bytes > opening.most_bytes {
        return Err(SaveFault::new(Kind::TooLarge, at, "it holds more bytes than are allowed"));
    }
    // What `open` would refuse as changed by somebody without the key: the parts of a damaged save can be trusted only where
    // each is sealed by itself.
    if opening.keys.is_some() && !opening.takes_unprotected && !head.is_encrypted {
        match verify(bytes, opening) {
            Err(fault) if fault.kind.is_damage() => {
                let words =
                    "it is damaged and not encrypted, so nobody can tell which part was changed on purpose";
                return Err(SaveFault::new(Kind::NotAuthentic, at, words));
            }
            other => other.map(drop)?,
        }
    }
    let remains = Remains { sealer: sealer(&found, &head, head_chunk, opening)?, found, head, opening };
    remains.recovered().or_else(damaged)
}

/// Makes a document of the whole rows and entries, or says why there is none.
fn of_document(
    head: Head,
    whole: IntactSlices,
    outline: Option<&[u8]>,
) -> Result<RecoveredEntries, &'static str> {
    let (bad_slices, slices) = (whole.bad(), &whole.slices);
    let is_in_order = slices.keys().copied().eq(0..u32::try_from(slices.len()).unwrap_or(u32::MAX));
    let bytes = slices.values().map(|slice| chunk::to_u64(slice.raw.len())).sum::<u64>();
    let number = |units: u64| u32::try_from(units).unwrap_or(u32::MAX);
    if bad_slices.is_empty() && is_in_order && bytes == head.payload_bytes {
        let mut payload = Vec::new();
        whole.slices.into_values().for_each(|slice| payload.extend_from_slice(&slice.raw));
        let (parts, _) = document::parts(&payload).ok_or("its state is no document of objects")?;
        let entries = number(parts.units());
        return Ok(RecoveredEntries { head, payload, entries, lost: Some(0), ..RecoveredEntries::default() });
    }
    let lost = "the part is lost that tells where its objects stand: only a backup helps";
    let outline = outline.and_then(Outline::read);
    let (outline, places) =
        outline.filter(|(outline, _)| outline.can_be_of(head.payload_bytes)).ok_or(lost)?;
    let rebuilt = WholeUnits::of(&outline, &places, whole).rebuilt();
    let rebuilt = rebuilt.ok_or("no whole object is left that its value leads to: only a backup helps")?;
    let lost = Some(number(outline.units()).saturating_sub(rebuilt.entries));
    let RebuiltDocument { payload, entries, lost_references } = rebuilt;
    Ok(RecoveredEntries { head, payload, entries, lost, lost_references, bad_slices })
}

fn sealer(
    found: &[Chunk<'_>],
    head: &Head,
    head_chunk: &Chunk<'_>,
    opening: &OpenOptions<'_>,
) -> Result<Option<Sealer>, SaveFault> {
    if !head.is_encrypted {
        return Ok(None);
    }
    let keys_chunk = found.iter().find(|chunk| chunk.name == chunk::KEYS);
    let lost = || SaveFault::damaged(head_chunk.payload_at(), "the part that the key is checked by is lost");
    let keys_chunk = keys_chunk.ok_or_else(lost)?;
    let needed =
        || SaveFault::new(Kind::WrongKey, keys_chunk.payload_at(), "this save needs a password or a key");
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
        let name = bytes.get(at.saturating_add(4)..).and_then(|rest| rest.first_chunk::<4>());
        if !name.is_some_and(is_known) {
            at = at.saturating_add(1);
            continue;
        }
        let length = chunk::word(bytes, at).unwrap_or(0);
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

const fn is_known(name: &[u8; 4]) -> bool {
    use chunk::{DATA, END, HEAD, KEYS, META, OUTLINE, SCHEMA, THUMBNAIL};
    matches!(*name, HEAD | META | THUMBNAIL | SCHEMA | KEYS | OUTLINE | DATA | END)
}

/// The largest number of checksums that cover a byte. In an honest file it is one; damage adds a few bytes
/// that look like chunks.
const MOST_SUMS_OF_A_BYTE: usize = 8;

/// Holds the intact slices of a damaged save.
#[derive(Default)]
pub(crate) struct IntactSlices {
    slices: BTreeMap<u32, IntactSlice>,
    /// The number of slices of the save, as far as it is known.
    count: u32,
}

pub(crate) struct IntactSlice {
    /// The number of entries, or of parts of a document, that begin in it.
    begun: u32,
    pub(crate) raw: Vec<u8>,
}

impl IntactSlices {
    fn bad(&self) -> Vec<u32> {
        (0..self.count).filter(|index| !self.slices.contains_key(index)).take(MOST_NAMED).collect()
    }

    /// Takes the first slice, with all that go on with its last entry. Returns its index and the number of entries that begin in it.
    pub(crate) fn pop_run(&mut self) -> Option<(u32, IntactSlice)> {
        let (first, mut run) = self.slices.pop_first()?;
        let mut next = first.saturating_add(1);
        while let Some(slice) =
            self.slices.first_entry().filter(|it| (*it.key(), it.get().begun) == (next, 0))
        {
            run.raw.extend_from_slice(&slice.remove().raw);
            next = next.saturating_add(1);
        }
        Some((first, run))
    }
}

/// Holds what is left of a damaged save, and what opens it.
struct Remains<'a> {
    found: Vec<Chunk<'a>>,
    head: Head,
    sealer: Option<Sealer>,
    opening: &'a OpenOptions<'a>,
}

impl Remains<'_> {
    fn chunk(&self, name: [u8; 4]) -> Option<&Chunk<'_>> {
        self.found.iter().find(|chunk| chunk.name == name)
    }

    fn outline(&self) -> Option<Vec<u8>> {
        let slice = PackedSlice::read(self.chunk(chunk::OUTLINE)?).ok();
        let slice = slice.filter(|slice| slice.words.index == OUTLINE_INDEX)?;
        let mut unpacker = Unpacker::new(self.opening.unpacker);
        slice.open(&mut unpacker, &self.head, self.sealer.as_ref(), SlicePosition::Inner).ok()
    }

    fn open_slices(&self) -> IntactSlices {
        let Remains { found, head, sealer, opening } = self;
        let mut whole = IntactSlices::default();
        let mut is_end_known = false;
        let mut left = opening.most_bytes.min(head.payload_bytes);
        let mut unpacker = Unpacker::new(opening.unpacker);
        for chunk in found.iter().filter(|chunk| chunk.name == chunk::DATA) {
            let Ok(slice) = PackedSlice::read(chunk) else { continue };
            let words = slice.words;
            // Charged before it is opened: a forger repeats slices. No payload of this size reaches an index beyond its bytes.
            let is_new =
                !whole.slices.contains_key(&words.index) && u64::from(words.index) <= head.payload_bytes;
            if !is_new || u64::from(words.size) > left {
                continue;
            }
            let mut open = |position| slice.open(&mut unpacker, head, sealer.as_ref(), position).ok();
            let raw = open(SlicePosition::Inner).or_else(|| {
                let last = open(SlicePosition::Last).filter(|_| sealer.is_some());
                is_end_known |= last.is_some();
                last
            });
            let Some(raw) = raw else { continue };
            left = left.saturating_sub(chunk::to_u64(raw.len()));
            whole.count = whole.count.max(words.index.saturating_add(1));
            whole.slices.insert(words.index, IntactSlice { begun: words.entries, raw });
        }
        whole.count = match sealer {
            None => whole.count.max(self.declared_slices().unwrap_or(0)),
            // Nobody sealed what the last chunk says. That there is a last slice is sure.
            Some(_) => whole.count.saturating_add(u32::from(!is_end_known)),
        };
        whole
    }

    fn recovered(self) -> Result<RecoveredEntries, &'static str> {
        let whole = self.open_slices();
        let recovered = match self.head.is_document {
            true => {
                let outline = self.outline();
                of_document(self.head, whole, outline.as_deref())?
            }
            false => gather(self.head, whole),
        };
        if recovered.entries == 0 {
            Err("none of its entries is whole: only a backup helps")
        } else {
            Ok(recovered)
        }
    }

    /// Returns the number of slices that the last chunk says there are.
    fn declared_slices(&self) -> Option<u32> {
        let mut fields = self.chunk(chunk::END)?.fields();
        fields.u64().and_then(|_| fields.u32()).ok()
    }
}

/// Joins the entries of slices that follow one another.
fn gather(head: Head, mut whole: IntactSlices) -> RecoveredEntries {
    let mut bad_slices = whole.bad();
    let declared = whole.slices.get(&0).and_then(|slice| cut::opening(&slice.raw));
    let mut payload = vec![27, 0, 0, 0, 0, 0, 0, 0];
    let mut entries = 0_u32;
    let mut walker = Walker::new();
    while let Some((first, IntactSlice { begun, raw })) = whole.pop_run() {
        let start = match first {
            0 => declared.map_or(raw.len(), |(_, start)| start),
            // The slice continues an entry whose beginning is lost.
            _ if begun == 0 => continue,
            _ => 0,
        };
        let (found, end) = cut::whole_entries(&mut walker, &raw, start, begun);
        let found = u32::try_from(found.len()).unwrap_or(u32::MAX);
        // Nothing follows the entries that begin here, but the last of them may go on in a slice that is lost.
        let begins_another = u32::from(end < raw.len());
        if found.checked_add(begins_another) == Some(begun) {
            payload.extend(raw.get(start..end).unwrap_or_default());
            entries = entries.saturating_add(found);
        } else {
            bad_slices.insert(bad_slices.partition_point(|bad| *bad < first), first);
        }
    }
    payload.iter_mut().skip(4).zip(entries.to_le_bytes()).for_each(|(to, from)| *to = from);
    let lost = declared.map(|(count, _)| count.saturating_sub(entries));
    RecoveredEntries { head, payload, entries, lost, bad_slices, ..RecoveredEntries::default() }
}

/// The largest number of damaged slices that a report names.
const MOST_NAMED: usize = 1 << 16;
