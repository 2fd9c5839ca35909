//! Reads and sets properties of objects, and tells which objects and scripts they are, through the Variants that hold them.
//! These are the engine's own functions for names, without the lookups and the checks that a `Gd` makes at each call.

use std::ptr;

use godot::builtin::{StringName, Variant};
use godot::classes::Object;
use godot::obj::Gd;
use godot::sys::{self, GodotFfi, SysPtr, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::layout::{PAYLOAD, proven, read};
use super::pretend;
use super::variant::type_of;
use crate::engine::quiet::quietly;

/// Returns a property of an object, as `Object.get` does; null where there is none.
pub(crate) fn property(object: &Variant, name: &StringName) -> Variant {
    // Each where it stays: a processor waits for a Variant that is moved at once.
    let mut value = Variant::nil();
    let mut is_there = 0;
    // SAFETY: interface call with a live Variant and name. `value` is nil, which owns nothing, and a live Variant afterwards,
    // whatever the engine returns.
    unsafe {
        let place = SysPtr::as_uninit(value.var_sys_mut());
        interface_fn!(variant_get_named)(object.var_sys(), name.string_sys(), place, &raw mut is_there);
    }
    // For an object that is gone the engine returns a text.
    if is_there == 0 {
        value = Variant::nil();
    }
    value
}

/// Sets a property of an object, as `Object.set` does. False: there is no such property, or no such object any more.
pub(crate) fn set_property(object: &Variant, name: &StringName, value: &Variant) -> bool {
    let mut is_set = 0;
    // SAFETY: interface call with live Variants and a name. Only the object changes, not the Variant that holds it.
    unsafe {
        let object = SysPtr::force_mut(object.var_sys());
        interface_fn!(variant_set_named)(object, name.string_sys(), value.var_sys(), &raw mut is_set);
    }
    is_set != 0
}

/// Calls a method without arguments and returns what it gave; `None` where there is no such method, or no such object any
/// more. `Variant::call` panics then.
pub(crate) fn called(object: &Variant, method: &StringName) -> Option<Variant> {
    let mut error = sys::default_call_error();
    let mut answer = Variant::nil();
    // SAFETY: interface call on a live Variant, whose object may be gone, which the engine tells; no arguments are passed.
    // `answer` is nil, which owns nothing, so overwriting it leaks nothing; on failure the engine leaves a valid Variant in it.
    unsafe {
        interface_fn!(variant_call)(
            SysPtr::force_mut(object.var_sys()),
            method.string_sys(),
            ptr::null(),
            0,
            SysPtr::as_uninit(answer.var_sys_mut()),
            &raw mut error,
        );
    }
    (error.error == sys::GDEXTENSION_CALL_OK).then_some(answer)
}

/// Calls a method without arguments. False: there is none, or no such object any more.
pub(crate) fn call(object: &Variant, method: &StringName) -> bool {
    called(object, method).is_some()
}

/// Returns the instance id of the object that a Variant holds, alive or not; 0 for null, and for an object that is gone where
/// memory is not read.
#[inline]
pub(crate) fn id_of(object: &Variant) -> i64 {
    if type_of(object) != VariantType::Object {
        return 0;
    }
    if proven().is_some_and(|layout| layout.object_ids) {
        // SAFETY: the probe has seen that the payload of a Variant with an object begins with its id, alive or not.
        return unsafe { read(object.var_sys().cast::<u8>().add(PAYLOAD)) };
    }
    object.try_to::<Gd<Object>>().map_or(0, |object| object.instance_id().to_i64())
}

/// Tells whether there is an object with this id.
pub(crate) fn is_alive(id: i64) -> bool {
    id != 0 && !of_id(id).is_null()
}

/// Returns the instance id of the script of the object with this id; 0 where it has none.
pub(crate) fn script_of(id: i64) -> i64 {
    let object = if id == 0 { ptr::null_mut() } else { of_id(id) };
    if object.is_null() {
        return 0;
    }
    let Some(method) = *GET_SCRIPT else { return script_by_name(id) };
    let mut script = Variant::nil();
    // SAFETY: the method has this signature, which its hash proves: no arguments, and a place for a Variant, which is a live
    // one. The object was alive just now, and nothing runs in between; the engine's rule is that other threads leave it alone.
    unsafe {
        interface_fn!(object_method_bind_ptrcall)(method.0, object, ptr::null(), script.sys_mut());
    }
    id_of(&script)
}

fn script_by_name(id: i64) -> i64 {
    let id = godot::obj::InstanceId::try_from_i64(id);
    let object = id.and_then(|id| Gd::<Object>::try_from_instance_id(id).ok());
    object.and_then(|object| object.get_script()).map_or(0, |script| script.instance_id().to_i64())
}

fn of_id(id: i64) -> sys::GDExtensionObjectPtr {
    // SAFETY: interface call; the engine returns null for an id that no object has.
    unsafe { interface_fn!(object_get_instance_from_id)(id.cast_unsigned()) }
}

/// A method of a class of the engine.
#[derive(Clone, Copy)]
struct Bind(sys::GDExtensionMethodBindPtr);

// SAFETY: Engine contract: method binds live as long as the engine and never change.
unsafe impl Send for Bind {}
// SAFETY: as above.
unsafe impl Sync for Bind {}

/// `Object.get_script() -> Variant`. Engines that do not know it with this signature are asked by gdext.
static GET_SCRIPT: Lazy<Option<Bind>> = Lazy::new(|| {
    if pretend::lacks("Object.get_script") {
        return None;
    }
    let (class, method) = (StringName::from("Object"), StringName::from("get_script"));
    let hash = 1_214_101_251;
    // SAFETY: interface call with live names; the engine returns null where name and hash do not fit together.
    let bind = quietly(|| unsafe {
        interface_fn!(classdb_get_method_bind)(class.string_sys(), method.string_sys(), hash)
    });
    (!bind.is_null()).then_some(Bind(bind))
});
