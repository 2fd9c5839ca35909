//! Writes the leaves of a Variant in place: numbers without a branch on their width, vectors and packed
//! arrays as they lie, texts.

use godot::builtin::{PackedStringArray, Variant};
use variant_core::token::TextForm;
use variant_core::{Trick, VariantType};

use super::super::kernels::narrow::{OVERRUN, SHORT, short_ascii, utf8};
use super::super::layout::{PAYLOAD, pointer_at, read, word_at};
use super::ahead;
use super::bits::{FLOAT, INT, NAME, Plain, REAL_FLAG, WIDE_FLAG, WRITTEN, id};
use super::cursor::Cursor;
use super::encoder::Encoder;
use super::packed;
use super::slot::STRIDE;
use super::texts::{self, Characters};

/// Characters between two looks at the room that is left: room for four bytes each is asked for, which for a whole
/// long text would be far too much, and measuring it first takes as long as writing it.
const AT_ONCE: usize = 8192;

/// Bytes of a number with its header, at most.
const NUMBER: usize = 12;

/// Writes an int as 8 bytes, of which 4 may be written over where 32 bits are enough: no processor can foresee which it
/// will be, so that nothing branches on it.
///
/// # Safety
/// A living Variant with an int lies at `at`; the slack is free.
#[inline(always)]
pub(super) unsafe fn int(at: *const u8, to: &mut Cursor) {
    // SAFETY: the caller's promise; the payload lies in the Variant.
    unsafe {
        let value = read::<i64>(at.add(PAYLOAD));
        let is_wide = value != i64::from(value as i32);
        number(INT | (u32::from(is_wide) * WIDE_FLAG), value.cast_unsigned(), to);
    }
}

/// Writes a float, as [`int`] writes an int.
///
/// # Safety
/// It needs what [`int`] needs.
#[inline(always)]
pub(super) unsafe fn float(at: *const u8, to: &mut Cursor) {
    // SAFETY: as above.
    unsafe {
        let value = read::<f64>(at.add(PAYLOAD));
        let narrow = value as f32;
        // The engine's own test: NaN is wide.
        let is_wide = f64::from(narrow) != value;
        let narrow = u64::from(narrow.to_bits());
        let bits = if is_wide { value.to_bits() } else { narrow };
        number(FLOAT | (u32::from(is_wide) * WIDE_FLAG), bits, to);
    }
}

/// # Safety
/// The slack is free.
#[inline(always)]
unsafe fn number(header: u32, bits: u64, to: &mut Cursor) {
    // SAFETY: the caller's promise.
    unsafe {
        to.put(header);
        to.place().cast::<u64>().write_unaligned(bits);
        to.move_on(4 + 4 * (header / WIDE_FLAG) as usize);
    }
}

/// Writes a vector, a color, a matrix; false when it is none of them.
///
/// # Safety
/// A living Variant with this tag lies at `at`; the slack is free.
#[inline(always)]
pub(super) unsafe fn plain(tag: u32, at: *const u8, to: &mut Cursor) -> bool {
    let Some(plain) = WRITTEN.get(tag as usize).filter(|plain| plain.bytes > 0) else { return false };
    // SAFETY: the caller's promise; such a type has so many bytes where the table says, as the probe has seen,
    // and the slack has room for the largest of them.
    unsafe {
        to.put(tag | plain.flag);
        if plain.is_behind {
            to.copy(pointer_at(at.add(PAYLOAD)), plain.bytes);
        } else {
            own(at, plain, to);
        }
    }
    true
}

/// Writes what lies in the Variant itself. The payload is copied whole, whatever of it counts: a copy of a known length
/// is a few instructions, one of any length a call.
///
/// # Safety
/// It needs what [`plain`] needs, for a type whose numbers lie there.
#[inline(always)]
unsafe fn own(at: *const u8, plain: &Plain, to: &mut Cursor) {
    // SAFETY: the caller's promise.
    unsafe {
        std::ptr::copy_nonoverlapping(at.add(PAYLOAD), to.place(), size_of::<Variant>() - PAYLOAD);
        to.move_on(plain.bytes);
    }
}

