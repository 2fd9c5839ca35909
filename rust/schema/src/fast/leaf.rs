//! Leaves in few instructions, each judged as the walk would judge it. A leaf that is not plain is read with
//! care, once.

use variant_core::cursor::Cursor;
use variant_core::token::{
    self, Container, Lanes, Leaf, Text, plain_float, plain_int, plain_text, short_string,
};
use variant_core::wire::{Lane, Layout, WIDE};
use variant_core::{ErrorKind, FlatNames, VariantType};

use super::{ARRAY, DICTIONARY, Straight};
use crate::judge;
use crate::literals_index::ListedLiterals;
use crate::program::{Node, ShapeRules};

const INT: u32 = VariantType::Int.id() as u32;
const FLOAT: u32 = VariantType::Float.id() as u32;
const NODE_PATH: u32 = VariantType::NodePath.id() as u32;

impl<'a> Straight<'a> {
    /// An int or a float.
    #[inline(always)]
    pub(super) fn number(&mut self, node: &'a Node, level: usize) -> bool {
        let read = match &node.what {
            ShapeRules::Int { .. } => plain_int(self.rest).map(|(number, rest)| (Leaf::Int(number), rest)),
            ShapeRules::Float { .. } => {
                plain_float(self.rest).map(|(number, rest)| (Leaf::Float(number), rest))
            }
            _ => None,
        };
        let Some((leaf, rest)) = read else { return self.other(node, level) };
        self.rest = rest;
        self.judged(judge::number(&node.what, &leaf))
    }

    /// A text, or a name: of few names no limit can refuse one.
    pub(super) fn text(&mut self, node: &'a Node, level: usize) -> bool {
        let ShapeRules::Text { ty, texts } = &node.what else { return false };
        if self.rest.first_chunk() != Some(&u32::from(ty.id()).to_le_bytes()) {
            return self.other(node, level);
        }
        match plain_text(self.rest, self.rules) {
            Some((read, text, rest)) if read == *ty => {
                if read == VariantType::StringName && !self.is_free_name(&text, rest) {
                    return false;
                }
                self.rest = rest;
                self.judged(judge::text(texts, &text))
            }
            _ => self.other(node, level),
        }
    }

    /// Whether no limit can refuse the name that comes next, in front of this rest.
    #[inline(never)]
    fn is_free_name(&mut self, text: &Text<'_>, rest: &'a [u8]) -> bool {
        let field = self.rest.len().checked_sub(rest.len()).and_then(|used| self.rest.get(..used));
        let names = self.names.get_or_insert_with(|| FlatNames::new(self.rules));
        field.and_then(|field| names.name(field, text)).is_some()
    }

