//! Simple: nulls, bools and ints as Variants without a call into the engine. The plain twin is `to_variant`.

use std::mem::{ManuallyDrop, MaybeUninit};

use godot::builtin::Variant;
use godot::meta::ToGodot;

use super::super::layout::{PAYLOAD, proven, read, word_at};
use super::bits::{BOOL, FLOAT, INT, NIL};
use super::builder::set;
use super::made;

/// Null. It owns nothing, so that it need not be let go.
#[inline(always)]
pub(crate) fn null() -> ManuallyDrop<Variant> {
    ManuallyDrop::new(made(NIL, 0).unwrap_or_else(Variant::nil))
}

#[inline(always)]
pub(crate) fn int(number: i64) -> Variant {
    made(INT, number.cast_unsigned()).unwrap_or_else(|| number.to_variant())
}

#[inline(always)]
pub(crate) fn truth(is_so: bool) -> Variant {
    made(BOOL, is_so.into()).unwrap_or_else(|| is_so.to_variant())
}

/// A copy in the place of a null.
#[inline]
pub(crate) fn copy(value: &Variant, place: &mut Variant) {
    // SAFETY: a null owns nothing and may be written over. What holds a null or a number is nothing but its words, which
    // are read as they were written: the processor waits for what is read in larger parts.
    unsafe {
        let (from, to) = (value.var_sys().cast::<u8>(), place.var_sys_mut().cast::<u8>());
        if proven().is_some() && word_at(from) <= FLOAT {
            set(to, word_at(from), read(from.add(PAYLOAD)));
        } else {
            made::copy(place.var_sys_mut().cast(), value.var_sys());
        }
    }
}

#[inline(always)]
fn made(ty: u32, payload: u64) -> Option<Variant> {
    proven()?;
    let mut value = MaybeUninit::<Variant>::zeroed();
    // SAFETY: such a Variant is its tag and its payload, where the probe has found both; it owns nothing.
    unsafe {
        set(value.as_mut_ptr().cast(), ty, payload);
        Some(value.assume_init())
    }
}
