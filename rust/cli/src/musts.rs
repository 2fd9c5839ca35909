//! Lists what a schema asks of values beyond their bits, as members of a part's row in another language.

use variant_core::VariantType;
use variant_pack::parts::{Node, Wire};
use variant_schema::{Demands, Number};

use crate::literals::LiteralSyntax;

/// Writes the members, by their names in JavaScript.
pub(crate) fn of<W: LiteralSyntax>(part: &Node) -> Vec<String> {
    let demands = part.schema.demands();
    let is_real = match &part.wire {
        Wire::Number(ty, _) | Wire::Solid { ty, .. } | Wire::Packed { ty, .. } => !is_whole(*ty),
        _ => false,
    };
    let mut musts = Vec::new();
    if is_real && !demands.allow_non_finite {
        musts.push(W::member("finite", "true"));
    }
    match &part.wire {
        Wire::Number(VariantType::Float, _) => {
            let ends = [("min", demands.min), ("max", demands.max), ("multipleOf", demands.multiple_of)];
            musts.extend(ends.into_iter().filter_map(|(name, end)| {
                let end = match end? {
                    Number::Int(end) => end as f64,
                    Number::Float(end) => end,
                };
                Some(W::member(name, &W::float(end)))
            }));
        }
        Wire::Solid { ty, .. } => musts.extend(of_solid::<W>(*ty, demands)),
        Wire::Text(..) | Wire::Strings { .. }
            if demands.min_chars.is_some() || demands.max_chars.is_some() =>
        {
            let most = demands.max_chars.map_or(f64::INFINITY, |most| most as f64);
            musts.push(W::member("chars", &pair::<W>(demands.min_chars.unwrap_or(0) as f64, most)));
        }
        _ => {}
    }
    if demands.unique {
        musts.push(W::member("unique", "true"));
    }
    musts
}

fn of_solid<W: LiteralSyntax>(ty: VariantType, demands: &Demands) -> Vec<String> {
    let mut musts = Vec::new();
    if demands.min_length.is_some() || demands.max_length.is_some() {
        let most = demands.max_length.unwrap_or(f64::INFINITY);
        musts.push(W::member("length", &pair::<W>(demands.min_length.unwrap_or(0.0), most)));
    }
    if demands.normalized {
        musts.push(W::member("unit", "true"));
    }
    if ty == VariantType::Plane {
        musts.push(W::member("of", "3"));
    }
    if let Some((min, max)) = demands.packing.quantized.and_then(|grid| grid.range) {
        // Numbers of vectors have 32 bits, and so have the ends of their ranges.
        let [min, max] = [min, max].map(|end| f64::from(end as f32));
        musts.push(W::member("each", &pair::<W>(min, max)));
    }
    if let Some(region) = &demands.within {
        let (from, size) = region.split_at(region.len() / 2);
        let edges = from.iter().zip(size).map(|(from, size)| pair::<W>(*from, from + size));
        musts.push(W::member("within", &W::pairs(&edges.collect::<Vec<_>>())));
    }
    musts
}

fn pair<W: LiteralSyntax>(least: f64, most: f64) -> String {
    W::numbers(&[W::float(least), W::float(most)])
}

fn is_whole(ty: VariantType) -> bool {
    use VariantType as T;
    matches!(ty, T::Int | T::Vector2i | T::Vector3i | T::Vector4i | T::Rect2i)
        || matches!(ty, T::PackedByteArray | T::PackedInt32Array | T::PackedInt64Array)
}
