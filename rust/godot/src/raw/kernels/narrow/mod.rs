//! Encodes characters as UTF-8 in one pass, without measuring first: as many at a time as the processor can.
//!
//! It does not know where the bytes go.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod short;
mod sixteen;

#[cfg(target_arch = "x86_64")]
use super::processor::has_avx2;
use super::vector::{Vector, Wide};

pub(in super::super) use short::{SHORT, ascii as short_ascii};

/// The number of bytes behind the last one that a kernel may write.
pub(in super::super) const OVERRUN: usize = 20;

/// Writes characters as UTF-8 and returns the number of bytes. Returns `None` if a character is no Unicode
/// scalar value, or NUL, which ends a text.
///
/// # Safety
/// `from` points to `count` characters, `to` to room for four bytes each and [`OVERRUN`] more.
#[inline]
pub(in super::super) unsafe fn utf8(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    // SAFETY: the caller's promise; the processor has what it is asked for.
    unsafe {
        if count < 4 {
            return scalar(from, count, to);
        }
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            return avx2::utf8(from, count, to);
        }
        if Wide::can_pick() {
            return sixteen::utf8::<Wide>(from, count, to);
        }
        scalar(from, count, to)
    }
}

/// Writes one character at a time.
///
/// # Safety
/// The caller's promise is that of [`utf8`].
#[inline]
unsafe fn scalar(from: *const u32, count: usize, to: *mut u8) -> Option<usize> {
    let mut used = 0;
    for at in 0..count {
        // SAFETY: it is one of the caller's characters, and there are four bytes for each.
        unsafe {
            let code = from.add(at).read();
            if code.wrapping_sub(1) < 0x7F {
                to.add(used).write(code as u8);
                used += 1;
            } else {
                let c = char::from_u32(code).filter(|c| *c != '\0')?;
                let mut bytes = [0; 4];
                let length = c.encode_utf8(&mut bytes).len();
                to.add(used).cast::<[u8; 4]>().write_unaligned(bytes);
                used += length;
            }
        }
    }
    Some(used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw::kernels::vector::{FEW, Plain};

    type Kernel = unsafe fn(*const u32, usize, *mut u8) -> Option<usize>;

    /// Returns every kernel of this processor that takes `count` characters.
    fn kernels(count: usize) -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = vec![utf8, scalar];
        if Wide::can_pick() {
            kernels.push(sixteen::utf8::<Wide>);
            kernels.extend((count <= FEW).then_some(sixteen::utf8::<Plain> as Kernel));
        }
        // SAFETY: the processor has it; the caller's promise.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            if has_avx2() && count >= 4 {
                kernels.push(|from, count, to| avx2::utf8(from, count, to));
            }
        }
        kernels
    }

    #[track_caller]
    fn check(codes: &[u32], expected: Option<&[u8]>) {
        for kernel in kernels(codes.len()) {
            let room = codes.len() * 4 + OVERRUN;
            let mut bytes = vec![0xFF; room + 32];
            // SAFETY: there is room for four bytes for each character and the overrun.
            let length = unsafe { kernel(codes.as_ptr(), codes.len(), bytes.as_mut_ptr()) };
            assert_eq!(bytes[room..], [0xFF; 32], "written behind {codes:x?}");
            assert_eq!(length.map(|length| &bytes[..length]), expected, "{codes:x?}");
        }
    }

    #[test]
    fn all_kernels_agree() {
        crate::raw::kernels::samples::for_each_text(|text| {
            let codes: Vec<u32> = text.iter().map(|c| u32::from(*c)).collect();
            check(&codes, Some(text.iter().collect::<String>().as_bytes()));
        });
    }

    /// The lengths that end one character before a step of a kernel, at its end, and behind it.
    const AROUND_STEPS: [usize; 8] = [47, 48, 49, 63, 64, 65, 80, 97];

    /// Returns every position in a text of each length.
    fn places(lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = (usize, usize)> {
        lengths.flat_map(|length| (0..length).map(move |place| (length, place)))
    }

    #[test]
    fn every_length_of_one_kind() {
        for code in [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF] {
            let mut codes = vec![code; 5000];
            let text: String = codes.iter().map(|c| char::from_u32(*c).unwrap()).collect();
            let each = text.len() / codes.len();
            (0..300).for_each(|length| check(&codes[..length], Some(&text.as_bytes()[..length * each])));
            check(&codes, Some(text.as_bytes()));
            codes[4990] = 0xD800;
            check(&codes, None);
        }
    }

    /// Tests the result for a short text, and the zeros behind it.
    #[test]
    fn short_texts_are_written_or_left() {
        let samples =
            [0, 1, 0x41, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0041, 0x8000_0041, u32::MAX];
        for length in 0..=SHORT {
            for (place, code) in (0..length.max(1)).flat_map(|place| samples.map(|code| (place, code))) {
                let mut codes: Vec<u32> = (0..length as u32).map(|at| 0x61 + at).collect();
                if let Some(place) = codes.get_mut(place) {
                    *place = code;
                }
                let mut bytes = [0xAA; short::ROOM + 8];
                codes.push(0);
                // SAFETY: there are `length` characters and a NUL, and the room that the kernel needs.
                let is_written = unsafe { short_ascii(codes.as_ptr(), length, bytes.as_mut_ptr()) };
                codes.pop();
                assert_eq!(bytes[short::ROOM..], [0xAA; 8], "written behind {codes:x?}");
                let is_ascii = codes.iter().all(|code| (1..0x80).contains(code));
                assert_eq!(is_written, is_ascii, "{codes:x?}");
                if is_ascii {
                    let text: Vec<u8> = codes.iter().map(|code| *code as u8).collect();
                    assert_eq!(bytes[..length], text);
                    assert_eq!(bytes[length..length + 4], [0; 4], "{codes:x?}");
                }
            }
        }
    }

    #[test]
    fn every_character_at_every_place() {
        let samples = [0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF];
        for (length, place) in places((1..=33).chain(AROUND_STEPS)) {
            for code in samples {
                for other in [0x61, 0x436, 0x6F22, 0x1_F600] {
                    let mut codes = vec![other; length];
                    codes[place] = code;
                    let text: String = codes.iter().map(|c| char::from_u32(*c).unwrap()).collect();
                    check(&codes, Some(text.as_bytes()));
                }
            }
        }
    }

    #[test]
    fn what_is_no_character_is_refused() {
        for (length, place) in places((4..40).chain(AROUND_STEPS)) {
            for code in [0, 0xD800, 0xDBFF, 0xDFFF, 0x11_0000, 0x7FFF_FFFF, 0x8000_0041, u32::MAX] {
                for other in [0x61, 0x436, 0x6F22, 0x1_F600] {
                    let mut codes = vec![other; length];
                    codes[place] = code;
                    check(&codes, None);
                }
            }
        }
    }
}
