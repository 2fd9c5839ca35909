//! Gives containers what Rust programs expect of them: `value["key"]`, iteration, `insert`, and trees from
//! Rust's own maps and options.

use std::collections::{BTreeMap, HashMap};
use std::ops::Index;

use super::{Array, Dictionary, Value};
use crate::fault::{ErrorKind, Fault};
use crate::{error::Error, path::Path};

/// The value under a key that is not there.
static NIL: Value = Value::Nil;

/// Returns the value under a text key of a Dictionary. A key that is not there gives null, as `get()` of
/// GDScript has it: nothing panics.
///
/// ```
/// use variant_core::Value;
///
/// let hero = Value::from([("bag", Value::from([("gold", 3)]))]);
/// assert_eq!(hero["bag"]["gold"].as_int(), Some(3));
/// assert!(hero["bag"]["silver"]["weight"].is_nil());
/// ```
impl Index<&str> for Value {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        self.as_dictionary().and_then(|dictionary| dictionary.get(key)).unwrap_or(&NIL)
    }
}

/// Finds the value under a text key of the Dictionary itself.
impl Index<&str> for Dictionary {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        self.get(key).unwrap_or(&NIL)
    }
}

/// Returns an Array's element, from 0. An element that is not there is null.
impl Index<usize> for Value {
    type Output = Value;

    fn index(&self, at: usize) -> &Value {
        self.as_array().and_then(|array| array.items.get(at)).unwrap_or(&NIL)
    }
}

/// Finds an element of the Array itself.
impl Index<usize> for Array {
    type Output = Value;

    fn index(&self, at: usize) -> &Value {
        self.items.get(at).unwrap_or(&NIL)
    }
}

impl Dictionary {
    /// Puts a value under a key, and gives the one that was there. Keys are one as Godot has it: a String
    /// is the StringName of its text. Looks at each entry; for many of them `collect` a map.
    ///
    /// ```
    /// use variant_core::{Dictionary, Value};
    ///
    /// let mut hero = Dictionary::default();
    /// assert_eq!(hero.insert("hp", 80), None);
    /// assert_eq!(hero.insert("hp", 79), Some(Value::Int(80)));
    /// assert_eq!(hero["hp"], Value::Int(79));
    /// ```
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        match self.entries.iter_mut().rev().find(|(other, _)| is_one_key(other, &key)) {
            Some((_, place)) => Some(std::mem::replace(place, value)),
            None => {
                self.entries.push((key, value));
                None
            }
        }
    }

    /// The value under a text key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.entries.iter_mut().rev().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
    }

    /// Takes the entry under a text key out, and keeps the order of the others.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.entries.iter().rposition(|(name, _)| name.as_str() == Some(key))?;
        Some(self.entries.remove(at).1)
    }

    /// Keys and values, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, (Value, Value)> {
        self.entries.iter()
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Array {
    /// Elements, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.items.iter()
    }

    /// How many elements there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Puts an element at the end.
    pub fn push(&mut self, item: impl Into<Value>) {
        self.items.push(item.into());
    }
}

/// Whether two keys that the core compares are one for Godot. Arrays and dictionaries are as they compare
/// here.
fn is_one_key(a: &Value, b: &Value) -> bool {
    match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

macro_rules! into_iterators {
    ($($of:ident $field:ident $item:ty;)*) => {
        $(impl IntoIterator for $of {
            type Item = $item;
            type IntoIter = std::vec::IntoIter<$item>;

            fn into_iter(self) -> Self::IntoIter {
                self.$field.into_iter()
            }
        }

        impl<'v> IntoIterator for &'v $of {
            type Item = &'v $item;
            type IntoIter = std::slice::Iter<'v, $item>;

            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        })*
    };
}

into_iterators! {
    Dictionary entries (Value, Value);
    Array items Value;
}

impl<K: Into<Value>, V: Into<Value>> Extend<(K, V)> for Dictionary {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.entries.extend(entries.into_iter().map(|(key, value)| (key.into(), value.into())));
    }
}

impl<T: Into<Value>> Extend<T> for Array {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.items.extend(items.into_iter().map(Into::into));
    }
}

