//! Bytes that a walk has found valid to a Variant, each part written where it will stay. The plain twin is the
//! sink `build::ToVariant`, which is asked whenever this one stops.
//!
//! It does not judge: limits, duplicate keys and all that is the walker's, which has been here before. But it
//! believes nothing either that could make it read or write where it must not. It recurses, but never deeper than
//! [`MAX_DEPTH`].

use godot::builtin::Variant;

use super::super::layout::{PAYLOAD, proven, read, word_at};
use super::bits::{ARRAY, BOOL, DICTIONARY, FLOAT, INT, NAME, NIL, PLAIN, REAL_FLAG, STRING, WIDE_FLAG, id};
use super::keys::KeyCache;
use super::moulds::{Foreseen, Moulds};
use super::{made, strings};
use variant_core::VariantType;

/// Levels this walk goes down; each takes less than 400 bytes of stack.
pub(super) const MAX_DEPTH: usize = 256;
pub(super) const STRIDE: usize = size_of::<Variant>();

/// Builds the one value that bytes begin with, by the plain twin: the value and how many bytes it took.
pub(crate) type BuildOne = fn(&[u8]) -> Option<(Variant, usize)>;

/// Builds the value that these bytes are, all of them. `None`: the plain twin has to.
pub(super) fn build(bytes: &[u8], keys: &mut KeyCache, build_one: BuildOne) -> Option<Variant> {
    let mut value = Variant::nil();
    Builder::new(bytes, keys, build_one).whole(&mut value)?;
    Some(value)
}

