//! Puts the leaves that packed codes stand for where the old ones lie. The fallback is the updater, for the bytes that the same
//! codes make, which completes what was begun. As the updater it changes nothing whose end could run a script.

use godot::builtin::Variant;
use variant_core::{EntryTypes, VariantType};
use variant_pack::{Layout, Packer, SlotWriter};

use super::super::layout::{PAYLOAD, pointer_at, word_at};
use super::bits::{FLOAT, NIL, STRING, WRITTEN};
use super::keys::KeyCache;
use super::slot::{set, tag};
use super::texts;
use super::updater::{Elements, Entries, Slot, Updater, equals};
use crate::engine::build::References;

/// Keys of records of which is remembered where their text lies.
const REMEMBERED: usize = 64;
/// Values that a schema lists of which is remembered where their text lies.
const CHOICES: usize = 16;

/// Puts the value of codes into a container. `None`: the fallback has to, from the beginning; parts may be up to date already.
pub(crate) fn put(
    target: &Variant,
    layout: &Layout,
    packer: &Packer,
    keys: &mut KeyCache,
    references: References,
) -> Option<()> {
    let updater = Updater::new(&[], keys, references)?;
    let (texts, choices) = ([std::ptr::null(); REMEMBERED], Default::default());
    let mut writer = InPlaceWriter { updater, texts, choices };
    packer.put(layout, &mut writer, Slot(target.var_sys().cast_mut().cast()))?;
    writer.updater.finish()
}

struct InPlaceWriter<'k> {
    updater: Updater<'k>,
    /// Where the text of each key lay that came last. The key that has it stays where it is, and so does its text.
    texts: [*const u8; REMEMBERED],
    /// Where the bytes of a listed value lie, and a text that was found to be it: as long as no text is let go.
    choices: [(usize, usize); CHOICES],
}

/// INVARIANT: so many numbers of 4 bytes of a value that is only numbers lie from the next on, which stays there until the
/// update is over.
struct Numbers {
    next: *mut u8,
    left: usize,
}

impl<'b> SlotWriter<'b> for InPlaceWriter<'_> {
    type Slot = Slot;
    type Elements = Elements;
    type Entries = Entries;
    type Numbers = Numbers;

    fn array(&mut self, slot: Slot, count: usize) -> Option<Elements> {
        self.updater.elements(slot, NIL, count)
    }

    #[inline]
    fn dictionary(&mut self, slot: Slot, count: usize) -> Option<Entries> {
        self.updater.entries(slot, EntryTypes::default(), count)
    }

    #[inline]
    fn entry(&mut self, entries: &mut Entries, key: &str, number: usize) -> Option<Slot> {
        let at = entries.key()?;
        // SAFETY: by the invariant of entries.
        unsafe {
            (word_at(at) == STRING).then_some(())?;
            let text = pointer_at(at.add(PAYLOAD));
            let last = self.texts.get_mut(number);
            if text.is_null() || last.as_ref().is_none_or(|last| **last != text) {
                let characters = texts::characters(at.add(PAYLOAD), self.updater.buffers)?;
                equals(characters, key.as_bytes()).then_some(())?;
                last.into_iter().for_each(|last| *last = text);
            }
        }
        entries.step()
    }

    #[inline]
    fn word(&mut self, Slot(at): Slot, ty: VariantType, word: u64) -> Option<()> {
        // SAFETY: by the slot's invariant. Types up to float own nothing.
        unsafe {
            (word_at(at) <= FLOAT).then_some(())?;
            set(at, ty.id().into(), word);
        }
        Some(())
    }

    #[inline]
    fn numbers(&mut self, Slot(at): Slot, ty: VariantType, count: usize) -> Option<Numbers> {
        let ty = u32::from(ty.id());
        let plain = WRITTEN.get(ty as usize)?;
        // SAFETY: by the slot's invariant. These types lie in the Variant, own nothing, and are any numbers.
        unsafe {
            let held = word_at(at);
            let is_in_place = !plain.is_behind && plain.bytes == count * 4 && (held == ty || held <= FLOAT);
            is_in_place.then_some(())?;
            tag(at, ty);
            Some(Numbers { next: at.add(PAYLOAD), left: count })
        }
    }

    #[inline]
    fn number(numbers: &mut Numbers, number: [u8; 4]) {
        if let Some(left) = numbers.left.checked_sub(1) {
            // SAFETY: by the invariant of numbers.
            unsafe { numbers.next.cast::<[u8; 4]>().write(number) };
            (numbers.next, numbers.left) = (numbers.next.wrapping_add(4), left);
        }
    }

    #[inline]
    fn value(&mut self, Slot(at): Slot, bytes: &'b [u8]) -> Option<()> {
        // SAFETY: by the slot's invariant.
        unsafe {
            let text = if word_at(at) == STRING { pointer_at(at.add(PAYLOAD)).addr() } else { 0 };
            let choice = (bytes.as_ptr().addr(), text);
            let place = (choice.0 >> 4) % CHOICES;
            if text != 0 && self.choices[place] == choice {
                return Some(());
            }
            let made = self.updater.made;
            self.updater.update(Slot(at), bytes)?;
            if self.updater.made == made {
                self.choices[place] = choice;
            } else {
                // A text that was let go may have lain where another one lies now.
                self.choices = Default::default();
            }
        }
        Some(())
    }
}
