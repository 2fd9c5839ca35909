//! Ledger: counts what a walk has read, and refuses what is more than the limits allow.

use std::ops::Range;

use super::keys::KeySet;
use super::level::{ContainerGrant, Context, Level};
use super::trail::Trail;
use super::{Input, LeafToken, OpeningContainer, charge, check_depth};
use crate::cursor::Cursor;
use crate::fault::{ErrorKind, Fault};
use crate::flood::{Names, Probes};
use crate::sink::Sink;
use crate::token::{self, Container, Leaf, TextForm, Token};
use crate::wire::{Cost, RealWidth, Rules, VariantType, heap};

#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Tokens and packed strings so far.
    pub(super) values: u64,
    /// Children that open levels were told to reserve for and that have not come yet.
    pub(super) promised: usize,
    /// The cost of the value so far in the engine's memory.
    pub(super) heap: u64,
    pub(super) keys: KeySet,
    pub(super) probes: Probes,
    pub(super) names: Names,
    pub(super) trail: Trail,
    /// Whether equal keys are left to the sink.
    pub(super) leaves_duplicates: bool,
}

impl Ledger {
    /// Begins to count for a sink. Where it fills tables of the engine, equal keys are left to it, and steps in tables of any
    /// size are bounded instead of counted.
    pub(super) fn leave_tables_to<S: Sink + ?Sized>(&mut self, sink: &S) {
        self.leaves_duplicates = sink.fills_tables();
        self.probes.are_bounded = self.leaves_duplicates;
    }

    pub(super) fn let_go(&mut self) {
        self.keys.let_go();
        self.probes.let_go();
        self.names.let_go();
    }

    pub(super) fn clear(&mut self) {
        self.values = 0;
        self.promised = 0;
        self.heap = 0;
        self.keys.clear();
        self.probes.clear();
        self.names.clear();
        self.trail.clear();
    }

    /// Refuses a leaf that may not stand here: by the number of values, the types of keys, or the declared type.
    #[inline]
    pub(super) fn admit_leaf(
        &mut self,
        leaf: &Leaf<'_>,
        place: Context,
        rules: &Rules,
        at: u64,
    ) -> Result<(), Fault> {
        self.count_value(rules, at)?;
        if place.is_checked() {
            place.check(leaf.limited_type(), leaf.ty(), rules).map_err(|kind| Fault::new(kind, at))?;
            self.begin_key(place, rules);
        }
        self.probes.leaf(leaf, place.is_key.then_some(place.depth), rules.reals);
        if self.keys.is_recording() {
            self.keys.record_leaf(leaf, place.is_key, rules.reals);
        }
        Ok(())
    }

    /// Refuses a container that may not open here, by the same rules, and charges for it.
    pub(super) fn admit_container(
        &mut self,
        container: &Container<'_>,
        place: Context,
        rules: &Rules,
        at: u64,
    ) -> Result<(), Fault> {
        self.count_value(rules, at)?;
        self.foresee(container, rules, at)?;
        place.check(container.ty(), container.ty(), rules).map_err(|kind| Fault::new(kind, at))?;
        self.begin_key(place, rules);
        let converted = if rules.is_safe() { 0 } else { charge::conversion(&Token::Open(*container), place) };
        self.pay(charge::container(container, place.depth).saturating_add(converted), rules, at)?;
        self.names.open(container, rules, at)?;
        self.probes.open(container, place.is_key.then_some(place.depth), place.depth, rules);
        Ok(())
    }

    /// Begins a key that has to be compared with the others of its Dictionary. A key that is the root of the walk, as in a
    /// `FrameReader`, has no others here.
    fn begin_key(&mut self, place: Context, rules: &Rules) {
        if place.is_key && place.depth > 0 && rules.is_safe() && !self.leaves_duplicates {
            self.keys.begin_key(place.depth);
        }
    }

    #[inline]
    pub(super) fn count_value(&mut self, rules: &Rules, at: u64) -> Result<(), Fault> {
        let limit = rules.limits.max_values;
        self.values = self.values.saturating_add(1);
        if self.values > limit {
            Err(Fault::new(ErrorKind::TooManyValues { limit, declared: 0 }, at))
        } else {
            Ok(())
        }
    }

