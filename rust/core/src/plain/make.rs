//! Make: receives from the plain reader what a value is made of. Each part is told once, with the place where it goes. The reader judges
//! containers, keys and names before it tells of them; leaves are read by the maker, which answers `None` to leave the
//! value to the walk.

use crate::token::{self, Leaf, Text, Token, plain_string, plain_text};
use crate::wire::Rules;

/// The types that a Dictionary declares, by their numbers; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryTypes {
    /// That of its keys.
    pub keys: u32,
    /// That of its values.
    pub values: u32,
}

/// Makes values of what is read. Types are told by their ids, 0 for none.
pub trait Make {
    /// The place of one value, which holds nothing yet.
    type Place<'p>;
    /// The places of the elements of an Array that are to come.
    type Items<'p>;
    /// The places of the entries of a Dictionary that are to come.
    type Entries<'p>;
    /// A key that is made like a value, for makers that find equal ones.
    type Key: Default;
    /// The keys that the maker has put into a Dictionary already.
    type Template<'p>;

    /// Levels of containers at most. Each takes less than 512 bytes of stack in a release build, and not all threads have
    /// much.
    const DEEPEST: u64 = 32;
    /// Whether [`Make::key`] answers `None` to a key that is there already. The reader compares no keys then.
    const FINDS_DUPLICATES: bool = false;

    /// Makes the null, bool, number, short vector or short String that comes next. Returns how many bytes it has, or the
    /// place where something else comes. A maker without a fast path of its own for them gets them by [`Make::plain`].
    #[inline(always)]
    fn leaf<'p>(&mut self, place: Self::Place<'p>, _bytes: &[u8]) -> Result<usize, Self::Place<'p>> {
        Err(place)
    }
    /// Makes a leaf that the reader has read.
    fn plain(&mut self, _: Self::Place<'_>, _: PlainLeaf<'_>) -> Option<()> {
        None
    }
    /// Makes the String that comes next, of any length. Returns what follows it.
    fn string<'b>(&mut self, _: Self::Place<'_>, _: &'b [u8], _: &Rules) -> Option<&'b [u8]> {
        None
    }
    /// Makes a StringName of all its bytes. A maker that has seen the same bytes before need not ask for the text, which is
    /// valid then.
    fn name<'b>(
        &mut self,
        place: Self::Place<'_>,
        field: &'b [u8],
        text: impl FnOnce() -> Option<Text<'b>>,
    ) -> Option<()>;
    /// Makes a matrix or packed numbers.
    fn numbers(&mut self, _: Self::Place<'_>, _: Leaf<'_>) -> Option<()> {
        None
    }
    /// Makes a reference into the running game, or another leaf that is not in its plainest form.
    fn other_leaf(&mut self, _: Self::Place<'_>, _: Leaf<'_>) -> Option<()> {
        None
    }
    /// Makes the PackedStringArray that comes next. Returns what follows it.
    fn strings<'b>(&mut self, _: Self::Place<'_>, _: &'b [u8], _: &Rules) -> Option<&'b [u8]> {
        None
    }
    /// Makes a NodePath of all its bytes. A maker that has seen the same bytes before need not ask whether they are valid.
    fn path(
        &mut self,
        _: Self::Place<'_>,
        _field: &[u8],
        _: &Rules,
        _is_valid: impl FnOnce() -> bool,
    ) -> Option<()> {
        None
    }
    /// Makes an Array of so many elements that declares this type.
    fn array<'p>(&mut self, place: Self::Place<'p>, declared: u32, count: u32) -> Option<Self::Items<'p>>;
    /// Returns the place of the next element.
    fn item<'p>(&mut self, items: &mut Self::Items<'p>) -> Option<Self::Place<'p>>;
    /// Makes the elements that come next, if they are scalars of the declared type. Returns how many bytes they have, and
    /// how many they are.
    fn run(&mut self, _: &mut Self::Items<'_>, _declared: u32, _: &[u8], _most: u32) -> Option<(usize, u32)> {
        Some((0, 0))
    }
    /// Makes a Dictionary of so many entries that declares these types of keys and values.
    fn dictionary<'p>(
        &mut self,
        place: Self::Place<'p>,
        declared: EntryTypes,
        count: u32,
    ) -> Option<Self::Entries<'p>>;
    /// Makes an Array of so many elements that declares a class, or references into the running game.
    fn array_of<'p>(&mut self, _: Self::Place<'p>, _: Token<'_>, _count: u32) -> Option<Self::Items<'p>> {
        None
    }
    /// Makes a Dictionary that declares any of those.
    fn dictionary_of<'p>(
        &mut self,
        _: Self::Place<'p>,
        _: Token<'_>,
        _count: u32,
    ) -> Option<Self::Entries<'p>> {
        None
    }
    /// Lets go of the default that a container of a declared type has put in a place.
    fn emptied<'p>(&mut self, place: Self::Place<'p>) -> Self::Place<'p> {
        place
    }
    /// Takes note of the hash of an int key that probably comes soon, of a Dictionary that has many.
    #[inline(always)]
    fn foresee(&mut self, _: &Self::Entries<'_>, _hash: u32) {}
    /// Takes the next key, all of its bytes. Returns the place of its value.
    fn key<'p>(&mut self, entries: &mut Self::Entries<'p>, field: &[u8]) -> Option<Self::Place<'p>>;

    /// Returns the place where a key is made that is no text, int or vector.
    fn key_place(_: &mut Self::Key) -> Option<Self::Place<'_>> {
        None
    }
    /// Takes that key. Returns the place of its value.
    fn other_key<'p>(&mut self, _: &mut Self::Entries<'p>, _: Self::Key) -> Option<Self::Place<'p>> {
        None
    }

    /// Puts all keys into a Dictionary that declares nothing, if it has so many and these bytes begin like those of one
    /// that came before.
    #[inline(always)]
    fn template<'p>(
        &mut self,
        _entries: &mut Self::Entries<'p>,
        _count: u32,
        _bytes: &[u8],
    ) -> Option<Self::Template<'p>> {
        None
    }

    /// Tells how many bytes the next key of the template has, if that comes next, and the place of its value.
    #[inline(always)]
    fn templated_key<'p>(
        &mut self,
        _template: &mut Self::Template<'p>,
        _bytes: &[u8],
    ) -> Option<(usize, Self::Place<'p>)> {
        None
    }

    /// Takes note that all keys of the template came.
    #[inline(always)]
    fn followed(&mut self, _template: Self::Template<'_>) {}

    /// Takes note that another key comes after so many of the template: the Dictionary has those alone then.
    fn leave<'p>(&mut self, _: Self::Template<'p>, _: &mut Self::Entries<'p>, _there: u32) -> Option<()> {
        None
    }

    /// Takes note that all keys of a Dictionary came, one by one.
    #[inline]
    fn complete(&mut self, _entries: Self::Entries<'_>) {}
}

