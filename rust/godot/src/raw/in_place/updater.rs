//! Brings a value that is there to what checked bytes say, where the two have the same shape. The plain twin is the
//! sink `into::InPlace`, which is asked whenever this one stops, and makes good what was begun.
//!
//! It changes nothing whose end could run a script: only numbers, texts and their like are replaced. So what it
//! stands on, the nodes of a dictionary or the slots of its keys, and those of an array, stays where it is.

use std::collections::HashSet;

use godot::builtin::Variant;
use godot::sys::interface_fn;
use variant_core::VariantType;

use super::super::builtin_method::{ARRAY_READ_ONLY, DICTIONARY_READ_ONLY};
use super::super::layout::{Buffers, Dictionaries, PAYLOAD, dictionaries, pointer_at, proven, read, word_at};
use super::bits::{ARRAY, DICTIONARY, INT, NAME, NIL, OBJECT, STRING, id};
use super::builder::{BuildOne, Builder};
use super::keys::KeyCache;
use super::{made, packed, slots, texts};

const BYTES: u32 = id(VariantType::PackedByteArray);
const STRIDE: usize = size_of::<Variant>();
/// Levels this walk goes down; each takes less than 400 bytes of stack.
const MAX_DEPTH: usize = 256;
/// Containers that are looked for one after another. More of them get a table.
const LINEAR: usize = 16;

/// Updates a container. `None`: the plain twin has to, from the beginning; parts may be up to date already.
pub(crate) fn update(target: &Variant, bytes: &[u8], keys: &mut KeyCache, build_one: BuildOne) -> Option<()> {
    let layout = proven()?;
    let (buffers, dictionaries) = (layout.buffers.as_ref()?, layout.dictionaries.as_ref());
    let mut updater = Updater {
        builder: Builder::new(bytes, keys, build_one),
        buffers,
        dictionaries,
        kept: Kept::default(),
        depth: 0,
        lent: bytes.as_ptr(),
    };
    // SAFETY: a living Variant. Another handle to its container may be anywhere, but only this thread uses it now.
    unsafe { updater.container(target.var_sys().cast())? };
    updater.builder.rest.is_empty().then_some(())
}

struct Updater<'b> {
    builder: Builder<'b>,
    buffers: &'b Buffers,
    dictionaries: Option<&'b Dictionaries>,
    kept: Kept,
    depth: usize,
    /// Where the bytes lie. Somebody may have put them into the target itself: they are not let go.
    lent: *const u8,
}

/// The private parts of what is kept: one that comes twice cannot be two values.
#[derive(Default)]
struct Kept {
    first: Vec<usize>,
    more: HashSet<usize>,
}

impl Kept {
    /// False when it is there already.
    fn insert(&mut self, private: usize) -> bool {
        if self.first.contains(&private) {
            return false;
        }
        if self.first.len() < LINEAR {
            self.first.push(private);
            return true;
        }
        self.more.insert(private)
    }
}

