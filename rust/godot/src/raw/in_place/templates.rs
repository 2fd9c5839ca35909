//! Caches the keys of small dictionaries, as dictionaries of nulls that are ready to be copied.
//!
//! Games send and save the same few records again and again. `Dictionary.assign` copies a whole table for
//! half of what its keys cost one by one, no key comes twice in it, and its nodes lead from value to value. A
//! template is learnt when it has come twice, and left alone for a while when a dictionary had other keys. The
//! number of templates is bounded.

use godot::builtin::{GString, VarDictionary, Variant};
use godot::sys::{self, GodotFfi};
use variant_core::Trick;
use variant_core::token::Record;

use super::super::layout::dictionaries::{KEY, NEXT, VALUE};
use super::super::layout::{PAYLOAD, pointer_at, proven, word_at};
use super::bits::STRING;
use super::{ahead, calls};

/// Entries of a dictionary that has a template. A table of the engine's grows for the first time beyond this.
const FEWEST: u32 = 2;
pub(super) const MOST: u32 = 16;
/// A power of two. A template is at one of two places: of ten records that a game has, two would want the same one place in
/// every second game, and each would be learnt anew all the time.
const PLACES: usize = 128;
/// The most dictionaries for which a template that did not fit is left alone. Each time it is twice as many.
const LONGEST_WAIT: u32 = 1024;
const HOTTEST: u32 = 64;
/// Header, length and 24 bytes of text: the longest record.
const LONGEST: usize = 32;
/// The most lists of keys that are kept for dictionaries that may follow them still. While there are so many, no template that
/// is ready gives way.
const MOST_RETIRED: usize = 256;

/// Says how the keys of a Dictionary get into it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys {
    OneByOne,
    /// They come one by one, and the template of this number is learnt from them.
    ToBeLearnt(usize),
    /// They are there already, in the order of a template.
    Copied(FollowedTemplate),
}

/// Stands for the keys of a template that are in a new Dictionary, and whose values are to come. INVARIANT: there are `left` records
/// from `next` on, which live until the caches begin another value, and as many nodes from `node` on, until the Dictionary gets
/// another key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FollowedTemplate {
    pub(super) number: usize,
    pub(super) left: u32,
    next: *const Record,
    node: *const u8,
}

impl FollowedTemplate {
    /// Returns the key that has to come next, if these bytes begin with it.
    #[inline]
    pub(super) fn key(&self, bytes: &[u8]) -> Option<&Record> {
        // SAFETY: the invariant.
        let record = if self.left > 0 { Some(unsafe { &*self.next }) } else { None };
        record.filter(|record| record.begins(bytes))
    }

    /// Goes to the next key. Returns the slot of this one's value. `bytes`: how many are still to come.
    ///
    /// # Safety
    /// [`FollowedTemplate::key`] has just returned this key.
    #[inline]
    pub(super) unsafe fn step(&mut self, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promise and the invariant; the probe has proven both places of a node.
        unsafe {
            let (slot, next) = (self.node.add(VALUE).cast_mut(), pointer_at(self.node.add(NEXT)));
            ahead::ask_for_nodes(self.node, next, bytes);
            (self.node, self.next, self.left) = (next, self.next.add(1), self.left - 1);
            slot
        }
    }
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
    /// The number of others that may want its place before it gives way.
    heat: u32,
    /// How many more of the dictionaries that begin like this are left alone.
    wait: u32,
    /// How many were left alone the last time.
    waited: u32,
}

/// The templates. Empty until they are used.
#[derive(Debug, Default)]
pub(super) struct Templates {
    places: Vec<Template>,
    /// The keys of templates that were replaced while a Dictionary may follow them.
    retired: Vec<Vec<Record>>,
}

impl Templates {
    /// Lets go of records that were replaced: another value begins, and no Dictionary follows one of them any more.
    #[inline]
    pub(super) fn let_go(&mut self) {
        self.retired.clear();
    }

    /// Tells how to fill the empty Dictionary at `own`, which declares so many entries and whose first key
    /// these bytes are.
    ///
    /// # Safety
    /// A Variant that holds a living, untyped, empty Dictionary that nobody else uses.
    #[inline]
    pub(super) unsafe fn begin(&mut self, own: *mut u8, count: u32, bytes: &[u8]) -> Keys {
        let is_text = bytes.first_chunk() == Some(&STRING.to_le_bytes());
        if !is_text || !(FEWEST..=MOST).contains(&count) || Trick::Templates.is_off() {
            return Keys::OneByOne;
        }
        let Some(hint) = Record::hint(bytes) else { return Keys::OneByOne };
        let number = self.number_of(count, hint);
        if let Some(number) = number
            && let Some(Template { nulls: Some(nulls), wait: 0, records, .. }) = self.places.get(number)
        {
            // SAFETY: the caller's promise.
            return match unsafe { copied(own, nulls.sys(), count) } {
                Some(node) => {
                    Keys::Copied(FollowedTemplate { number, left: count, next: records.as_ptr(), node })
                }
                None => Keys::OneByOne,
            };
        }
        self.not_ready(number, count, hint, bytes)
    }

    /// Finds the template that has so many entries and a first key with these bits.
    #[inline]
    fn number_of(&self, count: u32, hint: u64) -> Option<usize> {
        let first = place(count, hint);
        let is_it = |number: &usize| {
            self.places.get(*number).is_some_and(|template| template.count == count && template.hint == hint)
        };
        Some(first).filter(is_it).or_else(|| Some(first ^ 1).filter(is_it))
    }

