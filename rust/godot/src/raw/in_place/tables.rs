//! Tables: room in a new Dictionary's hash table, so that filling it does not grow it step by step. It fills nothing.
//!
//! A table that grows is built anew at 18, 36, 73 entries and so on, which for 100 000 Strings is a third of the time
//! that the engine takes. `reserve` is not among the methods that an extension may call. But `assign` gives a Dictionary
//! the other's capacity as well, however few entries that has; so one empty Dictionary of each capacity is kept that has
//! come before. All calls are official ones, and an engine that does not do so only grows its tables as before.

use godot::builtin::VarDictionary;
use godot::sys::{self, GodotFfi};
use variant_core::wire::hash_table::{CAPACITIES, holds};

use super::bits::INT;
use super::builder::set;
use super::children::LocalKey;
use super::made;

/// Capacities that are kept: up to that for 147 459 entries. A larger one would take longer to prepare than most games
/// have dictionaries for.
const KEPT: usize = 14;

/// Empty dictionaries with capacity. They hold no table of their own: the engine makes one at the first entry.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    ready: [Option<VarDictionary>; KEPT],
    /// Whether a capacity was wanted before. What comes once is not prepared for.
    was_wanted: [bool; KEPT],
}

impl Tables {
    /// Gives a new and untyped Dictionary room for so many entries, if that is ready or worth its preparation.
    ///
    /// # Safety
    /// `dictionary` is a living Dictionary without entries that nobody else uses.
    #[inline]
    pub(super) unsafe fn reserve(&mut self, dictionary: sys::GDExtensionTypePtr, count: u32) {
        if !holds(CAPACITIES[0], count.into()) {
            // SAFETY: the caller's promise.
            unsafe { self.reserve_many(dictionary, count) }
        }
    }

    /// # Safety
    /// As [`Tables::reserve`].
    #[inline(never)]
    unsafe fn reserve_many(&mut self, dictionary: sys::GDExtensionTypePtr, count: u32) {
        let mut capacities = CAPACITIES.iter().take(KEPT);
        let level = capacities.position(|capacity| holds(*capacity, count.into())).unwrap_or(KEPT - 1);
        if self.ready[level].is_none() && std::mem::replace(&mut self.was_wanted[level], true) {
            self.ready[level] = self.prepared(level);
        }
        let found = self.ready[..=level].iter().rev().flatten().next();
        if let Some(prepared) = found {
            // SAFETY: the caller's promise.
            unsafe { made::assign(dictionary, prepared.sys()) };
        }
    }

    /// Fills a Dictionary until it has grown, and empties it.
    fn prepared(&self, level: usize) -> Option<VarDictionary> {
        let before = level.checked_sub(1)?;
        let mut grown = VarDictionary::new();
        let mut key = LocalKey::new();
        // SAFETY: new dictionaries; a key of ours, which is an int from the first turn on.
        unsafe {
            if let Some(smaller) = &self.ready[before] {
                made::assign(grown.sys_mut(), smaller.sys());
            }
            let mut count = 0_u64;
            while holds(CAPACITIES[before], count) {
                set(key.place(), INT, count);
                made::slot(grown.sys_mut(), key.place().cast())?;
                count += 1;
            }
        }
        grown.clear();
        let mut empty = VarDictionary::new();
        // SAFETY: a new one.
        unsafe { made::assign(empty.sys_mut(), grown.sys()) };
        Some(empty)
    }
}
