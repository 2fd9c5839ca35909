//! Makes the value of packed bits where it will stay: a builder for the crate `variant-pack`, which tells it part by part. No bytes
//! of Godot's format are made, and each part goes straight into its slot. The fallback are those bytes, of which `plain.rs` or
//! a walk makes the value. It judges nothing: what is told is proven. Nothing but a wrong use of it is refused.

use godot::builtin::Variant;
use variant_core::token::Leaf;
use variant_core::{Make, Rules, Trick};
use variant_pack::Build;

use super::super::layout::proven;
use super::bits::{ARRAY, NIL};
use super::keys::KeyCache;
use super::plain::{Entries, FilledTemplate, Items, Slot, Slots};

/// Containers in one another at most.
const LEVELS: usize = 20;

/// Makes the value that is told in the place of a null. Tells whether it is there; else the place holds null still.
pub(crate) fn build(
    rules: &Rules,
    keys: &mut KeyCache,
    place: &mut Variant,
    tell: impl FnOnce(&mut Parts<'_, '_, '_>) -> bool,
) -> bool {
    if Trick::FastPath.is_off() || proven().is_none() {
        return false;
    }
    let mut parts = Parts {
        // Whoever tells has counted the elements.
        slots: Slots::new(keys, usize::MAX, rules),
        rules,
        place: Some(Slot::of(place)),
        open: [const { None }; LEVELS],
        level: 0,
        alike: None,
    };
    let is_made = tell(&mut parts) && parts.is_whole();
    if !is_made {
        *place = Variant::nil();
    }
    is_made
}

/// A container that waits for parts.
enum Open<'k, 'p> {
    Array(Items<'p>),
    /// A Dictionary without keys, which may be like others.
    Empty(Entries<'p>, u32, Option<usize>),
    /// A Dictionary that gets its keys one by one; so many are to come.
    Entries(Entries<'p>, u32),
    /// A Dictionary that has its keys. They may be known to come, and may be those of others.
    Filled(FilledTemplate<'k, 'p>, bool, Option<usize>),
}

/// Makes one value.
pub(crate) struct Parts<'k, 'r, 'p> {
    slots: Slots<'k>,
    rules: &'r Rules,
    /// Where the next part goes, unless that is an element.
    place: Option<Slot<'p>>,
    open: [Option<Open<'k, 'p>>; LEVELS],
    level: usize,
    /// The last dictionaries that are alike, and the template that has their keys.
    alike: Option<(usize, usize)>,
}

impl<'k, 'p> Parts<'k, '_, 'p> {
    /// The number of the innermost container that waits for parts.
    #[inline(always)]
    fn top(&mut self) -> Option<usize> {
        loop {
            let at = self.level.checked_sub(1)?;
            let is_full = match self.open.get(at)?.as_ref()? {
                Open::Array(items) => items.left() == 0,
                Open::Empty(_, left, _) | Open::Entries(_, left) => *left == 0,
                Open::Filled(template, ..) => template.left() == 0,
            };
            if !is_full {
                return Some(at);
            }
            self.level = at;
            if let Some(Open::Filled(template, false, alike)) = self.open.get_mut(at)?.take() {
                self.alike = alike.map(|alike| (alike, template.number)).or(self.alike);
                self.slots.followed(template);
            }
        }
    }

    /// The place of the next part.
    #[inline(always)]
    fn next(&mut self) -> Option<Slot<'p>> {
        if let Some(place) = self.place.take() {
            return Some(place);
        }
        let at = self.top()?;
        match self.open.get_mut(at)?.as_mut()? {
            Open::Array(items) => self.slots.item(items),
            // A key comes first.
            _ => None,
        }
    }

    fn push(&mut self, open: Open<'k, 'p>) -> Option<()> {
        *self.open.get_mut(self.level)? = Some(open);
        self.level += 1;
        Some(())
    }

    /// Whether all parts were told.
    fn is_whole(&mut self) -> bool {
        self.place.is_none() && self.top().is_none() && self.level == 0
    }

    /// The place of the value of the first key of a Dictionary.
    #[inline(always)]
    fn first_key(&mut self, at: usize, bytes: &[u8]) -> Option<Slot<'p>> {
        let Some(Open::Empty(mut entries, count, alike)) = self.open.get_mut(at)?.take() else { return None };
        let Some(mut template) = self.slots.template(&mut entries, count, bytes) else {
            let place = self.slots.key(&mut entries, bytes)?;
            *self.open.get_mut(at)? = Some(Open::Entries(entries, count.checked_sub(1)?));
            return Some(place);
        };
        let is_known = alike.is_some() && self.alike == alike.map(|alike| (alike, template.number));
        let place = if is_known {
            template.known()
        } else {
            self.slots.templated_key(&mut template, bytes).map(|(_, place)| place)
        };
        *self.open.get_mut(at)? = Some(Open::Filled(template, is_known, alike));
        place
    }
}

impl Build for Parts<'_, '_, '_> {
    #[inline(always)]
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Option<()> {
        let place = self.next()?;
        self.slots.numbers(place, *leaf)
    }

    #[inline]
    fn whole(&mut self, bytes: &[u8]) -> Option<()> {
        let place = self.next()?;
        let place = match self.slots.leaf(place, bytes) {
            Ok(used) => return (used == bytes.len()).then_some(()),
            Err(place) => place,
        };
        if *bytes == [ARRAY.to_le_bytes(), [0; 4]].concat() {
            return self.slots.array(place, NIL, 0).map(|_| ());
        }
        self.slots.string(place, bytes, self.rules).filter(|rest| rest.is_empty()).map(|_| ())
    }

    #[inline]
    fn array(&mut self, count: u32) -> Option<()> {
        let place = self.next()?;
        let items = self.slots.array(place, NIL, count)?;
        self.push(Open::Array(items))
    }

    #[inline]
    fn dictionary(&mut self, count: u32, alike: Option<usize>) -> Option<()> {
        let place = self.next()?;
        let entries = self.slots.dictionary(place, (NIL, NIL), count)?;
        self.push(Open::Empty(entries, count, alike))
    }

    #[inline(always)]
    fn key(&mut self, bytes: &[u8]) -> Option<()> {
        if self.place.is_some() {
            return None;
        }
        let at = self.top()?;
        let place = match self.open.get_mut(at)?.as_mut()? {
            Open::Filled(template, true, _) => template.known(),
            Open::Filled(template, false, _) => {
                self.slots.templated_key(template, bytes).map(|(_, place)| place)
            }
            Open::Entries(entries, left) => {
                *left = left.checked_sub(1)?;
                self.slots.key(entries, bytes)
            }
            Open::Empty(..) => self.first_key(at, bytes),
            Open::Array(_) => None,
        };
        self.place = Some(place?);
        Some(())
    }
}
