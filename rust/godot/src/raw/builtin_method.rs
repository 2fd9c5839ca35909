//! Methods of builtin types through the engine's own pointers to them: no name is looked up at a call. All that are called
//! so stand in one table.
//!
//! Each has its plain twin, for engines that do not give the pointer. No engine prints for being asked: it is first asked
//! whether it has a method of the name, which is no fault where it has none.

use godot::builtin::{AnyArray, AnyDictionary, StringName, Variant};
use godot::meta::ToGodot;
use godot::sys::{self, GodotFfi, SysPtr, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::pretend;
use crate::names;
use crate::quiet::quietly;

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
        return knows_typed_dictionaries() && by_name();
    };
    let mut answer = false;
    // SAFETY: the pointer is that of a method with this signature, which its hash vouches for: a live dictionary, which a
    // const method leaves alone; no arguments; a place for one bool.
    unsafe {
        method(sys::SysPtr::force_mut(dictionary.sys()), std::ptr::null(), (&raw mut answer).cast(), 0);
    }
    answer
}

/// Whether this engine has typed dictionaries: told by a method that came with them, since a version's number says little
/// of an engine that somebody built.
#[must_use]
pub(crate) fn knows_typed_dictionaries() -> bool {
    static KNOWS: Lazy<bool> = Lazy::new(|| has(VariantType::Dictionary, &names::IS_TYPED));
    *KNOWS
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

/// The pointer to a method, if it is there with this signature. Of one with another signature an engine says so, once.
fn pointer(ty: VariantType, name: &StringName, hash: i64) -> Option<Method> {
    if !has(ty, name) {
        return None;
    }
    // SAFETY: interface call with a live name; it answers null where type, name and hash do not go together.
    quietly(|| unsafe {
        interface_fn!(variant_get_ptr_builtin_method)(ty.id().into(), name.string_sys(), hash)
    })
}

/// Whether values of a type have a method of this name.
fn has(ty: VariantType, name: &StringName) -> bool {
    if pretend::lacks(ty.name()) || pretend::lacks(&format!("{}.{name}", ty.name())) {
        return false;
    }
    let (mut value, mut error) = (Variant::nil(), sys::default_call_error());
    // SAFETY: interface calls; `value` is a null, which owns nothing, and a living Variant afterwards, whatever is answered.
    unsafe {
        let place = SysPtr::as_uninit(value.var_sys_mut());
        interface_fn!(variant_construct)(ty.id().into(), place, std::ptr::null(), 0, &raw mut error);
        interface_fn!(variant_has_method)(value.var_sys(), name.string_sys()) != 0
    }
}

pub(super) static ARRAY_RESIZE: Lazy<Option<Method>> = Lazy::new(|| resize_of(VariantType::Array));
pub(super) static BYTES_RESIZE: Lazy<Option<Method>> = Lazy::new(|| resize_of(VariantType::PackedByteArray));

/// A static for each method: its type, its name, the hash of its signature as the engine lists it.
macro_rules! methods {
    ($($(#[$signature:meta])* $method:ident: $ty:ident, $name:ident, $hash:literal;)*) => {$(
        $(#[$signature])*
        pub(super) static $method: Lazy<Option<Method>> =
            Lazy::new(|| pointer(VariantType::$ty, &names::$name, $hash));
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
