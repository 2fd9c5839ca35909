//! Brings a value that is there to what checked bytes say, where the two have one shape. The fallback is the
//! sink `into::InPlace`, which is asked whenever this one stops, and completes what was begun.
//!
//! It changes nothing whose end could run a script: it replaces only numbers, texts and their like. So the
//! nodes of a dictionary, the slots of its keys and those of an array stay where they are.

use godot::builtin::Variant;
use godot::global::var_to_bytes;
use godot::sys::interface_fn;
use variant_core::token::plain_text;
use variant_core::{CheckBy, EntryTypes, Limits, Rules, Trick, VariantType};

use super::super::builtin_method::{ARRAY_READ_ONLY, DICTIONARY_READ_ONLY};
use super::super::layout::{Buffers, Dictionaries, PAYLOAD, dictionaries, pointer_at, proven, read, word_at};
use super::bits::{ARRAY, DICTIONARY, FLOAT, INT, NAME, NIL, OBJECT, STRING, id};
use super::keys::KeyCache;
use super::slot::STRIDE;
use super::strings::as_str;
use super::{calls, packed, plain, scalar, slots, texts};
use crate::engine::build::{self, References};
use crate::engine::quiet::quietly;
use crate::engine::utf8;

const BYTES: u32 = id(VariantType::PackedByteArray);
const SIGNAL: u32 = id(VariantType::Signal);
/// The bits of a header that are the type.
const TYPE: u32 = 0xFF;
/// Levels this walk goes down; each takes less than 400 bytes of stack.
const MAX_DEPTH: usize = 256;
/// Containers for which room is made at once.
const USUAL: usize = 64;

/// Limits have been kept by an earlier reader.
static AS_THE_ENGINE: Rules = Rules::engine();
static AS_PLAIN_DATA: Rules =
    Rules { limits: Limits { live_references: false, ..Limits::engine() }, ..Rules::engine() };

/// Updates a container. `None`: the fallback has to, from the beginning; parts may be up to date already.
pub(crate) fn update(
    target: &Variant,
    bytes: &[u8],
    keys: &mut KeyCache,
    references: References,
) -> Option<()> {
    updated(bytes, keys, references, |updater| {
        // SAFETY: a living Variant. Another handle to its container may be anywhere, but only this thread uses it now.
        unsafe { updater.container(target.var_sys().cast())? };
        updater.rest.is_empty().then_some(())
    })
}

/// Updates by an updater, and asks it afterwards whether all containers were different ones.
pub(super) fn updated<'b>(
    bytes: &'b [u8],
    keys: &mut KeyCache,
    references: References,
    update: impl FnOnce(&mut Updater<'b, '_>) -> Option<()>,
) -> Option<()> {
    let layout = proven().filter(|_| !Trick::Updater.is_off())?;
    let (buffers, dictionaries) = (&layout.buffers, &layout.dictionaries);
    let mut updater = Updater {
        rest: bytes,
        keys,
        buffers,
        dictionaries,
        kept: Vec::with_capacity(USUAL),
        references,
        depth: 0,
        made: 0,
        lent: bytes.as_ptr(),
    };
    update(&mut updater)?;
    let Updater { mut kept, .. } = updater;
    // A container that came twice cannot be two values: the fallback makes two of it.
    kept.sort_unstable();
    kept.is_sorted_by(|one, next| one < next).then_some(())
}

pub(super) struct Updater<'b, 'k> {
    pub(super) rest: &'b [u8],
    keys: &'k mut KeyCache,
    pub(super) buffers: &'static Buffers,
    dictionaries: &'static Dictionaries,
    /// The private parts of the containers that are kept.
    kept: Vec<usize>,
    references: References,
    depth: usize,
    /// How many values were made in the place of others.
    pub(super) made: usize,
    /// The address of the bytes. The target itself may hold them: they are not let go.
    lent: *const u8,
}

