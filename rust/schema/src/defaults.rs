//! Defaults: those that a program states, in the form in which decoding makes values: with typed containers, and with what
//! they lack themselves. Each is made once, after those that are filled into it.

use std::collections::HashMap;

use variant_core::token::{Container, Leaf, Text};
use variant_core::{ErrorKind, Refusal, Sink, ToValue, Value, Walker};

use crate::checker::any_value;
use crate::defaulting_sink::DefaultingSink;
use crate::program::{Filling, Program, ShapeRules};
use crate::size::MAX_LEVELS;
use crate::validator::{Scratch, Validator};

/// Bytes that all defaults may have more than they were stated with, and how many may stand in one another: bounds for
/// schemas that come as JSON, in which a few could double each other again and again.
const MOST_ADDED: usize = 1 << 24;
const MOST_LEVELS: usize = MAX_LEVELS;

const ENDLESS: &str = "the default is filled in with itself again, without an end: say optional(), or a default that lacks \
    nothing";
const TOO_LARGE: &str = "the default becomes too large with the defaults that are filled into it";

/// A default in its place: the node that states it, and the number of the key or element.
struct DefaultPlace {
    node: usize,
    number: usize,
    /// The node that it is a value of.
    of: usize,
    stated: Value,
    bytes: Vec<u8>,
}

/// A default that no program can have filled in, and why.
pub(crate) struct WrongDefault {
    /// The node and the default that it was to have.
    pub(crate) of: usize,
    pub(crate) stated: Value,
    pub(crate) message: &'static str,
}

impl DefaultPlace {
    fn wrong(&self, message: &'static str) -> WrongDefault {
        WrongDefault { of: self.of, stated: self.stated.clone(), message }
    }
}

/// Returns the program with its defaults completed: each as it is filled in, after those that are filled into it.
pub(crate) fn completed(program: Program) -> Result<Program, WrongDefault> {
    let places: Vec<DefaultPlace> =
        (0..program.nodes.len()).flat_map(|node| of_node(&program, node)).collect();
    let numbers = places.iter().enumerate().map(|(at, place)| ((place.node, place.number), at)).collect();
    let states = vec![DefaultState::Stated; places.len()];
    let mut completer = DefaultCompleter { program, numbers, states, added: 0 };
    for at in 0..places.len() {
        completer.complete(&places, at, 0)?;
    }
    Ok(completer.program)
}

#[derive(Clone, Copy)]
enum DefaultState {
    Stated,
    /// Those that are filled into it are being completed.
    Begun,
    /// It has so many bytes, and so many levels of defaults are filled into it, itself included.
    Complete {
        size: usize,
        levels: usize,
    },
}

struct DefaultCompleter {
    program: Program,
    /// The places by node and number.
    numbers: HashMap<(usize, usize), usize>,
    states: Vec<DefaultState>,
    /// Bytes that all defaults have more than they were stated with.
    added: usize,
}

impl DefaultCompleter {
    /// Completes the default of this number, within so many others. It recurses from a default to those that are filled into it.
    fn complete(
        &mut self,
        places: &[DefaultPlace],
        at: usize,
        around: usize,
    ) -> Result<(usize, usize), WrongDefault> {
        let Some((place, state)) = places.get(at).zip(self.states.get_mut(at)) else { return Ok((0, 0)) };
        match *state {
            DefaultState::Complete { size, levels } => return Ok((size, levels)),
            DefaultState::Begun => return Err(place.wrong(ENDLESS)),
            DefaultState::Stated if around > MOST_LEVELS => {
                let is_circle = self.leads_back(places, at)?;
                return Err(place.wrong(if is_circle { ENDLESS } else { TOO_LARGE }));
            }
            DefaultState::Stated => *state = DefaultState::Begun,
        }
        let mut levels = 1_usize;
        for lacking in self.lacking(place)? {
            let (size, below) = self.complete(places, lacking, around.saturating_add(1))?;
            self.added = self.added.saturating_add(size);
            levels = levels.max(below.saturating_add(1));
        }
        if self.added > MOST_ADDED || levels > MOST_LEVELS {
            return Err(place.wrong(TOO_LARGE));
        }
        let value = filled(&self.program, place).ok_or_else(|| place.wrong(TOO_LARGE))?;
        let size = value.encode().map_err(|_| place.wrong(TOO_LARGE))?.len();
        match self.program.nodes.get_mut(place.node).map(|node| &mut node.what) {
            Some(ShapeRules::Dict(dict)) => dict.set_default(place.number, value),
            Some(ShapeRules::Tuple(tuple)) => tuple.set_default(place.number, value),
            _ => {}
        }
        if let Some(state) = self.states.get_mut(at) {
            *state = DefaultState::Complete { size, levels };
        }
        Ok((size, levels))
    }

