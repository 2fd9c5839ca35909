//! Caches the keys of small dictionaries, as dictionaries of nulls that are ready to be copied.
//!
//! Games send and save the same few records again and again. `Dictionary.assign` copies a whole table for
//! half of what its keys cost one by one, no key comes twice in it, and its nodes lead from value to value. A
//! template is learnt when it has come twice, and left alone for a while when a dictionary had other keys. The
//! number of templates is bounded.

use std::cell::Cell;

use godot::builtin::{GString, VarDictionary, Variant};
use godot::sys::{self, GodotFfi};
use variant_core::Trick;
use variant_core::token::Record;

use super::super::builtin_method::DICTIONARY_ASSIGN;
use super::super::layout::dictionaries::{NEXT, VALUE};
use super::super::layout::{PAYLOAD, pointer_at, proven, word_at};
use super::bits::STRING;
use super::calls;
use super::keys::record_of;

/// Entries of a dictionary that has a template. A table of the engine's grows for the first time beyond this.
const FEWEST: u32 = 2;
pub(super) const MOST: u32 = 16;
/// A power of two. A template is at one of two places: of ten records that a game has, two would want the same one place in
/// every second game, and each would be learnt anew all the time.
const PLACES: usize = 128;
/// The most dictionaries for which a template that did not fit is left alone. Each time it is twice as many.
const LONGEST_WAIT: u32 = 1024;
const HOTTEST: u32 = 64;

/// Says how the keys of a Dictionary get into it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys {
    /// No template was looked for yet.
    Unasked,
    OneByOne,
    /// They come one by one, and the template of this number is learnt from them.
    ToBeLearnt(usize),
    /// They are there already, in the order of the template of this number; the next value is in this node.
    Copied(usize, *const u8),
}

#[derive(Debug, Default)]
struct Template {
    count: u32,
    /// The bits by which its first key is found.
    hint: u64,
    /// The keys: only the first one until all are learnt, none where there is no template.
    records: Vec<Record>,
    /// The Dictionary that is copied.
    nulls: Option<VarDictionary>,
    /// The number of others that may want its place before it gives way. A cell, since a template is looked at while it succeeds.
    heat: Cell<u32>,
    /// How many more of the dictionaries that begin like this are left alone.
    wait: u32,
    /// How many were left alone the last time.
    waited: Cell<u32>,
}

/// The templates. Empty until they are used.
#[derive(Debug, Default)]
pub(super) struct Templates(Vec<Template>);

impl Templates {
    /// Tells how to fill the empty Dictionary at `own`, which declares so many entries and whose first key
    /// these bytes are.
    ///
    /// # Safety
    /// A Variant that holds a living, untyped, empty Dictionary that nobody else uses.
    #[inline(always)]
    pub(super) unsafe fn begin(&mut self, own: *mut u8, count: u32, bytes: &[u8]) -> Keys {
        if !(FEWEST..=MOST).contains(&count) || Trick::Templates.is_off() {
            return Keys::OneByOne;
        }
        let Some(hint) = Record::hint(bytes) else { return Keys::OneByOne };
        let Some(number) = self.number_of(count, hint) else {
            return self.cool(count, hint, bytes);
        };
        let Some(template) = self.0.get_mut(number) else { return Keys::OneByOne };
        if template.wait > 0 {
            template.wait -= 1;
            return Keys::OneByOne;
        }
        match &template.nulls {
            // SAFETY: the caller's promise.
            Some(nulls) => match unsafe { copied(own, nulls.sys(), count) } {
                Some(node) => Keys::Copied(number, node),
                None => Keys::OneByOne,
            },
            None => Keys::ToBeLearnt(number),
        }
    }

    /// Returns the template that has so many entries and begins with this key, if it is ready: its number, and
    /// the handle of what is copied.
    #[inline(always)]
    pub(super) fn ready(&self, count: u32, bytes: &[u8]) -> Option<(usize, sys::GDExtensionConstTypePtr)> {
        let number = self.number_of(count, Record::hint(bytes)?)?;
        let template = self.0.get(number).filter(|template| template.wait == 0)?;
        Some((number, template.nulls.as_ref()?.sys()))
    }

    /// Finds the template that has so many entries and a first key with these bits.
    #[inline(always)]
    fn number_of(&self, count: u32, hint: u64) -> Option<usize> {
        let first = place(count, hint);
        let is_it = |number: &usize| {
            self.0.get(*number).is_some_and(|template| template.count == count && template.hint == hint)
        };
        Some(first).filter(is_it).or_else(|| Some(first ^ 1).filter(is_it))
    }