/// An untyped Array of what is collected.
///
/// ```
/// use variant_core::Value;
///
/// let names: Value = ["Ann", "Bob"].into_iter().collect();
/// assert_eq!(names[1].as_str(), Some("Bob"));
/// ```
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Value {
        Value::from(Array::from_iter(items))
    }
}

/// Null for none.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nil, Into::into)
    }
}

/// An untyped Dictionary, in the order of its keys.
///
/// ```
/// use std::collections::BTreeMap;
/// use variant_core::Value;
///
/// let scores = Value::from(BTreeMap::from([("Bob", 3), ("Ann", 7)]));
/// assert_eq!(scores.to_string(), r#"{"Ann": 7, "Bob": 3}"#);
/// ```
impl<K: Into<Value>, V: Into<Value>> From<BTreeMap<K, V>> for Value {
    fn from(map: BTreeMap<K, V>) -> Value {
        Value::from(Dictionary::from_iter(map))
    }
}

/// An untyped Dictionary, in any order.
impl<K: Into<Value>, V: Into<Value>, S> From<HashMap<K, V, S>> for Value {
    fn from(map: HashMap<K, V, S>) -> Value {
        Value::from(Dictionary::from_iter(map))
    }
}

macro_rules! wide_ints {
    ($($from:ty)*) => {
        $(
            /// An int, if Godot's 64 bits with a sign can hold it.
            impl TryFrom<$from> for Value {
                type Error = Error;

                fn try_from(value: $from) -> Result<Value, Error> {
                    let too_long = |_| Error::new(Fault::new(ErrorKind::TooLong, 0), Path::default());
                    i64::try_from(value).map(Value::Int).map_err(too_long)
                }
            }
        )*
    };
}

wide_ints! { u64 usize isize i128 u128 }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_null() {
        let value = Value::from([("list", Value::from([Value::from(1), Value::from("two")]))]);
        assert_eq!(value["list"][1], Value::from("two"));
        for missing in [&value["list"][2], &value["list"]["a"], &value["other"][0], &value[0]] {
            assert_eq!(missing, &Value::Nil);
        }
        let array = value["list"].as_array().unwrap();
        assert_eq!((&array[0], &array[9]), (&Value::Int(1), &Value::Nil));
    }

    #[test]
    fn entries_are_put_changed_and_taken() {
        let mut dictionary: Dictionary = [("a", 1), ("b", 2)].into_iter().collect();
        assert_eq!(dictionary.insert(Value::StringName("a".into()), 3), Some(Value::Int(1)));
        assert_eq!(dictionary.insert(7, "seven"), None);
        assert_eq!(dictionary.insert(7, "7"), Some(Value::from("seven")));
        *dictionary.get_mut("b").unwrap() = Value::Nil;
        assert_eq!((dictionary.len(), dictionary.is_empty()), (3, false));
        assert_eq!(dictionary.remove("a"), Some(Value::Int(3)));
        assert_eq!(dictionary.remove("a"), None);
        dictionary.extend([("c", 4)]);
        let keys: Vec<Value> = (&dictionary).into_iter().map(|(key, _)| key.clone()).collect();
        assert_eq!(keys, [Value::from("b"), 7.into(), "c".into()]);
        assert_eq!(dictionary.into_iter().count(), 3);
    }

    #[test]
    fn elements_are_put_and_gone_through() {
        let mut array = Array::default();
        assert!(array.is_empty());
        array.push(1);
        array.extend([2_i64, 3]);
        assert_eq!(array.iter().filter_map(Value::as_int).sum::<i64>(), 6);
        assert_eq!((&array).into_iter().count(), array.len());
        assert_eq!(array.into_iter().next_back(), Some(Value::Int(3)));
    }

    #[test]
    fn rusts_own_types_are_values() {
        assert_eq!(Value::from(None::<i32>), Value::Nil);
        assert_eq!(Value::from(Some("x")), Value::from("x"));
        assert_eq!(Value::from(HashMap::from([(1_u8, true)])), Value::from([(1, true)]));
        assert_eq!([Value::from(1_i8), 1_i16.into(), 1_u16.into()], [(); 3].map(|()| Value::Int(1)));
        assert_eq!(Value::try_from(7_usize), Ok(Value::Int(7)));
        assert_eq!(Value::try_from(u64::MAX).unwrap_err().kind(), ErrorKind::TooLong);
    }
}
