//! Tests rings of states by their own calls.

use std::sync::Arc;

use variant_pack::PartSet;

use super::{Arrival, BaseNumbers, MOST_BYTES, NewState, Piece, ReceiveRing, Room, SendRing};

/// A state of one part.
fn state(size: usize) -> Arc<[Piece]> {
    [Piece::from(vec![0; size])].into()
}

fn alone() -> PartSet {
    PartSet::one(0)
}

const fn room(entries: u8) -> Room {
    Room { entries, parts: 1 }
}

/// Receives a difference.
fn keep(ring: &mut ReceiveRing, seq: u16) {
    ring.push(
        NewState { seq, pieces: vec![(0, Vec::new())], is_full: false },
        Arrival::News(alone()),
        room(32),
    );
}

fn judge(ring: &mut ReceiveRing, seq: u16, is_full: bool) -> Arrival {
    ring.judge(seq, alone(), (!is_full).then_some(BaseNumbers { back: 1, gap: None }))
}

/// The numbers before the newest that an acknowledgement names, the nearest in bit 0.
fn mask(ring: &mut ReceiveRing) -> u64 {
    ring.due = alone();
    ring.take_due().first().map_or(0, |(_, mask)| (mask >> 1) & u64::from(u32::MAX))
}

fn push(ring: &mut SendRing, size: usize, entries: u8) {
    ring.push(state(size), alone(), room(entries));
}

/// Acknowledges a state, and those before it that the mask names.
fn ack(ring: &mut SendRing, seq: u16, mask: u64) -> bool {
    ring.ack(seq, &[(alone(), mask << 1 | 1)])
}

fn nearest(ring: &SendRing) -> Option<u8> {
    ring.baselines(0).map(|bases| bases.numbers.back)
}

#[test]
fn numbers_begin_anew_after_the_last() {
    let news = |newest: u16, seq: u16| {
        let mut ring = ReceiveRing::default();
        keep(&mut ring, newest);
        judge(&mut ring, seq, false) == Arrival::News(alone())
    };
    assert!(news(0, 1) && news(65_535, 0) && news(65_530, 5) && news(0, 0x7FFF));
    assert!(!news(0, 0) && !news(1, 0) && !news(0, 0x8000));
}

#[test]
fn a_full_state_is_late_only_where_it_can_have_been_overtaken() {
    let mut ring = ReceiveRing::default();
    keep(&mut ring, 100);
    assert_eq!(judge(&mut ring, 100, true), Arrival::Late);
    assert_eq!(judge(&mut ring, 68, true), Arrival::Late);
    assert_eq!(judge(&mut ring, 67, true), Arrival::Anew);
    assert_eq!(judge(&mut ring, 67, false), Arrival::Late);
    assert!(!ring.lost.is_empty(), "a difference that far behind asks for a full state");
    assert_eq!(judge(&mut ring, 100u16.wrapping_add(0x8000), true), Arrival::Anew);
}

#[test]
fn late_ones_in_a_row_mean_another_sequence() {
    let mut ring = ReceiveRing::default();
    keep(&mut ring, 100);
    for _ in 0..32 {
        assert_eq!(judge(&mut ring, 90, true), Arrival::Late);
    }
    assert_eq!(judge(&mut ring, 91, true), Arrival::Anew);
    ring.push(NewState { seq: 91, pieces: vec![(0, Vec::new())], is_full: true }, Arrival::Anew, room(32));
    assert_eq!((ring.newest(), mask(&mut ring), ring.pieces(100, alone())), (Some(91), 0, None));
    assert_eq!(judge(&mut ring, 91, true), Arrival::Late, "the count begins anew as well");
}

