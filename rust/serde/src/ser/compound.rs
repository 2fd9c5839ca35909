//! Writes arrays and dictionaries and counts their children. The length that serde was told need not be
//! true, and the count is written over where it was not.

use serde::ser::{self, Serialize};
use variant_core::{Step, VariantType};

use super::{Serializer, refused};
use crate::error::Error;

/// An Array or a Dictionary that is being written.
#[derive(Debug)]
pub struct Compound<'s, 'o> {
    to: &'s mut Serializer<'o>,
    end: u64,
    told: usize,
    count: usize,
    /// The variant of an enum whose value it is, in a Dictionary of one entry under this name.
    variant: Option<&'static str>,
}

impl<'s, 'o> Compound<'s, 'o> {
    #[inline]
    pub(super) fn new(
        to: &'s mut Serializer<'o>,
        told: Option<usize>,
        variant: Option<&'static str>,
    ) -> Compound<'s, 'o> {
        let end = to.encoder.at();
        Compound { to, end, told: told.unwrap_or(0), count: 0, variant }
    }

    #[inline]
    fn close(self) -> Result<(), Error> {
        if self.variant.is_some() {
            self.to.encoder.close();
        }
        self.to.encoder.close();
        if self.told == self.count {
            return Ok(());
        }
        self.to.encoder.recount(self.end, self.count).map_err(refused)
    }

    fn index(&self) -> u64 {
        u64::try_from(self.count).unwrap_or(u64::MAX)
    }

    #[cold]
    fn place(&self, error: Error, step: impl FnOnce() -> Step) -> Error {
        let error = error.within(step);
        match self.variant {
            Some(variant) => error.within(|| Step::Key(variant.to_owned())),
            None => error,
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let written = value.serialize(&mut *self.to);
        written.map_err(|error| self.place(error, || Step::Index(self.index())))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Writes an entry. Inlined, so that the name is known where its bytes are made; the value is not, if it is large.
    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        let written = self.to.string(VariantType::String, name).and_then(|()| value.serialize(&mut *self.to));
        written.map_err(|error| self.place(error, || Step::Key(name.to_owned())))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }
}

/// Implements the traits of serde that write rows, and fields with names.
macro_rules! children {
    ($($name:ident $child:ident($($key:ident: $key_ty:ty)?) $write:ident;)*) => {
        $(
            impl ser::$name for Compound<'_, '_> {
                type Ok = ();
                type Error = Error;

                #[inline(always)]
                fn $child<T: Serialize + ?Sized>(&mut self, $($key: $key_ty,)? value: &T) -> Result<(), Error> {
                    self.$write($($key,)? value)
                }

                #[inline]
                fn end(self) -> Result<(), Error> {
                    self.close()
                }
            }
        )*
    };
}

children! {
    SerializeSeq serialize_element() item;
    SerializeTuple serialize_element() item;
    SerializeTupleStruct serialize_field() item;
    SerializeTupleVariant serialize_field() item;
    SerializeStruct serialize_field(name: &'static str) field;
    SerializeStructVariant serialize_field(name: &'static str) field;
}

impl ser::SerializeMap for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let at = self.index();
        key.serialize(&mut *self.to).map_err(|error| error.within(|| Step::KeyOf(at)))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let at = self.index();
        value.serialize(&mut *self.to).map_err(|error| error.within(|| Step::Entry(at)))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), Error> {
        self.serialize_key(key)?;
        let at = self.index();
        let named = |error: Error| error.within(|| step_of(key).unwrap_or(Step::Entry(at)));
        value.serialize(&mut *self.to).map_err(named)?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        self.close()
    }
}

/// Names the entry under this key as a path does, if it has a name.
#[cold]
fn step_of<K: Serialize + ?Sized>(key: &K) -> Option<Step> {
    crate::to_value(key).ok()?.key_step()
}
