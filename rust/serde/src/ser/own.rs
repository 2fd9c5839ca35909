//! Writes types of ours. Their numbers and texts come from their own `Serialize`, or from serde's copy of it.

use std::io;

use serde::ser::Serialize;
use variant_core::token::{Container, Lanes, Leaf, TextForm};
use variant_core::wire::{Lane, Layout};
use variant_core::{ErrorKind, Rules, VariantType, Walker};

use super::lanes::{Bytes, Collector, LaneWriter, Texts};
use super::{Serializer, refused};
use crate::error::{Cause, Error};
use crate::mark::Mark;
use crate::types::NodePath;

/// Bytes of the largest vector or matrix, a Projection of doubles.
const LARGEST: usize = 128;

impl Serializer<'_> {
    pub(super) fn own<T: Serialize + ?Sized>(&mut self, mark: Mark, value: &T) -> Result<(), Error> {
        match mark {
            Mark::Element(ty) | Mark::Value(ty) => {
                self.declared.item = Some(ty);
                value.serialize(self)
            }
            Mark::Key(ty) => {
                self.declared.key = Some(ty);
                value.serialize(self)
            }
            Mark::Own(VariantType::StringName) => {
                self.text = VariantType::StringName;
                value.serialize(self)
            }
            Mark::Any => self.raw(VariantType::Nil, value),
            Mark::Own(ty) => match ty.layout() {
                Layout::Math(lane, count) => self.math(ty, lane, count, value),
                Layout::Packed(lane, _) => self.packed(ty, lane, value),
                Layout::PackedStrings => self.packed_strings(value),
                _ => self.raw(ty, value),
            },
        }
    }

    fn math<T: Serialize + ?Sized>(
        &mut self,
        ty: VariantType,
        lane: Lane,
        count: u8,
        value: &T,
    ) -> Result<(), Error> {
        let mut bytes = [0; LARGEST];
        let mut room = bytes.as_mut_slice();
        let found = self.numbers_of(lane, value, &mut room)?;
        let used = LARGEST.saturating_sub(room.len());
        let lanes = bytes.get(..used).and_then(|bytes| Lanes::new(bytes, found));
        match lanes.filter(|lanes| lanes.count() == usize::from(count)) {
            Some(lanes) => self.leaf(&Leaf::Math(ty, lanes)),
            None => Err(self.fault(Cause::Format(ErrorKind::Refused))),
        }
    }

    fn packed<T: Serialize + ?Sized>(&mut self, ty: VariantType, lane: Lane, value: &T) -> Result<(), Error> {
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.clear();
        let found = self.numbers_of(lane, value, &mut numbers)?;
        let lanes = Lanes::new(&numbers, found);
        match lanes {
            Some(lanes) => self.leaf(&Leaf::Packed(ty, lanes))?,
            None => return Err(self.fault(Cause::Format(ErrorKind::Refused))),
        }
        self.numbers = numbers;
        Ok(())
    }

    /// Collects numbers and returns their width: that of the first one, where they are reals.
    fn numbers_of<T: Serialize + ?Sized, R: io::Write>(
        &self,
        lane: Lane,
        value: &T,
        room: &mut R,
    ) -> Result<Lane, Error> {
        let mut numbers = Collector(LaneWriter::new(lane, room));
        value.serialize(&mut numbers).map_err(|error| error.at_byte(self.encoder.at()))?;
        Ok(numbers.0.lane())
    }

    fn packed_strings<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let mut texts = Collector(Texts::default());
        value.serialize(&mut texts).map_err(|error| error.at_byte(self.encoder.at()))?;
        let texts = texts.0;
        let count = self.count(Some(texts.ends.len()))?;
        self.encoder.open(&Container::PackedStrings { count }).map_err(refused)?;
        for text in texts.iter() {
            self.text(text)?;
            self.encoder.text(TextForm::Terminated, text).map_err(refused)?;
        }
        self.encoder.close();
        Ok(())
    }

    /// A value that comes as its encoding: that is read again, since it may be anybody's, and written for
    /// the target. From serde's own copies a path comes as text, and an RID as a number.
    fn raw<T: Serialize + ?Sized>(&mut self, ty: VariantType, value: &T) -> Result<(), Error> {
        let mut bytes = Collector(Bytes::default());
        value.serialize(&mut bytes).map_err(|error| error.at_byte(self.encoder.at()))?;
        let encoded = match bytes.0 {
            Bytes::Text(text) if ty == VariantType::NodePath => NodePath::from(text.as_str()).encoded(),
            Bytes::Number(id) if ty == VariantType::Rid => return self.leaf(&Leaf::Rid(id)),
            Bytes::Encoded(encoded) => encoded,
            _ => return Err(self.fault(Cause::Format(ErrorKind::Refused))),
        };
        let rules = Rules { full_objects: true, ..Rules::engine() };
        let written = Walker::new().decode(&encoded, &rules, &mut self.encoder);
        written.map(drop).map_err(|error| self.fault(Cause::Format(error.kind())))
    }
}