/// The same of bytes of which some keys are known, into a Variant that is there.
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
    /// A living Variant that nobody else uses lies at `slot`. What it holds is let go.
    #[inline(always)]
    pub(super) unsafe fn value(&mut self, slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise. Types up to float own nothing: their slot may be written over.
        unsafe {
            if word_at(slot) > FLOAT {
                made::clear(slot);
            }
            if let Some(record) = self.rest.first_chunk::<12>() {
                let header = u32::from_le_bytes([record[0], record[1], record[2], record[3]]);
                let is_wide = header & WIDE_FLAG != 0;
                let narrow = read::<i32>(record.as_ptr().add(4));
                let wide = read::<i64>(record.as_ptr().add(4));
                if header & !WIDE_FLAG == INT {
                    self.rest = &self.rest[8 + 4 * usize::from(is_wide)..];
                    let value = if is_wide { wide } else { i64::from(narrow) };
                    set(slot, INT, value.cast_unsigned());
                    return Some(());
                }
                if header & !WIDE_FLAG == FLOAT {
                    self.rest = &self.rest[8 + 4 * usize::from(is_wide)..];
                    let single = f64::from(f32::from_bits(narrow.cast_unsigned())).to_bits();
                    set(slot, FLOAT, if is_wide { wide.cast_unsigned() } else { single });
                    return Some(());
                }
            }
            if self.vector(slot) { Some(()) } else { self.other(slot) }
        }
    }

    /// Reads a value of few numbers, all of its payload in the Variant; false when it is none, or the bytes end soon
    /// after it: as many as a payload has are copied, whatever of them counts.
    ///
    /// # Safety
    /// As [`Builder::value`]; the slot owns nothing.
    #[inline(always)]
    unsafe fn vector(&mut self, slot: *mut u8) -> bool {
        const WHOLE: usize = STRIDE - PAYLOAD;
        let Some((head, payload)) = self.rest.split_first_chunk::<4>() else { return false };
        let header = u32::from_le_bytes(*head);
        let ty = header & !REAL_FLAG;
        let Some(plain) = PLAIN.get(ty as usize) else { return false };
        let is_as_wide = plain.flag == header & REAL_FLAG;
        let is_other = plain.bytes == 0 || plain.is_behind || !is_as_wide || is_reference(ty);
        if is_other || payload.len() < WHOLE {
            return false;
        }
        // SAFETY: the caller's promise; the payload is that large, and there are as many bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(payload.as_ptr(), slot.add(PAYLOAD), WHOLE);
            tag(slot, ty);
        }
        self.rest = &payload[plain.bytes..];
        true
    }

    /// # Safety
    /// As [`Builder::value`]; the slot owns nothing.
    #[inline(never)]
    #[expect(clippy::too_many_lines, reason = "one arm a type")]
    unsafe fn other(&mut self, slot: *mut u8) -> Option<()> {
        let start = self.rest;
        let header = self.word()?;
        // SAFETY: the caller's promise.
        unsafe {
            match header {
                NIL => {
                    set(slot, NIL, 0);
                    Some(())
                }
                BOOL => {
                    set(slot, BOOL, u64::from(self.word()? != 0));
                    Some(())
                }
                INT => {
                    set(slot, INT, i64::from(self.word()?.cast_signed()).cast_unsigned());
                    Some(())
                }
                FLOAT => {
                    set(slot, FLOAT, f64::from(f32::from_bits(self.word()?)).to_bits());
                    Some(())
                }
                STRING => {
                    if let Some(ready) = self.mould() {
                        made::copy(slot.cast(), ready.var_sys());
                        return self.text().map(drop);
                    }
                    if let Some(used) = self.keys.texts.string(start, slot) {
                        self.rest = start.get(used..)?;
                        return Some(());
                    }
                    let text = self.text()?;
                    strings::string(slot.add(PAYLOAD), text)?;
                    tag(slot, STRING);
                    Some(())
                }
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

    /// Vectors and matrices, typed containers, packed strings; the rest is the plain twin's.
    ///
    /// # Safety
    /// As [`Builder::other`]; `start` are the bytes from the value's header on.
    unsafe fn rare(&mut self, header: u32, start: &'b [u8], slot: *mut u8) -> Option<()> {
        const TYPED_ARRAY: u32 = ARRAY | 1 << 16;
        let ty = header & 0xFF;
        if is_reference(ty) {
            // SAFETY: the caller's promise.
            return unsafe { self.by_twin(start, slot) };
        }
        let plain = PLAIN.get(ty as usize)?;
        // SAFETY: the caller's promise; so many bytes are what such a type is made of (`layout/variants.rs`).
        unsafe {
            if plain.bytes > 0 && header == ty | plain.flag {
                let bytes = self.take(plain.bytes)?;
                if plain.is_behind {
                    return made::from_type(ty, slot, bytes.as_ptr());
                }
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), slot.add(PAYLOAD), plain.bytes);
                tag(slot, ty);
                return Some(());
            }
            if plain.bytes > 0 && header == ty | WIDE_FLAG && REAL_FLAG == 0 && plain.bytes <= 64 {
                return self.narrowed(ty, slot);
            }
            match header {
                TYPED_ARRAY => match self.word()? {
                    element if is_reference(element) => self.by_twin(start, slot),
                    element => self.array(slot, Some(element)),
                },
                _ if ty == DICTIONARY => self.typed_dictionary(header, start, slot),
                _ if header == id(VariantType::PackedStringArray) => self.packed_strings(slot),
                // Wide elements where this build has narrow ones carry a flag, and are the plain twin's.
                _ if ty >= id(VariantType::PackedByteArray) => match self.packed(header) {
                    Some(array) => {
                        slot.cast::<Variant>().write(array);
                        Some(())
                    }
                    None => self.by_twin(start, slot),
                },
                _ => self.by_twin(start, slot),
            }
        }
    }

    /// Doubles for a type that has singles here.
    ///
    /// # Safety
    /// As [`Builder::rare`]; the type has at most 16 numbers.
    unsafe fn narrowed(&mut self, ty: u32, slot: *mut u8) -> Option<()> {
        let plain = PLAIN.get(ty as usize)?;
        if plain.flag != 0
            || matches!(VariantType::from_id(ty as u8)?.layout(), variant_core::wire::Layout::Rid)
        {
            return None;
        }
        let mut numbers = [0_f32; 16];
        let doubles = self.take(plain.bytes * 2)?;
        for (slot, double) in numbers.iter_mut().zip(doubles.as_chunks().0) {
            *slot = f64::from_le_bytes(*double) as f32;
        }
        // SAFETY: the caller's promise.
        unsafe {
            if plain.is_behind {
                return made::from_type(ty, slot, numbers.as_ptr().cast());
            }
            std::ptr::copy_nonoverlapping(numbers.as_ptr().cast(), slot.add(PAYLOAD), plain.bytes);
            tag(slot, ty);
        }
        Some(())
    }

    /// # Safety
    /// As [`Builder::rare`].
    pub(super) unsafe fn by_twin(&mut self, start: &'b [u8], slot: *mut u8) -> Option<()> {
        let (value, used) = (self.build_one)(start)?;
        self.rest = start.get(used..)?;
        // SAFETY: the slot owns nothing, so that a Variant may be moved into it.
        unsafe { slot.cast::<Variant>().write(value) };
        Some(())
    }

    /// A checked text with its padding.
    #[inline]
    pub(super) fn text(&mut self) -> Option<&'b str> {
        let length = usize::try_from(self.word()?).ok()?;
        let text = self.take(length)?;
        self.take(length.wrapping_neg() & 3)?;
        // SAFETY: the walker has found this very field to be valid UTF-8: it went the same way through the same bytes.
        Some(unsafe { std::str::from_utf8_unchecked(text) })
    }
}

/// # Safety
/// A Variant that owns nothing lies at `slot`.
#[inline(always)]
pub(super) unsafe fn set(slot: *mut u8, ty: u32, payload: u64) {
    // SAFETY: the caller's promise; a Variant's payload is at least 8 bytes.
    unsafe {
        slot.add(PAYLOAD).cast::<u64>().write_unaligned(payload);
        tag(slot, ty);
    }
}

/// # Safety
/// As [`set`]; the payload is one of this type.
#[inline(always)]
pub(super) unsafe fn tag(slot: *mut u8, ty: u32) {
    // SAFETY: the caller's promise.
    unsafe { slot.cast::<u32>().write(ty) };
    debug_assert!(ty < 40 && !slot.is_null());
}

/// Whether values of a type point into the running game: RID, Object, Callable, Signal. What they become is the
/// plain twin's to decide, with all that is around them.
pub(super) const fn is_reference(ty: u32) -> bool {
    ty >= id(VariantType::Rid) && ty <= id(VariantType::Signal)
}
