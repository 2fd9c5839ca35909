//! Chooses the forms of numbers by what a schema says of them.

use variant_core::VariantType;
use variant_core::wire::{Lane, Layout, RealWidth};
use variant_schema::{Number, Packing, Schema, Width};

use crate::grid::{Ends, Grid};
use crate::math_types::Solid;
use crate::number_codec::{Form, Start};

const I32: (i64, i64) = (-0x8000_0000, 0x7FFF_FFFF);

pub(super) fn form(ty: VariantType, schema: &Schema) -> Form {
    if ty == VariantType::Int { int(schema, None) } else { float(schema, Ends::Wide) }
}

fn whole(bound: Option<Number>) -> Option<i64> {
    match bound {
        Some(Number::Int(bound)) => Some(bound),
        _ => None,
    }
}

fn real(bound: Option<Number>) -> Option<f64> {
    match bound {
        Some(Number::Float(bound)) => Some(bound),
        #[expect(clippy::cast_precision_loss, reason = "bounds of floats are floats")]
        Some(Number::Int(bound)) => Some(bound as f64),
        None => None,
    }
}

/// `lane` is the range of what holds the number.
fn int(schema: &Schema, lane: Option<(i64, i64)>) -> Form {
    let demands = schema.demands();
    let step = whole(demands.multiple_of).unwrap_or(1).max(1);
    let (mut min, mut max) = (whole(demands.min), whole(demands.max));
    if let Some((least, most)) = lane {
        min = Some(min.unwrap_or(least).clamp(least, most));
        max = Some(max.unwrap_or(most).clamp(least, most));
    }
    match (min, max) {
        (Some(min), Some(max)) => Form::of_ints(min, max, step, &demands.packing),
        (Some(min), None) => {
            let first = min.checked_add(step.saturating_sub(1)).unwrap_or(i64::MAX).div_euclid(step);
            Form::Open { from: Start::Min(first.saturating_mul(step)), step }
        }
        (None, Some(max)) => Form::Open { from: Start::Max(max.div_euclid(step).saturating_mul(step)), step },
        (None, None) => Form::Open { from: Start::Zero, step },
    }
}

fn float(schema: &Schema, ends: Ends) -> Form {
    let demands = schema.demands();
    let packing = &demands.packing;
    let range = real(demands.min).zip(real(demands.max));
    let clamped = |grid: Grid| Form::Grid(Grid { is_clamped: packing.clamped, ..grid });
    if let Some(bits) = packing.angle {
        return Form::Angle { bits };
    }
    match (packing.quantized, packing.bits, range) {
        (Some(grid), _, Some((min, max))) => clamped(Grid::of_step(min, max, grid.step, ends)),
        (Some(grid), _, None) => Form::Steps { step: grid.step, is_narrow: ends != Ends::Wide },
        (None, Some(bits), Some((min, max))) => clamped(Grid::of_bits(min, max, bits, ends)),
        _ => match packing.width {
            Some(width) => Form::Raw { width, is_lossy: packing.lossy || width == Width::Half },
            None => Form::Free,
        },
    }
}

/// How wide the numbers of a vector are unpacked.
pub(super) fn reals(schema: &Schema) -> RealWidth {
    match schema.demands().packing.width {
        Some(Width::Double) => RealWidth::Double,
        _ => RealWidth::Single,
    }
}

pub(super) fn solid(ty: VariantType, schema: &Schema) -> Solid {
    let demands = schema.demands();
    let packing = &demands.packing;
    let Layout::Math(lane, count) = ty.layout() else { return Solid::Each(Vec::new()) };
    match (ty, packing.bits) {
        (VariantType::Quaternion, Some(bits)) => return Solid::Rotation(bits),
        (VariantType::Vector3, Some(bits)) if demands.normalized => return Solid::Direction(bits),
        (VariantType::Vector2, Some(bits)) if demands.normalized => return Solid::Flat(bits),
        _ => {}
    }
    if let Some(rigid) = &packing.rigid {
        return Solid::Rigid([Form::Steps { step: rigid.step, is_narrow: true }; 3], rigid.bits);
    }
    let region = demands.within.as_deref().unwrap_or_default();
    let (from, size) = region.split_at_checked(region.len() >> 1).unwrap_or((&[], &[]));
    let edge = |at: usize| Some((*from.get(at)?, *from.get(at)? + *size.get(at)?));
    let form = |at: usize| match lane {
        Lane::I32 => whole_number(edge(at)),
        _ => real_number(schema, edge(at), ty),
    };
    Solid::Each((0..usize::from(count)).map(form).collect())
}

