//! Makes small values of every type, as the engine writes them, by which the library tests an engine.

use variant_core::VariantType;
use variant_core::wire::{Lane, Layout};

/// Returns two values of a type as bytes, an empty or small one and a larger one. There are none of objects,
/// which are known by their address only and cannot be compared.
pub(crate) fn samples(ty: VariantType) -> Vec<Vec<u8>> {
    if ty == VariantType::Object {
        return Vec::new();
    }
    [1, 3].map(|size| [&u32::from(ty.id()).to_le_bytes()[..], &payload(ty, size)].concat()).into()
}

fn payload(ty: VariantType, size: u8) -> Vec<u8> {
    let count = u32::from(size) - 1;
    let name = text("a\u{fc}\u{1f600}", size);
    let elements = |each: &[u8]| [&count.to_le_bytes()[..], &each.repeat(count as usize)].concat();
    match ty.layout() {
        Layout::Nil | Layout::Callable | Layout::Object => Vec::new(),
        Layout::Bool => (count / 2).to_le_bytes().into(),
        Layout::Int => (-7 * i32::from(size)).to_le_bytes().into(),
        Layout::Float => (f32::from(size) * 0.3 - 0.3).to_le_bytes().into(),
        Layout::Text => name,
        Layout::Math(_, lanes) => numbers(lanes, size),
        Layout::NodePath => {
            let counts = [0x8000_0001_u32, count / 2, count / 2].map(u32::to_le_bytes).concat();
            [counts, name.clone(), if count > 0 { name } else { Vec::new() }].concat()
        }
        Layout::Rid => (u64::from(size) << 33 | 5).to_le_bytes().into(),
        Layout::Signal => [name, vec![0; 8]].concat(),
        Layout::Array => elements(&[4, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0]),
        // There is at most one entry, because a second one would have the same key.
        Layout::Dictionary => match count {
            0 => vec![0; 4],
            _ => [&[1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0][..], &[1, 0, 0, 0, 1, 0, 0, 0]].concat(),
        },
        Layout::Packed(Lane::U8, _) if count == 0 => vec![0; 4],
        Layout::Packed(Lane::U8, _) => vec![3, 0, 0, 0, 7, 0, 9, 0],
        Layout::Packed(lane, lanes) => elements(&numbers(lane.size() as u8 / 4 * lanes, size)),
        Layout::PackedStrings => elements(&[3, 0, 0, 0, b'h', b'i', 0, 0]),
    }
}

/// Returns `count` words that are valid numbers both as ints and as floats.
fn numbers(count: u8, size: u8) -> Vec<u8> {
    (0..count).flat_map(|n| (f32::from(n) + f32::from(size) * 0.7 - 2.0).to_le_bytes()).collect()
}

fn text(letters: &str, times: u8) -> Vec<u8> {
    let text = letters.repeat(usize::from(times));
    let mut bytes = [&(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use variant_core::{Rules, Strictness, validate};

    #[test]
    fn samples_are_values_of_every_type_but_objects() {
        let rules = Rules { strictness: Strictness::Safe, ..Rules::engine() };
        for ty in VariantType::ALL.iter().filter(|ty| **ty != VariantType::Object) {
            let [small, large] = <[Vec<u8>; 2]>::try_from(samples(*ty)).unwrap();
            for bytes in [&small, &large] {
                validate(bytes, &rules).unwrap_or_else(|error| panic!("{}: {error}: {bytes:?}", ty.name()));
            }
            let differ = small != large;
            assert_eq!(differ, !matches!(ty, VariantType::Nil | VariantType::Callable), "{}", ty.name());
        }
    }
}
