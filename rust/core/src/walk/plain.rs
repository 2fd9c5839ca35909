//! Plain: the fast path of a walk for what most values are: text keys, scalars and untyped containers. It
//! refuses only what is over a limit. Bytes that are not plain are left to `Ledger::careful`, the fallback,
//! which words every fault.

use std::ops::Range;

use super::keys::LINEAR;
use super::ledger::{Ledger, give_key};
use super::level::{Context, Level};
use super::ways::took;
use super::{Input, LeafToken, OpeningContainer, charge, entries};
use crate::cursor::Cursor;
use crate::fault::{ErrorKind, Fault};
use crate::flood::SMALL;
use crate::plain::narrow_numbers;
use crate::sink::Sink;
use crate::token::{self, Container, Leaf, TextForm};
use crate::wire::{Rules, TypeSet, VariantType, heap};

const PATHS: TypeSet = TypeSet::of(&[VariantType::NodePath]);

// A Dictionary whose steps in the engine's table are not counted has no index here: its keys are compared as words.
const _: () = assert!(SMALL <= LINEAR, "an index would be needed");

impl Ledger {
    /// Takes everything that is plain, up to a container that opens, which is put into `opening`. Tells
    /// whether one opens.
    #[inline]
    pub(super) fn plain<'a, S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        Input { cursor, opening }: Input<'_, 'a>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        while !level.is_full() {
            if sink.passes_over(entries::KEYS) && level.awaits_key() {
                self.entries(level, cursor, rules)?;
                if level.is_full() {
                    break;
                }
            }
            if level.next_text().is_some() {
                if !self.bare_texts(level, cursor, rules, sink)? {
                    break;
                }
                continue;
            }
            if level.awaits_key()
                && !self.text_key(level, cursor, rules, sink)?
                && !self.number_key(level, cursor, rules, sink)?
            {
                break;
            }
            if !level.awaits_item() {
                break;
            }
            if self.numbers(level, cursor, rules, sink)? || self.scalars(level, cursor, rules, sink)? {
                continue;
            }
            if sink.passes_over(PATHS) && self.path(level, cursor, rules).is_some() {
                continue;
            }
            let at = cursor.at();
            let Some(container) = token::read_plain_opening(cursor, rules) else { break };
            *opening = OpeningContainer { at, container };
            match level.item_type {
                None => self.admit_plain(&opening.container, level.depth, rules, at)?,
                Some(_) => self.admit_container(&opening.container, level.place(at), rules, at)?,
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Admits an untyped Dictionary or Array that stands where anything may, and not in a key: a shorter
    /// [`Ledger::admit_container`].
    #[inline(always)]
    pub(super) fn admit_plain(
        &mut self,
        container: &Container<'_>,
        depth: usize,
        rules: &Rules,
        at: u64,
    ) -> Result<(), Fault> {
        let is_cheap = match *container {
            Container::Dictionary { count, .. } => count <= SMALL,
            Container::Array { .. } => true,
            _ => false,
        };
        if !is_cheap {
            return self.admit_container(
                container,
                Context { is_key: false, declared: None, depth },
                rules,
                at,
            );
        }
        took("PlainContainer", 1);
        self.count_value(rules, at)?;
        self.foresee(container, rules, at)?;
        self.pay(charge::container(container, depth), rules, at)
    }

    /// Takes the plain bare texts that come next, of a NodePath or a PackedStringArray. False when there was none.
    /// It stands apart, so that its loop has the registers to itself.
    #[inline(never)]
    fn bare_texts<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let Some(form) = level.next_text() else { return Ok(false) };
        let is_string = form == TextForm::Terminated;
        let left = if is_string { rules.limits.max_values.saturating_sub(self.values) } else { u64::MAX };
        let most = level.left().min(u32::try_from(left).unwrap_or(u32::MAX));
        let (mut count, mut outcome) = (0_u32, Ok(()));
        while count < most {
            let at = cursor.at();
            let read = if is_string {
                token::read_plain_string(cursor, rules)
            } else {
                token::read_plain_bare(cursor, form, rules)
            };
            let Some(text) = read else { break };
            outcome = self.pay(charge::text(form, cursor.at().wrapping_sub(at)), rules, at);
            if !is_string {
                outcome = outcome.and_then(|()| self.names.text(form, &text, rules, at));
            }
            let told = outcome
                .and_then(|()| sink.text(&mut level.frame, text).map_err(|refusal| Fault::new(refusal, at)));
            outcome = told;
            if outcome.is_err() {
                break;
            }
            count = count.saturating_add(1);
        }
        took("BareText", count.into());
        self.took_items(level, count, if is_string { count.into() } else { 0 });
        outcome.map(|()| count > 0)
    }

