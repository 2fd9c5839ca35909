//! Plan: which parts of a layout are predicted. It is made once, and reads no value.

use crate::layout::{Dict, Key, KeyedEntries, Layout, Node, Wire};
use crate::math_types::Solid;

use super::predict::Lane;

/// Dictionaries within dictionaries whose fields are told apart: a bound on the stack.
const MOST_LEVELS: usize = 16;
/// Fields of a dictionary that is told by its fields, and the keys of those in it.
const MOST_FIELDS: usize = 1000;
/// The place of a field that is not there.
pub(crate) const MISSING: usize = usize::MAX;

#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) root: Tree,
    /// Its keyed arrays and maps, each with the number of its key.
    pub(crate) sets: Vec<(usize, Set)>,
    /// Whether a field of the root is a column.
    pub(crate) has_columns: bool,
}

#[derive(Debug)]
pub(crate) struct Set {
    /// The number of the root's field.
    pub(crate) field: usize,
    pub(crate) keyed: KeyedEntries,
    pub(crate) tree: Tree,
}

/// A Dictionary with those in it that are always there, as one row of fields.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) fields: Vec<Leaf>,
    pub(crate) branch: Branch,
    /// Where each field begins, counted from the first code, if that is always the same.
    offsets: Option<Vec<usize>>,
    /// The bits that a changed one takes at least to say which of its keys are there and others.
    pub(crate) least_flags: u64,
}

/// A part that is no Dictionary that is always there.
#[derive(Debug)]
pub(crate) struct Leaf {
    pub(crate) node: usize,
    pub(crate) is_optional: bool,
    pub(crate) has_bits: bool,
    pub(crate) column: Option<Column>,
    /// The names on the way to it.
    pub(crate) names: Vec<String>,
}

/// The numbers of a field: some that are predicted one by one, then perhaps a rotation.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) lanes: Vec<Lane>,
    /// The bits of the rotation's numbers.
    pub(crate) turn: Option<u32>,
}

pub(crate) const TURN_LANES: usize = 3;

impl Column {
    fn of(node: &Node) -> Option<Column> {
        let all =
            |forms: &[crate::number_codec::Form]| forms.iter().map(Lane::of).collect::<Option<Vec<Lane>>>();
        match &node.wire {
            _ if node.nullable => None,
            Wire::Number(_, form) => Some(Column { lanes: vec![Lane::of(form)?], turn: None }),
            Wire::Solid { solid, .. } => match solid {
                Solid::Each(forms) => Some(Column { lanes: all(forms)?, turn: None }),
                Solid::Rotation(bits) => Some(Column { lanes: Vec::new(), turn: Some(*bits) }),
                Solid::Rigid(forms, bits) => Some(Column { lanes: all(forms)?, turn: Some(*bits) }),
                Solid::Direction(_) | Solid::Flat(_) => None,
            },
            _ => None,
        }
    }

    /// The numbers that have a code of their own.
    pub(crate) fn numbers(&self) -> usize {
        self.lanes.len().saturating_add(if self.turn.is_some() { TURN_LANES } else { 0 })
    }

    pub(crate) fn codes(&self) -> usize {
        self.lanes.len().saturating_add(if self.turn.is_some() { TURN_LANES.saturating_add(1) } else { 0 })
    }

    pub(crate) const fn turn_lane(bits: u32) -> Lane {
        let most = 1_u64.wrapping_shl(bits.wrapping_sub(1)).wrapping_sub(1);
        Lane::Range { last: most.wrapping_mul(2), width: bits }
    }

