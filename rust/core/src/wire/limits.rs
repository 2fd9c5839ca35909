//! Holds every bound that a decode or encode obeys, each with its reason.

use super::dialect::Dialect;
use super::types::VariantType;

/// The nesting levels that the engine itself reads and writes, the root included: depth 0 to 1024 (FORMAT.md
/// 5.1 rule 13).
pub const MAX_NESTING: u64 = 1025;

/// Says how much of what an engine would accept is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Strictness {
    /// Accepts exactly what the decoder of the dialect's engine accepts: Godot 4.6.3's, or 3.6's.
    Engine,
    /// Accepts only what a real engine writes; everything that would silently lose or change data is refused.
    #[default]
    Safe,
    /// Accepts what SAFE accepts and an engine that reads it writes back byte for byte. That is less than a
    /// [`Value`](crate::Value) can hold: no ids of objects, vectors as wide as those of the build that
    /// [`Rules::reals`] names, and no Signals without [`Limits::live_references`].
    Canonical,
}

/// Holds a set of Variant types, one bit per type id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeSet(pub u64);

impl TypeSet {
    /// The set of all types.
    pub const ALL: TypeSet = TypeSet((1 << super::types::VARIANT_TYPE_COUNT) - 1);
    /// The empty set.
    pub const NONE: TypeSet = TypeSet(0);

    /// Makes the set of these types.
    #[must_use]
    pub const fn of(types: &[VariantType]) -> TypeSet {
        let mut bits = 0;
        let mut rest = types;
        while let [first, tail @ ..] = rest {
            bits |= bit(*first);
            rest = tail;
        }
        TypeSet(bits)
    }

    /// Returns this set less another.
    #[must_use]
    pub const fn without(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 & !other.0)
    }

    /// Tells whether a type is in both.
    #[must_use]
    pub const fn intersects(self, other: TypeSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Tells whether a type is in the set.
    #[must_use]
    pub const fn contains(self, ty: VariantType) -> bool {
        self.0 & bit(ty) != 0
    }
}

const fn bit(ty: VariantType) -> u64 {
    1 << ty.id()
}

/// The handles of a running game: meaningless outside it, dangerous inside it. Only the preset `engine`
/// allows them.
const CAPABILITIES: TypeSet =
    TypeSet::of(&[VariantType::Object, VariantType::Rid, VariantType::Callable, VariantType::Signal]);

/// Holds the bounds of one decode or encode. Units are bytes, values or levels as named; the presets give the
/// reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The bytes of one encoded value given to a decode.
    pub max_bytes: u64,
    /// The nesting levels; the root counts 1 and a leaf counts as a level. Godot reads [`MAX_NESTING`]. Walks
    /// need no stack, but a [`Value`](crate::Value) is dropped, compared and printed level by level: tens of
    /// thousands of levels overflow the stack.
    pub max_depth: u64,
    /// The values in the whole tree: leaves, containers, keys, and each string of a PackedStringArray.
    pub max_values: u64,
    /// The entries of one Dictionary.
    pub max_entries: u64,
    /// The bytes of one string, as declared on the wire.
    pub max_string_bytes: u64,
    /// The names and sub-names of one NodePath.
    pub max_path_segments: u64,
    /// The bytes of memory that the decoded value costs in the engine, by the prices of
    /// [`heap`](super::heap).
    pub max_heap_bytes: u64,
    /// The probes (steps) that the engine's hash table may take for each entry of a large Dictionary, on
    /// average: some two nanoseconds each. Numbers as keys take up to 8; the engine's hash of text puts
    /// "item_1", "item_2" and so on side by side, which takes 104, and names in hexadecimal 1024 once there
    /// are 100 000. It also bounds each name that the engine has to find in its table of all StringNames,
    /// where a step counts 8.
    pub max_key_probes: u64,
    /// The objects of one document, where classes are read (`variant_objects/1`). Each runs code of the game's when it
    /// is made, so there may be fewer of them than of plain values.
    pub max_objects: u64,
    /// The objects of one document that hold one another in a row, with the containers between them. The engine frees each
    /// inside the call that frees its holder, which takes some 200 bytes of stack for an object and 100 for a container.
    pub max_object_depth: u64,
    /// Whether objects of one document may hold one another in a circle, which the engine never frees by itself.
    pub circles: bool,
    /// The bytes that an encode may write.
    pub max_output_bytes: u64,
    /// The types that a value may have.
    pub allowed_types: TypeSet,
    /// The types that a Dictionary key may have.
    pub allowed_key_types: TypeSet,
    /// Whether an object id and a Signal become what the engine makes of them, and not plain numbers and
    /// names. It is for code that builds the engine's values; the core makes plain data of both. Plain data
    /// is not written as a reference again, so CANONICAL depends on it too.
    pub live_references: bool,
}

