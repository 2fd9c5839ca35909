//! Tests that the fast paths of a walk change no answer. The inputs are a few hundred, spoiled in many ways, under limits
//! that they reach.

use std::cell::Cell;

use super::{word, words};
use crate::build_check::build_check_agrees;
use crate::token::{Container, Leaf, Text};
use crate::walk::{keys_compared, ways_taken};
use crate::wire::hash;
use crate::{Limits, RealWidth, Refusal, Rules, Sink, Skip, TypeSet, VariantType, Walker};

fn text(header: usize, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    word(&mut bytes, header);
    word(&mut bytes, text.len());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn key(at: usize) -> Vec<u8> {
    let number = u32::try_from(at).unwrap();
    match at % 11 {
        0 => text(4, &format!("a key of {at}, longer than most")),
        1 => words(&[2, number]),
        2 => text(21, &format!("name{at}")),
        3 => text(4, &format!("ключ{at}")),
        4 => words(&[0x1_0002, number, 7]),
        5 => words(&[28, 1, 2, number]),
        6 => words(&[3, number << 20 | 1 << 30]),
        7 => words(&[10, number, 1, 2]),
        _ => text(4, &format!("k{at}")),
    }
}

fn value(at: usize) -> Vec<u8> {
    let number = u32::try_from(at).unwrap();
    match at % 16 {
        0 => vec![0; 4],
        1 => words(&[1, number & 1]),
        2 => words(&[0x1_0003, 0, 0x3FF0_0000]),
        3 => words(&[9, 0, number, 0]),
        4 => text(4, &format!("value {at}")),
        5 => text(4, &format!("a value that is longer than most, number {at}")),
        6 => text(21, &format!("name{}", at % 5)),
        7 => words(&[22, 0x8000_0001, 1, 0, 1, 0x61, 2, 0x6262]),
        8 => words(&[28, 3, 2, 5, 0, 5, 0, 0]),
        9 => [words(&[27, 2]), text(4, "k8"), words(&[2, 1]), text(4, "k9"), words(&[0])].concat(),
        10 => [words(&[34, 3, 2, 0x61, 5]), b"text\0\0\0\0".to_vec(), words(&[1, 0])].concat(),
        11 => words(&[29, 3, 0x0003_0201]),
        12 => [words(&[18]), vec![0; 64]].concat(),
        13 => words(&[0x1_001C, 2, 2, 2, 1, 2, 2]),
        14 => [words(&[0x5_001B, 4, 2, 1]), text(4, "k8"), words(&[2, 5])].concat(),
        _ => words(&[2, number]),
    }
}

fn dictionary(keys: impl Iterator<Item = Vec<u8>>, values: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let entries: Vec<Vec<u8>> = keys.enumerate().map(|(at, key)| [key, values(at)].concat()).collect();
    let mut bytes = words(&[27]);
    word(&mut bytes, entries.len());
    [bytes, entries.concat()].concat()
}

/// Makes small and large dictionaries of all sorts of keys and values, and arrays of them.
fn inputs() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for count in [3, 12, 17, 24] {
        inputs.push(dictionary((0..count).map(key), value));
        inputs.push(dictionary((0..count).map(|at| text(4, &format!("k{at}"))), |at| value(at % 5 + 11)));
        inputs.push(dictionary((0..count).map(|at| text(4, &format!("k{at}"))), |at| words(&[2, at as u32])));
        inputs.push(dictionary((0..count).map(|at| words(&[2, at as u32])), value));
        inputs.push(dictionary((0..count).map(|at| text(21, &format!("n{at}"))), |at| value(at * 3)));
        // The first key comes twice, at the end.
        inputs.push(dictionary((0..count).chain([8]).map(|at| key(at % 11 + 8)), |_| vec![0; 4]));
        inputs.push(dictionary((0..count).chain([1]).map(|at| words(&[2, at as u32])), |_| vec![0; 4]));
    }
    let mut names = words(&[28, 40]);
    (0..40).for_each(|at| names.extend(value(at)));
    let mut typed = words(&[0x5_001B, 4, 4, 20]);
    (0..20).for_each(|at| typed.extend([text(4, &format!("k{at}")), text(4, "v")].concat()));
    let mut ints = words(&[0x5_001B, 2, 2, 20]);
    (0..20).for_each(|at| ints.extend(words(&[2, at, 2, at])));
    let mut again = words(&[28, 12]);
    (0..12).for_each(|at| again.extend(text(21, ["a name", "another name", "here"][at % 3])));
    inputs.extend([names, typed, ints, again]);
    inputs
}

