//! Validator: the sink that follows a program while the walker follows the bytes. It builds nothing, keeps one
//! [`OpenContainer`] for each open container, and costs a bounded amount for each value, whatever the schema.

mod ahead;
mod declared;
pub(crate) mod digest;
mod keys;
mod open;
mod report;
mod sink;
#[cfg(test)]
mod tests;

use variant_core::token::Container;
use variant_core::wire::{Coercion, coercion};
use variant_core::{Cost, ErrorKind, Limits, Refusal, Rejection, Rules, Strictness, VariantType};

use crate::judge;
use crate::program::{ANY, Declared, Program, ShapeRules};
use ahead::KindFinder;
use digest::{Digest, Digester};
use open::{ContainerForm, NextPart, OpenContainer};

/// The memory of a validator; keep it and use it again: no allocation once warm.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The innermost container; around the root there is one too.
    top: OpenContainer,
    around: Vec<OpenContainer>,
    /// Which keys of the open dictionaries are there, 64 a word.
    seen: Vec<u64>,
    ahead: KindFinder,
    /// Elements of the open arrays whose elements are to be unique.
    elements: Vec<Element>,
    /// How many such arrays are open.
    unique: usize,
    /// How many containers are open of a value that may be anything and is passed over.
    passed: u32,
    digester: Digester,
    /// Names of keys on the way, kept only while violations are collected.
    names: String,
    /// Whether what is to be built is another value than what the bytes say.
    pub(crate) reshapes: bool,
    pub(crate) found: Vec<Rejection>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Element {
    digest: Digest,
    index: u32,
    at: u64,
}

/// Checks the values of one walk against a program.
#[derive(Debug)]
pub struct Validator<'a> {
    program: &'a Program,
    scratch: &'a mut Scratch,
    /// The whole input, for dictionaries whose kind does not stand first.
    input: &'a [u8],
    rules: &'a Rules,
    /// How many violations to collect; with 0, the first one ends the walk and nothing is noted.
    most: usize,
    /// Whether values that may be anything are passed over.
    passes: bool,
}

impl<'a> Validator<'a> {
    /// Ends the walk at the first violation, whose kind then is the walk's error; no text is made.
    ///
    /// `input` and `rules` have to be those of the walk.
    #[must_use]
    pub fn new(program: &'a Program, scratch: &'a mut Scratch, input: &'a [u8], rules: &'a Rules) -> Self {
        scratch.around.clear();
        scratch.seen.clear();
        scratch.elements.clear();
        scratch.names.clear();
        scratch.found.clear();
        scratch.unique = 0;
        scratch.passed = 0;
        scratch.reshapes = false;
        scratch.ahead.forget();
        scratch.top = OpenContainer::root(program.root);
        Validator { program, scratch, input, rules, most: 0, passes: false }
    }

    /// The validator that this memory was left by, with the same program, input and rules.
    pub(crate) const fn resumed(
        program: &'a Program,
        scratch: &'a mut Scratch,
        input: &'a [u8],
        rules: &'a Rules,
    ) -> Self {
        Validator { program, scratch, input, rules, most: 0, passes: false }
    }

    /// Keeps nothing of what is in a value that may be anything: for walks that ask only whether the program accepts the bytes.
    #[must_use]
    pub fn passing_over(self) -> Self {
        // Under ENGINE the types that containers declare are judged here, wherever they are.
        let passes = self.rules.strictness != Strictness::Engine;
        Validator { passes, ..self }
    }

    /// For a value that is no bytes. Whoever tells of it asks [`Validator::wanted_key`] whenever a Dictionary has opened.
    pub(crate) fn live(program: &'a Program, scratch: &'a mut Scratch) -> Self {
        // A live Dictionary has each key once: nothing has to be counted.
        Validator::new(program, scratch, &[], const { &Rules::safe(Limits::engine()) })
    }

