//! Caches short texts that came again, as Strings that are ready to be shared.
//!
//! Messages of games have few texts beside names: kinds, states, tags. The engine's Strings are copied when they are written
//! to, so that a text that comes again needs no memory of its own: an array of 20 000 texts of which every second one is the
//! same takes half of the memory. The number of texts is bounded; a text has to come twice in a row of those that want its
//! place.

use godot::builtin::Variant;
use once_cell::sync::Lazy;
use variant_core::token::short_string_as_number;
use variant_core::{Trick, VariantType};

use super::super::layout::PAYLOAD;
use super::bits::STRING;
use super::calls::{self, Construct};
use super::slot::tag;
use super::strings::{self, as_str};

/// `String(from: String)`, the same since 4.0.
static COPY: Lazy<Construct> = Lazy::new(|| calls::copier(VariantType::String));

/// A power of two.
const ENTRIES: usize = 256;
/// Texts in a row that were not there, at most.
const MISSES: u32 = 64;

#[derive(Debug, Default)]
struct Entry {
    /// The text as a number; 0 stands for no text.
    number: u128,
    /// INVARIANT: a String of that text, if there is one.
    text: Variant,
    /// The hash of the text that wanted this place last.
    wanted: u64,
}

/// Empty until it is used.
#[derive(Debug, Default)]
pub(super) struct TextCache {
    entries: Vec<Entry>,
    /// The texts in a row that were not there.
    misses: u32,
}

impl TextCache {
    /// Begins another value.
    pub(super) fn prepare(&mut self) {
        self.misses = 0;
        if self.entries.is_empty() {
            self.entries.resize_with(ENTRIES, Entry::default);
        }
    }

    /// Makes the short String that bytes begin with in the slot. Returns how many bytes it has. Where none was there for
    /// long, no further one is looked for.
    ///
    /// # Safety
    /// A Variant that owns nothing lies at `slot`.
    #[inline(always)]
    pub(super) unsafe fn string(&mut self, bytes: &[u8], slot: *mut u8) -> Option<usize> {
        let (text, used, number) = short_string_as_number(bytes)?;
        let mixed = mixed(number);
        let is_wanted = self.misses < MISSES && !Trick::TextCache.is_off();
        let mut entry = self.entries.get_mut((mixed >> 56) as usize % ENTRIES).filter(|_| is_wanted);
        // SAFETY: the caller's promise; by the entry's invariant its Variant holds a String.
        unsafe {
            if let Some(entry) = entry.as_deref_mut().filter(|entry| entry.number == number)
                && let Some(copy) = *COPY
            {
                let from = entry.text.var_sys().cast::<u8>().add(PAYLOAD);
                copy(slot.add(PAYLOAD).cast(), [from.cast()].as_ptr());
                tag(slot, STRING);
                self.misses = 0;
                return Some(used as usize);
            }
            strings::string_of(slot.add(PAYLOAD), as_str(&text), true)?;
            tag(slot, STRING);
            if let Some(entry) = entry {
                self.misses += 1;
                if std::mem::replace(&mut entry.wanted, mixed) == mixed {
                    entry.keep(number, &*slot.cast());
                }
            }
        }
        Some(used as usize)
    }
}

impl Entry {
    /// Keeps the text that has just been made, which came the last time too.
    #[cold]
    fn keep(&mut self, number: u128, text: &Variant) {
        (self.number, self.text) = (number, text.clone());
    }
}

#[inline]
const fn mixed(number: u128) -> u64 {
    let (low, high) = (number as u64, (number >> 64) as u64);
    (low ^ high.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