    /// Charges the leaf that stands at these bytes. Nothing is built for one that the budget does not reach for.
    #[inline(always)]
    pub(super) fn charge_leaf(
        &mut self,
        leaf: &Leaf<'_>,
        place: Context,
        rules: &Rules,
        span: Range<u64>,
    ) -> Result<(), Fault> {
        let bytes = span.end.wrapping_sub(span.start);
        let price = match leaf {
            // What most values are is in slots that are paid for, and so is what they may be converted to.
            Leaf::Nil | Leaf::Bool(_) | Leaf::Int(_) | Leaf::Float(_) => return Ok(()),
            Leaf::Math(ty, _) if !heap::COSTLY.contains(*ty) => return Ok(()),
            // A null object is no object.
            Leaf::ObjectId(0) => return Ok(()),
            leaf if place.declared.is_some() && !rules.is_safe() => {
                charge::conversion(&Token::Leaf(*leaf), place).saturating_add(heap::leaf(leaf.ty(), bytes))
            }
            leaf => heap::leaf(leaf.ty(), bytes),
        };
        self.pay(price, rules, span.start)?;
        self.names.leaf(leaf, place.declared, rules, span.start)
    }

    #[inline]
    pub(super) fn pay(&mut self, price: u64, rules: &Rules, at: u64) -> Result<(), Fault> {
        let limit = rules.limits.max_heap_bytes;
        // Slots of a double-precision build are 40 bytes instead of 24, its vectors twice as wide.
        let price = if rules.reals == RealWidth::Double { price.saturating_mul(2) } else { price };
        self.heap = self.heap.saturating_add(price);
        if self.heap > limit { Err(Fault::new(ErrorKind::TooMuchMemory { limit }, at)) } else { Ok(()) }
    }

    /// Charges what a sink adds to the container whose header stands at this byte.
    #[inline]
    pub(super) fn add(&mut self, cost: Cost, rules: &Rules, at: u64) -> Result<(), Fault> {
        if cost.values == 0 && cost.heap == 0 {
            return Ok(());
        }
        let limit = rules.limits.max_values;
        self.values = self.values.saturating_add(cost.values);
        if self.values > limit {
            let declared = u32::try_from(cost.values).unwrap_or(u32::MAX);
            return Err(Fault::new(ErrorKind::TooManyValues { limit, declared }, at));
        }
        self.pay(cost.heap, rules, at)
    }

    pub(super) const fn cost(&self) -> Cost {
        Cost { values: self.values, heap: self.heap }
    }

    /// Refuses a declared count over the limit before the first element comes.
    #[inline]
    pub(super) fn foresee(&self, container: &Container<'_>, rules: &Rules, at: u64) -> Result<(), Fault> {
        let (Container::Array { count, .. } | Container::PackedStrings { count }) = container else {
            return Ok(());
        };
        let limit = rules.limits.max_values;
        if self.values.saturating_add(u64::from(*count)) > limit {
            return Err(Fault::new(ErrorKind::TooManyValues { limit, declared: *count }, at));
        }
        Ok(())
    }

    /// Enters a container that opens. Returns for how many children its sink may reserve, and where its keys begin.
    #[inline(always)]
    pub(super) fn open(&mut self, container: &Container<'_>, bytes: usize, rules: &Rules) -> ContainerGrant {
        self.keys.record_open(container);
        let promised = reserve(container, bytes, self.promised);
        self.promised = self.promised.saturating_add(promised);
        self.probes.expect(container, promised, rules);
        ContainerGrant { promised, marks: self.keys.marks(container) }
    }

    /// Leaves a container that is complete.
    #[inline(always)]
    pub(super) fn close<F>(&mut self, level: &Level<F>, rules: &Rules) -> Result<(), ErrorKind> {
        match level.ty() {
            VariantType::Dictionary => {
                self.keys.close(&level.marks);
                self.keys.close_part(&level.marks, level.depth);
            }
            VariantType::Array => self.keys.close_part(&level.marks, level.depth),
            _ => {}
        }
        self.probes.close(level.depth, rules)
    }

