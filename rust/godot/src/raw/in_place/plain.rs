//! Makes values in the places where they stay, and what is not in a cache yet is put there. The core's plain reader judges each
//! part just before it is made, where no limit can refuse it; all else a walk has judged. It refuses nothing: it lets go of a
//! value that it gives up, and official calls make that (`engine/build/`).

use std::marker::PhantomData;

use godot::builtin::Variant;
use variant_core::token::{Leaf, Text, Token, plain_text};
use variant_core::{CheckBy, EntryTypes, Make, Rules, Sink, Trick, make_first};

use crate::engine::build::{References, ToVariant};

use super::super::layout::{PAYLOAD, pointer_at, proven};
use super::bits::{INT, NAME, NIL, STRING, id};
use super::keys::{KeyCache, MANY};
use super::packed::BorrowedBytes;
use super::path_cache::PathQuery;
use super::slot::{LocalKey, STRIDE, set, tag};
use super::strings::{self, as_str};
use super::templates::{FollowedTemplate, Keys, MOST, only_first};
use super::{ahead, calls, packed_strings, scalar, single};

/// Makes the value that the bytes are in the place of a null. Tells whether it is there; else the place holds null still.
#[inline]
pub(crate) fn make(
    lent: &BorrowedBytes<'_>,
    rules: &Rules,
    keys: &mut KeyCache,
    place: &mut Variant,
    check: CheckBy<'_>,
) -> bool {
    let keys = keys.for_one_walk(rules.limits.max_bytes);
    let is_made = !Trick::FastPath.is_off() && matches!(first(lent, rules, keys, place, check), Some([]));
    if !is_made {
        *place = Variant::nil();
    }
    is_made
}

/// Makes the value that the bytes begin with in the place of a null. Returns what follows it. `None`: it takes official calls,
/// and as much of it as was made is in the place.
#[inline]
pub(super) fn first<'b>(
    lent: &BorrowedBytes<'b>,
    rules: &Rules,
    keys: &mut KeyCache,
    place: &mut Variant,
    check: CheckBy<'_>,
) -> Option<&'b [u8]> {
    proven()?;
    keys.texts.prepare();
    keys.templates.let_go();
    let (left, fills_tables) = (lent.bytes.len() / 4, check.fills_tables());
    let make = Slots { keys, lent, rules, left, fills_tables };
    make_first(lent.bytes, rules, make, Slot(place.var_sys_mut().cast(), PhantomData), check)
}

/// The place of one value. INVARIANT: a null that nobody else uses lies there as long as `'p`, or the default of a type that
/// owns nothing.
struct Slot<'p>(*mut u8, PhantomData<&'p mut Variant>);

/// The elements of a new Array that are to come. INVARIANT: they are one after another, null or the default of a declared
/// type that owns nothing, and nobody else's.
struct Items<'p> {
    next: *mut u8,
    left: u32,
    array: PhantomData<&'p mut Variant>,
}

/// A new Dictionary. INVARIANT: it lies there as long as `'p`, and nobody else has it.
struct Entries<'p> {
    slot: Slot<'p>,
    /// Keys that it may get, and those that it has got.
    count: u32,
    there: u32,
    /// The template that is learnt of it.
    learns: Option<usize>,
}

impl<'p> Entries<'p> {
    /// Returns the place of the value of a key that has just been put into the Dictionary. `None`: it was there already.
    #[inline]
    fn new_slot(&mut self, slot: *mut u8) -> Option<Slot<'p>> {
        self.there += 1;
        // A key that comes twice has a value already, which is not to be written over. The first is alone.
        // SAFETY: the invariant of a Dictionary.
        let is_new =
            self.there == 1 || unsafe { calls::length(self.slot.0.add(PAYLOAD)) }? == u64::from(self.there);
        is_new.then_some(Slot(slot, PhantomData))
    }
}

/// Makes Godot's values in the slots where they stay.
struct Slots<'k> {
    keys: &'k mut KeyCache,
    lent: &'k BorrowedBytes<'k>,
    rules: &'k Rules,
    /// Elements that the bytes can hold besides those of the arrays so far: memory is taken for no more.
    left: usize,
    /// Whether large dictionaries may get their room at once.
    fills_tables: bool,
}

