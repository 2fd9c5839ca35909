//! Reads containers for the builder: keys, elements and values.

use godot::builtin::Variant;
use godot::sys;

use super::super::layout::{PAYLOAD, word_at};
use super::bits::{ARRAY, DICTIONARY, NAME, STRING};
use super::builder::{Builder, MAX_DEPTH};
use super::keys::MANY;
use super::made;
use super::slot::{LocalKey, STRIDE, is_reference, tag};
use super::{moulds, shapes, strings};
use crate::quiet::quietly;

impl<'b> Builder<'b> {
    /// # Safety
    /// It needs what [`Builder::other`] needs.
    pub(super) unsafe fn array(&mut self, slot: *mut u8, element: Option<u32>) -> Option<()> {
        let count = usize::try_from(self.word()?).ok()?;
        // A value takes at least a header.
        if count > self.rest.len() / 4 {
            return None;
        }
        self.depth += 1;
        // SAFETY: the caller's promise; the array is new and ours alone, and as long as asked for, with its elements
        // one after another: the last one's address says so.
        unsafe {
            let array = made::array(slot, element)?;
            if count > 0 && self.depth < MAX_DEPTH {
                let first = made::resized(array, count)?;
                for index in 0..count {
                    self.value(first.add(index * STRIDE))?;
                }
            } else if count > 0 {
                return None;
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// # Safety
    /// It needs what [`Builder::other`] needs.
    pub(super) unsafe fn dictionary(&mut self, slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise; the Dictionary is new and ours alone.
        unsafe {
            made::dictionary(slot)?;
            if shapes::are_possible()
                && let Some(mould) = self.mould().and_then(moulds::handle)
            {
                return self.values(slot, mould);
            }
            // It gets no room beforehand: whoever checked the keys has counted the steps of a table that grows.
            self.entries(slot.add(PAYLOAD).cast())
        }
    }

    /// Finds the template of the value whose header has just been read.
    #[inline]
    pub(super) fn mould(&mut self) -> Option<&Variant> {
        let (moulds, foreseen) = self.foreseen.as_mut()?;
        moulds.at(self.end - self.rest.len() - 4, foreseen, (self.keys, self.build_one))
    }

    /// A Dictionary whose keys are those of a mould, in that order.
    ///
    /// # Safety
    /// A Variant with an untyped, empty Dictionary that nobody else uses lies at `own`; `mould` is the handle of another.
    unsafe fn values(&mut self, own: *mut u8, mould: sys::GDExtensionConstTypePtr) -> Option<()> {
        let count = self.word()?;
        if self.depth + 1 >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        // SAFETY: the caller's promise; there are as many nodes as entries, and they stay where they are, since nothing is
        // inserted meanwhile.
        unsafe {
            let mut node = shapes::copied(own, mould, count)?;
            for _ in 0..count {
                self.word()?;
                let length = usize::try_from(self.word()?).ok()?;
                self.take(length.checked_next_multiple_of(4)?)?;
                let (slot, next) = shapes::step(node);
                self.value(slot)?;
                node = next;
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// An empty one comes from the plain twin, which makes it of its declaration alone.
    ///
    /// # Safety
    /// It needs what [`Builder::rare`] needs.
    pub(super) unsafe fn typed_dictionary(
        &mut self,
        header: u32,
        start: &'b [u8],
        slot: *mut u8,
    ) -> Option<()> {
        let (key, value) = (header >> 16 & 3, header >> 18 & 3);
        if key > 1 || value > 1 || header >> 20 != 0 {
            // SAFETY: the caller's promise.
            return unsafe { self.by_twin(start, slot) };
        }
        let declaration = 4 + 4 * (key + value) as usize;
        let mut empty = [0; 16];
        empty[..declaration].copy_from_slice(start.get(..declaration)?);
        if empty[4..declaration].chunks_exact(4).any(|ty| is_reference(ty[0].into())) {
            // SAFETY: the caller's promise.
            return unsafe { self.by_twin(start, slot) };
        }
        let (dictionary, _) = (self.build_one)(&empty[..declaration + 4])?;
        self.rest = start.get(declaration..)?;
        // SAFETY: the slot owns nothing; what is moved into it is a Dictionary, if the tag says so.
        unsafe {
            slot.cast::<Variant>().write(dictionary);
            if word_at(slot) != DICTIONARY {
                return None;
            }
            self.entries(slot.add(PAYLOAD).cast())
        }
    }

    /// # Safety
    /// `dictionary` is one that nobody else uses, and empty.
    unsafe fn entries(&mut self, dictionary: sys::GDExtensionTypePtr) -> Option<()> {
        let count = usize::try_from(self.word()?).ok()?;
        if count > self.rest.len() / 8 || self.depth + 1 >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let is_large = count > MANY as usize;
        for _ in 0..count {
            // SAFETY: the caller's promise. The slot is used for its value and not after the next insert; a value that
            // is a container fills another one.
            unsafe {
                let slot = self.slot(dictionary, is_large)?;
                self.value(slot)?;
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// Reads a key; the slot of its value. Those of large dictionaries are no few that come again: they would only
    /// drive the others out of the cache.
    ///
    /// # Safety
    /// It needs what [`Builder::entries`] needs.
    #[inline]
    unsafe fn slot(&mut self, dictionary: sys::GDExtensionTypePtr, is_large: bool) -> Option<*mut u8> {
        // SAFETY: the caller's promise; keys live until the slot has been found.
        unsafe {
            // Names come from the cache in any case: a copy of one is what `name` would make here.
            let is_text = self.rest.first_chunk::<4>() == Some(&STRING.to_le_bytes());
            if !(is_large && is_text)
                && let Some((key, used)) = self.keys.find(self.rest)
            {
                self.rest = self.rest.get(used..)?;
                return made::slot(dictionary, key);
            }
            let mut key = LocalKey::new();
            let before = self.rest.len();
            self.value(key.place())?;
            let is_container = matches!(word_at(key.place()), ARRAY | DICTIONARY);
            let place = key.place().cast();
            let find = || made::slot(dictionary, place);
            // Keys that are nested over 100 levels print when they are hashed. Each level takes 8 bytes.
            if is_container && before - self.rest.len() > 8 * 100 { quietly(find) } else { find() }
        }
    }

    /// From the cache where it can be: names come again and again.
    ///
    /// # Safety
    /// It needs what [`Builder::other`] needs.
    pub(super) unsafe fn name(&mut self, slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise; the slot owns nothing, and is a Variant again when it holds the copy.
        unsafe {
            if let Some((name, used)) = self.keys.find(self.rest) {
                self.rest = self.rest.get(used..)?;
                made::copy(slot.cast(), name);
                return Some(());
            }
            self.word()?;
            let text = self.text()?;
            strings::name(slot.add(PAYLOAD), text)?;
            tag(slot, NAME);
        }
        Some(())
    }
}