impl Limits {
    /// Returns the limits for packets from strangers. Depth 64 is what FlatBuffers, Cap'n Proto and .NET's
    /// CBOR reader allow; 65 536 values and strings of 64 KiB are far above any sane packet; keys are of the
    /// types that packets use as keys. Bytes can grow 35-fold in the engine: 16 MiB is room for any sane
    /// packet of 1 MiB and for no flood.
    #[must_use]
    pub const fn network() -> Limits {
        Limits {
            max_bytes: 1 << 20,
            max_depth: 64,
            max_values: 65_536,
            max_entries: 4_096,
            max_string_bytes: 65_536,
            max_path_segments: 256,
            max_heap_bytes: 16 << 20,
            max_key_probes: 256,
            max_objects: 1_024,
            max_object_depth: 1_024,
            circles: false,
            max_output_bytes: 1 << 20,
            allowed_types: TypeSet::ALL.without(CAPABILITIES),
            allowed_key_types: TypeSet::of(&[
                VariantType::Bool,
                VariantType::Int,
                VariantType::String,
                VariantType::StringName,
                VariantType::Vector2i,
                VariantType::Vector3i,
                VariantType::Vector4i,
            ]),
            live_references: false,
        }
    }

    /// Returns the limits for a player's save: big, but still from a disk that anybody may have written to.
    /// They are the default everywhere. 512 MiB hold the largest dictionary that `max_entries` allows, twice,
    /// and fit beside a game on a phone.
    #[must_use]
    pub const fn save_file() -> Limits {
        Limits {
            max_bytes: 64 << 20,
            max_depth: 64,
            max_values: 4_194_304,
            max_entries: 1_048_576,
            max_string_bytes: 16 << 20,
            max_path_segments: 1_024,
            max_heap_bytes: 512 << 20,
            max_key_probes: 1024,
            max_objects: 1_048_576,
            max_object_depth: 4_096,
            circles: true,
            max_output_bytes: 64 << 20,
            allowed_types: TypeSet::ALL.without(CAPABILITIES),
            allowed_key_types: TypeSet::ALL.without(CAPABILITIES),
            live_references: false,
        }
    }

    /// Returns only Godot's own limits: 1025 levels, lengths that fit the engine's own i32, and as many objects in
    /// one another as a thread's stack of 8 MiB frees, twice.
    #[must_use]
    pub const fn engine() -> Limits {
        Limits {
            max_bytes: u64::MAX,
            max_depth: MAX_NESTING,
            max_values: u64::MAX,
            max_entries: u64::MAX,
            max_string_bytes: u64::MAX,
            max_path_segments: u64::MAX,
            max_heap_bytes: u64::MAX,
            max_key_probes: u64::MAX,
            max_objects: u64::MAX,
            max_object_depth: 16_384,
            circles: true,
            max_output_bytes: 0x7FFF_FFFF,
            allowed_types: TypeSet::ALL,
            allowed_key_types: TypeSet::ALL,
            live_references: true,
        }
    }
}

/// Says what the values of a schema are made of, for [`Rules::cannot_refuse`].
#[derive(Clone, Copy, Debug)]
pub struct Contents {
    /// Their types, with that of keys.
    pub types: TypeSet,
    /// Whether some are dictionaries.
    pub has_keys: bool,
    /// The most entries of a Dictionary.
    pub most_entries: u64,
    /// The most bytes of a text, `u64::MAX` where the schema does not say.
    pub longest_text: u64,
}

impl Contents {
    /// No values at all.
    pub const NONE: Contents =
        Contents { types: TypeSet::NONE, has_keys: false, most_entries: 0, longest_text: 0 };

    /// Adds values of these types.
    pub fn add(&mut self, types: TypeSet) {
        self.types = TypeSet(self.types.0 | types.0);
        if types.intersects(TEXTS) {
            self.longest_text = u64::MAX;
        }
    }

