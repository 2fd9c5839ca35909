//! Decodes ASCII: each byte is a character.
//!
//! The compiler turns a step of sixteen into a few wide instructions on every processor, but not steps of
//! eight or thirty-two.

/// The number of bytes from which on a call of a function for one processor is worth it.
#[cfg(target_arch = "x86_64")]
const LONG: usize = 64;

/// Writes bytes below 0x80 as one character each.
///
/// # Safety
/// `to` has room for as many characters.
#[inline]
pub(in super::super::super) unsafe fn ascii(text: &[u8], to: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe {
        if text.len() >= 16 {
            long(text, to);
        } else if !in_steps::<4>(text, to) {
            one_by_one(text, to);
        }
    }
}

/// # Safety
/// The caller's promise is that of [`ascii`], and there are at least sixteen bytes.
#[inline(never)]
unsafe fn long(text: &[u8], to: *mut u32) {
    // SAFETY: the caller's promise; the processor has it.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if text.len() >= LONG && super::super::processor::has_avx2() {
            return by_sixteen_avx2(text, to);
        }
        in_steps::<16>(text, to);
    }
}

/// Writes in steps; tells whether there was at least one step.
///
/// # Safety
/// The caller's promise is that of [`ascii`].
#[inline(always)]
unsafe fn in_steps<const STEP: usize>(text: &[u8], to: *mut u32) -> bool {
    let Some(last) = text.last_chunk::<STEP>() else { return false };
    let (steps, tail) = text.as_chunks::<STEP>();
    let step = |at: usize| to.wrapping_add(at).cast::<[u32; STEP]>();
    // SAFETY: the caller's promise. The last step may be some of the one before once more.
    unsafe {
        for (at, bytes) in steps.iter().enumerate() {
            step(at * STEP).write_unaligned(bytes.map(u32::from));
        }
        if !tail.is_empty() {
            step(text.len() - STEP).write_unaligned(last.map(u32::from));
        }
    }
    true
}

/// # Safety
/// The caller's promise is that of [`ascii`], and the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn by_sixteen_avx2(text: &[u8], to: *mut u32) {
    // SAFETY: the caller's promise.
    unsafe {
        in_steps::<16>(text, to);
    }
}

/// # Safety
/// The caller's promise is that of [`ascii`].
unsafe fn one_by_one(text: &[u8], to: *mut u32) {
    for (at, byte) in text.iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { to.add(at).write(u32::from(*byte)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Kernel = unsafe fn(&[u8], *mut u32);

    #[test]
    fn every_length_as_one_by_one() {
        let text: Vec<u8> = (0..400_u32).map(|at| (at % 127 + 1) as u8).collect();
        let portable: Kernel = |text, to| {
            // SAFETY: the caller's promise.
            unsafe {
                if !in_steps::<16>(text, to) {
                    one_by_one(text, to);
                }
            }
        };
        for kernel in [ascii, portable] {
            for length in 0..=text.len() {
                let mut twin = vec![u32::MAX; length + 16];
                let mut made = twin.clone();
                // SAFETY: there is room for as many characters.
                unsafe {
                    one_by_one(&text[..length], twin.as_mut_ptr());
                    kernel(&text[..length], made.as_mut_ptr());
                }
                assert_eq!(made, twin, "{length}");
            }
        }
    }
}