impl Updater<'_> {
    /// # Safety
    /// A living Variant lies at `at`; only this thread uses what it holds.
    unsafe fn container(&mut self, at: *const u8) -> Option<()> {
        let header = self.builder.word()?;
        let count = usize::try_from(self.builder.word()?).ok()?;
        // SAFETY: the caller's promise; the payload of both types is their handle.
        unsafe {
            let handle = at.add(PAYLOAD);
            if word_at(at) != header || !matches!(header, ARRAY | DICTIONARY) || self.depth >= MAX_DEPTH {
                return None;
            }
            if !self.kept.insert(pointer_at(handle).addr()) {
                return None;
            }
            self.depth += 1;
            if header == ARRAY { self.array(handle, count) } else { self.dictionary(handle, count) }?;
            self.depth -= 1;
            Some(())
        }
    }

    /// # Safety
    /// `handle` is that of a living Array.
    unsafe fn array(&mut self, handle: *const u8, count: usize) -> Option<()> {
        // SAFETY: the caller's promise. The slots are asked for as ones to write, so that a buffer that is shared is
        // copied first.
        unsafe {
            let is_plain = word_at(pointer_at(handle).add(self.buffers.element_type)) == NIL;
            if !is_plain || slots::array_length(handle)? != count || slots::truth(*ARRAY_READ_ONLY, handle)? {
                return None;
            }
            if count == 0 {
                return Some(());
            }
            let first = interface_fn!(array_operator_index)(handle.cast_mut().cast(), 0).cast::<u8>();
            for index in 0..count {
                self.value(first.add(index * STRIDE))?;
            }
        }
        Some(())
    }

    /// # Safety
    /// `handle` is that of a living Dictionary.
    unsafe fn dictionary(&mut self, handle: *const u8, count: usize) -> Option<()> {
        let Some(known) = self.dictionaries else {
            // SAFETY: the caller's promise.
            return unsafe { self.dictionary_by_keys(handle, count) };
        };
        // SAFETY: the caller's promise and the probe's findings.
        unsafe {
            let private = pointer_at(handle);
            let types = word_at(private.add(known.key_type)) | word_at(private.add(known.value_type));
            let is_plain = types == NIL && word_at(private.add(known.size)) as usize == count;
            if !is_plain || slots::truth(*DICTIONARY_READ_ONLY, handle)? {
                return None;
            }
            let mut node = pointer_at(private.add(known.head));
            for _ in 0..count {
                if node.is_null() {
                    return None;
                }
                self.key(node.add(dictionaries::KEY))?;
                self.value(node.add(dictionaries::VALUE).cast_mut())?;
                node = pointer_at(node.add(dictionaries::NEXT));
            }
        }
        Some(())
    }

    /// By a copy of its keys, which an official call makes, and the slot of each.
    ///
    /// # Safety
    /// As [`Updater::dictionary`].
    #[inline(never)]
    unsafe fn dictionary_by_keys(&mut self, handle: *const u8, count: usize) -> Option<()> {
        // SAFETY: the caller's promise. No key is inserted, so that each is there; the list lives until the end.
        unsafe {
            let is_plain = slots::dictionary_types(handle)? == (NIL, NIL)
                && !slots::truth(*DICTIONARY_READ_ONLY, handle)?;
            if !is_plain {
                return None;
            }
            let keys = slots::List::of_keys(handle, count)?;
            let first = keys.first();
            for index in 0..count {
                let key = first.add(index * STRIDE);
                self.key(key)?;
                self.value(made::slot(handle.cast_mut().cast(), key.cast_mut().cast())?)?;
            }
        }
        Some(())
    }

    /// Whether the key that comes is the one that stands there.
    ///
    /// # Safety
    /// A living Variant lies at `at`.
    unsafe fn key(&mut self, at: *const u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            let tag = word_at(at);
            if self.builder.word()? != tag {
                return None;
            }
            let is_same = match tag {
                STRING => self.is_text(at)?,
                INT => i64::from(self.builder.word()?.cast_signed()) == read::<i64>(at.add(PAYLOAD)),
                NAME => {
                    let known = Some(self.buffers);
                    let text = self.builder.text()?;
                    texts::with_name(at.add(PAYLOAD), known, |held| Some(equals(held?, text)))?
                }
                _ => false,
            };
            is_same.then_some(())
        }
    }

    /// # Safety
    /// A living Variant that may be changed lies at `slot`.
    unsafe fn value(&mut self, slot: *mut u8) -> Option<()> {
        let start = self.builder.rest;
        let header = u32::from_le_bytes(*start.first_chunk()?);
        // SAFETY: the caller's promise; what is let go runs no script.
        unsafe {
            let tag = word_at(slot);
            match header {
                ARRAY | DICTIONARY if tag == header => return self.container(slot),
                STRING if tag == STRING => {
                    self.builder.word()?;
                    if self.is_text(slot)? {
                        return Some(());
                    }
                    self.builder.rest = start;
                }
                _ => {}
            }
            let may_end = match tag {
                OBJECT | ARRAY | DICTIONARY => false,
                BYTES => packed::elements(&*slot.cast())?.0 != self.lent,
                _ => tag != id(VariantType::Callable) && tag != id(VariantType::Signal),
            };
            if !may_end {
                return None;
            }
            self.builder.value(slot)
        }
    }

    /// Whether the text that comes is the one that stands there.
    ///
    /// # Safety
    /// A living Variant with a String lies at `at`.
    unsafe fn is_text(&mut self, at: *const u8) -> Option<bool> {
        let text = self.builder.text()?;
        // SAFETY: the caller's promise.
        Some(equals(unsafe { texts::characters(at.add(PAYLOAD), Some(self.buffers)) }?, text))
    }
}

fn equals(held: texts::Characters, text: &str) -> bool {
    if held.count > text.len() {
        return false;
    }
    if held.count == 0 {
        return text.is_empty();
    }
    // SAFETY: the text lives, and so do its characters.
    let held = unsafe { std::slice::from_raw_parts(held.first, held.count) };
    if held.len() == text.len() {
        // As many characters as bytes: all are ASCII, or it is another text.
        return held.iter().zip(text.as_bytes()).all(|(code, byte)| *code == u32::from(*byte));
    }
    held.iter().copied().eq(text.chars().map(u32::from))
}
