//! Names the fast paths that a build with the feature `ablate` can switch off one by one, so that
//! `cargo xtask bench --without NAME` can say what each of them buys. It changes no answer, and in other builds it is not there: every question is a constant.

#[cfg(feature = "ablate")]
use std::sync::atomic::{AtomicBool, Ordering};

macro_rules! tricks {
    ($($(#[doc = $what:literal])* $trick:ident $name:literal,)*) => {
        /// A fast path or a cache whose work the slow twin beside it does too.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Trick {
            $($(#[doc = $what])* $trick,)*
        }

        impl Trick {
            /// All of them, with the names that `cargo xtask bench --without NAME` takes.
            pub const ALL: &[(Trick, &str)] = &[$((Trick::$trick, $name)),*];

            /// Returns what says that this trick is switched off.
            #[cfg(feature = "ablate")]
            #[inline(always)]
            fn switch(self) -> &'static AtomicBool {
                match self {
                    $(Trick::$trick => {
                        static IS_OFF: AtomicBool = AtomicBool::new(false);
                        &IS_OFF
                    })*
                }
            }
        }
    };
}

tricks! {
    /// The plain reader for checks and for trees, `plain/`.
    PlainReader "plain-reader",
    /// The plain reader for the engine's values, `raw/in_place/plain.rs` of the extension.
    FastPath "fast-path",
    /// A single value that is all the bytes there are.
    Lone "lone",
    /// Plain values in a walk, `walk/plain.rs`.
    WalkPlain "walk-plain",
    /// Entries of dictionaries in a walk before a builder, `walk/entries.rs`.
    WalkEntries "walk-entries",
    /// NodePaths that are taken at once in a walk, `walk/paths.rs`.
    WalkPaths "walk-paths",
    /// Dictionaries of nulls that are copied with their keys, `raw/in_place/templates.rs`.
    Templates "templates",
    /// Short texts that are shared, `raw/in_place/text_cache.rs`.
    TextCache "text-cache",
    /// NodePaths that are copied, `raw/in_place/path_cache.rs`.
    PathCache "path-cache",
    /// Room that large dictionaries get at once, `raw/in_place/tables.rs`.
    Tables "tables",
    /// Empty typed dictionaries that are copied, `raw/in_place/tables.rs`.
    Empties "empties",
    /// Memory that is asked for ahead, `raw/in_place/ahead.rs`.
    Prefetch "prefetch",
    /// Runs of numbers that are decoded in one loop, `raw/in_place/scalar.rs`.
    DecodedRuns "decoded-runs",
    /// Runs of one type that are encoded in one loop, `raw/in_place/leaves.rs`.
    EncodedRuns "encoded-runs",
    /// Large packed arrays that the engine makes and writes, `raw/in_place/packed.rs`.
    EnginesArrays "engines-arrays",
    /// The check that goes first while most bytes are refused, `call/decode.rs` of the extension.
    Refusals "refusals",
    /// The update where values lie, `raw/in_place/updater.rs`.
    Updater "updater",
    /// The schema's own reader, `fast/` of the schema crate.
    Straight "straight",
    /// Values of a document that are followed one after another, `fast/row_validator.rs` of the schema crate.
    RowValidator "row-validator",
    /// Documents that are checked without a walk, `fast.rs` of the crate for objects.
    Documents "documents",
    /// Parts that are packed by a flat plan, `fixed_record/` of the crate that packs.
    FixedRecords "fixed-records",
    /// Codes that go into a value that is there without bytes in between, `slots.rs` of the crate that packs.
    Slots "slots",
    /// Unpacked values that need no second look, `proof.rs` of the crate that packs.
    Proof "proof",
    /// Plain values that serde asks for, `walk/pull/plain.rs`.
    Pull "pull",
    /// The kernels for eight characters at a time, `raw/kernels`.
    Avx2 "avx2",
}

impl Trick {
    /// Tells whether this trick is switched off.
    #[cfg(feature = "ablate")]
    #[inline(always)]
    pub fn is_off(self) -> bool {
        self.switch().load(Ordering::Relaxed)
    }

    /// Tells whether this trick is switched off: never in a build without the feature.
    #[cfg(not(feature = "ablate"))]
    #[inline(always)]
    pub const fn is_off(self) -> bool {
        false
    }

    /// Switches the trick of this name off, and tells whether there is one.
    #[cfg(feature = "ablate")]
    pub fn switch_off(name: &str) -> bool {
        let found = Trick::ALL.iter().find(|(_, other)| *other == name);
        if let Some((trick, _)) = found {
            trick.switch().store(true, Ordering::Relaxed);
        }
        found.is_some()
    }
}

#[cfg(all(test, feature = "ablate"))]
mod tests {
    use super::*;

    #[test]
    fn each_trick_is_switched_off_by_its_name_alone() {
        let is_off = || Trick::ALL.iter().filter(|(trick, _)| trick.is_off()).count();
        assert!(!Trick::switch_off("no such trick") && is_off() == 0);
        for (at, (trick, name)) in Trick::ALL.iter().enumerate() {
            assert!(!trick.is_off() && Trick::switch_off(name) && trick.is_off());
            assert_eq!(is_off(), at + 1, "{name}");
        }
    }
}
