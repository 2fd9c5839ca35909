//! Defines methods that the engine calls without gdext in between, and the functions that it calls for them.
//!
//! A `#[func]` takes a lock and checks borrows at each call; such a method does neither. Every argument is a
//! Variant, whatever its declared type, so that a wrong argument gives our error value and no script error.
//! The methods are registered in `register.rs`.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use godot::builtin::{GString, PackedByteArray, VarDictionary, Variant, VariantType};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::{EngineEnum, GodotClass};
use godot::sys::{self, GodotFfi, PtrcallType, SysPtr, interface_fn};

use super::in_place;
use super::instance::{self, Anchor};

/// Describes a class with methods registered by hand.
pub(crate) trait HandRegistered: GodotClass {
    /// The state that its methods work on; `()` where all of them are static.
    type State: 'static;
    /// The source of that state for a call.
    const RECEIVER: Receiver<Self, Self::State>;
    /// The methods that return their result.
    const METHODS: &'static [Method<Self::State>];
    /// The methods that change nothing that a script can see: they are `const` to scripts.
    const QUESTIONS: &'static [Method<Self::State>] = &[];
    /// The methods that games call so often that they make their result in its final place.
    const MAKERS: &'static [Maker<Self::State>] = &[];
}

/// Says where the state of a call comes from.
pub(crate) enum Receiver<T, S: 'static> {
    /// It is a static; the methods are static too.
    Static(&'static S),
    /// It comes from the object.
    Object(fn(&T) -> &Anchor<S>),
}

/// A method that returns its result.
pub(crate) type Method<S> = Row<Run<S>>;
/// A method that makes its result in its final place, which holds nil before. The result has the type that
/// the row declares.
pub(crate) type Maker<S> = Row<Make<S>>;

type Run<S> = fn(&S, &[&Variant]) -> Answer;
type Make<S> = fn(&S, &[&Variant], &mut Variant);

/// Describes a method: a row of a class's table.
pub(crate) struct Row<R> {
    pub(crate) name: &'static str,
    /// The names of the arguments, at most [`MAX_ARGUMENTS`], with the type that scripts see: `"bytes:
    /// PackedByteArray"`, a class, or an enum of a class. Without a type scripts see a Variant. Calls of untyped scripts may
    /// still pass any type. An int behind `=` is what scripts see as the default of one that may be left out:
    /// `"count: int = -1"`.
    pub(crate) arguments: &'static [&'static str],
    /// The number of arguments at the end that may be left out; they come as null.
    pub(crate) optional: usize,
    pub(crate) returns: Returns,
    pub(crate) run: R,
}

/// Runs a [`Run`] or a [`Make`].
pub(super) trait Runs<S>: Copy + 'static {
    /// Runs with all arguments and puts the result into `answer`, which holds nil before.
    fn answer_in_variant(self, state: &S, given: &[&Variant], answer: &mut Variant);

    /// Runs with all arguments and returns the result.
    fn answer(self, returns: Returns, state: &S, given: &[&Variant]) -> Answer;
}

impl<S: 'static> Runs<S> for Run<S> {
    #[inline]
    fn answer_in_variant(self, state: &S, given: &[&Variant], answer: &mut Variant) {
        match self(state, given) {
            Answer::Code(code) => in_place::put_int(i64::from(code.ord()), answer),
            Answer::Truth(is_so) => in_place::put_truth(is_so, answer),
            Answer::Number(number) => in_place::put_int(number, answer),
            other => fill(answer, other.into_variant()),
        }
    }

    #[inline]
    fn answer(self, _: Returns, state: &S, given: &[&Variant]) -> Answer {
        self(state, given)
    }
}

impl<S: 'static> Runs<S> for Make<S> {
    #[inline]
    fn answer_in_variant(self, state: &S, given: &[&Variant], answer: &mut Variant) {
        self(state, given, answer);
    }

    #[inline]
    fn answer(self, returns: Returns, state: &S, given: &[&Variant]) -> Answer {
        let mut made = Variant::nil();
        self(state, given, &mut made);
        match returns {
            Returns::Bytes => made.try_to().map_or_else(|_| returns.failed(), Answer::Bytes),
            _ => Answer::Value(made),
        }
    }
}

