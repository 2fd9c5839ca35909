//! Proof: says of which layouts a value that is made of codes needs no second look by the schema's program, since the codes
//! themselves, and the judges of single leaves, already say all that the schema asks. It decides when a layout is made.

use std::sync::Arc;

use variant_core::wire::{Layout as Bytes, RealWidth};
use variant_core::{Contents, Limits, Rules, Strictness, Trick, TypeSet, Value, VariantType};
use variant_schema::Demands;

use crate::judge::Judge;
use crate::layout::{Dict, KeyedEntries, Layout, Node, Proof, Values, Wire};
use crate::math_types::Solid;
use crate::number_codec::Form;

/// Containers in one another.
const MOST_LEVELS: u64 = 16;
/// Entries up to which a Dictionary costs no probes that count.
const SMALL: usize = 8;

impl Layout {
    /// Whether each value of at most so many bytes that is made of its codes is one that the schema accepts under these rules,
    /// as far as no judge of a leaf speaks.
    pub(crate) fn is_proven(&self, bytes: u64, rules: &Rules) -> bool {
        self.proof.is_some_and(|proof| {
            let rules = made_rules(rules);
            proof.levels < rules.limits.max_depth
                && proof.probes <= rules.limits.max_key_probes
                && rules.cannot_refuse(bytes, &proof.contents)
        })
    }
}

/// The rules for bytes that were made of bits: nothing that would lose anything, and at most `max_output_bytes`.
#[must_use]
pub fn made_rules(rules: &Rules) -> Rules {
    let strictness = if rules.is_safe() { rules.strictness } else { Strictness::Safe };
    let limits = Limits { max_bytes: rules.limits.max_output_bytes, ..rules.limits };
    Rules { strictness, reals: rules.reals, ..Rules::safe(limits) }
}

impl Proof {
    /// `None`: some value needs the schema's own look.
    pub(crate) fn of(layout: &Layout) -> Option<Proof> {
        let mut proof = Proof { contents: Contents::NONE, levels: 0, probes: 0, is_typed: false };
        proof.enter(layout, layout.root, 0)?;
        Some(proof)
    }

    fn add(&mut self, ty: VariantType) {
        self.contents.add(TypeSet::of(&[ty]));
    }

