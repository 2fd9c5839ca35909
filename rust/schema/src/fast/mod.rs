//! Checks bytes that lie as the schema foresees, without a walk. Its fallback is the walker with a
//! [`Validator`](crate::Validator), which is asked whenever this gives no answer.
//!
//! It accepts what is right beyond doubt, and refuses a value where everything before it was right, with the kind of error
//! that the walk would name. Keys are compared as engines write them, bounds stand beside the types. Limits on sizes
//! are met by comparing all of them with the length of the input once ([`Limits::are_beyond`]). It recurses, but
//! never deeper than [`MAX_LEVELS`], and keeps nothing.

mod leaf;
pub(crate) mod route;
mod row_validator;
mod with_defaults;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Token, plain_container, plain_text};
use variant_core::{Cost, ErrorKind, FlatNames, Rules, VariantType};

use crate::judge;
use crate::program::{Dict, Filling, Kinds, Node, Program, ShapeRules, Tuple, Tuples};
use row_validator::References;
pub use row_validator::{EntryPoint, FollowStart, PendingReference, RowValidator, Target};
pub use with_defaults::FilledBytes;

/// Containers in one another; the walk has no such bound.
const MAX_LEVELS: usize = 16;
/// Entries up to which a Dictionary cannot cost much, whatever its keys are: the walk counts no probes for them.
const SMALL: u32 = 8;

/// Keys that are tried one after another: so many optional ones may be left out in a row.
const SOON: usize = 4;
/// Keys up to which a key is compared with each.
const FEW: usize = 16;

const DICTIONARY: u32 = VariantType::Dictionary.id() as u32;
const ARRAY: u32 = VariantType::Array.id() as u32;

/// The verdict on bytes without a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The bytes are one value that the program accepts. `reshapes`: decoding makes another of it, with defaults or
    /// typed containers.
    Fits {
        /// See there.
        reshapes: bool,
    },
    /// The walk would end with this violation.
    Refused(ErrorKind),
}

#[doc(hidden)]
impl Program {
    /// The verdict on bytes that lie as the schema foresees. `None`: it takes a walk to say.
    #[must_use]
    pub fn straight(&self, bytes: &[u8], rules: &Rules) -> Option<Verdict> {
        self.follow(bytes, rules, None)
    }

    /// Judges the bytes as [`Program::straight`] does, and where decoding reshapes the value, writes the
    /// bytes of the result.
    #[must_use]
    pub fn reshape(&self, bytes: &[u8], rules: &Rules, reshaped: &mut FilledBytes) -> Option<Verdict> {
        self.follow(bytes, rules, Some(reshaped))
    }

    fn follow<'a>(
        &'a self,
        bytes: &'a [u8],
        rules: &'a Rules,
        mut into: Option<&'a mut FilledBytes>,
    ) -> Option<Verdict> {
        if let Some(into) = &mut into {
            into.clear();
        }
        let route = self.route.as_ref()?;
        let length = u64::try_from(bytes.len()).ok()?;
        let limits = &rules.limits;
        if limits.max_depth == 0 || !rules.cannot_refuse(length, route) {
            return None;
        }
        let left = limits.left_beside(length, rules);
        let mut straight = Straight { into, ..Straight::new(self, rules, bytes, bytes.len(), left) };
        if straight.value(self.root, 0) {
            if !straight.rest.is_empty() {
                return None;
            }
            let Straight { reshapes, into, .. } = straight;
            if let Some(into) = into.filter(|_| reshapes) {
                into.apply(bytes);
            }
            return Some(Verdict::Fits { reshapes });
        }
        if let Some(into) = straight.into.take() {
            into.clear();
        }
        // Containers that are refused have declared what they do not hold: each level once more.
        let length = length.saturating_mul(u64::try_from(MAX_LEVELS).unwrap_or(u64::MAX));
        let is_beyond =
            limits.are_beyond(length, rules) && straight.added.is_within(limits.left_beside(length, rules));
        straight.refused.filter(|_| is_beyond).map(Verdict::Refused)
    }
}

struct Straight<'a> {
    program: &'a Program,
    rules: &'a Rules,
    rest: &'a [u8],
    /// Bytes in all.
    end: usize,
    reshapes: bool,
    /// The cost of what is filled in, and how much of it the limits certainly allow.
    added: Cost,
    left: Cost,
    /// Where to note what decoding makes of them.
    into: Option<&'a mut FilledBytes>,
    refused: Option<ErrorKind>,
    /// The names that came; nothing before the first.
    names: Option<FlatNames<'a>>,
    /// The references that were met; nothing where RIDs are values like others.
    references: Option<References<'a>>,
}

