//! Keeps the states that deltas are made from: what was sent to a peer, and what was received from one.

use std::collections::VecDeque;
use std::sync::Arc;

/// The most bytes of states that are kept for one peer and state.
const MOST_BYTES: usize = 256 * 1024;

/// Tells whether `first` comes after `second` in a sequence that begins anew after 65535.
const fn is_newer(first: u16, second: u16) -> bool {
    let ahead = first.wrapping_sub(second);
    ahead != 0 && ahead < 0x8000
}

/// Holds the states of one kind that were sent to one peer, without gaps in their numbers.
#[derive(Debug, Default)]
pub(crate) struct Sent {
    kept: VecDeque<Arc<[u8]>>,
    /// The number of the newest state.
    newest: u16,
    /// How many were ever sent.
    total: u64,
    acked: Option<u16>,
    bytes: usize,
}

/// Says what an acknowledgement of the peer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ack {
    /// It is the newest so far.
    Taken,
    /// Something newer was acknowledged already, or the state is not kept any more.
    Late,
    /// The state was never sent.
    False,
}

impl Sent {
    /// Returns the newest state that the peer has for certain, and how far it lies behind the next one.
    pub(crate) fn baseline(&self) -> Option<(u8, &Arc<[u8]>)> {
        let behind = self.newest.wrapping_sub(self.acked?);
        let at = self.kept.len().checked_sub(usize::from(behind).checked_add(1)?)?;
        let back = u8::try_from(behind.checked_add(1)?).ok()?;
        Some((back, self.kept.get(at)?))
    }

    /// Returns the number of the next state.
    pub(crate) const fn next(&self) -> u16 {
        self.newest.wrapping_add(1)
    }

    /// Keeps a state as the next one.
    pub(crate) fn push(&mut self, packed: Arc<[u8]>, entries: u8) {
        self.newest = self.next();
        self.total = self.total.saturating_add(1);
        self.bytes = self.bytes.saturating_add(packed.len());
        self.kept.push_back(packed);
        while self.kept.len() > usize::from(entries) || self.bytes > MOST_BYTES {
            let Some(oldest) = self.kept.pop_front() else { return };
            self.bytes = self.bytes.saturating_sub(oldest.len());
        }
    }

    pub(crate) fn ack(&mut self, seq: u16) -> Ack {
        let behind = self.newest.wrapping_sub(seq);
        if u64::from(behind) >= self.total.min(0x8000) {
            return Ack::False;
        }
        if usize::from(behind) >= self.kept.len() || self.acked.is_some_and(|acked| !is_newer(seq, acked)) {
            return Ack::Late;
        }
        self.acked = Some(seq);
        Ack::Taken
    }

    /// Makes the next state a full one.
    pub(crate) const fn resync(&mut self) {
        self.acked = None;
    }

    pub(crate) fn kept_bytes(&self) -> usize {
        self.bytes
    }
}

/// Holds the states of one kind that were received from one peer.
#[derive(Debug, Default)]
pub(crate) struct Held {
    kept: VecDeque<(u16, Vec<u8>)>,
    /// The 32 numbers before the newest: bit 0 stands for the one just before.
    mask: u32,
    bytes: usize,
    pub(crate) is_ack_due: bool,
    pub(crate) is_resync_due: bool,
}

impl Held {
    pub(crate) fn newest(&self) -> Option<u16> {
        self.kept.back().map(|(seq, _)| *seq)
    }

    pub(crate) const fn mask(&self) -> u32 {
        self.mask
    }

    /// Tells whether a state comes after all that were received.
    pub(crate) fn is_news(&self, seq: u16) -> bool {
        self.newest().is_none_or(|newest| is_newer(seq, newest))
    }

    pub(crate) fn get(&self, seq: u16) -> Option<&[u8]> {
        self.kept.iter().rev().find(|(kept, _)| *kept == seq).map(|(_, packed)| packed.as_slice())
    }

    /// Keeps a state that is news.
    pub(crate) fn push(&mut self, seq: u16, packed: Vec<u8>, entries: u8) {
        if let Some(newest) = self.newest() {
            let ahead = u32::from(seq.wrapping_sub(newest));
            // The old newest becomes bit `ahead - 1`.
            let shifted = self.mask.checked_shl(ahead).unwrap_or(0);
            let own = ahead.checked_sub(1).and_then(|bit| 1u32.checked_shl(bit)).unwrap_or(0);
            self.mask = shifted | own;
        }
        self.bytes = self.bytes.saturating_add(packed.len());
        self.kept.push_back((seq, packed));
        while self.kept.len() > usize::from(entries) || (self.bytes > MOST_BYTES && self.kept.len() > 1) {
            let Some((_, oldest)) = self.kept.pop_front() else { break };
            self.bytes = self.bytes.saturating_sub(oldest.len());
        }
        self.is_ack_due = true;
        self.is_resync_due = false;
    }

