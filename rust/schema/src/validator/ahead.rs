//! Ahead: the values that tell dictionaries apart, found in one walk over the whole input.
//!
//! Only for input where such a value does not stand first in its Dictionary. However many there are, the input is
//! walked once more and not again, so the cost stays linear.

use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, Leaf, Token};
use variant_core::{Refusal, Rules, Sink, Walker};

/// The place of a value that may tell something: under which of the program's `kinds`, in the Dictionary at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KindPlace {
    pub(super) dictionary: u64,
    pub(super) name: usize,
}

/// Such a value, by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct KindValue {
    place: KindPlace,
    value: u64,
}

#[derive(Debug, Default)]
pub(super) struct KindFinder {
    walker: Walker<Pair>,
    found: Vec<KindValue>,
    has_looked: bool,
}

impl KindFinder {
    pub(super) fn forget(&mut self) {
        self.found.clear();
        self.has_looked = false;
    }

    /// The value at this place. `None` where there is none, or where the input breaks off before it.
    pub(super) fn value<'i>(
        &mut self,
        place: KindPlace,
        kinds: &[String],
        input: &'i [u8],
        rules: &Rules,
    ) -> Option<Leaf<'i>> {
        if !self.has_looked {
            self.has_looked = true;
            // What is wrong with the input, the walk that is under way will say.
            let mut looking = KindSink { kinds, found: &mut self.found };
            drop(self.walker.decode(input, rules, &mut looking));
            self.found.sort_unstable();
        }
        let after = self.found.partition_point(|found| found.place <= place);
        let found = self.found.get(after.checked_sub(1)?).filter(|found| found.place == place)?;
        let bytes = input.get(usize::try_from(found.value).ok()?..)?;
        match token::read(&mut Cursor::new(bytes), rules) {
            Ok(Token::Leaf(leaf)) => Some(leaf),
            _ => None,
        }
    }
}

/// A Dictionary on the way, and which kind its current key is.
#[derive(Debug)]
struct Pair {
    at: u64,
    kind: Option<usize>,
}

struct KindSink<'a> {
    kinds: &'a [String],
    found: &'a mut Vec<KindValue>,
}

impl Sink for KindSink<'_> {
    /// Where a value begins, and which of the kinds it is as a key.
    type Output = (u64, Option<usize>);
    type Frame = Pair;

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<Self::Output, Refusal> {
        Ok((
            at,
            match leaf {
                Leaf::Text(_, text) => self.kinds.iter().position(|kind| kind == text.as_str()),
                _ => None,
            },
        ))
    }

    fn open(&mut self, at: u64, _: Container<'_>, _: usize) -> Result<Pair, Refusal> {
        Ok(Pair { at, kind: None })
    }

    fn key(&mut self, frame: &mut Pair, (_, kind): Self::Output) -> Result<(), Refusal> {
        frame.kind = kind;
        Ok(())
    }

    fn item(&mut self, frame: &mut Pair, (value, _): Self::Output) -> Result<(), Refusal> {
        if let Some(name) = frame.kind.take() {
            self.found.push(KindValue { place: KindPlace { dictionary: frame.at, name }, value });
        }
        Ok(())
    }

    fn close(&mut self, frame: Pair) -> Result<Self::Output, Refusal> {
        Ok((frame.at, None))
    }
}
