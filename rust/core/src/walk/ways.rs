//! Counts in tests how often the walks of this thread took each fast path. All paths give the same answers, so that
//! nothing but these counts shows that one is no longer taken.

/// Notes that a walk took this path, so many times.
#[inline(always)]
pub(super) fn took(way: &'static str, times: u64) {
    #[cfg(test)]
    counts::add(way, times);
    #[cfg(not(test))]
    let _ = (way, times);
}

#[cfg(test)]
pub(crate) mod counts;
