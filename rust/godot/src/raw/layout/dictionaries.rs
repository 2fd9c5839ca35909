//! Where dictionaries keep their entries: found by comparing with what official calls answer, on dictionaries of several
//! sizes. Read only, always.

use godot::builtin::{VarDictionary, Variant};
use godot::meta::ToGodot;
use godot::sys::GodotFfi;
use variant_core::wire::hash_table::{CAPACITIES, holds};
use variant_core::{EntryTypes, VariantType};

use super::super::builtin_method::knows_typed_dictionaries;
use super::super::in_place;
use super::search::{SIZES, TYPE, WORD, number, offset, private};
use super::{PAYLOAD, asked, pointer_at, read, word_at};

/// How far the private part is looked through for the table, in bytes. No engine since 4.3 has less: a count and a mark for
/// read-only ones, an allocator, four pointers and two numbers. 4.3 has nothing behind them.
const TABLE_PART: usize = 7 * WORD + 8;
/// How far it is looked through for the types, where there are typed dictionaries: both have a number, a
/// class, a script and a word behind all of that, or a part of it.
const TYPED_PART: usize = 15 * WORD;
/// The engine's number of the first of [`CAPACITIES`].
const SMALLEST: usize = 2;
/// The type id of keys in the one that is typed. It stands nowhere by accident.
const KEY_TYPE: u8 = 21;

/// Distances in bytes, in a dictionary's private part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dictionaries {
    /// Its first node, the number of them.
    pub(in super::super) head: usize,
    pub(in super::super) size: usize,
    types: Types,
    /// Whether the number of its places is where 4.6.3 has it.
    has_table: bool,
}

/// How it is told which types a dictionary declares.
#[derive(Clone, Copy, Debug)]
enum Types {
    /// This engine has no typed dictionaries.
    None,
    /// They stand in the private part: that of keys, that of values.
    At(usize, usize),
    /// By official calls.
    Asked,
}

/// In a node of a dictionary: the next one, the key, the value. The probe proves all three.
pub(in super::super) const NEXT: usize = 0;
pub(in super::super) const KEY: usize = 2 * WORD;
pub(in super::super) const VALUE: usize = KEY + size_of::<Variant>();

impl Dictionaries {
    /// Probes the dictionaries; nothing comes of it where the nodes cannot be walked along.
    pub(super) fn probed() -> Option<Dictionaries> {
        let dictionaries = SIZES.map(dictionary);
        let head = offset(TABLE_PART, WORD, |at| dictionaries.iter().all(|it| head_at(it, at)))?;
        let size = offset(TABLE_PART, 4, |at| {
            dictionaries.iter().zip(SIZES).all(|(it, size)| i64::from(number(it.sys(), at)) == size)
        })?;
        let is_walkable = dictionaries.iter().zip(SIZES).all(|(it, size)| is_walkable(it, head, size));
        let mut sized = dictionaries.iter().zip(SIZES);
        let words = 2 * WORD;
        let has_table = (words..=TABLE_PART - words - 4).contains(&head)
            && sized.all(|(it, size)| has_places(it, head, size.cast_unsigned()));
        is_walkable.then(|| Dictionaries { head, size, types: types(), has_table })
    }

    pub(super) const fn has_table(&self) -> bool {
        self.has_table
    }

    pub(super) const fn knows_types(&self) -> bool {
        !matches!(self.types, Types::Asked)
    }

    /// The types that a dictionary declares for its keys and values, as their numbers.
    ///
    /// # Safety
    /// `handle` is that of a living Dictionary.
    #[inline(always)]
    pub(in super::super) unsafe fn types(&self, handle: *const u8) -> Option<EntryTypes> {
        // SAFETY: the caller's promise and the probe's findings; without those, official calls.
        unsafe {
            match self.types {
                Types::At(key, value) => {
                    let private = pointer_at(handle);
                    Some(EntryTypes { keys: word_at(private.add(key)), values: word_at(private.add(value)) })
                }
                Types::None => Some(EntryTypes::default()),
                Types::Asked => in_place::dictionary_types(handle),
            }
        }
    }

    /// How far into the private part is read what an encoder wants, so that it can be asked for ahead.
    #[inline]
    pub(in super::super) const fn last(&self) -> usize {
        if let Types::At(_, value) = self.types { value } else { self.size }
    }

