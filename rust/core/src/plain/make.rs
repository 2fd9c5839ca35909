//! Make: what the plain reader makes of a value. Each part is told once, when it has been found right, with the place where
//! it goes. A maker judges nothing; it answers `None` to leave the value to the walk.

use crate::token::{Leaf, Text};
use crate::wire::VariantType;

/// Makes values of what is read. Types are told by their ids, 0 for none.
pub(crate) trait Make {
    /// The place of one value, which holds nothing yet.
    type Place<'p>;
    /// The places of the elements of an Array that are to come.
    type Items<'p>;
    /// The places of the entries of a Dictionary that are to come.
    type Entries<'p>;

    /// A null, a number or a short vector: all of its bytes.
    fn scalar(&mut self, place: Self::Place<'_>, field: &[u8]) -> Option<()>;
    /// A bool.
    fn bool(&mut self, place: Self::Place<'_>, value: bool);
    /// A String or a StringName.
    fn text(&mut self, place: Self::Place<'_>, ty: VariantType, text: Text<'_>) -> Option<()>;
    /// A matrix or packed numbers.
    fn numbers(&mut self, place: Self::Place<'_>, leaf: Leaf<'_>) -> Option<()>;
    /// A NodePath or a PackedStringArray: all of its bytes.
    fn texts(&mut self, place: Self::Place<'_>, field: &[u8]) -> Option<()>;
    /// An Array of so many elements that declares this type.
    fn array<'p>(&mut self, place: Self::Place<'p>, declared: u32, count: u32) -> Option<Self::Items<'p>>;
    /// The place of the next element.
    fn item<'p>(&mut self, items: &mut Self::Items<'p>) -> Option<Self::Place<'p>>;
    /// The next elements, which are ints and floats of four bytes.
    fn row(&mut self, items: &mut Self::Items<'_>, numbers: &[[u8; 8]]) -> Option<()>;
    /// A Dictionary of so many entries that declares these types of keys and values.
    fn dictionary<'p>(
        &mut self,
        place: Self::Place<'p>,
        declared: (u32, u32),
        count: u32,
    ) -> Option<Self::Entries<'p>>;
    /// The next key, all of its bytes: the place of its value.
    fn key<'p>(&mut self, entries: &mut Self::Entries<'p>, field: &[u8]) -> Option<Self::Place<'p>>;
}

/// Makes nothing: for a check.
impl Make for () {
    type Place<'p> = ();
    type Items<'p> = ();
    type Entries<'p> = ();

    #[inline(always)]
    fn scalar(&mut self, (): (), _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn bool(&mut self, (): (), _: bool) {}

    #[inline(always)]
    fn text(&mut self, (): (), _: VariantType, _: Text<'_>) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn numbers(&mut self, (): (), _: Leaf<'_>) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn texts(&mut self, (): (), _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn array<'p>(&mut self, (): Self::Place<'p>, _: u32, _: u32) -> Option<Self::Items<'p>> {
        Some(())
    }

    #[inline(always)]
    fn item<'p>(&mut self, (): &mut Self::Items<'p>) -> Option<Self::Place<'p>> {
        Some(())
    }

    #[inline(always)]
    fn row(&mut self, (): &mut (), _: &[[u8; 8]]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn dictionary<'p>(&mut self, (): Self::Place<'p>, _: (u32, u32), _: u32) -> Option<Self::Entries<'p>> {
        Some(())
    }

    #[inline(always)]
    fn key<'p>(&mut self, (): &mut Self::Entries<'p>, _: &[u8]) -> Option<Self::Place<'p>> {
        Some(())
    }
}
