//! Counts which places and which types take the bytes. Elements of arrays are counted together, as `items[]`.

use std::io;

use variant_core::cursor::length;
use variant_core::token::{Container, Leaf, Text};
use variant_core::{Error, Extent, Rules, VariantType};

use crate::extent::{leaf_end, opening_end, text_end};
use crate::places::{SizePlaces, Spot};
use crate::trail::{Trail, View, view};

/// Counts the bytes and values of one place or type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The bytes, with headers, padding and names; for a container, without its children.
    pub bytes: u64,
    /// The number of values.
    pub values: u64,
}

impl Tally {
    pub(crate) const fn add(&mut self, bytes: u64, values: u64) {
        self.bytes += bytes;
        self.values += values;
    }
}

/// Says where the bytes of a value go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeReport {
    /// The bytes of the whole value.
    pub total: u64,
    /// The places, the largest first. A key's bytes count to the place of its value.
    pub places: Vec<(String, Tally)>,
    /// The types, the largest first.
    pub types: Vec<(VariantType, Tally)>,
}

/// Counts the bytes of the value that `bytes` begin with.
///
/// # Errors
/// Fails as decoding does.
pub fn sizes(bytes: &[u8], rules: &Rules) -> Result<SizeReport, Error> {
    sizes_merging(bytes, rules, &[])
}

/// Counts as [`sizes`] does, and the entries of each Dictionary at one of these places together, as those of an Array: those of a
/// table by names.
///
/// # Errors
/// Fails as decoding does.
pub fn sizes_merging(bytes: &[u8], rules: &Rules, merged: &[String]) -> Result<SizeReport, Error> {
    let mut watch = || true;
    let mut sizes = Sizes::new(rules, &mut watch);
    sizes.places.merged = merged.to_vec();
    let extent = sizes.add(bytes).unwrap_or_else(|_| Ok(Extent::default()))?;
    Ok(sizes.report(extent.consumed))
}

/// Counts the bytes of many values, each as far as it can be read. `watch` is called every few thousand
/// values and says whether to go on; `None` means that it refused.
pub(crate) fn sizes_of_all<'d>(
    values: impl Iterator<Item = &'d [u8]>,
    rules: &Rules,
    watch: &mut dyn FnMut() -> bool,
) -> Option<SizeReport> {
    let mut sizes = Sizes::new(rules, watch);
    let mut total = 0;
    for value in values {
        sizes.add(value).ok()?.ok();
        total += length(value);
    }
    Some(sizes.report(total))
}

/// The values between two calls of `watch`.
const BREATH: u64 = 4096;

struct Sizes<'d, 'w> {
    bytes: &'d [u8],
    rules: &'w Rules,
    watch: &'w mut dyn FnMut() -> bool,
    counted: u64,
    /// The beginning of the next bare text.
    next: u64,
    key: Tally,
    places: SizePlaces,
    around: Vec<Spot>,
    types: [Tally; 39],
}

impl<'d, 'w> Sizes<'d, 'w> {
    fn new(rules: &'w Rules, watch: &'w mut dyn FnMut() -> bool) -> Sizes<'d, 'w> {
        Sizes {
            bytes: &[],
            rules,
            watch,
            counted: 0,
            next: 0,
            key: Tally::default(),
            places: SizePlaces::default(),
            around: Vec::new(),
            types: [Tally::default(); 39],
        }
    }

    /// Counts one value more. The outer error means that `watch` refused.
    fn add(&mut self, bytes: &'d [u8]) -> io::Result<Result<Extent, Error>> {
        self.bytes = bytes;
        self.places.make_room(bytes.len());
        self.key = Tally::default();
        self.around.clear();
        let rules = self.rules;
        view(bytes, rules, self)
    }

    fn report(self, total: u64) -> SizeReport {
        let mut places = self.places.into_named();
        places.sort_by(|(name_a, a), (name_b, b)| b.bytes.cmp(&a.bytes).then_with(|| name_a.cmp(name_b)));
        let types = VariantType::ALL.iter().copied().zip(self.types);
        let mut types: Vec<(VariantType, Tally)> = types.filter(|(_, tally)| tally.values > 0).collect();
        types.sort_by_key(|(ty, tally)| (u64::MAX - tally.bytes, ty.id()));
        SizeReport { total, places, types }
    }

    fn look_up(&mut self) -> io::Result<()> {
        self.counted += 1;
        let goes_on = !self.counted.is_multiple_of(BREATH) || (self.watch)();
        if goes_on { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
    }

    fn count(&mut self, trail: &Trail, ty: VariantType, bytes: u64, values: u64) -> Spot {
        self.types[usize::from(ty.id())].add(bytes, values);
        let spot = self.places.spot(self.around.last().copied(), trail.path().0.last());
        let tally = match spot {
            Spot::Key => {
                self.key.add(bytes, values);
                return spot;
            }
            Spot::Place(place) => self.places.tally(place),
            Spot::Others => &mut self.places.others,
        };
        let of_key = std::mem::take(&mut self.key);
        tally.add(bytes + of_key.bytes, values + of_key.values);
        spot
    }
}

impl View for Sizes<'_, '_> {
    fn leaf(&mut self, trail: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        self.next = leaf_end(self.bytes, at, leaf.ty(), self.rules);
        self.count(trail, leaf.ty(), self.next - at, 1);
        self.look_up()
    }

    fn open(&mut self, trail: &Trail, at: u64, container: &Container<'_>) -> io::Result<()> {
        self.next = opening_end(self.bytes, at, container);
        let spot = self.count(trail, container.ty(), self.next - at, 1);
        self.around.push(spot);
        self.look_up()
    }

    fn text(&mut self, trail: &Trail, _: Text<'_>) -> io::Result<()> {
        let end = text_end(self.bytes, self.next);
        let bytes = end - self.next;
        self.next = end;
        self.count(trail, trail.parent().unwrap_or(VariantType::Nil), bytes, 0);
        self.look_up()
    }

    fn close(&mut self, _: &Trail) -> io::Result<()> {
        self.around.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::looking;
    use crate::places::{FREE_NAMES, NAMES_PER_BYTE, OTHERS};

    /// Makes keys with numbers, below `levels` dictionaries with long keys.
    fn below(levels: usize, keys: u32) -> Vec<u8> {
        let level = [27_u32, 1, 4, 64].map(u32::to_le_bytes).concat();
        let level = [level, vec![b'k'; 64]].concat();
        let text = |key: u32| {
            [4_u32.to_le_bytes(), 8_u32.to_le_bytes()]
                .concat()
                .into_iter()
                .chain(format!("{key:08}").into_bytes())
        };
        let entries = (0..keys).flat_map(|key| text(key).chain([0; 4]));
        level
            .repeat(levels)
            .into_iter()
            .chain([27_u32, keys].map(u32::to_le_bytes).concat())
            .chain(entries)
            .collect()
    }

    #[test]
    fn names_of_deep_places_take_bounded_memory() {
        for (levels, are_others) in [(0, false), (1, false), (60, true)] {
            let bytes = below(levels, 5000);
            let report = sizes(&bytes, &looking()).unwrap();
            let names: usize = report.places.iter().map(|(name, _)| name.len()).sum();
            assert!(names <= FREE_NAMES + NAMES_PER_BYTE * bytes.len(), "{levels} levels: {names}");
            assert_eq!(report.places.iter().any(|(name, _)| name == OTHERS), are_others, "{levels} levels");
            let counted: u64 = report.places.iter().map(|(_, tally)| tally.bytes).sum();
            assert_eq!(counted, length(&bytes));
        }
    }
}