impl Slots<'_> {
    /// Makes a part that has no fast path in the slot: a reference into the running game, or an empty container that declares
    /// what only official calls make.
    ///
    /// # Safety
    /// A Variant that owns nothing lies at `slot`.
    #[cold]
    unsafe fn by_official_calls(&self, token: Token<'_>, slot: *mut u8) -> Option<()> {
        let mut sink = ToVariant::new(References::of(&self.rules.limits));
        let value = match token {
            Token::Leaf(leaf) => sink.leaf(0, leaf),
            Token::Open(container) => sink.open(0, container, 0).and_then(|frame| sink.close(frame)),
        };
        // SAFETY: the caller's promise: a Variant may be moved into the slot.
        unsafe { slot.cast::<Variant>().write(value.ok()?) };
        Some(())
    }

    /// Puts a text into a Dictionary that is no key of the cache: there it is from now on, if it is short. Returns the slot of its
    /// value.
    #[cold]
    #[inline(never)]
    fn new_key(&mut self, entries: &Entries<'_>, field: &[u8]) -> Option<*mut u8> {
        let (ty, text, _) = plain_text(field, self.rules)?;
        match self.keys.keep(id(ty), as_str(&text)) {
            // SAFETY: the invariant of a Dictionary; the key lives until its value has been found.
            Some(kept) => unsafe { calls::slot(entries.slot.0.add(PAYLOAD).cast(), kept) },
            None => self.key_of_many(entries, field),
        }
    }

    /// Puts a text into a Dictionary past the cache. Those of a large one are no few that come again: they would only drive the
    /// others out.
    #[inline(never)]
    fn key_of_many(&self, entries: &Entries<'_>, field: &[u8]) -> Option<*mut u8> {
        let (ty, text, _) = plain_text(field, self.rules)?;
        let mut key = LocalKey::new();
        // SAFETY: as in `new_key`.
        unsafe {
            strings::variant(key.place(), id(ty), as_str(&text))?;
            calls::slot(entries.slot.0.add(PAYLOAD).cast(), key.place().cast())
        }
    }
}