    /// The rotation among the codes of the field.
    pub(crate) fn turn_of(&self, codes: &[u64], at: usize) -> [u64; 4] {
        let turn = codes.get(at.saturating_add(self.lanes.len())..).and_then(<[u64]>::first_chunk);
        turn.copied().unwrap_or_default()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Branch {
    pub(crate) optional: usize,
    pub(crate) twigs: Vec<Twig>,
}

#[derive(Debug)]
pub(crate) enum Twig {
    Known,
    Leaf(usize),
    Branch(Branch),
}

impl Layout {
    /// The node that this one stands for.
    pub(crate) fn resolved(&self, mut at: usize) -> Option<&Node> {
        for _ in 0..MOST_LEVELS {
            let node = self.node(at)?;
            match node.wire {
                Wire::Same(next) if !node.nullable => at = next,
                _ => return Some(node),
            }
        }
        None
    }

    pub(crate) fn wire_of(&self, at: usize) -> Option<&Wire> {
        self.resolved(at).map(|node| &node.wire)
    }
}

pub(crate) fn complete(layout: &mut Layout) {
    layout.plan = Plan::of(layout);
}

impl Plan {
    fn of(layout: &Layout) -> Option<Plan> {
        let node = layout.resolved(layout.root)?;
        let Wire::Dict(dict) = &node.wire else { return None };
        if node.nullable {
            return None;
        }
        let root = Tree::of_dict(layout, dict, 0)?;
        let mut sets = Vec::new();
        for (number, key) in dict.keys.iter().enumerate() {
            // Dictionaries within have fields of their own before it.
            let field = root.branch.twigs.get(number);
            if let Some(Twig::Leaf(field)) = field
                && let Some(set) = Set::of(layout, key.node, *field)
            {
                sets.push((number, set));
            }
        }
        let has_columns = root.fields.iter().any(|field| field.column.is_some());
        Some(Plan { root, sets, has_columns })
    }

    pub(crate) fn set(&self, key: usize) -> Option<&Set> {
        self.sets.iter().find(|(number, _)| *number == key).map(|(_, set)| set)
    }
}

impl Set {
    fn of(layout: &Layout, at: usize, field: usize) -> Option<Set> {
        let node = layout.resolved(at)?;
        let Wire::Keyed(keyed) = &node.wire else { return None };
        if node.nullable {
            return None;
        }
        let tree = match keyed.dict(layout) {
            Some(dict) => Tree::of_dict(layout, dict, 1)?,
            None => Tree::of_value(layout, keyed.item)?,
        };
        Some(Set { field, keyed: *keyed, tree })
    }
}

impl Tree {
    /// The first keys are known before. None: it has too many fields.
    fn of_dict(layout: &Layout, dict: &Dict, known: usize) -> Option<Tree> {
        let mut tree = Tree::default();
        let branch = tree.grown(layout, dict, &mut Vec::new(), known)?;
        tree.branch = branch;
        tree.fix(layout);
        let has_flag = |key: &&Key| key.is_optional || layout.least_bits(&[key.node]) > 0;
        let flags = dict.keys.iter().skip(known).filter(has_flag).count();
        tree.least_flags = crate::text::length(flags);
        Some(tree)
    }

    fn of_value(layout: &Layout, at: usize) -> Option<Tree> {
        let node = layout.resolved(at)?;
        if let Wire::Dict(dict) = &node.wire
            && !node.nullable
        {
            return Tree::of_dict(layout, dict, 0);
        }
        let mut tree = Tree::default();
        tree.fields.push(Leaf::of(layout, at, &[])?);
        tree.branch.twigs.push(Twig::Leaf(0));
        tree.fix(layout);
        Some(tree)
    }

    fn grown(
        &mut self,
        layout: &Layout,
        dict: &Dict,
        names: &mut Vec<String>,
        known: usize,
    ) -> Option<Branch> {
        let mut branch = Branch { optional: dict.optional, twigs: Vec::new() };
        for (number, key) in dict.keys.iter().enumerate() {
            if number < known {
                branch.twigs.push(Twig::Known);
                continue;
            }
            names.push(key.name.clone());
            let node = layout.resolved(key.node)?;
            let twig = match &node.wire {
                Wire::Dict(inner) if !key.is_optional && !node.nullable && names.len() < MOST_LEVELS => {
                    Twig::Branch(self.grown(layout, inner, names, 0)?)
                }
                _ => {
                    let leaf = Leaf::of(layout, key.node, names)?;
                    self.fields.push(Leaf { is_optional: key.is_optional, ..leaf });
                    Twig::Leaf(self.fields.len().saturating_sub(1))
                }
            };
            names.pop();
            branch.twigs.push(twig);
            if self.fields.len() > MOST_FIELDS {
                return None;
            }
        }
        Some(branch)
    }

    fn fix(&mut self, layout: &Layout) {
        let is_fixed = |field: &Leaf| {
            !field.is_optional && layout.node(field.node).is_some_and(|node| node.codes.is_some())
        };
        if self.fields.iter().all(is_fixed) {
            let mut offsets = Vec::new();
            self.walk(layout, &[], 0, &mut offsets);
            self.offsets = Some(offsets);
        }
    }

    /// Where a field begins of a value whose codes begin at `at`, if all values have it at the same place.
    #[inline]
    pub(crate) fn fixed_place(&self, field: usize, at: usize) -> Option<usize> {
        self.offsets.as_ref()?.get(field).map(|offset| offset.saturating_add(at))
    }

    pub(crate) const fn is_fixed(&self) -> bool {
        self.offsets.is_some()
    }

    /// Where each field begins of a value whose codes begin at `at`, or that it is missing.
    pub(crate) fn locate(&self, layout: &Layout, codes: &[u64], at: usize, places: &mut Vec<usize>) {
        match &self.offsets {
            Some(offsets) => places.extend(offsets.iter().map(|offset| offset.saturating_add(at))),
            None => self.walk(layout, codes, at, places),
        }
    }

    fn walk(&self, layout: &Layout, codes: &[u64], at: usize, places: &mut Vec<usize>) {
        FieldFinder { fields: &self.fields, layout, codes, places }.branch(&self.branch, at);
    }
}

struct FieldFinder<'f> {
    fields: &'f [Leaf],
    layout: &'f Layout,
    codes: &'f [u64],
    places: &'f mut Vec<usize>,
}

impl FieldFinder<'_> {
    /// Finds the fields of a branch whose codes begin at `at`. Returns where they end.
    fn branch(&mut self, branch: &Branch, at: usize) -> usize {
        let mut flags = at;
        let mut next = at.saturating_add(branch.optional);
        for twig in &branch.twigs {
            match twig {
                Twig::Known => next = next.saturating_add(1),
                Twig::Branch(inner) => next = self.branch(inner, next),
                Twig::Leaf(field) => {
                    let Some(field) = self.fields.get(*field) else { continue };
                    if field.is_optional {
                        let is_there = self.codes.get(flags).copied() == Some(1);
                        flags = flags.saturating_add(1);
                        if !is_there {
                            self.places.push(MISSING);
                            continue;
                        }
                    }
                    self.places.push(next);
                    next = self.layout.skip(field.node, self.codes, next);
                }
            }
        }
        next
    }
}

impl Leaf {
    /// A part that is always there.
    fn of(layout: &Layout, at: usize, names: &[String]) -> Option<Leaf> {
        let has_bits = layout.node(at)?.codes != Some(0);
        let node = layout.resolved(at)?;
        Some(Leaf { node: at, is_optional: false, has_bits, column: Column::of(node), names: names.to_vec() })
    }
}

pub(crate) fn part(codes: &[u64], at: usize, count: usize) -> Option<&[u64]> {
    codes.get(at..at.saturating_add(count))
}
