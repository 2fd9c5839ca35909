//! Writes tokens as bytes in one pass. The arms stand in the order of `read.rs`.

use super::{Container, ContainerType, Lanes, Leaf, TextForm, Token};
use crate::cursor::{length, padding};
use crate::wire::{Dialect, Header, Lane, Layout, Target, VariantType};

/// Takes the written bytes.
pub trait Output {
    /// Appends bytes.
    fn put(&mut self, bytes: &[u8]);
    /// Appends the first `count` of these bytes.
    fn put_first(&mut self, bytes: &[u8; SHORT], count: usize) {
        self.put(bytes.get(..count).unwrap_or(bytes));
    }
    /// Writes a word over bytes from `at` on, where they are kept.
    fn put_over(&mut self, _at: u64, _word: [u8; 4]) {}
    /// Returns the number of bytes so far.
    fn len(&self) -> u64;
    /// Tells whether nothing was written.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Output for Vec<u8> {
    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    /// Appends all of them and cuts off the rest: a copy of constant length is faster.
    #[inline]
    fn put_first(&mut self, bytes: &[u8; SHORT], count: usize) {
        let end = self.len().saturating_add(count);
        self.extend_from_slice(bytes);
        self.truncate(end);
    }

    fn put_over(&mut self, at: u64, word: [u8; 4]) {
        let place = usize::try_from(at).ok().and_then(|at| self.get_mut(at..)?.first_chunk_mut());
        if let Some(place) = place {
            *place = word;
        }
    }

    #[inline]
    fn len(&self) -> u64 {
        length(self)
    }
}

/// Counts the bytes instead of keeping them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count(pub u64);

impl Output for Count {
    fn put(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(length(bytes));
    }

    fn len(&self) -> u64 {
        self.0
    }
}

/// Writes tokens. It relies on its caller to close what was opened, and to check that the target knows the
/// type; [`Encoder`](crate::Encoder) checks both itself.
#[derive(Debug)]
pub struct Writer<'o, O: Output> {
    output: &'o mut O,
    target: Target,
}

