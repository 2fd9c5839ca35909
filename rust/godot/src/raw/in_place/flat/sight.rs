//! Sight: what makes sure that what is made is flat, before it or while it is made.

use variant_core::token::{LONG_TEXT, Record, long_text, plain_string, plain_text, string_field};
use variant_core::{Rules, VariantType};

use super::super::super::layout::PAYLOAD;
use super::super::bits::{INT, NAME, NIL, STRING};
use super::super::builder::tag;
use super::super::shapes;
use super::super::strings;
use super::super::to_slots::as_str;
use super::look::Look;
use super::{WIDE_INT, word};

/// Asked by `make.rs` wherever something could speak against what comes next. `None`: something does.
pub(super) trait Sight {
    /// So many elements, for which there is room, at 4 bytes each.
    fn elements(&mut self, count: u32, rest: &[u8]) -> Option<()>;
    /// A Dictionary without types and without a shape.
    fn dictionary(&mut self, count: u32) -> Option<()>;
    /// A key of one with so many entries.
    fn key(&mut self, count: u32, bytes: &[u8]) -> Option<()>;
    /// A key of a shape.
    fn begins(&mut self, record: &Record, bytes: &[u8]) -> Option<()>;
    /// A container with declared types, all of it.
    fn typed(&mut self, header: u32, rest: &[u8], levels: u64) -> Option<()>;
    /// A leaf that is no scalar, no String and no PackedStringArray.
    fn rare(&mut self, header: u32, bytes: &[u8]) -> Option<()>;
    /// A String: its text, whether that is ASCII, and what follows.
    ///
    /// # Safety
    /// The bytes were looked through if this is [`Seen`].
    unsafe fn text<'b>(&mut self, bytes: &'b [u8]) -> Option<(&'b str, bool, &'b [u8])>;
    /// Makes the String that comes next while it is looked at; what follows. `None`: it is to be read before.
    ///
    /// # Safety
    /// The slot owns nothing.
    #[inline(always)]
    unsafe fn string<'b>(&mut self, _: &'b [u8], _: *mut u8) -> Option<&'b [u8]> {
        None
    }
    /// A PackedStringArray of so many, for which there is room.
    fn packed_strings(&mut self, count: u32, rest: &[u8]) -> Option<()>;
    /// One of them: as [`Sight::text`].
    ///
    /// # Safety
    /// As there.
    unsafe fn packed_string<'b>(&mut self, bytes: &'b [u8]) -> Option<(&'b str, bool, &'b [u8])>;
}

/// All of it was looked through.
pub(super) struct Seen;

impl Sight for Seen {
    #[inline(always)]
    fn elements(&mut self, _: u32, _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn dictionary(&mut self, _: u32) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn key(&mut self, _: u32, _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn begins(&mut self, _: &Record, _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn typed(&mut self, _: u32, _: &[u8], _: u64) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn rare(&mut self, _: u32, _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    unsafe fn text<'b>(&mut self, bytes: &'b [u8]) -> Option<(&'b str, bool, &'b [u8])> {
        // SAFETY: the caller's promise.
        let (text, rest) = unsafe { strings::seen(bytes.get(4..)?, false)? };
        Some((text, text.is_ascii(), rest))
    }

    #[inline(always)]
    fn packed_strings(&mut self, _: u32, _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    unsafe fn packed_string<'b>(&mut self, bytes: &'b [u8]) -> Option<(&'b str, bool, &'b [u8])> {
        // SAFETY: the caller's promise.
        let (text, rest) = unsafe { strings::seen(bytes, true)? };
        Some((text, text.is_ascii(), rest))
    }
}

/// It is looked at piece by piece, each before it is made.
impl Sight for Look<'_, true> {
    #[inline(always)]
    fn elements(&mut self, count: u32, rest: &[u8]) -> Option<()> {
        (count as usize <= rest.len() / 4).then_some(())
    }

    #[inline(always)]
    fn dictionary(&mut self, count: u32) -> Option<()> {
        self.is_free(count, (NIL, NIL)).then_some(())
    }

    #[inline(always)]
    fn key(&mut self, count: u32, bytes: &[u8]) -> Option<()> {
        match word(bytes)? {
            // Made of what is known, or not at all. Of several texts the shape is worth to be learnt, which the walk does.
            (STRING, _) => (!shapes::may_be_learnt(count)).then_some(()),
            (INT, _) => Some(()),
            (NAME | WIDE_INT, _) => Look::key(self, word(bytes)?.0, bytes).map(|_| ()),
            (header, _) => self.is_vector_key(header).then_some(()),
        }
    }

    #[inline(always)]
    fn begins(&mut self, record: &Record, bytes: &[u8]) -> Option<()> {
        record.begins(bytes).then_some(())
    }

    #[inline(never)]
    fn typed(&mut self, header: u32, rest: &[u8], levels: u64) -> Option<()> {
        self.container(header, rest, levels).map(|_| ())
    }

    #[inline(always)]
    fn rare(&mut self, header: u32, bytes: &[u8]) -> Option<()> {
        Look::rare(self, header, bytes).map(|_| ())
    }

    #[inline(always)]
    unsafe fn text<'b>(&mut self, bytes: &'b [u8]) -> Option<(&'b str, bool, &'b [u8])> {
        let (text, rest) = if is_long(bytes) {
            long_text(bytes, self.rules())?
        } else {
            plain_text(bytes, self.rules()).map(|(_, text, rest)| (text, rest))?
        };
        Some((as_str(&text), text.is_ascii(), rest))
    }

    #[inline(always)]
    unsafe fn string<'b>(&mut self, bytes: &'b [u8], slot: *mut u8) -> Option<&'b [u8]> {
        // SAFETY: the caller's promise.
        if is_long(bytes) { unsafe { long(bytes, slot, self.rules()) } } else { None }
    }

    #[inline(always)]
    fn packed_strings(&mut self, count: u32, rest: &[u8]) -> Option<()> {
        (self.allows(VariantType::PackedStringArray) && count as usize <= rest.len() / 4).then_some(())
    }

    #[inline(always)]
    unsafe fn packed_string<'b>(&mut self, bytes: &'b [u8]) -> Option<(&'b str, bool, &'b [u8])> {
        let (text, rest) = plain_string(bytes, self.rules())?;
        Some((as_str(&text), text.is_ascii(), rest))
    }
}

/// Whether a text that bytes begin with is long.
#[inline(always)]
fn is_long(bytes: &[u8]) -> bool {
    matches!(bytes, [_, _, _, _, a, b, c, d, ..] if u32::from_le_bytes([*a, *b, *c, *d]) as usize >= LONG_TEXT)
}

/// # Safety
/// As [`Sight::string`].
#[inline(never)]
unsafe fn long<'b>(bytes: &'b [u8], slot: *mut u8, rules: &Rules) -> Option<&'b [u8]> {
    let (body, rest) = string_field(bytes, rules)?;
    // SAFETY: the caller's promise.
    unsafe {
        strings::unread(slot.add(PAYLOAD), body)?;
        tag(slot, STRING);
    }
    Some(rest)
}
