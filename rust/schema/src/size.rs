//! Size: how deep a schema is and how many parts it has, kept as it is put together. Functions that recurse
//! over a schema (to drop it, compare it, write it) need no bound of their own, since nothing larger than
//! this ever comes to be.

/// Levels of a schema, those of each definition by themselves: a bound on the stack, far above what people write.
pub(crate) const MAX_LEVELS: usize = 64;
pub(crate) const TOO_LARGE: &str = "the schema is too large: more than 64 levels or 65536 parts";
/// Levels: a bound on the stack. Above `compile`'s, which tells where the schema is too deep.
const MOST_LEVELS: usize = 2 * MAX_LEVELS;
/// Parts, those that are shared once for each place: a bound on what writing a schema costs. `compile`'s is below it; of
/// references there may be more.
const MOST_PARTS: usize = 1 << 20;

/// The size of a schema, itself included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SchemaSize {
    levels: usize,
    parts: usize,
}

impl SchemaSize {
    /// Returns the size of a schema that has these parts.
    pub(crate) const fn with_itself(self) -> SchemaSize {
        SchemaSize { levels: self.levels.saturating_add(1), parts: self.parts.saturating_add(1) }
    }

    pub(crate) fn beside(self, other: SchemaSize) -> SchemaSize {
        let parts = self.parts.saturating_add(other.parts);
        SchemaSize { levels: self.levels.max(other.levels), parts }
    }

    pub(crate) const fn is_too_large(self) -> bool {
        self.levels > MOST_LEVELS || self.parts > MOST_PARTS
    }
}
