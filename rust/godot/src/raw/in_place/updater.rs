//! Brings a value that is there to what checked bytes say, where the two have one shape: the core's plain reader drives it as it
//! drives `plain.rs`, whose parts it asks for where there is no such value. The fallback is `engine/into.rs`, which is asked
//! whenever this one stops, and completes what was begun.
//!
//! It changes nothing whose end could run a script: it replaces only numbers, texts and their like. So the
//! nodes of a dictionary, the slots of its keys and those of an array stay where they are.

use godot::builtin::Variant;
use godot::global::var_to_bytes;
use godot::sys::interface_fn;
use variant_core::token::{Container, ContainerType, Text, Token};
use variant_core::{CheckBy, EntryTypes, Limits, Make, Rules, Trick, VariantType, make_first};

use super::super::builtin_method::{ARRAY_READ_ONLY, DICTIONARY_READ_ONLY};
use super::super::layout::{Buffers, Dictionaries, PAYLOAD, dictionaries, pointer_at, proven, read, word_at};
use super::bits::{ARRAY, DICTIONARY, FLOAT, INT, NAME, NIL, OBJECT, STRING, id};
use super::keys::KeyCache;
use super::slot::STRIDE;
use super::{calls, packed, plain, scalar, slots, texts};
use crate::engine::build::{self, References};
use crate::engine::quiet::quietly;
use crate::engine::utf8;

const BYTES: u32 = id(VariantType::PackedByteArray);
/// Containers for which room is made at once.
const USUAL: usize = 64;

/// Limits have been kept by an earlier reader.
static AS_THE_ENGINE: Rules = Rules::engine();
static AS_PLAIN_DATA: Rules =
    Rules { limits: Limits { live_references: false, ..Limits::engine() }, ..Rules::engine() };
const CHECKED: CheckBy<'_> = CheckBy::Caller { fills_tables: false };

/// Updates a container. `None`: the fallback has to, from the beginning; parts may be up to date already.
pub(crate) fn update(
    target: &Variant,
    bytes: &[u8],
    keys: &mut KeyCache,
    references: References,
) -> Option<()> {
    let mut updater = Updater::new(bytes, keys, references)?;
    let at = target.var_sys().cast_mut().cast();
    // SAFETY: a living Variant. Only a container can be changed through a handle to it.
    if !matches!(unsafe { word_at(at) }, ARRAY | DICTIONARY) {
        return None;
    }
    // Another handle to it may be anywhere, but only this thread uses it now.
    let rest = updater.update(Slot(at), bytes)?;
    if rest.is_empty() { updater.finish() } else { None }
}

/// INVARIANT: a living Variant lies there, which stays there until the update is over, and only this thread uses what it holds.
#[derive(Clone, Copy)]
pub(super) struct Slot(pub(super) *mut u8);

/// The elements of an Array that are to come. INVARIANT: as many slots lie from the next on.
pub(super) struct Elements {
    next: *mut u8,
    left: usize,
}

impl Iterator for Elements {
    type Item = Slot;

    #[inline]
    fn next(&mut self) -> Option<Slot> {
        self.left = self.left.checked_sub(1)?;
        let slot = Slot(self.next);
        self.next = self.next.wrapping_add(STRIDE);
        Some(slot)
    }
}

/// The entries of a Dictionary that are to come. INVARIANT: null, or a node of a living Dictionary, which stays there until the
/// update is over.
pub(super) struct Entries(*const u8);

impl Entries {
    /// Returns the key of the next entry, where there is one.
    #[inline]
    pub(super) fn key(&self) -> Option<*const u8> {
        (!self.0.is_null()).then_some(self.0.wrapping_add(dictionaries::KEY))
    }

