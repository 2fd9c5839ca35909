//! Keeps the states that deltas are made from: what was sent to a peer, and what was received from one.

use std::collections::VecDeque;
use std::sync::Arc;

/// The most bytes of states that are kept for one peer and state.
const MOST_BYTES: usize = 256 * 1024;
/// The farthest that a base can lie behind its difference: what its bits in the packet say.
pub(crate) const MOST_BACK: u8 = 31;
/// The numbers before the newest that an acknowledgement names, and in which a state counts as late.
const WINDOW: u16 = 32;
/// The late states in a row that are no accident of the network any more: the sequence began anew.
const MOST_LATE: u8 = 32;

/// Keeps the last states of one kind that were sent to one peer, without gaps in their numbers.
#[derive(Debug, Default)]
pub(crate) struct SendRing {
    kept: VecDeque<Base>,
    /// The number of the newest state.
    newest: u16,
    /// How many were ever sent.
    total: u64,
    bytes: usize,
}

/// Keeps one state. Its acknowledgement dies with it, so that no number can mean a later state.
#[derive(Debug)]
struct Base {
    packed: Arc<[u8]>,
    is_acked: bool,
}

impl SendRing {
    /// Returns the newest state that the peer has for certain, and how far it lies behind the next one.
    pub(crate) fn baseline(&self) -> Option<(u8, &Arc<[u8]>)> {
        let newest_first = (1..=MOST_BACK).zip(self.kept.iter().rev());
        newest_first.filter(|(_, base)| base.is_acked).map(|(back, base)| (back, &base.packed)).next()
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
        self.kept.push_back(Base { packed, is_acked: false });
        while self.kept.len() > usize::from(entries) || self.bytes > MOST_BYTES {
            let Some(oldest) = self.kept.pop_front() else { return };
            self.bytes = self.bytes.saturating_sub(oldest.packed.len());
        }
    }

    /// Takes an acknowledgement: of the state `seq`, and of those before it that the mask names. `false`: the state was never
    /// sent. A state that is not kept any more is nobody's fault.
    pub(crate) fn ack(&mut self, seq: u16, mask: u32) -> bool {
        let behind = self.newest.wrapping_sub(seq);
        if u64::from(behind) >= self.total {
            return false;
        }
        let at = self.kept.len().checked_sub(usize::from(behind)).and_then(|past| past.checked_sub(1));
        let Some(at) = at else { return true };
        for (base, before) in self.kept.range_mut(..=at).rev().zip(0u32..=u32::from(WINDOW)) {
            let is_named = before == 0 || mask.wrapping_shr(before.saturating_sub(1)) & 1 == 1;
            base.is_acked |= is_named;
        }
        true
    }

    /// Makes the next state a full one.
    pub(crate) fn resync(&mut self) {
        self.kept.iter_mut().for_each(|base| base.is_acked = false);
    }

    pub(crate) const fn kept_bytes(&self) -> usize {
        self.bytes
    }
}

/// Says what to do with a state that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// It comes after all that were received.
    News,
    /// It came late or twice.
    Late,
    /// It is a full one of a sequence that went on without us, or began anew.
    Anew,
}

/// Keeps the last states of one kind that were received from one peer.
#[derive(Debug, Default)]
pub(crate) struct ReceiveRing {
    kept: VecDeque<(u16, Vec<u8>)>,
    /// The 32 numbers before the newest: bit 0 stands for the one just before.
    mask: u32,
    bytes: usize,
    late_in_a_row: u8,
    pub(crate) is_ack_due: bool,
    pub(crate) is_resync_due: bool,
}

impl ReceiveRing {
    pub(crate) fn newest(&self) -> Option<u16> {
        self.kept.back().map(|(seq, _)| *seq)
    }

    pub(crate) const fn mask(&self) -> u32 {
        self.mask
    }

    /// Judges the number of a state. A full one needs nothing of what is kept, so it is late only where it can have been
    /// overtaken: otherwise an outage of more than half of all numbers would cost as many states again.
    pub(crate) fn judge(&mut self, seq: u16, is_full: bool) -> Arrival {
        let Some(newest) = self.newest() else { return Arrival::News };
        let behind = newest.wrapping_sub(seq);
        if behind > 0x8000 {
            return Arrival::News;
        }
        self.late_in_a_row = self.late_in_a_row.saturating_add(1);
        let is_anew = behind > WINDOW || self.late_in_a_row > MOST_LATE;
        match (is_full, is_anew) {
            (true, true) => Arrival::Anew,
            (false, true) => {
                self.is_resync_due = true;
                Arrival::Late
            }
            (_, false) => Arrival::Late,
        }
    }

