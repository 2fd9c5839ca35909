//! Says what is known of a document that was checked.

use variant_core::Extent;

use crate::heads::Head;
use crate::judge::Objects;
use crate::table::Table;
use crate::typed::TypedContainer;

/// A document that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedDocument {
    /// Its classes, in its order.
    pub heads: Vec<Head>,
    /// By class, the number of its first object where all are counted.
    pub(crate) first: Vec<u32>,
    /// Containers that are declared for objects of a class, in order.
    pub(crate) typed: Vec<TypedContainer>,
    pub(crate) has_old_tags: bool,
    /// How much of the bytes it is.
    pub extent: Extent,
    /// Whether the schema of the value names checks that somebody else runs.
    pub has_checks: bool,
}

impl CheckedDocument {
    /// The number of objects in it.
    #[must_use]
    pub fn objects(&self) -> u32 {
        let last = self.heads.last().zip(self.first.last());
        last.map_or(0, |(head, first)| first.saturating_add(head.rows))
    }

    /// Whether containers in it are declared for objects of a class, which [`Table::build`] puts marks around.
    #[must_use]
    pub const fn has_typed_containers(&self) -> bool {
        !self.typed.is_empty()
    }

    pub(crate) fn numbered<'h>(&'h self, table: &'h Table) -> Objects<'h> {
        Objects { table, heads: &self.heads, first: &self.first, typed: &self.typed }
    }
}
