//! KeyOrders: remembers which keys small dictionaries had, in which order. Where the keys of a dictionary come
//! in an order that is known, a comparison with the known key tells that it is a plain text and differs from
//! the keys before it. It judges nothing: an entry that is not as foreseen is left to `plain.rs`.

use super::keys::{KeySet, Marks};
use super::ledger::Ledger;
use super::level::{KeyOrderState, Level};
use super::ways::took;
use crate::cursor::Cursor;
use crate::fault::Fault;
use crate::flood::SMALL;
use crate::sink::Sink;
use crate::token::{self, Leaf, Record};
use crate::tricks::Trick;
use crate::wire::{Rules, VariantType};

/// The number of places, a power of two: some 40 KiB when all are full. An order has two places to be at,
/// since of a few orders two often want the same place.
const PLACES: u64 = 64;
const LONGEST_KEY: u64 = 16;
const HOTTEST: u32 = 8;

#[derive(Debug, Default)]
struct KeyOrder {
    keys: Vec<Record>,
    /// The number of dictionaries without an order that may want its place before it gives way.
    heat: u32,
    /// The levels that follow it now: as long as there is one, it does not change.
    followers: u32,
}

/// The orders of dictionaries that were read, kept from walk to walk.
#[derive(Debug, Default)]
pub(super) struct KeyOrders {
    places: Vec<KeyOrder>,
    /// Levels that follow one now.
    followers: u32,
}

impl KeyOrders {
    /// Forgets the levels of the walk before, however it ended.
    pub(super) fn clear(&mut self) {
        if self.followers > 0 {
            self.followers = 0;
            self.places.iter_mut().for_each(|order| order.followers = 0);
        }
    }

    /// Finds the order of a Dictionary that has so many entries and begins with this key.
    #[inline(always)]
    fn find(&mut self, count: u32, bytes: &[u8]) -> KeyOrderState {
        let Some(hint) = Record::hint(bytes) else { return KeyOrderState::Nothing };
        let first = place(count, hint);
        for place in [first, first ^ 1] {
            if let Some(order) = self.places.get_mut(place)
                && has(&order.keys, count)
                && order.keys.first().is_some_and(|key| key.begins(bytes))
            {
                order.followers = order.followers.saturating_add(1);
                self.followers = self.followers.saturating_add(1);
                return KeyOrderState::Order(place);
            }
        }
        KeyOrderState::Nothing
    }

    #[inline(always)]
    fn release(&mut self, following: KeyOrderState) {
        let KeyOrderState::Order(place) = following else { return };
        self.followers = self.followers.saturating_sub(1);
        if let Some(order) = self.places.get_mut(place) {
            order.followers = order.followers.saturating_sub(1);
        }
    }

    /// Notes that a small Dictionary is complete.
    #[inline]
    pub(super) fn close(&mut self, following: KeyOrderState, keys: &KeySet, marks: &Marks, count: u32) {
        match following {
            KeyOrderState::Order(place) => {
                self.release(following);
                if let Some(order) = self.places.get_mut(place) {
                    order.heat = order.heat.saturating_add(1).min(HOTTEST);
                }
            }
            KeyOrderState::Nothing if count <= SMALL => self.learn(keys, marks, count),
            KeyOrderState::Nothing | KeyOrderState::Unasked => {}
        }
    }

    #[inline(always)]
    fn keys(&self, following: KeyOrderState) -> Option<&[Record]> {
        match following {
            KeyOrderState::Order(place) => self.places.get(place).map(|order| order.keys.as_slice()),
            KeyOrderState::Unasked | KeyOrderState::Nothing => None,
        }
    }

    /// Learns the order of a complete Dictionary that followed none, for the next one.
    fn learn(&mut self, keys: &KeySet, marks: &Marks, count: u32) {
        let Some(mut words) = keys.short_words(marks, count) else { return };
        let Some(first) = words.next().map(Record::of_word) else { return };
        if self.places.is_empty() {
            self.places.resize_with(usize::try_from(PLACES).unwrap_or(0), KeyOrder::default);
        }
        let at = place(count, first.own_hint());
        // An order of as many keys that begins with this one would be found first.
        let begins_alike = |place: &usize| {
            self.places
                .get(*place)
                .is_some_and(|order| has(&order.keys, count) && order.keys.first() == Some(&first))
        };
        let alike = [at, at ^ 1].into_iter().find(begins_alike);
        let cooled = |places: &mut Vec<KeyOrder>, place: usize| {
            places.get_mut(place).is_some_and(|order| {
                order.heat = order.heat.saturating_sub(1);
                order.heat == 0 && order.followers == 0
            })
        };
        let mut wanted = [alike.unwrap_or(at), at ^ 1].into_iter().take(if alike.is_some() { 1 } else { 2 });
        let free = wanted.find(|place| cooled(&mut self.places, *place));
        let Some(order) = free.and_then(|place| self.places.get_mut(place)) else { return };
        order.keys.clear();
        order.keys.push(first);
        order.keys.extend(words.map(Record::of_word));
        took("Learnt", u64::from(count));
    }
}