fn whole_number(edge: Option<(f64, f64)>) -> Form {
    let (least, most) = I32;
    #[expect(clippy::cast_possible_truncation, reason = "saturating, then clamped")]
    let whole = |bound: f64| (bound as i64).clamp(least, most);
    let (min, max) = edge.map_or(I32, |(from, to)| (whole(from.ceil()), whole(to.floor())));
    Form::of_ints(min, max, 1, &Packing::default())
}

fn real_number(schema: &Schema, edge: Option<(f64, f64)>, ty: VariantType) -> Form {
    let packing = &schema.demands().packing;
    let clamped = |grid: Grid| Form::Grid(Grid { is_clamped: packing.clamped, ..grid });
    let own = packing.quantized.and_then(|grid| grid.range).map(|range| (range, Ends::Nearest));
    let range = own.or(edge.map(|range| (range, Ends::Inside)));
    match (packing.quantized, packing.bits) {
        (Some(grid), _) => match range {
            Some(((min, max), ends)) => clamped(Grid::of_step(min, max, grid.step, ends)),
            None => Form::Steps { step: grid.step, is_narrow: true },
        },
        (None, Some(bits)) => match range {
            Some(((min, max), ends)) if min < max => clamped(Grid::of_bits(min, max, bits, ends)),
            _ if ty == VariantType::Color => clamped(Grid::of_bits(0.0, 1.0, bits, Ends::Nearest)),
            _ => RAW,
        },
        (None, None) => match packing.width {
            Some(width) => Form::Raw { width, is_lossy: true },
            None => RAW,
        },
    }
}

/// As engines of single precision keep the numbers of vectors.
const RAW: Form = Form::Raw { width: Width::Single, is_lossy: true };

/// The form of each element of a packed array, and how wide its numbers are unpacked.
pub(super) fn elements(ty: VariantType, schema: Option<&Schema>) -> (Solid, RealWidth) {
    use RealWidth::{Double, Single};
    use VariantType as T;
    let any_int = Schema::int();
    let alone = |form: Form| Solid::Each(vec![form]);
    let of_ints = |lane: Option<(i64, i64)>| alone(int(schema.unwrap_or(&any_int), lane));
    match (ty, schema) {
        (T::PackedByteArray, _) => (of_ints(Some((0, 255))), Single),
        (T::PackedInt32Array, _) => (of_ints(Some(I32)), Single),
        (T::PackedInt64Array, None) => (of_ints(Some((i64::MIN, i64::MAX))), Double),
        (T::PackedInt64Array, _) => (of_ints(None), Double),
        (T::PackedFloat32Array, None) => (alone(RAW), Single),
        (T::PackedFloat32Array, Some(schema)) => (alone(narrow(float(schema, Ends::Nearest))), Single),
        (T::PackedFloat64Array, None) => (alone(Form::Raw { width: Width::Double, is_lossy: false }), Double),
        (T::PackedFloat64Array, Some(schema)) => (alone(float(schema, Ends::Wide)), Double),
        (_, Some(schema)) => match *schema.shape() {
            variant_schema::Shape::Type(ty) => (solid(ty, schema), reals(schema)),
            _ => (Solid::Each(Vec::new()), Single),
        },
        (ty, None) => {
            let count = if let Layout::Packed(_, count) = ty.layout() { count } else { 0 };
            (Solid::Each(vec![RAW; usize::from(count)]), Single)
        }
    }
}

/// Numbers of 32 bits are 32 bits wide.
const fn narrow(form: Form) -> Form {
    match form {
        Form::Free | Form::Raw { width: Width::Double, .. } => RAW,
        other => other,
    }
}
