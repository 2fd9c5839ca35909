//! Checker: bytes or values against a program, from first violation to all of them.
//!
//! The first walk only asks whether; a second one, over input that was refused, asks where and what. So texts cost
//! nothing until something is wrong, and the first violation is the same however many are asked for.

use variant_core::{Error, Extent, Limits, Rejection, Rules, ToValue, Value, Walker};

use crate::defaulting_sink::DefaultingSink;
use crate::fast::Verdict;
use crate::program::Program;
use crate::validator::{Scratch, Validator};

/// Memory for checks: keep it and use it again.
#[derive(Debug, Default)]
pub struct Checker {
    walker: Walker<()>,
    scratch: Scratch,
    bytes: Vec<u8>,
}

/// The node of a program that judges, and how many violations are looked for.
struct ViolationSearch {
    node: usize,
    most: usize,
}

impl Checker {
    /// A checker without anything in it.
    #[must_use]
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Whether bytes hold one value that the program accepts. Allocates nothing once warm.
    ///
    /// # Errors
    /// The first thing wrong: with the format, a limit, or the schema.
    pub fn validate(
        &mut self,
        program: &Program,
        bytes: &[u8],
        rules: &Rules,
    ) -> Result<Extent, Box<Rejection>> {
        match program.straight(bytes, rules) {
            Some(Verdict::Fits { reshapes }) => {
                self.scratch.reshapes = reshapes;
                return Ok(Extent { consumed: u64::try_from(bytes.len()).unwrap_or(u64::MAX), trailing: 0 });
            }
            Some(Verdict::Refused(_)) => {
                if let Some(first) = self.violations(program, bytes, rules, 1).pop() {
                    return Err(Box::new(first));
                }
            }
            None => {}
        }
        let mut validator = Validator::new(program, &mut self.scratch, bytes, rules).passing_over();
        match self.walker.decode(bytes, rules, &mut validator) {
            Ok(((), extent)) => Ok(extent),
            Err(error) => Err(self.explain(program, bytes, rules, &error)),
        }
    }

    /// Tells whether decoding makes another of the value that was validated last: with defaults, or with typed containers.
    #[must_use]
    pub const fn reshapes(&self) -> bool {
        self.scratch.reshapes
    }

    /// Tells whether the program accepts the bytes, without a word about what is wrong.
    #[must_use]
    pub fn accepts(&mut self, program: &Program, bytes: &[u8], rules: &Rules) -> bool {
        match program.straight(bytes, rules) {
            Some(verdict) => matches!(verdict, Verdict::Fits { .. }),
            None => {
                let mut validator = Validator::new(program, &mut self.scratch, bytes, rules).passing_over();
                self.walker.decode(bytes, rules, &mut validator).is_ok()
            }
        }
    }

    /// The value of bytes that the program accepts, with defaults filled in.
    ///
    /// # Errors
    /// Fails as [`Checker::validate`] does.
    pub fn decode(
        &mut self,
        program: &Program,
        bytes: &[u8],
        rules: &Rules,
    ) -> Result<Value, Box<Rejection>> {
        let validator = Validator::new(program, &mut self.scratch, bytes, rules);
        let mut sink = DefaultingSink::new(validator, ToValue);
        match Walker::new().decode(bytes, rules, &mut sink) {
            Ok((value, _)) => Ok(value),
            Err(error) => Err(self.explain(program, bytes, rules, &error)),
        }
    }

    /// Lists what is wrong with bytes, in the order of the bytes and at most `most`. A fault of the format
    /// ends the list.
    pub fn violations(
        &mut self,
        program: &Program,
        bytes: &[u8],
        rules: &Rules,
        most: usize,
    ) -> Vec<Rejection> {
        self.collect(program, bytes, rules, ViolationSearch { node: program.root, most })
    }

