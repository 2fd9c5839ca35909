//! Finds out how the values of a file stand in it, when nobody said it.
//!
//! The rule is that of `gdvar` and of the panel: lengths count where they add up to the end of the file and what stands
//! between them is values; where they do not add up, the first value decides. A file that makes sense in both ways is one
//! of lengths.

use godot::classes::FileAccess;
use godot::obj::Gd;
use variant_core::{Dialect, Framing};
use variant_text::sniff::{InputHead, LOOKED_AT, Looks, framing_of};

/// The lengths that are followed from the start of a file. A file that begins with so many is a stream of
/// values.
pub(super) const MOST_LENGTHS: u32 = 4096;
/// The bytes of the smallest value.
const LEAST_VALUE: u64 = 4;

/// Returns how the values stand from where the file is, which it then is again; `None` where no length begins them.
pub(crate) fn of_file(file: &mut Gd<FileAccess>, dialect: Dialect) -> Option<Framing> {
    let start = file.get_position();
    let size = file.get_length().saturating_sub(start);
    if size == 0 {
        return None;
    }
    let first = file.get_buffer(i64::try_from(LOOKED_AT).unwrap_or(i64::MAX));
    let head = InputHead::new(first.as_slice(), size);
    let framing = framing_of(&head, dialect, |framing| lengths(file, start, size, framing).is_some());
    file.seek(start);
    framing
}

/// Returns how the values stand in a file of values: as the rule says, and with lengths where it looks like a file of another
/// kind, so that it is told as that.
pub(crate) fn of_values(file: &mut Gd<FileAccess>, dialect: Dialect) -> Framing {
    of_file(file, dialect).unwrap_or_else(|| {
        let start = file.get_position();
        let size = file.get_length().saturating_sub(start);
        let first = file.get_buffer(i64::try_from(LOOKED_AT).unwrap_or(i64::MAX));
        file.seek(start);
        let is_other = Looks::of(&InputHead::new(first.as_slice(), size), dialect).is_some();
        if is_other { Framing::U32 } else { Framing::None }
    })
}

/// Counts the values of which what is left of a file is, each with its length before it, up to [`MOST_LENGTHS`]; `None` where it is
/// something else. Only the lengths are read.
pub(super) fn lengths(file: &mut Gd<FileAccess>, start: u64, size: u64, framing: Framing) -> Option<u32> {
    let mut at = 0;
    for count in 0..MOST_LENGTHS {
        if at == size {
            return Some(count);
        }
        file.seek(start.saturating_add(at));
        let word = file.get_buffer(4);
        let word = word.as_slice().first_chunk::<4>()?;
        let length = match framing {
            Framing::U32Be => u32::from_be_bytes(*word),
            _ => u32::from_le_bytes(*word),
        };
        at += 4 + u64::from(length);
        if u64::from(length) < LEAST_VALUE || at > size {
            return None;
        }
    }
    Some(MOST_LENGTHS)
}
