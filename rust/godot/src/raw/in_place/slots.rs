//! The addresses of elements, by official calls.

use godot::builtin::{AnyArray, AnyDictionary, VarDictionary, Variant};
use godot::meta::inspect::ElementType;
use godot::obj::EngineEnum;
use godot::sys::{self, GodotFfi, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::super::builtin_method::{is_typed, pointer};
use crate::names::{GET_TYPED_BUILTIN, SIZE};

/// The slot of an array's element. Null past the end.
pub(in super::super) fn array_slot(array: sys::GDExtensionConstTypePtr, index: usize) -> *const u8 {
    let index = i64::try_from(index).unwrap_or(i64::MAX);
    // SAFETY: interface call on a live array.
    unsafe { interface_fn!(array_operator_index_const)(array, index).cast() }
}

/// The slot of a dictionary's value.
pub(in super::super) fn dictionary_slot(dictionary: &VarDictionary, key: &Variant) -> *const u8 {
    // SAFETY: interface call on a live dictionary and key.
    unsafe { interface_fn!(dictionary_operator_index_const)(dictionary.sys(), key.var_sys()).cast() }
}

/// How many elements an array has.
///
/// # Safety
/// `handle` is that of a living Array.
pub(super) unsafe fn array_length(handle: *const u8) -> Option<usize> {
    let method = (*ARRAY_SIZE)?;
    let mut length: i64 = 0;
    // SAFETY: the caller's promise; a const method without arguments, a place for one int.
    unsafe { method(handle.cast_mut().cast(), std::ptr::null(), (&raw mut length).cast(), 0) };
    usize::try_from(length).ok()
}

/// The type an array declares, as its number.
///
/// # Safety
/// `handle` is that of a living Array.
pub(super) unsafe fn element_type(handle: *const u8) -> Option<u32> {
    let method = (*ARRAY_TYPE)?;
    let mut ty: i64 = 0;
    // SAFETY: the caller's promise; a const method without arguments, a place for one int.
    unsafe { method(handle.cast_mut().cast(), std::ptr::null(), (&raw mut ty).cast(), 0) };
    u32::try_from(ty).ok()
}

/// `Array.size() -> int` and `Array.get_typed_builtin() -> int`, the same since 4.0.
static ARRAY_SIZE: Lazy<sys::GDExtensionPtrBuiltInMethod> =
    Lazy::new(|| pointer(VariantType::Array, &SIZE, 3_173_160_232));
static ARRAY_TYPE: Lazy<sys::GDExtensionPtrBuiltInMethod> =
    Lazy::new(|| pointer(VariantType::Array, &GET_TYPED_BUILTIN, 3_173_160_232));

/// A dictionary's keys and values as lists of their own.
#[derive(Debug)]
pub(super) struct Lists {
    keys: AnyArray,
    values: AnyArray,
    pub(super) count: usize,
    pub(super) key_type: u32,
    pub(super) value_type: u32,
}

impl Lists {
    pub(super) fn of(dictionary: &Variant) -> Option<Lists> {
        let dictionary: AnyDictionary = dictionary.try_to().ok()?;
        let (key_type, value_type) = if is_typed(&dictionary) {
            (number(&dictionary.key_element_type()), number(&dictionary.value_element_type()))
        } else {
            (0, 0)
        };
        let (keys, values) = (dictionary.keys_array(), dictionary.values_array());
        let count = keys.len();
        (values.len() == count).then_some(Lists { keys, values, count, key_type, value_type })
    }

    /// The first of each, if there are any.
    pub(super) fn first(&self) -> (*const u8, *const u8) {
        (array_slot(self.keys.sys(), 0), array_slot(self.values.sys(), 0))
    }
}

fn number(ty: &ElementType) -> u32 {
    match ty {
        ElementType::Untyped => 0,
        ElementType::Builtin(ty) => u32::try_from(ty.ord()).unwrap_or(0),
        ElementType::Class(_) | ElementType::ScriptClass(_) => VariantType::Object.id().into(),
    }
}
