//! Writes arrays and dictionaries and counts their children. The length that serde was told need not be
//! true, and the count is written over where it was not.

use serde::ser::{self, Serialize};
use variant_core::{Step, VariantType};

use super::{Serializer, refused};
use crate::error::Error;

/// A container that was opened.
#[derive(Debug)]
struct OpenedContainer<'s, 'o> {
    to: &'s mut Serializer<'o>,
    /// Right behind its opening.
    end: u64,
    /// The count that its opening says.
    told: usize,
    count: usize,
}

impl<'s, 'o> OpenedContainer<'s, 'o> {
    #[inline]
    fn new(to: &'s mut Serializer<'o>, told: Option<usize>) -> OpenedContainer<'s, 'o> {
        let end = to.encoder.at();
        OpenedContainer { to, end, told: told.unwrap_or(0), count: 0 }
    }

    #[inline]
    fn close(self) -> Result<(), Error> {
        self.to.encoder.close();
        if self.told == self.count {
            return Ok(());
        }
        self.to.encoder.recount(self.end, self.count).map_err(refused)
    }

    fn index(&self) -> u64 {
        u64::try_from(self.count).unwrap_or(u64::MAX)
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let at = self.index();
        value.serialize(&mut *self.to).map_err(|error| error.within(|| Step::Index(at)))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Writes an entry. Inlined, so that the name is known where its bytes are made; the value is not, if it is large.
    #[inline(always)]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        let written = self.to.string(VariantType::String, name).and_then(|()| value.serialize(&mut *self.to));
        written.map_err(|error| error.within(|| Step::Key(name.to_owned())))?;
        self.count = self.count.saturating_add(1);
        Ok(())
    }
}

/// An Array that is being written.
#[derive(Debug)]
pub struct Seq<'s, 'o>(OpenedContainer<'s, 'o>);

impl<'s, 'o> Seq<'s, 'o> {
    pub(super) fn open(to: &'s mut Serializer<'o>, length: Option<usize>) -> Result<Seq<'s, 'o>, Error> {
        to.open_array(length)?;
        Ok(Seq(OpenedContainer::new(to, length)))
    }
}

macro_rules! items {
    ($($name:ident $element:ident,)*) => {
        $(
            impl ser::$name for Seq<'_, '_> {
                type Ok = ();
                type Error = Error;

                #[inline]
                fn $element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                    self.0.item(value)
                }

                #[inline]
                fn end(self) -> Result<(), Error> {
                    self.0.close()
                }
            }
        )*
    };
}

items! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
}

/// A Dictionary that is being written.
#[derive(Debug)]
pub struct Pairs<'s, 'o>(OpenedContainer<'s, 'o>);

impl<'s, 'o> Pairs<'s, 'o> {
    #[inline]
    pub(super) fn open(to: &'s mut Serializer<'o>, length: Option<usize>) -> Result<Pairs<'s, 'o>, Error> {
        to.open_dictionary(length)?;
        Ok(Pairs(OpenedContainer::new(to, length)))
    }
}

impl ser::SerializeStruct for Pairs<'_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline(always)]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.0.field(name, value)
    }

    #[inline]
    fn end(self) -> Result<(), Error> {
        self.0.close()
    }
}

impl ser::SerializeMap for Pairs<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        let at = self.0.index();
        key.serialize(&mut *self.0.to).map_err(|error| error.within(|| Step::KeyOf(at)))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let at = self.0.index();
        value.serialize(&mut *self.0.to).map_err(|error| error.within(|| Step::Entry(at)))?;
        self.0.count = self.0.count.saturating_add(1);
        Ok(())
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), Error> {
        self.serialize_key(key)?;
        let at = self.0.index();
        let named = |error: Error| error.within(|| step_of(key).unwrap_or(Step::Entry(at)));
        value.serialize(&mut *self.0.to).map_err(named)?;
        self.0.count = self.0.count.saturating_add(1);
        Ok(())
    }

    fn end(self) -> Result<(), Error> {
        self.0.close()
    }
}

/// Names the entry under this key as a path does, if it has a name.
#[cold]
fn step_of<K: Serialize + ?Sized>(key: &K) -> Option<Step> {
    crate::to_value(key).ok()?.key_step()
}

/// A variant's values, in an Array in a Dictionary.
#[derive(Debug)]
pub struct VariantItems<'s, 'o>(OpenedContainer<'s, 'o>, &'static str);

impl<'s, 'o> VariantItems<'s, 'o> {
    pub(super) fn opened(to: &'s mut Serializer<'o>, length: usize, name: &'static str) -> Self {
        VariantItems(OpenedContainer::new(to, Some(length)), name)
    }
}

impl ser::SerializeTupleVariant for VariantItems<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let name = self.1;
        self.0.item(value).map_err(|error| error.within(|| Step::Key(name.to_owned())))
    }

    fn end(self) -> Result<(), Error> {
        self.0.to.encoder.close();
        self.0.close()
    }
}

/// A variant's fields, in a Dictionary in a Dictionary.
#[derive(Debug)]
pub struct VariantEntries<'s, 'o>(OpenedContainer<'s, 'o>, &'static str);

impl<'s, 'o> VariantEntries<'s, 'o> {
    pub(super) fn opened(to: &'s mut Serializer<'o>, length: usize, name: &'static str) -> Self {
        VariantEntries(OpenedContainer::new(to, Some(length)), name)
    }
}

impl ser::SerializeStructVariant for VariantEntries<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        let variant = self.1;
        self.0.field(name, value).map_err(|error| error.within(|| Step::Key(variant.to_owned())))
    }

    fn end(self) -> Result<(), Error> {
        self.0.to.encoder.close();
        self.0.close()
    }
}
