//! Makes values in a slot for `ToSlots`: leaves, and containers that are to be filled. It walks nothing.

use variant_core::Sink;
use variant_core::token::{Container, ContainerType, Leaf, Token};

use super::super::layout::{PAYLOAD, word_at};
use super::bits::{FLOAT, NAME, NIL, id};
use super::frame::Frame;
use super::keys::MANY;
use super::packed_strings::strings_in;
use super::slot::{STRIDE, is_reference};
use super::strings::{self, as_str};
use super::templates::{Keys, MOST};
use super::to_slots::ToSlots;
use super::{calls, fallback, single};
use crate::build::ToVariant;

impl ToSlots<'_> {
    /// Lets go of what the slot holds: the default of a typed array, the value of an equal key.
    ///
    /// # Safety
    /// The invariant of `slot`.
    #[inline(always)]
    pub(super) unsafe fn clear(&mut self) {
        // SAFETY: the caller's promise. Types up to float own nothing: their slot may be written over.
        unsafe {
            if word_at(self.slot) > FLOAT {
                calls::clear(self.slot);
            }
        }
    }

    /// # Safety
    /// The slot owns nothing.
    #[inline]
    pub(super) unsafe fn write(&mut self, leaf: &Leaf<'_>) -> Option<()> {
        let is_key = self.slot == self.key;
        // SAFETY: the caller's promise.
        unsafe {
            let Leaf::Text(ty, text) = leaf else {
                return single::numbers(leaf, self.slot)
                    .or_else(|| fallback::alone(Token::Leaf(*leaf), self.slot, self.is_live));
            };
            let (ty, text) = (id(*ty), as_str(text));
            if is_key && self.is_key_kept {
                if let Some(kept) = self.keys.keep(ty, text) {
                    self.found = kept;
                    return Some(());
                }
            } else if !is_key && ty == NAME {
                return self.keys.make_name(text, self.slot);
            }
            strings::variant(self.slot, ty, text)
        }
    }

    /// Makes a container in the slot. `reserve` is less than what it declares only where the bytes end before it does.
    ///
    /// # Safety
    /// It needs what [`ToSlots::write`] needs.
    #[inline(always)]
    pub(super) unsafe fn begin(&mut self, container: &Container<'_>, reserve: usize) -> Option<Frame> {
        let own = match container {
            // Its parts use the place for keys themselves.
            Container::Array { .. } | Container::Dictionary { .. } if self.slot == self.key => {
                self.open_keys.begin()?
            }
            _ => self.slot,
        };
        // SAFETY: the caller's promise; what is made is new and ours alone.
        unsafe {
            match *container {
                Container::Array { element, count } => {
                    let count = usize::try_from(count).ok().filter(|count| *count <= reserve)?;
                    match element_type(&element) {
                        Some(element) => calls::array(own, element).map(drop)?,
                        None => fallback::alone(Token::Open(*container), own, self.is_live)?,
                    }
                    let handle = own.add(PAYLOAD).cast();
                    let first = if count > 0 { calls::resized(handle, count)? } else { self.key };
                    self.slot = first;
                    Some(Frame::Array { own, end: first.wrapping_add(count * STRIDE) })
                }
                Container::Dictionary { key: ContainerType::None, value: ContainerType::None, count } => {
                    calls::dictionary(own)?;
                    // Only for entries that the bytes at hand could hold.
                    if count > MOST && reserve >= count as usize {
                        self.keys.tables.reserve(own.add(PAYLOAD).cast(), (NIL, NIL), count);
                    }
                    self.slot = self.key;
                    self.is_key_kept = count <= MANY;
                    Some(Frame::Dictionary { own, count, there: 0, keys: Keys::Unasked })
                }
                _ => self.begin_rare(container, own, reserve),
            }
        }
    }

    /// Begins typed dictionaries, paths and packed strings.
    ///
    /// # Safety
    /// It needs what [`ToSlots::begin`] needs.
    #[inline(never)]
    unsafe fn begin_rare(
        &mut self,
        container: &Container<'_>,
        own: *mut u8,
        reserve: usize,
    ) -> Option<Frame> {
        match *container {
            Container::Dictionary { key, value, count } => {
                // SAFETY: the caller's promise.
                unsafe {
                    if let (Some(of_keys), Some(of_values)) = (element_type(&key), element_type(&value)) {
                        let types = (of_keys.unwrap_or(NIL), of_values.unwrap_or(NIL));
                        self.keys.empties.make(types, own)?;
                        if reserve >= count as usize {
                            self.keys.tables.reserve(own.add(PAYLOAD).cast(), types, count);
                        }
                    } else {
                        fallback::alone(Token::Open(*container), own, self.is_live)?;
                    }
                }
                self.slot = self.key;
                self.is_key_kept = count <= MANY;
                Some(Frame::Dictionary { own, count, there: 0, keys: Keys::OneByOne })
            }
            Container::NodePath { .. } => {
                self.path = Some(ToVariant::new(false, self.is_live).open(0, *container, 0).ok()?);
                Some(Frame::Path { own })
            }
            Container::PackedStrings { count } => {
                let texts = usize::try_from(count).ok().filter(|count| *count <= reserve)?;
                // SAFETY: the caller's promise.
                let next = unsafe { strings_in(own, texts)? };
                Some(Frame::Strings { own, next, left: count })
            }
            Container::Array { .. } | Container::Object { .. } => None,
        }
    }
}

/// Returns the builtin type that is declared; `None` for an empty container that the fallback has to make.
fn element_type(declared: &ContainerType<'_>) -> Option<Option<u32>> {
    match declared {
        ContainerType::None => Some(None),
        ContainerType::Builtin(ty) if !is_reference(id(*ty)) => Some(Some(id(*ty))),
        _ => None,
    }
}
