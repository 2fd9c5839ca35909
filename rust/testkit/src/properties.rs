//! Checks the properties that must hold for every input. Tests call these with tables and random inputs, fuzz
//! targets with theirs. They panic when a property does not hold, with the input as hex in the message.

use variant_core::token::{Count, TextForm};
use variant_core::{
    Dialect, Encoder, Error, ErrorKind, Extent, Limits, PartialContainer, RealWidth, Rules, Sink, Skip,
    Strictness, Target, ToValue, Value, VariantType, Walker, is_flat,
};

use crate::bounds;
use crate::build_check::build_check_agrees;
use crate::canonical::is_written_again;
use crate::describe::describe;
use crate::hex::Hex;
use crate::loss::{has_duplicate_keys, holds_what_it_declares};
use crate::oracle::{self, Rejection};
use crate::pieces::pieces_agree;

/// The outcome of a walk, whatever it builds of the value.
pub type Verdict = Result<Extent, Error>;

/// Lists the rules under which every input is tried: ENGINE and SAFE, with and without full objects, every
/// preset, every dialect.
pub const RULES: [Rules; 9] = [
    Rules::engine(),
    ENGINE_WITH_OBJECTS,
    SAFE_WITH_OBJECTS,
    Rules { reals: RealWidth::Double, ..Rules::safe(Limits::engine()) },
    Rules::safe(Limits::save_file()),
    Rules::safe(Limits::network()),
    ENGINE_WITH_OBJECTS.of_dialect(Dialect::Godot3),
    SAFE_WITH_OBJECTS.of_dialect(Dialect::Godot3),
    ENGINE_WITH_OBJECTS.of_dialect(Dialect::Documented),
];

const ENGINE_WITH_OBJECTS: Rules = Rules { full_objects: true, ..Rules::engine() };
const SAFE_WITH_OBJECTS: Rules = Rules { full_objects: true, ..Rules::safe(Limits::engine()) };

/// Checks all properties of any bytes. It reuses its walkers from input to input, because they must answer as
/// new ones do.
#[derive(Debug, Default)]
pub struct Properties {
    used: Used,
    value: Walker<PartialContainer>,
    judge: Walker<()>,
}

impl Properties {
    /// Starts with new walkers.
    #[must_use]
    pub fn new() -> Properties {
        Properties::default()
    }

    /// Checks one input and tells whether ENGINE accepts it. `cut` says where to try a prefix, modulo the
    /// input's length.
    ///
    /// # Panics
    /// When a property does not hold.
    pub fn hold(&mut self, bytes: &[u8], cut: usize) -> bool {
        for rules in &RULES {
            let verdict = sinks_agree(bytes, rules);
            self.used_walkers_agree(bytes, rules, &verdict);
            if let Ok(extent) = verdict {
                prefix_is_incomplete(bytes, cut % bytes.len(), extent, rules);
            }
        }
        let accepted = oracle_agrees(bytes, false);
        if oracle_agrees(bytes, true) {
            reencoding_settles(bytes);
        }
        for rules in [&RULES[2], &RULES[4], &RULES[5]] {
            build_check_agrees(bytes, rules, &mut self.judge);
        }
        safe_is_within_engine(bytes);
        duplicates_are_real(bytes);
        canonical_is_what_is_written(bytes);
        for rules in [&RULES[0], &RULES[2]] {
            pieces_agree(bytes, rules, &[1 + cut % 7, 1 + cut % 13]);
        }
        accepted
    }

    /// Checks that walkers which have read other inputs, refused ones too, answer as new ones.
    fn used_walkers_agree(&mut self, bytes: &[u8], rules: &Rules, fresh: &Verdict) {
        let skipped = self.used.skip.decode(bytes, rules, &mut Skip).map(|((), extent)| extent);
        self.used.look_agrees(bytes, rules, fresh);
        assert_eq!(&skipped, fresh, "a used walker skips as a fresh one: {}", Hex(bytes));
        let value = self.value.decode(bytes, rules, &mut ToValue).map(|(_, extent)| extent);
        assert_eq!(&value, fresh, "a used walker builds as a fresh one: {}", Hex(bytes));
        flat_trees_agree(bytes, rules, &mut self.value);
        let Used { encoder, output, .. } = &mut self.used;
        output.clear();
        let mut sink = Encoder::new(output, &Limits::engine());
        let written = encoder.decode(bytes, rules, &mut sink).map(|((), extent)| extent);
        assert_eq!(&written, fresh, "a used walker writes as a fresh one: {}", Hex(bytes));
    }
}