    /// Whether a value is what the program accepts.
    ///
    /// # Errors
    /// The first violation; its offset is that in the value's encoding.
    pub fn check(&mut self, program: &Program, value: &Value) -> Result<(), Box<Rejection>> {
        self.check_node(program, program.root, value)
    }

    /// Lists what is wrong with a value, at most `most`.
    pub fn check_all(&mut self, program: &Program, value: &Value, most: usize) -> Vec<Rejection> {
        self.all_of_node(program, program.root, value, most)
    }

    /// Lists what is wrong with a value by a part of the program.
    pub(crate) fn check_node(
        &mut self,
        program: &Program,
        node: usize,
        value: &Value,
    ) -> Result<(), Box<Rejection>> {
        match self.all_of_node(program, node, value, 1).pop() {
            Some(violation) => Err(Box::new(violation)),
            None => Ok(()),
        }
    }

    fn all_of_node(&mut self, program: &Program, node: usize, value: &Value, most: usize) -> Vec<Rejection> {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        let found = match value.encode_into(&mut bytes, &Limits::engine()) {
            Ok(()) => self.collect(program, &bytes, &any_value(), ViolationSearch { node, most }),
            Err(error) => vec![Rejection::from(&error)],
        };
        self.bytes = bytes;
        found
    }

    /// Lists what is wrong with a value that is no bytes, at most `most`. `tell` tells the validator of it,
    /// as often as it is asked to, and hands back what ends the telling.
    #[doc(hidden)]
    pub fn told(
        &mut self,
        program: &Program,
        most: usize,
        tell: impl Fn(&mut Validator<'_>) -> Result<(), Error>,
    ) -> Vec<Rejection> {
        match tell(&mut Validator::live(program, &mut self.scratch)) {
            Err(error) if most > 0 && error.kind().is_of_schema() => {}
            Err(error) if most > 0 => return vec![Rejection::from(&error)],
            _ => return Vec::new(),
        }
        let outcome = tell(&mut Validator::live(program, &mut self.scratch).collecting(most));
        self.found(outcome.err(), most)
    }

    /// The first thing wrong with bytes that another sink passes on to the validator; `walk` makes the walk, and hands back
    /// what ended it.
    #[doc(hidden)]
    pub fn passed_on(
        &mut self,
        program: &Program,
        bytes: &[u8],
        rules: &Rules,
        walk: impl FnOnce(Validator<'_>) -> Option<Error>,
    ) -> Vec<Rejection> {
        let end = walk(Validator::new(program, &mut self.scratch, bytes, rules).collecting(1));
        self.found(end, 1)
    }

    fn collect(
        &mut self,
        program: &Program,
        bytes: &[u8],
        rules: &Rules,
        ViolationSearch { node, most }: ViolationSearch,
    ) -> Vec<Rejection> {
        if most == 0 {
            return Vec::new();
        }
        let validator = Validator::new(program, &mut self.scratch, bytes, rules);
        let mut validator = validator.at_node(node).collecting(most);
        let outcome = self.walker.decode(bytes, rules, &mut validator);
        self.found(outcome.err(), most)
    }

    /// Returns what was collected, and what ended the walk unless that was the schema's.
    fn found(&mut self, end: Option<Error>, most: usize) -> Vec<Rejection> {
        let mut found = std::mem::take(&mut self.scratch.found);
        match end {
            Some(error) if !error.kind().is_of_schema() && found.len() < most => {
                found.push(Rejection::from(&error));
            }
            _ => {}
        }
        found
    }

    /// The first violation of input that was refused.
    #[cold]
    fn explain(&mut self, program: &Program, bytes: &[u8], rules: &Rules, error: &Error) -> Box<Rejection> {
        if error.kind().is_of_schema()
            && let Some(first) = self.violations(program, bytes, rules, 1).pop()
        {
            return Box::new(first);
        }
        Box::new(Rejection::from(error))
    }
}

/// A value that is already there may hold what no file or packet may.
pub(crate) fn any_value() -> Rules {
    Rules { full_objects: true, ..Rules::engine() }
}
