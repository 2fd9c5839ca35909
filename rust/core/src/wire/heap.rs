//! Prices a decoded value in bytes of the engine's memory, for `max_heap_bytes`. It counts nothing itself.
//!
//! Each price is what Godot 4.6.3 asks its allocator for (sizes read in its headers on a 64-bit machine,
//! debug build, which is the larger one), rounded up as the allocator does it. `heap_test.gd` measures a
//! running engine against it. A `Variant` slot is priced with its container, so that a number, a short vector
//! or a null costs nothing of its own. Prices are for single precision; a double-precision build pays twice.

use super::limits::TypeSet;
use super::types::VariantType;

/// A `Variant`: type word and 16 bytes of value.
const SLOT: u64 = 24;
/// `CowData`'s counters before the first element of every String and Vector.
const COW_HEADER: u64 = 32;
/// `ArrayPrivate`: reference count, Vector, read-only pointer, type and class of its elements.
const ARRAY: u64 = chunk(64);
/// `DictionaryPrivate`: reference count, HashMap, two element types, two pointers.
const DICTIONARY: u64 = chunk(128);
/// `PackedArrayRef`: virtual table, reference count, Vector.
const PACKED: u64 = chunk(32);
/// `NodePath::Data`: two Vectors, two names, flags and hash.
const NODE_PATH: u64 = chunk(56);
/// `StringName::_Data` in its pool, with the pool's own pointer to it.
const NAME_RECORD: u64 = 56;
/// `HashMapElement`: two links, key and value.
const ENTRY: u64 = chunk(16 + 2 * SLOT);
/// Our own record of a key, which finds it again: its hash, place and index slots while the Dictionary is
/// open.
const SEEN_KEY: u64 = 96;
/// The most entries of a Dictionary whose records are not priced in so many levels: they are given back when it closes, so that
/// a million rows have those of one, 12 KiB at most. Deeper ones pay, since those of a whole chain are open at once.
const FEW_KEYS: u64 = 16;
const SHALLOW: usize = 8;
/// A pointer and a hash in a HashMap's table.
const TABLE_SLOT: u64 = 12;
/// The allocations of a table's two halves, beyond their slots.
const TABLE: u64 = 2 * chunk(0);
/// An `EncodedObjectAsID`: a `RefCounted` with its instance record, measured.
const OBJECT: u64 = 512;

/// Returns the bytes that an allocation of `bytes` takes: the debug build's 16 in front, the allocator's 8,
/// rounded to 16.
const fn chunk(bytes: u64) -> u64 {
    bytes.saturating_add(24 + 15) & !15
}

/// Prices the buffer of a String or Vector. 4.6 grows it by halves, 4.3 to 4.5 round up to a power of two.
const fn buffer(bytes: u64) -> u64 {
    if bytes == 0 {
        return 0;
    }
    let rounded = match bytes.checked_next_power_of_two() {
        Some(rounded) => rounded,
        None => u64::MAX,
    };
    chunk(rounded.saturating_add(COW_HEADER))
}

/// The math types that are too large for a slot and live in pools, and the small type that can be converted
/// to one.
pub const COSTLY: TypeSet = TypeSet::of(&[
    VariantType::Quaternion,
    VariantType::Transform2D,
    VariantType::Aabb,
    VariantType::Basis,
    VariantType::Transform3D,
    VariantType::Projection,
]);

/// Prices a leaf of this type whose header and payload have `bytes` bytes. The price is a straight line above
/// the cost of the parts, so that the hot loop pays with one multiplication: the engine makes room for four
/// bytes of text for each of UTF-8 before it decodes, rounding makes that eight, and eight for header and
/// length cover the buffer's own 64.
#[inline]
#[must_use]
pub fn leaf(ty: VariantType, bytes: u64) -> u64 {
    let (each, once) = LEAVES.get(usize::from(ty.id())).copied().unwrap_or_default();
    // The bytes are in memory, so eight times their number does not overflow.
    bytes.wrapping_mul(u64::from(each)).wrapping_add(u64::from(once))
}

