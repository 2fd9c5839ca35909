//! Where arrays and dictionaries keep their elements: found by comparing with what official calls answer, on
//! containers of several sizes. Read only, always.

use std::mem::size_of;

use godot::builtin::{
    PackedByteArray, PackedVector3Array, StringName, VarArray, VarDictionary, Variant, Vector3,
};
use godot::global::bytes_to_var;
use godot::meta::ToGodot;
use godot::sys::{GodotFfi, interface_fn};

use super::super::in_place::{array_slot, dictionary_slot};
use super::{PAYLOAD, pointer_at, read, texts, word_at};

/// How far the private parts are looked through, in bytes. They are no smaller than that.
const ARRAY_PART: usize = 64;
const DICTIONARY_PART: usize = 120;
const PACKED_PART: usize = 32;
const SIZES: [i64; 4] = [1, 3, 40, 1000];
/// Two type ids that stand nowhere by accident.
const KEY_TYPE: u8 = 21;
const VALUE_TYPE: u8 = 36;

/// Distances in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Containers {
    /// From the first element of a buffer, of characters or Variants, back to its length.
    pub(in super::super) length_back: usize,
    /// From a name's record to its text.
    pub(in super::super) name_text: Option<usize>,
    /// In what a packed array's Variant points to: the pointer to its elements.
    pub(in super::super) packed: Option<usize>,
    /// From a packed array's handle to that pointer, which is a part of it.
    pub(in super::super) packed_in_handle: Option<usize>,
    /// In an array's private part: its buffer, the type of its elements.
    pub(in super::super) elements: usize,
    pub(in super::super) element_type: usize,
    /// In a dictionary's private part: its first node, the number of them, the declared types.
    pub(in super::super) head: usize,
    pub(in super::super) size: usize,
    pub(in super::super) key_type: usize,
    pub(in super::super) value_type: usize,
}

/// In a node of a dictionary: the next one, the key, the value. The probe proves all three.
pub(in super::super) const NEXT: usize = 0;
pub(in super::super) const KEY: usize = 2 * size_of::<usize>();
pub(in super::super) const VALUE: usize = KEY + size_of::<Variant>();

impl Containers {
    /// All of it, or nothing.
    pub(super) fn probed() -> Option<Containers> {
        let length_back = texts::length_back()?;
        let arrays = SIZES.map(array);
        let elements =
            offset(ARRAY_PART, size_of::<usize>(), |at| arrays.iter().all(|it| buffer_at(it, at)))?;
        // SAFETY: `elements` has just been found to point to the elements, before which their block has its header.
        let lengths = arrays.iter().zip(SIZES).all(|(array, size)| unsafe {
            read::<i64>(pointer_at(private(array.sys()).add(elements)).sub(length_back)) == size
        });
        let dictionaries = SIZES.map(dictionary);
        let head =
            offset(DICTIONARY_PART, size_of::<usize>(), |at| dictionaries.iter().all(|it| head_at(it, at)))?;
        let size = offset(DICTIONARY_PART, 4, |at| {
            dictionaries.iter().zip(SIZES).all(|(it, size)| i64::from(number(it.sys(), at)) == size)
        })?;
        let is_walkable = dictionaries.iter().zip(SIZES).all(|(it, size)| is_walkable(it, head, size));
        let (key_type, value_type) = dictionary_types()?;
        let element_type = element_type()?;
        (lengths && is_walkable).then_some(Containers {
            length_back,
            name_text: texts::name_text(),
            packed: packed(length_back),
            packed_in_handle: packed_in_handle(),
            elements,
            element_type,
            head,
            size,
            key_type,
            value_type,
        })
    }

    /// The first of an array's elements, null if there are none, and their number.
    ///
    /// # Safety
    /// `handle` is that of a living Array.
    #[inline]
    pub(in super::super) unsafe fn elements(&self, handle: *const u8) -> Option<(*const u8, usize)> {
        // SAFETY: the caller's promise and the probe's findings.
        unsafe {
            let first = pointer_at(pointer_at(handle).add(self.elements));
            if first.is_null() {
                return Some((first, 0));
            }
            usize::try_from(read::<i64>(first.sub(self.length_back))).ok().map(|count| (first, count))
        }
    }
}

fn array(size: i64) -> VarArray {
    (0..size).map(|n| n.to_variant()).collect()
}

fn dictionary(size: i64) -> VarDictionary {
    (0..size).map(|n| ((n * 7).to_variant(), n.to_variant())).collect()
}

