//! Makes small values of plain leaves and containers without a walk, where no limit can refuse them: the fast
//! path, which most values of games take. The core's plain reader judges each part just before it is made
//! here, where it stays. The fallback is `to_slots.rs`. It refuses nothing: it lets go of a value that it
//! gives up, and a walk reads that.

use std::marker::PhantomData;
use std::slice::Iter;

use godot::builtin::Variant;
use godot::sys::GDExtensionTypePtr;
use variant_core::token::{LONG_TEXT, Leaf, Record, Text, plain_text, string_field};
use variant_core::{Make, PlainLeaf, Rules, Trick, make_first, most_flat_entries};

use super::super::layout::{PAYLOAD, proven};
use super::bits::{INT, NAME, NIL, STRING};
use super::keys::KeyCache;
use super::path_cache::PathQuery;
use super::slot::{LocalKey, STRIDE, set, tag};
use super::templates::{MOST, copied, may_be_learnt, step};
use super::text_cache::Row;
use super::to_slots::as_str;
use super::{ahead, calls, packed_strings, scalar, single, strings};

/// Makes the value that the bytes are in the place of a null, if it is flat and nothing can speak against it. Tells whether it
/// is there; else the place holds null still.
#[inline]
pub(crate) fn decode_fast(bytes: &[u8], rules: &Rules, keys: &mut KeyCache, place: &mut Variant) -> bool {
    let is_made = !Trick::FastPath.is_off() && matches!(first(bytes, rules, keys, place), Some([]));
    if !is_made {
        *place = Variant::nil();
    }
    is_made
}

/// Makes the value that the bytes begin with in the place of a null. Returns what follows it. `None`: it takes a walk, and
/// as much of it as was made is in the place.
#[inline]
pub(super) fn first<'b>(
    bytes: &'b [u8],
    rules: &Rules,
    keys: &mut KeyCache,
    place: &mut Variant,
) -> Option<&'b [u8]> {
    proven()?;
    keys.texts.prepare();
    let make = Slots { keys, left: bytes.len() / 4, most: most_flat_entries(rules), row: Row::default() };
    make_first(bytes, rules, make, Slot(place.var_sys_mut().cast(), PhantomData))
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

/// A new Dictionary. INVARIANT: its handle lies there as long as `'p`, and nobody else has it.
struct Entries<'p> {
    dictionary: GDExtensionTypePtr,
    /// Keys that it may get, and those that it has got.
    count: u32,
    there: u32,
    /// Whether a template may be learnt of it, if its keys are Strings.
    is_learnt: bool,
    slot: Slot<'p>,
}

/// The keys of a template that are in a new Dictionary. INVARIANT: `node` is that of the next one, if there are more.
struct FilledTemplate<'k, 'p> {
    number: usize,
    records: Iter<'k, Record>,
    node: *const u8,
    dictionary: PhantomData<&'p mut Variant>,
}

/// Makes Godot's values in the slots where they stay.
struct Slots<'k> {
    keys: &'k KeyCache,
    /// Elements that the bytes can hold besides those of the arrays so far: memory is taken for no more.
    left: usize,
    /// Entries of a Dictionary at most.
    most: u32,
    row: Row,
}

impl Slots<'_> {
    /// Makes a String of any length; it stands apart, since few are so long.
    #[inline]
    fn text<'b>(slot: &Slot<'_>, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        let (_, text, rest) = plain_text(bytes, rules)?;
        // SAFETY: the slot's invariant.
        unsafe {
            strings::string_of(slot.0.add(PAYLOAD), as_str(&text), text.is_ascii())?;
            tag(slot.0, STRING);
        }
        Some(rest)
    }

    /// Makes a long String, which is read in larger steps while it is made.
    #[inline(never)]
    fn long<'b>(slot: &Slot<'_>, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        let (body, rest) = string_field(bytes, rules)?;
        // SAFETY: the slot's invariant.
        unsafe {
            strings::unread(slot.0.add(PAYLOAD), body)?;
            tag(slot.0, STRING);
        }
        Some(rest)
    }
}

