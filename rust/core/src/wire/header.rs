//! Reads and makes the header word that opens every value: type id in the low byte, flags from bit 16.
//!
//! ```text
//!  31      20 19 18 17 16 15       8 7        0
//! | ignored  | value | a  | ignored  | type id  |   a = array element kind, dictionary key kind,
//!                                                    64-bit flag (bit 16) or object-as-id (bit 16)
//! ```
//! The facts are those of FORMAT.md section 1, checked on 4.6.3. The decoder ignores every bit that has no
//! meaning for the type.

use super::dialect::Dialect;
use super::types::{Layout, VariantType};

/// The engine's `HEADER_DATA_FLAG_64`: a 64-bit number, or doubles in a real-valued type. On Object the bit
/// says "as id".
pub const WIDE: u32 = 1 << 16;

const KEY_SHIFT: u32 = 16;
const VALUE_SHIFT: u32 = 18;
const KIND_MASK: u32 = 0b11;

/// Says what a typed container declares of its elements, before the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerKind {
    /// Untyped: nothing follows.
    None,
    /// A type id follows.
    Builtin,
    /// A class name follows.
    Class,
    /// A script path follows.
    Script,
}

impl ContainerKind {
    const fn from_bits(bits: u32) -> ContainerKind {
        match bits & KIND_MASK {
            0 => ContainerKind::None,
            1 => ContainerKind::Builtin,
            2 => ContainerKind::Class,
            _ => ContainerKind::Script,
        }
    }

    const fn bits(self) -> u32 {
        match self {
            ContainerKind::None => 0,
            ContainerKind::Builtin => 1,
            ContainerKind::Class => 2,
            ContainerKind::Script => 3,
        }
    }
}

/// Holds a header word. Any u32 is a header; [`Header::ty`] tells whether its id names a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Header(pub u32);

impl Header {
    /// Makes the header of a type in Godot 4, without flags.
    #[must_use]
    pub const fn new(ty: VariantType) -> Header {
        Header::with_id(ty.id())
    }

    /// Makes the header with this type id, without flags.
    pub(crate) const fn with_id(id: u8) -> Header {
        Header(u32::from_le_bytes([id, 0, 0, 0]))
    }

    pub(crate) const fn wide(self) -> Header {
        Header(self.0 | WIDE)
    }

    /// Sets the element kind of an Array, or the key kind of a Dictionary.
    pub(crate) const fn with_key_kind(self, kind: ContainerKind) -> Header {
        Header(self.0 | (kind.bits() << KEY_SHIFT))
    }

    /// Sets the value kind of a Dictionary.
    pub(crate) const fn with_value_kind(self, kind: ContainerKind) -> Header {
        Header(self.0 | (kind.bits() << VALUE_SHIFT))
    }

    /// Returns the type id in the low bits: one byte, or two in the published pages.
    #[must_use]
    pub const fn type_id(self, dialect: Dialect) -> u16 {
        let [low, high, ..] = (self.0 & dialect.type_mask()).to_le_bytes();
        u16::from_le_bytes([low, high])
    }

    /// Returns the type, if the id names one.
    #[must_use]
    #[inline]
    pub fn ty(self, dialect: Dialect) -> Option<VariantType> {
        dialect.type_with_id(self.type_id(dialect))
    }

    /// Tells whether bit 16 is set: a 64-bit payload, or an object as its id.
    #[must_use]
    pub const fn is_wide(self) -> bool {
        self.0 & WIDE != 0
    }

    /// Returns an Array's element kind or a Dictionary's key kind.
    #[must_use]
    pub const fn key_kind(self) -> ContainerKind {
        ContainerKind::from_bits(self.0 >> KEY_SHIFT)
    }

    /// Returns a Dictionary's value kind.
    #[must_use]
    pub const fn value_kind(self) -> ContainerKind {
        ContainerKind::from_bits(self.0 >> VALUE_SHIFT)
    }

