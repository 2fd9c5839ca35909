//! Counts what unpacking makes against the limits, before it is made.

use variant_core::{ErrorKind, Limits};

use crate::text::length;

/// Levels of a value: a bound on the stack.
pub(crate) const MOST_LEVELS: u32 = 128;
/// The least bytes of a value in Godot's format.
const LEAST_BYTES: u64 = 4;

/// Holds what is left of the limits.
#[derive(Debug)]
pub(crate) struct Ledger<'l> {
    values: u64,
    pub(crate) limits: &'l Limits,
    pub(crate) level: u32,
}

impl<'l> Ledger<'l> {
    pub(crate) const fn new(limits: &'l Limits) -> Ledger<'l> {
        Ledger { values: limits.max_values, limits, level: 0 }
    }

    /// Charges a value.
    #[inline]
    pub(crate) const fn value(&mut self) -> Result<(), ErrorKind> {
        self.values_more(1)
    }

    /// Whether so many values fit, in so many levels below the next.
    #[inline]
    pub(crate) fn has_room(&self, values: u64, levels: u32) -> bool {
        let most = u64::from(MOST_LEVELS).min(self.limits.max_depth);
        values <= self.values && u64::from(self.level.saturating_add(levels)) < most
    }

    /// Charges values that fit.
    #[inline]
    pub(crate) const fn charge(&mut self, values: u64) {
        self.values = self.values.saturating_sub(values);
    }

    /// Charges so many values.
    pub(crate) const fn values_more(&mut self, count: u64) -> Result<(), ErrorKind> {
        match self.values.checked_sub(count) {
            Some(left) => {
                self.values = left;
                Ok(())
            }
            None => Err(ErrorKind::TooManyValues { limit: self.limits.max_values, declared: 0 }),
        }
    }

    /// Asks whether so many elements fit, each of which will be counted itself.
    pub(crate) fn elements(&self, count: u64) -> Result<(), ErrorKind> {
        let declared = u32::try_from(count).unwrap_or(u32::MAX);
        if count > self.values {
            return Err(ErrorKind::TooManyValues { limit: self.limits.max_values, declared });
        }
        self.bytes(count.saturating_mul(LEAST_BYTES))?;
        if count > 0x7FFF_FFFF { Err(ErrorKind::TooLong) } else { Ok(()) }
    }

    pub(crate) fn entries(&self, count: u64) -> Result<(), ErrorKind> {
        if count > self.limits.max_entries {
            let declared = u32::try_from(count).unwrap_or(u32::MAX);
            return Err(ErrorKind::TooManyEntries { limit: self.limits.max_entries, declared });
        }
        self.elements(count)
    }

    /// Asks whether so many bytes may come out.
    pub(crate) const fn bytes(&self, count: u64) -> Result<(), ErrorKind> {
        if count > self.limits.max_output_bytes {
            return Err(ErrorKind::OutputTooLarge { limit: self.limits.max_output_bytes });
        }
        Ok(())
    }

    /// A text of so many bytes at least.
    pub(crate) fn text(&self, count: u64) -> Result<(), ErrorKind> {
        if count > self.limits.max_string_bytes {
            let declared = u32::try_from(count).unwrap_or(u32::MAX);
            return Err(ErrorKind::StringTooLong { limit: self.limits.max_string_bytes, declared });
        }
        Ok(())
    }

    pub(crate) fn down(&mut self) -> Result<(), ErrorKind> {
        let most = u64::from(MOST_LEVELS).min(self.limits.max_depth);
        self.level = self.level.saturating_add(1);
        if u64::from(self.level) > most { Err(ErrorKind::TooDeep { limit: most }) } else { Ok(()) }
    }

    pub(crate) const fn up(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// Whether what was written is within the limit.
    #[inline]
    pub(crate) fn written(&self, bytes: &[u8]) -> Result<(), ErrorKind> {
        self.bytes(length(bytes.len()))
    }
}