    /// Adds a Dictionary with at most so many entries, of which the longest key has so many bytes.
    pub fn add_dictionary(&mut self, entries: usize, longest_key: usize) {
        let [entries, longest] = [entries, longest_key].map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        self.has_keys = true;
        self.types = TypeSet(self.types.0 | TypeSet::of(&[VariantType::Dictionary, VariantType::String]).0);
        self.most_entries = self.most_entries.max(entries);
        self.longest_text = self.longest_text.max(longest);
    }
}

const TEXTS: TypeSet = TypeSet::of(&[
    VariantType::String,
    VariantType::StringName,
    VariantType::NodePath,
    VariantType::PackedStringArray,
    VariantType::Signal,
    VariantType::Object,
]);

/// The highest price of a value for each of its bytes: a Dictionary of one entry, text and null, costs 35
/// times its 20, and the shortest values of other types no more than this (`heap.rs` tests it). It is twice
/// that in double precision.
pub(super) const DEAREST: u64 = 48;

impl Limits {
    /// Tells whether none of the limits on sizes can be reached by a value of this many bytes that is made of
    /// leaves, arrays, and dictionaries with texts as keys. It ignores depth, types and the probes of keys.
    #[must_use]
    pub fn are_beyond(&self, bytes: u64, rules: &Rules) -> bool {
        self.are_beyond_with(bytes, bytes >> 3, bytes, rules)
    }

    /// Does what `are_beyond` does, for a value whose dictionaries have at most `entries` entries, and whose texts at most
    /// `text` bytes.
    pub(crate) fn are_beyond_with(&self, bytes: u64, entries: u64, text: u64, rules: &Rules) -> bool {
        let dearest = if rules.reals == RealWidth::Double { DEAREST.saturating_mul(2) } else { DEAREST };
        bytes <= self.max_bytes
            && text <= self.max_string_bytes
            && bytes >> 2 <= self.max_values
            && entries <= self.max_entries
            && bytes.saturating_mul(dearest) <= self.max_heap_bytes
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::save_file()
    }
}

/// Holds the rules of a decode: the one options struct of the reading side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// The [`Strictness`].
    pub strictness: Strictness,
    /// The [`Limits`].
    pub limits: Limits,
    /// The [`Dialect`] of the bytes.
    pub dialect: Dialect,
    /// Whether objects with class and properties are read (structurally; the core builds nothing). Otherwise
    /// they are refused as the engine's `bytes_to_var` does. `allowed_types` decides on object ids.
    pub full_objects: bool,
    /// How wide the numbers of vectors are in the engine's build: it decides when two keys are equal, and how wide
    /// vectors are under CANONICAL.
    pub reals: RealWidth,
}

/// Says how wide the numbers of vectors are: 64 bits in an engine that was built with `precision=double`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RealWidth {
    /// 32 bits.
    #[default]
    Single,
    /// 64 bits.
    Double,
}

impl Rules {
    /// Returns the rules of Godot 4.6.3's `bytes_to_var`, no more and no less strict.
    #[must_use]
    pub const fn engine() -> Rules {
        Rules {
            strictness: Strictness::Engine,
            limits: Limits::engine(),
            dialect: Dialect::Godot4,
            full_objects: false,
            reals: RealWidth::Single,
        }
    }

    /// Returns the rules of SAFE strictness with these limits.
    #[must_use]
    pub const fn safe(limits: Limits) -> Rules {
        Rules { strictness: Strictness::Safe, limits, ..Rules::engine() }
    }

    /// Returns these rules for bytes of another dialect.
    #[must_use]
    pub const fn of_dialect(self, dialect: Dialect) -> Rules {
        Rules { dialect, ..self }
    }

    /// Tells whether silent losses are errors: everywhere but in ENGINE.
    #[must_use]
    pub const fn is_safe(&self) -> bool {
        matches!(self.strictness, Strictness::Safe | Strictness::Canonical)
    }

    /// Tells whether a value has only one accepted form.
    #[must_use]
    pub const fn is_canonical(&self) -> bool {
        matches!(self.strictness, Strictness::Canonical)
    }