impl<'k> Make for Slots<'k> {
    type Place<'p> = Slot<'p>;
    type Items<'p> = Items<'p>;
    type Entries<'p> = Entries<'p>;
    type Template<'p> = FilledTemplate<'k, 'p>;

    const DEEPEST: u64 = 256;
    const FINDS_DUPLICATES: bool = true;

    #[inline(always)]
    fn leaf<'p>(&mut self, place: Self::Place<'p>, bytes: &[u8]) -> Result<usize, Self::Place<'p>> {
        // SAFETY: the slot's invariant.
        let used = unsafe {
            match bytes.first_chunk() == Some(&STRING.to_le_bytes()) {
                true => self.keys.texts.string(bytes, place.0, &mut self.row),
                false => scalar::take(bytes, place.0, NIL),
            }
        };
        used.ok_or(place)
    }

    /// Makes nothing: `leaf` made it.
    #[inline(always)]
    fn plain(&mut self, _: Slot<'_>, _: PlainLeaf<'_>) -> Option<()> {
        None
    }

    #[inline(never)]
    fn string<'b>(&mut self, place: Slot<'_>, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        let length = u32::from_le_bytes(*bytes.get(4..)?.first_chunk()?);
        if length as usize >= LONG_TEXT {
            Self::long(&place, bytes, rules)
        } else {
            Self::text(&place, bytes, rules)
        }
    }

    /// Makes a name. A short name that is not in the cache is left to the walk, which keeps it.
    fn name<'b>(
        &mut self,
        place: Slot<'_>,
        field: &'b [u8],
        text: impl FnOnce() -> Option<Text<'b>>,
    ) -> Option<()> {
        // SAFETY: the slot's invariant; a name of the cache lives as long as that is left alone.
        unsafe {
            match self.keys.known(field) {
                Some(found) => calls::copy(place.0.cast(), found.key),
                None if Record::read(field).is_some() => return None,
                None => {
                    strings::name(place.0.add(PAYLOAD), as_str(&text()?))?;
                    tag(place.0, NAME);
                }
            }
        }
        Some(())
    }

    fn numbers(&mut self, place: Slot<'_>, leaf: Leaf<'_>) -> Option<()> {
        // SAFETY: the slot's invariant.
        unsafe { single::numbers(&leaf, place.0) }
    }

    fn strings<'b>(&mut self, place: Slot<'_>, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        // SAFETY: the slot's invariant.
        unsafe { packed_strings::strings_of(bytes.get(4..)?, place.0, rules) }
    }

    /// Takes a path that is known; others are left to the walk, which keeps them.
    fn path(&mut self, place: Slot<'_>, field: &[u8], _: &Rules, _: impl FnOnce() -> bool) -> Option<()> {
        let found = self.keys.path(PathQuery::new(field))?;
        // SAFETY: as in `name`.
        unsafe { calls::copy(place.0.cast(), found.path) };
        Some(())
    }

    #[inline(always)]
    fn array<'p>(&mut self, place: Self::Place<'p>, declared: u32, count: u32) -> Option<Self::Items<'p>> {
        self.left = self.left.checked_sub(count as usize)?;
        // SAFETY: the slot's invariant. The array is new.
        unsafe {
            let array = calls::array(place.0, Some(declared))?;
            let next = if count > 0 { calls::resized(array, count as usize)? } else { place.0 };
            Some(Items { next, left: count, array: PhantomData })
        }
    }

    #[inline(always)]
    fn item<'p>(&mut self, items: &mut Self::Items<'p>) -> Option<Self::Place<'p>> {
        items.left = items.left.checked_sub(1)?;
        let slot = items.next;
        items.next = slot.wrapping_add(STRIDE);
        Some(Slot(slot, PhantomData))
    }

    #[inline(always)]
    fn run(&mut self, items: &mut Items<'_>, declared: u32, bytes: &[u8], most: u32) -> Option<(usize, u32)> {
        // SAFETY: so many elements are to come, and nobody has written to them.
        let (used, count) = unsafe { scalar::run(bytes, items.next, declared, most.min(items.left)) };
        items.left -= count;
        items.next = items.next.wrapping_add(count as usize * STRIDE);
        Some((used, count))
    }

    /// Makes a Dictionary. Where its table has to grow, room has to be ready, and so has an empty Dictionary
    /// of its types: the walk sees to both.
    #[inline(always)]
    fn dictionary<'p>(
        &mut self,
        place: Self::Place<'p>,
        declared: (u32, u32),
        count: u32,
    ) -> Option<Self::Entries<'p>> {
        let is_large = count > MOST;
        if is_large && (count > self.most || !self.keys.tables.is_ready(declared, count)) {
            return None;
        }
        let is_untyped = declared == (NIL, NIL);
        // SAFETY: the slot's invariant. The Dictionary is new.
        unsafe {
            if is_untyped {
                calls::dictionary(place.0)?
            } else {
                self.keys.empties.copy(declared, place.0)?
            }
            let dictionary = place.0.add(PAYLOAD).cast();
            if is_large {
                self.keys.tables.give(dictionary, declared, count);
            }
            let is_learnt = is_untyped && may_be_learnt(count);
            Some(Entries { dictionary, count, there: 0, is_learnt, slot: place })
        }
    }

    /// Takes a key that is known, or a number. A text that is not known is left to the walk, which keeps it, and several of
    /// them are worth a template, which it learns.
    #[inline(always)]
    fn key<'p>(&mut self, entries: &mut Self::Entries<'p>, field: &[u8]) -> Option<Self::Place<'p>> {
        let (header, payload) = field.split_first_chunk()?;
        if entries.there >= entries.count {
            return None;
        }
        // SAFETY: a living Dictionary that nobody else has; keys live until the slot has been found. The value of a new key
        // is null. A number owns nothing that there were to let go.
        let slot = unsafe {
            match u32::from_le_bytes(*header) {
                STRING if entries.is_learnt => return None,
                STRING | NAME => calls::slot(entries.dictionary, self.keys.known(field)?.key)?,
                INT => {
                    let mut key = LocalKey::new();
                    let number = i64::from(i32::from_le_bytes(*payload.first_chunk()?));
                    set(key.place(), INT, number.cast_unsigned());
                    calls::slot(entries.dictionary, key.place().cast())?
                }
                _ => {
                    let mut key = LocalKey::new();
                    scalar::take(field, key.place(), NIL)?;
                    let slot = calls::slot(entries.dictionary, key.place().cast())?;
                    tag(key.place(), NIL);
                    slot
                }
            }
        };
        entries.there += 1;
        // A key that comes twice has a value already, which is not to be written over. The first is alone.
        // SAFETY: as above.
        let is_new = entries.there == 1
            || unsafe { calls::length(entries.dictionary.cast()) }? == u64::from(entries.there);
        is_new.then_some(Slot(slot, PhantomData))
    }

    #[inline(always)]
    fn template<'p>(
        &mut self,
        entries: &mut Self::Entries<'p>,
        count: u32,
        bytes: &[u8],
    ) -> Option<Self::Template<'p>> {
        if !entries.is_learnt || entries.there > 0 {
            return None;
        }
        let (number, nulls) = self.keys.templates.ready(count, bytes)?;
        let records = self.keys.templates.records(number).iter();
        // Whatever is in the Dictionary from here on, no further key is put into it.
        entries.count = 0;
        // SAFETY: the Dictionary is new, untyped and empty. There are as many nodes as it has entries, with nulls.
        let node =
            unsafe { copied(entries.slot.0, nulls, count).filter(|_| records.len() == count as usize)? };
        Some(FilledTemplate { number, records, node, dictionary: PhantomData })
    }

    #[inline(always)]
    fn templated_key<'p>(
        &mut self,
        template: &mut Self::Template<'p>,
        bytes: &[u8],
    ) -> Option<(usize, Self::Place<'p>)> {
        let record = template.records.next().filter(|record| record.begins(bytes))?;
        // SAFETY: the template's invariant: there are as many records as nodes.
        let (slot, next) = unsafe { step(template.node) };
        ahead::ask_for_nodes(template.node, next, bytes.len());
        template.node = next;
        Some((record.field() as usize, Slot(slot, PhantomData)))
    }

    #[inline(always)]
    fn followed(&mut self, template: FilledTemplate<'_, '_>) {
        self.keys.templates.succeeded(template.number);
    }
}
