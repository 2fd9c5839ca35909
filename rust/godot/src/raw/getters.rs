//! Getters: properties that scripts read so often that the engine's way to them counts.
//!
//! `object.property` of an extension's class first asks the class, and then looks for the property in ClassDB, behind a lock
//! and in two tables. gdext has a way to answer (`on_get`), which takes longer than that. So our answer is put
//! in where gdext tells the engine about our classes; the function that it does that with is the only one of the engine's
//! that it gets from us. Where gdext should use another one, nothing is put in, and ClassDB is asked as ever.

use std::ffi::{CStr, c_char};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use godot::builtin::{StringName, Variant};
use godot::obj::GodotClass;
use godot::sys;
use once_cell::sync::OnceCell;

use self::of_interface::{Info, REGISTER, Register};
use super::instance::{self, Anchor};
use crate::api::{VariantCodec, VariantReader};
use crate::names::Name;

/// A class with such a property.
pub(crate) trait HasGetter: GodotClass {
    type State: 'static;
    /// The property. It is registered as every other, with a getter that gives the same.
    const PROPERTY: &'static Name;
    fn anchor(&self) -> &Anchor<Self::State>;
    /// Puts its value in the place of a null.
    fn get(state: &Self::State, answer: &mut Variant);
}

/// What gdext uses for the interface of 4.3.
#[cfg(feature = "api-4-3")]
mod of_interface {
    use std::ffi::CStr;

    use godot::sys;

    pub(super) type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClass3;
    pub(super) type Info = sys::GDExtensionClassCreationInfo3;
    pub(super) const REGISTER: &CStr = c"classdb_register_extension_class3";
}

/// The same for that of a newer engine, which builds for double precision ask for.
#[cfg(not(feature = "api-4-3"))]
mod of_interface {
    use std::ffi::CStr;

    use godot::sys;

    pub(super) type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClass4;
    pub(super) type Info = sys::GDExtensionClassCreationInfo4;
    pub(super) const REGISTER: &CStr = c"classdb_register_extension_class4";
}

/// The engine's functions.
static FIND: OnceCell<sys::GDExtensionInterfaceGetProcAddress> = OnceCell::new();
static ORIGINAL: OnceCell<Register> = OnceCell::new();
/// Of [`getter_of`].
const CLASSES: usize = 2;
static COUNT: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    /// The entry point that gdext makes for `lib.rs`.
    fn variant_stream_init_by_gdext(
        find: sys::GDExtensionInterfaceGetProcAddress,
        library: sys::GDExtensionClassLibraryPtr,
        init: *mut sys::GDExtensionInitialization,
    ) -> sys::GDExtensionBool;
}

/// What the engine calls first: gdext's own entry point, with the engine's functions and ours among them. There is one engine
/// in a process: a library that is loaded again finds the same.
///
/// # Safety
/// Only for the engine.
#[unsafe(no_mangle)]
unsafe extern "C" fn variant_stream_init(
    find: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    init: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    FIND.get_or_init(|| find);
    // SAFETY: the caller's promise; `found` finds what the engine's own function does.
    unsafe { variant_stream_init_by_gdext(Some(found), library, init) }
}

/// Whether all classes with a getter have it.
pub(crate) fn are_in() -> bool {
    COUNT.load(Ordering::Relaxed) == CLASSES
}

/// # Safety
/// Only for gdext, with the name of a function.
unsafe extern "C" fn found(name: *const c_char) -> sys::GDExtensionInterfaceFunctionPtr {
    let find = (*FIND.get()?)?;
    // SAFETY: the caller's promise; the engine gives the function of this name and no other.
    unsafe {
        let function = find(name)?;
        if CStr::from_ptr(name) != REGISTER {
            return Some(function);
        }
        ORIGINAL.get_or_init(|| mem::transmute::<unsafe extern "C" fn(), Register>(function));
        Some(mem::transmute::<Register, unsafe extern "C" fn()>(register))
    }
}

/// # Safety
/// As the engine's function of that name.
unsafe extern "C" fn register(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    parent: sys::GDExtensionConstStringNamePtr,
    info: *const Info,
) {
    let Some(original) = ORIGINAL.get() else { return };
    // SAFETY: the caller's promise: names that live, and a whole record, which the engine copies.
    unsafe {
        let mut info = *info;
        if info.get_func.is_none() {
            info.get_func = getter_of(class);
            COUNT.fetch_add(usize::from(info.get_func.is_some()), Ordering::Relaxed);
        }
        original(library, class, parent, &raw const info);
    }
}

/// # Safety
/// The name of a class that lives.
unsafe fn getter_of(class: sys::GDExtensionConstStringNamePtr) -> sys::GDExtensionClassGet {
    // SAFETY: the caller's promise.
    unsafe {
        if is_class::<VariantCodec>(class) {
            Some(get::<VariantCodec>)
        } else if is_class::<VariantReader>(class) {
            Some(get::<VariantReader>)
        } else {
            None
        }
    }
}

/// # Safety
/// As [`getter_of`].
unsafe fn is_class<T: GodotClass>(class: sys::GDExtensionConstStringNamePtr) -> bool {
    // SAFETY: the caller's promise.
    unsafe { address(&T::class_id().to_string_name()) == address_at(class) }
}

/// Whether it is the property; then its value lies at `answer`.
///
/// # Safety
/// Only for the engine, with an object of class `T`, a name, and a null for the answer.
unsafe extern "C" fn get<T: HasGetter>(
    instance: sys::GDExtensionClassInstancePtr,
    name: sys::GDExtensionConstStringNamePtr,
    answer: sys::GDExtensionVariantPtr,
) -> sys::GDExtensionBool {
    // SAFETY: the caller's promise. Alive: the state outlives this call.
    let is_got = unsafe {
        address_at(name) == address(T::PROPERTY) && {
            let got = catch_unwind(AssertUnwindSafe(|| {
                T::get(instance::find(instance, T::anchor), &mut *answer.cast::<Variant>());
            }));
            got.is_ok()
        }
    };
    is_got.into()
}

/// Equal names have one, different ones two, since names are interned.
fn address(name: &StringName) -> usize {
    const { assert!(size_of::<StringName>() == size_of::<usize>()) }
    // SAFETY: Layout: a StringName is one pointer, to what is interned; it is read and not followed.
    unsafe { address_at(ptr::from_ref(name).cast()) }
}

/// # Safety
/// As [`getter_of`].
unsafe fn address_at(name: sys::GDExtensionConstStringNamePtr) -> usize {
    // SAFETY: the caller's promise, and as for `address`.
    unsafe { name.cast::<usize>().read() }
}
