//! Keys of a Dictionary: which of the schema's it is, which are still missing, and which kind they tell.
//! A key is compared where it lies in the input; nothing is copied.

use variant_core::token::{Container, Leaf};
use variant_core::{ErrorKind, Refusal};

use super::Validator;
use super::ahead::KindPlace;
use super::open::NextPart;
use crate::describe;
use crate::judge;
use crate::program::{ANY, Dict, Kinds, ShapeRules, Tuples};

const WORD: usize = 64;

impl Validator<'_> {
    /// Bits for the keys of a dict that opens.
    pub(super) fn reserve_seen(&mut self, node: usize) {
        if let ShapeRules::Dict(dict) = &self.program.node(node).what {
            let words = dict.keys.len().div_ceil(WORD);
            let start = self.scratch.top.seen;
            self.scratch.seen.resize(start.saturating_add(words), 0);
        }
    }

    /// A key without children.
    pub(super) fn key_leaf(&mut self, at: u64, leaf: &Leaf<'_>) -> Result<(), Refusal> {
        self.note_name(leaf);
        let program = self.program;
        if let ShapeRules::Kinds(kinds) = &program.node(self.scratch.top.node).what {
            let is_kind = matches!(leaf, Leaf::Text(_, text)
                if program.kinds.get(kinds.name).is_some_and(|name| name == text.as_str()));
            if is_kind {
                // The value decides; the key is entered when it has.
                self.scratch.top.choosing = Some(self.scratch.top.node);
                return Ok(());
            }
            self.look_ahead(kinds);
        }
        match &program.node(self.scratch.top.node).what {
            ShapeRules::Dict(dict) => self.key_of_dict(at, dict, leaf),
            ShapeRules::Map { key, value, .. } => {
                self.scratch.top.child = *value;
                match judge::leaf(program, program.node(*key), leaf) {
                    Ok(()) => Ok(()),
                    Err(kind) => self.report_leaf(at, kind, *key, leaf),
                }
            }
            _ => Ok(()),
        }
    }

    fn key_of_dict(&mut self, at: u64, dict: &Dict, leaf: &Leaf<'_>) -> Result<(), Refusal> {
        let found = match leaf {
            Leaf::Text(_, text) => dict.find(text.as_str(), self.scratch.top.next_key),
            _ => None,
        };
        match found.and_then(|number| dict.keys.get(number).map(|key| (number, key.node))) {
            Some((number, node)) => {
                self.scratch.top.child = node;
                self.scratch.top.next_key = number.saturating_add(1);
                self.mark(number);
                Ok(())
            }
            None => {
                self.scratch.top.child = ANY;
                if dict.open { Ok(()) } else { self.report_unknown(at, dict) }
            }
        }
    }

    /// A key with children: no dict knows it; a map's own check is that of any value.
    pub(super) fn key_container(&mut self, at: u64, _: &Container<'_>) -> Result<(), Refusal> {
        let program = self.program;
        if let ShapeRules::Kinds(kinds) = &program.node(self.scratch.top.node).what {
            self.look_ahead(kinds);
        }
        self.scratch.top.key = None;
        match &program.node(self.scratch.top.node).what {
            ShapeRules::Dict(dict) => {
                self.scratch.top.child = ANY;
                if dict.open { Ok(()) } else { self.report_unknown(at, dict) }
            }
            ShapeRules::Map { value, .. } => {
                self.scratch.top.child = *value;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The value under the key that tells the kind, or the first element of a tuple, is this leaf, or has children.
    pub(super) fn chosen(&mut self, leaf: Option<&Leaf<'_>>) -> Result<(), Refusal> {
        let Some(node) = self.scratch.top.choosing.take() else { return Ok(()) };
        let program = self.program;
        match &program.node(node).what {
            ShapeRules::Kinds(kinds) => {
                self.become_kind(kinds, leaf);
                self.enter_kind_key(kinds);
            }
            ShapeRules::Tuples(tuples) => return self.become_tuple(tuples, leaf),
            _ => {}
        }
        Ok(())
    }

    /// The first element is this leaf, or has children and tells nothing.
    fn become_tuple(&mut self, tuples: &Tuples, first: Option<&Leaf<'_>>) -> Result<(), Refusal> {
        let (program, count) = (self.program, self.scratch.top.count);
        let case = first.and_then(|leaf| tuples.cases.get(tuples.told.find(leaf)?));
        let node = case.map_or(tuples.none, |node| *node);
        let ShapeRules::Tuple(tuple) = &program.node(node).what else { return Ok(()) };
        if tuple.has_size(count) {
            self.scratch.top.node = node;
            self.scratch.top.child = tuple.items.first().copied().unwrap_or(ANY);
            return Ok(());
        }
        // As of a tuple that is alone: nothing is said of elements where their number is wrong.
        self.scratch.top.node = ANY;
        let schema = &program.node(node).schema;
        self.report_around(ErrorKind::WrongSize, || (schema.accepts(), describe::elements(count)))
    }

    /// The key whose value tells what the Dictionary is that opened last, if one does.
    #[must_use]
    pub fn wanted_key(&self) -> Option<&str> {
        match self.innermost() {
            ShapeRules::Kinds(kinds) => self.program.kinds.get(kinds.name).map(String::as_str),
            _ => None,
        }
    }

    /// The value under that key, before anything else in the Dictionary is told. `None`: it has children, or there is
    /// none.
    pub fn foretell(&mut self, leaf: Option<&Leaf<'_>>) {
        let program = self.program;
        if let ShapeRules::Kinds(kinds) = &program.node(self.scratch.top.node).what {
            self.become_kind(kinds, leaf);
        }
    }

    /// The kind does not stand first.
    fn look_ahead(&mut self, kinds: &Kinds) {
        let place = KindPlace { dictionary: self.scratch.top.at, name: kinds.name };
        let kind = self.scratch.ahead.value(place, &self.program.kinds, self.input, self.rules);
        self.become_kind(kinds, kind.as_ref());
    }

    fn become_kind(&mut self, kinds: &Kinds, value: Option<&Leaf<'_>>) {
        let case = value.and_then(|leaf| kinds.cases.get(kinds.told.find(leaf)?));
        let node = case.map_or(kinds.none, |node| *node);
        self.scratch.top.node = node;
        self.reserve_seen(node);
    }

    /// The key was read before it was known whose key it is.
    fn enter_kind_key(&mut self, kinds: &Kinds) {
        let program = self.program;
        let name = program.kinds.get(kinds.name).map_or("", String::as_str);
        if let ShapeRules::Dict(dict) = &program.node(self.scratch.top.node).what
            && let Some(number) = dict.find(name, 0)
        {
            self.scratch.top.child = dict.keys.get(number).map_or(ANY, |key| key.node);
            self.scratch.top.next_key = number.saturating_add(1);
            self.mark(number);
        }
    }

    fn mark(&mut self, number: usize) {
        let word = self.scratch.top.seen.saturating_add(number >> 6);
        if let Some(word) = self.scratch.seen.get_mut(word) {
            *word |= 1u64.wrapping_shl(u32::try_from(number & 63).unwrap_or(0));
        }
    }

    /// Whether the key of this number is there, in the Dictionary whose bits begin at `seen`.
    pub(crate) fn has_key(&self, seen: usize, number: usize) -> bool {
        let word = self.scratch.seen.get(seen.saturating_add(number >> 6)).copied().unwrap_or(0);
        word.wrapping_shr(u32::try_from(number & 63).unwrap_or(0)) & 1 == 1
    }

    /// Tells whether the innermost Dictionary has this key of the schema.
    pub(crate) fn has_own_key(&self, number: usize) -> bool {
        self.has_key(self.scratch.top.seen, number)
    }

    pub(super) fn check_missing(&mut self, node: usize, seen: usize, at: u64) -> Result<(), Refusal> {
        let ShapeRules::Dict(dict) = &self.program.node(node).what else { return Ok(()) };
        for (number, key) in dict.keys.iter().enumerate() {
            if self.has_key(seen, number) {
                continue;
            }
            self.scratch.reshapes |= key.default.is_some();
            if key.is_required {
                self.report(at, ErrorKind::MissingKey, || {
                    (format!("the key {}", describe::quoted(&key.name)), "none of that name".to_owned())
                })?;
            }
        }
        Ok(())
    }

    #[cold]
    fn report_unknown(&mut self, at: u64, dict: &Dict) -> Result<(), Refusal> {
        // The way to the value under the key, since that is what the sender has to leave out.
        self.scratch.top.turn = NextPart::Item;
        let outcome = self.report(at, ErrorKind::UnknownKey, || {
            let got = if dict.keys.is_empty() { "one" } else { "another one" };
            (describe::keys(dict.keys.iter().map(|key| key.name.as_str())), got.to_owned())
        });
        self.scratch.top.turn = NextPart::Key;
        outcome
    }
}