/// A leaf that the reader reads without a look at the rules.
#[derive(Clone, Copy, Debug)]
pub enum PlainLeaf<'b> {
    /// A bool.
    Bool(bool),
    /// All bytes of a null, a number or a short vector.
    Scalar(&'b [u8]),
    /// A String of at most 16 characters, all of them ASCII.
    Text(Text<'b>),
}

/// Returns the ints and floats of four bytes that come next in an Array that declares nothing, at most so many.
#[inline(always)]
pub(crate) fn narrow_numbers(bytes: &[u8], declared: u32, most: u32) -> &[[u8; 8]] {
    if declared != token::NIL || !matches!(bytes, [2 | 3, 0, 0, 0, ..]) {
        return &[];
    }
    let (eights, _) = bytes.as_chunks::<8>();
    let eights = usize::try_from(most).ok().and_then(|most| eights.get(..most)).unwrap_or(eights);
    eights.get(..numbers_in_a_row(eights)).unwrap_or_default()
}

/// It stands apart, so that its loop has the registers to itself.
#[inline(never)]
fn numbers_in_a_row(eights: &[[u8; 8]]) -> usize {
    let is_other = |eight: &[u8; 8]| !matches!(eight, [2 | 3, 0, 0, 0, ..]);
    eights.iter().position(is_other).unwrap_or(eights.len())
}

/// Makes nothing: for a check.
impl Make for () {
    type Place<'p> = ();
    type Items<'p> = ();
    type Entries<'p> = ();
    type Key = ();
    type Template<'p> = ();

    #[inline(always)]
    fn plain(&mut self, (): (), _: PlainLeaf<'_>) -> Option<()> {
        Some(())
    }

    #[inline(never)]
    fn string<'b>(&mut self, (): (), bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        plain_text(bytes, rules).map(|(.., rest)| rest)
    }

    #[inline(always)]
    fn name<'b>(&mut self, (): (), _: &'b [u8], text: impl FnOnce() -> Option<Text<'b>>) -> Option<()> {
        text().map(|_| ())
    }

    #[inline(always)]
    fn numbers(&mut self, (): (), _: Leaf<'_>) -> Option<()> {
        Some(())
    }

    fn other_leaf(&mut self, (): (), _: Leaf<'_>) -> Option<()> {
        Some(())
    }

    fn array_of<'p>(&mut self, (): Self::Place<'p>, _: Token<'_>, _: u32) -> Option<Self::Items<'p>> {
        Some(())
    }

    fn dictionary_of<'p>(&mut self, (): Self::Place<'p>, _: Token<'_>, _: u32) -> Option<Self::Entries<'p>> {
        Some(())
    }

    /// It stands apart, so that its loop has the registers to itself.
    #[inline(never)]
    fn strings<'b>(&mut self, (): (), bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        let (count, mut rest) = bytes.get(4..)?.split_first_chunk()?;
        for _ in 0..u32::from_le_bytes(*count) {
            (_, rest) = plain_string(rest, rules)?;
        }
        Some(rest)
    }

    #[inline(always)]
    fn path(&mut self, (): (), _: &[u8], _: &Rules, is_valid: impl FnOnce() -> bool) -> Option<()> {
        is_valid().then_some(())
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
    fn run(&mut self, (): &mut (), declared: u32, bytes: &[u8], most: u32) -> Option<(usize, u32)> {
        let numbers = narrow_numbers(bytes, declared, most);
        Some((numbers.as_flattened().len(), u32::try_from(numbers.len()).ok()?))
    }

    #[inline(always)]
    fn dictionary<'p>(&mut self, (): Self::Place<'p>, _: EntryTypes, _: u32) -> Option<Self::Entries<'p>> {
        Some(())
    }

    #[inline(always)]
    fn key<'p>(&mut self, (): &mut Self::Entries<'p>, _: &[u8]) -> Option<Self::Place<'p>> {
        Some(())
    }
}
