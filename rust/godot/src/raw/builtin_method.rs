//! Methods of builtin types through the engine's own pointers to them: no name is looked up at a call.
//!
//! Each has its plain twin, a call by name, for engines that do not give the pointer.

use godot::builtin::{AnyArray, AnyDictionary, StringName};
use godot::meta::ToGodot;
use godot::sys::{self, GdextBuild, GodotFfi, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use crate::names::{IS_TYPED, RESIZE};

/// `Array.resize(size: int) -> int`, the same since 4.0.
static ARRAY_RESIZE: Lazy<sys::GDExtensionPtrBuiltInMethod> =
    Lazy::new(|| pointer(VariantType::Array, &RESIZE, 848_867_239));
/// `Dictionary.is_typed() -> bool`, since 4.4.
pub(super) static DICTIONARY_IS_TYPED: Lazy<sys::GDExtensionPtrBuiltInMethod> = Lazy::new(|| {
    if GdextBuild::before_api("4.4") {
        return None;
    }
    pointer(VariantType::Dictionary, &IS_TYPED, 3_918_633_141)
});

/// Makes an array this long. New elements are null, or the default of the array's type.
pub(crate) fn resize(array: &mut AnyArray, size: usize) {
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let Some(method) = *ARRAY_RESIZE else {
        array.to_variant().call(&*RESIZE, &[size.to_variant()]);
        return;
    };
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    let mut error: i64 = 0;
    // SAFETY: the pointer is that of a method with this signature, which its hash vouches for: a live array, one
    // int, a place for one int.
    unsafe { method(array.sys_mut(), arguments.as_ptr(), (&raw mut error).cast(), 1) };
}

/// Whether a dictionary declares a type for its keys or values. Engines before 4.4 know no such thing.
#[must_use]
pub(crate) fn is_typed(dictionary: &AnyDictionary) -> bool {
    let Some(method) = *DICTIONARY_IS_TYPED else {
        return GdextBuild::since_api("4.4") && dictionary.to_variant().call(&*IS_TYPED, &[]).booleanize();
    };
    let mut answer = false;
    // SAFETY: as above: a live dictionary, which a const method leaves alone; no arguments; a place for one bool.
    unsafe {
        method(sys::SysPtr::force_mut(dictionary.sys()), std::ptr::null(), (&raw mut answer).cast(), 0);
    }
    answer
}

/// The pointer to a method, if it is there with this signature.
pub(super) fn pointer(ty: VariantType, name: &StringName, hash: i64) -> sys::GDExtensionPtrBuiltInMethod {
    // SAFETY: interface call with a live name; it answers null where type, name and hash do not go together.
    unsafe { interface_fn!(variant_get_ptr_builtin_method)(ty.id().into(), name.string_sys(), hash) }
}
