//! Reads the little-endian fields of a chunk's payload. A field that is not there is a damaged save.

use crate::fault::SaveFault;

/// Holds the rest of a payload, and the byte of the file where that rest begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
    at: u64,
}

impl<'a> Fields<'a> {
    pub(crate) const fn new(payload: &'a [u8], at: u64) -> Fields<'a> {
        Fields { rest: payload, at }
    }

    pub(crate) const fn at(&self) -> u64 {
        self.at
    }

    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], SaveFault> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            return Err(SaveFault::damaged(self.at, "a field is missing"));
        };
        self.rest = rest;
        self.at = self.at.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], SaveFault> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, SaveFault> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, SaveFault> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, SaveFault> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, SaveFault> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads a text of at most 65 535 bytes behind its length.
    pub(crate) fn text(&mut self) -> Result<&'a str, SaveFault> {
        let at = self.at;
        let length = self.u16()?;
        std::str::from_utf8(self.take(usize::from(length))?)
            .map_err(|_| SaveFault::damaged(at, "a text is no UTF-8"))
    }

    /// Refuses bytes behind the last field.
    pub(crate) fn end(self) -> Result<(), SaveFault> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(SaveFault::damaged(self.at, "a chunk has bytes too many"))
        }
    }
}
