//! Whether the running engine hashes keys as the core does, type by type, and its own hashes where it does not.
//!
//! Only `max_key_probes` depends on that: where an engine hashes otherwise, the core would judge floods by hashes that are
//! not in use. Compared once, when the library is loaded; no verdict but that of the limit changes. Before 4.6 it is
//! NodePath that differs, in 4.3 Signal and Callable too: keys that hardly any game has. The engine is asked for the hashes
//! of keys that are of such a type or hold one, in dictionaries whose keys are counted; each is made for that, if it is not
//! there anyway, and nothing else is.

use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use godot::builtin::{PackedByteArray, Variant};
use godot::global::bytes_to_var;
use variant_core::token::{Container, Leaf, Text};
use variant_core::{Cost, Limits, Refusal, Rules, Sink, Strictness, TypeSet, VariantType, Walker, key_hash};

use crate::engine::build::{REALS, References, ToVariant};
use crate::engine::quiet::quietly;
use crate::engine::samples::samples;
use crate::raw::variant::{is_container, type_of};

/// For tests: `engine` takes the comparison as failed for all types, `one` also pretends that the engine has one hash for
/// all keys. Behind a colon, both may name the types, by commas: `engine:NodePath`.
const VARIABLE: &str = "VARIANT_STREAM_KEY_HASHES";

/// Types of keys that this engine hashes otherwise.
static DIFFERING: AtomicU64 = AtomicU64::new(0);
/// No engine has one hash for all; it shows that the engine is asked.
static ARE_ONE: AtomicBool = AtomicBool::new(false);

/// Compares some eighty small values.
pub(crate) fn compare() {
    let (mode, types) = pretended();
    let differing = match mode.as_str() {
        "engine" | "one" => types,
        _ => set_of(|ty| !samples(ty).iter().all(|bytes| agree(bytes))),
    };
    ARE_ONE.store(mode == "one", Ordering::Relaxed);
    DIFFERING.store(differing.0, Ordering::Relaxed);
}

/// The names of the types whose keys the engine is asked about.
pub(crate) fn asked() -> Vec<&'static str> {
    VariantType::ALL.iter().filter(|ty| differing().contains(**ty)).map(|ty| ty.name()).collect()
}

/// The engine's hash of a key; none where the core's is the same.
#[inline]
pub(crate) fn of(key: &Variant) -> Option<u32> {
    let differing = differing();
    if differing == TypeSet::NONE || !(differing.contains(type_of(key)) || is_container(key)) {
        return None;
    }
    Some(answer(key))
}

fn answer(key: &Variant) -> u32 {
    if ARE_ONE.load(Ordering::Relaxed) { 1 } else { by_engine(key) }
}

/// Walks with a sink that builds nothing, and asks the engine for the hashes of keys that it hashes otherwise.
#[derive(Debug)]
pub(crate) struct AsksEngine<'b, S> {
    inner: S,
    bytes: &'b [u8],
    rules: Rules,
    differing: TypeSet,
    /// The containers that are open, and the value completed last.
    open: Vec<HashedPart>,
    last: HashedPart,
}

/// A value, or what there is of it so far.
#[derive(Clone, Copy, Debug, Default)]
struct HashedPart {
    at: u64,
    /// Whether the engine hashes it otherwise, for what it is or holds.
    is_other: bool,
}

impl<'b, S: Sink<Output = (), Frame = ()>> AsksEngine<'b, S> {
    /// Puts it around a sink, for a walk of these bytes. Gives the sink back where the core's hashes are right, or do not
    /// count.
    pub(crate) fn around(inner: S, bytes: &'b [u8], rules: &Rules) -> Result<AsksEngine<'b, S>, S> {
        let (limits, differing) = (&rules.limits, differing());
        if differing == TypeSet::NONE || limits.max_key_probes == u64::MAX {
            return Err(inner);
        }
        let limits = Limits { live_references: limits.live_references, ..Limits::engine() };
        let rules = Rules { strictness: Strictness::Engine, limits, ..*rules };
        Ok(AsksEngine { inner, bytes, rules, differing, open: Vec::new(), last: HashedPart::default() })
    }

    pub(crate) fn into_inner(self) -> S {
        self.inner
    }

    fn note(&mut self) {
        if let Some(part) = self.open.last_mut() {
            part.is_other |= self.last.is_other;
        }
    }
}

impl<S: Sink<Output = (), Frame = ()>> Sink for AsksEngine<'_, S> {
    type Output = ();
    type Frame = ();

    fn adds(&mut self) -> (u64, Cost) {
        self.inner.adds()
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        self.last = HashedPart { at, is_other: self.differing.contains(leaf.ty()) };
        self.inner.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<(), Refusal> {
        self.open.push(HashedPart { at, is_other: self.differing.contains(container.ty()) });
        self.inner.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut (), text: Text<'_>) -> Result<(), Refusal> {
        self.inner.text(frame, text)
    }

    fn fills_tables(&self) -> bool {
        self.inner.fills_tables()
    }

    /// Where such values are part of a key that counts, the walk passes over nothing.
    fn passes_over(&self, types: TypeSet) -> bool {
        self.differing.0 & types.0 == 0 && self.inner.passes_over(types)
    }

    /// The key's bytes have been judged and paid for, and are the first of these.
    fn key_hash(&self, (): &()) -> Option<u32> {
        if !self.last.is_other {
            return None;
        }
        let bytes = self.bytes.get(usize::try_from(self.last.at).ok()?..)?;
        let mut sink = ToVariant::new(References::of(&self.rules.limits));
        Walker::new().decode(bytes, &self.rules, &mut sink).ok().map(|(key, _)| answer(&key))
    }

    fn key(&mut self, frame: &mut (), key: ()) -> Result<(), Refusal> {
        self.note();
        self.inner.key(frame, key)
    }

    fn item(&mut self, frame: &mut (), item: ()) -> Result<(), Refusal> {
        self.note();
        self.inner.item(frame, item)
    }

    fn close(&mut self, frame: ()) -> Result<(), Refusal> {
        self.last = self.open.pop().unwrap_or_default();
        self.inner.close(frame)
    }
}

#[inline]
fn differing() -> TypeSet {
    TypeSet(DIFFERING.load(Ordering::Relaxed))
}

fn set_of(holds: impl Fn(VariantType) -> bool) -> TypeSet {
    let types: Vec<VariantType> = VariantType::ALL.iter().copied().filter(|ty| holds(*ty)).collect();
    TypeSet::of(&types)
}

/// Returns the mode that the variable names, and the types for which.
fn pretended() -> (String, TypeSet) {
    let text = env::var(VARIABLE).unwrap_or_default();
    match text.split_once(':') {
        None => (text, TypeSet::ALL),
        Some((mode, names)) => {
            let is_named = |ty: VariantType| names.split(',').any(|name| name == ty.name());
            (mode.to_owned(), set_of(is_named))
        }
    }
}

/// A container nested too deep for the engine's hash makes it print.
fn by_engine(key: &Variant) -> u32 {
    if is_container(key) { quietly(|| key.hash_u32()) } else { key.hash_u32() }
}

fn agree(bytes: &[u8]) -> bool {
    let value = bytes_to_var(&PackedByteArray::from(bytes));
    let rules = Rules { reals: REALS, ..Rules::engine() };
    key_hash(bytes, &rules).is_ok_and(|hash| hash == by_engine(&value))
}