/// Writes Variants as long as they have the first one's type. Returns how many it wrote.
///
/// # Safety
/// From `first` on lie `most` living Variants behind one another, one at least; there is room for all of them.
#[inline(always)]
unsafe fn run(
    first: *const u8,
    most: usize,
    to: &mut Cursor,
    write: impl Fn(*const u8, &mut Cursor),
) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let tag = word_at(first);
        let mut done = 0;
        while done < most && word_at(first.add(done * STRIDE)) == tag {
            write(first.add(done * STRIDE), to);
            done += 1;
        }
        done
    }
}

impl Encoder<'_> {
    /// Writes the numbers, vectors or colors of one type that an array goes on with, as long as there is room. Returns how
    /// many those were. Their type is asked for once and not for each.
    ///
    /// # Safety
    /// From `first` on lie `most` living Variants behind one another, one at least; `to` is where the output ends.
    #[inline]
    pub(super) unsafe fn alike(&self, first: *const u8, most: usize, to: &mut Cursor) -> usize {
        if Trick::EncodedRuns.is_off() {
            return 0;
        }
        let room = self.out.room(*to);
        // SAFETY: the caller's promise; no value takes more room than it is given here.
        unsafe {
            match word_at(first) {
                INT => run(first, most.min(room / NUMBER), to, |at, to| int(at, to)),
                FLOAT => run(first, most.min(room / NUMBER), to, |at, to| float(at, to)),
                tag => {
                    let known = WRITTEN.get(tag as usize).filter(|plain| plain.bytes > 0 && !plain.is_behind);
                    let Some(&plain) = known else { return 0 };
                    run(first, most.min(room / (size_of::<u32>() + plain.bytes)), to, |at, to| {
                        to.put(tag | plain.flag);
                        own(at, &plain, to);
                    })
                }
            }
        }
    }

    /// Writes everything that is neither number, vector, text nor container.
    ///
    /// # Safety
    /// A living Variant with this tag lies at `at`; the slack is free.
    pub(super) unsafe fn rare(&mut self, tag: u32, at: *const u8, to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise.
        unsafe {
            let variant = &*at.cast::<Variant>();
            match tag {
                _ if tag == id(VariantType::PackedStringArray) => self.packed_strings(variant, to),
                _ if tag >= id(VariantType::PackedByteArray) => self.packed(tag, variant, to),
                _ => self.by_official_calls(variant, to),
            }
        }
    }

    fn by_official_calls(&mut self, variant: &Variant, to: Cursor) -> Option<Cursor> {
        self.leaf.clear();
        (self.write_leaf)(variant, self.leaf)?;
        let mut to = self.out.reserve(to, self.leaf.len())?;
        // SAFETY: room has been made.
        unsafe { to.copy(self.leaf.as_ptr(), self.leaf.len()) };
        Some(to)
    }

    /// Writes a packed array of numbers: the bytes of its elements, which have no padding.
    fn packed(&mut self, tag: u32, variant: &Variant, to: Cursor) -> Option<Cursor> {
        let ty = VariantType::from_id(u8::try_from(tag).ok()?)?;
        let size = packed::element(ty)?;
        // SAFETY: the Variant holds such an array, which lives until the end.
        let Some((first, count)) = (unsafe { packed::elements(variant) }) else {
            return self.by_official_calls(variant, to);
        };
        let bytes = count.checked_mul(size)?;
        i32::try_from(bytes).ok()?;
        let mut to = self.out.reserve(to, bytes)?;
        // SAFETY: so many elements of this size, for which room has been made; the header is within the slack.
        unsafe {
            to.put(if packed::is_of_vectors(ty) { tag | REAL_FLAG } else { tag });
            to.put(count as u32);
            if bytes > 0 {
                to.copy(first, bytes);
            }
            to.pad(bytes);
        }
        Some(to)
    }

    fn packed_strings(&mut self, variant: &Variant, mut to: Cursor) -> Option<Cursor> {
        let strings: PackedStringArray = variant.try_to().ok()?;
        let strings = strings.as_slice();
        let count = u32::try_from(strings.len()).ok().filter(|count| *count <= i32::MAX as u32)?;
        // SAFETY: a GString is its handle; the array lives until the end.
        unsafe {
            to.put(id(VariantType::PackedStringArray));
            to.put(count);
            for (index, string) in strings.iter().enumerate() {
                if let Some(later) = strings.get(index + ahead::TEXTS) {
                    ahead::ask_text(std::ptr::from_ref(later).cast());
                }
                let text = texts::characters(std::ptr::from_ref(string).cast(), self.buffers)?;
                to = self.out.reserve(to, 0)?;
                to = self.terminated(text, to)?;
            }
        }
        Some(to)
    }

    /// Writes a name.
    ///
    /// # Safety
    /// `handle` is that of a living StringName; the slack is free.
    pub(super) unsafe fn name(&mut self, handle: *const u8, to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise.
        unsafe { texts::with_name(handle, self.buffers, |text| self.text(NAME, text?, to)) }
    }

    /// Writes a header, and length, characters and padding of a text.
    ///
    /// # Safety
    /// The characters stay where they are meanwhile, and the NUL behind them if there are any; the slack is free.
    #[inline(always)]
    pub(super) unsafe fn text(&mut self, header: u32, text: Characters, mut to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise; what is short fits into the slack.
        unsafe {
            if text.count <= SHORT && short_ascii(text.first, text.count, to.place().add(8)) {
                to.put(u64::from(header) | (text.count as u64) << 32);
                to.move_on((text.count + 3) & !3);
                return Some(to);
            }
            to.put(header);
            self.any_text(text, TextForm::Plain, to)
        }
    }

    /// Writes length, characters, a NUL that is counted, and padding.
    ///
    /// # Safety
    /// It needs what [`Encoder::text`] needs.
    #[inline(always)]
    pub(super) unsafe fn terminated(&mut self, text: Characters, mut to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise; what is short fits into the slack, and has zeros behind it.
        unsafe {
            if text.count <= SHORT && short_ascii(text.first, text.count, to.place().add(4)) {
                to.put(text.count as u32 + 1);
                to.move_on((text.count + 4) & !3);
                return Some(to);
            }
            self.any_text(text, TextForm::Terminated, to)
        }
    }

    /// Writes length, characters and padding; a terminated text with a NUL that is counted.
    ///
    /// # Safety
    /// The characters stay where they are meanwhile; four bytes of the slack are free.
    #[inline(never)]
    unsafe fn any_text(&mut self, text: Characters, form: TextForm, to: Cursor) -> Option<Cursor> {
        // A long text takes a byte a character at least: that room is asked for at once, not doubled up to.
        let least = text.count.min(self.out.left(to));
        let mut to = self.out.reserve(to, least.max(text.count.min(AT_ONCE) * 4) + OVERRUN + 12)?;
        // SAFETY: room for four bytes a character and what the kernel writes over has been made.
        unsafe {
            let length_at = self.out.used(to);
            to.put(0_u32);
            let mut done = text.count.min(AT_ONCE);
            let mut bytes = utf8(text.first, done, to.place())?;
            to.move_on(bytes);
            while done < text.count {
                let next = (text.count - done).min(AT_ONCE);
                to = self.out.reserve(to, next * 4 + OVERRUN + 12)?;
                let more = utf8(text.first.add(done), next, to.place())?;
                to.move_on(more);
                bytes += more;
                done += next;
            }
            if form == TextForm::Terminated {
                to.put(0_u8);
                bytes += 1;
            }
            let length = u32::try_from(bytes).ok().filter(|length| *length < i32::MAX as u32)?;
            self.out.place(length_at).cast::<u32>().write_unaligned(length);
            to.pad(bytes);
        }
        Some(to)
    }
}
