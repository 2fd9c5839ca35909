//! Constructs new values in the place where they stay, by the engine's own constructors.

use godot::builtin::{StringName, Variant, real};
use godot::sys::{self, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::super::builtin_method::{
    ARRAY_RESIZE, BYTES_DECODE_VAR, DICTIONARY_ASSIGN, DICTIONARY_DUPLICATE, resize_with,
};
use super::super::layout::{PAYLOAD, pointer_at, proven, word_at};
use super::bits::{ARRAY, DICTIONARY, NAME, NIL, STRING};
use super::slot::{set, tag};

pub(super) type Construct = sys::GDExtensionPtrConstructor;
type FromType = sys::GDExtensionVariantFromTypeConstructorFunc;

static NEW_ARRAY: Lazy<Construct> = Lazy::new(|| constructor(VariantType::Array));
static NEW_DICTIONARY: Lazy<Construct> = Lazy::new(|| constructor(VariantType::Dictionary));
/// Constructors for types whose value lies behind a pointer.
pub(super) static FROM_TYPE: Lazy<[FromType; 40]> = Lazy::new(|| {
    let mut all = [None; 40];
    for (id, slot) in (0..39_u32).zip(&mut all).skip(1) {
        // SAFETY: interface call with the id of a type.
        *slot = unsafe { interface_fn!(get_variant_from_type_constructor)(id.cast_signed()) };
    }
    all
});

pub(super) fn constructor(ty: VariantType) -> Construct {
    // SAFETY: interface call; the first constructor takes nothing.
    unsafe { interface_fn!(variant_get_ptr_constructor)(ty.id().into(), 0) }
}

/// Returns the constructor that copies a value of the type.
pub(super) fn copier(ty: VariantType) -> Construct {
    // SAFETY: interface call; the second constructor of every type that is more than a number takes one of its own.
    unsafe { interface_fn!(variant_get_ptr_constructor)(ty.id().into(), 1) }
}

/// Lets go of what a slot holds.
///
/// # Safety
/// A living Variant that nobody else uses lies there.
pub(super) unsafe fn clear(slot: *mut u8) {
    // SAFETY: the caller's promise; the Variant is nil afterwards. A text that is no pointer is empty and owns nothing.
    unsafe {
        let is_text = matches!(word_at(slot), STRING | NAME);
        if !is_text || !pointer_at(slot.add(PAYLOAD)).is_null() {
            slot.cast::<Variant>().drop_in_place();
        }
        set(slot, NIL, 0);
    }
}

/// Makes a Variant of a type that it keeps behind a pointer, which is made of numbers.
///
/// # Safety
/// `slot` owns nothing, `value` points to a value of the type `ty`, at any address.
#[inline(never)]
pub(super) unsafe fn from_type(ty: u32, slot: *mut u8, value: *const u8) -> Option<()> {
    let construct = FROM_TYPE.get(ty as usize).copied().flatten()?;
    // SAFETY: the caller's promise. The constructor copies the value, and changes nothing of it.
    unsafe {
        if value.addr().is_multiple_of(align_of::<real>()) {
            construct(slot.cast(), value.cast_mut().cast());
        } else {
            let mut aligned = [0_u64; 16];
            let bytes = super::bits::PLAIN.get(ty as usize)?.bytes;
            // No such type is larger than the buffer.
            std::ptr::copy_nonoverlapping(value, aligned.as_mut_ptr().cast(), bytes.min(128));
            construct(slot.cast(), aligned.as_mut_ptr().cast());
        }
    }
    Some(())
}

/// Makes an empty Array in the slot, of this element type. Returns its handle.
///
/// # Safety
/// A Variant that owns nothing lies at `slot`.
pub(super) unsafe fn array(slot: *mut u8, element: Option<u32>) -> Option<sys::GDExtensionTypePtr> {
    // SAFETY: the caller's promise; the array is new, empty and ours alone, which is when a type may be set. No class
    // goes with the types that come here.
    unsafe {
        let handle = slot.add(PAYLOAD);
        (*NEW_ARRAY)?(handle.cast(), std::ptr::null());
        tag(slot, ARRAY);
        if let Some(element) = element.filter(|element| *element != NIL) {
            let (class, no_script) = (StringName::default(), Variant::nil());
            let element = i32::try_from(element).ok().filter(|element| *element < 39)?;
            interface_fn!(array_set_typed)(handle.cast(), element, class.string_sys(), no_script.var_sys());
        }
        Some(handle.cast())
    }
}

/// Gives a new array so many elements. Returns the first.
///
/// # Safety
/// `array` is a living Array that nobody else uses; `count` is not 0.
pub(super) unsafe fn resized(array: sys::GDExtensionTypePtr, count: usize) -> Option<*mut u8> {
    let size = i64::try_from(count).ok()?;
    // SAFETY: the caller's promise; nobody shares the buffer, which is where the probe has found it.
    unsafe {
        let is_resized = resize_with((*ARRAY_RESIZE)?, array, size);
        let (first, length) = proven()?.buffers.elements(array.cast())?;
        (is_resized && length == count).then_some(first.cast_mut())
    }
}

/// Makes an empty Dictionary in the slot.
///
/// # Safety
/// A Variant that owns nothing lies at `slot`.
pub(super) unsafe fn dictionary(slot: *mut u8) -> Option<()> {
    // SAFETY: the caller's promise.
    unsafe {
        (*NEW_DICTIONARY)?(slot.add(PAYLOAD).cast(), std::ptr::null());
        tag(slot, DICTIONARY);
    }
    Some(())
}

/// Makes a Dictionary in the slot with the entries and the types of another one.
///
/// # Safety
/// A Variant that owns nothing lies at `slot`; `from` is the handle of a living Dictionary.
pub(super) unsafe fn duplicated(slot: *mut u8, from: sys::GDExtensionTypePtr) -> Option<()> {
    let duplicate = (*DICTIONARY_DUPLICATE)?;
    let is_deep: u8 = 0;
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const is_deep).cast()];
    // SAFETY: the caller's promise; the pointer is that of a const method with this signature: a bool is one byte, and
    // the answer is put in the place of a Dictionary.
    unsafe {
        dictionary(slot)?;
        duplicate(from, arguments.as_ptr(), slot.add(PAYLOAD).cast(), 1);
    }
    Some(())
}

