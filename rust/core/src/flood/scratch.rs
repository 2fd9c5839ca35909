//! Scratch: what a table keeps of its memory when a walk is over. Allocates nothing.

/// Bytes that a table keeps for the next walk. Memory that a giant value needed beyond it is given back.
const KEPT: usize = 16 * 1024;

/// Lets go of all that is in a table, and of most of its memory where that is much.
pub(crate) fn let_go<T>(table: &mut Vec<T>) {
    table.clear();
    let kept = KEPT.checked_div(size_of::<T>()).unwrap_or(0);
    if table.capacity() > kept {
        table.shrink_to(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_tables_stay_and_large_ones_shrink() {
        let mut small = vec![0_u64; 100];
        let_go(&mut small);
        assert_eq!((small.len(), small.capacity()), (0, 100));
        let mut large = vec![0_u64; 100_000];
        let_go(&mut large);
        assert!(large.is_empty() && large.capacity() * 8 <= KEPT, "{}", large.capacity());
    }

    #[test]
    fn what_is_kept_is_kept_to_the_last_byte() {
        for capacity in [2047, 2048] {
            let mut table: Vec<u64> = Vec::with_capacity(capacity);
            let_go(&mut table);
            assert_eq!(table.capacity(), capacity, "16 KiB at most");
        }
    }
}
