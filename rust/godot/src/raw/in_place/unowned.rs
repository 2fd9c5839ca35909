//! Makes and moves nulls, bools and ints as Variants without a call into the engine. The fallback is
//! `to_variant`.

use std::mem::{ManuallyDrop, MaybeUninit};

use godot::builtin::Variant;
use godot::meta::ToGodot;

use super::super::layout::{PAYLOAD, proven, read, word_at};
use super::bits::{BOOL, FLOAT, INT, NIL};
use super::calls;
use super::slot::set;

/// Makes a null. It owns nothing, so that it need not be let go.
#[inline]
pub(crate) fn null() -> ManuallyDrop<Variant> {
    if proven().is_none() {
        return ManuallyDrop::new(Variant::nil());
    }
    let mut null = MaybeUninit::<Variant>::zeroed();
    // SAFETY: a null is its tag, where the probe has found that; it owns nothing.
    unsafe {
        set(null.as_mut_ptr().cast(), NIL, 0);
        ManuallyDrop::new(null.assume_init())
    }
}

/// Makes an int in the place of a null.
#[inline]
pub(crate) fn put_int(number: i64, place: &mut Variant) {
    match proven() {
        // SAFETY: a null owns nothing; tag and payload are where the probe has found them.
        Some(_) => unsafe { set(place.var_sys_mut().cast(), INT, number.cast_unsigned()) },
        None => *place = number.to_variant(),
    }
}

/// Makes a bool in the place of a null.
#[inline]
pub(crate) fn put_truth(is_so: bool, place: &mut Variant) {
    match proven() {
        // SAFETY: as above.
        Some(_) => unsafe { set(place.var_sys_mut().cast(), BOOL, is_so.into()) },
        None => *place = is_so.to_variant(),
    }
}

/// Takes what a place holds; null stays there.
#[inline]
pub(crate) fn take(place: &mut Variant) -> Variant {
    if proven().is_none() {
        return std::mem::take(place);
    }
    // SAFETY: what is read is given away, and a null, which is its tag, is put over it: nothing is there twice. That null
    // is written where it stays: one that is moved there has the processor wait for its parts.
    unsafe {
        let held = std::ptr::from_mut(place).read();
        set(place.var_sys_mut().cast(), NIL, 0);
        held
    }
}

/// Makes a copy in the place of a null.
#[inline]
pub(crate) fn copy(value: &Variant, place: &mut Variant) {
    // SAFETY: a null owns nothing and may be written over. What holds a null or a number is nothing but its words, which
    // are read as they were written: the processor waits for what is read in larger parts.
    unsafe {
        let (from, to) = (value.var_sys().cast::<u8>(), place.var_sys_mut().cast::<u8>());
        if proven().is_some() && word_at(from) <= FLOAT {
            set(to, word_at(from), read(from.add(PAYLOAD)));
        } else {
            calls::copy(place.var_sys_mut().cast(), value.var_sys());
        }
    }
}
