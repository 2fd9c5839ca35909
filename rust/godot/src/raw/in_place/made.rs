//! Made: new values constructed in the place where they stay, by the engine's own constructors.

use godot::builtin::{GString, PackedArray, PackedByteArray, PackedStringArray, StringName, Variant};
use godot::meta::{PackedElement, ToGodot};
use godot::sys::{self, GodotFfi, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::super::builtin_method::pointer;
use super::super::kernels::widen;
use super::super::layout::{PAYLOAD, pointer_at};
use super::bits::{ARRAY, DICTIONARY, NIL};
use super::builder::tag;
use crate::names::RESIZE;

/// Up to here the engine's own constructor is fastest, beyond our kernels are.
const SHORT: usize = 16;
const STRIDE: usize = size_of::<Variant>();

type Construct = sys::GDExtensionPtrConstructor;
type FromType = sys::GDExtensionVariantFromTypeConstructorFunc;

static NEW_STRING: Lazy<Construct> = Lazy::new(|| constructor(VariantType::String));
static NEW_ARRAY: Lazy<Construct> = Lazy::new(|| constructor(VariantType::Array));
static NEW_DICTIONARY: Lazy<Construct> = Lazy::new(|| constructor(VariantType::Dictionary));
/// `Array.resize(size: int) -> int`, the same since 4.0.
static ARRAY_RESIZE: Lazy<sys::GDExtensionPtrBuiltInMethod> =
    Lazy::new(|| pointer(VariantType::Array, &RESIZE, 848_867_239));
/// `PackedByteArray.resize(new_size: int) -> int`, the same since 4.0.
static BYTES_RESIZE: Lazy<sys::GDExtensionPtrBuiltInMethod> =
    Lazy::new(|| pointer(VariantType::PackedByteArray, &RESIZE, 848_867_239));
/// Of types whose value lies behind a pointer.
static FROM_TYPE: Lazy<[FromType; 40]> = Lazy::new(|| {
    let mut all = [None; 40];
    for (id, slot) in (0..39_u32).zip(&mut all).skip(1) {
        // SAFETY: interface call with the id of a type.
        *slot = unsafe { interface_fn!(get_variant_from_type_constructor)(id.cast_signed()) };
    }
    all
});

fn constructor(ty: VariantType) -> Construct {
    // SAFETY: interface call; the first constructor takes nothing.
    unsafe { interface_fn!(variant_get_ptr_constructor)(ty.id().into(), 0) }
}

/// Lets go of what a slot holds.
///
/// # Safety
/// A living Variant that nobody else uses lies there.
#[cold]
pub(super) unsafe fn clear(slot: *mut u8) {
    // SAFETY: the caller's promise; the Variant is nil afterwards.
    unsafe {
        slot.cast::<Variant>().drop_in_place();
        slot.cast::<Variant>().write(Variant::nil());
    }
}

/// # Safety
/// `place` is room for a String, and owns nothing.
#[inline]
pub(super) unsafe fn string(place: *mut u8, text: &str) -> Option<()> {
    let length = i64::try_from(text.len()).ok()?;
    // SAFETY: the caller's promise; interface calls on room for a String, which is one afterwards. It is made as long
    // as its characters and the NUL that the engine counts, all of which are written.
    unsafe {
        if text.len() <= SHORT {
            let made = interface_fn!(string_new_with_utf8_chars_and_len2);
            return (made(place.cast(), text.as_ptr().cast(), length) == 0).then_some(());
        }
        let characters = if text.is_ascii() { text.len() } else { widen::count(text) };
        (*NEW_STRING)?(place.cast(), std::ptr::null());
        let resized = interface_fn!(string_resize)(place.cast(), i64::try_from(characters + 1).ok()?);
        let first = interface_fn!(string_operator_index)(place.cast(), 0).cast::<u32>();
        if resized != 0 || first.is_null() {
            place.cast::<GString>().drop_in_place();
            return None;
        }
        if characters == text.len() {
            widen::ascii(text.as_bytes(), first);
        } else {
            widen::characters(text, first);
        }
        first.add(characters).write(0);
    }
    Some(())
}

/// # Safety
/// `place` is room for a StringName, and owns nothing.
pub(super) unsafe fn name(place: *mut u8, text: &str) -> Option<()> {
    let length = i64::try_from(text.len()).ok()?;
    // SAFETY: the caller's promise; interface call with text that lives.
    unsafe {
        interface_fn!(string_name_new_with_utf8_chars_and_len)(place.cast(), text.as_ptr().cast(), length);
    }
    Some(())
}

/// A Variant of a type that it keeps behind a pointer.
///
/// # Safety
/// `slot` owns nothing, `value` points to a value of the type `ty`, at any address.
pub(super) unsafe fn from_type(ty: u32, slot: *mut u8, value: *const u8) -> Option<()> {
    let construct = FROM_TYPE.get(ty as usize).copied().flatten()?;
    let mut aligned = [0_u64; 16];
    let bytes = super::bits::PLAIN.get(ty as usize)?.bytes;
    // SAFETY: the caller's promise; no such type is larger than the buffer.
    unsafe {
        std::ptr::copy_nonoverlapping(value, aligned.as_mut_ptr().cast(), bytes.min(128));
        construct(slot.cast(), aligned.as_mut_ptr().cast());
    }
    Some(())
}

/// An empty Array in the slot, of this element type; its handle.
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

/// Makes a new array so long; its first element.
///
/// # Safety
/// `array` is a living Array that nobody else uses; `count` is not 0.
pub(super) unsafe fn resized(array: sys::GDExtensionTypePtr, count: usize) -> Option<*mut u8> {
    let size = i64::try_from(count).ok()?;
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    let mut error: i64 = 0;
    // SAFETY: the caller's promise; the pointer is that of a method with this signature. Null past the end.
    unsafe {
        (*ARRAY_RESIZE)?(array, arguments.as_ptr(), (&raw mut error).cast(), 1);
        let first = interface_fn!(array_operator_index)(array, 0).cast::<u8>();
        let last = interface_fn!(array_operator_index)(array, size - 1).cast::<u8>();
        let is_whole = error == 0 && !first.is_null() && last == first.wrapping_add((count - 1) * STRIDE);
        is_whole.then_some(first)
    }
}

/// An empty Dictionary in the slot.
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

/// `dictionary[key]`, where the value goes.
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

/// A PackedByteArray with these bytes.
pub(super) fn bytes(bytes: &[u8]) -> PackedByteArray {
    let mut array = PackedByteArray::new();
    let (Some(resize), Ok(size)) = (*BYTES_RESIZE, i64::try_from(bytes.len())) else {
        return PackedByteArray::from(bytes);
    };
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    let mut error: i64 = 0;
    // SAFETY: a method with this signature on a living array; then as many bytes are there as it was resized to.
    unsafe {
        resize(array.sys_mut(), arguments.as_ptr(), (&raw mut error).cast(), 1);
        if error == 0 && size > 0 {
            let first = interface_fn!(packed_byte_array_operator_index)(array.sys_mut(), 0);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), first, bytes.len());
        }
    }
    array
}