impl Make for Slots<'_> {
    type Place<'p> = Slot<'p>;
    type Items<'p> = Items<'p>;
    type Entries<'p> = Entries<'p>;
    type Key = Variant;
    type Template<'p> = FollowedTemplate;

    const DEEPEST: u64 = 256;
    const FINDS_DUPLICATES: bool = true;

    #[inline(always)]
    fn leaf<'p>(&mut self, place: Self::Place<'p>, bytes: &[u8]) -> Result<usize, Self::Place<'p>> {
        // SAFETY: the slot's invariant.
        let used = unsafe {
            match bytes.first_chunk() == Some(&STRING.to_le_bytes()) {
                true => self.keys.texts.string(bytes, place.0),
                false => scalar::take(bytes, place.0, NIL),
            }
        };
        used.ok_or(place)
    }

    #[inline(never)]
    fn string<'b>(&mut self, place: Slot<'_>, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        let (_, text, rest) = plain_text(bytes, rules)?;
        // SAFETY: the slot's invariant.
        unsafe {
            strings::string_of(place.0.add(PAYLOAD), as_str(&text), text.is_ascii())?;
            tag(place.0, STRING);
        }
        Some(rest)
    }

    fn name<'b>(
        &mut self,
        place: Slot<'_>,
        field: &'b [u8],
        text: impl FnOnce() -> Option<Text<'b>>,
    ) -> Option<()> {
        // SAFETY: the slot's invariant; a name of the cache lives as long as that is left alone.
        unsafe {
            match self.keys.known(field) {
                Some(known) => calls::copy(place.0.cast(), known),
                None => self.keys.make_name(as_str(&text()?), place.0)?,
            }
        }
        Some(())
    }

    fn numbers(&mut self, place: Slot<'_>, leaf: Leaf<'_>) -> Option<()> {
        // SAFETY: the slot's invariant.
        unsafe { single::numbers(&leaf, place.0) }
    }

    #[cold]
    fn other_leaf(&mut self, place: Slot<'_>, leaf: Leaf<'_>) -> Option<()> {
        // SAFETY: the slot's invariant.
        unsafe { self.by_official_calls(Token::Leaf(leaf), place.0) }
    }

    fn strings<'b>(&mut self, place: Slot<'_>, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        // SAFETY: the slot's invariant.
        unsafe { packed_strings::strings_of(bytes.get(4..)?, place.0, rules) }
    }

    fn path(
        &mut self,
        place: Slot<'_>,
        field: &[u8],
        _: &Rules,
        is_valid: impl FnOnce() -> bool,
    ) -> Option<()> {
        let wanted = PathQuery::new(field);
        // SAFETY: as in `name`.
        unsafe {
            match self.keys.path(wanted) {
                Some(known) => calls::copy(place.0.cast(), known),
                None if is_valid() => self.keys.make_path(wanted, self.lent, place.0)?,
                None => return None,
            }
        }
        Some(())
    }

    #[inline]
    fn array<'p>(&mut self, place: Self::Place<'p>, declared: u32, count: u32) -> Option<Self::Items<'p>> {
        self.left = self.left.checked_sub(count as usize)?;
        // SAFETY: the slot's invariant. The array is new.
        unsafe {
            let array = calls::array(place.0, Some(declared))?;
            let next = if count > 0 { calls::resized(array, count as usize)? } else { place.0 };
            Some(Items { next, left: count, array: PhantomData })
        }
    }

    #[cold]
    fn array_of<'p>(
        &mut self,
        place: Self::Place<'p>,
        token: Token<'_>,
        count: u32,
    ) -> Option<Self::Items<'p>> {
        self.left = self.left.checked_sub(count as usize)?;
        // SAFETY: the slot's invariant. The array is new.
        unsafe {
            self.by_official_calls(token, place.0)?;
            let array = place.0.add(PAYLOAD).cast();
            let next = if count > 0 { calls::resized(array, count as usize)? } else { place.0 };
            Some(Items { next, left: count, array: PhantomData })
        }
    }

    #[cold]
    fn dictionary_of<'p>(
        &mut self,
        place: Self::Place<'p>,
        token: Token<'_>,
        count: u32,
    ) -> Option<Self::Entries<'p>> {
        // SAFETY: the slot's invariant.
        unsafe { self.by_official_calls(token, place.0)? };
        Some(Entries { slot: place, count, there: 0, learns: None })
    }

    #[cold]
    fn emptied<'p>(&mut self, place: Self::Place<'p>) -> Self::Place<'p> {
        // SAFETY: nobody else uses the Variant there.
        unsafe { calls::clear(place.0) };
        place
    }

    #[inline]
    fn foresee(&mut self, entries: &Entries<'_>, hash: u32) {
        if let Some(layout) = proven() {
            // SAFETY: a living Dictionary lies there.
            unsafe { ahead::ask_place(pointer_at(entries.slot.0.add(PAYLOAD)), &layout.dictionaries, hash) }
        }
    }

    #[inline]
    fn item<'p>(&mut self, items: &mut Self::Items<'p>) -> Option<Self::Place<'p>> {
        items.left = items.left.checked_sub(1)?;
        let slot = items.next;
        items.next = slot.wrapping_add(STRIDE);
        Some(Slot(slot, PhantomData))
    }

    #[inline]
    fn run(&mut self, items: &mut Items<'_>, declared: u32, bytes: &[u8], most: u32) -> Option<(usize, u32)> {
        // SAFETY: so many elements are to come, and nobody has written to them.
        let (used, count) = unsafe { scalar::run(bytes, items.next, declared, most.min(items.left)) };
        items.left -= count;
        items.next = items.next.wrapping_add(count as usize * STRIDE);
        Some((used, count))
    }

    #[inline]
    fn dictionary<'p>(
        &mut self,
        place: Self::Place<'p>,
        declared: EntryTypes,
        count: u32,
    ) -> Option<Self::Entries<'p>> {
        // SAFETY: the slot's invariant. The Dictionary is new.
        unsafe {
            if declared == EntryTypes::default() {
                calls::dictionary(place.0)?
            } else {
                self.keys.empties.make(declared, place.0)?
            }
            if count > MOST && self.fills_tables {
                self.keys.tables.reserve(place.0.add(PAYLOAD).cast(), declared, count);
            }
        }
        Some(Entries { slot: place, count, there: 0, learns: None })
    }

    #[inline(always)]
    fn key<'p>(&mut self, entries: &mut Self::Entries<'p>, field: &[u8]) -> Option<Self::Place<'p>> {
        let (header, payload) = field.split_first_chunk()?;
        if entries.there >= entries.count {
            return None;
        }
        let dictionary = entries.slot.0.wrapping_add(PAYLOAD);
        // SAFETY: a living Dictionary that nobody else has; keys live until the slot has been found. The value of a new key
        // is null. A number owns nothing that there were to let go.
        let slot = unsafe {
            match u32::from_le_bytes(*header) {
                STRING | NAME if entries.count > MANY => self.key_of_many(entries, field)?,
                STRING | NAME => match self.keys.known(field) {
                    Some(known) => calls::slot(dictionary.cast(), known)?,
                    None => self.new_key(entries, field)?,
                },
                INT => {
                    let mut key = LocalKey::new();
                    let number = i64::from(i32::from_le_bytes(*payload.first_chunk()?));
                    set(key.place(), INT, number.cast_unsigned());
                    calls::slot(dictionary.cast(), key.place().cast())?
                }
                _ => {
                    let mut key = LocalKey::new();
                    scalar::take(field, key.place(), NIL)?;
                    let slot = calls::slot(dictionary.cast(), key.place().cast())?;
                    tag(key.place(), NIL);
                    slot
                }
            }
        };
        entries.new_slot(slot)
    }

    fn key_place(key: &mut Variant) -> Option<Slot<'_>> {
        Some(Slot(key.var_sys_mut().cast(), PhantomData))
    }

    #[cold]
    fn other_key<'p>(&mut self, entries: &mut Self::Entries<'p>, key: Variant) -> Option<Self::Place<'p>> {
        if entries.there >= entries.count {
            return None;
        }
        // SAFETY: the invariant of a Dictionary; the key lives until it is in.
        let slot = unsafe { calls::slot(entries.slot.0.add(PAYLOAD).cast(), key.var_sys()) };
        entries.new_slot(slot?)
    }

    #[inline]
    fn template<'p>(
        &mut self,
        entries: &mut Self::Entries<'p>,
        count: u32,
        bytes: &[u8],
    ) -> Option<Self::Template<'p>> {
        // SAFETY: the Dictionary is new, untyped and empty.
        match unsafe { self.keys.templates.begin(entries.slot.0, count, bytes) } {
            Keys::Copied(template) => {
                // No further key is put into the Dictionary, whose nodes would be others then.
                entries.count = 0;
                Some(template)
            }
            Keys::ToBeLearnt(number) => {
                entries.learns = Some(number);
                None
            }
            Keys::OneByOne => None,
        }
    }

    #[inline]
    fn templated_key<'p>(
        &mut self,
        template: &mut FollowedTemplate,
        bytes: &[u8],
    ) -> Option<(usize, Self::Place<'p>)> {
        let field = template.key(bytes)?.field() as usize;
        // SAFETY: this key has just been found.
        Some((field, Slot(unsafe { template.step(bytes.len()) }, PhantomData)))
    }

    #[inline]
    fn followed(&mut self, template: FollowedTemplate) {
        self.keys.templates.succeeded(template.number);
    }

    /// Lets go of the keys whose values did not come.
    #[cold]
    #[inline(never)]
    fn leave(&mut self, template: FollowedTemplate, entries: &mut Entries<'_>, there: u32) -> Option<()> {
        self.keys.templates.failed(template.number);
        (entries.there, entries.count) = (there, there + template.left);
        // SAFETY: the Dictionary is untyped, and has as many entries and more.
        unsafe { only_first(entries.slot.0, there) }
    }

    #[inline]
    fn complete(&mut self, entries: Entries<'_>) {
        if let Some(number) = entries.learns {
            // SAFETY: a living Dictionary.
            self.keys.templates.learn(number, unsafe { &*entries.slot.0.cast() });
        }
    }
}
