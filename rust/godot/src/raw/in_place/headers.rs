//! Writes the headers of containers, with the types that they declare.

use variant_core::wire::ContainerKind;

use super::bits::{ARRAY, DICTIONARY, NIL, OBJECT};
use super::cursor::Cursor;
use super::encoder::Encoder;
use crate::engine::build::OBJECT_CLASS;

impl Encoder<'_> {
    /// # Safety
    /// The slack is free.
    #[inline]
    pub(super) unsafe fn array_header(&mut self, element: u32, count: u32, mut to: Cursor) -> Option<Cursor> {
        if count > i32::MAX as u32 {
            return None;
        }
        // SAFETY: the caller's promise, which `declared` renews.
        unsafe {
            if element == NIL {
                to.put(u64::from(ARRAY) | u64::from(count) << 32);
                return Some(to);
            }
            to.put(ARRAY | self.kind(element)? << 16);
            to = self.declared(element, to)?;
            to.put(count);
        }
        Some(to)
    }

    /// # Safety
    /// The slack is free.
    #[inline]
    pub(super) unsafe fn dictionary_header(
        &mut self,
        key: u32,
        value: u32,
        count: u32,
        mut to: Cursor,
    ) -> Option<Cursor> {
        if count > i32::MAX as u32 {
            return None;
        }
        // SAFETY: the caller's promise, which `declared` renews.
        unsafe {
            if key | value == NIL {
                to.put(u64::from(DICTIONARY) | u64::from(count) << 32);
                return Some(to);
            }
            to.put(DICTIONARY | self.kind(key)? << 16 | self.kind(value)? << 18);
            to = self.declared(key, to)?;
            to = self.declared(value, to)?;
            to.put(count);
        }
        Some(to)
    }

    /// Returns the two bits of a header that say how a declared type follows.
    #[inline]
    fn kind(&self, ty: u32) -> Option<u32> {
        match ty {
            NIL => Some(ContainerKind::None as u32),
            // The class decides, and a script's path: not here.
            OBJECT if self.full_objects => None,
            OBJECT => Some(ContainerKind::Class as u32),
            _ => Some(ContainerKind::Builtin as u32),
        }
    }

    /// Writes what follows the header of a typed container; there is room for more after it.
    ///
    /// # Safety
    /// A word of the slack is free.
    #[inline(never)]
    unsafe fn declared(&mut self, ty: u32, mut to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise; room is made for the name of a class.
        unsafe {
            match ty {
                NIL => {}
                OBJECT => {
                    to = self.out.reserve(to, 64)?;
                    to.put(OBJECT_CLASS.len() as u32);
                    to.copy(OBJECT_CLASS.as_ptr(), OBJECT_CLASS.len());
                    to.pad(OBJECT_CLASS.len());
                }
                _ => to.put(ty),
            }
        }
        self.out.reserve(to, 0)
    }
}
