//! Judge: whether a value without children is what a node says. It knows no path and makes no text.

use variant_core::token::{Lanes, Leaf, Text};
use variant_core::wire::{Lane, Layout};
use variant_core::{ErrorKind, VariantType};

use crate::literals_index::ListedLiterals;
use crate::program::{Node, Program, ShapeRules, TextRules};
use crate::schema::Demands;

/// How far a squared length may be from 1, as in the engine's `is_normalized()`.
const UNIT: f64 = 0.001;
/// A part of a step that is none.
const NOTHING: f64 = 1e-9;
/// How far `n * step` may be from the float meant, as a part of it, for a step that is rounded: half a unit in the last
/// place for the step, for the product, for what is compared, and for one operation more.
const ROUNDING: f64 = 2.0 * f64::EPSILON;

impl Program {
    /// Whether it accepts this leaf as a whole value. Limits have no say in it.
    #[must_use]
    #[doc(hidden)]
    pub fn accepts_leaf(&self, given: &Leaf<'_>) -> bool {
        leaf(self, self.node(self.root), given).is_ok()
    }
}

/// Returns what is wrong with a leaf, if anything is.
pub(crate) fn leaf(program: &Program, node: &Node, leaf: &Leaf<'_>) -> Result<(), ErrorKind> {
    if node.nullable && matches!(leaf, Leaf::Nil) {
        return Ok(());
    }
    match (&node.what, leaf) {
        (ShapeRules::Any, _) => Ok(()),
        (ShapeRules::Int { .. } | ShapeRules::Float { .. }, _) => number(&node.what, leaf),
        (ShapeRules::Text { ty, texts }, Leaf::Text(got, given)) if ty == got => text(texts, given),
        (ShapeRules::Enum(listed), leaf) => among(listed, leaf),
        (ShapeRules::Math { ty, .. }, Leaf::Math(got, lanes)) if ty == got => math(*ty, lanes, node),
        (ShapeRules::Packed { ty, has_demands }, Leaf::Packed(got, lanes)) if ty == got => {
            if *has_demands {
                packed(*ty, lanes, node.schema.demands())
            } else {
                finite(lanes)
            }
        }
        (ShapeRules::Plain(ty), leaf) if *ty == leaf.ty() => Ok(()),
        (ShapeRules::Union(_), leaf) => union(program, node, leaf),
        _ => Err(ErrorKind::WrongType),
    }
}

/// An int or a float, by a node of such.
#[inline(always)]
pub(crate) fn number(what: &ShapeRules, leaf: &Leaf<'_>) -> Result<(), ErrorKind> {
    match (what, leaf) {
        (ShapeRules::Int { min, max, multiple }, Leaf::Int(number)) => int(*number, *min..=*max, *multiple),
        (ShapeRules::Float { min, max, is_free, multiple }, Leaf::Float(number)) => {
            if !is_free && !number.is_finite() {
                Err(ErrorKind::NotFinite)
            } else if *number < *min || *number > *max || (number.is_nan() && is_bounded(*min, *max)) {
                Err(ErrorKind::OutOfRange)
            } else {
                is_multiple(*number, *multiple)
            }
        }
        _ => Err(ErrorKind::WrongType),
    }
}

/// NaN is in no range, and in none that has no ends is everything.
const fn is_bounded(min: f64, max: f64) -> bool {
    min > f64::NEG_INFINITY || max < f64::INFINITY
}

#[inline(always)]
fn int(number: i64, range: std::ops::RangeInclusive<i64>, multiple: i64) -> Result<(), ErrorKind> {
    if !range.contains(&number) {
        return Err(ErrorKind::OutOfRange);
    }
    if multiple == 1 {
        return Ok(());
    }
    match number.checked_rem(multiple) {
        Some(rest) if rest != 0 => Err(ErrorKind::NotMultiple),
        _ => Ok(()),
    }
}

/// Checks that a number is a multiple. The remainder may be what rounding leaves: a billionth of the step,
/// and where the step itself is rounded (0.1 is), the error that this and one more operation make in a number
/// of this size.
fn is_multiple(number: f64, multiple: f64) -> Result<(), ErrorKind> {
    if multiple == 0.0 {
        return Ok(());
    }
    // The remainder is exact, whatever the sizes. Of what is not finite there is none, which is near nothing.
    let rest = (number % multiple).abs();
    let off = rest.min(multiple - rest);
    let rounding = if is_exact(multiple) { 0.0 } else { ROUNDING * number.abs() };
    if off <= NOTHING * multiple + rounding { Ok(()) } else { Err(ErrorKind::NotMultiple) }
}

/// Whether a step is meant as it stands, such as 3 or 0.25: few of its bits are in use, as never of what was rounded.
const fn is_exact(multiple: f64) -> bool {
    multiple.to_bits().trailing_zeros() >= 32
}

fn among(listed: &ListedLiterals, leaf: &Leaf<'_>) -> Result<(), ErrorKind> {
    if listed.find(leaf).is_some() {
        return Ok(());
    }
    Err(if listed.has_type(leaf.ty()) { ErrorKind::NotInEnum } else { ErrorKind::WrongType })
}

/// Alternatives of the leaf's type, one after the other. When there is only one, what it says counts.
fn union(program: &Program, node: &Node, given: &Leaf<'_>) -> Result<(), ErrorKind> {
    let ShapeRules::Union(alternatives) = &node.what else { return Err(ErrorKind::WrongType) };
    let of_type = alternatives.iter().find(|alternative| alternative.ty == given.ty());
    let Some(of_type) = of_type else { return Err(ErrorKind::WrongType) };
    if of_type.nodes.is_empty() {
        // Null, which no alternative has to agree to.
        return Ok(());
    }
    let mut last = Err(ErrorKind::WrongType);
    for at in &of_type.nodes {
        last = leaf(program, program.node(*at), given);
        if last.is_ok() {
            return Ok(());
        }
    }
    if of_type.nodes.len() == 1 { last } else { Err(ErrorKind::NoAlternative) }
}

