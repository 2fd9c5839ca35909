//! Rows in slots: the leaves that codes stand for, put where the old ones are.

use variant_core::VariantType;

use super::bytes::make_solid;
use super::{Place, Row, SlotStep};
use crate::rotation;
use crate::text::size;

/// The most numbers that lie in a slot.
pub(super) const SLOT_NUMBERS: usize = 4;

/// Writes leaves into the slots of a value that is there. `None`: that is another one than the codes make.
#[doc(hidden)]
pub trait SlotWriter<'l> {
    /// The place of a value.
    type Slot: Copy;
    type Elements: Iterator<Item = Self::Slot>;
    /// The entries of a Dictionary that are to come.
    type Entries;
    /// Where numbers of a value come.
    type Numbers;
    /// The elements of an Array that has so many and no type.
    fn array(&mut self, slot: Self::Slot, count: usize) -> Option<Self::Elements>;
    /// The entries of a Dictionary that has so many and no types.
    fn dictionary(&mut self, slot: Self::Slot, count: usize) -> Option<Self::Entries>;
    /// The value of the next entry, if that has this key, of which `number` is one that no other key has.
    fn entry(&mut self, entries: &mut Self::Entries, key: &str, number: usize) -> Option<Self::Slot>;
    /// A bool, an int or a float, as the word that a Variant has of it.
    fn word(&mut self, slot: Self::Slot, ty: VariantType, word: u64) -> Option<()>;
    /// A place for so many numbers of 32 bits, which are all of a value of this type, and come one after the other.
    fn numbers(&mut self, slot: Self::Slot, ty: VariantType, count: usize) -> Option<Self::Numbers>;
    fn number(numbers: &mut Self::Numbers, number: [u8; 4]);
    /// The value of these bytes, which the layout has: it comes in many records.
    fn value(&mut self, slot: Self::Slot, bytes: &'l [u8]) -> Option<()>;
}

impl Row {
    /// Whether these codes, which were read, prove a value that has a way into slots.
    #[inline]
    pub(crate) fn is_proven(&self, codes: &[u64]) -> bool {
        let mut rotations = self.rotations.iter();
        !self.steps.is_empty()
            && rotations.all(|(at, bits)| {
                let codes = codes.get(*at..).and_then(<[u64]>::first_chunk);
                codes.is_some_and(|codes| rotation::is_quaternion(*codes, *bits))
            })
    }

    /// Puts the value of the step into a slot; `at` leads behind it.
    #[inline]
    pub(crate) fn put<'l, W: SlotWriter<'l>>(
        &'l self,
        at: &mut usize,
        codes: &[u64],
        writer: &mut W,
        slot: W::Slot,
    ) -> Option<()> {
        let step = self.steps.get(*at)?;
        *at = at.checked_add(1)?;
        let SlotStep::Open(keys) = step else { return self.put_leaf(step, codes, writer, slot) };
        let mut entries = writer.dictionary(slot, *keys)?;
        for _ in 0..*keys {
            let Some(SlotStep::Key(name)) = self.steps.get(*at) else { return None };
            let slot = writer.entry(&mut entries, name, self.first_step.saturating_add(*at))?;
            *at = at.checked_add(1)?;
            self.put(at, codes, writer, slot)?;
        }
        Some(())
    }

    #[inline]
    fn put_leaf<'l, W: SlotWriter<'l>>(
        &'l self,
        step: &'l SlotStep,
        codes: &[u64],
        writer: &mut W,
        slot: W::Slot,
    ) -> Option<()> {
        let place = match step {
            SlotStep::Place(place) => self.places.get(*place)?,
            SlotStep::Same(bytes) => return writer.value(slot, bytes),
            SlotStep::Open(_) | SlotStep::Key(_) => return None,
        };
        match place {
            Place::Int { at, form } => {
                writer.word(slot, VariantType::Int, form.number(*codes.get(*at)?).int().cast_unsigned())
            }
            Place::Float { at, form, .. } => {
                writer.word(slot, VariantType::Float, form.number(*codes.get(*at)?).real().to_bits())
            }
            Place::Bool { at } => writer.word(slot, VariantType::Bool, u64::from(*codes.get(*at)? == 1)),
            Place::Enum { at, all } => writer.value(slot, all.get(size(*codes.get(*at)?))?),
            Place::Solid { at, ty, solid, .. } => {
                let codes = codes.get(*at..at.checked_add(solid.codes())?)?;
                let mut numbers = writer.numbers(slot, *ty, solid.numbers())?;
                make_solid(solid, codes, |number| W::number(&mut numbers, *number))
            }
            Place::Same(_) => None,
        }
    }
}
