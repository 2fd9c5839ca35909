//! Tells by digests whether two containers are equal, so that bytes are not compared once for each container
//! around them. Each container is hashed once, when it is first compared, without recursion.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ptr;

use variant_core::{Array, Dictionary, Limits, Object, Value};

/// Two hashes of 64 bits, with random keys: no file can be made so that two digests collide.
type Digest = (u64, u64);

/// Caches the digests of containers by their addresses: nothing moves while it is compared.
#[derive(Default)]
pub(crate) struct Digests {
    keys: (RandomState, RandomState),
    known: HashMap<usize, Digest>,
}

impl Digests {
    /// Tells whether two values are equal to the last bit: NaN equals NaN, and 0.0 does not equal -0.0.
    pub(crate) fn are_same(&mut self, a: &Value, b: &Value) -> bool {
        match a.ty() == b.ty() {
            true if is_container(a) => self.of(a) == self.of(b),
            true => bytes(a) == bytes(b),
            false => false,
        }
    }

    fn of(&mut self, value: &Value) -> Digest {
        // This is a stack: a container is done when those in it are.
        let mut open = vec![(value, false)];
        while let Some((container, are_parts_done)) = open.pop() {
            if self.known.contains_key(&place(container)) {
                continue;
            }
            if are_parts_done {
                let digest = self.combined(container);
                self.known.insert(place(container), digest);
                continue;
            }
            open.push((container, true));
            each_part(container, &mut |part| {
                if is_container(part) {
                    open.push((part, false));
                }
            });
        }
        self.known.get(&place(value)).copied().unwrap_or_default()
    }

    /// Combines what a container declares and what is in it; inner containers count by their digests, which
    /// are ready.
    fn combined(&self, container: &Value) -> Digest {
        let mut hashers = (self.keys.0.build_hasher(), self.keys.1.build_hasher());
        let mut put = |bytes: &[u8]| {
            hashers.0.write(bytes);
            hashers.1.write(bytes);
        };
        let mut put_text = |text: &[u8]| {
            put(&(text.len() as u64).to_le_bytes());
            put(text);
        };
        put_text(&bytes(&without_parts(container)));
        if let Value::Object(object) = container {
            object.properties.iter().for_each(|(name, _)| put_text(name.as_bytes()));
        }
        let mut count = 0_u64;
        each_part(container, &mut |part| {
            count += 1;
            match self.known.get(&place(part)) {
                Some((first, second)) => put_text(&[first.to_le_bytes(), second.to_le_bytes()].concat()),
                None => put_text(&bytes(part)),
            }
        });
        put_text(&count.to_le_bytes());
        (hashers.0.finish(), hashers.1.finish())
    }
}

fn place(value: &Value) -> usize {
    ptr::from_ref(value).addr()
}

const fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Dictionary(_) | Value::Object(_))
}

fn each_part<'v>(container: &'v Value, take: &mut dyn FnMut(&'v Value)) {
    match container {
        Value::Array(array) => array.items.iter().for_each(take),
        Value::Dictionary(dictionary) => dictionary.entries.iter().for_each(|(key, value)| {
            take(key);
            take(value);
        }),
        Value::Object(object) => object.properties.iter().for_each(|(_, value)| take(value)),
        _ => (),
    }
}

fn without_parts(container: &Value) -> Value {
    match container {
        Value::Array(array) => Array { element: array.element.clone(), items: Vec::new() }.into(),
        Value::Dictionary(dictionary) => {
            let (key, value) = (dictionary.key.clone(), dictionary.value.clone());
            Dictionary { key, value, entries: Vec::new() }.into()
        }
        Value::Object(object) => Object { class: object.class.clone(), properties: Vec::new() }.into(),
        _ => Value::Nil,
    }
}

/// Returns Godot's bytes of a value; one that cannot be written is compared by its debug text.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    if value.encode_into(&mut bytes, &Limits::engine()).is_err() {
        bytes.extend(format!("{value:?}").into_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use variant_core::{ElementType, VariantType};

    /// Tests that all differences between containers, and only they, make different digests.
    #[test]
    fn digests_tell_what_bytes_tell() {
        let ints = |items: &[i64]| items.iter().copied().collect::<Array>();
        let typed = |items: &[i64]| Array { element: ElementType::Builtin(VariantType::Int), ..ints(items) };
        let nested = |parts: &[&[i64]]| Value::from(parts.iter().map(|part| ints(part)).collect::<Array>());
        let entries = |entries: &[(i64, i64)]| Value::from(entries.iter().copied().collect::<Dictionary>());
        let object = |name: &str, value: f64| {
            let properties = vec![(name.to_owned(), Value::Float(value))];
            Value::from(Object { class: "Node".to_owned(), properties })
        };
        let values = [
            ints(&[]).into(),
            ints(&[1, 2]).into(),
            ints(&[2, 1]).into(),
            typed(&[]).into(),
            typed(&[1, 2]).into(),
            nested(&[&[]]),
            nested(&[&[], &[]]),
            nested(&[&[1], &[2]]),
            nested(&[&[1, 2]]),
            nested(&[&[1, 2], &[]]),
            entries(&[]),
            entries(&[(1, 2)]),
            entries(&[(1, 2), (3, 4)]),
            entries(&[(1, 3), (2, 4)]),
            object("a", 0.0),
            object("a", -0.0),
            object("a", f64::NAN),
            object("b", 0.0),
        ];
        let copies = values.clone();
        let mut digests = Digests::default();
        for (at, a) in values.iter().enumerate() {
            for (beside, b) in copies.iter().enumerate() {
                assert_eq!(digests.are_same(a, b), at == beside, "{a:?} and {b:?}");
                assert_eq!(bytes(a) == bytes(b), at == beside, "as their bytes say");
            }
        }
    }
}