/// The prices by type id: for each byte on the wire, and once.
#[rustfmt::skip]
static LEAVES: [(u8, u16); 39] = [
    (0, 0), (0, 0), (0, 0), (0, 0), // Nil, bool, int, float
    (8, 0), // String
    (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), // Vector2 to Vector3i
    (0, 40), // Transform2D, in the small pool
    (0, 0), (0, 0), (0, 0), (0, 0), // Vector4 to Quaternion
    (0, 40), (0, 64), (0, 64), (0, 80), // AABB, Basis, Transform3D, Projection, in the three pools
    (0, 0), // Color
    (8, 56), // StringName
    (0, 0), (0, 0), // NodePath is a container, RID
    (0, 512), // Object as an id
    (0, 0), // Callable
    (8, 748), // Signal: as a name, and the Dictionary that it becomes unless it may be live
    (0, 0), (0, 0), // Dictionary and Array are containers
    (2, 112), (2, 112), (2, 112), (2, 112), (2, 112), // packed numbers
    (0, 0), // PackedStringArray is a container
    (2, 112), (2, 112), (2, 112), (2, 112), // packed vectors and colors
];
/// Prices a bare string whose length and text have `bytes` bytes.
pub(crate) fn bare_string(bytes: u64) -> u64 {
    leaf(VariantType::String, bytes.saturating_add(4))
}

/// Prices a bare name, interned. A name that is interned already is charged all the same.
pub(crate) fn bare_name(bytes: u64) -> u64 {
    leaf(VariantType::StringName, bytes.saturating_add(4))
}

/// Prices a name of a NodePath, with its part of the texts that the path is made and hashed from.
pub(crate) fn path_name(bytes: u64) -> u64 {
    bare_name(bytes).saturating_add(bytes.saturating_mul(10))
}

/// Prices `count` names of a NodePath that have `bytes` bytes together.
pub(crate) fn path_names(count: u64, bytes: u64) -> u64 {
    // Each name costs a fixed part, and by its bytes.
    let Some(others) = count.checked_sub(1) else { return 0 };
    path_name(bytes).saturating_add(path_name(0).saturating_mul(others))
}

/// Prices a NodePath of `names` names, without their texts.
#[must_use]
pub const fn node_path(names: u64) -> u64 {
    NODE_PATH
        .saturating_add(buffer(names.saturating_mul(8)).saturating_mul(2))
        .saturating_add(NAME_RECORD * 2)
}

/// Prices a PackedStringArray of `count` strings, without their texts.
#[must_use]
pub const fn packed_strings(count: u64) -> u64 {
    PACKED.saturating_add(buffer(count.saturating_mul(8))).saturating_add(count.saturating_mul(8))
}

/// Prices an Array of `count` slots.
#[inline]
#[must_use]
pub const fn array(count: u64) -> u64 {
    ARRAY.saturating_add(buffer(count.saturating_mul(SLOT)))
}

/// Prices a Dictionary of `count` entries at this depth: elements, the table they are found through, and our own list of keys
/// unless they are few and near the root.
#[inline]
#[must_use]
pub fn dictionary(count: u64, depth: usize) -> u64 {
    let is_short = count <= FEW_KEYS && depth < SHALLOW;
    let entry = if is_short { ENTRY } else { ENTRY + SEEN_KEY };
    DICTIONARY.saturating_add(count.saturating_mul(entry)).saturating_add(tables(count))
}

/// Prices an object with class and `properties` properties. Only the Rust tree ever holds one.
#[must_use]
pub const fn object(properties: u64) -> u64 {
    OBJECT.saturating_add(properties.saturating_mul(2 * SLOT + ENTRY))
}

/// Prices the tables of a HashMap that grew to `count` entries: the last two live at the same time while it
/// grows.
#[inline]
fn tables(count: u64) -> u64 {
    match count {
        0 => 0,
        // This is the table that a HashMap begins with, as the loop would find it: most dictionaries have no
        // other.
        1..=LEAST => FIRST_TABLE,
        _ => later_tables(count),
    }
}

/// The entries that fit into the first table.
const LEAST: u64 = 17;
const FIRST_TABLE: u64 = 23 * TABLE_SLOT + TABLE;

