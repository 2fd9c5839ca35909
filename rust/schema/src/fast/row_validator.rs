//! Follows one value after another straight, in bytes of which they are a part, and takes RIDs in them for references to
//! objects: for documents, whose form `variant-objects` knows. It says only yes or nothing.

use variant_core::token::{Leaf, plain_text};
use variant_core::{Contents, Cost, FlatNames, Rules, Trick, VariantType};

use super::{ARRAY, DICTIONARY, SMALL, Straight, route};
use crate::judge;
use crate::program::{Node, Program, ShapeRules};

const RID: u32 = VariantType::Rid.id() as u32;

/// Objects of one class of a document, which references may be to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The upper half of the RID that a schema lists for the class.
    pub stand_in: u64,
    /// The number of its first object, where all objects are counted.
    pub first: u32,
    /// How many objects there are.
    pub rows: u32,
}

/// A reference that was met, and is judged once all classes of the document are known.
#[derive(Debug)]
pub struct PendingReference<'a> {
    /// The byte at which it stands.
    pub at: usize,
    /// The number of the object that holds it, as [`RowValidator::follow`] was told.
    pub holder: u32,
    id: u64,
    node: &'a Node,
}

/// References among the values that are followed.
#[derive(Debug, Default)]
pub(super) struct References<'a> {
    holder: u32,
    met: Vec<PendingReference<'a>>,
}

/// A part of a program whose values can be followed.
#[derive(Debug)]
pub struct EntryPoint {
    root: usize,
    route: Contents,
}

/// Values that lie one after another, and are followed.
pub struct RowValidator<'a> {
    straight: Straight<'a>,
    root: usize,
    level: usize,
}

/// Where the values begin that are followed.
#[derive(Debug)]
pub struct FollowStart<'a> {
    /// The byte.
    pub at: usize,
    /// How many containers are around them.
    pub level: usize,
    /// The cost that was added before to that of the bytes.
    pub spent: Cost,
    /// The names that came before.
    pub names: Option<FlatNames<'a>>,
}

#[doc(hidden)]
impl Program {
    /// Finds the part of the program at these numbers of elements, where it accepts Arrays in one another. `None` where
    /// its values need a walk.
    #[must_use]
    pub fn entry_point(&self, steps: &[usize]) -> Option<EntryPoint> {
        let mut root = self.root;
        for step in steps {
            root = match &self.node(root).what {
                ShapeRules::Tuple(tuple) => *tuple.items.get(*step)?,
                ShapeRules::Array { item, .. } => *item,
                _ => return None,
            };
        }
        route::contents(&self.nodes, root, Some(VariantType::Rid)).map(|route| EntryPoint { root, route })
    }

    /// Begins to follow values. `None` where a limit or a rule may speak against such values: a walk says then whether it does.
    #[must_use]
    pub fn along<'a>(
        &'a self,
        entry: &EntryPoint,
        bytes: &'a [u8],
        rules: &'a Rules,
        FollowStart { at, level, spent, names }: FollowStart<'a>,
    ) -> Option<RowValidator<'a>> {
        let length = u64::try_from(bytes.len()).ok()?;
        let left = rules.limits.left_beside(length, rules);
        let is_free = rules.cannot_refuse(length, &entry.route);
        if !is_free || !spent.is_within(left) || Trick::RowValidator.is_off() {
            return None;
        }
        let references = Some(References::default());
        let straight = Straight::new(self, rules, bytes.get(at..)?, bytes.len(), left);
        let straight = Straight { added: spent, references, names, ..straight };
        Some(RowValidator { straight, root: entry.root, level })
    }
}

impl<'a> RowValidator<'a> {
    /// Follows the next value, that of an object or of whatever else has this number. False: it takes a walk to say what is
    /// with it, and nothing more can be followed.
    #[must_use]
    pub fn follow(&mut self, holder: u32) -> bool {
        if let Some(references) = &mut self.straight.references {
            references.holder = holder;
        }
        self.straight.value(self.root, self.level)
    }

    /// The byte at which the next value begins.
    #[must_use]
    pub fn at(&self) -> usize {
        self.straight.at()
    }

