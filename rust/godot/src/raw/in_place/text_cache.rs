//! Caches short texts that came again, as Strings that are ready to be shared.
//!
//! Messages of games have few texts beside names: kinds, states, tags. The engine's Strings are copied when they are written
//! to, so that a text that comes again needs no memory of its own: an array of 20 000 texts of which every second one is the
//! same takes half of the memory. The number of texts is bounded; a text has to come twice in a row of those that want its
//! place.

use std::cell::Cell;

use godot::builtin::Variant;
use once_cell::sync::Lazy;
use variant_core::token::short_string_as_number;
use variant_core::{Trick, VariantType};

use super::super::layout::PAYLOAD;
use super::bits::STRING;
use super::calls::{self, Construct};
use super::slot::tag;
use super::strings;
use super::to_slots::as_str;

/// `String(from: String)`, the same since 4.0.
static COPY: Lazy<Construct> = Lazy::new(|| calls::copier(VariantType::String));

/// A power of two.
const ENTRIES: usize = 256;

#[derive(Default)]
struct Entry {
    /// The text as a number; 0 stands for no text.
    number: Cell<u128>,
    /// INVARIANT: a String of that text, if there is one.
    text: Cell<Variant>,
    /// The hash of the text that wanted this place last.
    wanted: Cell<u64>,
}

/// Texts in a row that were not there, at most.
const MISSES: u32 = 64;

/// Counts the texts in a row that were not there.
#[derive(Default)]
pub(super) struct Row {
    misses: u32,
}

/// Empty until it is used.
#[derive(Default)]
pub(super) struct TextCache(Vec<Entry>);

impl std::fmt::Debug for TextCache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("TextCache").finish_non_exhaustive()
    }
}

impl TextCache {
    pub(super) fn prepare(&mut self) {
        if self.0.is_empty() {
            self.0.resize_with(ENTRIES, Entry::default);
        }
    }

    /// Makes the short String that bytes begin with in the slot. Returns how many bytes it has. Where none was there for
    /// long, no further one is looked for.
    ///
    /// # Safety
    /// A Variant that owns nothing lies at `slot`.
    #[inline(always)]
    pub(super) unsafe fn string(&self, bytes: &[u8], slot: *mut u8, row: &mut Row) -> Option<usize> {
        let (text, used, number) = short_string_as_number(bytes)?;
        // SAFETY: the caller's promise.
        unsafe {
            let shared = if row.misses < MISSES && !Trick::TextCache.is_off() {
                self.share(number, slot)
            } else {
                Err(None)
            };
            let Err(place) = shared else {
                row.misses = 0;
                return Some(used as usize);
            };
            strings::string_of(slot.add(PAYLOAD), as_str(&text), true)?;
            tag(slot, STRING);
            if let Some(place) = place {
                row.misses += 1;
                place.offer(slot);
            }
        }
        Some(used as usize)
    }

    /// Makes a String of this text in the slot, if it is there; else a place that may keep it.
    ///
    /// # Safety
    /// A Variant that owns nothing lies at `slot`.
    #[inline(always)]
    unsafe fn share(&self, number: u128, slot: *mut u8) -> Result<(), Option<Vacancy<'_>>> {
        let mixed = mixed(number);
        let Some(entry) = self.0.get((mixed >> 56) as usize % ENTRIES) else { return Err(None) };
        match *COPY {
            Some(copy) if entry.number.get() == number => {
                // SAFETY: the caller's promise; by the entry's invariant its Variant holds a String.
                unsafe {
                    let from = entry.text.as_ptr().cast::<u8>().add(PAYLOAD);
                    copy(slot.add(PAYLOAD).cast(), [from.cast_const().cast()].as_ptr());
                    tag(slot, STRING);
                }
                Ok(())
            }
            _ => Err(Some(Vacancy { entry, number, mixed })),
        }
    }
}

/// An entry that may keep the text that has just been made.
struct Vacancy<'c> {
    entry: &'c Entry,
    number: u128,
    mixed: u64,
}

impl Vacancy<'_> {
    /// Keeps the text of this slot if it came the last time too.
    ///
    /// # Safety
    /// A Variant with a String of that text lies at `slot`.
    #[inline(always)]
    unsafe fn offer(self, slot: *const u8) {
        if self.entry.wanted.replace(self.mixed) == self.mixed {
            // SAFETY: the caller's promise.
            unsafe { self.keep(&*slot.cast()) };
        }
    }

    #[cold]
    fn keep(self, text: &Variant) {
        self.entry.number.set(0);
        self.entry.text.set(text.clone());
        self.entry.number.set(self.number);
    }
}

#[inline(always)]
const fn mixed(number: u128) -> u64 {
    let (low, high) = (number as u64, (number >> 64) as u64);
    (low ^ high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
