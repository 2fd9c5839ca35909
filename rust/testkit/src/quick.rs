//! Builds values by every fast path that a walk offers a sink, as the Godot side does, and compares them with
//! `ToValue`. The core's own tests compile this file too, because otherwise they would never take those
//! paths.

use std::collections::HashMap;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, Leaf, Text, Token, short_string};
use variant_core::wire::heap;
use variant_core::{
    CachedName, ErrorKind, FastPath, Limits, PartialContainer, Refusal, Rules, Run, Sink, ToValue, Value,
    VariantType, Walker,
};

use crate::same_key::same_key;

/// The length limit of a text that the sink's cache may hold.
const LONGEST: usize = 64;
/// The number of texts, about, at which the cache is emptied.
const KEPT: usize = 4096;

/// Builds values with a cache of texts. The sink has to be reused: it is quick only with texts that it has read
/// before.
#[derive(Debug, Default)]
pub struct Quick {
    /// Texts by header, length, text and padding: the value, and the walk in which it last came.
    texts: HashMap<Vec<u8>, (Value, u64)>,
    /// Paths of this walk, by their bytes.
    paths: HashMap<Vec<u8>, Value>,
    walk: u64,
    /// The fast paths that were taken, so that a test can tell that they are: scalars in a row, cached names,
    /// cached paths, entries in a row, paths made from their bytes.
    pub taken: [u64; 5],
    /// Whether it makes paths from their bytes: always, never, or (`None`) depending on the bytes.
    pub makes_paths: Option<bool>,
}

impl Quick {
    /// Checks that a plain walk gives the same value and end, or refuses at the same byte unless only the
    /// bound on probes was passed, and tells whether the input was accepted. The rules must be SAFE, of Godot
    /// 4 and of single precision.
    ///
    /// # Panics
    /// When they differ.
    #[track_caller]
    pub fn agrees(&mut self, bytes: &[u8], rules: &Rules, walker: &mut Walker<PartialContainer>) -> bool {
        self.walk += 1;
        self.paths.clear();
        if self.texts.len() > KEPT {
            self.texts.clear();
        }
        let quick = walker.decode(bytes, rules, self);
        let plain = Walker::new().decode(bytes, rules, &mut ToValue);
        match (&quick, &plain) {
            (Err(error), _) if matches!(error.kind(), ErrorKind::TooManyProbes { .. }) => {}
            _ if quick == plain => {}
            // They are compared as text, since NaN is not equal to itself.
            _ => assert_eq!(format!("{quick:?}"), format!("{plain:?}"), "{bytes:02x?} {rules:?}"),
        }
        quick.is_ok()
    }

    fn find(&self, input: &[u8]) -> Option<(&(Value, u64), usize, u32)> {
        let (head, _) = input.split_first_chunk::<8>()?;
        let [_, _, _, _, length @ ..] = *head;
        let length = u32::from_le_bytes(length);
        let text = usize::try_from(length).ok().filter(|length| *length <= LONGEST)?;
        let field = text.next_multiple_of(4) + 8;
        Some((self.texts.get(input.get(..field)?)?, field, length))
    }
}

/// Reads a scalar that costs nothing of the limits, and how many bytes it has.
fn scalar(input: &[u8], declared: Option<VariantType>) -> Option<(Value, usize)> {
    let mut cursor = Cursor::new(input);
    let rules = Rules::safe(Limits::engine());
    let Ok(Token::Leaf(leaf)) = token::read(&mut cursor, &rules) else { return None };
    let is_free = match leaf {
        Leaf::Nil | Leaf::Bool(_) | Leaf::Int(_) | Leaf::Float(_) => true,
        // Only engines of double precision keep 64-bit numbers.
        Leaf::Math(ty, lanes) => !heap::COSTLY.contains(ty) && !lanes.is_wide(),
        _ => false,
    };
    if !is_free || declared.is_some_and(|declared| declared != leaf.ty()) {
        return None;
    }
    let value = ToValue.leaf(0, leaf).ok()?;
    Some((value, input.len() - cursor.rest().len()))
}

fn has(frame: &PartialContainer, key: &Value) -> bool {
    match frame {
        PartialContainer::Dictionary(dictionary) => {
            dictionary.entries.iter().any(|(other, _)| same_key(other, key))
        }
        _ => false,
    }
}

impl Sink for Quick {
    type Output = Value;
    type Frame = PartialContainer;