    /// Where a Dictionary keeps the nodes of its places, where their hashes, and how many places there are. That there
    /// are so many, the probe has seen; that both addresses are right, it has not: nothing may be read there.
    ///
    /// # Safety
    /// `private` is what a living Dictionary shares.
    #[inline]
    pub(in super::super) unsafe fn table(&self, private: *const u8) -> Option<(*const u8, *const u8, u32)> {
        if !self.has_table {
            return None;
        }
        // SAFETY: the words before and behind the first node are in the private part.
        unsafe {
            let places = private.add(self.head - 2 * WORD);
            let capacity = capacity_at(private, self.head)?;
            Some((pointer_at(places), pointer_at(places.add(WORD)), capacity))
        }
    }
}

/// How many places a table has, whose first node is told at `head`.
///
/// # Safety
/// `private` is what a living Dictionary shares.
#[inline]
unsafe fn capacity_at(private: *const u8, head: usize) -> Option<u32> {
    // SAFETY: behind the first and the last node, in the private part.
    let number = unsafe { word_at(private.add(head + 2 * WORD)) };
    CAPACITIES.get((number as usize).wrapping_sub(SMALLEST)).copied()
}

fn has_places(dictionary: &VarDictionary, head: usize, size: u64) -> bool {
    // SAFETY: a living Dictionary.
    let capacity = unsafe { capacity_at(private(dictionary.sys()), head) };
    capacity.is_some() && CAPACITIES.iter().find(|capacity| holds(**capacity, size)) == capacity.as_ref()
}

fn dictionary(size: i64) -> VarDictionary {
    (0..size).map(|n| ((n * 7).to_variant(), n.to_variant())).collect()
}

fn node_of(dictionary: &VarDictionary, key: i64) -> Option<*const u8> {
    asked::entry(dictionary, &key.to_variant()).map(|slot| slot.wrapping_sub(VALUE))
}

/// Tells whether a dictionary's first node stands there. With several entries the last one's node does too,
/// but not for all sizes.
fn head_at(dictionary: &VarDictionary, at: usize) -> bool {
    // SAFETY: within the private part, which is larger than what is searched.
    let word = unsafe { pointer_at(private(dictionary.sys()).add(at)) };
    node_of(dictionary, 0) == Some(word)
}

/// Every node, its key and its value, from the first to the last.
fn is_walkable(dictionary: &VarDictionary, head: usize, size: i64) -> bool {
    let int = |at: *const u8| {
        // SAFETY: only called for nodes whose address an official slot has confirmed.
        unsafe { (word_at(at) == 2).then(|| read::<i64>(at.add(PAYLOAD))) }
    };
    // SAFETY: that pointer stands there, as has just been found.
    let mut node = unsafe { pointer_at(private(dictionary.sys()).add(head)) };
    for n in 0..size {
        if node_of(dictionary, n * 7) != Some(node) {
            return false;
        }
        // SAFETY: `node` is the node of that key: the slot of its value lies where a node has it.
        unsafe {
            if int(node.add(KEY)) != Some(n * 7) || int(node.add(VALUE)) != Some(n) {
                return false;
            }
            node = pointer_at(node.add(NEXT));
        }
    }
    node.is_null()
}

/// Finds where a dictionary says which types it takes. A dictionary that takes all has zeros there.
fn types() -> Types {
    if !knows_typed_dictionaries() {
        return Types::None;
    }
    // A header with both kinds, the types, no entries; written by hand, since this build's interface is that of
    // 4.3, which cannot make one.
    let bytes = [27, 0, 5, 0, KEY_TYPE, 0, 0, 0, TYPE, 0, 0, 0, 0, 0, 0, 0];
    let typed = asked::from_bytes(&bytes);
    // SAFETY: a Variant's first word is its type, as has been seen.
    if unsafe { word_at(typed.var_sys().cast()) } != u32::from(VariantType::Dictionary.id()) {
        return Types::Asked;
    }
    let untyped = dictionary(3);
    let find = |ty: u8| {
        offset(TYPED_PART, 4, |at| {
            payload_number(&typed, at) == u32::from(ty) && number(untyped.sys(), at) == 0
        })
    };
    match (find(KEY_TYPE), find(TYPE)) {
        (Some(key), Some(value)) => Types::At(key, value),
        _ => Types::Asked,
    }
}

/// Reads the number at this distance in what a Variant with a Dictionary points to.
fn payload_number(variant: &Variant, at: usize) -> u32 {
    // SAFETY: its handle is its payload (`layout/variants.rs`); within the private part, which engines with typed dictionaries
    // have so large.
    unsafe { word_at(pointer_at(variant.var_sys().cast::<u8>().add(PAYLOAD)).add(at)) }
}