    pub(crate) fn kept_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::{Ack, Held, MOST_BYTES, Sent, is_newer};
    use std::sync::Arc;

    fn state(size: usize) -> Arc<[u8]> {
        vec![0; size].into()
    }

    #[test]
    fn numbers_begin_anew_after_the_last() {
        assert!(is_newer(1, 0) && is_newer(0, 65535) && is_newer(5, 65530) && is_newer(0x7FFF, 0));
        assert!(!is_newer(0, 0) && !is_newer(0, 1) && !is_newer(0x8000, 0));
    }

    #[test]
    fn acknowledgements_are_believed_only_of_what_was_sent() {
        let mut sent = Sent::default();
        assert_eq!(sent.ack(0), Ack::False);
        assert_eq!(sent.ack(1), Ack::False, "nothing was sent");
        for _ in 0..5 {
            sent.push(state(1), 3);
        }
        assert_eq!(sent.ack(6), Ack::False, "the next one");
        assert_eq!(sent.ack(0), Ack::False, "before the first");
        assert_eq!(sent.ack(2), Ack::Late, "it is not kept any more");
        assert!(sent.baseline().is_none());
        assert_eq!(sent.ack(4), Ack::Taken);
        assert_eq!(sent.baseline().map(|(back, _)| back), Some(2));
        assert_eq!(sent.ack(3), Ack::Late);
        assert_eq!(sent.ack(4), Ack::Late);
        sent.push(state(1), 3);
        sent.push(state(1), 3);
        sent.push(state(1), 3);
        assert!(sent.baseline().is_none(), "the acknowledged state is not kept any more");
    }

    #[test]
    fn a_sequence_survives_its_end() {
        let mut sent = Sent::default();
        for step in 1..=70_000u32 {
            sent.push(state(1), 32);
            let seq = u16::try_from(step % 65_536).unwrap();
            assert_eq!(sent.ack(seq), Ack::Taken, "{step}");
            assert_eq!(sent.baseline().map(|(back, _)| back), Some(1));
            assert_eq!(sent.ack(seq.wrapping_add(1)), Ack::False);
        }
    }

    #[test]
    fn a_ring_is_bounded_by_bytes_as_well() {
        let mut sent = Sent::default();
        let mut held = Held::default();
        for seq in 0..300u16 {
            sent.push(state(10_000), 255);
            held.push(seq, vec![0; 10_000], 255);
        }
        assert!(sent.kept_bytes() <= MOST_BYTES && held.kept_bytes() <= MOST_BYTES);
    }

    #[test]
    fn a_ring_holds_exactly_as_many_entries_and_bytes_as_it_may() {
        let (mut sent, mut held) = (Sent::default(), Held::default());
        for seq in 1..=3u16 {
            sent.push(state(MOST_BYTES / 2), 2);
            held.push(seq, vec![0; MOST_BYTES / 2], 2);
        }
        assert_eq!((sent.kept_bytes(), held.kept_bytes()), (MOST_BYTES, MOST_BYTES));
        sent.push(state(1), 3);
        held.push(4, vec![0; 1], 3);
        assert_eq!((sent.kept_bytes(), held.kept_bytes()), (MOST_BYTES / 2 + 1, MOST_BYTES / 2 + 1));
        assert_eq!((sent.kept.len(), held.kept.len()), (2, 2));
        // A state that alone is too large is no base for the sender; the receiver has to know its number.
        sent.push(state(MOST_BYTES + 1), 3);
        held.push(5, vec![0; MOST_BYTES + 1], 3);
        assert_eq!((sent.kept.len(), held.kept.len(), held.newest()), (0, 1, Some(5)));
        for seq in 6..=9u16 {
            sent.push(state(1), 3);
            held.push(seq, vec![0; 1], 3);
        }
        assert_eq!((sent.kept_bytes(), held.kept_bytes()), (3, 3));
    }

    #[test]
    fn the_mask_names_what_came_before_the_newest() {
        let mut held = Held::default();
        held.push(65_534, Vec::new(), 8);
        assert_eq!(held.mask(), 0);
        held.push(65_535, Vec::new(), 8);
        assert_eq!(held.mask(), 0b1);
        held.push(2, Vec::new(), 8);
        assert_eq!(held.mask(), 0b1100, "0 and 1 are missing");
        held.push(34, Vec::new(), 8);
        assert_eq!(held.mask(), 1 << 31);
        held.push(100, Vec::new(), 8);
        assert_eq!(held.mask(), 0);
        assert!(!held.is_news(100) && !held.is_news(99) && held.is_news(101));
        assert!(held.get(34).is_some() && held.get(33).is_none());
    }
}
