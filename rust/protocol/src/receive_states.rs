//! Receives states: parts in full, or their differences from states that are kept. A state of one part is told as it arrives;
//! one of several with the next call of `next_state()`, so that it is built once for all packets of a frame.

use variant_core::Rejection;
use variant_pack::{Packer, PartSet};

use crate::event::Event;
use crate::pieces::{Piece, ReadPieces};
use crate::protocol::Protocol;
use crate::refusal::{Reason, Refusal};
use crate::score::Offence;
use crate::state_form::StateForm;
use crate::states::{Arrival, NewState, ReceiveRing, Room};
use crate::wire::{BaseNumbers, Bytes, base_hash, read_parts};

pub(crate) enum StateOutcome {
    /// It came late or twice.
    Late,
    /// Parts, which [`Protocol::next_state`] tells of.
    Parts,
    State(Event),
}

/// Says of which states the parts are that a receiver has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateInfo {
    /// The number of the newest.
    pub newest: u16,
    /// The number of the oldest.
    pub oldest: u16,
    /// The parts of a state.
    pub parts: u8,
    /// The parts that have not come yet: until then nothing is told.
    pub missing: u8,
}

/// Holds what stands in a packet with a state.
struct StatePacket<'b> {
    seq: u16,
    /// The bases and their hash. `None`: a part in full.
    from: Option<(BaseNumbers, u16)>,
    parts: PartSet,
    bits: &'b [u8],
}

impl<'b> StatePacket<'b> {
    fn read(mut body: Bytes<'b>, count: u8) -> Option<StatePacket<'b>> {
        let seq = body.u16()?;
        let numbers = BaseNumbers::read(&mut body)?;
        let parts = read_parts(&mut body, count)?;
        let from = match numbers {
            Some(numbers) => Some((numbers, body.u16()?)),
            None if parts.len() > 1 => return None,
            None => None,
        };
        Some(StatePacket { seq, from, parts, bits: body.0 })
    }
}

impl Protocol {
    /// Receives a packet with a state from behind its id.
    pub(crate) fn state(
        &mut self,
        peer: i32,
        id: u16,
        body: Bytes<'_>,
        value: &mut Vec<u8>,
    ) -> Result<StateOutcome, Reason> {
        let malformed = || Reason::of(id, Offence::Malformed);
        let Protocol { table, peers, packer, read, due_states, .. } = self;
        let form = table.state_form(id).ok_or_else(malformed)?;
        let head = StatePacket::read(body, form.count()).ok_or_else(malformed)?;
        let ring = peers.get_mut(&peer).ok_or_else(malformed)?.got.entry(id).or_default();
        let arrival = ring.judge(head.seq, head.parts, head.from.map(|(numbers, _)| numbers));
        if arrival == Arrival::Late {
            return Ok(StateOutcome::Late);
        }
        let is_whole = form.count() == 1;
        let judged = made(ring, form, packer, read, &head).and_then(|made| {
            if is_whole && let Some(packed) = made.first() {
                form.form.unpack(packer, packed, value).map_err(|unfit| Reason::unfit(id, unfit))?;
            }
            Ok(made)
        });
        let made = match judged {
            Ok(made) => made,
            // A base may be gone where later packets overtook this one.
            Err(reason) if reason.offence == Offence::LostBaseline && ring.is_ahead(head.seq) => {
                return Ok(StateOutcome::Late);
            }
            Err(reason) => {
                ring.lose(head.parts);
                return Err(Reason { message: Some(id), ..reason });
            }
        };
        let pieces = head.parts.iter().zip(made).collect();
        let state = NewState { seq: head.seq, pieces, is_full: head.from.is_none() };
        ring.push(state, arrival, Room { entries: form.history.entries, parts: form.count() });
        read.forget_unused();
        if is_whole {
            return Ok(StateOutcome::State(Event::State { id, seq: head.seq }));
        }
        due_states.insert((peer, id));
        Ok(StateOutcome::Parts)
    }

    /// Returns a state of several parts of which some came since it was told last, once all are there: its peer, and the event.
    /// Its value replaces what `value` holds. To be called after the packets of a frame, until nothing comes.
    pub fn next_state(&mut self, now: u64, value: &mut Vec<u8>) -> Option<Result<(i32, Event), Refusal>> {
        let now = self.pass(now);
        while let Some((peer, id)) = self.due_states.pop_first() {
            value.clear();
            let Protocol { table, peers, packer, read, .. } = self;
            let known = peers.get_mut(&peer).filter(|known| known.ending.is_none());
            let (Some(form), Some(ring)) =
                (table.state_form(id), known.and_then(|known| known.got.get_mut(&id)))
            else {
                continue;
            };
            let (Some(parts), Some((newest, oldest))) = (ring.whole(form.count()), ring.ages()) else {
                continue;
            };
            let whole = form.together(packer, read, &parts);
            let (layout, rules) = (form.form.layout(), form.form.rules());
            let packed = whole.and_then(|whole| packer.packed(layout, &whole, rules).map(<[u8]>::to_vec));
            let made = packed.and_then(|packed| form.form.unpack(packer, &packed, value));
            match made {
                Ok(()) => return Some(Ok((peer, Event::State { id, seq: newest }))),
                // Parts of different states need not be a value that the schema accepts: the next ones may be.
                Err(_) if newest != oldest => {}
                Err(unfit) => {
                    ring.lose(PartSet::all(form.count()));
                    return Some(Err(self.refuse(peer, Reason::unfit(id, unfit), now)));
                }
            }
        }
        None
    }

    /// Says of which states the parts are that a peer sent; nothing if none came.
    #[must_use]
    pub fn state_info(&self, peer: i32, id: u16) -> Option<StateInfo> {
        let parts = self.table.state_form(id)?.count();
        let ring = self.peers.get(&peer)?.got.get(&id)?;
        let (newest, oldest) = ring.ages()?;
        let have = u8::try_from(ring.parts()).unwrap_or(parts);
        Some(StateInfo { newest, oldest, parts, missing: parts.saturating_sub(have) })
    }
}

/// Makes the parts of a packet: of one in full, or of a difference and the states that it is from.
fn made(
    ring: &ReceiveRing,
    form: &StateForm,
    packer: &mut Packer,
    read: &mut ReadPieces,
    head: &StatePacket<'_>,
) -> Result<Vec<Vec<u8>>, Reason> {
    let refused = |rejection: Box<Rejection>| Reason::unfit(0, rejection);
    let Some((numbers, hash)) = head.from else {
        let part = head.parts.iter().next().unwrap_or(0);
        return form.read_full(packer, part, head.bits).map(|packed| vec![packed]).map_err(refused);
    };
    let newer_seq = head.seq.wrapping_sub(u16::from(numbers.back));
    let older_seq = numbers.gap.map(|gap| newer_seq.wrapping_sub(u16::from(gap)));
    let pieces = |seq: u16| ring.pieces(seq, head.parts).ok_or(Offence::LostBaseline);
    let (newer, older) = (pieces(newer_seq)?, older_seq.map(pieces).transpose()?);
    if base_hash(&newer, older.as_deref().unwrap_or_default()) != hash {
        return Err(Offence::LostBaseline.into());
    }
    let mut together = |pieces: &[(u8, &Piece)]| form.together(packer, read, pieces).map_err(refused);
    let newer = together(&newer)?;
    let older = older.map(|older| together(&older)).transpose()?;
    let bases = numbers.bases(&newer, older.as_deref());
    form.apply(packer, head.parts, bases, head.bits).map_err(refused)
}
