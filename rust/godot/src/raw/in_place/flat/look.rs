//! Look: whether bytes are a flat value. It makes nothing.

use variant_core::token::{peek_path, plain_numbers, plain_string, plain_text, short_string};
use variant_core::{
    LONGEST_FLAT_NAME, LONGEST_FLAT_PATH, MOST_FLAT_NAMES, Rules, TypeSet, VariantType,
    flat_names_may_repeat, most_flat_entries,
};

use super::super::bits::{ARRAY, BOOL, DICTIONARY, FLOAT, INT, NAME, NIL, STRING, WIDE_FLAG, id};
use super::super::path_cache::Wanted;
use super::super::scalar;
use super::super::shapes::{self, MOST};
use super::{
    BOTH_TYPED, KEY_TYPED, MANY, PACKED_STRINGS, PATH, Room, TYPE, TYPED_ARRAY, VALUE_TYPED, WIDE_FLOAT,
    WIDE_INT, declared, is_simple, word,
};

/// A look through the bytes of one value. `MAKES`: the value is made then, of what is known, and equal keys are found by
/// that; else it is only judged.
pub(super) struct Look<'r, const MAKES: bool> {
    room: Room<'r>,
    /// Names that may come still.
    names: u32,
    /// Those that came, where they are free from then on: names and paths of the cache.
    came: [*const u8; MOST_FLAT_NAMES as usize],
}

/// Types that are worth a look however many there are: texts, paths, what has parts.
const WORTH: u64 = 1 << STRING | 1 << NAME | 1 << PATH | 1 << DICTIONARY | 1 << ARRAY | !0 << PACKED_BYTES;
const PACKED_BYTES: u32 = id(VariantType::PackedByteArray);

impl<'r, const MAKES: bool> Look<'r, MAKES> {
    pub(super) const fn new(room: Room<'r>) -> Look<'r, MAKES> {
        Look { room, names: MOST_FLAT_NAMES, came: [std::ptr::null(); MOST_FLAT_NAMES as usize] }
    }

    pub(super) const fn rules(&self) -> &'r Rules {
        self.room.rules
    }

    /// Whether the bytes are a flat value of so many levels at most.
    #[inline]
    pub(super) fn is_all(&mut self, bytes: &[u8], levels: u64) -> bool {
        matches!(self.value(bytes, levels), Some([]))
    }