/// The largest number of arguments of a method, which is checked when it is registered.
pub(super) const MAX_ARGUMENTS: usize = 4;

/// Selects the type that a method returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Returns {
    /// The method returns a PackedByteArray.
    Bytes,
    /// The method returns a Variant.
    Value,
    /// The method returns the engine's `Error` enum.
    Code,
    /// The method returns a bool.
    Truth,
    /// The method returns an int.
    Number,
    /// The method returns an int with the name of an enum of ours.
    Choice(&'static str),
    /// The method returns a String.
    Text,
    /// The method returns a Dictionary.
    Details,
}

/// Holds the result of a method, which always has the type that its row declares.
pub(crate) enum Answer {
    Bytes(PackedByteArray),
    Value(Variant),
    Code(Error),
    Truth(bool),
    /// Holds an int, or a value of an enum of ours.
    Number(i64),
    Text(GString),
    Details(VarDictionary),
}

impl Returns {
    /// Returns the result of a method that panicked, which is a bug of ours: an empty value, and never OK.
    fn failed(self) -> Answer {
        match self {
            Self::Bytes => Answer::Bytes(PackedByteArray::new()),
            Self::Value => Answer::Value(Variant::nil()),
            Self::Code => Answer::Code(Error::FAILED),
            Self::Truth => Answer::Truth(false),
            Self::Number | Self::Choice(_) => Answer::Number(0),
            Self::Text => Answer::Text(GString::new()),
            Self::Details => Answer::Details(VarDictionary::new()),
        }
    }
}

impl Answer {
    #[inline]
    fn into_variant(self) -> Variant {
        match self {
            Self::Value(value) => value,
            Self::Code(code) => i64::from(code.ord()).to_variant(),
            Self::Truth(is_so) => is_so.to_variant(),
            Self::Number(number) => number.to_variant(),
            Self::Bytes(bytes) => bytes.to_variant(),
            Self::Text(text) => text.to_variant(),
            Self::Details(details) => details.to_variant(),
        }
    }
}

/// Handles calls with any number of Variants: untyped scripts, `Object.call`, and every method with a Variant
/// argument.
///
/// # Safety
/// Only the engine calls it, with the data that `register_method` registered for a class `T`.
pub(super) unsafe extern "C" fn call<T: HandRegistered, R: Runs<T::State>>(
    method: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstVariantPtr,
    count: sys::GDExtensionInt,
    answer: sys::GDExtensionVariantPtr,
    error: *mut sys::GDExtensionCallError,
) {
    // SAFETY: Registered so: the pointer is that of a row of `T`'s tables.
    let method = unsafe { &*method.cast::<Row<R>>() };
    let count = usize::try_from(count).unwrap_or(0);
    let most = method.arguments.len();
    let least = most - method.optional;
    if count > most || count < least {
        let verdict = match count > most {
            true => wrong_count(sys::GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS, most),
            false => wrong_count(sys::GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS, least),
        };
        // SAFETY: Engine contract: there is a place for the error.
        unsafe { *error = verdict };
        return;
    }
    // SAFETY: Engine contract: there are `count` pointers to live Variants, and a new nil for the answer.
    unsafe {
        let arguments = borrow(arguments.cast(), count);
        let answer = &mut *answer.cast::<Variant>();
        let place = &mut *answer;
        let done = guarded::<T, R, _>(method, instance, arguments, move |state, given| {
            method.run.answer_in_variant(state, given, place);
        });
        if done.is_none() {
            *answer = method.returns.failed().into_variant();
        }
    }
    // The other fields of the error count only for another code, and the engine has set them. It reads two
    // numbers at once, which takes some ns if they were written separately.
    // SAFETY: Engine contract: there is a place for the error.
    unsafe { (*error).error = sys::GDEXTENSION_CALL_OK };
}

