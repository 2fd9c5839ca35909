//! Writes what a schema asks of values beyond their bits, for `judge.js`.

use variant_core::VariantType;
use variant_pack::parts::{Kind, Part};
use variant_schema::{Demands, Number};

use super::literal::float;

/// Writes the member of a part's row, or nothing where the bits say all.
pub(super) fn of(part: &Part) -> String {
    let demands = part.schema.demands();
    let mut musts = match &part.kind {
        Kind::Float(_) => of_float(demands),
        Kind::Solid { ty, .. } => of_solid(*ty, demands),
        Kind::Packed { ty, .. } if is_real(*ty) => finite(demands),
        Kind::Text { .. } | Kind::Strings { .. } => chars(demands),
        _ => Vec::new(),
    };
    if demands.unique {
        musts.push("unique: true".to_owned());
    }
    if musts.is_empty() { String::new() } else { format!(", must: {{ {} }}", musts.join(", ")) }
}

fn is_real(ty: VariantType) -> bool {
    !matches!(
        ty,
        VariantType::PackedByteArray | VariantType::PackedInt32Array | VariantType::PackedInt64Array
    )
}

fn finite(demands: &Demands) -> Vec<String> {
    if demands.allow_non_finite { Vec::new() } else { vec!["finite: true".to_owned()] }
}

fn of_float(demands: &Demands) -> Vec<String> {
    let mut musts = finite(demands);
    let numbers = [("min", demands.min), ("max", demands.max), ("multipleOf", demands.multiple_of)];
    for (name, number) in numbers {
        match number {
            Some(Number::Float(number)) => musts.push(format!("{name}: {}", float(number))),
            Some(Number::Int(number)) => musts.push(format!("{name}: {number}")),
            None => {}
        }
    }
    musts
}

fn of_solid(ty: VariantType, demands: &Demands) -> Vec<String> {
    let is_whole = matches!(
        ty,
        VariantType::Vector2i | VariantType::Vector3i | VariantType::Vector4i | VariantType::Rect2i
    );
    let mut musts = if is_whole { Vec::new() } else { finite(demands) };
    if demands.min_length.is_some() || demands.max_length.is_some() {
        let (least, most) = (demands.min_length.unwrap_or(0.0), demands.max_length.unwrap_or(f64::INFINITY));
        musts.push(format!("length: [{}, {}]", float(least), float(most)));
    }
    if demands.normalized {
        musts.push("unit: true".to_owned());
    }
    if ty == VariantType::Plane {
        musts.push("of: 3".to_owned());
    }
    if let Some((min, max)) = demands.packing.quantized.and_then(|grid| grid.range) {
        musts.push(format!("each: [{}, {}]", float(narrow(min)), float(narrow(max))));
    }
    if let Some(region) = &demands.within {
        let (from, size) = region.split_at(region.len() / 2);
        let edges =
            from.iter().zip(size).map(|(from, size)| format!("[{}, {}]", float(*from), float(from + size)));
        musts.push(format!("within: [{}]", edges.collect::<Vec<_>>().join(", ")));
    }
    musts
}

/// Numbers of vectors have 32 bits, and so have the ends of their ranges.
fn narrow(number: f64) -> f64 {
    f64::from(number as f32)
}

fn chars(demands: &Demands) -> Vec<String> {
    if demands.min_chars.is_none() && demands.max_chars.is_none() {
        return Vec::new();
    }
    let most = demands.max_chars.map_or("Infinity".to_owned(), |most| most.to_string());
    vec![format!("chars: [{}, {most}]", demands.min_chars.unwrap_or(0))]
}