fn has(keys: &[Record], count: u32) -> bool {
    u32::try_from(keys.len()) == Ok(count)
}

/// Returns the first place for an order. Only the upper bits of a hint depend on all characters of the key.
#[inline(always)]
fn place(count: u32, hint: u64) -> usize {
    usize::try_from((hint >> 16).wrapping_add(u64::from(count)) & (PLACES - 1)).unwrap_or(0)
}

impl Ledger {
    /// Takes entries as long as their keys follow the order, within all limits, up to a value that is neither
    /// a scalar nor a short text.
    #[inline(never)]
    #[expect(clippy::too_many_lines, reason = "one loop, whose steps share all that is counted at its end")]
    pub(super) fn foreseen<S: Sink>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(), Fault> {
        let limits = &rules.limits;
        if level.following == KeyOrderState::Unasked {
            let is_open = !Trick::WalkShapes.is_off() && level.takes_text_entries(LONGEST_KEY, rules);
            level.following = if is_open {
                self.key_orders.find(level.count, cursor.rest())
            } else {
                KeyOrderState::Nothing
            };
        }
        let Some(keys) = self.key_orders.keys(level.following) else { return Ok(()) };
        let done = usize::try_from(level.done).unwrap_or(usize::MAX);
        let (bytes, price) = self.text_room(rules);
        let room = RemainingLimits { values: limits.max_values.saturating_sub(self.values), bytes };
        let mut left = room;
        let (mut count, mut has_key, mut is_same) = (0_u32, false, true);
        let mut outcome = Ok(());
        for key in keys.get(done..).unwrap_or_default() {
            let at = cursor.at();
            let field = key.field();
            is_same = key.begins(cursor.rest()) && left.takes(field);
            if !is_same {
                break;
            }
            level.key_is_at(at);
            let text = key.text(cursor.take(field).unwrap_or_default());
            outcome = given(sink, at, Leaf::Text(VariantType::String, text))
                .and_then(|key| sink.key(&mut level.frame, key).map_err(|refusal| Fault::new(refusal, at)));
            if outcome.is_err() {
                break;
            }
            has_key = true;
            let at = cursor.at();
            let Some(leaf) = plain(cursor, &mut left) else { break };
            outcome = given(sink, at, leaf).and_then(|item| {
                sink.item(&mut level.frame, item).map_err(|refusal| Fault::new(refusal, cursor.at()))
            });
            if outcome.is_err() {
                break;
            }
            has_key = false;
            count = count.wrapping_add(1);
        }
        took("Foreseen", room.values.wrapping_sub(left.values));
        self.took_items(level, count, room.values.wrapping_sub(left.values));
        self.heap = self.heap.saturating_add(room.bytes.wrapping_sub(left.bytes).saturating_mul(price));
        if has_key {
            level.key_done();
        }
        if !is_same {
            self.stray(level);
        }
        outcome
    }

    /// Leaves the order, since another key comes, or a key over a limit: from here on each is looked for
    /// among those before.
    #[cold]
    #[inline(never)]
    fn stray<F>(&mut self, level: &mut Level<F>) {
        if let Some(keys) = self.key_orders.keys(level.following) {
            let known = usize::try_from(level.done).unwrap_or(0);
            self.keys.adopt(keys.get(..known).unwrap_or_default());
        }
        self.key_orders.release(level.following);
        level.following = KeyOrderState::Nothing;
    }
}

/// The values and the bytes of texts that limits leave.
#[derive(Clone, Copy)]
struct RemainingLimits {
    values: u64,
    bytes: u64,
}

impl RemainingLimits {
    /// Takes a text of so many bytes, if a value can follow.
    #[inline(always)]
    const fn takes(&mut self, field: u64) -> bool {
        if self.values < 2 || self.bytes < field {
            return false;
        }
        self.values = self.values.wrapping_sub(1);
        self.bytes = self.bytes.wrapping_sub(field);
        true
    }
}

/// Reads the scalar or short String that comes next. There is room for a value.
#[inline(always)]
fn plain<'a>(cursor: &mut Cursor<'a>, room: &mut RemainingLimits) -> Option<Leaf<'a>> {
    let leaf = match token::read_scalar(cursor, None) {
        Some(leaf) => leaf,
        None => {
            let (text, field) =
                token::short_string(cursor.rest()).filter(|(_, field)| *field <= room.bytes)?;
            cursor.take(field).ok()?;
            room.bytes = room.bytes.wrapping_sub(field);
            Leaf::Text(VariantType::String, text)
        }
    };
    room.values = room.values.wrapping_sub(1);
    Some(leaf)
}

#[inline(always)]
fn given<S: Sink>(sink: &mut S, at: u64, leaf: Leaf<'_>) -> Result<S::Output, Fault> {
    sink.leaf(at, leaf).map_err(|refusal| Fault::new(refusal, at))
}