fn later_tables(count: u64) -> u64 {
    let mut old = 0;
    for prime in super::hash_table::CAPACITIES {
        let size = u64::from(*prime).saturating_mul(TABLE_SLOT).saturating_add(TABLE);
        if super::hash_table::holds(*prime, count) {
            return size.saturating_add(old);
        }
        old = size;
    }
    u64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_path_cost_together_what_each_costs() {
        assert_eq!(path_names(0, 0), 0);
        for sizes in [&[4][..], &[8, 4], &[4, 4, 260], &[8; 16]] {
            let each: u64 = sizes.iter().copied().map(path_name).sum();
            assert_eq!(path_names(sizes.len() as u64, sizes.iter().sum()), each, "{sizes:?}");
        }
    }

    /// Tests that each line lies above the parts it stands for, and not far above.
    #[test]
    fn leaves_cost_at_least_their_parts() {
        use VariantType as T;
        let padded = |bytes: u64| bytes.div_ceil(4) * 4;
        for count in 0..5000 {
            let string = buffer((count + 1) * 4);
            let packed = PACKED + buffer(count);
            for (line, parts, most) in [
                (leaf(T::String, 8 + padded(count)), string, 2 * string),
                (leaf(T::StringName, 8 + padded(count)), string + NAME_RECORD, 2 * (string + NAME_RECORD)),
                (bare_string(4 + padded(count)), string, 2 * string),
                (bare_name(4 + padded(count)), string + NAME_RECORD, 2 * (string + NAME_RECORD)),
                (leaf(T::PackedByteArray, 8 + count), packed, 2 * packed),
            ] {
                assert!(parts <= line && line <= most, "{count}: {parts} <= {line} <= {most}");
            }
        }
        assert_eq!([T::Nil, T::Int, T::Vector4, T::Rid, T::Callable].map(|ty| leaf(ty, 24)), [0; 5]);
    }

    #[test]
    fn containers_cost_the_sums_of_their_parts() {
        assert_eq!(chunk(0), 32);
        assert_eq!(array(0), 96);
        assert_eq!(array(1), 96 + 32 + 32 + 32);
        assert_eq!([dictionary(0, 0), dictionary(0, 8)], [160, 160]);
        assert_eq!(dictionary(16, 7), 160 + 16 * 96 + 23 * 12 + 64);
        assert_eq!(dictionary(16, 8), 160 + 16 * (96 + 96) + 23 * 12 + 64);
        assert_eq!([dictionary(17, 0), dictionary(17, 8)], [160 + 17 * (96 + 96) + 23 * 12 + 64; 2]);
        assert_eq!(packed_strings(1), 64 + 64 + 8);
        assert_eq!(object(0), 512);
    }

    /// Tests the bound by which `Limits::are_beyond` compares bytes with `max_heap_bytes`.
    #[test]
    fn nothing_costs_more_for_a_byte_than_the_dearest() {
        let dearest = crate::wire::limits::DEAREST;
        for count in 0..100_000 {
            // The bytes are header and count; then a header each, or a text without characters and a header.
            assert!(array(count) <= (8 + 4 * count) * dearest, "{count}");
            assert!(dictionary(count, 8) <= (8 + 12 * count) * dearest, "{count}");
            assert!(packed_strings(count) + count * bare_string(4) <= (8 + 4 * count) * dearest, "{count}");
        }
        for ty in VariantType::ALL {
            for bytes in 20..5000 {
                assert!(leaf(*ty, bytes) <= bytes * dearest, "{ty} of {bytes}");
            }
        }
    }

    #[test]
    fn tables_grow_where_the_engine_grows_them() {
        let table = |capacity: u64| capacity * 12 + 64;
        assert_eq!([tables(0), tables(1), tables(17)], [0, table(23), table(23)]);
        assert_eq!(tables(18), table(47) + table(23));
        assert_eq!(tables(u64::MAX), u64::MAX);
    }

    #[test]
    fn nothing_overflows_and_more_never_costs_less() {
        let dictionaries: [fn(u64) -> u64; 2] = [|count| dictionary(count, 0), |count| dictionary(count, 8)];
        for price in [node_path, packed_strings, array, object].into_iter().chain(dictionaries) {
            assert!(price(u64::MAX) > u64::MAX / 2);
            for count in 0..5000 {
                assert!(price(count) <= price(count + 1), "{count}");
            }
        }
    }

    /// Tests an object: two slots for a property, its name and its value, and the entry that it is found by.
    #[test]
    fn an_object_pays_for_each_property() {
        assert_eq!([object(1), object(3)], [512 + 48 + 96, 512 + 3 * (48 + 96)]);
    }
}