/// Handles calls with all arguments and a typed place for the answer: typed scripts, other extensions.
///
/// # Safety
/// Only the engine calls it, with the data that `register_method` registered for a class `T`.
pub(super) unsafe extern "C" fn ptrcall<T: HandRegistered, R: Runs<T::State>>(
    method: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    answer: sys::GDExtensionTypePtr,
) {
    // SAFETY: Registered so: the pointer is that of a row of `T`'s tables.
    let method = unsafe { &*method.cast::<Row<R>>() };
    // SAFETY: Registered so: there are as many Variants as the row has arguments, and an initialised place of
    // its type.
    unsafe {
        let arguments = borrow(arguments.cast(), method.arguments.len());
        answer_plainly::<T, R>(method, instance, arguments, answer);
    }
}

/// Handles such calls for a row with a typed argument. It costs an allocation for each PackedByteArray, so a
/// method that games call for each packet has such an argument only beside one of any type: typed scripts
/// then use [`call`].
///
/// # Safety
/// Only the engine calls it, with the data that `register_method` registered for a class `T`.
pub(super) unsafe extern "C" fn ptrcall_typed<T: HandRegistered, R: Runs<T::State>>(
    method: *mut c_void,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    answer: sys::GDExtensionTypePtr,
) {
    // SAFETY: Registered so: the pointer is that of a row of `T`'s tables, and there are one value of each
    // argument's type and an initialised place for the answer.
    unsafe {
        let method = &*method.cast::<Row<R>>();
        // There are at most four; the ones that a row does not use stay nil.
        let mut held: [Variant; MAX_ARGUMENTS] = std::array::from_fn(|_| Variant::nil());
        for (at, argument) in method.arguments.iter().enumerate() {
            let given = *arguments.add(at);
            held[at] = match argument_type(argument) {
                VariantType::PACKED_BYTE_ARRAY => (*given.cast::<PackedByteArray>()).to_variant(),
                VariantType::STRING => (*given.cast::<GString>()).to_variant(),
                VariantType::INT => (*given.cast::<i64>()).to_variant(),
                VariantType::OBJECT => object(given),
                _ => (*given.cast::<Variant>()).clone(),
            };
        }
        let given = held.each_ref();
        answer_plainly::<T, R>(method, instance, &given[..method.arguments.len()], answer);
    }
}

/// Returns the name of an argument of a row.
pub(super) fn argument_name(argument: &str) -> &str {
    argument.split_once([':', ' ']).map_or(argument, |(name, _)| name)
}

/// Returns the default of an argument of a row, as scripts see it.
pub(super) fn argument_default(argument: &str) -> Variant {
    let number = argument.split_once(" = ").and_then(|(_, number)| number.parse::<i64>().ok());
    number.map_or_else(Variant::nil, |number| number.to_variant())
}

/// Returns the type of an argument of a row; nil stands for any type.
pub(super) fn argument_type(argument: &str) -> VariantType {
    match argument_class(argument) {
        "" => VariantType::NIL,
        "PackedByteArray" => VariantType::PACKED_BYTE_ARRAY,
        "String" => VariantType::STRING,
        name if name == "int" || name.contains('.') => VariantType::INT,
        _ => VariantType::OBJECT,
    }
}

/// Returns the type of an argument of a row as scripts write it: that of an enum has a dot. Empty stands for any type.
pub(super) fn argument_class(argument: &str) -> &str {
    let declared = argument.split_once(" = ").map_or(argument, |(declared, _)| declared);
    declared.split_once(": ").map_or("", |(_, class)| class)
}

/// Returns an object that the engine passes to a typed argument, or null.
///
/// # Safety
/// `given` points to the pointer of a living object or to a null pointer, or it is null itself.
unsafe fn object(given: sys::GDExtensionConstTypePtr) -> Variant {
    let mut made = Variant::nil();
    if given.is_null() {
        // So typed scripts pass a variable that holds null.
        return made;
    }
    // SAFETY: interface call with the caller's pointer. `made` is nil, which owns nothing, and a live Variant afterwards.
    unsafe {
        let make = interface_fn!(get_variant_from_type_constructor)(sys::GDEXTENSION_VARIANT_TYPE_OBJECT);
        if let Some(make) = make {
            make(SysPtr::as_uninit(made.var_sys_mut()), SysPtr::force_mut(given));
        }
    }
    made
}

