//! Tests packed bytes: the library against a second, naive packer that was written from docs/PACKED_FORMAT.md, over random
//! schemas, values and bits. It shares no code with the library.

mod applied;
mod bits;
mod columns;
mod delta;
mod drift;
mod naive;
mod near;
mod number;
mod parts;
mod random;
mod solid;
mod taken;
mod turn;

use std::num::NonZeroU16;
use std::sync::Arc;

use variant_core::{ErrorKind, Limits, Rejection, Rules, Value};
use variant_pack::{Bases, Layout, Packer};
use variant_schema::Schema;

use self::bits::{Bits, Source};
use self::columns::Older;
use self::naive::{Place, Scope};
use crate::hex::Hex;
use crate::schema::{Draw, violations};

/// Bytes of an input that the schema is made of.
const HEAD: usize = 96;

/// Counts what a run has tried, so that a test can tell that it tried anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tried {
    /// Values that were packed, and those that were refused.
    pub packed: [u32; 2],
    /// Bits that were unpacked, and those that were refused.
    pub unpacked: [u32; 2],
    /// Differences that were applied, and those that were refused.
    pub applied: [u32; 2],
    /// Differences by columns, from one value and from two.
    pub by_columns: [u32; 2],
}

impl Tried {
    /// Adds what another run has tried.
    pub fn add(&mut self, other: Tried) {
        let pairs = [
            (&mut self.packed, other.packed),
            (&mut self.unpacked, other.unpacked),
            (&mut self.applied, other.applied),
            (&mut self.by_columns, other.by_columns),
        ];
        for (mine, others) in pairs {
            mine.iter_mut().zip(others).for_each(|(mine, other)| *mine += other);
        }
    }
}

/// Checks that values and bits under the schema that these bytes lead to are packed and unpacked as the naive packer does,
/// and that accepted bits pack again to themselves.
///
/// # Panics
/// Where a property does not hold.
pub fn check(data: &[u8]) {
    tried(data);
}

/// Checks that differences between such values, and any bits as a difference, give what the naive packer makes of them.
///
/// # Panics
/// Where a property does not hold.
pub fn check_delta(data: &[u8]) {
    tried_delta(data);
}

/// Checks like [`check`], and tells what was tried; nothing where the schema cannot be packed.
///
/// # Panics
/// Where a property does not hold.
pub fn tried(data: &[u8]) -> Option<Tried> {
    let (twins, rest) = Twins::of(data)?;
    let mut tried = Tried::default();
    let mut draw = Draw::new(rest);
    let value = near::value(&twins.schema, &mut draw);
    let packed = twins.pack(&value);
    tried.packed[usize::from(packed.is_none())] += 1;
    let mut inputs = vec![rest.to_vec(), rest[..rest.len().min(5)].to_vec()];
    if let Some(packed) = packed {
        assert!(twins.unpack(&packed).is_some_and(|accepted| accepted), "{}", twins.told(&value));
        inputs.push([&packed[..], &[0]].concat());
        for _ in 0..4 {
            let mut bytes = packed.clone();
            if let Some(byte) = bytes.get_mut(draw.below(packed.len().min(256))) {
                *byte ^= 1 << draw.below(8);
            }
            bytes.truncate(packed.len() - usize::from(draw.one_in(5)).min(packed.len()));
            inputs.push(bytes);
        }
    }
    for input in inputs {
        if let Some(accepted) = twins.unpack(&input) {
            tried.unpacked[usize::from(!accepted)] += 1;
        }
    }
    Some(tried)
}

/// Checks like [`check_delta`], and tells what was tried; nothing where there are no two values to tell apart.
///
/// # Panics
/// Where a property does not hold.
pub fn tried_delta(data: &[u8]) -> Option<Tried> {
    let (twins, rest) = Twins::of(data)?;
    let mut tried = Tried::default();
    let mut draw = Draw::new(rest);
    let [first, other] = [0, 1].map(|_| near::value(&twins.schema, &mut draw));
    let way = |noise: u64| drift::Way::new(&twins.schema, rest, noise);
    let second = way(1).moved(&first);
    let third = way(2).moved(&second);
    let values = [first, second, third, other];
    let packed: Vec<_> = values.iter().filter_map(|value| twins.pack(value)).collect();
    // The first two bits of the last say that something changed, by columns.
    let mut by_columns = rest.to_vec();
    by_columns.first_mut().into_iter().for_each(|byte| *byte |= 0b11);
    let mut deltas = vec![rest.to_vec(), rest[..rest.len().min(4)].to_vec(), by_columns];
    let fixed = deltas.len();
    for (at, base) in packed.iter().enumerate() {
        let apart = Apart([1 + draw.below(9) as u16, 1 + draw.below(4) as u16]);
        let older = packed.get(draw.below(packed.len())).map(|older| (older.as_slice(), apart));
        for older in [None, older] {
            for new in &packed {
                let delta = twins.delta((base, older), new);
                let is_by_columns = delta.as_ref().is_some_and(|delta| delta[0] & 0b11 == 0b11);
                tried.by_columns[usize::from(older.is_some())] += u32::from(is_by_columns);
                deltas.extend(delta);
            }
            for delta in deltas.iter().skip(if at == 0 { 0 } else { fixed - 1 }) {
                let mut delta = delta.clone();
                for is_changed in [false, true] {
                    if is_changed && let Some(byte) = delta.get_mut(draw.below(9)) {
                        *byte ^= 1 << draw.below(8);
                    }
                    if let Some(accepted) = twins.apply((base, older), &delta) {
                        tried.applied[usize::from(!accepted)] += 1;
                    }
                }
            }
            deltas.truncate(fixed);
        }
    }
    Some(tried)
}