    /// For the value of another node than the program's root.
    pub(crate) fn at_node(self, node: usize) -> Self {
        self.scratch.top = OpenContainer::root(node);
        self
    }

    /// Goes on after a violation until there are so many.
    pub(crate) fn collecting(self, most: usize) -> Self {
        Validator { most, ..self }
    }

    /// The innermost container, and what it is to be.
    pub(crate) fn innermost(&self) -> &'a ShapeRules {
        &self.program.node(self.node()).what
    }

    /// The number of that node.
    pub(crate) const fn node(&self) -> usize {
        self.scratch.top.node
    }

    /// How many elements or entries of it are complete.
    pub(crate) const fn done(&self) -> u32 {
        self.scratch.top.done
    }

    /// Returns the types that the innermost container declares for its keys and elements.
    pub(crate) const fn declared(&self) -> Declared {
        self.scratch.top.declared
    }

    /// Returns the cost of what is filled into the innermost container when it closes, and where its header
    /// stands.
    fn filled_in(&self) -> (u64, Cost) {
        let cost = match self.innermost() {
            ShapeRules::Dict(dict) => {
                dict.added(self.done(), self.declared(), |number| self.has_own_key(number))
            }
            ShapeRules::Tuple(tuple) => tuple.added(self.done()),
            _ => Cost::default(),
        };
        (self.scratch.top.at, cost)
    }

    pub(crate) const fn program(&self) -> &'a Program {
        self.program
    }

    /// Whether these bytes lack a key that has a default, or hold a container that is to be typed and is not: only then
    /// a pass with [`DefaultingSink`](crate::DefaultingSink) gives another value than one without. Known when the walk is over.
    #[must_use]
    pub const fn reshapes(&self) -> bool {
        self.scratch.reshapes
    }

    /// Returns the node that the value that comes next has to fit. A key of a dict is looked up, not judged.
    fn expected(&self) -> usize {
        let top = &self.scratch.top;
        match (top.turn, &self.program.node(top.node).what) {
            (NextPart::Key, ShapeRules::Map { key, .. }) => *key,
            (NextPart::Key, _) => ANY,
            (NextPart::Item, _) => top.child,
        }
    }

    /// In ENGINE strictness the engine would convert or drop such an element, and no check would see the outcome.
    fn check_declared(&mut self, at: u64, ty: VariantType) -> Result<(), Refusal> {
        match self.scratch.top.declared() {
            Some(declared) if coercion(declared, ty) != Coercion::Same => {
                self.report(at, ErrorKind::WrongType, || (declared.name().to_owned(), ty.name().to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The current key or value is complete.
    fn advance(&mut self) {
        let program = self.program;
        let top = &mut self.scratch.top;
        if top.turn == NextPart::Key {
            top.turn = NextPart::Item;
            return;
        }
        top.done = top.done.saturating_add(1);
        if top.form == ContainerForm::Dictionary {
            top.turn = NextPart::Key;
        } else if let ShapeRules::Tuple(tuple) = &program.node(top.node).what {
            let next = usize::try_from(top.done).unwrap_or(usize::MAX);
            top.child = tuple.items.get(next).copied().unwrap_or(ANY);
        }
    }

    /// The node a container is held to, after unions are decided; or what is wrong with it.
    fn resolve(&self, node: usize, container: &Container<'_>) -> Result<usize, ErrorKind> {
        let ty = container.ty();
        let (mut at, mut node) = (node, self.program.node(node));
        if let ShapeRules::Union(alternatives) = &node.what {
            let fitting = alternatives.iter().find(|alternative| alternative.ty == ty);
            at = *fitting.and_then(|it| it.nodes.first()).ok_or(ErrorKind::WrongType)?;
            node = self.program.node(at);
        }
        let demands = node.schema.demands();
        match (&node.what, container) {
            (ShapeRules::Any, _) => {}
            (ShapeRules::Array { .. }, Container::Array { count, .. })
            | (ShapeRules::Map { .. }, Container::Dictionary { count, .. })
            | (ShapeRules::PackedStrings(_), Container::PackedStrings { count }) => {
                judge::size(u64::from(*count), demands)?;
            }
            (ShapeRules::Tuple(tuple), Container::Array { count, .. }) => {
                if !tuple.has_size(*count) {
                    return Err(ErrorKind::WrongSize);
                }
            }
            (ShapeRules::Tuples(_), Container::Array { .. }) => {}
            (ShapeRules::Dict(_) | ShapeRules::Kinds(_), Container::Dictionary { .. }) => {}
            (ShapeRules::Plain(VariantType::NodePath), Container::NodePath { .. }) => {}
            _ => return Err(ErrorKind::WrongType),
        }
        // Without entries there is no kind.
        match (&node.what, container) {
            (ShapeRules::Tuples(_), Container::Array { count: 0, .. }) => Err(ErrorKind::WrongSize),
            (ShapeRules::Kinds(kinds), Container::Dictionary { count: 0, .. }) => Ok(kinds.none),
            _ => Ok(at),
        }
    }

    /// Whether nothing in a container of this node has to be judged or told apart.
    fn is_passed(&self, node: usize) -> bool {
        self.passes && self.scratch.unique == 0 && matches!(self.program.node(node).what, ShapeRules::Any)
    }

    fn enter(&mut self, node: usize, at: u64, container: &Container<'_>) {
        let program = self.program;
        let mut open = OpenContainer::new(node, at, container);
        let counts_keys = self.counts_keys(node, container);
        open.child = match &program.node(node).what {
            ShapeRules::Array { item, .. } => *item,
            ShapeRules::Tuple(tuple) => tuple.items.first().copied().unwrap_or(ANY),
            ShapeRules::Tuples(_) => {
                open.choosing = Some(node);
                ANY
            }
            _ => ANY,
        };
        let scratch = &mut *self.scratch;
        if program.shapes {
            scratch.reshapes |= reshapes(program, &program.node(node).what, open.declared, container);
        }
        open.seen = scratch.seen.len();
        open.name = scratch.names.len();
        if program.node(node).schema.demands().unique || counts_keys {
            open.elements = Some(scratch.elements.len());
            scratch.unique = scratch.unique.saturating_add(1);
        }
        if scratch.unique > 0 {
            open.digest = scratch.digester.container(container);
        }
        scratch.around.push(std::mem::replace(&mut scratch.top, open));
        self.reserve_seen(node);
    }

    /// Adds a finished key, value or text to what tells the container's value from others.
    fn join(&mut self, at: u64, child: Digest) {
        self.join_as(at, child, child);
    }

    /// Adds a child to the digest of its container; where keys are counted it counts as another one.
    fn join_as(&mut self, at: u64, child: Digest, counted: Digest) {
        let scratch = &mut *self.scratch;
        let top = &mut scratch.top;
        if top.elements.is_some() && (top.form == ContainerForm::List || top.turn == NextPart::Key) {
            scratch.elements.push(Element { digest: counted, index: top.done, at });
        }
        top.digest = scratch.digester.join(top.digest, child);
    }

    /// Under ENGINE a key that comes again replaces what was there, so that fewer entries are left than were announced.
    fn counts_keys(&self, node: usize, container: &Container<'_>) -> bool {
        self.rules.strictness == Strictness::Engine
            && matches!(container, Container::Dictionary { .. })
            && self.program.node(node).schema.demands().min_size.is_some()
    }

    /// The first element that was there before, if these are to be unique.
    fn check_unique(&mut self) -> Result<(), Refusal> {
        let Some(start) = self.scratch.top.elements.filter(|_| self.scratch.top.form == ContainerForm::List)
        else {
            return Ok(());
        };
        let elements = self.scratch.elements.get_mut(start..).unwrap_or_default();
        elements.sort_unstable();
        let first = twins(elements).min_by_key(|twin| twin.index);
        self.forget_elements(start);
        let Some(twin) = first else { return Ok(()) };
        self.scratch.top.done = twin.index;
        self.report(twin.at, ErrorKind::NotUnique, || {
            ("each element once".to_owned(), "one that is there already".to_owned())
        })
    }

    /// How many keys of the innermost Dictionary differ, if that was to be counted.
    fn counted_keys(&mut self) -> Option<u64> {
        let start =
            self.scratch.top.elements.filter(|_| self.scratch.top.form == ContainerForm::Dictionary)?;
        let keys = self.scratch.elements.get_mut(start..).unwrap_or_default();
        keys.sort_unstable();
        let differ = keys.len().saturating_sub(twins(keys).count());
        self.forget_elements(start);
        u64::try_from(differ).ok()
    }

    fn forget_elements(&mut self, start: usize) {
        self.scratch.elements.truncate(start);
        self.scratch.unique = self.scratch.unique.saturating_sub(1);
    }

    /// A Dictionary that has closed, of so many different keys. Too many entries were told when it opened.
    fn check_keys(&mut self, node: usize, at: u64, count: u64) -> Result<(), Refusal> {
        let schema = &self.program.node(node).schema;
        if count >= schema.demands().min_size.unwrap_or(0) {
            return Ok(());
        }
        self.report(at, ErrorKind::WrongSize, || {
            let keys = if count == 1 { "key" } else { "different keys" };
            (schema.accepts(), format!("Dictionary of {count} {keys}"))
        })
    }
}

/// Those of these elements in order that are equal to the one before.
fn twins(elements: &[Element]) -> impl Iterator<Item = Element> {
    elements.windows(2).filter_map(|pair| match pair {
        [a, b] if a.digest == b.digest => Some(*b),
        _ => None,
    })
}

/// Whether a container that declares its keys and elements so, or has so few of them, is to be built as another. Object
/// types are more than a number, so they count as different.
fn reshapes(program: &Program, what: &ShapeRules, declared: Declared, container: &Container<'_>) -> bool {
    let differs = |wanted: Option<VariantType>, declared: Option<VariantType>| {
        wanted.is_some() && (wanted != declared || wanted == Some(VariantType::Object))
    };
    match what {
        ShapeRules::Array { typed, .. } => differs(*typed, declared.1),
        ShapeRules::Map { typed: (key, value), .. } => {
            differs(*key, declared.0) || differs(*value, declared.1)
        }
        ShapeRules::Tuple(_) | ShapeRules::Tuples(_) => match container {
            Container::Array { count, .. } => program.may_lack(what, *count),
            _ => false,
        },
        ShapeRules::Dict(_) | ShapeRules::Kinds(_) => match container {
            Container::Dictionary { count, .. } => program.outgrows(what, declared, *count),
            _ => false,
        },
        _ => false,
    }
}

impl Program {
    /// Whether elements of an Array that has so many may be missing, whichever tuple it turns out to be.
    pub(crate) fn may_lack(&self, what: &ShapeRules, count: u32) -> bool {
        match what {
            ShapeRules::Tuple(tuple) => !tuple.missing(count).is_empty(),
            ShapeRules::Tuples(tuples) => {
                tuples.cases.iter().any(|case| self.may_lack(&self.node(*case).what, count))
            }
            _ => false,
        }
    }

    /// Whether what may be filled into a Dictionary of so many entries is nothing that it declares.
    pub(crate) fn outgrows(&self, what: &ShapeRules, declared: Declared, count: u32) -> bool {
        match what {
            _ if declared == (None, None) => false,
            ShapeRules::Dict(dict) => dict.outgrows(declared, count),
            ShapeRules::Kinds(kinds) => {
                kinds.cases.iter().any(|case| self.outgrows(&self.node(*case).what, declared, count))
            }
            _ => false,
        }
    }
}
