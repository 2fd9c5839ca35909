//! Keeps the states that differences are made from: what was sent to a peer, and what was received from one, by their parts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use variant_pack::PartSet;

use crate::pieces::Piece;
use crate::wire::{BaseNumbers, MOST_BACK};

/// The most bytes of states that are kept for one peer and state, for each of up to [`MOST_COUNTED`] parts.
const MOST_BYTES: usize = 256 * 1024;
const MOST_COUNTED: u8 = 8;
/// The numbers before the newest that an acknowledgement names, and in which a state counts as late.
const WINDOW: u16 = 32;
/// The late states in a row that are no accident of the network any more: the sequence began anew.
const MOST_LATE: u8 = 32;
/// The age of the last state when the next one arrives, about; and the square of that of a part of which no state is kept.
const AHEAD: u64 = 3;
const OLDEST: u64 = 36 * 36;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) entries: u8,
    pub(crate) parts: u8,
}

impl Room {
    fn bytes(self) -> usize {
        MOST_BYTES.saturating_mul(usize::from(self.parts.clamp(1, MOST_COUNTED)))
    }
}

/// Keeps the last states of one kind that were sent to one peer, without gaps in their numbers.
#[derive(Debug, Default)]
pub(crate) struct SendRing {
    kept: VecDeque<SentState>,
    /// The number of the newest state.
    newest: u16,
    total: u64,
    bytes: usize,
    /// The last state with each part, counted from the first.
    last_sent: Vec<u64>,
    /// The bytes that a part took in the last packet with a difference. 0: there was none.
    pub(crate) part_bytes: usize,
}

/// Keeps one state. Its acknowledgement dies with it, so that no number can mean a later state.
#[derive(Debug)]
struct SentState {
    pieces: Arc<[Piece]>,
    sent: PartSet,
    acked: PartSet,
}

/// Holds the states that a difference is from.
#[derive(Clone, Debug)]
pub(crate) struct Baselines {
    pub(crate) numbers: BaseNumbers,
    pub(crate) newer: Arc<[Piece]>,
    pub(crate) older: Option<Arc<[Piece]>>,
}

impl Baselines {
    /// Tells whether a difference from them is also one from the others.
    pub(crate) fn makes_the_same_as(&self, other: &Baselines) -> bool {
        self.older.as_ref().map(Arc::as_ptr) == other.older.as_ref().map(Arc::as_ptr)
            && Arc::ptr_eq(&self.newer, &other.newer)
            && self.numbers.distances() == other.numbers.distances()
    }
}

impl SendRing {
    /// Returns what a part of the next state is to be told from: the newest that the peer has for certain, and another one
    /// before it, as far from the newest as that is from the next if there is one.
    pub(crate) fn baselines(&self, part: u8) -> Option<Baselines> {
        let newest_first = (1u8..).zip(self.kept.iter().rev());
        let mut acked = newest_first.filter(|(_, state)| state.acked.has(part));
        let (back, newer) = acked.next().filter(|(back, _)| *back <= MOST_BACK)?;
        let mut older: Option<(u8, &SentState)> = None;
        for (far, state) in acked {
            let gap = far.saturating_sub(back);
            if older.is_none_or(|(best, _)| gap.abs_diff(back) < best.abs_diff(back)) {
                older = Some((gap, state));
            }
            // Those before it are further away still.
            if gap >= back {
                break;
            }
        }
        let numbers = BaseNumbers { back, gap: older.map(|(gap, _)| gap) };
        let older = older.map(|(_, state)| Arc::clone(&state.pieces));
        Some(Baselines { numbers, newer: Arc::clone(&newer.pieces), older })
    }

    pub(crate) const fn next(&self) -> u16 {
        self.newest.wrapping_add(1)
    }

