//! Rare: the leaves of flat values that are no scalars and no texts but names. What is known is copied.

use variant_core::Lone;
use variant_core::token::{Leaf, peek_path, plain_numbers};

use super::super::super::layout::PAYLOAD;
use super::super::bits::NAME;
use super::super::builder::tag;
use super::super::path_cache::Wanted;
use super::super::{lone, made, strings};
use super::{PATH, Room};

/// Writes the leaf that comes next; what follows it.
///
/// # Safety
/// A Variant that owns nothing and that nobody else uses lies at `slot`; `look.rs` has found the value flat.
#[inline(never)]
pub(super) unsafe fn make<'b>(
    header: u32,
    bytes: &'b [u8],
    slot: *mut u8,
    room: Room<'_>,
) -> Option<&'b [u8]> {
    // SAFETY: the caller's promise; what is known lives as long as the cache is left alone.
    unsafe {
        match header {
            NAME => {
                if let Some(found) = room.keys.known(bytes) {
                    made::copy(slot.cast(), found.key);
                    return bytes.get(found.record.field() as usize..);
                }
                let (text, rest) = strings::seen(bytes.get(4..)?, false)?;
                strings::name(slot.add(PAYLOAD), text)?;
                tag(slot, NAME);
                Some(rest)
            }
            PATH => {
                let record = peek_path(bytes)?;
                made::copy(slot.cast(), room.keys.path(Wanted::new(record.bytes))?);
                bytes.get(record.bytes.len()..)
            }
            _ => {
                let (leaf, rest) = plain_numbers(bytes, room.rules)?;
                lone::write(&Lone::Leaf(leaf), slot)?;
                matches!(leaf, Leaf::Math(..) | Leaf::Packed(..)).then_some(rest)
            }
        }
    }
}