    /// Tells whether plain scalars may be taken without a look at each: not inside of a key, which is noted
    /// part by part.
    #[inline]
    pub(super) fn takes_scalars(&self, rules: &Rules) -> bool {
        token::are_plain(rules) && !self.keys.is_recording() && !self.probes.is_inside_key()
    }

    /// Returns how many items may come that are values.
    #[inline(always)]
    fn most_items<F>(&self, level: &Level<F>, rules: &Rules) -> u32 {
        let left = rules.limits.max_values.saturating_sub(self.values);
        level.items_in_a_row().min(u32::try_from(left).unwrap_or(u32::MAX))
    }

    /// Takes the ints and floats of four bytes that come next in an Array without a type. False when there was none.
    #[inline(always)]
    fn numbers<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let most = self.most_items(level, rules);
        if most < 2 || level.item_type.is_some() {
            return Ok(false);
        }
        let (mut count, mut outcome) = (0_u32, Ok(()));
        for number in narrow_numbers(cursor.rest(), token::NIL, most) {
            let (at, [ty, _, _, _, payload @ ..]) = (cursor.at(), *number);
            let leaf = match ty {
                2 => Leaf::Int(i32::from_le_bytes(payload).into()),
                _ => Leaf::Float(f32::from_le_bytes(payload).into()),
            };
            if outcome.is_err() || cursor.take(8).is_err() {
                break;
            }
            outcome = give_item(level, leaf, at..cursor.at(), sink);
            count = count.wrapping_add(u32::from(outcome.is_ok()));
        }
        took("Scalars", count.into());
        self.took_items(level, count, count.into());
        outcome.map(|()| count > 0)
    }

    /// Takes the plain scalars that come next in a level, up to the limit on values. But for texts they are
    /// free of charge, so that all else there is to check is the declared type. A value that is left is
    /// judged in `fill`. False when there was none.
    #[inline]
    pub(super) fn scalars<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let (most, declared) = (self.most_items(level, rules), level.item_type);
        let mut count = 0_u32;
        let mut outcome = Ok(());
        while count < most && outcome.is_ok() {
            let at = cursor.at();
            let Some(leaf) = (match token::read_scalar(cursor, declared) {
                Some(leaf) => Some(leaf),
                None => {
                    let costly = self.costly(level, cursor, rules);
                    costly.unwrap_or_else(|fault| {
                        outcome = Err(fault);
                        None
                    })
                }
            }) else {
                break;
            };
            outcome = give_item(level, leaf, at..cursor.at(), sink);
            count = count.saturating_add(u32::from(outcome.is_ok()));
        }
        took("Scalars", count.into());
        self.took_items(level, count, count.into());
        outcome.map(|()| count > 0)
    }

    /// Reads the plain text, matrix or packed array that comes next, and charges it.
    #[inline(always)]
    pub(super) fn costly<'a, F>(
        &mut self,
        level: &mut Level<F>,
        cursor: &mut Cursor<'a>,
        rules: &Rules,
    ) -> Result<Option<Leaf<'a>>, Fault> {
        let (at, declared) = (cursor.at(), level.item_type);
        let mut next = *cursor;
        if let Some((ty, text, _)) = token::read_plain_text(&mut next, declared, rules) {
            self.pay(heap::leaf(ty, next.at().wrapping_sub(at)), rules, at)?;
            if ty == VariantType::StringName || !rules.is_safe() {
                self.value_name(&Leaf::Text(ty, text), level.place(at), cursor, rules)?;
            }
            *cursor = next;
            took("Costly", 1);
            return Ok(Some(Leaf::Text(ty, text)));
        }
        let Some(leaf) = token::read_plain_numbers(cursor, declared, rules) else { return Ok(None) };
        took("Costly", 1);
        self.pay(heap::leaf(leaf.ty(), cursor.at().wrapping_sub(at)), rules, at)?;
        Ok(Some(leaf))
    }

    /// Counts the name that the text at the cursor becomes, unless it came just before.
    #[inline(never)]
    fn value_name(
        &mut self,
        name: &Leaf<'_>,
        place: Context,
        cursor: &Cursor<'_>,
        rules: &Rules,
    ) -> Result<(), Fault> {
        if self.leaves_duplicates && rules.is_safe() && self.names.came(cursor.rest(), rules) {
            return Ok(());
        }
        self.name(name, place, rules, cursor.at())
    }

    /// Counts the name that a text becomes. It stands out of line, since most values are no names.
    #[inline(never)]
    fn name(&mut self, name: &Leaf<'_>, place: Context, rules: &Rules, at: u64) -> Result<(), Fault> {
        self.names.leaf(name, place.declared, rules, at)
    }

    /// Takes the plain text that comes next as a key; false when another key comes.
    #[inline]
    fn text_key<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let at = cursor.at();
        let mut next = *cursor;
        let Some((ty, text, word)) = token::read_plain_text(&mut next, level.key_type, rules) else {
            return Ok(false);
        };
        if self.values >= rules.limits.max_values || !rules.limits.allowed_key_types.contains(ty) {
            return Ok(false);
        }
        *cursor = next;
        let place = level.place(at);
        let leaf = Leaf::Text(ty, text);
        let is_short = word != 0 && level.count <= SMALL;
        if is_short {
            took("ShortKey", 1);
            self.values = self.values.saturating_add(1);
        } else {
            self.admit_leaf(&leaf, place, rules, at)?;
        }
        self.pay(heap::leaf(ty, cursor.at().wrapping_sub(at)), rules, at)?;
        if ty == VariantType::StringName || !rules.is_safe() {
            self.name(&leaf, place, rules, at)?;
        }
        let output = sink.leaf(at, leaf).map_err(|refusal| Fault::new(refusal, at))?;
        if !is_short {
            self.probe(level, rules, cursor.at(), || sink.key_hash(&output))?;
            return self.deliver(level, output, sink, cursor.at()).map(|()| true);
        }
        if rules.is_safe() && !self.leaves_duplicates && !self.keys.is_new_short(&level.marks, word) {
            return Err(Fault::new(ErrorKind::DuplicateKey, at));
        }
        give_key(level, output, sink, at).map(|()| true)
    }

    /// Takes the plain scalar that comes next as a key; false when another key comes.
    #[inline]
    fn number_key<S: Sink + ?Sized>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let at = cursor.at();
        let mut next = *cursor;
        let Some(leaf) = token::read_scalar(&mut next, level.key_type) else { return Ok(false) };
        *cursor = next;
        took("NumberKey", 1);
        self.admit_leaf(&leaf, level.place(at), rules, at)?;
        self.give_leaf(level, LeafToken { leaf, at: at..cursor.at() }, rules, sink).map(|()| true)
    }
}

/// Gives the sink a leaf that stands at these bytes, as an item.
#[inline(always)]
fn give_item<S: Sink + ?Sized>(
    level: &mut Level<S::Frame>,
    leaf: Leaf<'_>,
    bytes: Range<u64>,
    sink: &mut S,
) -> Result<(), Fault> {
    let output = sink.leaf(bytes.start, leaf).map_err(|refusal| Fault::new(refusal, bytes.start))?;
    sink.item(&mut level.frame, output).map_err(|refusal| Fault::new(refusal, bytes.end))
}