    /// Returns the parts that have these states, and none that are newer.
    pub(crate) fn alike(&self, bases: BaseNumbers) -> PartSet {
        let acked = |back: u8| {
            let at = self.kept.len().checked_sub(usize::from(back));
            at.and_then(|at| self.kept.get(at)).map(|state| state.acked).unwrap_or_default()
        };
        let older = bases.gap.map(|gap| acked(bases.back.saturating_add(gap)));
        let both = older.map_or(acked(bases.back), |older| older.among(acked(bases.back)));
        (1..bases.back).fold(both, |set, back| set.without(acked(back)))
    }

    /// Lists the parts, those first that are the oldest for the peer as far as that is known.
    pub(crate) fn oldest_first(&self, count: u8, parts: &mut Vec<u8>) {
        parts.clear();
        parts.extend(0..count);
        let last_sent = |part: u8| self.last_sent.get(usize::from(part)).copied().unwrap_or(0);
        parts.sort_by_cached_key(|part| (Reverse(self.age(*part)), last_sent(*part)));
    }

    /// Estimates the square of a part's age for the peer: what is on its way will be lost one time in eight, and what a later
    /// state's acknowledgement does not name was. Squares let the few that are very old go before the many that are older
    /// than usual.
    fn age(&self, part: u8) -> u64 {
        const SURE: u64 = 1 << 24;
        let (mut age, mut left, mut is_answered) = (0u64, SURE, false);
        for (back, state) in (AHEAD..).zip(self.kept.iter().rev()) {
            let squared = back.saturating_mul(back);
            if state.acked.has(part) {
                return age.saturating_add(left.saturating_mul(squared));
            }
            is_answered |= !state.acked.is_empty();
            if state.sent.has(part) && !is_answered {
                let lost = left / 8;
                age = age.saturating_add(left.saturating_sub(lost).saturating_mul(squared));
                left = lost;
            }
        }
        age.saturating_add(left.saturating_mul(OLDEST))
    }

    /// Keeps a state as the next one, of which these parts are sent.
    pub(crate) fn push(&mut self, pieces: Arc<[Piece]>, sent: PartSet, room: Room) {
        self.newest = self.next();
        self.total = self.total.saturating_add(1);
        self.last_sent.resize(usize::from(room.parts), 0);
        let mine = (0u8..).zip(&mut self.last_sent).filter(|(part, _)| sent.has(*part));
        mine.for_each(|(_, last)| *last = self.total);
        self.bytes = self.bytes.saturating_add(size_of_pieces(&pieces));
        self.kept.push_back(SentState { pieces, sent, acked: PartSet::default() });
        while self.kept.len() > usize::from(room.entries) || self.bytes > room.bytes() {
            let Some(oldest) = self.kept.pop_front() else { return };
            self.bytes = self.bytes.saturating_sub(size_of_pieces(&oldest.pieces));
        }
    }

    /// Takes an acknowledgement: of parts each a bit for the state `seq` and those before it, the lowest for `seq`. `false`:
    /// the state was never sent. A state that is not kept any more is nobody's fault.
    pub(crate) fn ack(&mut self, seq: u16, named: &[(PartSet, u64)]) -> bool {
        let behind = self.newest.wrapping_sub(seq);
        if u64::from(behind) >= self.total {
            return false;
        }
        let at = self.kept.len().checked_sub(usize::from(behind)).and_then(|past| past.checked_sub(1));
        let Some(at) = at else { return true };
        for (state, before) in self.kept.range_mut(..=at).rev().zip(0u32..=u32::from(WINDOW)) {
            for (parts, _) in named.iter().filter(|(_, mask)| mask.wrapping_shr(before) & 1 == 1) {
                state.acked = state.acked.with(parts.among(state.sent));
            }
        }
        true
    }

    /// Makes the next state a full one.
    pub(crate) fn resync(&mut self) {
        self.kept.iter_mut().for_each(|state| state.acked = PartSet::default());
    }

    pub(crate) const fn kept_bytes(&self) -> usize {
        self.bytes
    }
}