    /// Tells how a Dictionary gets its keys whose template is left alone, not learnt yet, or not there: after a while it gets the
    /// colder one of its two places.
    #[cold]
    fn not_ready(&mut self, number: Option<usize>, count: u32, hint: u64, bytes: &[u8]) -> Keys {
        if let Some(number) = number
            && let Some(template) = self.places.get_mut(number)
        {
            if template.wait == 0 {
                return Keys::ToBeLearnt(number);
            }
            template.wait -= 1;
            return Keys::OneByOne;
        }
        if self.places.is_empty() {
            self.places.resize_with(PLACES, Template::default);
        }
        let first = place(count, hint);
        let heat = |number: usize| self.places.get(number).map_or(0, |template| template.heat);
        let colder = if heat(first) <= heat(first ^ 1) { first } else { first ^ 1 };
        if let Some(template) = self.places.get_mut(colder) {
            template.heat = template.heat.saturating_sub(1);
            if template.heat == 0
                && let Some(record) = Record::read(bytes)
            {
                let new = Template { count, hint, records: vec![record], ..Template::default() };
                self.replace(colder, new);
            }
        }
        Keys::OneByOne
    }

    /// Puts a template in the place of another one. The keys of that stay as long as a Dictionary may follow them.
    #[cold]
    fn replace(&mut self, number: usize, new: Template) {
        let Some(template) = self.places.get_mut(number) else { return };
        if template.nulls.is_none() {
            *template = new;
        } else if self.retired.len() < MOST_RETIRED {
            self.retired.push(std::mem::replace(template, new).records);
        }
    }

    /// Notes that a Dictionary had other keys than those of this template.
    #[cold]
    pub(super) fn failed(&mut self, number: usize) {
        if let Some(template) = self.places.get_mut(number) {
            template.defer();
            template.heat >>= 1;
            if template.heat == 0 {
                let records = template.records.first().copied().into_iter().collect();
                let Template { count, hint, wait, waited, .. } = *template;
                self.replace(number, Template { count, hint, wait, waited, records, ..Template::default() });
            }
        }
    }

    /// Notes that a Dictionary had exactly the keys of this template.
    #[inline]
    pub(super) fn succeeded(&mut self, number: usize) {
        if let Some(template) = self.places.get_mut(number) {
            template.waited >>= 1;
            template.heat = (template.heat + 1).min(HOTTEST);
        }
    }

    /// Takes the keys of a complete Dictionary, if they are all short Strings. Another one inside it may have taken the place.
    #[cold]
    pub(super) fn learn(&mut self, number: usize, dictionary: &Variant) {
        let Some(template) = self.places.get_mut(number).filter(|template| template.nulls.is_none()) else {
            return;
        };
        let learnt = dictionary.try_to::<VarDictionary>().ok().and_then(|dictionary| learnt(&dictionary));
        match learnt {
            Some((records, nulls))
                if records.first() == template.records.first()
                    && records.len() == template.count as usize =>
            {
                template.records = records;
                template.nulls = Some(nulls);
            }
            _ => template.defer(),
        }
    }
}

/// Returns the first place where a template of so many entries may be, by a number that its first key is told
/// by. The second is its neighbour.
#[inline]
fn place(count: u32, hint: u64) -> usize {
    // Only the upper bits go back to all characters of the key.
    ((hint >> 16) as usize).wrapping_add(count as usize) % PLACES
}

impl Template {
    fn defer(&mut self) {
        self.wait = (self.waited * 2 + 8).min(LONGEST_WAIT);
        self.waited = self.wait;
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

/// Returns a short text as it would be written.
pub(super) fn record_of(ty: u32, text: &str) -> Option<Record> {
    let mut bytes = [0; LONGEST];
    bytes[..4].copy_from_slice(&ty.to_le_bytes());
    bytes[4..8].copy_from_slice(&u32::try_from(text.len()).ok()?.to_le_bytes());
    bytes[8..].get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Record::read(&bytes)
}

/// Copies keys into an empty Dictionary. Returns its first node.
///
/// # Safety
/// It needs what [`Templates::begin`] needs; `from` is the handle of a living, untyped Dictionary.
#[inline]
unsafe fn copied(own: *mut u8, from: sys::GDExtensionConstTypePtr, count: u32) -> Option<*const u8> {
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

/// Makes a Dictionary anew, of its first entries alone: the values are moved. On `None` it holds no value.
///
/// # Safety
/// A Variant that holds a living, untyped Dictionary of at least so many entries lies at `own`, and nobody else uses it.
#[cold]
#[inline(never)]
pub(super) unsafe fn only_first(own: *mut u8, count: u32) -> Option<()> {
    let known = &proven()?.dictionaries;
    // SAFETY: the caller's promise. The old Dictionary is moved out, lives until the end, and what is in its nodes is
    // swapped with what is in the new one's slots; each slot is used before the next key is inserted.
    unsafe {
        let old = own.cast::<Variant>().replace(Variant::nil());
        calls::dictionary(own)?;
        let private = pointer_at(old.var_sys().cast::<u8>().add(PAYLOAD));
        let mut node = pointer_at(private.add(known.head));
        for _ in 0..count {
            let slot = calls::slot(own.add(PAYLOAD).cast(), node.add(KEY).cast_mut().cast())?;
            std::ptr::swap(slot.cast::<Variant>(), node.add(VALUE).cast_mut().cast());
            node = pointer_at(node.add(NEXT));
        }
    }
    Some(())
}