impl<'b> Updater<'b, '_> {
    /// # Safety
    /// A living Variant lies at `at`; only this thread uses what it holds.
    unsafe fn container(&mut self, at: *const u8) -> Option<()> {
        let header = self.word()?;
        let ty = header & TYPE;
        // SAFETY: the caller's promise; the payload of both types is their handle.
        unsafe {
            let handle = at.add(PAYLOAD);
            if word_at(at) != ty || !matches!(ty, ARRAY | DICTIONARY) || self.depth >= MAX_DEPTH {
                return None;
            }
            let first = self.declared(header >> 16 & 3)?;
            let second = self.declared(header >> 18 & 3)?;
            let count = usize::try_from(self.word()?).ok()?;
            self.depth += 1;
            match ty {
                ARRAY => self.array(handle, first, count)?,
                _ => self.dictionary(handle, EntryTypes { keys: first, values: second }, count)?,
            }
            self.depth -= 1;
            Some(())
        }
    }

    /// Reads the type that the bytes declare for a container. `None`: one of a class.
    #[inline(always)]
    fn declared(&mut self, form: u32) -> Option<u32> {
        if form == 0 {
            return Some(NIL);
        }
        let ty = match form {
            1 => self.word()?,
            _ => self.field().map(|_| OBJECT)?,
        };
        // As `References::held` has it.
        match ty {
            OBJECT | SIGNAL if self.references == References::PlainData => Some(NIL),
            OBJECT => None,
            ty => Some(ty),
        }
    }

    /// # Safety
    /// `handle` is that of a living Array.
    unsafe fn array(&mut self, handle: *const u8, declared: u32, count: usize) -> Option<()> {
        // SAFETY: the caller's promise; as many slots lie there.
        unsafe {
            let first = self.slots(handle, declared, count)?;
            (0..count).try_for_each(|index| self.value(first.add(index * STRIDE)))
        }
    }

    /// Returns the first slot of an array that is of this type and size and may be changed: null if there is none.
    ///
    /// # Safety
    /// `handle` is that of a living Array.
    pub(super) unsafe fn slots(&mut self, handle: *const u8, declared: u32, count: usize) -> Option<*mut u8> {
        // SAFETY: the caller's promise. The slots are asked for as ones to write, so that a buffer that is shared is
        // copied first.
        unsafe {
            let is_alike = self.buffers.element_type(handle)? == declared;
            if !is_alike
                || self.buffers.elements(handle)?.1 != count
                || slots::truth(*ARRAY_READ_ONLY, handle)?
            {
                return None;
            }
            self.kept.push(pointer_at(handle).addr());
            let first = || interface_fn!(array_operator_index)(handle.cast_mut().cast(), 0).cast();
            Some(if count == 0 { std::ptr::null_mut() } else { first() })
        }
    }

    /// # Safety
    /// `handle` is that of a living Dictionary.
    unsafe fn dictionary(&mut self, handle: *const u8, declared: EntryTypes, count: usize) -> Option<()> {
        // SAFETY: the caller's promise and the probe's findings.
        unsafe {
            let mut node = self.nodes(handle, declared, count)?;
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

    /// Returns the first node of a dictionary that is of these types and this size and may be changed.
    ///
    /// # Safety
    /// `handle` is that of a living Dictionary.
    #[inline]
    pub(super) unsafe fn nodes(
        &mut self,
        handle: *const u8,
        declared: EntryTypes,
        count: usize,
    ) -> Option<*const u8> {
        let known = self.dictionaries;
        // SAFETY: the caller's promise and the probe's findings.
        unsafe {
            let private = pointer_at(handle);
            let is_alike =
                known.types(handle)? == declared && word_at(private.add(known.size)) as usize == count;
            if !is_alike || slots::truth(*DICTIONARY_READ_ONLY, handle)? {
                return None;
            }
            self.kept.push(private.addr());
            Some(pointer_at(private.add(known.head)))
        }
    }

    /// Tells whether the key that comes is the one that stands there.
    ///
    /// # Safety
    /// A living Variant lies at `at`.
    unsafe fn key(&mut self, at: *const u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            let start = self.rest;
            let header = self.word()?;
            let is_same = match word_at(at) {
                tag if tag != header => self.is_same(&*at.cast(), start)?,
                STRING => self.is_text(at)?,
                INT => i64::from(self.word()?.cast_signed()) == read::<i64>(at.add(PAYLOAD)),
                NAME => self.is_name(at)?,
                _ => self.is_same(&*at.cast(), start)?,
            };
            is_same.then_some(())
        }
    }

    /// Tells whether the value that comes, whose bytes these are, is this one down to the types that its
    /// containers declare.
    #[cold]
    fn is_same(&mut self, value: &Variant, start: &'b [u8]) -> Option<bool> {
        self.rest = start;
        let mut made = Variant::nil();
        // SAFETY: a living Variant of our own.
        unsafe { self.make(made.var_sys_mut().cast())? };
        // What is nested over 1024 levels prints.
        Some(quietly(|| var_to_bytes(value) == var_to_bytes(&made)))
    }

    /// # Safety
    /// A living Variant that may be changed lies at `slot`.
    pub(super) unsafe fn value(&mut self, slot: *mut u8) -> Option<()> {
        let start = self.rest;
        let header = u32::from_le_bytes(*start.first_chunk()?);
        // SAFETY: the caller's promise; what is let go runs no script.
        unsafe {
            let tag = word_at(slot);
            if let Some(used) = scalar::renew(start, slot) {
                self.rest = start.get(used..)?;
                return Some(());
            }
            match header {
                _ if tag == header & TYPE && matches!(tag, ARRAY | DICTIONARY) => {
                    return self.container(slot);
                }
                STRING | NAME if tag == header => {
                    self.word()?;
                    if if tag == STRING { self.is_text(slot)? } else { self.is_name(slot)? } {
                        return Some(());
                    }
                    self.rest = start;
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
            self.make(slot)
        }
    }

    /// Tells whether the name that comes is the one that stands there.
    ///
    /// # Safety
    /// A living Variant with a StringName lies at `at`.
    unsafe fn is_name(&mut self, at: *const u8) -> Option<bool> {
        let text = self.field()?;
        // SAFETY: the caller's promise.
        unsafe { texts::with_name(at.add(PAYLOAD), self.buffers, |held| Some(equals(held?, text))) }
    }

    /// Makes the StringName that comes next in a slot, if that comes and is in its plainest form. Returns what follows it.
    ///
    /// # Safety
    /// A Variant that owns nothing and that nobody else uses lies at `slot`.
    unsafe fn name(&mut self, slot: *mut u8) -> Option<&'b [u8]> {
        let (ty, text, rest) = plain_text(self.rest, &AS_THE_ENGINE)?;
        let text = Some(as_str(&text)).filter(|_| ty == VariantType::StringName)?;
        // SAFETY: the caller's promise.
        unsafe { self.keys.make_name(text, slot)? };
        Some(rest)
    }

    /// Makes the value that comes next in a slot, by its fallback if it has no fast path.
    ///
    /// # Safety
    /// A living Variant that nobody else uses meanwhile lies at `slot`. The value that it holds is let go.
    unsafe fn make(&mut self, slot: *mut u8) -> Option<()> {
        self.made += 1;
        let rules = match self.references {
            References::Live => &AS_THE_ENGINE,
            References::PlainData => &AS_PLAIN_DATA,
        };
        // SAFETY: the caller's promise. Types up to float own nothing: their slot may be written over.
        unsafe {
            if let Some(used) = scalar::take(self.rest, slot, NIL) {
                self.rest = self.rest.get(used..)?;
                return Some(());
            }
            if word_at(slot) > FLOAT {
                calls::clear(slot);
            }
            let made = match self.rest.first_chunk() == Some(&NAME.to_le_bytes()) {
                true => self.name(slot),
                false => plain::first(
                    &self.rest.into(),
                    rules,
                    self.keys,
                    &mut *slot.cast(),
                    CheckBy::Caller { fills_tables: false },
                ),
            };
            match made {
                Some(rest) => self.rest = rest,
                None => {
                    let (value, used) = build::first(self.rest, self.references)?;
                    self.rest = self.rest.get(used..)?;
                    *slot.cast::<Variant>() = value;
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*word))
    }

    /// Reads the bytes of a text with its padding.
    #[inline]
    fn field(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.word()?).ok()?;
        let (field, rest) = self.rest.split_at_checked(length.checked_next_multiple_of(4)?)?;
        self.rest = rest;
        field.get(..length)
    }

    /// Tells whether the text that comes is the one that stands there.
    ///
    /// # Safety
    /// A living Variant with a String lies at `at`.
    unsafe fn is_text(&mut self, at: *const u8) -> Option<bool> {
        let text = self.field()?;
        // SAFETY: the caller's promise.
        Some(equals(unsafe { texts::characters(at.add(PAYLOAD), self.buffers) }?, text))
    }
}

/// Tells whether characters are those of a text, of which these are the bytes.
pub(super) fn equals(held: texts::Characters, text: &[u8]) -> bool {
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
        return held.iter().zip(text).all(|(code, byte)| *code == u32::from(*byte) && byte.is_ascii());
    }
    utf8::read(text).is_some_and(|text| held.iter().copied().eq(text.chars().map(u32::from)))
}