/// A text by itself, or one of a PackedStringArray.
pub(crate) fn text(texts: &TextRules, text: &Text<'_>) -> Result<(), ErrorKind> {
    if texts.min_chars > 0 || texts.max_chars < u64::MAX {
        let chars = characters(text);
        if chars < texts.min_chars || chars > texts.max_chars {
            return Err(ErrorKind::WrongSize);
        }
    }
    match &texts.pattern {
        Some(pattern) if !pattern.is_match(text.as_str()) => Err(ErrorKind::PatternMismatch),
        _ => Ok(()),
    }
}

pub(crate) fn characters(text: &Text<'_>) -> u64 {
    let chars = if text.is_ascii() { text.as_bytes().len() } else { text.as_str().chars().count() };
    u64::try_from(chars).unwrap_or(u64::MAX)
}

/// Real numbers are finite unless something else was asked.
pub(crate) fn finite(lanes: &Lanes<'_>) -> Result<(), ErrorKind> {
    let is_finite = match lanes.lane() {
        Lane::F32 => lanes.f32s().all(f32::is_finite),
        Lane::F64 => lanes.f64s().all(f64::is_finite),
        _ => true,
    };
    if is_finite { Ok(()) } else { Err(ErrorKind::NotFinite) }
}

/// A fixed count of numbers. Most are only to be finite.
pub(crate) fn math(ty: VariantType, lanes: &Lanes<'_>, node: &Node) -> Result<(), ErrorKind> {
    match node.what {
        ShapeRules::Math { has_demands: false, .. } => finite(lanes),
        _ => demanding(ty, lanes, node.schema.demands()),
    }
}

fn demanding(ty: VariantType, lanes: &Lanes<'_>, demands: &Demands) -> Result<(), ErrorKind> {
    if !demands.allow_non_finite {
        finite(lanes)?;
    }
    if demands.min_length.is_some() || demands.max_length.is_some() {
        let length = squared(ty, lanes).sqrt();
        let is_within = length >= demands.min_length.unwrap_or(0.0)
            && length <= demands.max_length.unwrap_or(f64::INFINITY);
        if !is_within {
            return Err(ErrorKind::OutOfRange);
        }
    }
    // Not a number is not near 1 either.
    let is_unit = |squared: f64| (squared - 1.0).abs() < UNIT;
    if demands.normalized && !is_unit(squared(ty, lanes)) {
        return Err(ErrorKind::NotNormalized);
    }
    if let Some((min, max)) = demands.packing.quantized.and_then(|grid| grid.range)
        && lanes.widened().any(|number| !is_between(number, min, max))
    {
        return Err(ErrorKind::OutOfRange);
    }
    match &demands.within {
        Some(region) if !is_inside(lanes, region) => Err(ErrorKind::OutOfRange),
        _ => Ok(()),
    }
}

/// Whether a number is in a range, whose ends are also those that a vector of 32 bits holds: 0.1 of one is a little more than 0.1.
fn is_between(number: f64, min: f64, max: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "narrowing is the point")]
    let narrow = |end: f64| f64::from(end as f32);
    number >= min.min(narrow(min)) && number <= max.max(narrow(max))
}

/// The squared length; of a Plane, that of its normal.
pub(crate) fn squared(ty: VariantType, lanes: &Lanes<'_>) -> f64 {
    let count = if ty == VariantType::Plane { 3 } else { usize::MAX };
    match lanes.lane() {
        Lane::I32 => lanes.i32s().take(count).map(|n| f64::from(n) * f64::from(n)).sum(),
        Lane::F32 => lanes.f32s().take(count).map(f64::from).map(|n| n * n).sum(),
        _ => lanes.widened().take(count).map(|n| n * n).sum(),
    }
}

fn is_inside(lanes: &Lanes<'_>, region: &[f64]) -> bool {
    let (from, size) = region.split_at_checked(lanes.count()).unwrap_or((&[], &[]));
    let inside = |n: f64, from: f64, size: f64| n >= from && n <= from + size;
    let edges = from.iter().zip(size);
    match lanes.lane() {
        Lane::I32 => lanes.i32s().zip(edges).all(|(n, (from, size))| inside(f64::from(n), *from, *size)),
        _ => lanes.widened().zip(edges).all(|(n, (from, size))| inside(n, *from, *size)),
    }
}

fn packed(ty: VariantType, lanes: &Lanes<'_>, demands: &Demands) -> Result<(), ErrorKind> {
    size(elements(ty, lanes), demands)?;
    if demands.allow_non_finite { Ok(()) } else { finite(lanes) }
}

/// Elements of a packed array: a vector is one.
pub(crate) fn elements(ty: VariantType, lanes: &Lanes<'_>) -> u64 {
    let each = match ty.layout() {
        Layout::Packed(_, each) => usize::from(each),
        _ => 1,
    };
    u64::try_from(lanes.count().checked_div(each).unwrap_or(0)).unwrap_or(u64::MAX)
}

/// Elements or entries against `min_size` and `max_size`.
pub(crate) fn size(count: u64, demands: &Demands) -> Result<(), ErrorKind> {
    let is_within = count >= demands.min_size.unwrap_or(0) && count <= demands.max_size.unwrap_or(u64::MAX);
    if is_within { Ok(()) } else { Err(ErrorKind::WrongSize) }
}
