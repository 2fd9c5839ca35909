//! Reads the forms that most values have, for a caller who knows which one it wants. Each is read where it is
//! used: a token, which can be anything, would be written to memory and read again. The answer is `None` for
//! a value that is not there in its plainest form, or against which a limit might speak. It is then asked for
//! as [`Pull::value`].

use super::{Mode, Pull};
use crate::cursor::Cursor;
use crate::fault::Fault;
use crate::flood::SMALL;
use crate::plain::FlatNames;
use crate::token::{
    self, ARRAY, DICTIONARY, Lanes, Leaf, NIL, STRING, Text, Token, read_plain_text, scalar_bytes,
    short_string,
};
use crate::tricks::Trick;
use crate::wire::{Lane, VariantType};

impl<'a> Pull<'_, 'a> {
    /// Reads by a function that takes nothing where it gives nothing.
    #[inline(always)]
    fn read<T>(&mut self, read: impl FnOnce(&mut Cursor<'a>) -> Option<T>) -> Option<T> {
        if Trick::Pull.is_off() {
            return None;
        }
        let mut next = self.cursor;
        let value = read(&mut next)?;
        self.cursor = next;
        Some(value)
    }

    /// Reads a null.
    #[inline(always)]
    pub fn nil(&mut self) -> Option<()> {
        self.read(|cursor| (cursor.u32().ok()? == NIL).then_some(()))
    }

    /// Reads an int of either width.
    #[inline(always)]
    pub fn int(&mut self) -> Option<i64> {
        self.read(token::read_plain_int)
    }

    /// Reads a float of either width.
    #[inline(always)]
    pub fn float(&mut self) -> Option<f64> {
        self.read(token::read_plain_float)
    }

    /// Reads a bool.
    #[inline(always)]
    pub fn bool(&mut self) -> Option<bool> {
        self.read(token::read_plain_bool)
    }

    /// Reads a short String of ASCII, which most texts are.
    #[inline(always)]
    pub fn short_text(&mut self) -> Option<Text<'a>> {
        self.read(|cursor| {
            let (text, used) = short_string(cursor.rest())?;
            cursor.take(used).is_ok().then_some(text)
        })
    }

    /// Reads a String of any length, or a StringName.
    #[inline]
    pub fn plain_text(&mut self) -> Option<(VariantType, Text<'a>)> {
        let rules = self.rules;
        let before = self.cursor;
        let (ty, text, _) = self.read(|cursor| read_plain_text(cursor, None, rules))?;
        if ty == VariantType::StringName && !self.name_may_come(text, before) {
            self.cursor = before;
            return None;
        }
        Some((ty, text))
    }

    /// Tells whether nobody has to judge the StringName between this cursor and ours.
    fn name_may_come(&mut self, name: Text<'_>, before: Cursor<'_>) -> bool {
        if self.is_sure() {
            return true;
        }
        let place = |cursor: Cursor<'_>| usize::try_from(cursor.at()).unwrap_or(usize::MAX);
        let field = self.bytes.get(place(before)..place(self.cursor)).unwrap_or_default();
        let names = self.names.get_or_insert_with(|| FlatNames::new(self.rules));
        names.name(field, &name).is_some()
    }

    /// Reads a vector, rectangle or color of this type, in single precision: so many lanes of four bytes.
    #[inline(always)]
    pub fn lanes(&mut self, ty: VariantType, lane: Lane, count: u8) -> Option<Lanes<'a>> {
        let lane = if lane == Lane::Real { Lane::F32 } else { lane };
        self.read(|cursor| {
            let header = cursor.u32().ok()?;
            if header != u32::from(ty.id()) || scalar_bytes(header) == 0 {
                return None;
            }
            Lanes::new(cursor.take(u64::from(count) << 2).ok()?, lane)
        })
    }

    /// Reads the opening of an untyped Array: how many elements it has.
    #[inline(always)]
    pub fn array(&mut self) -> Option<u32> {
        self.opening(ARRAY, u32::MAX)
    }

    /// Reads the opening of an untyped Dictionary: how many entries it has. As long as hope is all there is,
    /// it asks who reads it to tell that no key comes twice: by [`Pull::field`], or since there is only one.
    #[inline(always)]
    pub fn dictionary(&mut self) -> Option<u32> {
        self.opening(DICTIONARY, SMALL)
    }

    #[inline(always)]
    fn opening(&mut self, header: u32, most: u32) -> Option<u32> {
        let levels = match self.mode {
            Mode::Sure { .. } => None,
            Mode::Hoping { levels } => Some(levels.checked_sub(1)?),
        };
        let most = if levels.is_some() { most } else { u32::MAX };
        let count = self.read(|cursor| {
            let found = cursor.u32().ok()?;
            let count = cursor.u32().ok()?;
            let is_it = found == header && count <= most && count.leading_zeros() > 0;
            is_it.then_some(count)
        })?;
        if let (Some(left), Mode::Hoping { levels }) = (levels, &mut self.mode) {
            *levels = left;
        }
        Some(count)
    }

    /// Reads a key that is one of these names, from the place `from` on: its place. Keys that come in the
    /// order of the names are no two of them equal, which nobody has to look for then.
    #[inline(always)]
    pub fn field(&mut self, names: &[&'static str], from: usize) -> Option<usize> {
        let name = names.get(from)?;
        if let Some(used) = short_key(self.cursor.rest(), name.as_bytes())
            && self.cursor.take(used).is_ok()
        {
            return Some(from);
        }
        self.later_field(names, from)
    }

    /// Looks for a name that is longer, or behind the next one, which is that of a field that did not come.
    #[inline(never)]
    fn later_field(&mut self, names: &[&'static str], from: usize) -> Option<usize> {
        let is_it = |name: &&'static str| self.read(|cursor| key(cursor, name.as_bytes())).is_some();
        from.checked_add(names.get(from..)?.iter().position(is_it)?)
    }

    /// Tells whether all bytes were judged, so that a key which comes twice was refused already.
    #[inline]
    #[must_use]
    pub const fn is_sure(&self) -> bool {
        matches!(self.mode, Mode::Sure { .. })
    }

    /// Judges all bytes, for something came that is not plain. Nobody has to judge what is read from then on.
    #[cold]
    #[inline(never)]
    pub(super) fn judge(&mut self) -> Result<(), Fault> {
        match self.walker.get_or_insert_default().validate(self.bytes, self.rules) {
            Ok(extent) => {
                self.mode = Mode::Sure { end: extent.consumed };
                Ok(())
            }
            Err(error) => {
                let fault = Fault::new(error.kind(), error.offset());
                self.refusal = Some(error);
                Err(fault)
            }
        }
    }

    /// Reads any token of bytes that nothing speaks against.
    #[inline]
    pub(super) fn sure(&mut self) -> Result<Token<'a>, Fault> {
        if let Some(text) = self.short_text() {
            return Ok(Token::Leaf(Leaf::Text(VariantType::String, text)));
        }
        let is_plain = token::are_plain(self.rules);
        if is_plain && let Some(scalar) = token::read_scalar(&mut self.cursor, None) {
            return Ok(Token::Leaf(scalar));
        }
        if is_plain && let Some(container) = token::read_plain_opening(&mut self.cursor, self.rules) {
            return Ok(Token::Open(container));
        }
        token::read(&mut self.cursor, self.rules)
    }
}

