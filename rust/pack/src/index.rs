//! Turns places in memory into numbers of 64 bits and back: the nearest that there is.

pub(crate) fn length(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

pub(crate) fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
