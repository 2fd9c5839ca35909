//! Tests that codes put into a value that is there give what the bytes of the same codes give, and that nothing is put where
//! those are refused.

use std::cell::RefCell;
use std::rc::Rc;
use std::vec::IntoIter;

use proptest::prelude::*;
use variant_core::{Array, Dictionary, VariantType};

use super::random::any_case;
use super::samples::*;
use super::*;
use crate::SlotWriter;

/// A value whose parts have places: the keys of a Dictionary lead to others.
#[derive(Clone)]
enum Part {
    Leaf(Value),
    Array(Vec<usize>),
    Dictionary(Vec<(Value, usize)>),
    /// A header, and how many numbers come behind it.
    Numbers(Bytes, usize),
}

type Bytes = Rc<RefCell<Vec<u8>>>;

#[derive(Clone, Default)]
struct Tree(Vec<Part>);

impl Tree {
    fn of(value: &Value) -> Tree {
        let mut tree = Tree::default();
        tree.add(value);
        tree
    }

    fn add(&mut self, value: &Value) -> usize {
        let at = self.0.len();
        self.0.push(Part::Leaf(Value::Nil));
        self.0[at] = match value {
            Value::Array(array) => Part::Array(array.items.iter().map(|item| self.add(item)).collect()),
            Value::Dictionary(dictionary) => {
                let entries = dictionary.entries.iter().map(|(key, value)| (key.clone(), self.add(value)));
                Part::Dictionary(entries.collect())
            }
            leaf => Part::Leaf(leaf.clone()),
        };
        at
    }

    fn value(&self, at: usize) -> Value {
        match &self.0[at] {
            Part::Leaf(value) => value.clone(),
            Part::Numbers(bytes, count) => {
                assert_eq!(bytes.borrow().len(), 4 + 4 * count);
                variant_core::decode(&bytes.borrow(), &Rules::engine()).unwrap()
            }
            Part::Array(items) => {
                Value::Array(Box::new(items.iter().map(|at| self.value(*at)).collect::<Array>()))
            }
            Part::Dictionary(entries) => {
                let entries = entries.iter().map(|(key, at)| (key.clone(), self.value(*at)));
                Value::Dictionary(Box::new(entries.collect::<Dictionary>()))
            }
        }
    }

    fn put(&mut self, at: usize, value: &Value) -> Option<()> {
        let new = self.add(value);
        self.0[at] = self.0[new].clone();
        Some(())
    }
}

impl<'l> SlotWriter<'l> for Tree {
    type Slot = usize;
    type Elements = IntoIter<usize>;
    type Entries = IntoIter<(Value, usize)>;
    type Numbers = Bytes;

    fn array(&mut self, slot: usize, count: usize) -> Option<IntoIter<usize>> {
        match &self.0[slot] {
            Part::Array(items) if items.len() == count => Some(items.clone().into_iter()),
            _ => None,
        }
    }

    fn dictionary(&mut self, slot: usize, count: usize) -> Option<IntoIter<(Value, usize)>> {
        match &self.0[slot] {
            Part::Dictionary(entries) if entries.len() == count => Some(entries.clone().into_iter()),
            _ => None,
        }
    }

    fn entry(&mut self, entries: &mut IntoIter<(Value, usize)>, key: &str, _: usize) -> Option<usize> {
        entries.next().filter(|(held, _)| *held == Value::from(key)).map(|(_, at)| at)
    }

    fn word(&mut self, slot: usize, ty: VariantType, word: u64) -> Option<()> {
        let value = match ty {
            VariantType::Bool => Value::Bool(word == 1),
            VariantType::Int => Value::Int(word.cast_signed()),
            _ => Value::Float(f64::from_bits(word)),
        };
        self.put(slot, &value)
    }

    fn numbers(&mut self, slot: usize, ty: VariantType, count: usize) -> Option<Bytes> {
        let bytes = Bytes::new(RefCell::new(u32::from(ty.id()).to_le_bytes().to_vec()));
        self.0[slot] = Part::Numbers(bytes.clone(), count);
        Some(bytes)
    }

    fn number(numbers: &mut Bytes, number: [u8; 4]) {
        numbers.borrow_mut().extend(number);
    }

    fn value(&mut self, slot: usize, bytes: &'l [u8]) -> Option<()> {
        self.put(slot, &variant_core::decode(bytes, &Rules::engine()).unwrap())
    }
}

/// Puts packed bytes into a value and makes them; tells whether they were put.
fn agree(schema: &Schema, target: &Value, packed: &[u8], rules: &Rules) -> bool {
    let layout = layout(schema);
    let mut packer = Packer::new();
    if packer.read_codes(&layout, None, packed, rules).is_err() {
        return false;
    }
    let mut tree = Tree::of(target);
    let is_ready = packer.may_put(&layout, rules);
    let is_put = is_ready && packer.put(&layout, &mut tree, 0).is_some();
    let mut other = Packer::new();
    other.fills = true;
    let made = other.transcode(&layout, packed, rules).map(<[u8]>::to_vec);
    if is_ready {
        assert!(made.is_ok() && other.is_complete(), "{packed:?} of {}", schema.to_json());
    }
    if is_put {
        let made = variant_core::decode(&made.unwrap(), &Rules::engine()).unwrap();
        assert_eq!(format!("{:?}", tree.value(0)), format!("{made:?}"), "{packed:?} of {}", schema.to_json());
    }
    is_put
}

#[test]
fn packets_of_the_documents_are_put() {
    let mut random = Random(11);
    let [one, two] = [1, 2].map(|tick| state(tick, &crowd(&mut random)));
    for is_rounded in [true, false] {
        let schema = entities(is_rounded);
        let packed = pack(&layout(&schema), &two).unwrap();
        // A judge has to look at numbers that are not rounded.
        assert_eq!(agree(&schema, &one, &packed, &rules()), is_rounded);
        // Another number of entities, and other keys.
        let fewer = state(1, &crowd(&mut random)[..49]);
        assert!(!agree(&schema, &fewer, &packed, &rules()));
        assert!(!agree(&schema, &Value::from([("tick", Value::Int(7))]), &packed, &rules()));
        // The value has more bytes than these.
        let limits = Limits { max_output_bytes: 4000, ..Limits::network() };
        assert!(!agree(&schema, &one, &packed, &Rules::safe(limits)));
    }
    let slots = [inventory_value(&mut random), inventory_value(&mut random)];
    let packed = pack(&layout(&inventory()), &slots[1]).unwrap();
    assert!(agree(&inventory(), &slots[0], &packed, &rules()));
}

#[test]
fn rotations_that_packing_does_not_make_are_not_put() {
    let turn = Schema::dict([("turn", Schema::quaternion().bits(3))]);
    let target = Value::from([("turn", Value::Quaternion([0.0_f32, 0.0, 0.0, 1.0].into()))]);
    let put = (0_u16..1 << 11).filter(|bits| agree(&turn, &target, &bits.to_le_bytes(), &rules()));
    let made = (0_u16..1 << 11).filter(|bits| unpack(&layout(&turn), &bits.to_le_bytes()).is_ok());
    assert_eq!(put.count(), made.count());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_values_are_put_as_they_are_made(case in any_case(), bits in prop::collection::vec(any::<u8>(), 0..40)) {
        if case.schema.compile().is_err() {
            return Ok(());
        }
        let packed = case.values.clone().map(|value| round(&case.schema, &value));
        for (target, _) in &packed {
            for (_, bytes) in &packed {
                agree(&case.schema, target, bytes, &rules());
            }
            for end in 0..=bits.len() {
                agree(&case.schema, target, &bits[..end], &rules());
            }
        }
    }
}