/// Checks that the naive packer makes these bits of a value, given in Godot's format.
///
/// # Panics
/// Where it does not.
pub fn agrees(schema: &Schema, value: &[u8], packed: &[u8]) {
    let scope = Scope { around: None, of: schema };
    let place = Place { schema, scope: &scope, depth: 0 };
    let value = variant_core::decode(value, &rules()).expect("a value");
    let bits = naive::of_value(&place, &value).map(|bits| bits.bytes());
    assert_eq!(bits.as_deref(), Some(packed), "{value:?} of {}", schema.to_json());
}

/// How far states are apart: the newer base from the new one, and the older from the newer.
#[derive(Clone, Copy, Debug)]
struct Apart([u16; 2]);

/// A base, and an older one.
type Before<'b> = (&'b [u8], Option<(&'b [u8], Apart)>);

fn of<'b>(base: &'b [u8], older: Option<(&'b [u8], Apart)>) -> Bases<'b> {
    let Some((older, Apart(apart))) = older else { return Bases::one(base) };
    let [k, g] = apart.map(|states| NonZeroU16::new(states).expect("it is over 0"));
    Bases::apart(base, older, k, g)
}

/// Checks that the naive packer makes these bits of a difference from two values, the newer first.
///
/// # Panics
/// Where it does not.
pub fn applies(schema: &Schema, bases: [&[u8]; 2], apart: [u16; 2], delta: &[u8], packed: &[u8]) {
    let layout = Layout::compile(Arc::new(schema.compile().expect("it is sound"))).expect("it can be packed");
    let twins = Twins { schema: schema.clone(), layout };
    let [newer, older] = bases;
    let applied = twins.apply((newer, Some((older, Apart(apart)))), delta);
    assert_eq!(applied, Some(true), "{} of {}", Hex(packed), schema.to_json());
}

/// A schema with both packers of it.
struct Twins {
    schema: Schema,
    layout: Layout,
}

fn rules() -> Rules {
    Rules::safe(Limits::network())
}

/// Whether a limit refused it: the naive packer knows none.
fn is_limit(kind: ErrorKind) -> bool {
    use ErrorKind as K;
    matches!(
        kind,
        K::TooDeep { .. }
            | K::TooManyValues { .. }
            | K::TooManyEntries { .. }
            | K::TooMuchMemory { .. }
            | K::StringTooLong { .. }
            | K::OutputTooLarge { .. }
            | K::TooManyBytes { .. }
            | K::TooLong
    )
}

impl Twins {
    fn of(data: &[u8]) -> Option<(Twins, &[u8])> {
        let (head, rest) = data.split_at(data.len().min(HEAD));
        let schema = random::schema(&mut Draw::new(head));
        let program = schema.compile().ok()?;
        let layout = Layout::compile(Arc::new(program)).ok()?;
        Some((Twins { schema, layout }, rest))
    }

    fn told(&self, what: &dyn std::fmt::Debug) -> String {
        format!("{what:02x?} of {}", self.schema.to_json())
    }

    fn place<R>(&self, run: impl FnOnce(&Place<'_>) -> R) -> R {
        let scope = Scope { around: None, of: &self.schema };
        run(&Place { schema: &self.schema, scope: &scope, depth: 0 })
    }

    /// Reads a value and packs it again: the value, unless it comes out as other bits or is none of the schema. The second
    /// tells that a value of any type stood in an unusual form, which is kept as it is.
    fn naive(&self, bits: &Bits) -> Result<Value, bool> {
        let mut source = Source::new(bits);
        let value = self.place(|place| taken::take(place, &mut source)).ok_or(source.is_odd)?;
        let is_odd = source.is_odd;
        let again = self.place(|place| naive::of_value(place, &value)).ok_or(is_odd)?;
        let bytes = value.encode().map_err(|_| is_odd)?;
        let is_fine = source.is_over()
            && again.is_paid()
            && again.bytes() == bits.bytes()
            && violations(&self.schema, &value).is_empty()
            && variant_core::decode(&bytes, &variant_pack::made_rules(&rules())).is_ok();
        if is_fine { Ok(value) } else { Err(is_odd) }
    }

    /// Packs with both; nothing if both refuse.
    fn pack(&self, value: &Value) -> Option<Vec<u8>> {
        let bytes = value.encode().ok()?;
        let ours = Packer::new().pack(&self.layout, &bytes, &rules()).map(<[u8]>::to_vec);
        let theirs = self.place(|place| naive::of_value(place, value));
        let theirs = theirs.filter(|bits| self.naive(&bits::all(&bits.bytes())).is_ok());
        match (ours, theirs) {
            (Err(problem), _) if is_limit(problem.kind) => None,
            (Err(_), None) => None,
            (Ok(ours), Some(theirs)) => {
                assert_eq!(ours, theirs.bytes(), "{}", self.told(value));
                let size = self.layout.size();
                let bits = theirs.0.len() as u64;
                assert!(
                    bits >= size.min_bits && size.max_bits.is_none_or(|most| bits <= most),
                    "{bits} bits, {size:?}: {}",
                    self.told(value)
                );
                Some(ours)
            }
            (ours, theirs) => panic!("{} and {}: {}", said(&ours), theirs.is_some(), self.told(value)),
        }
    }

    /// Unpacks with both, and packs again what is accepted. Nothing if a limit refuses it.
    fn unpack(&self, bytes: &[u8]) -> Option<bool> {
        let mut packer = Packer::new();
        let ours = packer.unpack(&self.layout, bytes, &rules()).map(<[u8]>::to_vec);
        match (ours, self.naive(&bits::all(bytes))) {
            (Err(problem), _) if is_limit(problem.kind) => None,
            (_, Err(true)) => None,
            (Err(_), Err(_)) => Some(false),
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours, theirs.encode().expect("it was encoded"), "{}", self.told(&bytes));
                let again = packer.pack(&self.layout, &ours, &rules());
                assert_eq!(again, Ok(bytes), "{}", self.told(&theirs));
                Some(true)
            }
            (ours, theirs) => panic!("{} and {theirs:?}: {}", said(&ours), self.told(&bytes)),
        }
    }

    /// The library's difference, which has to lead to the new value, and to be no longer than the naive one without columns.
    fn delta(&self, (base, older): Before<'_>, new: &[u8]) -> Option<Vec<u8>> {
        let mut packer = Packer::new();
        let bases = of(base, older);
        let ours = packer.delta(&self.layout, bases, new, &rules()).expect("all were packed").to_vec();
        let [was, is] = [base, new].map(|bytes| self.naive(&bits::all(bytes)));
        let (Ok(was), Ok(is)) = (was, is) else { return None };
        let mut theirs = Bits::default();
        let made = self.place(|place| delta::root(place, &was, &is, &mut theirs));
        assert!(made.is_some(), "{}", self.told(&(was, is)));
        let is_by_columns = ours.first().is_some_and(|byte| byte & 0b11 == 0b11);
        if is_by_columns {
            assert!(ours.len() <= theirs.bytes().len(), "{}", self.told(&(was, is)));
        } else {
            assert_eq!(ours, theirs.bytes(), "{}", self.told(&(was, is)));
        }
        let applied = packer.apply(&self.layout, bases, &ours, &rules());
        assert_eq!(applied, Ok(new), "{}", self.told(&(was, is)));
        Some(ours)
    }

    /// Applies any bits with both.
    fn apply(&self, (base, older): Before<'_>, delta: &[u8]) -> Option<bool> {
        let mut packer = Packer::new();
        let ours = packer.apply(&self.layout, of(base, older), delta, &rules()).map(<[u8]>::to_vec);
        let was = self.naive(&bits::all(base)).ok()?;
        let before = match older {
            Some((older, apart)) => Some((self.naive(&bits::all(older)).ok()?, apart)),
            None => None,
        };
        let older =
            before.as_ref().map(|(value, Apart([k, g]))| Older(value, i128::from(*k), i128::from(*g)));
        let row = bits::all(delta);
        let mut source = Source::new(&row);
        let mut out = Bits::default();
        let made = self.place(|place| columns::root(place, &was, older, &mut source, &mut out));
        let is_over = made.is_some() && source.is_over();
        let theirs = if is_over { self.naive(&bits::all(&out.bytes())) } else { Err(source.is_odd) };
        match (ours, theirs) {
            (Err(problem), _) if is_limit(problem.kind) => None,
            (_, Err(true)) => None,
            (Err(_), Err(false)) => Some(false),
            (Ok(ours), Ok(value)) => {
                assert_eq!(ours, out.bytes(), "{} on {}", self.told(&value), self.told(&was));
                Some(true)
            }
            (ours, theirs) => {
                panic!("{} and {theirs:?}: {} on {}", said(&ours), self.told(&delta), self.told(&was))
            }
        }
    }
}

fn said(outcome: &Result<Vec<u8>, Box<Rejection>>) -> String {
    match outcome {
        Ok(bytes) => format!("accepted as {bytes:02x?}"),
        Err(problem) => format!("{} {problem}", problem.kind.name()),
    }
}
