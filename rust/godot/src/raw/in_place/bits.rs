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

#[expect(clippy::too_many_lines, reason = "one arm a type")]
const fn table() -> [Plain; 40] {
    let mut table = [Plain { bytes: 0, is_behind: false, flag: 0 }; 40];
    let reals = [
        (VariantType::Vector2, 2),
        (VariantType::Rect2, 4),
        (VariantType::Vector3, 3),
        (VariantType::Vector4, 4),
        (VariantType::Plane, 4),
        (VariantType::Quaternion, 4),
    ];
    let mut at = 0;
    while at < reals.len() {
        let (ty, count) = reals[at];
        table[ty.id() as usize] =
            Plain { bytes: count * size_of::<real>(), is_behind: false, flag: REAL_FLAG };
        at += 1;
    }
    let behind = [
        (VariantType::Transform2D, 6),
        (VariantType::Aabb, 6),
        (VariantType::Basis, 9),
        (VariantType::Transform3D, 12),
        (VariantType::Projection, 16),
    ];
    at = 0;
    while at < behind.len() {
        let (ty, count) = behind[at];
        table[ty.id() as usize] =
            Plain { bytes: count * size_of::<real>(), is_behind: true, flag: REAL_FLAG };
        at += 1;
    }
    let narrow = [
        (VariantType::Vector2i, 8),
        (VariantType::Rect2i, 16),
        (VariantType::Vector3i, 12),
        (VariantType::Vector4i, 16),
        (VariantType::Color, 16),
        (VariantType::Rid, 8),
    ];
    at = 0;
    while at < narrow.len() {
        let (ty, bytes) = narrow[at];
        table[ty.id() as usize] = Plain { bytes, is_behind: false, flag: 0 };
        at += 1;
    }
    table
}