    fn enter(&mut self, layout: &Layout, at: usize, level: u64) -> Option<()> {
        let node = layout.node(at).filter(|_| level <= MOST_LEVELS)?;
        self.levels = self.levels.max(level);
        if node.nullable {
            self.add(VariantType::Nil);
        }
        let next = level.saturating_add(1);
        match &node.wire {
            Wire::Nothing(bytes) => self.add(leaf_type(bytes)?),
            Wire::Same(node) => return self.enter(layout, *node, next),
            Wire::Bool => self.add(VariantType::Bool),
            Wire::Number(ty, _) | Wire::Solid { ty, .. } => self.add(*ty),
            Wire::Text(VariantType::String, _) => self.add(VariantType::String),
            Wire::Packed { ty, solid, .. } if is_packed_proven(*ty, solid, node) => self.add(*ty),
            Wire::Enum(values) => self.listed(values)?,
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. })
                if !node.schema.demands().unique =>
            {
                self.add(VariantType::Array);
                self.is_typed |= node.schema.demands().typed;
                self.enter(layout, *item, next)?;
            }
            Wire::Dict(dict) => self.dict(layout, dict, next)?,
            Wire::Cases { tag, values, cases, .. } => {
                self.contents.add_dictionary(1, tag.len());
                self.listed(values)?;
                for case in cases {
                    self.enter(layout, *case, next)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn listed(&mut self, values: &Values) -> Option<()> {
        values.all.iter().try_for_each(|bytes| {
            self.add(leaf_type(bytes)?);
            Some(())
        })
    }

    fn dict(&mut self, layout: &Layout, dict: &Dict, level: u64) -> Option<()> {
        if dict.growing.is_some() {
            return None;
        }
        // The key that tells a case stands beside these.
        let count = dict.keys.len().saturating_add(1);
        let longest = dict.keys.iter().map(|key| key.encoded.len()).max().unwrap_or(0);
        self.contents.add_dictionary(count, longest);
        if count > SMALL {
            let steps = count.saturating_mul(3).saturating_mul(longest.wrapping_shr(4).saturating_add(2));
            self.probes = self.probes.max(crate::text::length(steps));
        }
        dict.keys.iter().try_for_each(|key| {
            let is_filled = key.default.is_none() || key.filling.is_some();
            if is_filled { self.enter(layout, key.node, level) } else { None }
        })
    }
}

/// The type of a listed value, unless it is one that the limits count in another way.
fn leaf_type(bytes: &[u8]) -> Option<VariantType> {
    let ty = bytes.first().copied().and_then(VariantType::from_id)?;
    match ty.layout() {
        Bytes::Nil | Bytes::Bool | Bytes::Int | Bytes::Float | Bytes::Math(..) => Some(ty),
        Bytes::Text if ty == VariantType::String => Some(ty),
        _ => None,
    }
}

/// The judge of a leaf. `None`: its schema contradicts itself.
fn judge(node: &Node) -> Option<Judge> {
    let demands = node.schema.demands();
    let (is_proven, is_bare) = match &node.wire {
        Wire::Number(VariantType::Int, _) => (true, true),
        Wire::Number(_, form) => {
            let is_bare = demands.multiple_of.is_none() && demands.min.is_none() && demands.max.is_none();
            let is_proven = match form {
                Form::Grid(_) => demands.multiple_of.is_none(),
                form => is_bare && matches!(form, Form::Angle { .. }),
            };
            (is_proven, is_bare)
        }
        Wire::Solid { solid, reals, .. } => {
            let is_bare = is_bare_solid(demands);
            (*reals == RealWidth::Single && is_solid_proven(solid, demands), is_bare)
        }
        Wire::Text(..) => {
            let has_size = demands.min_chars.is_some() || demands.max_chars.is_some();
            (demands.pattern.is_none() && !has_size, false)
        }
        // Containers have none.
        _ => (true, true),
    };
    match () {
        () if is_proven || (is_bare && demands.allow_non_finite) => Some(Judge::Codes),
        () if is_bare => Some(Judge::Finite),
        () => node.schema.compile().ok().map(|program| Judge::Program(Arc::new(program))),
    }
}

/// Gives each leaf its judge, and the layout its proof.
pub(crate) fn complete(layout: &mut Layout) {
    let mut is_complete = true;
    for node in &mut layout.nodes {
        let judge = judge(node);
        is_complete &= judge.is_some();
        node.judge = judge.unwrap_or_default();
    }
    layout.proof = Proof::of(layout).filter(|_| is_complete && !Trick::Proof.is_off());
}

/// Whether nothing but finite numbers is asked for.
fn is_bare_solid(demands: &Demands) -> bool {
    let own = demands.packing.quantized.and_then(|grid| grid.range);
    demands.min_length.is_none()
        && demands.max_length.is_none()
        && !demands.normalized
        && demands.within.is_none()
        && own.is_none()
}

fn is_solid_proven(solid: &Solid, demands: &Demands) -> bool {
    if demands.min_length.is_some() || demands.max_length.is_some() || demands.normalized {
        return false;
    }
    let own = demands.packing.quantized.and_then(|grid| grid.range);
    match solid {
        Solid::Each(forms) if own.is_none() || demands.within.is_none() => {
            forms.iter().all(|form| matches!(form, Form::Grid(_) | Form::Span { .. }))
        }
        Solid::Rotation(_) => own.is_none() && demands.within.is_none(),
        _ => false,
    }
}

/// Whether the elements of a packed array are what its codes are.
fn is_packed_proven(ty: VariantType, solid: &Solid, node: &Node) -> bool {
    let demands = node.schema.demands();
    let is_whole = matches!(
        ty,
        VariantType::PackedByteArray | VariantType::PackedInt32Array | VariantType::PackedInt64Array
    );
    let is_plain = demands.pattern.is_none() && !demands.unique && demands.within.is_none();
    let Solid::Each(forms) = solid else { return false };
    is_plain && (is_whole || forms.iter().all(|form| matches!(form, Form::Grid(_))))
}

/// A key and its default as they are filled in, unless the schema may make another value of it: one with values in it.
pub(crate) fn filling(encoded: &[u8], default: &Value) -> Option<Box<[u8]>> {
    let value = default.encode().ok()?;
    let is_empty = matches!(default, Value::Array(array) if array.items.is_empty());
    (is_empty || leaf_type(&value).is_some()).then(|| [encoded, &value].concat().into())
}
