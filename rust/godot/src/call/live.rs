//! Checks live values against a schema: the tokens of a Variant go to the validator that checks bytes too.
//!
//! The bytes are only counted, so that depth, size and offsets are those of the encoding. Most values are
//! right, so a fast path first writes the bytes and checks those.

use std::cell::Cell;

use godot::builtin::Variant;
use variant_core::token::{Container, Count, Leaf, Text, TextForm};
use variant_core::{Encoder, Error, ErrorKind, Fault, Limits, Rejection, Sink, VariantType};
use variant_schema::{Checker, Program, Validator};

use crate::engine::read::{self, Listener, ListenerFilter, Telling};
use crate::raw::in_place::{self, Bounds, EncodeRoom};

/// The size of an encoding from which on only the tokens are checked: nothing so large is copied just for a
/// check.
const MOST_BYTES: u64 = 4 << 20;

/// The most values that a game's own value may have, each counted wherever it stands: as many as bytes may
/// have by default. A value that contains one container many times would otherwise be walked for minutes.
pub(crate) const MOST_VALUES: u64 = Limits::save_file().max_values;

/// The most values that are checked behind the first violation, to find others: a refusal must not cost as
/// much as accepting everything.
const MORE_VALUES: u64 = 1 << 16;

/// Holds the memory of the fast path, which only confirms that a value is right.
#[derive(Default)]
pub(crate) struct FastCheck {
    room: EncodeRoom,
    checker: Checker,
}

impl FastCheck {
    /// Tells whether a value is certainly right, by its bytes: they are written where the value can be read
    /// in place, and checked under rules that refuse values which bytes cannot represent. False means
    /// nothing.
    pub(crate) fn is_right(&mut self, program: &Program, value: &Variant) -> bool {
        let Limits { max_depth, .. } = Limits::engine();
        let bounds = Bounds {
            max_depth,
            max_output_bytes: MOST_BYTES,
            full_objects: false,
            write_leaf: read::leaf_alone,
        };
        let accepts = |bytes: &[u8]| self.checker.accepts(program, bytes, &read::RULES);
        in_place::lend_encoded(value, &bounds, &mut self.room, accepts).unwrap_or(false)
    }
}

/// Returns the first violations of a value, at most `most`, and checks at most `most_values` values. A
/// container that contains itself counts as too deep.
pub(crate) fn violations(
    checker: &mut Checker,
    program: &Program,
    value: &Variant,
    most: usize,
    most_values: u64,
) -> Vec<Rejection> {
    // The first walk ends at the first violation. The next one, which collects, ends soon behind it.
    let first = Cell::new(None);
    checker.told(program, most, |validator| {
        let limit = first.get().map_or(most_values, |told: u64| told.saturating_add(MORE_VALUES));
        let (outcome, told) = tell(value, validator, limit);
        match (first.replace(Some(told)), &outcome) {
            (Some(_), Err(error)) if matches!(error.kind(), ErrorKind::TooManyValues { .. }) => Ok(()),
            _ => outcome,
        }
    })
}

/// Passes a limited number of values to the validator, and returns how many there were.
fn tell(value: &Variant, validator: &mut Validator<'_>, limit: u64) -> (Result<(), Error>, u64) {
    let (mut count, limits) = (Count::default(), Limits::engine());
    let mut told = LiveChecker { count: Encoder::new(&mut count, &limits), validator };
    let mut bounded = ListenerFilter::bounded(&mut told, limit);
    (read::encode(value, Telling { listener: &mut bounded, full_objects: false }), bounded.told)
}

struct LiveChecker<'v, 'a, 'c> {
    count: Encoder<'c, Count>,
    validator: &'v mut Validator<'a>,
}

impl LiveChecker<'_, '_, '_> {
    /// Counts the bytes of a token, and checks it where it stands.
    fn tell(
        &mut self,
        count: impl FnOnce(&mut Encoder<'_, Count>) -> Result<(), Fault>,
        check: impl FnOnce(&mut Validator<'_>, u64) -> Result<(), ErrorKind>,
    ) -> Result<(), Fault> {
        let at = self.count.at();
        count(&mut self.count)?;
        check(self.validator, at).map_err(|kind| Fault::new(kind, at))
    }
}

impl Listener for LiveChecker<'_, '_, '_> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        // A null object is written as null, and read as null.
        let read = if *leaf == Leaf::ObjectId(0) { Leaf::Nil } else { *leaf };
        self.tell(|count| count.leaf(leaf), |validator, at| validator.leaf(at, read))
    }

    fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault> {
        let text: String = chars.iter().collect();
        let leaf = Leaf::Text(ty, Text::new(&text));
        self.tell(|count| count.chars(ty, chars), |validator, at| validator.leaf(at, leaf))
    }

    fn open(&mut self, container: &Container<'_>) -> Result<(), Fault> {
        self.tell(|count| count.open(container), |validator, at| validator.open(at, *container, 0))
    }

    fn text(&mut self, form: TextForm, text: &str) -> Result<(), Fault> {
        self.tell(|count| count.text(form, text), |validator, _| validator.text(&mut (), Text::new(text)))
    }

    fn text_chars(&mut self, form: TextForm, chars: &[char]) -> Result<(), Fault> {
        let text: String = chars.iter().collect();
        self.tell(
            |count| count.text_chars(form, chars),
            |validator, _| validator.text(&mut (), Text::new(&text)),
        )
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.count.close();
        let at = self.count.at();
        self.validator.close(()).map_err(|kind| Fault::new(kind, at))
    }

    fn fault(&self, kind: ErrorKind) -> Fault {
        self.count.fault(kind)
    }

    fn wanted_key(&self) -> Option<&str> {
        self.validator.wanted_key()
    }

    fn foretell(&mut self, leaf: Option<&Leaf<'_>>) {
        self.validator.foretell(leaf);
    }
}