    /// Tells whether what is filled into this default, at any depth, is one of those around it.
    fn leads_back(&mut self, places: &[DefaultPlace], at: usize) -> Result<bool, WrongDefault> {
        let (mut next, mut seen) = (vec![at], vec![false; places.len()]);
        while let Some(at) = next.pop() {
            if matches!(self.states.get(at), Some(DefaultState::Begun)) {
                return Ok(true);
            }
            if let Some((place, seen)) = places.get(at).zip(seen.get_mut(at))
                && !std::mem::replace(seen, true)
            {
                next.extend(self.lacking(place)?);
            }
        }
        Ok(false)
    }

    /// The defaults with values in them that are filled into this one, as often as they are. All that is filled in is added as
    /// stated, with its keys.
    fn lacking(&mut self, place: &DefaultPlace) -> Result<Vec<usize>, WrongDefault> {
        let (rules, mut scratch) = (any_value(), Scratch::default());
        let validator = Validator::new(&self.program, &mut scratch, &place.bytes, &rules).at_node(place.of);
        let mut sink =
            MissingDefaults { validator, numbers: &self.numbers, found: Vec::new(), added: self.added };
        let walked = Walker::new().visit(&place.bytes, &rules, &mut sink);
        let MissingDefaults { found, added, .. } = sink;
        self.added = added;
        walked.map(|_| found).map_err(|_| place.wrong(TOO_LARGE))
    }
}

/// The defaults of one node that may be other values once they are typed and filled in: those with values in them.
fn of_node(program: &Program, node: usize) -> Vec<DefaultPlace> {
    let place = |number: usize, of: usize, default: &Value| {
        let is_container = matches!(default, Value::Array(_) | Value::Dictionary(_));
        let bytes = is_container.then(|| default.encode().ok()).flatten()?;
        Some(DefaultPlace { node, number, of, stated: default.clone(), bytes })
    };
    match &program.node(node).what {
        ShapeRules::Dict(dict) => {
            let keys = dict.keys.iter().enumerate();
            keys.filter_map(|(number, key)| place(number, key.node, key.default.as_ref()?)).collect()
        }
        ShapeRules::Tuple(tuple) => {
            let items = tuple.items.iter().skip(tuple.least).zip(&tuple.defaults).enumerate();
            items.filter_map(|(number, (of, default))| place(number, *of, default)).collect()
        }
        _ => Vec::new(),
    }
}

fn filled(program: &Program, place: &DefaultPlace) -> Option<Value> {
    let (rules, mut scratch) = (any_value(), Scratch::default());
    let validator = Validator::new(program, &mut scratch, &place.bytes, &rules).at_node(place.of);
    let mut sink = DefaultingSink::new(validator, ToValue);
    Walker::new().decode(&place.bytes, &rules, &mut sink).ok().map(|(value, _)| value)
}

/// Lists what is missing and has a default in the containers of one walk. The walk ends early where that is
/// too much.
struct MissingDefaults<'a> {
    validator: Validator<'a>,
    numbers: &'a HashMap<(usize, usize), usize>,
    found: Vec<usize>,
    added: usize,
}

impl MissingDefaults<'_> {
    fn note(&mut self) -> Result<(), Refusal> {
        let node = self.validator.node();
        match self.validator.innermost() {
            ShapeRules::Dict(dict) => {
                for (number, key) in dict.keys.iter().enumerate() {
                    if let Some(filling) = &key.filled_in
                        && !self.validator.has_own_key(number)
                    {
                        self.add(node, number, filling);
                    }
                }
            }
            ShapeRules::Tuple(tuple) => {
                let missing = tuple.fillings(self.validator.done());
                let from = tuple.fillings.len().saturating_sub(missing.len());
                for (number, filling) in missing.iter().enumerate() {
                    self.add(node, from.saturating_add(number), filling);
                }
            }
            _ => {}
        }
        if self.added > MOST_ADDED { Err(ErrorKind::WrongSize) } else { Ok(()) }
    }

    fn add(&mut self, node: usize, number: usize, filling: &Filling) {
        self.added = self.added.saturating_add(filling.bytes.len());
        self.found.extend(self.numbers.get(&(node, number)));
    }
}

impl Sink for MissingDefaults<'_> {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        self.validator.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<(), Refusal> {
        self.validator.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut (), text: Text<'_>) -> Result<(), Refusal> {
        self.validator.text(frame, text)
    }

    fn key(&mut self, frame: &mut (), (): ()) -> Result<(), Refusal> {
        self.validator.key(frame, ())
    }

    fn item(&mut self, frame: &mut (), (): ()) -> Result<(), Refusal> {
        self.validator.item(frame, ())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.note()?;
        self.validator.close(())
    }
}
