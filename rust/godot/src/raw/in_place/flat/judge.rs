//! Judges what comes next on the fast path, just before it is made, by what has come before and by the rules.

use variant_core::{MOST_FLAT_NAMES, Rules, TypeSet, VariantType, flat_names_may_repeat, most_flat_entries};

use super::super::bits::{BOOL, FLOAT, INT, NAME, NIL, STRING, WIDE_FLAG};
use super::super::keys::KeyCache;
use super::super::scalar;
use super::super::shapes::{self, MOST};
use super::{BUILTIN_KEY, BUILTIN_VALUE, WIDE_INT, word};

/// The judge of one value.
pub(super) struct Judge<'r> {
    pub(super) keys: &'r KeyCache,
    /// The rules, of which only those for texts and types are asked.
    pub(super) rules: &'r Rules,
    /// Names that may come still.
    pub(super) names: u32,
    /// Those that came, where they are free from then on: names and paths of the cache.
    came: [*const u8; MOST_FLAT_NAMES as usize],
}

impl<'r> Judge<'r> {
    pub(super) const fn new(keys: &'r KeyCache, rules: &'r Rules) -> Judge<'r> {
        Judge { keys, rules, names: MOST_FLAT_NAMES, came: [std::ptr::null(); MOST_FLAT_NAMES as usize] }
    }

    /// Tells whether a Dictionary of these types may have so many entries uncounted. Where its table has to grow, room has to
    /// be ready, which the walk cares for.
    #[inline(always)]
    pub(super) fn is_free(&self, count: u32, types: (u32, u32)) -> bool {
        count <= MOST || (count <= most_flat_entries(self.rules) && self.keys.tables.is_ready(types, count))
    }

    /// Tells whether a Dictionary with so many entries that declares these types may have the key that comes next.
    #[inline(always)]
    pub(super) fn takes_key(&mut self, count: u32, declared: (u32, u32), bytes: &[u8]) -> Option<()> {
        let (header, _) = word(bytes)?;
        if declared.0 != NIL && header & !WIDE_FLAG != declared.0 {
            return None;
        }
        let is_right = match header {
            // It is made of a known text, or not at all. Several texts are worth a template, which the walk learns.
            STRING => declared != (NIL, NIL) || !shapes::may_be_learnt(count),
            INT | WIDE_INT => true,
            NAME => {
                let found = self.keys.known(bytes)?;
                self.comes(found.key.cast(), 1)?;
                self.is_key(NAME)
            }
            header => self.is_key(header) && scalar::vector(header).is_some(),
        };
        is_right.then_some(())
    }

    /// Tells whether keys of this type are let in.
    #[inline(always)]
    fn is_key(&self, ty: u32) -> bool {
        let is_in = |set: TypeSet| ty < 64 && set.0 >> ty & 1 == 1;
        is_in(self.rules.limits.allowed_key_types) && is_in(self.rules.limits.allowed_types)
    }

    #[inline(always)]
    pub(super) fn allows(&self, ty: VariantType) -> bool {
        self.rules.limits.allowed_types.contains(ty)
    }

    /// Reads what a Dictionary with this header declares: its keys' type, its values', and what follows; 0 for nothing.
    /// `None` where that has not come before, or is nothing for the fast path.
    pub(super) fn declared<'b>(&self, header: u32, rest: &'b [u8]) -> Option<(u32, u32, &'b [u8])> {
        let (key, rest) = if header & BUILTIN_KEY == 0 { (NIL, rest) } else { word(rest)? };
        let (value, rest) = if header & BUILTIN_VALUE == 0 { (NIL, rest) } else { word(rest)? };
        let are_known = self.keys.empties.has((key, value))
            && (key == NIL || self.is_key(key))
            && (value == NIL || is_simple(value));
        are_known.then_some((key, value, rest))
    }

    /// Counts what stands for so many names, if it does not come again.
    #[inline]
    pub(super) fn comes(&mut self, known: *const u8, names: u32) -> Option<()> {
        if self.came.contains(&known) {
            return Some(());
        }
        self.names = self.names.checked_sub(names)?;
        if flat_names_may_repeat(self.rules) {
            // There are never more than names.
            *self.came.get_mut(self.names as usize)? = known;
        }
        Some(())
    }
}

/// Tells whether a slot that is new with this type declared owns nothing.
pub(super) fn is_simple(declared: u32) -> bool {
    matches!(declared, BOOL | INT | FLOAT | STRING | NAME) || scalar::vector(declared).is_some()
}
