//! Live values against a schema: the tokens of a Variant, told to the same validator that bytes are told to. Bytes are
//! only counted, so that depth, size and offsets are those of the encoding. Most values are right, and of those the short
//! way is to write the bytes and to check these.

use std::cell::Cell;

use godot::builtin::Variant;
use variant_core::token::{Container, Count, Leaf, Text, TextForm};
use variant_core::{Encoder, Error, ErrorKind, Fault, Limits, Rules, Sink, VariantType};
use variant_schema::{Checker, Program, Validator, Violation};

use crate::raw::in_place::{self, Bounds, EncodeRoom};
use crate::read::{self, Bounded, Listener};

/// Values whose encoding is larger are told token by token: nothing that large is copied only to be looked at.
const MOST_BYTES: u64 = 4 << 20;

/// Values that a game's own value may have, each counted wherever it stands: as many as bytes may without limits set. What
/// holds one container again and again would be walked for minutes.
pub(crate) const MOST_VALUES: u64 = Limits::save_file().max_values;

/// So many are looked at behind the first violation, for others: a refusal must not cost what accepting all would.
const MORE_VALUES: u64 = 1 << 16;

/// Memory for checks that all is well.
#[derive(Default)]
pub(crate) struct Glance {
    room: EncodeRoom,
    checker: Checker,
}

impl Glance {
    /// Whether a value is right beyond doubt: by its bytes, which are written where the value can be read in place, and
    /// checked under rules that refuse whatever bytes would not say as it is. False says nothing.
    pub(crate) fn is_right(&mut self, program: &Program, value: &Variant) -> bool {
        const RULES: Rules =
            Rules { double_precision: cfg!(feature = "double-precision"), ..Rules::safe(Limits::engine()) };
        let Limits { max_depth, .. } = Limits::engine();
        let bounds = Bounds {
            max_depth,
            max_output_bytes: MOST_BYTES,
            full_objects: false,
            write_leaf: read::leaf_alone,
        };
        let accepts = |bytes: &[u8]| self.checker.accepts(program, bytes, &RULES);
        in_place::lend_encoded(value, &bounds, &mut self.room, accepts).unwrap_or(false)
    }
}

/// What is wrong with a value of at most so many values: at most `most`, and the first ones of it. A container that holds
/// itself is too deep.
pub(crate) fn violations(
    checker: &mut Checker,
    program: &Program,
    value: &Variant,
    (most, most_values): (usize, u64),
) -> Vec<Violation> {
    // The first telling ends at the first violation. The next one, which collects, ends soon behind it.
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

/// Tells the validator of at most so many values, and how many those were.
fn tell(value: &Variant, validator: &mut Validator<'_>, limit: u64) -> (Result<(), Error>, u64) {
    let (mut count, limits) = (Count::default(), Limits::engine());
    let mut told = Told { count: Encoder::new(&mut count, &limits), validator, text: String::new() };
    let mut bounded = Bounded::new(&mut told, limit);
    (read::encode(value, false, &mut bounded), bounded.told())
}

struct Told<'v, 'a, 'c> {
    count: Encoder<'c, Count>,
    validator: &'v mut Validator<'a>,
    /// The text that is told last.
    text: String,
}

impl Told<'_, '_, '_> {
    fn keep(&mut self, chars: &[char]) {
        self.text.clear();
        self.text.extend(chars);
    }
}

impl Listener for Told<'_, '_, '_> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        let at = self.count.at();
        self.count.leaf(leaf)?;
        // A null object is written as null, and is read as such.
        let leaf = if *leaf == Leaf::ObjectId(0) { Leaf::Nil } else { *leaf };
        self.validator.leaf(at, leaf).map_err(|kind| Fault::new(kind, at))
    }

    fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault> {
        let at = self.count.at();
        self.count.chars(ty, chars)?;
        self.keep(chars);
        let leaf = Leaf::Text(ty, Text::new(&self.text));
        self.validator.leaf(at, leaf).map_err(|kind| Fault::new(kind, at))
    }

    fn open(&mut self, container: &Container<'_>) -> Result<(), Fault> {
        let at = self.count.at();
        self.count.open(container)?;
        self.validator.open(at, *container, 0).map_err(|kind| Fault::new(kind, at))
    }

    fn text(&mut self, form: TextForm, text: &str) -> Result<(), Fault> {
        let at = self.count.at();
        self.count.text(form, text)?;
        self.validator.text(&mut (), Text::new(text)).map_err(|kind| Fault::new(kind, at))
    }

    fn text_chars(&mut self, form: TextForm, chars: &[char]) -> Result<(), Fault> {
        let at = self.count.at();
        self.count.text_chars(form, chars)?;
        self.keep(chars);
        let text = Text::new(&self.text);
        self.validator.text(&mut (), text).map_err(|kind| Fault::new(kind, at))
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
