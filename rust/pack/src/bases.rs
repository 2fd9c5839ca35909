//! Bases: the packed values that a difference is from, one or two, and how far apart they are.

use std::num::NonZeroU16;

use crate::columns::Distances;
use crate::digest::{fnv, fnv_more};

/// The packed values that a difference is from: one, or two, of which the older tells where things move to.
///
/// With two, the difference is from where everything would be after so many states more, if it went on as it did between them.
/// Whoever applies it needs the same two values and distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bases<'b> {
    pub(crate) newer: &'b [u8],
    pub(crate) older: Option<(&'b [u8], Distances)>,
}

impl<'b> Bases<'b> {
    /// The value is told from this one.
    #[must_use]
    pub const fn one(base: &'b [u8]) -> Bases<'b> {
        Bases { newer: base, older: None }
    }

    /// The value is told from two; as many states lie between both as between the newer and the value.
    #[must_use]
    pub const fn two(newer: &'b [u8], older: &'b [u8]) -> Bases<'b> {
        Bases { newer, older: Some((older, Distances { ahead: 1, gap: 1 })) }
    }

    /// The value is told from two: the newer is `ahead` states before the value, the older `gap` states before the newer.
    #[must_use]
    pub const fn apart(newer: &'b [u8], older: &'b [u8], ahead: NonZeroU16, gap: NonZeroU16) -> Bases<'b> {
        Bases { newer, older: Some((older, Distances::new(ahead, gap))) }
    }
}

impl<'b> From<&'b [u8]> for Bases<'b> {
    fn from(base: &'b [u8]) -> Bases<'b> {
        Bases::one(base)
    }
}

impl<'b> From<&'b Vec<u8>> for Bases<'b> {
    fn from(base: &'b Vec<u8>) -> Bases<'b> {
        Bases::one(base)
    }
}

/// The hash of bases without their tags.
pub(crate) fn hash(newer: &[u8], older: Option<(&[u8], Distances)>) -> u64 {
    let hash = fnv(newer);
    let Some((older, distances)) = older else { return hash };
    let hash = fnv_more(hash, older);
    if distances.ahead == distances.gap {
        return hash;
    }
    let hash = fnv_more(hash, &distances.ahead.to_le_bytes());
    fnv_more(hash, &distances.gap.to_le_bytes())
}