    /// Whether decoding makes another value of one that was followed.
    #[must_use]
    pub const fn reshapes(&self) -> bool {
        self.straight.reshapes
    }

    /// The cost that was added so far to that of the bytes.
    #[must_use]
    pub const fn spent(&self) -> Cost {
        self.straight.added
    }

    /// The names that came so far.
    #[must_use]
    pub fn names(&self) -> Option<FlatNames<'a>> {
        self.straight.names.clone()
    }

    /// The references that were met.
    #[must_use]
    pub fn references(self) -> Vec<PendingReference<'a>> {
        self.straight.references.map_or_else(Vec::new, |references| references.met)
    }
}

impl PendingReference<'_> {
    /// The number of the object that the reference is to, by the classes of the document in order: the first one has the
    /// number 1 in an RID. `None` where there is no such object, or the program does not want one of its class here.
    #[must_use]
    pub fn target(&self, program: &Program, targets: &[Target]) -> Option<u32> {
        let [row @ .., a, b, c, d] = self.id.to_le_bytes();
        let (row, class) = (u32::from_le_bytes(row), u32::from_le_bytes([a, b, c, d]));
        let target = targets.get(usize::try_from(class.checked_sub(1)?).ok()?)?;
        let leaf = Leaf::Rid(target.stand_in | u64::from(row));
        let is_right = row < target.rows && judge::leaf(program, self.node, &leaf).is_ok();
        is_right.then(|| target.first.saturating_add(row))
    }
}

impl<'a> Straight<'a> {
    /// Whether a reference comes next.
    #[inline(always)]
    pub(super) fn is_reference(&self) -> bool {
        self.references.is_some() && self.rest.first_chunk() == Some(&RID.to_le_bytes())
    }

    /// The reference that comes next, which is judged later.
    #[inline(never)]
    pub(super) fn reference(&mut self, node: &'a Node) -> bool {
        let at = self.at();
        let Some(references) = &mut self.references else { return false };
        let Some((field, rest)) = self.rest.split_first_chunk::<12>() else { return false };
        let [_, _, _, _, id @ ..] = *field;
        references.met.push(PendingReference {
            at,
            holder: references.holder,
            id: u64::from_le_bytes(id),
            node,
        });
        self.rest = rest;
        true
    }

    /// A value of any kind. Each type is held to the limits as it comes, since the schema names none.
    #[inline(never)]
    pub(super) fn any(&mut self, node: &'a Node, level: usize) -> bool {
        let header = self.rest.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let ty = u8::try_from(header & 0xFF).ok().and_then(VariantType::from_id);
        if !ty.is_some_and(|ty| self.rules.limits.allowed_types.contains(ty)) {
            return false;
        }
        match header {
            RID => self.reference(node),
            ARRAY => match self.open(ARRAY, 4, level) {
                Some(count) => (0..count).all(|_| self.any(node, level.saturating_add(1))),
                None => false,
            },
            DICTIONARY => self.any_entries(node, level),
            _ => self.with_care(node),
        }
    }

    /// A Dictionary of few Strings as keys; what others cost is the walk's to count.
    fn any_entries(&mut self, node: &'a Node, level: usize) -> bool {
        let Some(count) = self.open(DICTIONARY, 8, level).filter(|count| *count <= SMALL) else {
            return false;
        };
        let limits = &self.rules.limits;
        if !limits.allowed_key_types.contains(VariantType::String)
            || !limits.allowed_types.contains(VariantType::String)
        {
            return false;
        }
        let mut keys = [""; SMALL as usize];
        for at in 0..usize::try_from(count).unwrap_or(usize::MAX) {
            let Some((VariantType::String, key, rest)) = plain_text(self.rest, self.rules) else {
                return false;
            };
            let (known, free) = keys.split_at_mut(at.min(SMALL as usize));
            let (Some(place), false) = (free.first_mut(), known.contains(&key.as_str())) else {
                return false;
            };
            *place = key.as_str();
            self.rest = rest;
            if !self.any(node, level.saturating_add(1)) {
                return false;
            }
        }
        true
    }
}
