//! Reads plain bools, ints and floats, of either width, and the two words that a plain container opens with.

use super::scalar::{BOOL, FLOAT, INT, WIDE_FLOAT, WIDE_INT};
use crate::cursor::Cursor;

/// Declares a reader of the next scalar of one type, of either width, which reads nothing where another comes, and the same for
/// the front of bytes, which returns the rest, too.
macro_rules! plain_scalars {
    ($($(#[doc = $doc:literal])+ $read:ident $front:ident $ty:ty, |$next:ident| { $($header:pat => $number:expr,)+ })*) => {
        $(
            $(#[doc = $doc])+
            #[inline(always)]
            pub(crate) fn $read(cursor: &mut Cursor<'_>) -> Option<$ty> {
                let mut $next = *cursor;
                let number = match $next.u32().ok()? {
                    $($header => $number,)+
                    _ => return None,
                };
                *cursor = $next;
                Some(number)
            }

            $(#[doc = $doc])+
            #[inline]
            #[must_use]
            pub fn $front(bytes: &[u8]) -> Option<($ty, &[u8])> {
                let mut cursor = Cursor::new(bytes);
                Some(($read(&mut cursor)?, cursor.rest()))
            }
        )*
    };
}

plain_scalars! {
    /// Reads a bool.
    read_plain_bool plain_bool bool, |next| {
        BOOL => match next.u32().ok()? {
            0 => false,
            1 => true,
            _ => return None,
        },
    }
    /// Reads an int of either width.
    read_plain_int plain_int i64, |next| {
        INT => i64::from(i32::from_le_bytes(next.array().ok()?)),
        WIDE_INT => i64::from_le_bytes(next.array().ok()?),
    }
    /// Reads a float of either width.
    read_plain_float plain_float f64, |next| {
        FLOAT => f64::from(f32::from_le_bytes(next.array().ok()?)),
        WIDE_FLOAT => f64::from_le_bytes(next.array().ok()?),
    }
}

/// Returns the two words at the front of `bytes`, such as a header and a count, and the rest.
#[inline(always)]
#[must_use]
pub fn two_words(bytes: &[u8]) -> Option<([u32; 2], &[u8])> {
    let ([a, b, c, d, second @ ..], rest) = bytes.split_first_chunk::<8>()?;
    Some(([u32::from_le_bytes([*a, *b, *c, *d]), u32::from_le_bytes(*second)], rest))
}

/// Returns the count of the untyped container with this header at the front of `bytes`, if they have room for its parts, each of which
/// has `smallest` bytes at least, and the rest.
#[inline]
#[must_use]
pub fn plain_container(bytes: &[u8], header: u32, smallest: usize) -> Option<(u32, &[u8])> {
    let ([first, count], rest) = two_words(bytes)?;
    let has_room = usize::try_from(count).ok()? <= rest.len().checked_div(smallest)?;
    (first == header && has_room).then_some((count, rest))
}