fn size_of_pieces(pieces: &[Piece]) -> usize {
    pieces.iter().fold(0, |sum, piece| sum.saturating_add(piece.len()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// It comes after all that were received of these parts.
    News(PartSet),
    /// It came late or twice.
    Late,
    /// It is a full one of a sequence that went on without us, or began anew.
    Anew,
}

/// Keeps the last states of one kind that were received from one peer.
#[derive(Debug, Default)]
pub(crate) struct ReceiveRing {
    /// The newest last.
    kept: VecDeque<ReceivedState>,
    /// The newest of each part, and of which state it is.
    pub(crate) latest: BTreeMap<u8, (u16, Piece)>,
    bytes: usize,
    late_in_a_row: u8,
    /// The parts that came since the last acknowledgement.
    pub(crate) due: PartSet,
    /// The parts that cannot be read until they come in full.
    pub(crate) lost: PartSet,
}

#[derive(Debug)]
struct ReceivedState {
    seq: u16,
    pieces: BTreeMap<u8, Piece>,
    /// The parts that an acknowledgement names.
    named: PartSet,
}

/// Holds parts of a state that arrived.
pub(crate) struct NewState {
    pub(crate) seq: u16,
    pub(crate) pieces: Vec<(u8, Vec<u8>)>,
    /// Whether they came in full.
    pub(crate) is_full: bool,
}

impl ReceiveRing {
    pub(crate) fn newest(&self) -> Option<u16> {
        self.kept.back().map(|state| state.seq)
    }

    /// Returns which states are here of the parts that are due: a bit for the newest of all and those before it, the lowest
    /// for the newest.
    pub(crate) fn take_due(&mut self) -> Vec<(PartSet, u64)> {
        let due = std::mem::take(&mut self.due);
        let Some(newest) = self.newest() else { return Vec::new() };
        let mask = |part: u8| {
            let named = self.kept.iter().filter(|state| state.named.has(part));
            let bits =
                named.map(|state| 1u64.checked_shl(u32::from(newest.wrapping_sub(state.seq))).unwrap_or(0));
            bits.fold(0, |mask, bit| mask | bit)
        };
        let mut masks: BTreeMap<u64, PartSet> = BTreeMap::new();
        for part in due.iter() {
            let parts = masks.entry(mask(part)).or_default();
            *parts = parts.with(PartSet::one(part));
        }
        masks.into_iter().map(|(mask, parts)| (parts, mask)).collect()
    }

    /// Judges the number of a state, and the bases that it comes from. A full one needs nothing of what is kept, so it is late only where it can have been
    /// overtaken: otherwise an outage of more than half of all numbers would cost as many states again.
    pub(crate) fn judge(&mut self, seq: u16, parts: PartSet, from: Option<BaseNumbers>) -> Arrival {
        let Some(newest) = self.newest() else { return Arrival::News(parts) };
        let behind = newest.wrapping_sub(seq);
        if behind > 0x8000 {
            return Arrival::News(parts);
        }
        let is_overtaken = behind <= WINDOW;
        let is_older =
            |part: &u8| self.latest.get(part).is_none_or(|(latest, _)| newest.wrapping_sub(*latest) > behind);
        let news =
            parts.iter().filter(is_older).fold(PartSet::default(), |set, part| set.with(PartSet::one(part)));
        if is_overtaken && !news.is_empty() {
            return Arrival::News(news);
        }
        self.late_in_a_row = self.late_in_a_row.saturating_add(1);
        match (from, !is_overtaken || self.late_in_a_row > MOST_LATE) {
            (None, true) => Arrival::Anew,
            (Some(_), true) => {
                self.lost = self.lost.with(parts);
                Arrival::Late
            }
            (_, false) => Arrival::Late,
        }
    }

    /// Tells whether a later state has come than this one.
    pub(crate) fn is_ahead(&self, seq: u16) -> bool {
        self.newest().is_some_and(|newest| (1..=WINDOW).contains(&newest.wrapping_sub(seq)))
    }

    /// Returns these parts of a state, if all of them are kept.
    pub(crate) fn pieces(&self, seq: u16, parts: PartSet) -> Option<Vec<(u8, &Piece)>> {
        let state = self.kept.iter().rev().find(|state| state.seq == seq)?;
        parts.iter().map(|part| Some((part, state.pieces.get(&part)?))).collect()
    }

    /// Keeps parts of a state that are not late. Where they came in full, acknowledgements name no state of theirs before:
    /// after an outage of all numbers those are of states that were lost.
    pub(crate) fn push(&mut self, new: NewState, arrival: Arrival, room: Room) {
        let news = match arrival {
            Arrival::News(news) => news,
            Arrival::Late => return,
            Arrival::Anew => {
                *self = ReceiveRing::default();
                PartSet::all(room.parts)
            }
        };
        let NewState { seq, pieces, is_full } = new;
        if is_full {
            self.forget_named(news);
        }
        let pieces = pieces.into_iter().filter(|(part, _)| news.has(*part));
        let pieces: Vec<(u8, Piece)> = pieces.map(|(part, packed)| (part, Piece::from(packed))).collect();
        let here = pieces.iter().fold(PartSet::default(), |set, (part, _)| set.with(PartSet::one(*part)));
        let Some(state) = self.slot(seq) else { return };
        state.named = state.named.with(here);
        state.pieces.extend(pieces.iter().cloned());
        self.due = self.due.with(here);
        for (part, piece) in pieces {
            self.bytes = self.bytes.saturating_add(piece.len());
            self.latest.insert(part, (seq, piece));
        }
        // One more than the sender, whose next state may come in several packets from the oldest that it keeps.
        while self.kept.len() > usize::from(room.entries).saturating_add(1)
            || (self.bytes > room.bytes() && self.kept.len() > 1)
        {
            let Some(oldest) = self.kept.pop_front() else { break };
            let freed = oldest.pieces.values().map(|piece| piece.len()).fold(0, usize::saturating_add);
            self.bytes = self.bytes.saturating_sub(freed);
        }
        self.late_in_a_row = 0;
        self.lost = self.lost.without(here);
    }

    /// Asks for these parts in full. Acknowledgements name no state of them that came before: one is another than was sent, and
    /// would be the next base as well.
    pub(crate) fn lose(&mut self, parts: PartSet) {
        self.lost = self.lost.with(parts);
        self.forget_named(parts);
    }

    fn forget_named(&mut self, parts: PartSet) {
        self.kept.iter_mut().for_each(|state| state.named = state.named.without(parts));
    }

    /// Returns the place of a state among those that are kept, the newest last.
    fn slot(&mut self, seq: u16) -> Option<&mut ReceivedState> {
        let newest = self.newest().unwrap_or(seq);
        // Numbers are counted back from the one that is the farthest ahead.
        let ahead = if newest.wrapping_sub(seq) > 0x8000 { seq } else { newest };
        let behind = |seq: u16| ahead.wrapping_sub(seq);
        let before = self.kept.iter().rposition(|state| behind(state.seq) >= behind(seq));
        let is_there = before.and_then(|at| self.kept.get(at)).is_some_and(|state| state.seq == seq);
        let at = before.map_or(0, |at| if is_there { at } else { at.saturating_add(1) });
        if !is_there {
            let named = PartSet::default();
            self.kept.insert(at, ReceivedState { seq, pieces: BTreeMap::new(), named });
        }
        self.kept.get_mut(at)
    }

    /// Returns the newest of all parts, once each has come.
    pub(crate) fn whole(&self, count: u8) -> Option<Vec<(u8, &Piece)>> {
        (0..count).map(|part| Some((part, &self.latest.get(&part)?.1))).collect()
    }

    /// Returns the numbers of the newest and the oldest state that the parts are of.
    pub(crate) fn ages(&self) -> Option<(u16, u16)> {
        let newest = self.newest()?;
        let behind = self.latest.values().map(|(seq, _)| newest.wrapping_sub(*seq));
        Some((newest, newest.wrapping_sub(behind.max()?)))
    }

    pub(crate) fn parts(&self) -> usize {
        self.latest.len()
    }

    pub(crate) const fn kept_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests;