#[test]
fn no_length_of_an_outage_lasts_longer_than_the_window() {
    for lost in (0..200u32).chain(32_700..32_800).chain(65_400..65_700).chain(131_000..131_100) {
        let mut ring = ReceiveRing::default();
        keep(&mut ring, 7);
        let took = (1..=40).filter(|step| {
            let seq = u16::try_from((7 + lost + step) % 65_536).unwrap();
            let arrival = judge(&mut ring, seq, true);
            if arrival != Arrival::Late {
                ring.push(NewState { seq, pieces: vec![(0, Vec::new())], is_full: true }, arrival, room(32));
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
    assert!(!ack(&mut ring, 0, 0) && !ack(&mut ring, 1, 0), "nothing was sent");
    for _ in 0..5 {
        push(&mut ring, 1, 3);
    }
    assert!(!ack(&mut ring, 6, 0), "the next one");
    assert!(!ack(&mut ring, 0, 0), "before the first");
    assert!(ack(&mut ring, 2, u64::from(u32::MAX)), "it is not kept any more");
    assert!(ring.baselines(0).is_none());
    assert!(ack(&mut ring, 4, 0));
    assert_eq!(nearest(&ring), Some(2));
    assert!(ack(&mut ring, 3, 0) && ack(&mut ring, 4, 0));
    assert_eq!(nearest(&ring), Some(2));
    for _ in 0..3 {
        push(&mut ring, 1, 3);
    }
    assert!(ring.baselines(0).is_none(), "the acknowledged state is not kept any more");
}

#[test]
fn an_acknowledgement_names_those_before_as_well() {
    let mut ring = SendRing::default();
    for _ in 0..8 {
        push(&mut ring, 1, 32);
    }
    assert!(ack(&mut ring, 7, 0b101));
    let acked: Vec<bool> = ring.kept.iter().map(|state| state.acked.has(0)).collect();
    assert_eq!(acked, [false, false, false, true, false, true, true, false]);
    ring.resync();
    assert!(ring.baselines(0).is_none());
}

#[test]
fn an_acknowledgement_dies_with_its_state() {
    let mut ring = SendRing::default();
    push(&mut ring, 1, 32);
    assert!(ack(&mut ring, 1, 0));
    for _ in 0..65_535 {
        push(&mut ring, 1, 32);
    }
    assert_eq!(ring.next(), 1, "its number is due again");
    assert!(ring.baselines(0).is_none());
    push(&mut ring, 1, 32);
    assert!(ring.baselines(0).is_none());
}

#[test]
fn a_sequence_survives_its_end() {
    let mut ring = SendRing::default();
    for step in 1..=70_000u32 {
        push(&mut ring, 1, 32);
        let seq = u16::try_from(step % 65_536).unwrap();
        assert!(ack(&mut ring, seq, 0), "{step}");
        assert_eq!(nearest(&ring), Some(1));
    }
}

#[test]
fn a_base_is_as_near_as_its_bits_can_say() {
    let mut ring = SendRing::default();
    push(&mut ring, 1, 255);
    assert!(ack(&mut ring, 1, 0));
    for back in 1..=31 {
        assert_eq!(nearest(&ring), Some(back));
        push(&mut ring, 1, 255);
    }
    assert!(ring.baselines(0).is_none());
}

#[test]
fn the_older_base_is_as_far_from_the_newer_as_that_is_from_the_next() {
    let gap = |acked: &[u16]| {
        let mut ring = SendRing::default();
        (0..32).for_each(|_| push(&mut ring, 1, 32));
        assert!(acked.iter().all(|seq| ack(&mut ring, *seq, 0)));
        ring.baselines(0).map(|bases| (bases.numbers.back, bases.numbers.gap))
    };
    assert_eq!(gap(&[]), None);
    assert_eq!(gap(&[30]), Some((3, None)));
    assert_eq!(gap(&[30, 27, 24]), Some((3, Some(3))));
    assert_eq!(gap(&[30, 29, 21]), Some((3, Some(1))));
    assert_eq!(gap(&[30, 28, 26]), Some((3, Some(2))), "the nearer of two that are as good");
    assert_eq!(gap(&[30, 1]), Some((3, Some(29))));
    assert_eq!(gap(&[2, 1]), Some((31, Some(1))));
    assert_eq!(gap(&[1]), None);
}

#[test]
fn a_ring_holds_exactly_as_many_entries_and_bytes_as_it_may() {
    let (mut sent, mut got) = (SendRing::default(), ReceiveRing::default());
    let keep = |ring: &mut ReceiveRing, seq, size, entries| {
        ring.push(
            NewState { seq, pieces: vec![(0, vec![0; size])], is_full: false },
            Arrival::News(alone()),
            room(entries),
        );
    };
    for seq in 1..=3u16 {
        push(&mut sent, MOST_BYTES / 2, 2);
        keep(&mut got, seq, MOST_BYTES / 2, 2);
    }
    assert_eq!((sent.kept_bytes(), got.kept_bytes()), (MOST_BYTES, MOST_BYTES));
    push(&mut sent, 1, 3);
    keep(&mut got, 4, 1, 3);
    assert_eq!((sent.kept_bytes(), got.kept_bytes()), (MOST_BYTES / 2 + 1, MOST_BYTES / 2 + 1));
    assert_eq!((sent.kept.len(), got.kept.len()), (2, 2));
    // A state that alone is too large is no base for the sender; the receiver has to know its number.
    push(&mut sent, MOST_BYTES + 1, 3);
    keep(&mut got, 5, MOST_BYTES + 1, 3);
    assert_eq!((sent.kept.len(), got.kept.len(), got.newest()), (0, 1, Some(5)));
    for seq in 6..=9u16 {
        push(&mut sent, 1, 3);
        keep(&mut got, seq, 1, 3);
    }
    // The receiver has the state beside its bases.
    assert_eq!((sent.kept_bytes(), got.kept_bytes()), (3, 4));
}

#[test]
fn the_mask_names_what_came_before_the_newest() {
    let mut ring = ReceiveRing::default();
    keep(&mut ring, 65_534);
    assert_eq!(mask(&mut ring), 0);
    keep(&mut ring, 65_535);
    assert_eq!(mask(&mut ring), 0b1);
    keep(&mut ring, 2);
    assert_eq!(mask(&mut ring), 0b1100, "0 and 1 are missing");
    keep(&mut ring, 34);
    assert_eq!(mask(&mut ring), 1 << 31);
    keep(&mut ring, 100);
    assert_eq!(mask(&mut ring), 0);
    assert!(ring.pieces(34, alone()).is_some() && ring.pieces(33, alone()).is_none());
}

/// A state can come in several packets: the first must not push out the base of the others.
#[test]
fn the_oldest_base_stays_until_a_later_state_comes() {
    let mut ring = ReceiveRing::default();
    let part = |seq, part: u8, ring: &mut ReceiveRing| {
        let (pieces, news) = (vec![(part, Vec::new())], PartSet::one(part));
        let room = Room { entries: 32, parts: 2 };
        ring.push(NewState { seq, pieces, is_full: false }, Arrival::News(news), room);
    };
    for seq in 1..=32 {
        part(seq, 0, &mut ring);
        part(seq, 1, &mut ring);
    }
    part(33, 0, &mut ring);
    assert!(ring.pieces(1, PartSet::one(1)).is_some(), "the second packet of state 33 may be from state 1");
    part(34, 0, &mut ring);
    assert!(ring.pieces(1, PartSet::one(1)).is_none(), "it is as far as a base can be");
}

/// A part of which nothing came goes before one that was sent longer ago and has come, and that before one on its way.
#[test]
fn the_part_that_is_the_oldest_for_the_peer_goes_first() {
    let mut ring = SendRing::default();
    let room = Room { entries: 32, parts: 3 };
    let send = |ring: &mut SendRing, part| {
        let pieces: Vec<Piece> = (0..3).map(|_| Piece::from(vec![0])).collect();
        ring.push(pieces.into(), PartSet::one(part), room);
        let mut parts = vec![7];
        ring.oldest_first(3, &mut parts);
        parts
    };
    assert_eq!([2, 1, 0].map(|part| send(&mut ring, part)), [[0, 1, 2], [0, 2, 1], [2, 1, 0]].map(Vec::from));
    assert!(ring.ack(1, &[(PartSet::one(2), 1)]));
    assert_eq!(send(&mut ring, 0), [1, 2, 0]);
    assert!(ring.ack(4, &[(PartSet::one(0), 1)]));
    assert_eq!(send(&mut ring, 2), [1, 0, 2], "part 1 was lost");
    assert_eq!(send(&mut ring, 1), [1, 0, 2], "all of it may be");
    for _ in 0..40 {
        send(&mut ring, 0);
    }
    assert_eq!(send(&mut ring, 0), [2, 1, 0], "what no state tells of goes by its turn");
}
