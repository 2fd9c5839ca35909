//! Has type numbers and header bits as plain integers, which the readers and writers in place compare.

use std::mem::size_of;

use godot::builtin::real;
use variant_core::VariantType;
use variant_core::wire::WIDE;

pub(super) const fn id(ty: VariantType) -> u32 {
    ty.id() as u32
}

pub(super) const NIL: u32 = id(VariantType::Nil);
pub(super) const BOOL: u32 = id(VariantType::Bool);
pub(super) const INT: u32 = id(VariantType::Int);
pub(super) const FLOAT: u32 = id(VariantType::Float);
pub(super) const STRING: u32 = id(VariantType::String);
pub(super) const NAME: u32 = id(VariantType::StringName);
pub(super) const OBJECT: u32 = id(VariantType::Object);
pub(super) const DICTIONARY: u32 = id(VariantType::Dictionary);
pub(super) const ARRAY: u32 = id(VariantType::Array);
/// `WIDE`, as a header has it.
pub(super) const WIDE_FLAG: u32 = WIDE;
/// The flag of real-valued types in this build.
pub(super) const REAL_FLAG: u32 = if size_of::<real>() == 8 { WIDE } else { 0 };

/// Where the numbers of a type lie: how many bytes, in the Variant or behind a pointer, and its header's flag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    pub(super) bytes: usize,
    pub(super) is_behind: bool,
    pub(super) flag: u32,
}

/// The numbers of vectors, matrices, color and RID; other types have none (0 bytes).
pub(super) static PLAIN: [Plain; 40] = table();
/// The numbers that are written as they lie: not a RID, which not everybody wants written.
pub(super) static WRITTEN: [Plain; 40] = {
    let mut table = table();
    table[VariantType::Rid.id() as usize].bytes = 0;
    table
};

/// The types that are numbers and nothing else: how many bytes, whether they lie behind a pointer, and whether they
/// are real numbers, which are as wide as the build has them.
const NUMBERS: [(VariantType, usize, bool, bool); 17] = {
    use VariantType as T;
    const REAL: usize = size_of::<real>();
    [
        (T::Vector2, 2 * REAL, false, true),
        (T::Rect2, 4 * REAL, false, true),
        (T::Vector3, 3 * REAL, false, true),
        (T::Vector4, 4 * REAL, false, true),
        (T::Plane, 4 * REAL, false, true),
        (T::Quaternion, 4 * REAL, false, true),
        (T::Transform2D, 6 * REAL, true, true),
        (T::Aabb, 6 * REAL, true, true),
        (T::Basis, 9 * REAL, true, true),
        (T::Transform3D, 12 * REAL, true, true),
        (T::Projection, 16 * REAL, true, true),
        (T::Vector2i, 8, false, false),
        (T::Rect2i, 16, false, false),
        (T::Vector3i, 12, false, false),
        (T::Vector4i, 16, false, false),
        (T::Color, 16, false, false),
        (T::Rid, 8, false, false),
    ]
};

const fn table() -> [Plain; 40] {
    let mut table = [Plain { bytes: 0, is_behind: false, flag: 0 }; 40];
    let mut at = 0;
    while at < NUMBERS.len() {
        let (ty, bytes, is_behind, is_real) = NUMBERS[at];
        table[ty.id() as usize] = Plain { bytes, is_behind, flag: if is_real { REAL_FLAG } else { 0 } };
        at += 1;
    }
    table
}