fn limits() -> Vec<Limits> {
    let base = Limits::save_file();
    let without = |ty| TypeSet::ALL.without(TypeSet::of(&[ty]));
    let mut limits = vec![base, Limits::network()];
    limits.extend([0, 1, 5, 12, 13, 30, 45, 60].map(|max_values| Limits { max_values, ..base }));
    limits.extend((1..16).map(|k| Limits { max_heap_bytes: 700 * k, ..base }));
    limits.extend([0, 1, 2, 8, 40, 63, 64].map(|max_string_bytes| Limits { max_string_bytes, ..base }));
    limits.extend([0, 1, 4].map(|max_key_probes| Limits { max_key_probes, ..base }));
    for ty in [VariantType::String, VariantType::Int, VariantType::StringName, VariantType::Array] {
        limits.push(Limits { allowed_key_types: without(ty), ..base });
        limits.push(Limits { allowed_types: without(ty), ..base });
    }
    limits
}

#[test]
fn short_cuts_change_nothing() {
    let mut walker = Walker::new();
    let (mut accepted, mut refused) = (0, 0);
    let mut count = |is_accepted| *(if is_accepted { &mut accepted } else { &mut refused }) += 1;
    let all = limits();
    for input in inputs() {
        for limits in &all {
            count(build_check_agrees(&input, &Rules::safe(*limits), &mut walker));
        }
        let rules = Rules::default();
        for at in (0..input.len()).step_by(12) {
            count(build_check_agrees(&input[..at], &rules, &mut walker));
            for (byte, new) in [(at, 0xFF), (at, 4), (at + 2, 1), (at + 4, 27)] {
                let mut spoiled = input.clone();
                spoiled.iter_mut().skip(byte).take(1).for_each(|byte| *byte = new);
                count(build_check_agrees(&spoiled, &rules, &mut walker));
            }
        }
    }
    assert!(accepted > 1000 && refused > 5000, "{accepted} accepted, {refused} refused");
    // No answer tells whether a fast path was taken. After a change that is meant to take another path, put
    // the numbers that it prints.
    let ways = "BareText 16025, Costly 42261, IntKey 23767, NumberKey 40206, Path 2490, PlainContainer 15676, \
        Scalars 108322, ShortKey 10567, TextKey 53675";
    assert_eq!(ways_taken(), ways);
}

/// Tests that a walker which is used again gives on every input the answer of a new one.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn what_was_met_changes_nothing() {
    let mut used = Walker::new();
    let mut agrees = |input: &[u8], rules: &Rules| {
        let fresh = Walker::new().decode(input, rules, &mut Skip);
        assert_eq!(used.decode(input, rules, &mut Skip), fresh, "{input:02x?} {rules:?}");
    };
    let record = |keys: &[&str], values: &dyn Fn(usize) -> Vec<u8>| {
        dictionary(keys.iter().map(|key| text(4, key)), values)
    };
    let keys: [&[&str]; 6] = [
        &["a", "b", "c"],
        &["a", "c", "b"],
        &["b", "a", "c"],
        &["a", "b", "a"],
        &["a", "b"],
        &["a", "bb", "c"],
    ];
    let mut inputs = inputs();
    for turn in 0..3 {
        for keys in keys {
            inputs.push(record(keys, &|at| words(&[2, at as u32])));
            inputs.push(record(keys, &|at| text(4, &format!("text {at}"))));
            inputs.push(record(keys, &|at| value(at + turn)));
            let inner = record(keys, &|_| vec![0; 4]);
            inputs.push(record(keys, &|_| inner.clone()));
        }
    }
    for first in 0..300 {
        inputs.push(record(&[&format!("k{first}"), "z"], &|at| words(&[2, at as u32])));
    }
    let base = Limits::save_file();
    for input in &inputs {
        for _ in 0..2 {
            agrees(input, &Rules::default());
        }
        if input.len() < 200 {
            for at in 0..14 {
                agrees(input, &Rules::safe(Limits { max_values: at, ..base }));
                agrees(input, &Rules::safe(Limits { max_heap_bytes: 100 * at, ..base }));
                agrees(input, &Rules::safe(Limits { max_string_bytes: 2 * at, ..base }));
                agrees(
                    &input[..input.len() - usize::try_from(at).unwrap().min(input.len())],
                    &Rules::default(),
                );
            }
            agrees(
                input,
                &Rules { reals: RealWidth::Double, ..Rules::safe(Limits { max_heap_bytes: 900, ..base }) },
            );
        }
    }
    let ways =
        "BareText 160, Costly 3954, NumberKey 2210, PlainContainer 43886, Scalars 59972, ShortKey 67814";
    assert_eq!(ways_taken(), ways);
}