    /// Goes to the entry after the next one, which there is. Returns the place of this one's value.
    #[inline]
    pub(super) fn step(&mut self) -> Option<Slot> {
        self.key()?;
        // SAFETY: the invariant, and the probe's findings.
        unsafe {
            let slot = Slot(self.0.add(dictionaries::VALUE).cast_mut());
            self.0 = pointer_at(self.0.add(dictionaries::NEXT));
            Some(slot)
        }
    }
}

pub(super) struct Updater<'k> {
    keys: &'k mut KeyCache,
    pub(super) buffers: &'static Buffers,
    dictionaries: &'static Dictionaries,
    /// The private parts of the containers that are kept.
    kept: Vec<usize>,
    references: References,
    /// How many values were made in the place of others.
    pub(super) made: usize,
    /// The address of the bytes. The target itself may hold them: they are not let go.
    lent: *const u8,
}

impl<'k> Updater<'k> {
    /// `None`: it is not known how values lie.
    pub(super) fn new(bytes: &[u8], keys: &'k mut KeyCache, references: References) -> Option<Self> {
        let layout = proven().filter(|_| !Trick::Updater.is_off())?;
        Some(Updater {
            keys,
            buffers: &layout.buffers,
            dictionaries: &layout.dictionaries,
            kept: Vec::with_capacity(USUAL),
            references,
            made: 0,
            lent: bytes.as_ptr(),
        })
    }

