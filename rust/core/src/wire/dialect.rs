//! Defines the dialects: the generations of type ids and layouts. Every difference between them is answered
//! here.
//!
//! The ids themselves are in the type table; `target.rs` knows what each version of Godot 4 lacks.

use super::types::{Lane, Layout, VARIANT_TYPE_COUNT, VariantType};

/// Names a generation of the format. Nothing in the bytes names it (FORMAT.md sections 6 and 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// The format that Godot 4.0 to 4.7 write.
    #[default]
    Godot4,
    /// The format that Godot 3.0 to 3.6 write.
    Godot3,
    /// The ids printed in the published pages for Godot 4 and Redot 4.3, which no release uses, with the
    /// layouts of Godot 4.
    Documented,
}

/// The types by their id in one dialect.
type Ids = [Option<VariantType>; 39];

static GODOT_3: Ids = by_id(Dialect::Godot3);
static DOCUMENTED: Ids = by_id(Dialect::Documented);

impl Dialect {
    /// Lists every dialect, the default first.
    pub const ALL: [Dialect; 3] = [Dialect::Godot4, Dialect::Godot3, Dialect::Documented];

    /// Returns the type with this id, if there is one.
    #[must_use]
    #[inline]
    pub fn type_with_id(self, id: u16) -> Option<VariantType> {
        let ids = match self {
            Dialect::Godot4 => return u8::try_from(id).ok().and_then(VariantType::from_id),
            Dialect::Godot3 => &GODOT_3,
            Dialect::Documented => &DOCUMENTED,
        };
        ids.get(usize::from(id)).copied().flatten()
    }

    /// Returns the id of a type, or `None` when the dialect has no such type.
    #[inline]
    pub(crate) const fn id_of(self, ty: VariantType) -> Option<u8> {
        match self {
            Dialect::Godot4 => Some(ty.id()),
            Dialect::Godot3 => ty.godot_3_id(),
            Dialect::Documented => ty.documented_id(),
        }
    }

    /// Returns the header bits that hold the type id: engines read one byte, the pages describe two.
    pub(crate) const fn type_mask(self) -> u32 {
        match self {
            Dialect::Godot4 | Dialect::Godot3 => 0xFF,
            Dialect::Documented => 0xFFFF,
        }
    }

    /// Tells whether bit 16 makes the numbers of a vector or matrix doubles. Godot 3 ignores it there.
    pub(crate) const fn has_doubles(self) -> bool {
        !matches!(self, Dialect::Godot3)
    }

    /// Tells whether arrays and dictionaries declare their element types.
    #[must_use]
    pub const fn has_typed_containers(self) -> bool {
        matches!(self, Dialect::Godot4)
    }

    /// Tells whether an RID has an id behind its header.
    pub(crate) const fn has_rid_payload(self) -> bool {
        !matches!(self, Dialect::Godot3)
    }

    /// Tells whether a NodePath without any name is the empty path even when its flags say absolute: Godot 3
    /// writes "/" and reads "".
    pub(crate) const fn forgets_root_path(self) -> bool {
        matches!(self, Dialect::Godot3)
    }

    /// Tells whether a null object is read as nil, and also where objects in full are not: an exported Godot 3 game
    /// writes all its nulls as objects, and nothing is made of them. Godot 4 writes none, and keeps the type of one that
    /// it reads.
    pub(crate) const fn has_null_objects(self) -> bool {
        !matches!(self, Dialect::Godot4)
    }

    /// Tells whether some engine left heap bytes in the padding of Strings (3.0) and byte arrays (up to
    /// 3.1.1).
    pub(crate) const fn has_dirty_padding(self) -> bool {
        matches!(self, Dialect::Godot3)
    }

    /// Tells whether ENGINE accepts text that is no strict UTF-8, as Godot 3's parser does.
    #[must_use]
    pub const fn has_lax_text(self) -> bool {
        matches!(self, Dialect::Godot3)
    }

    /// Tells whether bit 16 has a meaning for a layout with numbers: a width, or an object as its id.
    #[must_use]
    pub const fn has_wide_flag(self, layout: Layout) -> bool {
        match layout {
            Layout::Int | Layout::Float | Layout::Object => true,
            Layout::Math(Lane::Real, _) | Layout::Packed(Lane::Real, _) => self.has_doubles(),
            _ => false,
        }
    }
}

const fn by_id(dialect: Dialect) -> Ids {
    let mut ids: Ids = [None; 39];
    let mut rest = VariantType::ALL;
    while let [ty, tail @ ..] = rest {
        if let Some(id) = dialect.id_of(*ty) {
            put(&mut ids, id, *ty);
        }
        rest = tail;
    }
    ids
}

/// Puts a type at its id. It recurses, because const code has no `get_mut` with a `usize::from`.
const fn put(ids: &mut [Option<VariantType>], id: u8, ty: VariantType) {
    if let [first, rest @ ..] = ids {
        match id.checked_sub(1) {
            Some(less) => put(rest, less, ty),
            None => *first = Some(ty),
        }
    }
}

const _: () = assert!(VARIANT_TYPE_COUNT == 39);

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the tables that are made when the crate is compiled: made again they are equal.
    #[test]
    fn tables_hold_every_id_once() {
        for (dialect, table, count) in
            [(Dialect::Godot3, &GODOT_3, 27), (Dialect::Documented, &DOCUMENTED, 28)]
        {
            assert_eq!(&by_id(dialect), table);
            assert_eq!(table.iter().flatten().count(), count, "{dialect:?}");
        }
    }

    #[test]
    fn ids_are_dense_and_come_back() {
        for (dialect, first_unknown, holes) in
            [(Dialect::Godot4, 39, &[][..]), (Dialect::Godot3, 27, &[]), (Dialect::Documented, 29, &[16])]
        {
            for id in (0..first_unknown).filter(|id| !holes.contains(id)) {
                let ty = dialect.type_with_id(id).unwrap_or_else(|| panic!("{dialect:?} {id}"));
                assert_eq!(dialect.id_of(ty).map(u16::from), Some(id), "{dialect:?}");
            }
            for id in holes.iter().copied().chain([first_unknown, 255, 256, 0x102, u16::MAX]) {
                assert_eq!(dialect.type_with_id(id), None, "{dialect:?} {id}");
            }
        }
    }
}