/// Tests keys that only a secret hash or all of their bytes tell apart: none is compared with many others.
#[test]
fn no_key_is_compared_with_many() {
    let compared = |keys: &[Vec<u8>]| {
        let bytes = dictionary(keys.iter().cloned(), |_| vec![0; 4]);
        keys_compared();
        Walker::new().decode(&bytes, &Rules::safe(Limits::engine()), &mut Skip).unwrap();
        let without_table = keys_compared();
        Walker::new().decode(&bytes, &Rules::safe(Limits::save_file()), &mut Skip).unwrap();
        [without_table, keys_compared()]
    };
    let count = 2000;
    // They have one length and end, and are also tried as NodePaths, whose normal form is their bytes.
    let texts: Vec<_> = (0..count).map(|n| text(4, &format!("{n:06} and the same end"))).collect();
    let arrays: Vec<_> = (0..count).map(|n| words(&[28, 3, 2, n, 2, 7, 2, 8])).collect();
    let short: Vec<_> = (0..count).map(|n| text(4, &format!("k{n}"))).collect();
    for keys in [&texts, &arrays, &short] {
        let [without_table, with_table] = compared(keys);
        assert!(without_table < 3 * u64::from(count), "{without_table}");
        assert!(with_table < 3 * u64::from(count), "{with_table}");
    }
}

/// Builds nothing: a sink that says that it fills tables, or does not.
#[derive(Default)]
pub(super) struct Promises<const FILLS_TABLES: bool> {
    /// The hashes of an engine that hashes differently: they are this far apart, after this one.
    hashes: Option<(u32, Cell<u32>)>,
}

impl<const FILLS: bool> Promises<FILLS> {
    pub(super) fn hashing(apart: u32) -> Self {
        Promises { hashes: Some((apart, Cell::new(1))) }
    }
}

impl<const FILLS: bool> Sink for Promises<FILLS> {
    type Output = ();
    type Frame = ();

    fn fills_tables(&self) -> bool {
        FILLS
    }

    fn passes_over(&self, _: TypeSet) -> bool {
        FILLS && self.hashes.is_none()
    }

