//! Makes the leaves of the fast path that are no scalars and no Strings. Names and paths that have come before are copied.

use variant_core::token::{Leaf, Record, peek_path, plain_numbers, plain_text};
use variant_core::{LONGEST_FLAT_NAME, LONGEST_FLAT_PATH, Lone, VariantType};

use super::super::super::layout::PAYLOAD;
use super::super::bits::NAME;
use super::super::path_cache::Wanted;
use super::super::slot::tag;
use super::super::to_slots::as_str;
use super::super::{lone, made, strings};
use super::PATH;
use super::judge::Judge;

/// Writes the leaf that comes next; what follows it.
///
/// # Safety
/// A Variant that owns nothing and that nobody else uses lies at `slot`.
#[inline(never)]
pub(super) unsafe fn make<'b>(
    header: u32,
    bytes: &'b [u8],
    slot: *mut u8,
    judge: &mut Judge<'_>,
) -> Option<&'b [u8]> {
    // SAFETY: the caller's promise.
    unsafe {
        match header {
            NAME => name(bytes, slot, judge),
            PATH => path(bytes, slot, judge),
            _ => {
                let (leaf, rest) = plain_numbers(bytes, judge.rules)?;
                lone::write(&Lone::Leaf(leaf), slot)?;
                matches!(leaf, Leaf::Math(..) | Leaf::Packed(..)).then_some(rest)
            }
        }
    }
}

/// A name that is known, or too long to be kept: others are worth to be, which the walk does. Names are allowed where
/// scalars are.
///
/// # Safety
/// It needs what [`make`] needs.
unsafe fn name<'b>(bytes: &'b [u8], slot: *mut u8, judge: &mut Judge<'_>) -> Option<&'b [u8]> {
    if let Some(found) = judge.keys.known(bytes) {
        judge.comes(found.key.cast(), 1)?;
        // SAFETY: the caller's promise; what is known lives as long as the cache is left alone.
        unsafe { made::copy(slot.cast(), found.key) };
        return bytes.get(found.record.field() as usize..);
    }
    judge.names = judge.names.checked_sub(1)?;
    let (_, text, rest) = plain_text(bytes, judge.rules)?;
    if Record::read(bytes).is_some() || text.as_bytes().len() > LONGEST_FLAT_NAME {
        return None;
    }
    // SAFETY: the caller's promise.
    unsafe {
        strings::name(slot.add(PAYLOAD), as_str(&text))?;
        tag(slot, NAME);
    }
    Some(rest)
}

/// A path that is known.
///
/// # Safety
/// It needs what [`make`] needs.
unsafe fn path<'b>(bytes: &'b [u8], slot: *mut u8, judge: &mut Judge<'_>) -> Option<&'b [u8]> {
    let record = peek_path(bytes).filter(|record| record.bytes.len() <= LONGEST_FLAT_PATH)?;
    let is_allowed = u64::from(record.names) <= judge.rules.limits.max_path_segments
        && judge.allows(VariantType::NodePath);
    let path = judge.keys.path(Wanted::new(record.bytes)).filter(|_| is_allowed)?;
    judge.comes(path.cast(), record.names + 2)?;
    // SAFETY: as in `name`.
    unsafe { made::copy(slot.cast(), path) };
    bytes.get(record.bytes.len()..)
}
