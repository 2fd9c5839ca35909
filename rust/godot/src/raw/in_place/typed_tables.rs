//! TypedTables: the same as `tables.rs` for dictionaries that declare types. A capacity is taken only from one of the same
//! types, so there is one for each that has come before. It fills nothing.

use godot::builtin::{AnyDictionary, Variant};
use variant_core::wire::hash_table::{CAPACITIES, holds};

use super::bits::{INT, STRING};
use super::builder::{set, tag};
use super::children::LocalKey;
use super::{made, strings};
use crate::raw::layout::PAYLOAD;

/// Kinds of dictionaries that are kept, the first that come.
const KEPT: usize = 16;

/// What a Dictionary declares for its keys and values, and which of the capacities it needs.
type Kind = (u32, u32, usize);

/// Empty dictionaries with capacity, as Variants; `None` while their kind has come only once.
#[derive(Debug, Default)]
pub(super) struct TypedTables(Vec<(Kind, Option<Variant>)>);

impl TypedTables {
    /// Gives a new Dictionary of these types room for so many entries. `empty` makes another one of the kind.
    ///
    /// # Safety
    /// The slot holds a Dictionary of these types without entries that nobody else uses.
    pub(super) unsafe fn reserve(
        &mut self,
        slot: *mut u8,
        types: (u32, u32),
        count: u32,
        empty: impl Fn() -> Option<Variant>,
    ) {
        // Keys to prepare them with.
        if !matches!(types.0, INT | STRING) {
            return;
        }
        let fits = |capacity: &u32| holds(*capacity, count.into());
        let Some(level) = CAPACITIES.iter().take(super::tables::KEPT).position(fits) else { return };
        let kind = (types.0, types.1, level);
        let Some((_, ready)) = self.0.iter_mut().find(|(other, _)| *other == kind) else {
            if level > 0 && self.0.len() < KEPT {
                self.0.push((kind, None));
            }
            return;
        };
        if ready.is_none() {
            *ready = prepared(kind, empty);
        }
        if let Some(prepared) = ready {
            // SAFETY: the caller's promise; both hold dictionaries, whose handle is their payload.
            unsafe { made::assign(slot.add(PAYLOAD).cast(), handle(prepared).cast()) };
        }
    }
}

/// Fills a Dictionary until it has grown, and empties it.
fn prepared((key_type, _, level): Kind, empty: impl Fn() -> Option<Variant>) -> Option<Variant> {
    let before = *CAPACITIES.get(level.checked_sub(1)?)?;
    let (mut grown, mut small) = (empty()?, empty()?);
    let mut count = 0;
    // SAFETY: new dictionaries; a key of the type that they declare.
    unsafe {
        while holds(before, count) {
            let mut key = LocalKey::new();
            let place = key.place();
            match key_type {
                INT => set(place, INT, count),
                STRING => {
                    strings::string(place.add(PAYLOAD), &count.to_string())?;
                    tag(place, STRING);
                }
                _ => return None,
            }
            made::slot(handle_mut(&mut grown).cast(), place.cast())?;
            count += 1;
        }
        let mut entries: AnyDictionary = grown.try_to().ok()?;
        entries.clear();
        made::assign(handle_mut(&mut small).cast(), handle(&grown).cast());
    }
    Some(small)
}

fn handle(dictionary: &Variant) -> *const u8 {
    dictionary.var_sys().cast::<u8>().wrapping_add(PAYLOAD)
}

fn handle_mut(dictionary: &mut Variant) -> *mut u8 {
    dictionary.var_sys_mut().cast::<u8>().wrapping_add(PAYLOAD)
}