/// Runs with all arguments and puts the result into a typed place.
///
/// # Safety
/// The caller's promise is that of [`ptrcall`].
#[inline]
unsafe fn answer_plainly<T: HandRegistered, R: Runs<T::State>>(
    method: &Row<R>,
    instance: sys::GDExtensionClassInstancePtr,
    arguments: &[&Variant],
    answer: sys::GDExtensionTypePtr,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let answered = guarded::<T, R, _>(method, instance, arguments, |state, given| {
            method.run.answer(method.returns, state, given)
        });
        match answered.unwrap_or_else(|| method.returns.failed()) {
            Answer::Bytes(bytes) => *answer.cast::<PackedByteArray>() = bytes,
            Answer::Value(value) => *answer.cast::<Variant>() = value,
            Answer::Code(code) => *answer.cast::<i64>() = i64::from(code.ord()),
            // The engine's bool has one byte.
            Answer::Truth(is_so) => *answer.cast::<u8>() = u8::from(is_so),
            Answer::Number(number) => *answer.cast::<i64>() = number,
            Answer::Text(text) => text.move_return_ptr(answer, PtrcallType::Standard),
            // gdext's own type is larger than the engine's, so it must not be written there as a whole.
            Answer::Details(details) => details.move_return_ptr(answer, PtrcallType::Standard),
        }
    }
}

/// Runs `work` with the state of a call and all of its arguments. Returns `None` if it panicked, which is a
/// bug of ours: nothing of ours panics on data. The game then goes on, because the engine cannot unwind.
///
/// # Safety
/// `instance` is a living object of class `T`; for a class of static methods it may be anything.
#[inline]
unsafe fn guarded<T: HandRegistered, R, A>(
    method: &Row<R>,
    instance: sys::GDExtensionClassInstancePtr,
    given: &[&Variant],
    work: impl FnOnce(&T::State, &[&Variant]) -> A,
) -> Option<A> {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let state = match T::RECEIVER {
            Receiver::Static(state) => state,
            // SAFETY: the caller's promise. Alive: the state outlives this call.
            Receiver::Object(anchor) => unsafe { instance::find(instance, anchor) },
        };
        if given.len() == method.arguments.len() {
            return work(state, given);
        }
        let null = in_place::null();
        let null = &*null;
        // They are written one by one, because a copy of unknown length would be a call of memcpy.
        let filled: [&Variant; MAX_ARGUMENTS] = match *given {
            [] => [null; 4],
            [first] => [first, null, null, null],
            [first, second] => [first, second, null, null],
            [first, second, third, ..] => [first, second, third, null],
        };
        work(state, &filled[..method.arguments.len()])
    }));
    answer.ok()
}

/// Puts a value in the place of a null, which owns nothing and need not be dropped.
#[inline]
pub(crate) fn fill(place: &mut Variant, value: Variant) {
    std::mem::forget(std::mem::replace(place, value));
}

/// # Safety
/// `arguments` points to `count` pointers to Variants that live for `'a`; it may be null when `count` is 0.
unsafe fn borrow<'a>(arguments: *const *const Variant, count: usize) -> &'a [&'a Variant] {
    if count == 0 {
        return &[];
    }
    // SAFETY: the caller's promise. A Variant is `repr(transparent)` over the engine's, and a reference is a
    // pointer.
    unsafe { slice::from_raw_parts(arguments.cast(), count) }
}

#[cold]
fn wrong_count(error: sys::GDExtensionCallErrorType, expected: usize) -> sys::GDExtensionCallError {
    let expected = i32::try_from(expected).unwrap_or(i32::MAX);
    sys::GDExtensionCallError { error, argument: expected, expected }
}