/// Every step tells whether to go on; when not, `refused` says why, or nothing does.
impl<'a> Straight<'a> {
    /// Begins to follow these bytes, which end at byte `end` of all. It is inlined, so that what is made is not moved.
    #[inline(always)]
    const fn new(
        program: &'a Program,
        rules: &'a Rules,
        rest: &'a [u8],
        end: usize,
        left: Cost,
    ) -> Straight<'a> {
        Straight {
            program,
            rules,
            rest,
            end,
            reshapes: false,
            added: Cost { values: 0, heap: 0 },
            left,
            into: None,
            refused: None,
            names: None,
            references: None,
        }
    }

    /// The value that comes next, inside so many containers.
    fn value(&mut self, at: usize, level: usize) -> bool {
        let node = self.program.node(at);
        if node.nullable && self.word(0) {
            return true;
        }
        match &node.what {
            ShapeRules::Int { .. } | ShapeRules::Float { .. } => self.number(node, level),
            ShapeRules::Text { .. } => self.text(node, level),
            ShapeRules::Math { ty, .. } => self.math(node, level, *ty),
            ShapeRules::Enum(listed) => self.listed(node, listed),
            ShapeRules::Array { item, typed } => {
                let Some(count) = self.open(ARRAY, 4, level) else { return self.other(node, level) };
                if let Some(ty) = typed {
                    self.make_typed(*ty);
                }
                match judge::size(u64::from(count), node.schema.demands()) {
                    Ok(()) => (0..count).all(|_| self.value(*item, level.saturating_add(1))),
                    Err(kind) => self.refuse(kind),
                }
            }
            ShapeRules::Tuple(tuple) => match self.open(ARRAY, 4, level) {
                Some(count) => self.elements(tuple, count, level),
                None => self.other(node, level),
            },
            ShapeRules::Tuples(tuples) => self.tuples(node, tuples, level),
            ShapeRules::Dict(dict) => match self.open(DICTIONARY, 8, level) {
                Some(count) => self.entries(dict, count, level),
                None => self.other(node, level),
            },
            ShapeRules::Kinds(kinds) => self.kinds(node, kinds, level),
            ShapeRules::Union(_) => self.union(node, level),
            ShapeRules::Any => self.any(node, level),
            _ => self.with_care(node),
        }
    }

    /// The word that comes next, if it is this one.
    #[inline(always)]
    fn word(&mut self, expected: u32) -> bool {
        match self.rest.split_first_chunk() {
            Some((word, rest)) if u32::from_le_bytes(*word) == expected => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// The count of an untyped container that opens here and that the bytes have room for, if there is one.
    #[inline(always)]
    fn open(&mut self, header: u32, smallest: usize, level: usize) -> Option<u32> {
        let (count, rest) = plain_container(self.rest, header, smallest)?;
        let is_deep = level >= MAX_LEVELS
            || u64::try_from(level).unwrap_or(u64::MAX).saturating_add(1) >= self.rules.limits.max_depth;
        if is_deep {
            return None;
        }
        self.rest = rest;
        Some(count)
    }

    fn elements(&mut self, tuple: &'a Tuple, count: u32, level: usize) -> bool {
        if !tuple.has_size(count) {
            return self.refuse(ErrorKind::WrongSize);
        }
        let head = self.at();
        let mut items = tuple.items.iter().take(usize::try_from(count).unwrap_or(usize::MAX));
        if !items.all(|item| self.value(*item, level.saturating_add(1))) {
            return false;
        }
        let missing = tuple.fillings(count);
        if missing.is_empty() {
            return true;
        }
        if !self.may_add(tuple.added(count)) {
            return false;
        }
        self.fill(head, count, missing.iter());
        true
    }

    /// An Array whose first element tells what the rest is.
    fn tuples(&mut self, node: &'a Node, tuples: &'a Tuples, level: usize) -> bool {
        let Some(count) = self.open(ARRAY, 4, level) else { return self.other(node, level) };
        let first = if count > 0 { token::read(&mut Cursor::new(self.rest), self.rules).ok() } else { None };
        let told = match first {
            Some(Token::Leaf(leaf)) => tuples.told.find(&leaf).and_then(|at| tuples.cases.get(at)),
            _ => None,
        };
        match told.map(|case| &self.program.node(*case).what) {
            Some(ShapeRules::Tuple(tuple)) => self.elements(tuple, count, level),
            _ => false,
        }
    }

    fn entries(&mut self, dict: &'a Dict, count: u32, level: usize) -> bool {
        if count > SMALL && dict.most_probes > self.rules.limits.max_key_probes {
            return false;
        }
        let head = self.at();
        let (mut seen, mut next) = (0_u64, 0_usize);
        for _ in 0..count {
            let Some((number, node)) = self.key(dict, next) else { return false };
            let bit = 1_u64.wrapping_shl(number);
            if seen & bit != 0 {
                // Twice the same: that is the walk's to say.
                return false;
            }
            seen |= bit;
            next = usize::try_from(number).unwrap_or(usize::MAX).saturating_add(1);
            if !self.value(node, level.saturating_add(1)) {
                return false;
            }
        }
        // What is filled in is charged before a key is missed, as in a walk.
        let has = |number: usize| seen.wrapping_shr(u32::try_from(number).unwrap_or(0)) & 1 == 1;
        let lacks_defaults = dict.defaults & !seen != 0;
        if lacks_defaults && !self.may_add(dict.added(count, (None, None), has)) {
            return false;
        }
        if dict.required & !seen != 0 {
            return self.refuse(ErrorKind::MissingKey);
        }
        if lacks_defaults {
            let keys = dict.keys.iter().enumerate().filter(|(number, _)| !has(*number));
            self.fill(head, count, keys.filter_map(|(_, key)| key.filled_in.as_ref()));
        }
        true
    }

    /// The number and the node of the key that comes next, most likely the one after the last, or soon after it.
    #[inline(always)]
    fn key(&mut self, dict: &'a Dict, next: usize) -> Option<(u32, usize)> {
        let soon = dict.keys.iter().enumerate().skip(next).take(SOON);
        for (number, key) in soon {
            if let Some(rest) = key.encoded.strip(self.rest) {
                self.rest = rest;
                return Some((u32::try_from(number).ok()?, key.node));
            }
        }
        self.other_key(dict, next)
    }

    /// A key that stands where the schema does not have it, or none of the schema's. Keys that are few are compared as
    /// they stand: what is none of their bytes is none of them, since a text that is taken here has one encoding.
    #[inline(never)]
    fn other_key(&mut self, dict: &'a Dict, next: usize) -> Option<(u32, usize)> {
        let is_small = dict.keys.len() <= FEW;
        if is_small {
            for (number, key) in dict.keys.iter().enumerate() {
                if let Some(rest) = key.encoded.strip(self.rest) {
                    self.rest = rest;
                    return Some((u32::try_from(number).ok()?, key.node));
                }
            }
        }
        let (ty, name, rest) = plain_text(self.rest, self.rules)?;
        if ty != VariantType::String {
            return None;
        }
        self.rest = rest;
        let found = if is_small { None } else { dict.find(name.as_str(), next) };
        match found.and_then(|at| Some((at, dict.keys.get(at)?))) {
            Some((at, key)) => Some((u32::try_from(at).ok()?, key.node)),
            None => {
                // What an open one holds besides is the walk's to look at.
                if !dict.open {
                    self.refuse(ErrorKind::UnknownKey);
                }
                None
            }
        }
    }

    /// A Dictionary whose first value tells what the rest is.
    fn kinds(&mut self, node: &'a Node, kinds: &'a Kinds, level: usize) -> bool {
        let Some(count) = self.open(DICTIONARY, 8, level) else { return self.other(node, level) };
        let value = kinds.key.strip(self.rest).filter(|_| count > 0);
        let told = value.and_then(|value| match token::read(&mut Cursor::new(value), self.rules) {
            Ok(Token::Leaf(leaf)) => kinds.cases.get(kinds.told.find(&leaf)?),
            _ => None,
        });
        let Some(case) = told else { return false };
        match &self.program.node(*case).what {
            ShapeRules::Dict(dict) => self.entries(dict, count, level),
            _ => false,
        }
    }

    /// The alternative for the type that comes; where there are several, they are tried as the walk tries them.
    #[inline(never)]
    fn union(&mut self, node: &'a Node, level: usize) -> bool {
        let ShapeRules::Union(alternatives) = &node.what else { return false };
        if self.is_reference() {
            return self.reference(node);
        }
        let ty = self.rest.first().copied().and_then(VariantType::from_id);
        let of_type = alternatives.iter().find(|alternative| Some(alternative.ty) == ty);
        match of_type.map(|alternative| alternative.nodes.as_slice()) {
            Some([only]) => self.value(*only, level),
            _ => self.with_care(node),
        }
    }

    /// Where the next byte stands.
    fn at(&self) -> usize {
        self.end.saturating_sub(self.rest.len())
    }

    /// Charges what is to be filled in. Whether no limit can speak even so: else a walk says at which byte, if one does.
    fn may_add(&mut self, cost: Cost) -> bool {
        self.added = self.added.and(cost);
        self.added.is_within(self.left)
    }

    /// The container whose children began at `head` lacks these, which are charged.
    fn fill<'d>(&mut self, head: usize, count: u32, missing: impl Iterator<Item = &'d Filling>) {
        let (at, mut total) = (self.at(), count);
        for filling in missing {
            self.reshapes = true;
            total = total.saturating_add(1);
            if let Some(into) = &mut self.into {
                into.add(at, &filling.bytes);
            }
        }
        if let Some(into) = self.into.as_mut().filter(|_| total > count) {
            into.set_word(head.saturating_sub(4), total);
        }
    }

    /// The Array that has just opened is to be typed.
    fn make_typed(&mut self, ty: VariantType) {
        self.reshapes = true;
        let head = self.at().saturating_sub(8);
        if let Some(into) = &mut self.into {
            let (header, behind) = with_defaults::typed_array(ty);
            into.set_word(head, header);
            into.add(head.saturating_add(4), &behind);
        }
    }

    #[cold]
    fn refuse(&mut self, kind: ErrorKind) -> bool {
        self.refused = Some(kind);
        false
    }
}
