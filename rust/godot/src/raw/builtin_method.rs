//! Calls methods of builtin types by the engine's own pointers, so that no name is looked up at a call.
//!
//! All methods that are called in this way stand in one table. Each has a fallback for engines that do not
//! return a pointer. No engine prints because of a request: the type is first asked whether it has a method
//! of the name, which is no error where it has none.

use godot::builtin::{AnyArray, AnyDictionary, StringName, Variant};
use godot::meta::ToGodot;
use godot::sys::{self, GodotFfi, SysPtr, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::pretend;
use crate::engine::names;
use crate::engine::quiet::quietly;

/// The type of the engine's method pointers: they take the value, the arguments, the place for the result,
/// and the number of arguments.
pub(super) type Method = unsafe extern "C" fn(
    sys::GDExtensionTypePtr,
    *const sys::GDExtensionConstTypePtr,
    sys::GDExtensionTypePtr,
    i32,
);

/// Resizes an array. New elements are null, or the default of the array's type.
pub(crate) fn resize(array: &mut AnyArray, size: usize) {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let Some(method) = *ARRAY_RESIZE else {
        array.to_variant().call(&*names::RESIZE, &[size.to_variant()]);
        return;
    };
    // SAFETY: the array is live, and the method belongs to its type.
    unsafe { resize_with(method, array.sys_mut(), size) };
}

/// Tells whether a dictionary declares a type for its keys or values. Engines before 4.4 have no typed
/// dictionaries.
#[must_use]
pub(crate) fn is_typed(dictionary: &AnyDictionary) -> bool {
    let Some(method) = *DICTIONARY_IS_TYPED else {
        let by_name = || dictionary.to_variant().call(&*names::IS_TYPED, &[]).booleanize();
        return knows_typed_dictionaries() && by_name();
    };
    let mut answer = false;
    // SAFETY: the method has this signature, which its hash proves. It gets a live dictionary, which a const
    // method does not change, no arguments, and a place for one bool.
    unsafe {
        method(sys::SysPtr::force_mut(dictionary.sys()), std::ptr::null(), (&raw mut answer).cast(), 0);
    }
    answer
}

/// Tells whether this engine has typed dictionaries: by a method that came with them, because the version
/// number says little about an engine that somebody built.
#[must_use]
pub(crate) fn knows_typed_dictionaries() -> bool {
    static KNOWS: Lazy<bool> = Lazy::new(|| has(VariantType::Dictionary, &names::IS_TYPED));
    *KNOWS
}

/// Resizes an array by the `resize` of its type. Returns false if the engine could not.
///
/// # Safety
/// `array` is a living Array or packed array, and `resize` the result of [`resize_of`] for its type.
#[inline]
pub(super) unsafe fn resize_with(resize: Method, array: sys::GDExtensionTypePtr, size: i64) -> bool {
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    let mut error: i64 = 0;
    // SAFETY: by the caller's promise the method has this signature, which its hash proves: one int, and a
    // place for one int.
    unsafe { resize(array, arguments.as_ptr(), (&raw mut error).cast(), 1) };
    error == 0
}

/// Returns `resize(size: int) -> int` of Array or of a packed array; its signature is the same since 4.0.
pub(super) fn resize_of(ty: VariantType) -> Option<Method> {
    pointer(ty, &names::RESIZE, 848_867_239)
}

/// Returns the pointer to a method, if it exists with this signature. The engine prints, once, if the method
/// has another one.
fn pointer(ty: VariantType, name: &StringName, hash: i64) -> Option<Method> {
    if !has(ty, name) {
        return None;
    }
    // SAFETY: interface call with a live name; the engine returns null where type, name and hash do not fit
    // together.
    quietly(|| unsafe {
        interface_fn!(variant_get_ptr_builtin_method)(ty.id().into(), name.string_sys(), hash)
    })
}

/// Tells whether values of a type have a method of this name.
fn has(ty: VariantType, name: &StringName) -> bool {
    if pretend::lacks(ty.name()) || pretend::lacks(&format!("{}.{name}", ty.name())) {
        return false;
    }
    let (mut value, mut error) = (Variant::nil(), sys::default_call_error());
    // SAFETY: interface calls. `value` is null before, which owns nothing, and a live Variant afterwards,
    // whatever the engine returns.
    unsafe {
        let place = SysPtr::as_uninit(value.var_sys_mut());
        interface_fn!(variant_construct)(ty.id().into(), place, std::ptr::null(), 0, &raw mut error);
        interface_fn!(variant_has_method)(value.var_sys(), name.string_sys()) != 0
    }
}

pub(super) static ARRAY_RESIZE: Lazy<Option<Method>> = Lazy::new(|| resize_of(VariantType::Array));

/// Defines a static for each method: its type, its name, and the hash of its signature in the engine's list.
macro_rules! methods {
    ($($(#[$signature:meta])* $method:ident: $ty:ident, $name:ident, $hash:literal;)*) => {$(
        $(#[$signature])*
        pub(super) static $method: Lazy<Option<Method>> =
            Lazy::new(|| pointer(VariantType::$ty, &names::$name, $hash));
    )*};
}

methods! {
    /// `get_typed_builtin() -> int`
    ARRAY_TYPE: Array, GET_TYPED_BUILTIN, 3_173_160_232;
    /// `is_read_only() -> bool`
    ARRAY_READ_ONLY: Array, IS_READ_ONLY, 3_918_633_141;
    /// `duplicate(deep: bool) -> Dictionary`
    DICTIONARY_DUPLICATE: Dictionary, DUPLICATE, 830_099_069;
    /// `is_read_only() -> bool`
    DICTIONARY_READ_ONLY: Dictionary, IS_READ_ONLY, 3_918_633_141;
    /// `is_typed() -> bool`, 4.4
    DICTIONARY_IS_TYPED: Dictionary, IS_TYPED, 3_918_633_141;
    /// `get_typed_key_builtin() -> int`, 4.4
    DICTIONARY_KEY_TYPE: Dictionary, GET_TYPED_KEY_BUILTIN, 3_173_160_232;
    /// `get_typed_value_builtin() -> int`, 4.4
    DICTIONARY_VALUE_TYPE: Dictionary, GET_TYPED_VALUE_BUILTIN, 3_173_160_232;
    /// `assign(dictionary: Dictionary)`, 4.4
    DICTIONARY_ASSIGN: Dictionary, ASSIGN, 3_642_266_950;
    /// `decode_var(byte_offset: int, allow_objects: bool) -> Variant`
    BYTES_DECODE_VAR: PackedByteArray, DECODE_VAR, 1_740_420_038;
}
