//! Where texts, arrays and packed arrays keep their elements: found by comparing with what official calls answer, on
//! buffers of several sizes. Read only, always.

use godot::builtin::{PackedByteArray, PackedVector3Array, StringName, VarArray, Variant, Vector3};
use godot::meta::ToGodot;
use godot::sys::{GodotFfi, interface_fn};

use super::super::in_place::array_slot;
use super::search::{SIZES, TYPE, WORD, number, offset, private};
use super::{PAYLOAD, pointer_at, read, texts};

/// How far the private parts are looked through, in bytes. They are no smaller than that, with words of any size.
const ARRAY_PART: usize = 8 * WORD;
const PACKED_PART: usize = 4 * WORD;

/// Words of 64 bits among which the length of a buffer is looked for, from its first element back. Engines also have what it
/// has room for there, which is the same number for many, and where alignment asks for it, nothing.
const HEADER: usize = 16;

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
    /// In an array's private part: its buffer, the type of its elements.
    pub(in super::super) elements: usize,
    pub(in super::super) element_type: usize,
}

impl Buffers {
    /// All of it, or nothing.
    pub(super) fn probed() -> Option<Buffers> {
        let arrays = SIZES.map(array);
        let elements = offset(ARRAY_PART, WORD, |at| arrays.iter().all(|it| buffer_at(it, at)))?;
        let shrunk = SIZES.map(shrunk);
        let before = offset(HEADER, size_of::<u64>(), |at| {
            let mut all = arrays.iter().chain(&shrunk);
            texts::have_lengths(HEADER - at) && all.all(|array| has_length(array, elements, HEADER - at))
        })?;
        let length_back = HEADER - before;
        let element_type = element_type()?;
        Some(Buffers {
            length_back,
            name_text: texts::name_text(),
            packed: packed(length_back),
            packed_in_handle: packed_in_handle(),
            elements,
            element_type,
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

/// One with room for more than it has, in an engine that keeps such room.
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
    word == array_slot(array.sys().cast(), 0)
}

/// Where packed arrays of all widths have their handle.
fn packed(length_back: usize) -> Option<usize> {
    let bytes = PackedByteArray::from([1, 2, 3, 4, 5].as_slice());
    let vectors = PackedVector3Array::from([Vector3::ONE; 7].as_slice());
    let samples = [
        (bytes.to_variant(), bytes.as_slice().as_ptr(), 5),
        (vectors.to_variant(), vectors.as_slice().as_ptr().cast(), 7),
    ];
    offset(PACKED_PART, WORD, |at| {
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
    offset(size_of::<PackedByteArray>(), WORD, |at| {
        // SAFETY: within the handle, which is as large as the binding's own type.
        arrays.iter().all(|it| unsafe { pointer_at(it.sys().cast::<u8>().add(at)) } == it.as_slice().as_ptr())
    })
}

/// Where an array says which type it takes. One that takes all has a zero there.
fn element_type() -> Option<usize> {
    let mut typed = VarArray::new();
    let (class, no_script) = (StringName::default(), Variant::nil());
    // SAFETY: interface call on live builtins; the array is new, empty, untyped and ours alone.
    unsafe {
        interface_fn!(array_set_typed)(
            typed.sys_mut(),
            u32::from(TYPE).cast_signed(),
            class.string_sys(),
            no_script.var_sys(),
        );
    }
    let untyped = array(3);
    offset(ARRAY_PART, 4, |at| number(typed.sys(), at) == u32::from(TYPE) && number(untyped.sys(), at) == 0)
}
