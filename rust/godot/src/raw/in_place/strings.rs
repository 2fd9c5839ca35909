//! Makes texts and names in the place where they stay. It checks no text.

use std::mem::MaybeUninit;

use godot::builtin::GString;
use godot::sys::interface_fn;
use once_cell::sync::Lazy;
use variant_core::VariantType;
use variant_core::token::Text;

use super::super::kernels::widen;
use super::super::layout::{PAYLOAD, pointer_at, proven};
use super::bits::STRING;
use super::calls::{Construct, constructor};
use super::slot::tag;

static NEW_STRING: Lazy<Construct> = Lazy::new(|| constructor(VariantType::String));
/// The word of an empty String, which the engine has made, if it is no pointer: it owns nothing, so that a copy of it is an
/// empty String too.
static EMPTY: Lazy<Option<usize>> = Lazy::new(|| {
    let mut word = 0_usize;
    // SAFETY: interface call on room for a String.
    unsafe { (*NEW_STRING)?((&raw mut word).cast(), std::ptr::null()) };
    (word == 0).then_some(word)
});

#[inline]
pub(super) fn as_str<'t>(text: &Text<'t>) -> &'t str {
    // SAFETY: that a Text is UTF-8 is what it is for.
    unsafe { std::str::from_utf8_unchecked(text.as_bytes()) }
}

/// Makes a String or a StringName in the slot.
///
/// # Safety
/// A Variant that owns nothing lies at `slot`.
#[inline]
pub(super) unsafe fn variant(slot: *mut u8, ty: u32, text: &str) -> Option<()> {
    // SAFETY: the caller's promise; the payload of both types is their handle.
    unsafe {
        let place = slot.add(PAYLOAD);
        if ty == STRING {
            string_of(place, text, text.is_ascii())?;
        } else {
            name(place, text)?;
        }
        tag(slot, ty);
    }
    Some(())
}

/// Makes a String of a text of which it is known whether it is ASCII.
///
/// # Safety
/// `place` is room for a String, and owns nothing.
#[inline]
pub(super) unsafe fn string_of(place: *mut u8, text: &str, is_ascii: bool) -> Option<()> {
    // SAFETY: the caller's promise; interface call on room for a String, which is one afterwards, and empty at first.
    unsafe {
        match *EMPTY {
            Some(word) => place.cast::<usize>().write(word),
            None => (*NEW_STRING)?(place.cast(), std::ptr::null()),
        }
        let filled = fill(place, text, is_ascii);
        if filled.is_none() {
            place.cast::<GString>().drop_in_place();
        }
        filled
    }
}

/// Gives an empty String its characters. Those of ASCII text are its bytes.
///
/// # Safety
/// An empty String that nobody else uses lies at `place`.
#[inline]
pub(super) unsafe fn fill(place: *mut u8, text: &str, is_ascii: bool) -> Option<()> {
    // SAFETY: the caller's promise. There is room for as many characters as are written, and the NUL behind them.
    unsafe {
        if is_ascii {
            if !text.is_empty() {
                let first = lengthened(place, text.len())?;
                widen::ascii(text.as_bytes(), first);
            }
            return Some(());
        }
        if let Some(filled) = widen::short(text, |count| lengthened(place, count)) {
            return filled;
        }
        let first = lengthened(place, widen::count(text))?;
        widen::characters(text, first);
    }
    Some(())
}

/// Makes room for so many characters, and writes the NUL behind them. Returns the first.
///
/// # Safety
/// It needs what [`fill`] needs, or the String has characters already, which stay as far as there is room for them.
#[inline]
unsafe fn lengthened(place: *mut u8, characters: usize) -> Option<*mut u32> {
    proven()?;
    let length = i64::try_from(characters + 1).ok()?;
    // SAFETY: the caller's promise; a String is a pointer to its characters, of which there are as many as asked for,
    // the NUL that the engine counts included.
    unsafe {
        if interface_fn!(string_resize)(place.cast(), length) != 0 {
            return None;
        }
        let first = pointer_at(place).cast_mut().cast::<u32>();
        if first.is_null() {
            return None;
        }
        first.add(characters).write(0);
        Some(first)
    }
}

/// Bytes of a name that gets a NUL behind it, for which there has to be room.
const SHORT_NAME: usize = 128;

/// # Safety
/// `place` is room for a StringName, and owns nothing.
unsafe fn name(place: *mut u8, text: &str) -> Option<()> {
    // SAFETY: the caller's promise; interface calls with text that lives.
    unsafe {
        if text.len() < SHORT_NAME && text.is_ascii() && !text.is_empty() {
            // Looked for as it is: the other function makes a String first.
            let mut ended = [MaybeUninit::<u8>::uninit(); SHORT_NAME];
            let first = ended.as_mut_ptr().cast::<u8>();
            std::ptr::copy_nonoverlapping(text.as_ptr(), first, text.len());
            first.add(text.len()).write(0);
            interface_fn!(string_name_new_with_latin1_chars)(place.cast(), first.cast(), 0);
            return Some(());
        }
        let length = i64::try_from(text.len()).ok()?;
        interface_fn!(string_name_new_with_utf8_chars_and_len)(place.cast(), text.as_ptr().cast(), length);
    }
    Some(())
}