impl<'o, O: Output> Writer<'o, O> {
    /// Makes a writer that appends to `output`, for `target` to read.
    pub const fn new(output: &'o mut O, target: Target) -> Writer<'o, O> {
        Writer { output, target }
    }

    /// Writes one token.
    pub fn token(&mut self, token: &Token<'_>) {
        match token {
            Token::Leaf(leaf) => self.leaf(leaf),
            Token::Open(container) => self.open(container),
        }
    }

    /// Writes one leaf.
    pub fn leaf(&mut self, leaf: &Leaf<'_>) {
        self.leaf_here(leaf);
    }

    #[inline(always)]
    pub(crate) fn leaf_here(&mut self, leaf: &Leaf<'_>) {
        match leaf {
            Leaf::Nil | Leaf::ObjectId(0) => self.header(self.header_of(VariantType::Nil)),
            Leaf::Bool(value) => self.narrow(self.header_of(VariantType::Bool), u32::from(*value)),
            Leaf::Int(value) => self.int(*value),
            Leaf::Float(value) => self.float(*value),
            Leaf::Text(ty, text) => {
                // Bytes are enough here: to make a `str` of ASCII, every byte would be checked again.
                let text = text.as_bytes();
                let (header, count) = (self.header_of(*ty), low_word(length(text)));
                match short_word(text) {
                    Some(word) => self.short(header, count, word),
                    None => {
                        self.narrow(header, count);
                        self.body(text);
                    }
                }
            }
            Leaf::Math(ty, lanes) => {
                self.header(self.real_header(*ty, lanes));
                self.numbers(*ty, lanes);
            }
            Leaf::Rid(_) if !self.target.dialect().has_rid_payload() => {
                self.header(self.header_of(VariantType::Rid));
            }
            Leaf::Rid(id) => self.wide(self.header_of(VariantType::Rid), *id),
            Leaf::ObjectId(id) => {
                self.wide(self.header_of(VariantType::Object).wide(), *id);
            }
            Leaf::Callable => self.header(self.header_of(VariantType::Callable)),
            Leaf::Signal(name, object) => {
                self.header(self.header_of(VariantType::Signal));
                self.text(name.as_str());
                self.output.put(&object.to_le_bytes());
            }
            Leaf::Packed(ty, lanes) => self.packed(*ty, lanes),
        }
    }

    /// Writes an opening; the caller writes the children.
    pub fn open(&mut self, container: &Container<'_>) {
        match container {
            Container::NodePath { absolute, names, subnames } => {
                self.narrow(self.header_of(VariantType::NodePath), names | 0x8000_0000);
                self.count(*subnames);
                self.count(u32::from(*absolute));
            }
            Container::Object { class, count } => {
                self.header(self.header_of(VariantType::Object));
                self.text(class.as_str());
                self.count(*count);
            }
            Container::Dictionary { key, value, count } => {
                let is_typed = self.target.knows_typed_dictionaries();
                let none = ContainerType::None;
                let (key, value) = if is_typed { (*key, *value) } else { (none, none) };
                let header = self.header_of(VariantType::Dictionary);
                self.header(header.with_key_kind(key.kind()).with_value_kind(value.kind()));
                self.container_type(&key);
                self.container_type(&value);
                self.count(*count);
            }
            Container::Array { element, count } => {
                let element = if self.target.knows_typed_arrays() { *element } else { ContainerType::None };
                self.header(self.header_of(VariantType::Array).with_key_kind(element.kind()));
                self.container_type(&element);
                self.count(*count);
            }
            Container::PackedStrings { count } => {
                self.header(self.header_of(VariantType::PackedStringArray));
                self.count(*count);
            }
        }
    }

    /// Writes an int in 4 bytes when the value fits in an i32, else with the flag in 8.
    pub fn int(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(narrow) => self.narrow(self.header_of(VariantType::Int), narrow.cast_unsigned()),
            Err(_) => self.wide(self.header_of(VariantType::Int).wide(), value.cast_unsigned()),
        }
    }

    /// Writes a float in 4 bytes when converting it to f32 and back gives an equal number, else with the flag
    /// in 8; so every NaN has 8.
    pub fn float(&mut self, value: f64) {
        if is_narrow_float(value) {
            self.narrow(self.header_of(VariantType::Float), narrowed(value).to_bits());
        } else {
            self.wide(self.header_of(VariantType::Float).wide(), value.to_bits());
        }
    }

    /// Writes a bare text: length, bytes, padding.
    pub fn text(&mut self, text: &str) {
        self.output.put(&low_word(length(text.as_bytes())).to_le_bytes());
        self.body(text.as_bytes());
    }

    /// Writes a text of `count` bytes and its padding in one step, which most keys are short enough for.
    #[inline]
    fn short(&mut self, header: Header, count: u32, word: u128) {
        self.output.put_first(&short_record(header, count, word), padded(count).saturating_add(8));
    }

    #[inline]
    fn body(&mut self, text: &[u8]) {
        self.output.put(text);
        self.pad(length(text));
    }

    /// Writes a PackedStringArray's entry: the length counts a NUL.
    pub fn terminated(&mut self, text: &str) {
        let counted = length(text.as_bytes()).saturating_add(1);
        self.output.put(&low_word(counted).to_le_bytes());
        self.output.put(text.as_bytes());
        self.output.put(&[0]);
        self.pad(counted);
    }

    /// Writes a whole text value from its characters.
    pub(crate) fn headed_chars(&mut self, ty: VariantType, chars: &[char]) {
        self.header(self.header_of(ty));
        self.chars(chars, TextForm::Plain);
    }

    /// Writes a text from its characters, without making a string; a NUL cuts it.
    pub fn chars(&mut self, chars: &[char], form: TextForm) {
        let chars = chars.split(|c| *c == '\0').next().unwrap_or_default();
        let count = utf8_length(chars);
        let counted = count.saturating_add(u64::from(form == TextForm::Terminated));
        self.output.put(&low_word(counted).to_le_bytes());
        let is_ascii = usize::try_from(count) == Ok(chars.len());
        for chunk in chars.chunks(CHARS_AT_ONCE) {
            if is_ascii { self.ascii(chunk) } else { self.utf8(chunk) }
        }
        if form == TextForm::Terminated {
            self.output.put(&[0]);
        }
        self.pad(counted);
    }

