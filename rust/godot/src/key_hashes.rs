//! Whether the running engine hashes keys as the core does, type by type, and its own hashes where it does not.
//!
//! Only `max_key_probes` depends on that: where an engine hashes otherwise, the core would judge floods by hashes that are
//! not in use. Compared once, when the library is loaded; no verdict but that of the limit changes. Before 4.6 it is
//! NodePath that differs, in 4.3 Signal and Callable too: keys that hardly any game has. Bytes without such keys never ask.

use std::env;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use godot::builtin::{PackedByteArray, Variant};
use godot::global::bytes_to_var;
use variant_core::{ErrorKind, Limits, Rules, TypeSet, VariantType, key_hash};

use crate::quiet::quietly;
use crate::raw::variant::{is_container, type_of};
use crate::samples::samples;

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
    DIFFERING.store(with_containers(differing).0, Ordering::Relaxed);
}

/// The names of the types whose keys the engine is asked about.
pub(crate) fn asked() -> Vec<&'static str> {
    VariantType::ALL.iter().filter(|ty| differing().contains(**ty)).map(|ty| ty.name()).collect()
}

/// The engine's hash of a key; none where the core's is the same.
#[inline]
pub(crate) fn of(key: &Variant) -> Option<u32> {
    let differing = differing();
    if differing == TypeSet::NONE || !differing.contains(type_of(key)) {
        return None;
    }
    Some(if ARE_ONE.load(Ordering::Relaxed) { 1 } else { by_engine(key) })
}

/// Rules for a walk that hashes keys by itself: they leave out keys whose hashes it does not know, if those are let in and
/// they cost is counted at all. A refusal for that alone is to be walked again by a sink that asks ([`of`]).
#[derive(Debug)]
pub(crate) struct KnownHashes<'r> {
    given: &'r Rules,
    narrowed: Option<Rules>,
}

impl<'r> KnownHashes<'r> {
    #[inline]
    pub(crate) fn of(given: &'r Rules) -> KnownHashes<'r> {
        let narrowed = match differing() {
            TypeSet::NONE => None,
            differing => narrowed(given, differing),
        };
        KnownHashes { given, narrowed }
    }

    /// Whether a refusal of this kind says nothing about the rules that were given.
    pub(crate) fn has_left_out(&self, refusal: ErrorKind) -> bool {
        self.narrowed.is_some()
            && matches!(refusal, ErrorKind::KeyTypeNotAllowed { ty } if differing().contains(ty))
    }
}

impl Deref for KnownHashes<'_> {
    type Target = Rules;

    #[inline]
    fn deref(&self) -> &Rules {
        self.narrowed.as_ref().unwrap_or(self.given)
    }
}

#[cold]
fn narrowed(given: &Rules, differing: TypeSet) -> Option<Rules> {
    let limits = &given.limits;
    let is_counted = limits.max_key_probes < u64::MAX && limits.allowed_key_types.intersects(differing);
    let allowed_key_types = limits.allowed_key_types.without(differing);
    is_counted.then_some(Rules { limits: Limits { allowed_key_types, ..*limits }, ..*given })
}

#[inline]
fn differing() -> TypeSet {
    TypeSet(DIFFERING.load(Ordering::Relaxed))
}

fn set_of(holds: impl Fn(VariantType) -> bool) -> TypeSet {
    let types: Vec<VariantType> = VariantType::ALL.iter().copied().filter(|ty| holds(*ty)).collect();
    TypeSet::of(&types)
}

/// The hash of a container is made of those of what it holds.
fn with_containers(differing: TypeSet) -> TypeSet {
    let containers = TypeSet::of(&[VariantType::Array, VariantType::Dictionary]);
    if differing == TypeSet::NONE { differing } else { TypeSet(differing.0 | containers.0) }
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
    let rules = Rules { double_precision: cfg!(feature = "double-precision"), ..Rules::engine() };
    key_hash(bytes, &rules).is_ok_and(|hash| hash == by_engine(&value))
}