/// The only distance for which something holds.
fn offset(part: usize, step: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    let mut found = (0..part).step_by(step).filter(|at| holds(*at));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn private(handle: godot::sys::GDExtensionConstTypePtr) -> *const u8 {
    // SAFETY: arrays and dictionaries are one pointer to what they share.
    unsafe { pointer_at(handle.cast()) }
}

fn number(handle: godot::sys::GDExtensionConstTypePtr, at: usize) -> u32 {
    // SAFETY: the private part is larger than what is searched.
    unsafe { word_at(private(handle).add(at)) }
}

fn buffer_at(array: &VarArray, at: usize) -> bool {
    // SAFETY: as above.
    let word = unsafe { pointer_at(private(array.sys()).add(at)) };
    word == array_slot(array.sys().cast(), 0)
}

fn node_of(dictionary: &VarDictionary, key: i64) -> *const u8 {
    dictionary_slot(dictionary, &key.to_variant()).wrapping_sub(VALUE)
}

/// Of several entries the last one's node stands there too, but not for all sizes.
fn head_at(dictionary: &VarDictionary, at: usize) -> bool {
    // SAFETY: as above.
    let word = unsafe { pointer_at(private(dictionary.sys()).add(at)) };
    word == node_of(dictionary, 0)
}

/// Every node, its key and its value, from the first to the last.
fn is_walkable(dictionary: &VarDictionary, head: usize, size: i64) -> bool {
    let int = |at: *const u8| {
        // SAFETY: only called for nodes whose address an official slot has confirmed.
        unsafe { (word_at(at) == 2).then(|| read::<i64>(at.add(PAYLOAD))) }
    };
    // SAFETY: as above.
    let mut node = unsafe { pointer_at(private(dictionary.sys()).add(head)) };
    for n in 0..size {
        if node != node_of(dictionary, n * 7) {
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

/// Where a dictionary says which types it takes. One that takes all has zeros there.
fn dictionary_types() -> Option<(usize, usize)> {
    // A header with both kinds, the types, no entries; written by hand, since this build's interface is that of
    // 4.3, which cannot make one. Engines that know no typed dictionaries give an untyped one.
    let bytes = [27, 0, 5, 0, KEY_TYPE, 0, 0, 0, VALUE_TYPE, 0, 0, 0, 0, 0, 0, 0];
    let typed = bytes_to_var(&PackedByteArray::from(bytes.as_slice()));
    let untyped = dictionary(3);
    let find = |ty: u8| {
        offset(DICTIONARY_PART, 4, |at| {
            payload_number(&typed, at) == u32::from(ty) && number(untyped.sys(), at) == 0
        })
    };
    Some((find(KEY_TYPE)?, find(VALUE_TYPE)?))
}

/// Where packed arrays of all widths have their handle.
fn packed(length_back: usize) -> Option<usize> {
    let bytes = PackedByteArray::from([1, 2, 3, 4, 5].as_slice());
    let vectors = PackedVector3Array::from([Vector3::ONE; 7].as_slice());
    let samples = [
        (bytes.to_variant(), bytes.as_slice().as_ptr(), 5),
        (vectors.to_variant(), vectors.as_slice().as_ptr().cast(), 7),
    ];
    offset(PACKED_PART, size_of::<usize>(), |at| {
        // SAFETY: what the Variant points to is larger; the length is read before elements that are there.
        samples.iter().all(|(variant, first, count)| unsafe {
            let shared = pointer_at(variant.var_sys().cast::<u8>().add(PAYLOAD));
            pointer_at(shared.add(at)) == *first && read::<i64>(first.sub(length_back)) == *count
        })
    })
}

/// Where the handle of a packed array has the pointer to its elements.
fn packed_in_handle() -> Option<usize> {
    let arrays: [PackedByteArray; 2] = [[1, 2, 3, 4, 5].as_slice().into(), [9].as_slice().into()];
    offset(size_of::<PackedByteArray>(), size_of::<usize>(), |at| {
        // SAFETY: within the handle, which is as large as the binding's own type.
        arrays.iter().all(|it| unsafe { pointer_at(it.sys().cast::<u8>().add(at)) } == it.as_slice().as_ptr())
    })
}

fn payload_number(variant: &Variant, at: usize) -> u32 {
    // SAFETY: the Variant holds a dictionary, whose handle is its payload (`layout/variants.rs`).
    unsafe { word_at(pointer_at(variant.var_sys().cast::<u8>().add(PAYLOAD)).add(at)) }
}

/// The same of an array.
fn element_type() -> Option<usize> {
    let mut typed = VarArray::new();
    let (class, no_script) = (StringName::default(), Variant::nil());
    // SAFETY: interface call on live builtins; the array is new, empty, untyped and ours alone.
    unsafe {
        interface_fn!(array_set_typed)(
            typed.sys_mut(),
            u32::from(VALUE_TYPE).cast_signed(),
            class.string_sys(),
            no_script.var_sys(),
        );
    }
    let untyped = array(3);
    offset(ARRAY_PART, 4, |at| {
        number(typed.sys(), at) == u32::from(VALUE_TYPE) && number(untyped.sys(), at) == 0
    })
}
