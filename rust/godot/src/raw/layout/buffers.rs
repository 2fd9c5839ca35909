//! Where texts, arrays and packed arrays keep their elements: found by comparing with what official calls answer, on
//! buffers of several sizes. Read only, always.

use godot::builtin::{PackedByteArray, PackedVector3Array, VarArray, Vector3};
use godot::meta::ToGodot;
use godot::sys::GodotFfi;
use variant_core::VariantType;

use super::super::in_place;
use super::search::{SIZES, TYPE, WORD, number, offset, private};
use super::{PAYLOAD, asked, pointer_at, read, texts, word_at};

/// How far the private parts are looked through, in bytes. They are no smaller than that in any engine since 4.3, with words
/// of any size: a count, the buffer in two words, a mark for read-only ones, the type of elements, its class and script.
const ELEMENTS_PART: usize = 4 * WORD;
const TYPE_PART: usize = 6 * WORD;
const PACKED_PART: usize = 4 * WORD;

/// Words of 64 bits among which the length of a buffer is looked for, from its first element back. Engines also have what it
/// has room for there, which is the same number for many, and where alignment asks for it, nothing.
const HEADER: usize = 16;

const PACKED_BYTES: u32 = VariantType::PackedByteArray.id() as u32;
const PACKED_VECTORS: u32 = VariantType::PackedVector3Array.id() as u32;

/// Distances in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffers {
    /// From the first element of a buffer, of characters or Variants, back to its length.
    pub(in super::super) length_back: usize,
    /// From a name's record to its text.
    pub(in super::super) name_text: Option<usize>,
    /// In what a packed array's Variant points to: the pointer to its elements.
    pub(in super::super) packed: Option<usize>,
    /// From a packed array's handle to that pointer, which is a part of it.
    pub(in super::super) packed_in_handle: Option<usize>,
    /// In an array's private part: its buffer.
    elements: usize,
    /// The type of its elements there.
    element_type: Option<usize>,
}

impl Buffers {
    /// Probes the buffers; nothing comes of it where not even the elements of arrays are found, with their
    /// number.
    pub(super) fn probed() -> Option<Buffers> {
        let arrays = SIZES.map(array);
        let elements = offset(ELEMENTS_PART, WORD, |at| arrays.iter().all(|it| buffer_at(it, at)))?;
        let shrunk = SIZES.map(shrunk);
        let before = offset(HEADER, size_of::<u64>(), |at| {
            let mut all = arrays.iter().chain(&shrunk);
            texts::have_lengths(HEADER - at) && all.all(|array| has_length(array, elements, HEADER - at))
        })?;
        let length_back = HEADER - before;
        Some(Buffers {
            length_back,
            name_text: texts::name_text(),
            packed: packed(length_back),
            packed_in_handle: packed_in_handle(),
            elements,
            element_type: element_type(),
        })
    }

    pub(super) const fn knows_types(&self) -> bool {
        self.element_type.is_some()
    }

    /// The type that an array declares, as its number.
    ///
    /// # Safety
    /// `handle` is that of a living Array.
    #[inline]
    pub(in super::super) unsafe fn element_type(&self, handle: *const u8) -> Option<u32> {
        // SAFETY: the caller's promise and the probe's findings; without those, an official call.
        unsafe {
            match self.element_type {
                Some(at) => Some(word_at(pointer_at(handle).add(at))),
                None => in_place::element_type(handle),
            }
        }
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

/// Makes an array with room for more than it has, in an engine that keeps such room.
fn shrunk(size: i64) -> VarArray {
    let mut array = array(size + 2);
    array.pop();
    array.pop();
    array
}

/// Whether the length of the buffer that is told at `elements` is so far before its first element.
fn has_length(array: &VarArray, elements: usize, back: usize) -> bool {
    // SAFETY: the pointer there has been found to be that of the elements, before which their block has its header,
    // which is no smaller than that in any engine there was.
    unsafe { read::<u64>(pointer_at(private(array.sys()).add(elements)).sub(back)) == array.len() as u64 }
}

fn buffer_at(array: &VarArray, at: usize) -> bool {
    // SAFETY: within the private part, which is larger than what is searched.
    let word = unsafe { pointer_at(private(array.sys()).add(at)) };
    asked::element(array, 0) == Some(word)
}

/// Where packed arrays of all widths have their handle.
fn packed(length_back: usize) -> Option<usize> {
    let bytes = PackedByteArray::from([1, 2, 3, 4, 5].as_slice());
    let vectors = PackedVector3Array::from([Vector3::ONE; 7].as_slice());
    let samples = [
        (asked::variant(&bytes), PACKED_BYTES, asked::first_byte(&bytes)?, 5),
        (asked::variant(&vectors), PACKED_VECTORS, asked::first_vector(&vectors)?, 7),
    ];
    // SAFETY: a Variant's first word is its type, as has been seen.
    if samples.iter().any(|(variant, ty, ..)| unsafe { word_at(variant.var_sys().cast()) != *ty }) {
        return None;
    }
    offset(PACKED_PART, WORD, |at| {
        // SAFETY: what a Variant of such a type points to is larger; the length is read before elements that are there.
        samples.iter().all(|(variant, _, first, count)| unsafe {
            let shared = pointer_at(variant.var_sys().cast::<u8>().add(PAYLOAD));
            pointer_at(shared.add(at)) == *first && read::<i64>(first.sub(length_back)) == *count
        })
    })
}

/// Where the handle of a packed array has the pointer to its elements.
fn packed_in_handle() -> Option<usize> {
    let arrays: [PackedByteArray; 2] = [[1, 2, 3, 4, 5].as_slice().into(), [9].as_slice().into()];
    offset(size_of::<PackedByteArray>(), WORD, |at| {
        arrays.iter().all(|it| {
            // SAFETY: within the handle, which is as large as the binding's own type.
            let word = unsafe { pointer_at(it.sys().cast::<u8>().add(at)) };
            asked::first_byte(it) == Some(word)
        })
    })
}

/// Finds where an array says which type it takes. An array that takes all has a zero there.
fn element_type() -> Option<usize> {
    let mut typed = VarArray::new();
    asked::set_typed(&mut typed, TYPE);
    let untyped = array(3);
    offset(TYPE_PART, 4, |at| number(typed.sys(), at) == u32::from(TYPE) && number(untyped.sys(), at) == 0)
}
