//! Makes the official calls whose answers the probes compare memory with, all in one place. Each can be pretended to
//! answer null (`pretend.rs`), which is no answer here. It judges nothing.

use godot::builtin::{
    GString, PackedByteArray, PackedVector3Array, StringName, VarArray, VarDictionary, Variant,
};
use godot::global::bytes_to_var;
use godot::meta::{FromGodot, ToGodot};
use godot::sys::{GodotFfi, interface_fn};

use super::super::pretend::lacks;

/// A Variant of a value; nil where there is no answer.
pub(super) fn variant<T: ToGodot>(value: &T) -> Variant {
    if lacks("to_variant") { Variant::nil() } else { value.to_variant() }
}

/// Returns what the engine reads from a Variant.
pub(super) fn value<T: FromGodot>(variant: &Variant) -> Option<T> {
    if lacks("from_variant") { None } else { variant.try_to().ok() }
}

/// Returns what the engine reads from bytes; nil where it does not know their form. It prints then, so that
/// only forms are asked for which it knows.
pub(super) fn from_bytes(bytes: &[u8]) -> Variant {
    if lacks("bytes_to_var") { Variant::nil() } else { bytes_to_var(&PackedByteArray::from(bytes)) }
}

/// Where an element of an Array lies.
pub(super) fn element(array: &VarArray, index: i64) -> Option<*const u8> {
    // SAFETY: interface call on a live array; null past its end.
    let ask = || unsafe { interface_fn!(array_operator_index_const)(array.sys(), index) };
    if lacks("array_operator_index_const") { None } else { found(ask()) }
}

/// Where the value of a key lies that is there.
pub(super) fn entry(dictionary: &VarDictionary, key: &Variant) -> Option<*const u8> {
    // SAFETY: interface call on a live dictionary and key.
    let ask = || unsafe { interface_fn!(dictionary_operator_index_const)(dictionary.sys(), key.var_sys()) };
    if lacks("dictionary_operator_index_const") { None } else { found(ask()) }
}

/// Where the first character of a text lies that is not empty.
pub(super) fn character(text: &GString) -> Option<*const u8> {
    // SAFETY: interface call on a live text that is not empty.
    let ask = || unsafe { interface_fn!(string_operator_index_const)(text.string_sys(), 0) };
    if lacks("string_operator_index_const") { None } else { found(ask()) }
}

/// Where the first of bytes lies.
pub(super) fn first_byte(array: &PackedByteArray) -> Option<*const u8> {
    // SAFETY: interface call on a live array that is not empty.
    let ask = || unsafe { interface_fn!(packed_byte_array_operator_index_const)(array.sys(), 0) };
    if lacks("packed_byte_array_operator_index_const") { None } else { found(ask()) }
}

/// Where the first of vectors lies.
pub(super) fn first_vector(array: &PackedVector3Array) -> Option<*const u8> {
    // SAFETY: interface call on a live array that is not empty.
    let ask = || unsafe { interface_fn!(packed_vector3_array_operator_index_const)(array.sys(), 0) };
    if lacks("packed_vector3_array_operator_index_const") { None } else { found(ask()) }
}

/// The text of a name; empty where there is no answer.
pub(super) fn text_of(name: &StringName) -> GString {
    if lacks("string_from_string_name") { GString::new() } else { GString::from(name) }
}

/// Makes a new, empty array one of this builtin type.
pub(super) fn set_typed(array: &mut VarArray, ty: u8) {
    if lacks("array_set_typed") {
        return;
    }
    let (class, no_script) = (StringName::default(), Variant::nil());
    // SAFETY: interface call on live builtins; the array is new, empty, untyped and ours alone.
    unsafe {
        interface_fn!(array_set_typed)(
            array.sys_mut(),
            u32::from(ty).cast_signed(),
            class.string_sys(),
            no_script.var_sys(),
        );
    }
}

/// An address that is one.
fn found<T>(address: *const T) -> Option<*const u8> {
    (!address.is_null()).then_some(address.cast())
}