/// A packed array of so many elements, whose bytes these are. For elements that are numbers and nothing else.
pub(super) fn packed<T: PackedElement>(bytes: &[u8], count: usize) -> Option<Variant> {
    let mut array = PackedArray::<T>::new();
    if count > 0 {
        array.resize(count);
        let elements = array.as_mut_slice();
        if size_of_val(elements) != bytes.len() {
            return None;
        }
        // SAFETY: as many bytes, of types for which any bytes are a value.
        unsafe {
            let to = elements.as_mut_ptr().cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }
    Some(array.to_variant())
}

/// A PackedStringArray whose strings are made where they stay.
pub(super) struct PackedStrings(PackedStringArray);

impl PackedStrings {
    pub(super) fn new(count: usize) -> Option<PackedStrings> {
        let mut array = PackedStringArray::new();
        array.resize(count);
        (array.len() == count).then_some(PackedStrings(array))
    }

    pub(super) fn set_all<'t>(&mut self, mut next: impl FnMut() -> Option<&'t str>) -> Option<()> {
        for slot in self.0.as_mut_slice() {
            let place = std::ptr::from_mut(slot).cast::<u8>();
            let text = next()?;
            // SAFETY: a GString is its handle; a new one is empty and owns nothing, which its word says.
            unsafe {
                if !pointer_at(place).is_null() {
                    return None;
                }
                string(place, text)?;
            }
        }
        Some(())
    }

    pub(super) fn finish(self) -> Variant {
        self.0.to_variant()
    }
}
