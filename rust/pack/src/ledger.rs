//! Counts what unpacking makes against the limits, before it is made.

use variant_core::{ErrorKind, Limits};

use crate::fault::{Fault, Outcome};
use crate::text::length;

/// Says what is held against the limits.
pub(crate) enum Claim {
    Elements,
    Entries,
    Text,
    Bytes,
    /// Elements of so many numbers.
    Numbers(usize),
}

/// Levels of a value: a bound on the stack.
pub(crate) const MOST_LEVELS: u32 = 128;
/// Levels of a pass, to which references and unions add: each level of a value may be behind one.
const MOST_STEPS: u32 = 256;
/// Elements that may come without bits, and how many more for each byte that came.
const FREE: u64 = 64;
const FREE_EACH: u64 = 64;

/// How many elements may take no bits in a value of so many bytes.
pub(crate) const fn most_without_bits(bytes: u64) -> u64 {
    FREE.saturating_add(bytes.saturating_mul(FREE_EACH))
}

/// Counts levels: those of the value, which a reference or a union does not add to, and those of the pass.
#[derive(Debug, Default)]
pub(crate) struct Depth {
    level: u32,
    steps: u32,
}

impl Depth {
    /// Whether so many levels fit below the next.
    #[inline]
    pub(crate) fn has_room(&self, levels: u32, limit: u64) -> bool {
        u64::from(self.level.saturating_add(levels)) < limit.min(u64::from(MOST_LEVELS))
    }

    #[inline]
    pub(crate) fn down(&mut self, limit: u64) -> Result<(), ErrorKind> {
        let most = limit.min(u64::from(MOST_LEVELS));
        (self.level, self.steps) = (self.level.saturating_add(1), self.steps.saturating_add(1));
        let is_within = u64::from(self.level) <= most && self.steps <= MOST_STEPS;
        if is_within { Ok(()) } else { Err(ErrorKind::TooDeep { limit: most }) }
    }

    pub(crate) const fn up(&mut self) {
        (self.level, self.steps) = (self.level.saturating_sub(1), self.steps.saturating_sub(1));
    }

    /// Takes the level of a value back: the next one stands for it.
    pub(crate) const fn stay(&mut self) {
        self.level = self.level.saturating_sub(1);
    }

    /// Goes on below the level that was taken back.
    pub(crate) const fn stayed(&mut self) {
        self.level = self.level.saturating_add(1);
    }
}
/// The least bytes of a value in Godot's format.
const LEAST_BYTES: u64 = 4;

#[derive(Debug)]
pub(crate) struct Ledger<'l> {
    values: u64,
    /// Elements that have come without bits, and how many may.
    pub(crate) free: u64,
    pub(crate) most_free: u64,
    pub(crate) limits: &'l Limits,
    pub(crate) depth: Depth,
}

impl<'l> Ledger<'l> {
    pub(crate) fn new(limits: &'l Limits, bytes: u64) -> Ledger<'l> {
        let (values, most_free) = (limits.max_values, most_without_bits(bytes));
        Ledger { values, free: 0, most_free, limits, depth: Depth::default() }
    }

    pub(crate) fn without_bits(&mut self, count: u64) -> Outcome<()> {
        self.free = self.free.saturating_add(count);
        if self.free <= self.most_free { Ok(()) } else { Err(Fault::without_bits(self.most_free)) }
    }

    pub(crate) fn claim(&self, what: Claim, count: u64) -> Outcome<()> {
        match what {
            Claim::Elements => self.elements(count)?,
            Claim::Entries => self.entries(count)?,
            Claim::Text => self.text(count).and_then(|()| self.bytes(count))?,
            Claim::Bytes => self.bytes(count)?,
            Claim::Numbers(numbers) => {
                self.bytes(count.saturating_mul(length(numbers)))?;
                if count > 0x7FFF_FFFF {
                    return Err(ErrorKind::TooLong.into());
                }
            }
        }
        Ok(())
    }

    /// Takes back what a value was charged: the next one stands for it, which a reference leads to, or a union or case is.
    pub(crate) const fn stay(&mut self) {
        self.values = self.values.saturating_add(1);
        self.depth.stay();
    }

    #[inline]
    pub(crate) const fn value(&mut self) -> Result<(), ErrorKind> {
        self.values_more(1)
    }

    /// Whether so many values fit, in so many levels below the next.
    #[inline]
    pub(crate) fn has_room(&self, values: u64, levels: u32) -> bool {
        values <= self.values && self.depth.has_room(levels, self.limits.max_depth)
    }

    /// Charges values that fit.
    #[inline]
    pub(crate) const fn charge(&mut self, values: u64) {
        self.values = self.values.saturating_sub(values);
    }

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
        self.depth.down(self.limits.max_depth)
    }

    pub(crate) const fn up(&mut self) {
        self.depth.up();
    }

    #[inline]
    pub(crate) fn written(&self, bytes: &[u8]) -> Result<(), ErrorKind> {
        self.bytes(length(bytes.len()))
    }
}