/// Checks that the tree which the fast path makes is the tree which the walk makes.
///
/// # Panics
/// When it is not.
pub fn flat_trees_agree(bytes: &[u8], rules: &Rules, walker: &mut Walker<PartialContainer>) {
    if !is_flat(bytes, rules) {
        return;
    }
    let made = variant_core::decode(bytes, rules).expect("what is flat is accepted");
    let (walked, _) = walker.decode(bytes, rules, &mut ToValue).expect("by the walk too");
    // A NaN is not equal to itself, so the trees are compared as bytes and as text.
    assert_eq!(made.encode().ok(), walked.encode().ok(), "flat: {}", Hex(bytes));
    assert_eq!(format!("{made:?}"), format!("{walked:?}"), "flat: {}", Hex(bytes));
}

/// Reuses two walkers and a buffer for all inputs.
#[derive(Debug, Default)]
pub struct Used {
    skip: Walker<()>,
    encoder: Walker<TextForm>,
    output: Vec<u8>,
}

impl Used {
    /// Checks that both walkers give one verdict on the input, that they stay within it, that the fast path
    /// agrees with them, and that CANONICAL accepts exactly what is written back unchanged.
    ///
    /// # Panics
    /// When that does not hold.
    pub fn agree(&mut self, bytes: &[u8], rules: &Rules) {
        let verdict = self.skip.decode(bytes, rules, &mut Skip).map(|((), extent)| extent);
        self.output.clear();
        let limits = Limits::engine();
        let written = self.encoder.decode(bytes, rules, &mut Encoder::new(&mut self.output, &limits));
        assert_eq!(written.map(|((), extent)| extent), verdict, "as Skip: {}", Hex(bytes));
        self.look_agrees(bytes, rules, &verdict);
        let Ok(extent) = verdict else { return };
        let most = number(bytes.len()) + if rules.is_safe() { 0 } else { 3 };
        assert!(extent.consumed <= most, "{extent:?}: {}", Hex(bytes));
        // Other dialects are written in the newest form, and ENGINE accepts forms that are never written.
        if rules.is_safe() && rules.dialect == Dialect::Godot4 {
            let canonical = Rules { strictness: Strictness::Canonical, ..*rules };
            let is_canonical = self.skip.decode(bytes, &canonical, &mut Skip).is_ok();
            let is_same = self.output == bytes;
            let is_so = is_canonical == is_same
                || (is_same
                    && variant_core::decode(bytes, rules).is_ok_and(|it| !is_written_again(&it, rules)));
            assert!(is_so, "{is_canonical}, written {}: {}", Hex(&self.output), Hex(bytes));
        }
    }
}