    pub(crate) fn get(&self, seq: u16) -> Option<&[u8]> {
        self.kept.iter().rev().find(|(kept, _)| *kept == seq).map(|(_, packed)| packed.as_slice())
    }

    /// Keeps a state that is not late.
    pub(crate) fn push(&mut self, seq: u16, packed: Vec<u8>, entries: u8, arrival: Arrival) {
        if arrival == Arrival::Anew {
            *self = ReceiveRing::default();
        }
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
        self.late_in_a_row = 0;
        self.is_ack_due = true;
        self.is_resync_due = false;
    }

    pub(crate) const fn kept_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrival, MOST_BYTES, ReceiveRing, SendRing};
    use std::sync::Arc;

    fn state(size: usize) -> Arc<[u8]> {
        vec![0; size].into()
    }

    fn keep(ring: &mut ReceiveRing, seq: u16) {
        ring.push(seq, Vec::new(), 32, Arrival::News);
    }

    #[test]
    fn numbers_begin_anew_after_the_last() {
        let news = |newest: u16, seq: u16| {
            let mut ring = ReceiveRing::default();
            keep(&mut ring, newest);
            ring.judge(seq, false) == Arrival::News
        };
        assert!(news(0, 1) && news(65_535, 0) && news(65_530, 5) && news(0, 0x7FFF));
        assert!(!news(0, 0) && !news(1, 0) && !news(0, 0x8000));
    }

    #[test]
    fn a_full_state_is_late_only_where_it_can_have_been_overtaken() {
        let mut ring = ReceiveRing::default();
        keep(&mut ring, 100);
        assert_eq!(ring.judge(100, true), Arrival::Late);
        assert_eq!(ring.judge(68, true), Arrival::Late);
        assert_eq!(ring.judge(67, true), Arrival::Anew);
        assert_eq!(ring.judge(67, false), Arrival::Late);
        assert!(ring.is_resync_due, "a difference that far behind asks for a full state");
        assert_eq!(ring.judge(100u16.wrapping_add(0x8000), true), Arrival::Anew);
    }

    #[test]
    fn late_ones_in_a_row_mean_another_sequence() {
        let mut ring = ReceiveRing::default();
        keep(&mut ring, 100);
        for _ in 0..32 {
            assert_eq!(ring.judge(90, true), Arrival::Late);
        }
        assert_eq!(ring.judge(91, true), Arrival::Anew);
        ring.push(91, Vec::new(), 32, Arrival::Anew);
        assert_eq!((ring.newest(), ring.mask(), ring.get(100)), (Some(91), 0, None));
        assert_eq!(ring.judge(91, true), Arrival::Late, "the count begins anew as well");
    }

    #[test]
    fn no_length_of_an_outage_lasts_longer_than_the_window() {
        for lost in (0..200u32).chain(32_700..32_800).chain(65_400..65_700).chain(131_000..131_100) {
            let mut ring = ReceiveRing::default();
            keep(&mut ring, 7);
            let took = (1..=40).filter(|step| {
                let seq = u16::try_from((7 + lost + step) % 65_536).unwrap();
                let arrival = ring.judge(seq, true);
                if arrival != Arrival::Late {
                    ring.push(seq, Vec::new(), 32, arrival);
                }
                arrival != Arrival::Late
            });
            // What comes back within the last 32 numbers looks late for as many states.
            assert!(took.count() >= 40 - 33, "{lost}");
        }
    }

    #[test]
    fn acknowledgements_are_believed_only_of_what_was_sent() {
        let mut ring = SendRing::default();
        assert!(!ring.ack(0, 0) && !ring.ack(1, 0), "nothing was sent");
        for _ in 0..5 {
            ring.push(state(1), 3);
        }
        assert!(!ring.ack(6, 0), "the next one");
        assert!(!ring.ack(0, 0), "before the first");
        assert!(ring.ack(2, u32::MAX), "it is not kept any more");
        assert!(ring.baseline().is_none());
        assert!(ring.ack(4, 0));
        assert_eq!(ring.baseline().map(|(back, _)| back), Some(2));
        assert!(ring.ack(3, 0) && ring.ack(4, 0));
        assert_eq!(ring.baseline().map(|(back, _)| back), Some(2));
        for _ in 0..3 {
            ring.push(state(1), 3);
        }
        assert!(ring.baseline().is_none(), "the acknowledged state is not kept any more");
    }

    #[test]
    fn an_acknowledgement_names_those_before_as_well() {
        let mut ring = SendRing::default();
        for _ in 0..8 {
            ring.push(state(1), 32);
        }
        assert!(ring.ack(7, 0b101));
        let acked: Vec<bool> = ring.kept.iter().map(|base| base.is_acked).collect();
        assert_eq!(acked, [false, false, false, true, false, true, true, false]);
        ring.resync();
        assert!(ring.baseline().is_none());
    }

    #[test]
    fn an_acknowledgement_dies_with_its_state() {
        let mut ring = SendRing::default();
        ring.push(state(1), 32);
        assert!(ring.ack(1, 0));
        for _ in 0..65_535 {
            ring.push(state(1), 32);
        }
        assert_eq!(ring.next(), 1, "its number is due again");
        assert!(ring.baseline().is_none());
        ring.push(state(1), 32);
        assert!(ring.baseline().is_none());
    }

    #[test]
    fn a_sequence_survives_its_end() {
        let mut ring = SendRing::default();
        for step in 1..=70_000u32 {
            ring.push(state(1), 32);
            let seq = u16::try_from(step % 65_536).unwrap();
            assert!(ring.ack(seq, 0), "{step}");
            assert_eq!(ring.baseline().map(|(back, _)| back), Some(1));
        }
    }

    #[test]
    fn a_base_is_as_near_as_its_bits_can_say() {
        let mut ring = SendRing::default();
        ring.push(state(1), 255);
        assert!(ring.ack(1, 0));
        for back in 1..=31 {
            assert_eq!(ring.baseline().map(|(back, _)| back), Some(back));
            ring.push(state(1), 255);
        }
        assert!(ring.baseline().is_none());
    }

    #[test]
    fn a_ring_holds_exactly_as_many_entries_and_bytes_as_it_may() {
        let (mut sent, mut got) = (SendRing::default(), ReceiveRing::default());
        let keep = |ring: &mut ReceiveRing, seq, size, entries| {
            ring.push(seq, vec![0; size], entries, Arrival::News);
        };
        for seq in 1..=3u16 {
            sent.push(state(MOST_BYTES / 2), 2);
            keep(&mut got, seq, MOST_BYTES / 2, 2);
        }
        assert_eq!((sent.kept_bytes(), got.kept_bytes()), (MOST_BYTES, MOST_BYTES));
        sent.push(state(1), 3);
        keep(&mut got, 4, 1, 3);
        assert_eq!((sent.kept_bytes(), got.kept_bytes()), (MOST_BYTES / 2 + 1, MOST_BYTES / 2 + 1));
        assert_eq!((sent.kept.len(), got.kept.len()), (2, 2));
        // A state that alone is too large is no base for the sender; the receiver has to know its number.
        sent.push(state(MOST_BYTES + 1), 3);
        keep(&mut got, 5, MOST_BYTES + 1, 3);
        assert_eq!((sent.kept.len(), got.kept.len(), got.newest()), (0, 1, Some(5)));
        for seq in 6..=9u16 {
            sent.push(state(1), 3);
            keep(&mut got, seq, 1, 3);
        }
        assert_eq!((sent.kept_bytes(), got.kept_bytes()), (3, 3));
    }

    #[test]
    fn the_mask_names_what_came_before_the_newest() {
        let mut ring = ReceiveRing::default();
        keep(&mut ring, 65_534);
        assert_eq!(ring.mask(), 0);
        keep(&mut ring, 65_535);
        assert_eq!(ring.mask(), 0b1);
        keep(&mut ring, 2);
        assert_eq!(ring.mask(), 0b1100, "0 and 1 are missing");
        keep(&mut ring, 34);
        assert_eq!(ring.mask(), 1 << 31);
        keep(&mut ring, 100);
        assert_eq!(ring.mask(), 0);
        assert!(ring.get(34).is_some() && ring.get(33).is_none());
    }
}