    const FILLS_TABLES: bool = true;

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<Value, Refusal> {
        let value = ToValue.leaf(at, leaf)?;
        if let Leaf::Text(ty, text) = leaf
            && text.as_bytes().len() <= LONGEST
        {
            let length = u32::try_from(text.as_bytes().len()).unwrap_or(0);
            let mut field = [u32::from(ty.id()), length].map(u32::to_le_bytes).concat();
            field.extend(text.as_bytes());
            field.resize(field.len().next_multiple_of(4), 0);
            self.texts.insert(field, (value.clone(), self.walk));
        }
        Ok(value)
    }

    fn open(
        &mut self,
        at: u64,
        container: Container<'_>,
        reserve: usize,
    ) -> Result<PartialContainer, Refusal> {
        ToValue.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut PartialContainer, text: Text<'_>) -> Result<(), Refusal> {
        ToValue.text(frame, text)
    }

    fn key(&mut self, frame: &mut PartialContainer, key: Value) -> Result<(), Refusal> {
        if has(frame, &key) {
            return Err(ErrorKind::DuplicateKey);
        }
        ToValue.key(frame, key)
    }

    fn item(&mut self, frame: &mut PartialContainer, item: Value) -> Result<(), Refusal> {
        ToValue.item(frame, item)
    }

    fn close(&mut self, frame: PartialContainer) -> Result<Value, Refusal> {
        let value = ToValue.close(frame)?;
        if let Value::NodePath(_) = value
            && let Ok(bytes) = value.encode()
        {
            self.paths.insert(bytes, value.clone());
        }
        Ok(value)
    }

    fn fast_path(&mut self) -> Option<&mut impl FastPath<Self>> {
        Some(self)
    }
}

impl FastPath<Quick> for Quick {
    fn scalars(
        &mut self,
        frame: &mut PartialContainer,
        cursor: &mut Cursor<'_>,
        declared: Option<VariantType>,
        most: u32,
    ) -> u32 {
        let mut count = 0;
        while count < most
            && let Some((value, used)) = scalar(cursor.rest(), declared)
        {
            ToValue.item(frame, value).expect("it waits for an item");
            cursor.take(used as u64).expect("they are there");
            count += 1;
        }
        self.taken[0] += u64::from(count);
        count
    }

    fn known_name(&mut self, input: &[u8]) -> Option<CachedName<Value>> {
        let found = self.find(input).filter(|((value, _), ..)| value.ty() == VariantType::StringName);
        let ((value, walk), _, length) = found?;
        let (output, is_again) = (value.clone(), *walk == self.walk);
        self.taken[1] += 1;
        Some(CachedName { length, is_again, output })
    }

    fn path(&mut self, record: &[u8], may_come_again: bool, count: impl FnOnce() -> bool) -> Option<Value> {
        if may_come_again && let Some(path) = self.paths.get(record) {
            self.taken[2] += 1;
            return Some(path.clone());
        }
        if self.makes_paths == Some(false) || !count() {
            return None;
        }
        // Those that are given up after their names were counted.
        let sum = record.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
        if self.makes_paths.is_none() && !sum.is_multiple_of(2) {
            return None;
        }
        let mut walker = Walker::new();
        let (path, _) = walker.decode(record, &Rules::safe(Limits::engine()), &mut ToValue).ok()?;
        self.taken[4] += 1;
        self.paths.insert(record.to_vec(), path.clone());
        Some(path)
    }

    fn entries(
        &mut self,
        frame: &mut PartialContainer,
        cursor: &mut Cursor<'_>,
        most: u32,
        bytes: u64,
    ) -> Run {
        let mut run = Run::default();
        while run.entries < most
            && let Some(((key, _), field, _)) = self.find(cursor.rest())
            && key.ty() == VariantType::String
            && run.text_bytes + field as u64 <= bytes
            && !has(frame, key)
        {
            let key = key.clone();
            ToValue.key(frame, key).expect("it waits for a key");
            cursor.take(field as u64).expect("it is there");
            run.text_bytes += field as u64;
            self.taken[3] += 1;
            let text = || short_string(cursor.rest()).filter(|(_, used)| run.text_bytes + used <= bytes);
            let (value, used) = if let Some(found) = scalar(cursor.rest(), None) {
                found
            } else if let Some((text, used)) = text() {
                run.text_bytes += used;
                (Value::String(text.as_str().to_owned()), used as usize)
            } else {
                run.open_key = field as u64;
                break;
            };
            ToValue.item(frame, value).expect("it waits for a value");
            cursor.take(used as u64).expect("it is there");
            run.entries += 1;
        }
        run
    }
}
