//! Keeps the counts of the fast paths that the walks of a test took.

use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static COUNTS: RefCell<BTreeMap<&'static str, u64>> = const { RefCell::new(BTreeMap::new()) };
}

pub(super) fn add(way: &'static str, times: u64) {
    COUNTS.with_borrow_mut(|counts| *counts.entry(way).or_default() += times);
}

/// The count of comparisons of keys, which [`taken`] leaves out: it depends on the secret of the walker.
const COMPARED: &str = "Compared";

/// Returns the paths taken since this was asked last.
pub(crate) fn taken() -> String {
    let mut counts = COUNTS.take();
    counts.remove(COMPARED);
    let words = counts.iter().filter(|(_, times)| **times > 0);
    words.map(|(way, times)| format!("{way} {times}")).collect::<Vec<_>>().join(", ")
}

/// Returns the keys compared since either of the two was asked last.
pub(crate) fn compared() -> u64 {
    COUNTS.take().get(COMPARED).copied().unwrap_or(0)
}