    /// Notes that a Dictionary without a template came: after a while it gets the colder one of its two places.
    #[cold]
    fn cool(&mut self, count: u32, hint: u64, bytes: &[u8]) -> Keys {
        if self.0.is_empty() {
            self.0.resize_with(PLACES, Template::default);
        }
        let first = place(count, hint);
        let heat = |number: usize| self.0.get(number).map_or(0, |template| template.heat.get());
        let colder = if heat(first) <= heat(first ^ 1) { first } else { first ^ 1 };
        if let Some(template) = self.0.get_mut(colder) {
            template.heat.set(template.heat.get().saturating_sub(1));
            if template.heat.get() == 0
                && let Some(record) = Record::read(bytes).filter(|record| !record.is_name())
            {
                *template = Template { count, hint, records: vec![record], ..Template::default() };
            }
        }
        Keys::OneByOne
    }

    /// Returns the keys of a template, in order.
    #[inline(always)]
    pub(super) fn records(&self, number: usize) -> &[Record] {
        self.0.get(number).map_or(&[], |template| &template.records)
    }

    /// Notes that a Dictionary had other keys than those of this template.
    #[cold]
    pub(super) fn failed(&mut self, number: usize) {
        if let Some(template) = self.0.get_mut(number) {
            template.defer();
            template.heat.set(template.heat.get() >> 1);
            if template.heat.get() == 0 {
                template.records.truncate(1);
                template.nulls = None;
            }
        }
    }

    /// Notes that a Dictionary had exactly the keys of this template.
    #[inline(always)]
    pub(super) fn succeeded(&self, number: usize) {
        if let Some(template) = self.0.get(number) {
            template.waited.set(template.waited.get() >> 1);
            template.heat.set((template.heat.get() + 1).min(HOTTEST));
        }
    }

    /// Takes the keys of a complete Dictionary, if they are all short Strings.
    #[cold]
    pub(super) fn learn(&mut self, number: usize, dictionary: &Variant) {
        let Some(template) = self.0.get_mut(number) else { return };
        let learnt = dictionary.try_to::<VarDictionary>().ok().and_then(|dictionary| learnt(&dictionary));
        match learnt {
            Some((records, nulls)) if records.first() == template.records.first() => {
                template.records = records;
                template.nulls = Some(nulls);
            }
            _ => template.defer(),
        }
    }
}

/// Returns the first place where a template of so many entries may be, by a number that its first key is told
/// by. The second is its neighbour.
#[inline(always)]
fn place(count: u32, hint: u64) -> usize {
    // Only the upper bits go back to all characters of the key.
    ((hint >> 16) as usize).wrapping_add(count as usize) % PLACES
}

impl Template {
    fn defer(&mut self) {
        self.wait = (self.waited.get() * 2 + 8).min(LONGEST_WAIT);
        self.waited.set(self.wait);
    }
}

fn learnt(dictionary: &VarDictionary) -> Option<(Vec<Record>, VarDictionary)> {
    let mut records = Vec::with_capacity(MOST as usize);
    let mut nulls = VarDictionary::new();
    for key in dictionary.keys_shared() {
        let text: GString = key.try_to().ok()?;
        records.push(record_of(STRING, &text.to_string())?);
        nulls.set(&key, &Variant::nil());
    }
    Some((records, nulls))
}

/// Tells whether dictionaries of so many entries can have a template: there are calls that copy a table, and its values are found.
#[inline]
pub(super) fn may_be_learnt(count: u32) -> bool {
    let are_possible = DICTIONARY_ASSIGN.is_some() && proven().is_some();
    (FEWEST..=MOST).contains(&count) && are_possible && !Trick::Templates.is_off()
}

/// Copies keys into an empty Dictionary. Returns its first node.
///
/// # Safety
/// It needs what [`Templates::begin`] needs; `from` is the handle of a living, untyped Dictionary.
#[inline(always)]
pub(super) unsafe fn copied(
    own: *mut u8,
    from: sys::GDExtensionConstTypePtr,
    count: u32,
) -> Option<*const u8> {
    let known = &proven()?.dictionaries;
    // SAFETY: the caller's promise. Both are untyped, so that the engine copies the table as it is. What is then looked
    // at is its size, and the node that the probe has found.
    unsafe {
        let handle = own.add(PAYLOAD);
        if !calls::assign(handle.cast(), from) {
            return None;
        }
        let private = pointer_at(handle);
        let node = pointer_at(private.add(known.head));
        (word_at(private.add(known.size)) == count && !node.is_null()).then_some(node)
    }
}

/// Returns where the value of a node is, and the next node.
///
/// # Safety
/// A node of a Dictionary that nobody else uses.
#[inline(always)]
pub(super) unsafe fn step(node: *const u8) -> (*mut u8, *const u8) {
    // SAFETY: the caller's promise; the probe has proven both places.
    unsafe { (node.add(VALUE).cast_mut(), pointer_at(node.add(NEXT))) }
}