    fn ascii(&mut self, chars: &[char]) {
        let mut buffer = [0; CHARS_AT_ONCE];
        for (slot, c) in buffer.iter_mut().zip(chars) {
            *slot = u8::try_from(*c).unwrap_or(0);
        }
        self.output.put(buffer.get(..chars.len()).unwrap_or_default());
    }

    fn utf8(&mut self, chars: &[char]) {
        let mut buffer = [0; CHARS_AT_ONCE * 4];
        let mut used = 0_usize;
        for c in chars {
            let Some(room) = buffer.get_mut(used..) else { break };
            used = used.saturating_add(c.encode_utf8(room).len());
        }
        self.output.put(buffer.get(..used).unwrap_or_default());
    }

    fn packed(&mut self, ty: VariantType, lanes: &Lanes<'_>) {
        let per_element = match ty.layout() {
            Layout::Packed(_, per_element) => usize::from(per_element),
            _ => 1,
        };
        let count = lanes.count().checked_div(per_element).unwrap_or(0);
        self.header(self.real_header(ty, lanes));
        self.count(low_word(u64::try_from(count).unwrap_or(u64::MAX)));
        self.numbers(ty, lanes);
        self.pad(length(lanes.bytes()));
    }

    /// Writes numbers. Doubles become singles where the target reads no doubles.
    fn numbers(&mut self, ty: VariantType, lanes: &Lanes<'_>) {
        if is_real(ty) && lanes.is_wide() && !self.target.dialect().has_doubles() {
            lanes.narrowed().for_each(|number| self.output.put(&number.to_le_bytes()));
        } else {
            self.output.put(lanes.bytes());
        }
    }

    fn container_type(&mut self, declared: &ContainerType<'_>) {
        match declared {
            ContainerType::None => {}
            ContainerType::Builtin(ty) => self.count(u32::from(ty.id())),
            ContainerType::Class(name) | ContainerType::Script(name) => self.text(name.as_str()),
        }
    }

    fn count(&mut self, count: u32) {
        self.output.put(&count.to_le_bytes());
    }

    /// Returns the plain header of a type, as the target numbers it.
    #[inline(always)]
    fn header_of(&self, ty: VariantType) -> Header {
        match self.target.dialect() {
            Dialect::Godot4 => Header::new(ty),
            dialect => other_header(dialect, ty),
        }
    }

    /// Returns a header that is wide only where the type knows the flag: a PackedInt64Array is always 64 bits
    /// and never flagged.
    fn real_header(&self, ty: VariantType, lanes: &Lanes<'_>) -> Header {
        let header = self.header_of(ty);
        let is_wide = lanes.is_wide() && is_real(ty) && self.target.dialect().has_doubles();
        if is_wide { header.wide() } else { header }
    }

    #[inline]
    fn header(&mut self, header: Header) {
        self.output.put(&header.0.to_le_bytes());
    }

    /// Writes a header and one word in one step, which most values consist of.
    #[inline]
    fn narrow(&mut self, header: Header, payload: u32) {
        self.output.put(&(u64::from(header.0) | u64::from(payload) << 32).to_le_bytes());
    }

    #[inline]
    fn wide(&mut self, header: Header, payload: u64) {
        let record = (u128::from(header.0) | u128::from(payload) << 32).to_le_bytes();
        if let Some(record) = record.first_chunk::<12>() {
            self.output.put(record);
        }
    }

    #[inline]
    fn pad(&mut self, count: u64) {
        let zeros: &[u8] = match padding(count) {
            0 => return,
            1 => &[0],
            2 => &[0, 0],
            _ => &[0, 0, 0],
        };
        self.output.put(zeros);
    }
}

/// The number of bytes of the longest text that is written in one step, with its header and length.
pub(crate) const SHORT: usize = 24;

