//! Live values against a schema: the tokens of a Variant, told to the same validator that bytes are told to. Bytes are
//! only counted, so that depth, size and offsets are those of the encoding. Most values are right, and of those the short
//! way is to write the bytes and to check these.

use godot::builtin::Variant;
use variant_core::token::{Container, Count, Leaf, Text, TextForm};
use variant_core::{Encoder, Error, ErrorKind, Fault, Limits, Rules, Sink, VariantType};
use variant_schema::{Checker, Program, Validator, Violation};

use crate::raw::in_place::{self, Bounds, EncodeRoom};
use crate::read::{self, Listener};

/// Values whose encoding is larger are told token by token: nothing that large is copied only to be looked at.
const MOST_BYTES: u64 = 4 << 20;

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

/// What is wrong with a value, at most `most`. A container that holds itself is too deep.
pub(crate) fn violations(
    checker: &mut Checker,
    program: &Program,
    value: &Variant,
    most: usize,
) -> Vec<Violation> {
    checker.told(program, most, |validator| tell(value, validator))
}

fn tell(value: &Variant, validator: &mut Validator<'_>) -> Result<(), Error> {
    let (mut count, limits) = (Count::default(), Limits::engine());
    let mut told = Told { count: Encoder::new(&mut count, &limits), validator, text: String::new() };
    read::encode(value, false, &mut told)
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