    /// Takes one of the values listed, found by its bytes where they are few. RIDs that are listed stand for classes where
    /// references are met, so none is taken as it is.
    pub(super) fn listed(&mut self, node: &'a Node, listed: &'a ListedLiterals) -> bool {
        let few = if self.references.is_some() { &[] } else { listed.few() };
        match few.iter().find_map(|literal| literal.encoded.strip(self.rest)) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => self.not_found(node, listed),
        }
    }

    /// Refuses a value that is none of the few listed, each of which has a single encoding here; where many
    /// are listed, it looks among them.
    #[inline(never)]
    fn not_found(&mut self, node: &'a Node, listed: &ListedLiterals) -> bool {
        if self.references.is_some() {
            return self.with_care(node);
        }
        let other = |ty| if listed.has_type(ty) { ErrorKind::NotInEnum } else { ErrorKind::WrongType };
        let allowed = self.rules.limits.allowed_types;
        // Most often it is a String that fits a word: of that no more has to be known.
        let is_short = short_string(self.rest).is_some() && allowed.contains(VariantType::String);
        if is_short && !listed.few().is_empty() {
            return self.refuse(other(VariantType::String));
        }
        match plain_text(self.rest, self.rules) {
            Some((ty, ..)) if !allowed.contains(ty) => false,
            Some((ty, ..)) if !listed.few().is_empty() => self.refuse(other(ty)),
            Some((VariantType::String, text, rest)) => {
                self.rest = rest;
                let leaf = Leaf::Text(VariantType::String, text);
                self.judged(judge::leaf(self.program, node, &leaf))
            }
            _ => self.with_care(node),
        }
    }

    /// A fixed count of numbers, none of them wider than engines write them.
    pub(super) fn math(&mut self, node: &'a Node, level: usize, ty: VariantType) -> bool {
        let Layout::Math(lane, count) = ty.layout() else { return false };
        let lane = if lane == Lane::I32 { lane } else { Lane::F32 };
        let Some((word, rest)) = self.rest.split_first_chunk() else { return false };
        let split = rest.split_at_checked(usize::from(count).wrapping_shl(2));
        match split.and_then(|(numbers, rest)| Some((Lanes::new(numbers, lane)?, rest))) {
            Some((lanes, rest)) if u32::from_le_bytes(*word) == u32::from(ty.id()) => {
                self.rest = rest;
                self.judged(judge::math(ty, &lanes, node))
            }
            _ => self.other(node, level),
        }
    }

    /// Takes a value that is not plain and of the node's one type. Most often it is a number, a text or a
    /// plain container instead: those need no care. Only the first name comes here, against which no
    /// limit speaks.
    #[inline(never)]
    pub(super) fn other(&mut self, node: &'a Node, level: usize) -> bool {
        let header = self.rest.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let has = |bytes: usize| self.rest.len() >= bytes;
        let ty = match header {
            INT if has(8) => VariantType::Int,
            FLOAT if has(8) => VariantType::Float,
            _ if header == INT | WIDE && has(12) => VariantType::Int,
            _ if header == FLOAT | WIDE && has(12) => VariantType::Float,
            // The node's own type does not open here, or it would have: that is as it was.
            ARRAY if self.open(ARRAY, 4, level).is_some() => VariantType::Array,
            DICTIONARY if self.open(DICTIONARY, 8, level).is_some() => VariantType::Dictionary,
            NODE_PATH if self.is_path() => VariantType::NodePath,
            _ => match plain_text(self.rest, self.rules) {
                Some((ty, ..)) => ty,
                _ => return self.with_care(node),
            },
        };
        if self.rules.limits.allowed_types.contains(ty) { self.refuse(ErrorKind::WrongType) } else { false }
    }

    /// Tells whether a NodePath opens here. Its names come after the verdict.
    fn is_path(&self) -> bool {
        let opening = token::read(&mut Cursor::new(self.rest), self.rules);
        matches!(opening, Ok(token::Token::Open(Container::NodePath { .. })))
    }

    /// Whatever leaf comes, read as the walk reads it. Its faults are the walk's to tell, and so are containers, many
    /// names and references.
    #[inline(never)]
    pub(super) fn with_care(&mut self, node: &'a Node) -> bool {
        if self.is_reference() {
            return self.reference(node);
        }
        let mut cursor = Cursor::new(self.rest);
        let Ok(token::Token::Leaf(leaf)) = token::read(&mut cursor, self.rules) else { return false };
        let rest = cursor.rest();
        let is_free = match &leaf {
            Leaf::Text(VariantType::StringName, text) => self.is_free_name(text, rest),
            Leaf::Rid(_) | Leaf::ObjectId(_) | Leaf::Callable | Leaf::Signal(..) => false,
            _ => self.rules.limits.allowed_types.contains(leaf.ty()),
        };
        // Padding may be missing behind a packed array that ends the input.
        let read = self.rest.len().saturating_sub(rest.len());
        if !is_free || u64::try_from(read) != Ok(cursor.at()) {
            return false;
        }
        self.rest = rest;
        self.judged(judge::leaf(self.program, node, &leaf))
    }

    #[inline(always)]
    fn judged(&mut self, judged: Result<(), ErrorKind>) -> bool {
        match judged {
            Ok(()) => true,
            Err(kind) => self.refuse(kind),
        }
    }
}
