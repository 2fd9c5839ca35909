//! Methods of builtin types through the engine's own pointers to them: no name is looked up at a call. All that are called
//! so stand in one table.
//!
//! Each has its plain twin, a call by name, for engines that do not give the pointer.

use godot::builtin::{AnyArray, AnyDictionary, StringName};
use godot::meta::ToGodot;
use godot::sys::{self, GdextBuild, GodotFfi, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use crate::names;

/// What the engine gives for a method: it takes the value, the arguments, the place for the answer, and how many arguments.
pub(super) type Method = unsafe extern "C" fn(
    sys::GDExtensionTypePtr,
    *const sys::GDExtensionConstTypePtr,
    sys::GDExtensionTypePtr,
    i32,
);

/// Makes an array this long. New elements are null, or the default of the array's type.
pub(crate) fn resize(array: &mut AnyArray, size: usize) {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let Some(method) = *ARRAY_RESIZE else {
        array.to_variant().call(&*names::RESIZE, &[size.to_variant()]);
        return;
    };
    // SAFETY: a live array; the method is of its type.
    unsafe { resize_with(method, array.sys_mut(), size) };
}

/// Whether a dictionary declares a type for its keys or values. Engines before 4.4 know no such thing.
#[must_use]
pub(crate) fn is_typed(dictionary: &AnyDictionary) -> bool {
    let Some(method) = *DICTIONARY_IS_TYPED else {
        let by_name = || dictionary.to_variant().call(&*names::IS_TYPED, &[]).booleanize();
        return GdextBuild::since_api("4.4") && by_name();
    };
    let mut answer = false;
    // SAFETY: the pointer is that of a method with this signature, which its hash vouches for: a live dictionary, which a
    // const method leaves alone; no arguments; a place for one bool.
    unsafe {
        method(sys::SysPtr::force_mut(dictionary.sys()), std::ptr::null(), (&raw mut answer).cast(), 0);
    }
    answer
}

/// Makes an array this long by the `resize` of its type. False: the engine could not.
///
/// # Safety
/// A living Array or packed array, and what [`resize_of`] gives for its type.
#[inline(always)]
pub(super) unsafe fn resize_with(resize: Method, array: sys::GDExtensionTypePtr, size: i64) -> bool {
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    let mut error: i64 = 0;
    // SAFETY: the caller's promise: a method with this signature, which its hash vouches for: one int, a place for one int.
    unsafe { resize(array, arguments.as_ptr(), (&raw mut error).cast(), 1) };
    error == 0
}

/// `resize(size: int) -> int` of Array and of every packed array, the same since 4.0.
pub(super) fn resize_of(ty: VariantType) -> Option<Method> {
    pointer(ty, &names::RESIZE, 848_867_239)
}

/// The pointer to a method, if it is there with this signature.
fn pointer(ty: VariantType, name: &StringName, hash: i64) -> Option<Method> {
    // SAFETY: interface call with a live name; it answers null where type, name and hash do not go together.
    unsafe { interface_fn!(variant_get_ptr_builtin_method)(ty.id().into(), name.string_sys(), hash) }
}

pub(super) static ARRAY_RESIZE: Lazy<Option<Method>> = Lazy::new(|| resize_of(VariantType::Array));
pub(super) static BYTES_RESIZE: Lazy<Option<Method>> = Lazy::new(|| resize_of(VariantType::PackedByteArray));

/// A static for each method: its type, its name, the hash of its signature as the engine lists it, and since when it is
/// there if that is not 4.0. An older engine is not asked: it would print.
macro_rules! methods {
    ($($(#[$signature:meta])* $method:ident: $ty:ident, $name:ident, $hash:literal $(, $since:literal)?;)*) => {$(
        $(#[$signature])*
        pub(super) static $method: Lazy<Option<Method>> = Lazy::new(|| {
            $(if GdextBuild::before_api($since) { return None; })?
            pointer(VariantType::$ty, &names::$name, $hash)
        });
    )*};
}

methods! {
    /// `size() -> int`
    ARRAY_SIZE: Array, SIZE, 3_173_160_232;
    /// `get_typed_builtin() -> int`
    ARRAY_TYPE: Array, GET_TYPED_BUILTIN, 3_173_160_232;
    /// `is_read_only() -> bool`
    ARRAY_READ_ONLY: Array, IS_READ_ONLY, 3_918_633_141;
    /// `size() -> int`
    DICTIONARY_SIZE: Dictionary, SIZE, 3_173_160_232;
    /// `keys() -> Array`
    DICTIONARY_KEYS: Dictionary, KEYS, 4_144_163_970;
    /// `values() -> Array`
    DICTIONARY_VALUES: Dictionary, VALUES, 4_144_163_970;
    /// `duplicate(deep: bool) -> Dictionary`
    DICTIONARY_DUPLICATE: Dictionary, DUPLICATE, 830_099_069;
    /// `is_read_only() -> bool`
    DICTIONARY_READ_ONLY: Dictionary, IS_READ_ONLY, 3_918_633_141;
    /// `is_typed() -> bool`
    DICTIONARY_IS_TYPED: Dictionary, IS_TYPED, 3_918_633_141, "4.4";
    /// `get_typed_key_builtin() -> int`
    DICTIONARY_KEY_TYPE: Dictionary, GET_TYPED_KEY_BUILTIN, 3_173_160_232, "4.4";
    /// `get_typed_value_builtin() -> int`
    DICTIONARY_VALUE_TYPE: Dictionary, GET_TYPED_VALUE_BUILTIN, 3_173_160_232, "4.4";
    /// `assign(dictionary: Dictionary)`
    DICTIONARY_ASSIGN: Dictionary, ASSIGN, 3_642_266_950, "4.4";
    /// `decode_var(byte_offset: int, allow_objects: bool) -> Variant`
    BYTES_DECODE_VAR: PackedByteArray, DECODE_VAR, 1_740_420_038;
}
