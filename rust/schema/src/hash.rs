//! Hash: a number for what a schema accepts, the same on every platform and in every release.
//!
//! It is FNV-1a of the compact JSON without what is for people. The order in which keys were written and
//! descriptions do not count; a check of `check_with` does not either.

use crate::json;
use crate::schema::Schema;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Schema {
    /// Two peers with the same number mean the same by a packet.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let text = json::plain(self).compact();
        text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change here means that peers of two releases no longer agree: only with a new `schema_version`.
    #[test]
    fn the_number_is_pinned() {
        let schema = Schema::dict([("hp", Schema::int().min(0).max(99)), ("name?", Schema::string())]);
        assert_eq!(schema.hash(), 1_123_523_652_738_234_813);
        assert_eq!(Schema::float().min(-0.1).max(1e300).hash(), 7_708_420_975_570_009_310);
        let other_order = Schema::dict([("name?", Schema::string()), ("hp", Schema::int().min(0).max(99))]);
        assert_eq!(schema.hash(), other_order.describe("of a player").hash());
        assert_ne!(schema.hash(), schema.open(true).hash());
    }
}