/// Returns a text of `count` bytes as it is written, with zeros behind it.
#[inline]
fn short_record(header: Header, count: u32, word: u128) -> [u8; SHORT] {
    let mut record = [0; SHORT];
    let (head, body) = record.split_at_mut(8);
    head.copy_from_slice(&(u64::from(header.0) | u64::from(count) << 32).to_le_bytes());
    body.copy_from_slice(&word.to_le_bytes());
    record
}

/// Writes a text of at most 16 bytes for Godot 4, unless a reader would cut it or drop a mark before it; tells whether it
/// did. The compiler makes the bytes of a text that it knows.
#[inline(always)]
pub(crate) fn put_short_text(output: &mut impl Output, ty: VariantType, text: &str) -> bool {
    let count = low_word(length(text.as_bytes()));
    let Some(word) = short_word(text.as_bytes()) else { return false };
    // Bytes behind the text are no NULs of it. A byte is zero if it has no top bit and gets one when 1 is subtracted.
    let filled = word | u128::MAX.checked_shl(count.saturating_mul(8)).unwrap_or(0);
    let has_nul = filled.wrapping_sub(ONES) & !filled & (ONES << 7) != 0;
    if has_nul || word & 0x00FF_FFFF == BOM {
        return false;
    }
    output.put_first(&short_record(Header::new(ty), count, word), padded(count).saturating_add(8));
    true
}

const ONES: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;
/// A byte order mark, as the first bytes of a word.
const BOM: u128 = 0x00BF_BBEF;

/// Returns a text of at most 16 bytes, with zeros behind it. It is read in two parts that overlap, because a
/// copy of any length would be a call.
#[inline]
fn short_word(text: &[u8]) -> Option<u128> {
    let shift = |bytes: usize| u32::try_from(text.len().saturating_sub(bytes)).unwrap_or(0).saturating_mul(8);
    if text.len() > 16 {
        return None;
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        return Some(u128::from(first) | u128::from(last).wrapping_shl(shift(8)));
    }
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return Some(u128::from(first) | u128::from(last).wrapping_shl(shift(4)));
    }
    let bytes = text.iter().rev();
    Some(bytes.fold(0, |word, byte| word << 8 | u128::from(*byte)))
}

#[inline]
fn padded(count: u32) -> usize {
    usize::try_from(count.next_multiple_of(4)).unwrap_or(usize::MAX)
}

/// The number of characters that go through a buffer on the stack at once.
const CHARS_AT_ONCE: usize = 64;

/// Returns the number of bytes of these characters in UTF-8.
pub(crate) fn utf8_length(chars: &[char]) -> u64 {
    let count: usize = chars.iter().map(|c| c.len_utf8()).fold(0, usize::saturating_add);
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Tells whether an `int` is written in 4 bytes.
pub(super) fn is_narrow_int(value: i64) -> bool {
    i32::try_from(value).is_ok()
}

/// Tells whether a `float` is written in 4 bytes: an f32 is equal to it. No NaN is.
pub(super) fn is_narrow_float(value: f64) -> bool {
    #[expect(clippy::float_cmp, reason = "the engine's own test")]
    let is_exact = f64::from(narrowed(value)) == value;
    is_exact
}

fn narrowed(value: f64) -> f32 {
    #[expect(
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "the engine's own conversion"
    )]
    let narrow = value as f32;
    narrow
}

/// Returns a header of another dialect. It is separate from Godot 4's headers, which are constants in the
/// code.
#[inline(never)]
fn other_header(dialect: Dialect, ty: VariantType) -> Header {
    Header::with_id(dialect.id_of(ty).unwrap_or(ty.id()))
}

const fn is_real(ty: VariantType) -> bool {
    matches!(ty.layout(), Layout::Math(Lane::Real, _) | Layout::Packed(Lane::Real, _))
}

/// Returns the low 32 bits. Lengths above 2^31-1 are refused before they get here.
const fn low_word(count: u64) -> u32 {
    let [a, b, c, d, ..] = count.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
