//! Answers reads of properties that scripts read so often that the engine's path to them counts.
//!
//! `object.property` of an extension's class first asks the class, and then looks for the property in
//! ClassDB, behind a lock and in two tables. gdext has a hook for the first step (`on_get`), which takes
//! longer than the second. So our function is inserted where gdext describes our classes to the engine: gdext
//! gets the function that registers a class from us (`class_methods.rs` has three others). If gdext should use
//! another function for that, nothing is inserted, and ClassDB is asked as usual.

use std::ffi::{CStr, c_char};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use godot::builtin::{StringName, Variant};
use godot::obj::GodotClass;
use godot::sys;
use once_cell::sync::OnceCell;
use variant_core::Trick;

use self::of_interface::{Info, REGISTER, Register};
use super::class_methods;
use super::instance::{self, Anchor};
use crate::engine::names::Name;

/// Marks a class that has such a property.
pub(crate) trait HasGetter: GodotClass {
    type State: 'static;
    /// The name of the property. It is also registered like every other, with a getter that returns the same
    /// value.
    const PROPERTY: &'static Name;
    fn anchor(&self) -> &Anchor<Self::State>;
    /// Puts the value in the place of a null.
    fn get(state: &Self::State, answer: &mut Variant);
}

/// The getter of a class.
pub(crate) struct Getter {
    is_of: unsafe fn(sys::GDExtensionConstStringNamePtr) -> bool,
    get: sys::GDExtensionClassGet,
}

impl Getter {
    pub(crate) const fn of<T: HasGetter>() -> Getter {
        Getter { is_of: is_class::<T>, get: Some(get::<T>) }
    }
}

/// Says which classes have a getter. It has to be called before the classes are registered.
pub(crate) fn offer(getters: &'static [Getter]) {
    OFFERED.get_or_init(|| getters);
}

/// Holds the names that gdext uses with the interface of 4.3.
#[cfg(feature = "api-4-3")]
mod of_interface {
    use std::ffi::CStr;

    use godot::sys;

    pub(super) type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClass3;
    pub(super) type Info = sys::GDExtensionClassCreationInfo3;
    pub(super) const REGISTER: &CStr = c"classdb_register_extension_class3";
}

/// Holds the names for the interface of a newer engine, which builds for double precision need.
#[cfg(not(feature = "api-4-3"))]
mod of_interface {
    use std::ffi::CStr;

    use godot::sys;

    pub(super) type Register = sys::GDExtensionInterfaceClassdbRegisterExtensionClass4;
    pub(super) type Info = sys::GDExtensionClassCreationInfo4;
    pub(super) const REGISTER: &CStr = c"classdb_register_extension_class4";
}

/// The engine's function that finds all others.
static FIND: OnceCell<sys::GDExtensionInterfaceGetProcAddress> = OnceCell::new();
static ORIGINAL: OnceCell<Register> = OnceCell::new();
/// The classes with a getter, if they were offered in time.
static OFFERED: OnceCell<&'static [Getter]> = OnceCell::new();
/// The number of classes that have it.
static COUNT: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" {
    /// The entry point that gdext makes for `lib.rs`.
    fn variant_stream_init_by_gdext(
        find: sys::GDExtensionInterfaceGetProcAddress,
        library: sys::GDExtensionClassLibraryPtr,
        init: *mut sys::GDExtensionInitialization,
    ) -> sys::GDExtensionBool;
}

/// Starts the library: it calls gdext's own entry point, with our function among the engine's. A process has
/// one engine, so a library that is loaded again finds the same functions.
///
/// # Safety
/// Only the engine calls it.
#[unsafe(no_mangle)]
unsafe extern "C" fn variant_stream_init(
    find: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    init: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    #[cfg(feature = "ablate")]
    crate::ablation::read();
    FIND.get_or_init(|| find);
    // SAFETY: the caller's promise; `found` returns the functions that the engine's own `find` returns, or ours in their place.
    unsafe { variant_stream_init_by_gdext(Some(found), library, init) }
}

/// Tells whether all classes with a getter have it.
pub(crate) fn are_in() -> bool {
    OFFERED.get().is_some_and(|offered| COUNT.load(Ordering::Relaxed) == offered.len())
}

/// # Safety
/// Only gdext calls it, with the name of a function.
unsafe extern "C" fn found(name: *const c_char) -> sys::GDExtensionInterfaceFunctionPtr {
    let find = (*FIND.get()?)?;
    // SAFETY: the caller's promise; the engine returns the function of this name and no other.
    unsafe {
        let function = find(name)?;
        let name = CStr::from_ptr(name);
        if name != REGISTER {
            return Some(class_methods::in_place_of(name, function));
        }
        ORIGINAL.get_or_init(|| mem::transmute::<unsafe extern "C" fn(), Register>(function));
        Some(mem::transmute::<Register, unsafe extern "C" fn()>(register))
    }
}

/// # Safety
/// The caller's promise is that of the engine's function of this name.
unsafe extern "C" fn register(
    library: sys::GDExtensionClassLibraryPtr,
    class: sys::GDExtensionConstStringNamePtr,
    parent: sys::GDExtensionConstStringNamePtr,
    info: *const Info,
) {
    let Some(original) = ORIGINAL.get() else { return };
    // SAFETY: by the caller's promise the names are live and the record is complete; the engine copies it.
    unsafe {
        let mut info = *info;
        if info.get_func.is_none() {
            info.get_func = getter_of(class).filter(|_| !Trick::Getters.is_off());
            COUNT.fetch_add(usize::from(info.get_func.is_some()), Ordering::Relaxed);
        }
        original(library, class, parent, &raw const info);
    }
}

/// # Safety
/// `class` is the name of a class, and live.
unsafe fn getter_of(class: sys::GDExtensionConstStringNamePtr) -> sys::GDExtensionClassGet {
    // SAFETY: the caller's promise.
    OFFERED.get()?.iter().find(|getter| unsafe { (getter.is_of)(class) })?.get
}

/// # Safety
/// The caller's promise is that of [`getter_of`].
unsafe fn is_class<T: GodotClass>(class: sys::GDExtensionConstStringNamePtr) -> bool {
    // SAFETY: the caller's promise.
    unsafe { address(&T::class_id().to_string_name()) == address_at(class) }
}

/// Puts the value of the property at `answer` and returns true, if `name` is its name.
///
/// # Safety
/// Only the engine calls it, with an object of class `T`, a name, and a null for the answer.
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

/// Returns the address of an interned name: equal names have the same address, others have different ones.
fn address(name: &StringName) -> usize {
    const { assert!(size_of::<StringName>() == size_of::<usize>()) }
    // SAFETY: Layout: a StringName is a pointer to its interned data; it is read and not followed.
    unsafe { address_at(ptr::from_ref(name).cast()) }
}

/// # Safety
/// The caller's promise is that of [`getter_of`].
unsafe fn address_at(name: sys::GDExtensionConstStringNamePtr) -> usize {
    // SAFETY: the caller's promise, and the layout is as in `address`.
    unsafe { name.cast::<usize>().read() }
}
