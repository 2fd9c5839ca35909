//! Bytes that a walk has found valid to a Variant, each part written where it will stay. The plain twin is the
//! sink `build::ToVariant`, which is asked whenever this one stops.
//!
//! It does not judge: limits, duplicate keys and all that is the walker's, which has been here before. But it
//! believes nothing either that could make it read or write where it must not. It recurses, but never deeper than
//! [`MAX_DEPTH`].

use godot::builtin::Variant;
use variant_core::token::plain_numbers;
use variant_core::{Lone, Rules, VariantType};

use super::super::layout::{PAYLOAD, proven, word_at};
use super::bits::{ARRAY, DICTIONARY, FLOAT, NAME, NIL, STRING, id};
use super::keys::KeyCache;
use super::moulds::{Foreseen, Moulds};
use super::slot::{is_reference, tag};
use super::text_cache::Row;
use super::{lone, made, packs, scalar, strings};
use crate::utf8;

/// Levels this walk goes down; each takes less than 400 bytes of stack.
pub(super) const MAX_DEPTH: usize = 256;
const TYPED_ARRAY: u32 = ARRAY | 1 << 16;
const PACKED_STRINGS: u32 = id(VariantType::PackedStringArray);
/// Limits have been kept by an earlier reader.
static AS_THE_ENGINE: Rules = Rules::engine();

/// Builds the one value that bytes begin with, by the plain twin: the value and how many bytes it took.
pub(crate) type BuildOne = fn(&[u8]) -> Option<(Variant, usize)>;

/// Builds the value that these bytes are, all of them. `None`: the plain twin has to.
pub(super) fn build(bytes: &[u8], keys: &mut KeyCache, build_one: BuildOne) -> Option<Variant> {
    let mut value = Variant::nil();
    Builder::new(bytes, keys, build_one).whole(&mut value)?;
    Some(value)
}

/// Builds the value into a Variant that is there, of bytes of which some keys are known.
pub(crate) fn build_foreseen(
    bytes: &[u8],
    keys: &mut KeyCache,
    build_one: BuildOne,
    foreseen: (&mut Moulds, Foreseen<'_>),
    value: &mut Variant,
) -> Option<()> {
    Builder { foreseen: Some(foreseen), ..Builder::new(bytes, keys, build_one) }.whole(value)
}

pub(super) struct Builder<'b> {
    pub(super) rest: &'b [u8],
    /// Bytes in all.
    pub(super) end: usize,
    pub(super) foreseen: Option<(&'b mut Moulds, Foreseen<'b>)>,
    pub(super) keys: &'b mut KeyCache,
    pub(super) build_one: BuildOne,
    pub(super) depth: usize,
}

impl<'b> Builder<'b> {
    pub(super) fn new(bytes: &'b [u8], keys: &'b mut KeyCache, build_one: BuildOne) -> Builder<'b> {
        keys.texts.prepare();
        Builder { rest: bytes, end: bytes.len(), foreseen: None, keys, build_one, depth: 0 }
    }

    fn whole(mut self, root: &mut Variant) -> Option<()> {
        proven()?;
        // SAFETY: a living Variant that nobody else uses meanwhile.
        unsafe { self.value(root.var_sys_mut().cast())? };
        self.rest.is_empty().then_some(())
    }

    #[inline(always)]
    pub(super) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    #[inline(always)]
    pub(super) fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*word))
    }

    /// Reads a value into a slot.
    ///
    /// # Safety
    /// A living Variant that nobody else uses lies at `slot`. The value that it holds is let go.
    #[inline(always)]
    pub(super) unsafe fn value(&mut self, slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match scalar::take(self.rest, slot, NIL) {
                Some(used) => {
                    self.rest = self.rest.get(used..)?;
                    Some(())
                }
                None => self.other(slot),
            }
        }
    }

    /// Reads a value that is no scalar.
    ///
    /// # Safety
    /// It needs what [`Builder::value`] needs.
    #[inline(never)]
    unsafe fn other(&mut self, slot: *mut u8) -> Option<()> {
        let start = self.rest;
        let header = self.word()?;
        // SAFETY: the caller's promise. Types up to float own nothing: their slot may be written over.
        unsafe {
            if word_at(slot) > FLOAT {
                made::clear(slot);
            }
            match header {
                STRING => self.string(start, slot),
                NAME => {
                    self.rest = start;
                    self.name(slot)
                }
                ARRAY => self.array(slot, None),
                DICTIONARY => self.dictionary(slot),
                _ => self.rare(header, start, slot),
            }
        }
    }

    /// Reads a String, of which the header has been read.
    ///
    /// # Safety
    /// It needs what [`Builder::rare`] needs.
    #[inline(always)]
    unsafe fn string(&mut self, start: &'b [u8], slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(ready) = self.mould() {
                made::copy(slot.cast(), ready.var_sys());
                return self.field().map(drop);
            }
            if let Some(used) = self.keys.texts.string(start, slot, &mut Row::default()) {
                self.rest = start.get(used..)?;
                return Some(());
            }
            let text = self.text()?;
            strings::string(slot.add(PAYLOAD), text)?;
            tag(slot, STRING);
        }
        Some(())
    }

    /// Reads matrices, packed arrays and typed containers; the plain sink makes the rest.
    ///
    /// # Safety
    /// It needs what [`Builder::value`] needs; the slot owns nothing, `start` are the bytes from the value's header on.
    unsafe fn rare(&mut self, header: u32, start: &'b [u8], slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            match header {
                TYPED_ARRAY => match self.word()? {
                    element if is_reference(element) => self.by_twin(start, slot),
                    element => self.array(slot, Some(element)),
                },
                _ if header & 0xFF == DICTIONARY => self.typed_dictionary(header, start, slot),
                PACKED_STRINGS => match packs::strings_of(self.rest, slot, &AS_THE_ENGINE) {
                    Some(rest) => {
                        self.rest = rest;
                        Some(())
                    }
                    None => {
                        made::clear(slot);
                        self.by_twin(start, slot)
                    }
                },
                _ => match plain_numbers(start, &AS_THE_ENGINE) {
                    Some((leaf, rest)) if lone::write(&Lone::Leaf(leaf), slot).is_some() => {
                        self.rest = rest;
                        Some(())
                    }
                    _ => self.by_twin(start, slot),
                },
            }
        }
    }

    /// # Safety
    /// It needs what [`Builder::rare`] needs.
    pub(super) unsafe fn by_twin(&mut self, start: &'b [u8], slot: *mut u8) -> Option<()> {
        let (value, used) = (self.build_one)(start)?;
        self.rest = start.get(used..)?;
        // SAFETY: the slot owns nothing, so that a Variant may be moved into it.
        unsafe { slot.cast::<Variant>().write(value) };
        Some(())
    }

    /// Reads a text with its padding. It is found valid anew: nothing here rests on the judgement of another reader.
    #[inline]
    pub(super) fn text(&mut self) -> Option<&'b str> {
        utf8::read(self.field()?)
    }

    /// Reads the bytes of a text with its padding.
    #[inline]
    pub(super) fn field(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.word()?).ok()?;
        let text = self.take(length)?;
        self.take(length.wrapping_neg() & 3)?;
        Some(text)
    }
}