impl Used {
    /// Checks that `validate`, which tries the fast path first, gives the verdict of a walk, and that a walk
    /// accepts what the fast path takes when every limit is as low as it may be.
    fn look_agrees(&mut self, bytes: &[u8], rules: &Rules, verdict: &Verdict) {
        assert_eq!(&self.skip.validate(bytes, rules), verdict, "by a look: {}", Hex(bytes));
        let seed = bytes.iter().fold(7u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        let least = bounds::least(number(bytes.len()), seed ^ seed >> 32);
        if is_flat(bytes, &least) {
            let walked = self.skip.decode(bytes, &least, &mut Skip).map(|((), extent)| extent);
            let whole = Extent { consumed: number(bytes.len()), trailing: 0 };
            assert_eq!(walked, Ok(whole), "taken by a look: {} {least:?}", Hex(bytes));
        }
    }
}

/// Checks that every sink gives the same verdict, kind, offset and path, that a pair of sinks gives what its
/// halves give, and that the Encoder writes the same bytes straight from the walk as from a Value.
///
/// # Panics
/// When that does not hold.
#[track_caller]
pub fn sinks_agree(bytes: &[u8], rules: &Rules) -> Verdict {
    let limits = Limits::engine();
    let (verdict, _) = walked(bytes, rules, &mut Skip);
    let (value_verdict, value) = walked(bytes, rules, &mut ToValue);
    assert_eq!(value_verdict, verdict, "ToValue as Skip: {}", Hex(bytes));
    let mut output = Vec::new();
    let (encoder_verdict, _) = walked(bytes, rules, &mut Encoder::new(&mut output, &limits));
    assert_eq!(encoder_verdict, verdict, "Encoder as Skip: {}", Hex(bytes));
    let mut count = Count::default();
    let (count_verdict, _) = walked(bytes, rules, &mut Encoder::new(&mut count, &limits));
    assert_eq!(count_verdict, verdict, "counting Encoder as Skip: {}", Hex(bytes));
    assert_eq!(count, Count(u64::try_from(output.len()).unwrap_or(0)), "counted as written: {}", Hex(bytes));
    if let Some(value) = value {
        let reencoded = value.encode().unwrap_or_else(|error| panic!("{error}: {}", Hex(bytes)));
        assert!(output == reencoded, "Encoder {}, Value {}: {}", Hex(&output), Hex(&reencoded), Hex(bytes));
    }
    verdict
}

fn walked<S: Sink>(bytes: &[u8], rules: &Rules, sink: &mut S) -> (Verdict, Option<S::Output>) {
    match Walker::new().decode(bytes, rules, sink) {
        Ok((output, extent)) => (Ok(extent), Some(output)),
        Err(error) => (Err(error), None),
    }
}

/// Checks that the core under ENGINE rules and the oracle accept the same bytes, count them alike and read
/// the same value, or refuse them for the same sort of reason. Tells whether they accepted.
///
/// # Panics
/// When they differ.
#[track_caller]
pub fn oracle_agrees(bytes: &[u8], full_objects: bool) -> bool {
    let rules = Rules { full_objects, ..Rules::engine() };
    let core = Walker::new().decode(bytes, &rules, &mut ToValue);
    let oracle = oracle::decode(bytes, full_objects);
    match (&core, &oracle) {
        (Ok((value, extent)), Ok(reading)) => {
            assert_eq!(extent.consumed, number(reading.consumed), "consumed: {}", Hex(bytes));
            assert_eq!(extent.trailing, number(bytes.len()).saturating_sub(extent.consumed), "trailing");
            assert_eq!(describe(value), reading.description, "value: {}", Hex(bytes));
        }
        (Err(error), Err(rejection)) => {
            assert_eq!(sort_of(error), *rejection, "core says {error}: {}", Hex(bytes));
        }
        _ => panic!("core says {core:?}, oracle {oracle:?}: {}", Hex(bytes)),
    }
    core.is_ok()
}

fn sort_of(error: &Error) -> Rejection {
    match error.kind() {
        ErrorKind::Incomplete { .. } => Rejection::Truncated,
        ErrorKind::ObjectNotAllowed => Rejection::Forbidden,
        ErrorKind::TooDeep { .. } => Rejection::TooDeep,
        _ => Rejection::Malformed,
    }
}

/// Checks that a value which is read, written and read again is unchanged, and is written as the same bytes
/// once more.
///
/// Texts that begin with two byte order marks lose one with every reading, in the engine too (FORMAT.md 5.1
/// rule 5): such values settle later and are left out.
///
/// # Panics
/// When it changes.
#[track_caller]
pub fn reencoding_settles(bytes: &[u8]) {
    let Ok(value) = variant_core::decode(bytes, &ENGINE_WITH_OBJECTS) else { return };
    if loses_a_mark(&value) {
        return;
    }
    let first = value.encode().unwrap_or_else(|error| panic!("{error}: {}", Hex(bytes)));
    let again = variant_core::decode(&first, &ENGINE_WITH_OBJECTS);
    let again =
        again.unwrap_or_else(|error| panic!("{error} reading {} made of {}", Hex(&first), Hex(bytes)));
    let second = again.encode().unwrap_or_else(|error| panic!("{error}: {}", Hex(&first)));
    assert!(second == first, "written twice {}, then {}: {}", Hex(&first), Hex(&second), Hex(bytes));
}

/// Tells whether a text of the value begins with a byte order mark, which is lost when it is written and read
/// again.
#[must_use]
pub fn loses_a_mark(value: &Value) -> bool {
    describe(value).contains("\"\\u{feff}")
}

/// Checks that ENGINE accepts whatever SAFE accepts, in every dialect, and reads the same value, in which no
/// dictionary has a key twice and every typed container holds what it declares.
///
/// # Panics
/// When that does not hold.
#[track_caller]
pub fn safe_is_within_engine(bytes: &[u8]) {
    Dialect::ALL.iter().for_each(|dialect| safe_is_within_engine_of(bytes, *dialect));
}

#[track_caller]
fn safe_is_within_engine_of(bytes: &[u8], dialect: Dialect) {
    let (safe, engine) = (SAFE_WITH_OBJECTS.of_dialect(dialect), ENGINE_WITH_OBJECTS.of_dialect(dialect));
    let Ok((safe, extent)) = Walker::new().decode(bytes, &safe, &mut ToValue) else { return };
    assert_eq!(extent, Extent { consumed: number(bytes.len()), trailing: 0 }, "SAFE: {}", Hex(bytes));
    match Walker::new().decode(bytes, &engine, &mut ToValue) {
        Ok((engine, engine_extent)) => {
            assert_eq!(extent, engine_extent, "SAFE as ENGINE: {}", Hex(bytes));
            assert_eq!(describe(&safe), describe(&engine), "SAFE as ENGINE: {}", Hex(bytes));
            assert!(!has_duplicate_keys(&safe), "SAFE accepts a key twice: {}", Hex(bytes));
            assert!(holds_what_it_declares(&safe), "SAFE accepts a wrong element: {}", Hex(bytes));
        }
        Err(error) => panic!("SAFE accepts what ENGINE refuses, {error}: {}", Hex(bytes)),
    }
}

/// Checks that there is a duplicate key whenever SAFE reports one.
///
/// # Panics
/// When there is none.
#[track_caller]
pub fn duplicates_are_real(bytes: &[u8]) {
    let Err(error) = variant_core::validate(bytes, &SAFE_WITH_OBJECTS) else { return };
    if error.kind() != ErrorKind::DuplicateKey {
        return;
    }
    if let Ok(value) = variant_core::decode(bytes, &ENGINE_WITH_OBJECTS) {
        assert!(has_duplicate_keys(&value), "{error}: {}", Hex(bytes));
    }
}

/// Checks that CANONICAL accepts exactly what SAFE accepts and an engine writes back unchanged: with objects
/// and without, where references are kept and where they become plain data, in both precisions, in every
/// dialect.
///
/// # Panics
/// When that does not hold.
#[track_caller]
pub fn canonical_is_what_is_written(bytes: &[u8]) {
    let keeps_none = Limits { live_references: false, ..Limits::engine() };
    let ids = Rules::safe(Limits::engine());
    for safe in [
        SAFE_WITH_OBJECTS,
        ids,
        Rules::safe(keeps_none),
        Rules { reals: RealWidth::Double, ..SAFE_WITH_OBJECTS },
        Rules { dialect: Dialect::Godot3, ..ids },
        Rules { dialect: Dialect::Documented, ..ids },
    ] {
        let canonical = Rules { strictness: Strictness::Canonical, ..safe };
        let accepted = variant_core::validate(bytes, &canonical).is_ok();
        let settles = variant_core::decode(bytes, &safe).is_ok_and(|value| {
            let mut again = Vec::new();
            let target = Target::newest(safe.dialect);
            is_written_again(&value, &safe)
                && value.encode_for(target, &mut again, &Limits::engine()).is_ok()
                && again == bytes
        });
        assert_eq!(accepted, settles, "{:?}: {}", safe.dialect, Hex(bytes));
    }
}

/// Checks that a prefix of a valid value is refused as incomplete, and never asks for more than is missing.
///
/// There is one exception: ENGINE accepts the bytes when only the padding of a byte array is missing.
///
/// # Panics
/// When it is refused for another reason, or asks for too much.
#[track_caller]
pub fn prefix_is_incomplete(bytes: &[u8], cut: usize, extent: Extent, rules: &Rules) {
    let consumed = extent.consumed;
    if number(cut) >= consumed.min(number(bytes.len())) {
        return;
    }
    let missing = consumed - number(cut);
    let padding_only = Extent { consumed, trailing: 0 };
    match variant_core::validate(&bytes[..cut], rules) {
        Ok(found) if !rules.is_safe() && missing <= 3 => assert_eq!(found, padding_only, "{}", Hex(bytes)),
        Ok(_) => panic!("{cut} bytes of {} are accepted", Hex(bytes)),
        Err(error) => match error.kind() {
            ErrorKind::Incomplete { needed, .. } => {
                assert!(
                    (1..=missing).contains(&u64::from(needed)),
                    "{needed} of {missing} at {cut}: {}",
                    Hex(bytes)
                );
            }
            // An object that is cut off is taken for one that is no null; its type is judged first.
            ErrorKind::TypeNotAllowed { ty: VariantType::Object }
                if number(cut) < error.offset() + OBJECT_ID => {}
            other => panic!("{cut} bytes of {}: {other}", Hex(bytes)),
        },
    }
}

/// The bytes of a header and an object's id.
const OBJECT_ID: u64 = 12;

/// Checks every proper prefix by [`prefix_is_incomplete`]. Time grows with the square of the length.
///
/// # Panics
/// When a prefix is refused for another reason, or the whole is not valid.
#[track_caller]
pub fn prefixes_are_incomplete(bytes: &[u8], rules: &Rules) {
    let extent =
        variant_core::validate(bytes, rules).unwrap_or_else(|error| panic!("{error}: {}", Hex(bytes)));
    (0..bytes.len()).for_each(|cut| prefix_is_incomplete(bytes, cut, extent, rules));
}

/// Checks that a value which is written and read comes back, to the last bit.
///
/// # Panics
/// When it does not.
#[track_caller]
pub fn value_comes_back(value: &Value) {
    let bytes = value.encode().unwrap_or_else(|error| panic!("{error}: {value:?}"));
    assert_eq!(bytes.len() % 4, 0, "{}", Hex(&bytes));
    let read = Walker::new().decode(&bytes, &ENGINE_WITH_OBJECTS, &mut ToValue);
    let (read, extent) = read.unwrap_or_else(|error| panic!("{error}: {} of {value:?}", Hex(&bytes)));
    assert_eq!(extent, Extent { consumed: number(bytes.len()), trailing: 0 }, "{value:?}");
    assert_eq!(describe(&read), describe(value), "{}", Hex(&bytes));
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
