//! Checks limits against the values they should bound, measured on the tree that was read. It knows no bytes
//! and no walk.

use variant_core::{ErrorKind, Limits, RealWidth, Rules, TypeSet, Value, VariantType, decode};

use crate::describe::describe;
use crate::hex::Hex;

/// Measures a value in the units of each limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    /// The number of levels; a leaf is one.
    pub depth: u64,
    /// The number of values, keys and strings of a PackedStringArray included.
    pub values: u64,
    /// The number of entries of the largest Dictionary.
    pub entries: u64,
    /// The bytes of the longest text that counts; on the wire it may have had more.
    pub string_bytes: u64,
    /// The number of names of the longest NodePath.
    pub path_segments: u64,
}

/// Measures a tree.
#[must_use]
pub fn extents(value: &Value) -> Extents {
    let mut found = Extents::default();
    found.visit(value, 1);
    found
}

impl Extents {
    fn visit(&mut self, value: &Value, depth: u64) {
        self.depth = self.depth.max(depth);
        self.values += 1;
        match value {
            Value::String(text) | Value::StringName(text) => self.text(text),
            Value::Signal(signal) => self.text(&signal.name),
            Value::NodePath(path) => {
                self.path_segments = self.path_segments.max(number(path.names.len() + path.subnames.len()));
                path.names.iter().chain(&path.subnames).for_each(|name| self.text(name));
            }
            Value::PackedStringArray(strings) => {
                self.values += number(strings.len());
                strings.iter().for_each(|text| self.text(text));
            }
            Value::Array(array) => array.items.iter().for_each(|item| self.visit(item, depth + 1)),
            Value::Dictionary(dictionary) => {
                self.entries = self.entries.max(number(dictionary.entries.len()));
                for (key, value) in &dictionary.entries {
                    self.visit(key, depth + 1);
                    self.visit(value, depth + 1);
                }
            }
            Value::Object(object) => {
                for (name, value) in &object.properties {
                    self.text(name);
                    self.visit(value, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        self.string_bytes = self.string_bytes.max(number(text.len()));
    }

    /// Tells whether limits allow a value of this extent.
    pub fn within(&self, limits: &Limits) -> bool {
        self.depth <= limits.max_depth
            && self.values <= limits.max_values
            && self.entries <= limits.max_entries
            && self.string_bytes <= limits.max_string_bytes
            && self.path_segments <= limits.max_path_segments
    }
}

/// Checks that a value which tight limits accept is within them and is what wide limits read, and that tight
/// limits refuse no later than wide ones would.
///
/// # Panics
/// When that does not hold.
#[track_caller]
pub fn limits_hold(bytes: &[u8], wide: &Rules, tight: &Limits) {
    let bounded = decode(bytes, &Rules { limits: *tight, ..*wide });
    let free = decode(bytes, wide);
    match (&bounded, &free) {
        (Ok(value), Ok(same)) => {
            let (same, made) = (as_allowed(same, tight), as_allowed(value, tight));
            assert_eq!(describe(&made), describe(&same), "limits change the value: {}", Hex(bytes));
            let extents = extents(value);
            assert!(extents.within(tight), "{extents:?} passes {tight:?}: {}", Hex(bytes));
            assert!(has_only(value, tight), "a type passes that is not allowed: {}", Hex(bytes));
        }
        (Ok(_), Err(error)) => panic!("tight limits accept what wide ones refuse, {error}: {}", Hex(bytes)),
        (Err(tight), Err(wide)) => {
            let in_time = tight.offset() <= wide.offset() || is_judged_when_read(wide.kind());
            assert!(in_time, "{tight} comes after {wide}: {}", Hex(bytes));
        }
        (Err(_), Ok(_)) => {}
    }
}

/// Returns the value with nil for null objects where objects are not allowed: that is what a decoder makes of them there.
#[must_use]
pub fn as_allowed(value: &Value, limits: &Limits) -> Value {
    let mut value = value.clone();
    if !limits.allowed_types.contains(VariantType::Object) {
        forget_null_objects(&mut value);
    }
    value
}

fn forget_null_objects(value: &mut Value) {
    match value {
        Value::ObjectId(0) => *value = Value::Nil,
        Value::Array(array) => array.items.iter_mut().for_each(forget_null_objects),
        Value::Dictionary(dictionary) => {
            for (key, value) in &mut dictionary.entries {
                forget_null_objects(key);
                forget_null_objects(value);
            }
        }
        Value::Object(object) => {
            object.properties.iter_mut().for_each(|(_, value)| forget_null_objects(value))
        }
        _ => {}
    }
}

/// Tells whether the error names the beginning of a value whose inside has been read by then, limits and all.
const fn is_judged_when_read(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WrongElementType { .. } | ErrorKind::DuplicateKey)
}

fn has_only(value: &Value, limits: &Limits) -> bool {
    let key_is_allowed = |key: &Value| is_of(key, limits.allowed_key_types);
    is_of(value, limits.allowed_types)
        && match value {
            Value::Array(array) => array.items.iter().all(|item| has_only(item, limits)),
            Value::Dictionary(dictionary) => dictionary
                .entries
                .iter()
                .all(|(key, value)| key_is_allowed(key) && has_only(key, limits) && has_only(value, limits)),
            Value::Object(object) => object.properties.iter().all(|(_, value)| has_only(value, limits)),
            _ => true,
        }
}

/// Tells whether a value is of one of the types. A null object counts as nil as well: it is no object.
const fn is_of(value: &Value, types: TypeSet) -> bool {
    let is_null = matches!(value, Value::ObjectId(0));
    types.contains(value.ty()) || (is_null && types.contains(VariantType::Nil))
}

/// Makes small limits from a number, so that small inputs reach them.
#[must_use]
pub fn tight(seed: u64) -> Limits {
    let part = |shift: u32, below: u64| (seed >> shift) % below;
    // Every other seed forbids a type.
    let missing = if part(19, 2) == 0 { TypeSet::NONE } else { TypeSet(1 << part(20, 39)) };
    Limits {
        max_bytes: u64::MAX,
        max_depth: 1 + part(0, 6),
        max_values: 1 + part(4, 40),
        max_entries: part(8, 6),
        max_string_bytes: part(12, 40),
        max_path_segments: part(16, 6),
        allowed_types: Limits::engine().allowed_types.without(missing),
        allowed_key_types: TypeSet(Limits::engine().allowed_key_types.0 & !(seed >> 8)),
        ..Limits::engine()
    }
}

/// Makes the lowest limits on sizes under which the fast path (`is_flat`) takes an input of `length` bytes;
/// the other limits are made from the number.
#[must_use]
pub fn least(length: u64, seed: u64) -> Rules {
    let part = |shift: u32, below: u64| (seed >> shift) % below;
    let without = |shift, set: TypeSet| match part(shift, 2) {
        0 => set,
        _ => TypeSet(set.0 & !(1 << part(shift + 1, 39))),
    };
    let reals = [RealWidth::Single, RealWidth::Double][usize::from(part(18, 2) == 1)];
    let limits = Limits {
        max_bytes: length,
        max_string_bytes: length,
        max_values: length >> 2,
        max_entries: length >> 3,
        max_heap_bytes: length.saturating_mul(if reals == RealWidth::Double { 128 } else { 64 }),
        max_depth: 2 + part(0, 6),
        max_path_segments: part(4, 6),
        max_key_probes: [0, 255, 256, 1024][usize::try_from(part(8, 4)).unwrap_or(0)],
        allowed_types: without(20, Limits::engine().allowed_types),
        allowed_key_types: without(27, Limits::engine().allowed_key_types),
        ..Limits::engine()
    };
    Rules {
        reals,
        ..if part(10, 4) == 0 { Rules { limits, ..Rules::engine() } } else { Rules::safe(limits) }
    }
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