/// Reads the String that comes next, if it is this name, padded with zeros.
fn key(cursor: &mut Cursor<'_>, name: &[u8]) -> Option<()> {
    let (head, field) = cursor.rest().split_first_chunk::<8>()?;
    let length = u64::try_from(name.len()).ok()?;
    if u64::from_le_bytes(*head) != length << 32 | u64::from(STRING) {
        return None;
    }
    let (text, behind) = field.split_at_checked(name.len())?;
    let padding = behind.get(..name.len().wrapping_neg() & 3)?;
    let is_it = text == name && matches!(padding, [] | [0] | [0, 0] | [0, 0, 0]);
    let used = length.saturating_add(11) & !3;
    (is_it && cursor.take(used).is_ok()).then_some(())
}

/// Returns how many bytes the String takes that comes next, if it is this name of 1 to 8 bytes and eight bytes are there.
/// Numbers are compared, in half the instructions of [`key`], which is the fallback.
#[inline(always)]
fn short_key(bytes: &[u8], name: &[u8]) -> Option<u64> {
    let (head, field) = bytes.split_first_chunk::<8>()?;
    let length = u64::try_from(name.len()).ok()?;
    if u64::from_le_bytes(*head) != length << 32 | u64::from(STRING) {
        return None;
    }
    let word = u64::from_le_bytes(*field.first_chunk()?);
    if let (Some(first), Some(last)) = (name.first_chunk(), name.last_chunk()) {
        let shift = u32::try_from(length.wrapping_sub(4).wrapping_shl(3) & 0x3F).unwrap_or(0);
        let high = u64::from(u32::from_le_bytes(*last)).wrapping_shl(shift);
        let expected = u64::from(u32::from_le_bytes(*first)) | high;
        return match length {
            4 => (word & u64::from(u32::MAX) == expected).then_some(12),
            5..=8 => (word == expected).then_some(16),
            _ => None,
        };
    }
    let expected = match *name {
        [a] => u32::from(a),
        [a, b] => u32::from_le_bytes([a, b, 0, 0]),
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
        _ => return None,
    };
    (word & u64::from(u32::MAX) == u64::from(expected)).then_some(12)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of up to 20 bytes, far from the end of the bytes and at it, with each byte changed and each byte missing.
    #[test]
    fn a_key_is_its_name_and_nothing_else() {
        let read = |bytes: &[u8], name: &[u8]| {
            let mut cursor = Cursor::new(bytes);
            let is_it = key(&mut cursor, name);
            assert_eq!(cursor.at() > 0, is_it.is_some());
            is_it.map(|()| cursor.at())
        };
        for length in 1..=20_usize {
            let name: Vec<u8> = (b'a'..).take(length).collect();
            let mut bytes = [STRING.to_le_bytes(), u32::try_from(length).unwrap().to_le_bytes()].concat();
            bytes.extend(&name);
            bytes.resize(8 + length.next_multiple_of(4), 0);
            let used = bytes.len();
            for behind in [0, 1, 12] {
                bytes.resize(used + behind, 0xEE);
                let whole = u64::try_from(used).ok();
                let is_short = length <= 8 && bytes.len() >= 16;
                assert_eq!(short_key(&bytes, &name), whole.filter(|_| is_short), "{length}, {behind} behind");
                assert_eq!(read(&bytes, &name), whole, "{length}, {behind} behind");
                let changed = (0..used).map(|at| {
                    let mut other = bytes.clone();
                    other[at] ^= 0x40;
                    other
                });
                let cut = (0..used).map(|end| bytes[..end].to_vec());
                for other in changed.chain(cut) {
                    assert_eq!((short_key(&other, &name), read(&other, &name)), (None, None), "{other:?}");
                }
            }
            assert_eq!((short_key(&bytes, &name[1..]), read(&bytes, &name[1..])), (None, None));
        }
    }
}
