//! Ways: counts how often this thread's walks took each of their fast paths. Only tests count: no answer
//! tells which path it came by, and a fast path that is no longer taken is a fault all the same.

/// A fast path through a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Way {
    /// Values in dictionaries whose keys were foreseen.
    Foreseen,
    /// Shapes of dictionaries that were learnt, by their keys.
    Learnt,
    /// Texts that the sink knows.
    Known,
    /// Keys of dictionaries with a table, whose sink finds equal ones.
    LargeInt,
    LargeText,
    /// NodePaths that the sink made of their bytes.
    Path,
    /// Bare texts in a row.
    BareText,
    /// Keys of small dictionaries as words, plain text or not.
    ShortKey,
    NumberKey,
    /// Values in a row, and those of them that cost memory.
    Scalars,
    Costly,
    /// Untyped containers that stand where anything may.
    PlainContainer,
    /// Keys that another was compared with.
    Compared,
}

/// Notes that a walk took this path, so many times.
#[inline(always)]
pub(super) fn took(way: Way, times: u64) {
    #[cfg(test)]
    counts::add(way, times);
    #[cfg(not(test))]
    let _ = (way, times);
}

#[cfg(test)]
pub(crate) mod counts {
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    use super::Way;

    thread_local! {
        static COUNTS: RefCell<BTreeMap<Way, u64>> = const { RefCell::new(BTreeMap::new()) };
    }

    pub(super) fn add(way: Way, times: u64) {
        COUNTS.with_borrow_mut(|counts| *counts.entry(way).or_default() += times);
    }

    /// Returns the paths taken since this was asked last.
    pub(crate) fn taken() -> String {
        let mut counts = COUNTS.take();
        // This number depends on the secret of the walker.
        counts.remove(&Way::Compared);
        let words = counts.iter().filter(|(_, times)| **times > 0);
        words.map(|(way, times)| format!("{way:?} {times}")).collect::<Vec<_>>().join(", ")
    }

    /// Returns the keys compared since either of the two was asked last.
    pub(crate) fn compared() -> u64 {
        COUNTS.take().get(&Way::Compared).copied().unwrap_or(0)
    }
}
