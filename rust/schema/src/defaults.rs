//! Defaults: those that a program states, in the form in which decoding makes values: with typed containers, and with what
//! they lack themselves. Each is made once, after those that are filled into it.

use std::collections::{HashMap, VecDeque};

use variant_core::token::{Container, Leaf, Text};
use variant_core::{ErrorKind, Refusal, Sink, ToValue, Value, Walker};

use crate::checker::any_value;
use crate::defaulting_sink::DefaultingSink;
use crate::filling::Filling;
use crate::program::{Program, ShapeRules};
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

/// Returns the program with its defaults completed: each as it is filled in.
pub(crate) fn completed(mut program: Program) -> Result<Program, WrongDefault> {
    let places: Vec<DefaultPlace> =
        (0..program.nodes.len()).flat_map(|node| of_node(&program, node)).collect();
    let order = FillOrder::of(&program, &places)?;
    let mut added: usize = order.added;
    let mut sizes: Vec<usize> = places.iter().map(|place| place.bytes.len()).collect();
    for at in order.sequence {
        let Some(place) = places.get(at) else { continue };
        let lacks = order.needs.get(at).into_iter().flatten();
        added = lacks.fold(added, |sum, need| sum.saturating_add(sizes.get(*need).copied().unwrap_or(0)));
        if added > MOST_ADDED {
            return Err(place.wrong(TOO_LARGE));
        }
        let value = filled(&program, place).ok_or_else(|| place.wrong(TOO_LARGE))?;
        let bytes = value.encode().map_err(|_| place.wrong(TOO_LARGE))?;
        if let Some(size) = sizes.get_mut(at) {
            *size = bytes.len();
        }
        match program.nodes.get_mut(place.node).map(|node| &mut node.what) {
            Some(ShapeRules::Dict(dict)) => dict.set_default(place.number, value),
            Some(ShapeRules::Tuple(tuple)) => tuple.set_default(place.number, value),
            _ => {}
        }
    }
    Ok(program)
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

/// An order in which each default comes after those that it lacks.
struct FillOrder {
    sequence: Vec<usize>,
    /// For each default, the defaults that are filled into it, as often as they are.
    needs: Vec<Vec<usize>>,
    /// Bytes of the plain ones that are filled in.
    added: usize,
}

impl FillOrder {
    fn of(program: &Program, places: &[DefaultPlace]) -> Result<FillOrder, WrongDefault> {
        let numbers = places.iter().enumerate().map(|(at, place)| ((place.node, place.number), at));
        let numbers: HashMap<_, _> = numbers.collect();
        let mut added = 0;
        let needs = places.iter().map(|place| lacking(program, place, &numbers, &mut added));
        let needs = needs.collect::<Result<Vec<_>, _>>()?;
        let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
        for (at, needs) in needs.iter().enumerate() {
            for need in needs {
                if let Some(waiting) = waiting.get_mut(*need) {
                    waiting.push(at);
                }
            }
        }
        let mut left: Vec<usize> = needs.iter().map(Vec::len).collect();
        let mut levels = vec![1_usize; places.len()];
        let mut ready: VecDeque<usize> = (0..places.len()).filter(|at| left.get(*at) == Some(&0)).collect();
        let mut sequence = Vec::with_capacity(places.len());
        while let Some(at) = ready.pop_front() {
            sequence.push(at);
            let below = levels.get(at).copied().unwrap_or(0);
            if below > MOST_LEVELS
                && let Some(place) = places.get(at)
            {
                return Err(place.wrong(TOO_LARGE));
            }
            for other in waiting.get(at).into_iter().flatten() {
                let (Some(left), Some(level)) = (left.get_mut(*other), levels.get_mut(*other)) else {
                    continue;
                };
                *left = left.saturating_sub(1);
                *level = (*level).max(below.saturating_add(1));
                if *left == 0 {
                    ready.push_back(*other);
                }
            }
        }
        match in_circle(&left, &needs).and_then(|at| places.get(at)) {
            Some(place) => Err(place.wrong(ENDLESS)),
            None => Ok(FillOrder { sequence, needs, added }),
        }
    }
}

/// Returns a default that needs itself, if some were never ready: a walk that follows needs from any of these
/// ends in a circle.
fn in_circle(left: &[usize], needs: &[Vec<usize>]) -> Option<usize> {
    let is_left = |at: &usize| left.get(*at).is_some_and(|left| *left > 0);
    let first = (0..left.len()).find(is_left)?;
    let next = |at: &usize| needs.get(*at)?.iter().copied().find(is_left);
    std::iter::successors(Some(first), next).nth(left.len())
}

/// The defaults with values in them that are filled into this one; what the others come to is added to `added`.
fn lacking(
    program: &Program,
    place: &DefaultPlace,
    numbers: &HashMap<(usize, usize), usize>,
    added: &mut usize,
) -> Result<Vec<usize>, WrongDefault> {
    let (rules, mut scratch) = (any_value(), Scratch::default());
    let validator = Validator::new(program, &mut scratch, &place.bytes, &rules).at_node(place.of);
    let mut sink = MissingDefaults { validator, numbers, found: Vec::new(), added: *added };
    let walked = Walker::new().visit(&place.bytes, &rules, &mut sink);
    *added = sink.added;
    walked.map(|_| sink.found).map_err(|_| place.wrong(TOO_LARGE))
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