    fn key_hash(&self, (): &()) -> Option<u32> {
        let (apart, next) = self.hashes.as_ref()?;
        next.set(next.get() + apart);
        Some(next.get())
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        Skip.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<(), Refusal> {
        Skip.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut (), text: Text<'_>) -> Result<(), Refusal> {
        Skip.text(frame, text)
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Tests that a name is hashed once, for the engine's table of names and for the dictionary's: keys that all
/// hash to one slot of the latter, and many of the former, are refused whatever they are.
#[test]
fn names_that_want_one_place_of_a_dictionary_are_counted() {
    // This is the capacity for 400 entries.
    let wants_first = |text: &String| hash::ascii(text.as_bytes()).is_multiple_of(769);
    let keys: Vec<String> = (0..).map(|n: u32| format!("key {n}")).filter(wants_first).take(400).collect();
    let rules = Rules::safe(Limits { max_key_probes: 64, ..Limits::save_file() });
    for ty in [4, 21] {
        let refusal = |bytes: &[u8]| {
            let sink = &mut Promises::<true>::default();
            Walker::new().decode(bytes, &rules, sink).err().map(|error| error.kind().name())
        };
        let flood = dictionary(keys.iter().map(|key| text(ty, key)), |_| vec![0; 4]);
        assert_eq!(refusal(&flood), Some("TOO_MANY_PROBES"), "type {ty}");
        let ordinary = dictionary((0..400).map(|n| text(ty, &format!("key {n}"))), |_| vec![0; 4]);
        assert_eq!(refusal(&ordinary), None, "type {ty}");
    }
}

/// Tests that the fast path through entries is only for sinks that need not see them, under SAFE, and within
/// every limit.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn entries_are_short_for_sinks_that_see_nothing() {
    fn ways<const FILLS: bool>(bytes: &[u8], rules: &Rules) -> (Option<&'static str>, String) {
        ways_taken();
        let outcome = Walker::new().decode(bytes, rules, &mut Promises::<FILLS>::default());
        (outcome.err().map(|error| error.kind().name()), ways_taken())
    }
    let safe = Rules::safe(Limits::save_file());
    let ints = dictionary((0..20).map(|at| words(&[2, at])), |at| words(&[2, at as u32]));
    let texts = dictionary((0..20).map(|at| text(4, &format!("k{at}"))), |at| words(&[2, at as u32]));
    let short = |way: &str| (None, format!("{way} 20"));
    assert_eq!(ways::<true>(&ints, &safe), short("IntKey"));
    assert_eq!(ways::<true>(&texts, &safe), short("TextKey"));
    for bytes in [&ints, &texts] {
        for (error, ways) in [ways::<false>(bytes, &safe), ways::<true>(bytes, &Rules::engine())] {
            assert!(error.is_none() && !ways.contains("IntKey") && !ways.contains("TextKey"), "{ways}");
        }
    }
    // A key and its value count, and so does the Dictionary.
    for (max_values, refusal) in [(40, Some("TOO_MANY_VALUES")), (41, None)] {
        let rules = Rules::safe(Limits { max_values, ..Limits::save_file() });
        assert_eq!(ways::<true>(&ints, &rules).0, refusal);
        assert_eq!(ways::<true>(&texts, &rules).0, refusal);
    }
    // Names are counted as names, and texts that are no ASCII by their characters.
    let one_hash = |ty, pieces: [&str; 2]| {
        let spell = |n: usize| (0..9).map(|bit| pieces[n >> bit & 1]).collect::<String>();
        dictionary((0..400).map(|n| text(ty, &spell(n))), |_| vec![0; 4])
    };
    let rules = Rules::safe(Limits { max_key_probes: 16, ..Limits::save_file() });
    // In base 33 both pieces are one number: a letter less, and 33 letters more.
    let pieces = [["aB", "b!"], ["\u{431}\u{441}", "\u{432}\u{420}"]];
    for pieces in pieces {
        for ty in [4, 21] {
            let flood = one_hash(ty, pieces);
            assert_eq!(ways::<true>(&flood, &rules).0, Some("TOO_MANY_PROBES"), "{pieces:?}");
        }
    }
    let ordinary = |ty| dictionary((0..400).map(|n| text(ty, &format!("\u{431}{n:04}"))), |_| vec![0; 4]);
    assert_eq!(ways::<true>(&ordinary(4), &rules).0, None);
    assert_eq!(ways::<true>(&ordinary(21), &rules).0, None);
    // Keys that were not checked yet are reported before the fault behind them.
    let mut flood = one_hash(4, pieces[0]);
    flood.truncate(8 + 40 * (8 + 20 + 4));
    flood.extend([99, 0, 0, 0]);
    let few = Rules::safe(Limits { max_key_probes: 0, ..Limits::save_file() });
    assert_eq!(ways::<true>(&flood, &few).0, Some("TOO_MANY_PROBES"));
    assert_eq!(ways::<true>(&flood, &safe).0, Some("UNKNOWN_TYPE"));
}