/// Returns the place of `dictionary[key]`, where the value goes.
///
/// # Safety
/// A living Dictionary that nobody else uses, a living key.
#[inline]
pub(super) unsafe fn slot(
    dictionary: sys::GDExtensionTypePtr,
    key: sys::GDExtensionConstVariantPtr,
) -> Option<*mut u8> {
    // SAFETY: the caller's promise; interface call.
    let slot = unsafe { interface_fn!(dictionary_operator_index)(dictionary, key).cast::<u8>() };
    (!slot.is_null()).then_some(slot)
}

/// # Safety
/// Room for a Variant, a living one.
pub(super) unsafe fn copy(
    to: sys::GDExtensionUninitializedVariantPtr,
    from: sys::GDExtensionConstVariantPtr,
) {
    // SAFETY: the caller's promise; interface call.
    unsafe { interface_fn!(variant_new_copy)(to, from) }
}

/// Puts what the engine reads at this byte of a PackedByteArray in the place of what the slot holds.
///
/// # Safety
/// A living array, a living Variant that nobody else uses.
pub(super) unsafe fn read_at(array: sys::GDExtensionTypePtr, at: u64, slot: *mut u8) -> Option<()> {
    let (decode, at, objects) = ((*BYTES_DECODE_VAR)?, i64::try_from(at).ok()?, 0_u8);
    let arguments: [sys::GDExtensionConstTypePtr; 2] = [(&raw const at).cast(), (&raw const objects).cast()];
    // SAFETY: the caller's promise; the pointer is that of a const method with this signature: a bool is one byte, and
    // the answer is assigned to a Variant.
    unsafe { decode(array, arguments.as_ptr(), slot.cast(), 2) };
    Some(())
}

/// Gives an empty Dictionary the entries of another one, and the capacity of its table. False where engines cannot.
///
/// # Safety
/// Living dictionaries of the same types; the first one is empty, and nobody else uses it.
#[inline]
pub(super) unsafe fn assign(to: sys::GDExtensionTypePtr, from: sys::GDExtensionConstTypePtr) -> bool {
    let Some(assign) = *DICTIONARY_ASSIGN else { return false };
    let arguments = [from];
    // SAFETY: the caller's promise; the pointer is that of a method with this signature, which answers nothing.
    unsafe { assign(to, arguments.as_ptr(), std::ptr::null_mut(), 1) };
    true
}

/// Returns how many entries a dictionary has.
///
/// # Safety
/// `handle` is that of a living Dictionary.
#[inline]
pub(super) unsafe fn length(handle: *const u8) -> Option<u64> {
    // SAFETY: the caller's promise and the probe's findings.
    unsafe { Some(word_at(pointer_at(handle).add(proven()?.dictionaries.size)).into()) }
}