    /// Tells whether no rule and no limit on sizes and types can refuse a value of this many bytes that is made of leaves
    /// in their plainest form, arrays, and dictionaries with Strings as keys. It ignores depth, the probes of keys and names.
    #[must_use]
    pub fn cannot_refuse(&self, bytes: u64, contents: &Contents) -> bool {
        let limits = &self.limits;
        let (entries, text) = (contents.most_entries.min(bytes >> 3), contents.longest_text.min(bytes));
        self.strictness == Strictness::Safe
            && self.dialect == Dialect::Godot4
            && contents.types.without(limits.allowed_types) == TypeSet::NONE
            && (!contents.has_keys || limits.allowed_key_types.contains(VariantType::String))
            && limits.are_beyond_with(bytes, entries, text, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        use VariantType as T;
        let set = TypeSet::of(&[T::Nil, T::Int, T::PackedVector4Array]);
        let held: Vec<T> = T::ALL.iter().copied().filter(|ty| set.contains(*ty)).collect();
        assert_eq!(held, [T::Nil, T::Int, T::PackedVector4Array]);
        assert_eq!(
            set.without(TypeSet::of(&[T::Int, T::Rid])),
            TypeSet::of(&[T::Nil, T::PackedVector4Array])
        );
        assert!(set.intersects(TypeSet::of(&[T::Int, T::Rid])));
        assert!(!set.intersects(TypeSet::of(&[T::Bool, T::Rid])));
        assert!(T::ALL.iter().all(|ty| TypeSet::ALL.contains(*ty) && !TypeSet::NONE.contains(*ty)));
        assert_eq!(TypeSet::ALL.without(TypeSet::ALL), TypeSet::NONE);
    }

    /// Tests the figures that docs/LIMITS.md prints, each with its reason there.
    #[test]
    fn presets_are_what_the_documents_say() {
        let network = Limits::network();
        assert_eq!((network.max_bytes, network.max_depth, network.max_values), (1_048_576, 64, 65_536));
        assert_eq!((network.max_entries, network.max_string_bytes), (4096, 65_536));
        assert_eq!((network.max_heap_bytes, network.max_output_bytes), (16_777_216, 1_048_576));
        assert_eq!((network.max_objects, Limits::save_file().max_objects), (1_024, 1_048_576));
        assert_eq!((network.max_object_depth, Limits::save_file().max_object_depth), (1_024, 4_096));
        assert!(!network.circles && Limits::save_file().circles && Limits::engine().circles);
        let save = Limits::default();
        assert_eq!(save, Limits::save_file());
        assert_eq!((save.max_bytes, save.max_depth, save.max_values), (67_108_864, 64, 4_194_304));
        assert_eq!((save.max_entries, save.max_string_bytes), (1_048_576, 16_777_216));
        assert_eq!((save.max_heap_bytes, save.max_output_bytes), (536_870_912, 67_108_864));
        assert!(!save.live_references && !network.live_references && Limits::engine().live_references);
        for preset in [network, save] {
            assert!(!preset.allowed_types.intersects(CAPABILITIES));
            assert!(!preset.allowed_key_types.intersects(CAPABILITIES));
        }
        assert!(!network.allowed_key_types.contains(VariantType::Array));
    }

    /// Tests that the most which 1024 bytes can hold is within a bound that is exactly as large, and not
    /// within a smaller one.
    #[test]
    fn sizes_are_within_each_bound_exactly() {
        type Bound = fn(&mut Limits) -> &mut u64;
        let bounds: [(&str, Bound, [u64; 2]); 5] = [
            ("max_bytes", |limits| &mut limits.max_bytes, [1024; 2]),
            ("max_string_bytes", |limits| &mut limits.max_string_bytes, [1024; 2]),
            ("max_values", |limits| &mut limits.max_values, [256; 2]),
            ("max_entries", |limits| &mut limits.max_entries, [128; 2]),
            ("max_heap_bytes", |limits| &mut limits.max_heap_bytes, [48 << 10, 96 << 10]),
        ];
        for (precision, reals) in [RealWidth::Single, RealWidth::Double].into_iter().enumerate() {
            let rules = Rules { reals, ..Rules::engine() };
            let mut tightest = Limits::engine();
            for (what, bound, least) in bounds {
                let mut limits = Limits::engine();
                *bound(&mut limits) = least[precision];
                assert!(limits.are_beyond(1024, &rules), "{what} is met");
                assert!(!limits.are_beyond(2048, &rules), "{what} is passed");
                *bound(&mut limits) -= 1;
                assert!(!limits.are_beyond(1024, &rules), "one less of {what}");
                *bound(&mut tightest) = least[precision];
            }
            assert!(tightest.are_beyond(1024, &rules), "each is met");
        }
    }
}