    /// Brings a value to what the bytes begin with. Returns what follows that.
    pub(super) fn update<'b>(&mut self, slot: Slot, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let rules = self.rules();
        make_first(bytes, rules, self, slot, CHECKED)
    }

    /// Tells whether all containers were different ones: one that came twice cannot be two values, and the fallback makes two
    /// of it.
    pub(super) fn finish(mut self) -> Option<()> {
        self.kept.sort_unstable();
        self.kept.is_sorted_by(|one, next| one < next).then_some(())
    }

    const fn rules(&self) -> &'static Rules {
        match self.references {
            References::Live => &AS_THE_ENGINE,
            References::PlainData => &AS_PLAIN_DATA,
        }
    }

    /// Returns the elements of an array that is of this type and size and may be changed.
    pub(super) fn elements(&mut self, Slot(at): Slot, declared: u32, count: usize) -> Option<Elements> {
        // SAFETY: by the slot's invariant; the payload of this type is its handle. The slots are asked for as ones to write, so
        // that a buffer that is shared is copied first.
        unsafe {
            let handle = at.add(PAYLOAD);
            let is_alike = word_at(at) == ARRAY
                && self.buffers.element_type(handle)? == declared
                && self.buffers.elements(handle)?.1 == count;
            if !is_alike || slots::truth(*ARRAY_READ_ONLY, handle)? {
                return None;
            }
            self.kept.push(pointer_at(handle).addr());
            let first = || interface_fn!(array_operator_index)(handle.cast(), 0).cast();
            Some(Elements { next: if count == 0 { std::ptr::null_mut() } else { first() }, left: count })
        }
    }

    /// Returns the entries of a dictionary that is of these types and this size and may be changed.
    #[inline]
    pub(super) fn entries(&mut self, Slot(at): Slot, declared: EntryTypes, count: usize) -> Option<Entries> {
        let known = self.dictionaries;
        // SAFETY: by the slot's invariant and the probe's findings; the payload of this type is its handle.
        unsafe {
            if word_at(at) != DICTIONARY {
                return None;
            }
            let handle = at.add(PAYLOAD);
            let private = pointer_at(handle);
            let is_alike =
                known.types(handle)? == declared && word_at(private.add(known.size)) as usize == count;
            if !is_alike || slots::truth(*DICTIONARY_READ_ONLY, handle)? {
                return None;
            }
            self.kept.push(private.addr());
            Some(Entries(pointer_at(private.add(known.head))))
        }
    }

    /// Returns the number of the type that a container has which is made for a declaration. `None`: it has a class.
    fn declared(&self, declared: &ContainerType<'_>) -> Option<u32> {
        let held = self.references.held(declared.element_type()).map_or(NIL, id);
        (held != OBJECT).then_some(held)
    }

    /// Brings a value to what the bytes begin with, if it is no container that stays. Returns how many bytes that has.
    #[inline(never)]
    fn value(&mut self, slot: *mut u8, bytes: &[u8]) -> Option<usize> {
        let header = u32::from_le_bytes(*bytes.first_chunk()?);
        // SAFETY: by the slot's invariant; what is let go runs no script.
        unsafe {
            let tag = word_at(slot);
            if let Some(used) = scalar::renew(bytes, slot) {
                return Some(used);
            }
            if tag == header
                && matches!(tag, STRING | NAME)
                && let Some(used) = self.same_text(slot, bytes)
            {
                return Some(used);
            }
            let may_end = match tag {
                OBJECT | ARRAY | DICTIONARY => false,
                BYTES => packed::elements(&*slot.cast())?.0 != self.lent,
                _ => tag != id(VariantType::Callable) && tag != id(VariantType::Signal),
            };
            if may_end { self.make(slot, bytes) } else { None }
        }
    }

    /// Returns how many bytes the text has that they begin with, if it is the one that is there.
    ///
    /// # Safety
    /// A living Variant with a String or a StringName lies at `at`.
    unsafe fn same_text(&self, at: *const u8, bytes: &[u8]) -> Option<usize> {
        let (length, text) = bytes.get(4..)?.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let padded = length.checked_next_multiple_of(4)?;
        let text = text.get(..padded)?.get(..length)?;
        // SAFETY: the caller's promise.
        let is_same = unsafe {
            let handle = at.add(PAYLOAD);
            match word_at(at) {
                STRING => equals(texts::characters(handle, self.buffers)?, text),
                _ => texts::with_name(handle, self.buffers, |held| Some(equals(held?, text)))?,
            }
        };
        is_same.then_some(8 + padded)
    }

    /// Returns how many bytes the text or the short int has that they begin with, if it is the key that is there.
    ///
    /// # Safety
    /// A living Variant lies at `at`.
    #[inline]
    unsafe fn same_key(&self, at: *const u8, bytes: &[u8]) -> Option<usize> {
        let (header, payload) = bytes.split_first_chunk()?;
        // SAFETY: the caller's promise.
        unsafe {
            match (word_at(at), u32::from_le_bytes(*header)) {
                (STRING, STRING) | (NAME, NAME) => self.same_text(at, bytes),
                (INT, INT) => {
                    let number = i32::from_le_bytes(*payload.first_chunk()?);
                    (i64::from(number) == read::<i64>(at.add(PAYLOAD))).then_some(8)
                }
                _ => None,
            }
        }
    }

    /// Makes the value that the bytes begin with in a slot, by its fallback if it has no fast path. Returns how many bytes it
    /// has.
    ///
    /// # Safety
    /// A living Variant that nobody else uses meanwhile lies at `slot`. The value that it holds is let go.
    unsafe fn make(&mut self, slot: *mut u8, bytes: &[u8]) -> Option<usize> {
        self.made += 1;
        // SAFETY: the caller's promise. Types up to float own nothing: their slot may be written over.
        unsafe {
            if word_at(slot) > FLOAT {
                calls::clear(slot);
            }
            if let Some(used) = scalar::take(bytes, slot, NIL) {
                return Some(used);
            }
            let rules = self.rules();
            match plain::first(&bytes.into(), rules, self.keys, &mut *slot.cast(), CHECKED) {
                Some(rest) => bytes.len().checked_sub(rest.len()),
                None => {
                    let (value, used) = build::first(bytes, self.references)?;
                    *slot.cast::<Variant>() = value;
                    Some(used)
                }
            }
        }
    }
}

