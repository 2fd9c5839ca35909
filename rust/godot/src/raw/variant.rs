//! Inspects and converts Variants through the interface functions that gdext does not export.

use godot::builtin::{AnyArray, AnyDictionary, Callable, Variant};
use godot::meta::ToGodot;
use godot::obj::InstanceId;
use godot::sys::{self, GodotFfi, SysPtr, interface_fn};
use variant_core::VariantType;

use crate::engine::names::CALL;

use super::layout::{proven, word_at};

/// Returns the Variant's own type tag: a null object is `Object` here, as in the engine.
#[must_use]
#[inline]
pub(crate) fn type_of(variant: &Variant) -> VariantType {
    // SAFETY: a Variant has the number of its type in its first word, where that is proven; else it is an
    // interface call. `variant` is live.
    let id = unsafe {
        match proven() {
            Some(_) => word_at(variant.var_sys().cast()),
            None => interface_fn!(variant_get_type)(variant.var_sys()).cast_unsigned(),
        }
    };
    u8::try_from(id).ok().and_then(VariantType::from_id).unwrap_or(VariantType::Nil)
}

/// Tells whether it is an Array or a Dictionary.
#[must_use]
pub(crate) fn is_container(variant: &Variant) -> bool {
    matches!(type_of(variant), VariantType::Array | VariantType::Dictionary)
}

/// Returns `type(from)` by the engine's own constructor, which typed containers apply to their elements;
/// `None` when there is no such constructor.
#[must_use]
pub(crate) fn convert(ty: VariantType, from: &Variant) -> Option<Variant> {
    constructed(ty, [from])
}

/// Returns what the engine's own constructor makes of some arguments; `None` when there is no such constructor.
#[must_use]
pub(crate) fn constructed<const N: usize>(ty: VariantType, arguments: [&Variant; N]) -> Option<Variant> {
    let mut error = sys::default_call_error();
    let arguments = arguments.map(Variant::var_sys);
    let mut result = Variant::nil();
    // SAFETY: interface call. `result` is nil, which owns nothing, so overwriting it leaks nothing; `N` live
    // arguments are passed and counted. On failure the engine leaves a valid Variant (nil) in the result.
    unsafe {
        interface_fn!(variant_construct)(
            ty.id().into(),
            SysPtr::as_uninit(result.var_sys_mut()),
            arguments.as_ptr(),
            i32::try_from(N).unwrap_or(i32::MAX),
            &raw mut error,
        );
    }
    (error.error == sys::GDEXTENSION_CALL_OK).then_some(result)
}

/// Says why the engine did not call a Callable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotCalled {
    /// It takes this number of arguments.
    Takes(i32),
    /// It takes an argument of another type.
    OfType,
    /// There is no such object or method.
    Otherwise,
}

/// Calls a Callable with one argument.
pub(crate) fn call_with(callable: &Callable, argument: &Variant) -> Result<Variant, NotCalled> {
    call_all(callable, [argument])
}

/// Calls a Callable with some arguments. `Callable::call` returns null both for a null result and for a failed
/// call.
pub(crate) fn call_all<const N: usize>(
    callable: &Callable,
    arguments: [&Variant; N],
) -> Result<Variant, NotCalled> {
    CallTarget::from(callable).call(arguments)
}

/// Holds a Callable for many calls: what each call needs to know of it is looked up once.
pub(crate) struct CallTarget {
    callable: Variant,
    /// The object that has the method; `None` for a method of a value.
    object: Option<InstanceId>,
}

impl From<&Callable> for CallTarget {
    fn from(callable: &Callable) -> CallTarget {
        CallTarget { callable: callable.to_variant(), object: callable.object_id() }
    }
}

impl CallTarget {
    /// Returns the Callable.
    #[cold]
    pub(crate) fn callable(&self) -> Callable {
        self.callable.to()
    }

    /// Calls it with some arguments.
    pub(crate) fn call<const N: usize>(&self, arguments: [&Variant; N]) -> Result<Variant, NotCalled> {
        // Release templates do not look whether the object is there any more: calling a method of it ends the game.
        let is_there = self.object.map_or_else(|| self.callable().is_valid(), InstanceId::lookup_validity);
        if !is_there {
            return Err(NotCalled::Otherwise);
        }
        let mut error = sys::default_call_error();
        let arguments = arguments.map(Variant::var_sys);
        let mut answer = Variant::nil();
        // SAFETY: interface call on a live Variant, which a call through a Callable does not change; `N` live
        // arguments are passed and counted. `answer` is nil, which owns nothing, so overwriting it leaks nothing;
        // on failure the engine leaves a valid Variant (nil) in it.
        unsafe {
            interface_fn!(variant_call)(
                SysPtr::force_mut(self.callable.var_sys()),
                CALL.string_sys(),
                arguments.as_ptr(),
                N as i64,
                SysPtr::as_uninit(answer.var_sys_mut()),
                &raw mut error,
            );
        }
        match error.error {
            sys::GDEXTENSION_CALL_OK => Ok(answer),
            sys::GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS
            | sys::GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS => Err(NotCalled::Takes(error.expected)),
            sys::GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT => Err(NotCalled::OfType),
            _ => Err(NotCalled::Otherwise),
        }
    }
}

/// Returns the identity of an Array or Dictionary: the word of its handle, the address of its shared data.
///
/// It is only compared, never followed. If an engine kept something else in that word, containers would be
/// replaced instead of kept: the result is the same.
#[must_use]
pub(crate) fn identity(container: &Variant) -> usize {
    let word = |handle: *const usize| {
        // SAFETY: Array and Dictionary are builtins with a pointer's size and alignment; the handle is live
        // and read as plain memory.
        unsafe { handle.read() }
    };
    match type_of(container) {
        VariantType::Array => container.try_to::<AnyArray>().map_or(0, |array| word(array.sys().cast())),
        VariantType::Dictionary => {
            container.try_to::<AnyDictionary>().map_or(0, |dictionary| word(dictionary.sys().cast()))
        }
        _ => 0,
    }
}