    /// Returns the bits that have no meaning for this type. Engines write them zero and ignore them when
    /// reading.
    #[must_use]
    pub const fn unknown_flags(self, ty: VariantType, dialect: Dialect) -> u32 {
        self.0 & !(dialect.type_mask() | known_flags(ty.layout(), dialect))
    }
}

const fn known_flags(layout: Layout, dialect: Dialect) -> u32 {
    match layout {
        _ if dialect.has_wide_flag(layout) => WIDE,
        Layout::Array if dialect.has_typed_containers() => KIND_MASK << KEY_SHIFT,
        Layout::Dictionary if dialect.has_typed_containers() => {
            (KIND_MASK << KEY_SHIFT) | (KIND_MASK << VALUE_SHIFT)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_is_the_low_byte() {
        assert_eq!(Header(0x0000_AB02).ty(Dialect::Godot4), Some(VariantType::Int));
        assert_eq!(Header(0x100).ty(Dialect::Godot4), Some(VariantType::Nil));
        assert_eq!(Header(39).ty(Dialect::Godot4), None);
        assert_eq!(Header(0x0000_AB02).ty(Dialect::Godot3), Some(VariantType::Int));
        assert_eq!(Header(0x0000_0102).ty(Dialect::Documented), None);
    }

    #[test]
    fn kinds_sit_at_16_and_18() {
        let header = Header::new(VariantType::Dictionary)
            .with_key_kind(ContainerKind::Builtin)
            .with_value_kind(ContainerKind::Script);
        assert_eq!(header.0, 0x000D_001B);
        assert_eq!(header.key_kind(), ContainerKind::Builtin);
        assert_eq!(header.value_kind(), ContainerKind::Script);
        assert_eq!(header.unknown_flags(VariantType::Dictionary, Dialect::Godot4), 0);
    }

    #[test]
    fn unknown_flags_depend_on_the_type() {
        assert_eq!(Header(WIDE | 20).unknown_flags(VariantType::Color, Dialect::Godot4), WIDE);
        assert_eq!(Header(WIDE | 2).unknown_flags(VariantType::Int, Dialect::Godot4), 0);
        assert_eq!(Header(0xFF00_0000).unknown_flags(VariantType::Nil, Dialect::Godot4), 0xFF00_0000);
        assert_eq!(Header(0x0000_0100).unknown_flags(VariantType::Nil, Dialect::Godot4), 0x100);
        assert_eq!(Header(WIDE | 5).unknown_flags(VariantType::Vector2, Dialect::Godot3), WIDE);
        assert_eq!(Header(WIDE | 19).unknown_flags(VariantType::Array, Dialect::Godot3), WIDE);
        assert_eq!(Header(WIDE | 17).unknown_flags(VariantType::Object, Dialect::Godot3), 0);
    }

    #[test]
    fn a_flag_that_is_set_again_stays_set() {
        let wide = Header::new(VariantType::Int).wide();
        assert_eq!((wide, wide.wide()), (Header(0x1_0002), wide));
        let array = Header::new(VariantType::Array).with_key_kind(ContainerKind::Class);
        assert_eq!((array, array.with_key_kind(ContainerKind::Class)), (Header(0x2_001C), array));
        let values = Header::new(VariantType::Dictionary).with_value_kind(ContainerKind::Script);
        assert_eq!((values, values.with_value_kind(ContainerKind::Script)), (Header(0xC_001B), values));
    }

    #[test]
    fn kinds_mean_nothing_where_no_container_has_a_type() {
        for (dialect, of_kinds) in
            [(Dialect::Godot4, 0), (Dialect::Godot3, 0xF_0000), (Dialect::Documented, 0xF_0000)]
        {
            let header = Header(0x1F_0000);
            assert_eq!(header.unknown_flags(VariantType::Dictionary, dialect), 0x10_0000 | of_kinds);
            assert_eq!(
                header.unknown_flags(VariantType::Array, dialect),
                0x1C_0000 | of_kinds & 0x3_0000,
                "{dialect:?}"
            );
        }
    }
}