impl Make for &mut Updater<'_> {
    type Place<'p> = Slot;
    type Items<'p> = Elements;
    type Entries<'p> = Entries;
    type Key = Variant;
    type Template<'p> = Entries;

    const DEEPEST: u64 = 256;
    const FINDS_DUPLICATES: bool = true;

    #[inline]
    fn leaf<'p>(&mut self, place: Self::Place<'p>, bytes: &[u8]) -> Result<usize, Self::Place<'p>> {
        self.value(place.0, bytes).ok_or(place)
    }

    fn name<'b>(&mut self, place: Slot, field: &'b [u8], _: impl FnOnce() -> Option<Text<'b>>) -> Option<()> {
        self.value(place.0, field).map(|_| ())
    }

    fn array<'p>(&mut self, place: Self::Place<'p>, declared: u32, count: u32) -> Option<Self::Items<'p>> {
        self.elements(place, declared, count as usize)
    }

    fn array_of<'p>(
        &mut self,
        place: Self::Place<'p>,
        token: Token<'_>,
        count: u32,
    ) -> Option<Self::Items<'p>> {
        let Token::Open(Container::Array { element, .. }) = token else { return None };
        self.elements(place, self.declared(&element)?, count as usize)
    }

    fn item<'p>(&mut self, items: &mut Self::Items<'p>) -> Option<Self::Place<'p>> {
        items.next()
    }

    fn dictionary<'p>(
        &mut self,
        place: Self::Place<'p>,
        declared: EntryTypes,
        count: u32,
    ) -> Option<Self::Entries<'p>> {
        self.entries(place, declared, count as usize)
    }

    fn dictionary_of<'p>(
        &mut self,
        place: Self::Place<'p>,
        token: Token<'_>,
        count: u32,
    ) -> Option<Self::Entries<'p>> {
        let Token::Open(Container::Dictionary { key, value, .. }) = token else { return None };
        let declared = EntryTypes { keys: self.declared(&key)?, values: self.declared(&value)? };
        self.entries(place, declared, count as usize)
    }

    fn key<'p>(&mut self, entries: &mut Self::Entries<'p>, field: &[u8]) -> Option<Self::Place<'p>> {
        // SAFETY: by the invariant of entries.
        if unsafe { self.same_key(entries.key()?, field) }.is_some() {
            return entries.step();
        }
        let mut key = Variant::nil();
        // SAFETY: a null of our own.
        unsafe { self.make(key.var_sys_mut().cast(), field)? };
        self.other_key(entries, key)
    }

    /// The keys that are there have to come.
    #[inline]
    fn template<'p>(
        &mut self,
        entries: &mut Self::Entries<'p>,
        _: u32,
        _: &[u8],
    ) -> Option<Self::Template<'p>> {
        Some(Entries(entries.0))
    }

    #[inline]
    fn templated_key<'p>(
        &mut self,
        keys: &mut Self::Template<'p>,
        bytes: &[u8],
    ) -> Option<(usize, Self::Place<'p>)> {
        // SAFETY: by the invariant of entries.
        let used = unsafe { self.same_key(keys.key()?, bytes)? };
        Some((used, keys.step()?))
    }

    /// Another key is compared one by one from here on.
    fn leave<'p>(&mut self, keys: Self::Template<'p>, entries: &mut Self::Entries<'p>, _: u32) -> Option<()> {
        *entries = keys;
        Some(())
    }

    fn key_place(key: &mut Variant) -> Option<Slot> {
        Some(Slot(key.var_sys_mut().cast()))
    }

    /// Two keys are the same if they are down to the types that their containers declare.
    #[cold]
    fn other_key<'p>(&mut self, entries: &mut Self::Entries<'p>, key: Variant) -> Option<Self::Place<'p>> {
        // SAFETY: by the invariant of entries.
        let held: &Variant = unsafe { &*entries.key()?.cast() };
        // What is nested over 1024 levels prints.
        if quietly(|| var_to_bytes(held) == var_to_bytes(&key)) { entries.step() } else { None }
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