    /// Takes what comes next in a level, whatever it is. Tells whether a container opens, which is then in `opening`. It
    /// words every fault; the fast path is in `plain.rs`.
    #[inline]
    pub(super) fn careful<'a, S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        Input { cursor, opening }: Input<'_, 'a>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let at = cursor.at();
        if self.text(level, cursor, rules, sink)? {
            return Ok(false);
        }
        check_depth(level.depth, rules, at)?;
        let place = level.place(at);
        match token::read(cursor, rules)? {
            Token::Leaf(leaf) => {
                self.admit_leaf(&leaf, place, rules, at)?;
                self.charge_leaf(&leaf, place, rules, at..cursor.at())?;
                self.give_leaf(level, LeafToken { leaf, at: at..cursor.at() }, rules, sink).map(|()| false)
            }
            Token::Open(container) => {
                self.admit_container(&container, place, rules, at)?;
                *opening = OpeningContainer { at, container };
                Ok(true)
            }
        }
    }

    /// Reads the bare text that comes next in a level; false when it is a value that comes.
    #[inline]
    fn text<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let Some(form) = level.next_text() else { return Ok(false) };
        let at = cursor.at();
        let text = token::read_text(cursor, form, rules)?;
        if form == TextForm::Terminated {
            self.count_value(rules, at)?;
        }
        self.pay(charge::text(form, cursor.at().wrapping_sub(at)), rules, at)?;
        self.names.text(form, &text, rules, at)?;
        self.probes.text(&text);
        self.keys.record_text(&text);
        sink.text(&mut level.frame, text).map_err(|refusal| Fault::new(refusal, at))?;
        if form == TextForm::Plain {
            level.key_at = at;
            level.key_done();
        } else {
            self.promised = self.promised.saturating_sub(level.item_done());
        }
        Ok(true)
    }

    /// Enters the key that ends here into the table that stands for the engine's, if its Dictionary is large. `known`
    /// is the key's hash, where the sink knows better.
    #[inline]
    pub(super) fn probe<F>(
        &mut self,
        level: &Level<F>,
        rules: &Rules,
        at: u64,
        known: impl FnOnce() -> Option<u32>,
    ) -> Result<(), Fault> {
        if !level.awaits_key() {
            return Ok(());
        }
        let bytes = at.saturating_sub(level.key_at);
        let entered = self.probes.end_key(level.depth, bytes, rules, known);
        entered.map_err(|kind| Fault::new(kind, level.key_at))
    }

    /// Gives the sink a leaf that was admitted and charged, as a key or an item of the level.
    #[inline(always)]
    pub(super) fn give_leaf<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        LeafToken { leaf, at }: LeafToken<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(), Fault> {
        let output = sink.leaf(at.start, leaf).map_err(|refusal| Fault::new(refusal, at.start))?;
        self.probe(level, rules, at.end, || sink.key_hash(&output))?;
        self.deliver(level, output, sink, at.end)
    }

    /// Counts the items that a fast path has given the sink, and so many values, keys among them.
    #[inline(always)]
    pub(super) fn took_items<F>(&mut self, level: &mut Level<F>, items: u32, values: u64) {
        self.values = self.values.saturating_add(values);
        self.promised = self.promised.saturating_sub(level.items_done(items));
    }

    /// Hands a finished value to the container it belongs to.
    #[inline]
    pub(super) fn deliver<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        output: S::Output,
        sink: &mut S,
        at: u64,
    ) -> Result<(), Fault> {
        if level.awaits_key() {
            let key_at = level.key_at;
            if !self.keys.end_key(&level.marks, self.probes.key_hash(level.depth)) {
                return Err(Fault::new(ErrorKind::DuplicateKey, key_at));
            }
            give_key(level, output, sink, key_at)
        } else {
            sink.item(&mut level.frame, output).map_err(|refusal| Fault::new(refusal, at))?;
            self.promised = self.promised.saturating_sub(level.item_done());
            Ok(())
        }
    }
}

/// Gives the sink a key that is not there yet.
#[inline(always)]
pub(super) fn give_key<S: Sink + ?Sized>(
    level: &mut Level<S::Frame>,
    key: S::Output,
    sink: &mut S,
    at: u64,
) -> Result<(), Fault> {
    sink.key(&mut level.frame, key).map_err(|refusal| Fault::new(refusal, at))?;
    level.key_done();
    Ok(())
}

/// Returns how many children the bytes at hand could hold at most, whatever is declared: a value is at least
/// a header, an entry two of them, a text its length. Room that was promised to outer levels comes out of the
/// same bytes, so that nesting cannot multiply it.
pub(super) fn reserve(container: &Container<'_>, bytes: usize, promised: usize) -> usize {
    // As powers of two: a division would cost more than the rest of an opening.
    let (count, smallest) = match *container {
        Container::Dictionary { count, .. } | Container::Object { count, .. } => (count, 3),
        Container::Array { count, .. } | Container::PackedStrings { count } => (count, 2),
        Container::NodePath { names, subnames, .. } => (names.saturating_add(subnames), 2),
    };
    let declared = usize::try_from(count).unwrap_or(usize::MAX);
    declared.min(bytes.wrapping_shr(smallest).saturating_sub(promised))
}

#[cfg(test)]
mod tests;
