//! Defines the target of an encode: a dialect, and in Godot 4 the oldest version that has to understand it.
//!
//! Reading knows no target: a newer engine reads what an older one wrote (FORMAT.md sections 4 and 8).

use super::dialect::Dialect;
use super::types::VariantType;

/// Names the reader that an encode writes for. The default is the newest Godot 4, whose bytes are
/// `var_to_bytes`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    dialect: Dialect,
    /// The minor version of Godot 4: 0 to [`NEWEST`].
    minor: u8,
}

const NEWEST: u8 = 7;

impl Target {
    /// Returns the newest version of a dialect.
    #[must_use]
    pub const fn newest(dialect: Dialect) -> Target {
        Target { dialect, minor: NEWEST }
    }

    /// Returns Godot 4 in the version that a text like `4.2` names, the newest for an empty text, and `None`
    /// for others.
    #[must_use]
    pub fn godot_4(version: &str) -> Option<Target> {
        let minor = match version {
            "" => NEWEST,
            _ => match version.strip_prefix("4.")?.as_bytes() {
                [digit @ b'0'..=b'7'] => digit.wrapping_sub(b'0'),
                _ => return None,
            },
        };
        Some(Target { dialect: Dialect::Godot4, minor })
    }

    /// Returns the dialect that is written.
    #[must_use]
    #[inline]
    pub const fn dialect(self) -> Dialect {
        self.dialect
    }

    /// Tells whether this is the default, which reads everything.
    #[must_use]
    pub const fn is_newest_godot_4(self) -> bool {
        matches!(self.dialect, Dialect::Godot4) && self.minor == NEWEST
    }

    /// Tells whether the reader knows a type. Before 4.2, RID and Signal had no payload, or an unreadable
    /// one.
    #[must_use]
    pub const fn knows(self, ty: VariantType) -> bool {
        let since = match ty {
            VariantType::Rid | VariantType::Signal => 2,
            VariantType::PackedVector4Array => 3,
            _ => 0,
        };
        self.dialect.id_of(ty).is_some() && self.is_since(since)
    }

    /// Tells whether the reader knows doubles in a type of real numbers.
    pub(crate) const fn knows_doubles_in(self, ty: VariantType) -> bool {
        let since = match ty {
            VariantType::Vector4 | VariantType::Projection => 2,
            _ => 0,
        };
        self.dialect.has_doubles() && self.is_since(since)
    }

    /// Tells whether the reader knows arrays that declare their element type; otherwise they are written
    /// untyped.
    pub(crate) const fn knows_typed_arrays(self) -> bool {
        self.dialect.has_typed_containers() && self.is_since(3)
    }

    /// Tells whether the reader knows dictionaries that declare their types; otherwise they are written
    /// untyped.
    pub(crate) const fn knows_typed_dictionaries(self) -> bool {
        self.dialect.has_typed_containers() && self.is_since(4)
    }

    /// Tells whether an object's script is its path. Other readers want the source itself, which is never
    /// written.
    pub(crate) const fn knows_script_paths(self) -> bool {
        matches!(self.dialect, Dialect::Godot4) && self.is_since(3)
    }

    /// Tells whether the version is at least this one of Godot 4; the other dialects have one version.
    const fn is_since(self, minor: u8) -> bool {
        !matches!(self.dialect, Dialect::Godot4) || self.minor >= minor
    }
}

impl Default for Target {
    fn default() -> Target {
        Target::newest(Dialect::Godot4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_4_0_to_4_7() {
        for version in ["4.0", "4.1", "4.2", "4.3", "4.4", "4.5", "4.6", "4.7"] {
            assert!(Target::godot_4(version).is_some(), "{version}");
        }
        for text in ["4", "4.", "4.8", "4.10", "4.2.1", "3.6", " 4.2", "godot"] {
            assert_eq!(Target::godot_4(text), None, "{text}");
        }
        assert_eq!(Target::godot_4(""), Some(Target::default()));
    }

    #[test]
    fn types_come_with_their_version() {
        let target = |version| Target::godot_4(version).unwrap();
        assert!(!target("4.1").knows(VariantType::Rid) && target("4.2").knows(VariantType::Rid));
        assert!(!target("4.2").knows_typed_arrays() && target("4.3").knows_typed_arrays());
        assert!(!target("4.3").knows_typed_dictionaries() && target("4.4").knows_typed_dictionaries());
        assert!(!target("4.1").knows_doubles_in(VariantType::Vector4));
        assert!(target("4.1").knows_doubles_in(VariantType::Vector3));
        assert!(!Target::newest(Dialect::Godot3).knows_doubles_in(VariantType::Vector3));
        assert!(!Target::newest(Dialect::Documented).knows(VariantType::Rid));
    }

    #[test]
    fn the_newest_is_one() {
        assert!(Target::default().is_newest_godot_4());
        assert!(!Target::godot_4("4.6").unwrap().is_newest_godot_4());
        assert!(!Target::newest(Dialect::Godot3).is_newest_godot_4());
    }
}