    /// What follows the value that comes next, if that is flat.
    #[inline(always)]
    fn value<'b>(&mut self, bytes: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        let (header, rest) = word(bytes)?;
        match header & TYPE {
            ARRAY | DICTIONARY => self.container(header, rest, levels.checked_sub(1)?),
            _ => bytes.get(self.leaf(header, bytes)?..),
        }
    }

    /// The same of a container, behind its header.
    #[expect(clippy::too_many_lines, reason = "one function calls itself, for little stack a level")]
    pub(super) fn container<'b>(&mut self, header: u32, rest: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        match header {
            ARRAY => {
                let (mut count, mut rest) = word(rest)?;
                let mut row = 0;
                while count > 0 {
                    let alike = numbers(rest, count.min(MANY + 1));
                    row += alike as u32;
                    if row > MANY {
                        return None;
                    }
                    (rest, count) = (rest.get(alike * 8..)?, count - alike as u32);
                    if count > 0 {
                        let (header, _) = word(rest)?;
                        row = if WORTH >> (header & 63) & 1 == 1 { 0 } else { row + 1 };
                        (rest, count) = (self.value(rest, levels)?, count - 1);
                    }
                }
                Some(rest)
            }
            DICTIONARY => {
                let (count, mut rest) = word(rest)?;
                let shapes = &self.room.keys.shapes;
                if let Some((number, _)) = shapes.ready(count, rest) {
                    for record in shapes.records(number) {
                        if !record.begins(rest) {
                            return None;
                        }
                        rest = self.value(rest.get(record.field() as usize..)?, levels)?;
                    }
                    return Some(rest);
                }
                if !MAKES {
                    return self.judged_entries(rest, count, levels);
                }
                if !self.is_free(count, (NIL, NIL)) {
                    return None;
                }
                for _ in 0..count {
                    // Of several texts the shape is worth to be learnt, which the walk does.
                    let (header, _) = word(rest)?;
                    if header == STRING && shapes::may_be_learnt(count) {
                        return None;
                    }
                    rest = rest.get(self.key(header, rest)?..)?;
                    rest = self.value(rest, levels)?;
                }
                Some(rest)
            }
            TYPED_ARRAY => self.typed_array(rest),
            KEY_TYPED | VALUE_TYPED | BOTH_TYPED => self.typed_dictionary(header, rest, levels),
            _ => None,
        }
    }

    /// What follows so many entries, if their keys are short Strings and ints in their shortest form, which differ where
    /// their bytes do, or a single one of another type.
    #[inline(never)]
    fn judged_entries<'b>(&mut self, bytes: &'b [u8], count: u32, levels: u64) -> Option<&'b [u8]> {
        let mut keys: [&[u8]; MOST as usize] = [&[]; MOST as usize];
        let mut rest = bytes;
        for index in 0..count as usize {
            let (header, _) = word(rest)?;
            let used = match header {
                STRING => short_string(rest)?.1 as usize,
                INT => 8,
                _ if count == 1 => self.key(header, rest)?,
                _ => return None,
            };
            let (key, behind) = rest.split_at_checked(used)?;
            let before = keys.get(..index)?;
            if before.contains(&key) {
                return None;
            }
            *keys.get_mut(index)? = key;
            rest = self.value(behind, levels)?;
        }
        Some(rest)
    }

    #[inline(never)]
    fn typed_array<'b>(&mut self, rest: &'b [u8]) -> Option<&'b [u8]> {
        let (declared, rest) = word(rest)?;
        let (count, mut rest) = word(rest)?;
        if !is_simple(declared) || (count > MANY && declared != STRING && declared != NAME) {
            return None;
        }
        for _ in 0..count {
            rest = rest.get(self.declared_leaf(declared, rest)?..)?;
        }
        Some(rest)
    }

    #[inline(never)]
    fn typed_dictionary<'b>(&mut self, header: u32, rest: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        let (of_keys, of_values, rest) = declared(header, rest)?;
        let (count, mut rest) = word(rest)?;
        let are_known = self.room.keys.empties.has((of_keys, of_values))
            && (of_keys == NIL || self.is_key(of_keys))
            && (of_values == NIL || is_simple(of_values));
        let is_told = MAKES || count < 2;
        if !is_told || !are_known || !self.is_free(count, (of_keys, of_values)) {
            return None;
        }
        for _ in 0..count {
            let (header, _) = word(rest)?;
            if of_keys != NIL && header & !WIDE_FLAG != of_keys {
                return None;
            }
            rest = rest.get(self.key(header, rest)?..)?;
            rest = match of_values {
                NIL => self.value(rest, levels)?,
                declared => rest.get(self.declared_leaf(declared, rest)?..)?,
            };
        }
        Some(rest)
    }

    /// Whether a Dictionary of these types may have so many entries uncounted. Where its table has to grow, room has to be
    /// ready, which the walk cares for.
    #[inline]
    pub(super) fn is_free(&self, count: u32, types: (u32, u32)) -> bool {
        count <= MOST
            || (count <= most_flat_entries(self.room.rules) && self.room.keys.tables.is_ready(types, count))
    }

    /// How many bytes the key takes that comes next: an int, a vector that may be a key, a text that is known.
    pub(super) fn key(&mut self, header: u32, bytes: &[u8]) -> Option<usize> {
        match header {
            INT => Some(8),
            WIDE_INT => Some(12),
            STRING => self.room.keys.known(bytes).map(|found| found.record.field() as usize),
            NAME => {
                self.room.keys.known(bytes)?;
                self.is_key(NAME).then(|| self.name(bytes))?
            }
            _ => self.is_key(header).then(|| scalar::vector(header))?,
        }
    }

    /// Whether keys of this header are vectors that are let in.
    #[inline(always)]
    pub(super) fn is_vector_key(&self, header: u32) -> bool {
        self.is_key(header) && scalar::vector(header).is_some()
    }

    /// Whether such keys are let in.
    #[inline(always)]
    fn is_key(&self, header: u32) -> bool {
        let is_in = |set: TypeSet| header < 64 && set.0 >> header & 1 == 1;
        is_in(self.room.rules.limits.allowed_key_types) && is_in(self.room.rules.limits.allowed_types)
    }

    pub(super) fn allows(&self, ty: VariantType) -> bool {
        self.room.rules.limits.allowed_types.contains(ty)
    }

    /// How many bytes the leaf takes that comes next, if it is of the type declared.
    #[inline]
    fn declared_leaf(&mut self, declared: u32, bytes: &[u8]) -> Option<usize> {
        let (header, _) = word(bytes).filter(|(header, _)| header & !WIDE_FLAG == declared)?;
        self.leaf(header, bytes)
    }

    #[inline(always)]
    fn leaf(&mut self, header: u32, bytes: &[u8]) -> Option<usize> {
        match header {
            NIL => Some(4),
            INT | FLOAT => Some(8),
            WIDE_INT | WIDE_FLOAT => Some(12),
            BOOL => matches!(bytes, [_, _, _, _, 0 | 1, 0, 0, 0, ..]).then_some(8),
            STRING => match short_string(bytes) {
                Some((_, used)) => Some(used as usize),
                None => plain_text(bytes, self.room.rules).map(|(.., rest)| bytes.len() - rest.len()),
            },
            _ => match scalar::vector(header) {
                Some(used) => Some(used),
                None => self.rare(header, bytes),
            },
        }
    }

    #[inline(never)]
    pub(super) fn rare(&mut self, header: u32, bytes: &[u8]) -> Option<usize> {
        match header {
            NAME => self.name(bytes),
            PATH => self.path(bytes),
            PACKED_STRINGS => {
                let (count, mut rest) = word(bytes.get(4..)?)?;
                if !self.allows(VariantType::PackedStringArray) {
                    return None;
                }
                for _ in 0..count {
                    (_, rest) = plain_string(rest, self.room.rules)?;
                }
                Some(bytes.len() - rest.len())
            }
            _ => plain_numbers(bytes, self.room.rules).map(|(_, rest)| bytes.len() - rest.len()),
        }
    }

    /// A name that is known, or too long to be kept: others are worth to be, which the walk does. Names are allowed where
    /// scalars are.
    fn name(&mut self, bytes: &[u8]) -> Option<usize> {
        if let Some(found) = self.room.keys.known(bytes) {
            self.comes(found.key.cast(), 1)?;
            return Some(found.record.field() as usize);
        }
        self.names = self.names.checked_sub(1)?;
        let (_, text, rest) = plain_text(bytes, self.room.rules)?;
        let is_long = variant_core::token::Record::read(bytes).is_none();
        ((is_long || !MAKES) && text.as_bytes().len() <= LONGEST_FLAT_NAME).then(|| bytes.len() - rest.len())
    }

    /// A path that is known.
    fn path(&mut self, bytes: &[u8]) -> Option<usize> {
        let record = peek_path(bytes).filter(|record| record.bytes.len() <= LONGEST_FLAT_PATH)?;
        let is_allowed = u64::from(record.names) <= self.room.rules.limits.max_path_segments
            && self.allows(VariantType::NodePath);
        let path = self.room.keys.path(Wanted::new(record.bytes)).filter(|_| is_allowed)?;
        self.comes(path.cast(), record.names + 2)?;
        Some(record.bytes.len())
    }

    /// Counts what stands for so many names, if it does not come again.
    #[inline]
    fn comes(&mut self, known: *const u8, names: u32) -> Option<()> {
        if self.came.contains(&known) {
            return Some(());
        }
        self.names = self.names.checked_sub(names)?;
        if flat_names_may_repeat(self.room.rules) {
            // There are never more than names.
            *self.came.get_mut(self.names as usize)? = known;
        }
        Some(())
    }
}

/// How many ints and floats of four bytes come next.
#[inline(always)]
fn numbers(bytes: &[u8], most: u32) -> usize {
    let (eights, _) = bytes.as_chunks::<8>();
    let is_number = |eight: &&[u8; 8]| matches!(eight, [2 | 3, 0, 0, 0, ..]);
    eights.iter().take(most as usize).take_while(is_number).count()
}
