//! What a sink that takes every short cut makes of a few hundred inputs is what a plain one makes of them, however they
//! are spoiled, and whatever limit they meet.

use crate::quick::Quick;
use crate::{Limits, Rules, Skip, TypeSet, VariantType, Walker};

fn word(bytes: &mut Vec<u8>, word: usize) {
    bytes.extend(u32::try_from(word).unwrap().to_le_bytes());
}

fn text(header: usize, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    word(&mut bytes, header);
    word(&mut bytes, text.len());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
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

/// Small and large dictionaries of all sorts of keys and values, and arrays of them.
fn inputs() -> Vec<Vec<u8>> {
    let mut inputs = Vec::new();
    for count in [3, 12, 17, 24] {
        inputs.push(dictionary((0..count).map(key), value));
        inputs.push(dictionary((0..count).map(|at| text(4, &format!("k{at}"))), |at| value(at % 5 + 11)));
        inputs.push(dictionary((0..count).map(|at| text(4, &format!("k{at}"))), |at| words(&[2, at as u32])));
        inputs.push(dictionary((0..count).map(|at| words(&[2, at as u32])), value));
        inputs.push(dictionary((0..count).map(|at| text(21, &format!("n{at}"))), |at| value(at * 3)));
        // The first key twice, at the end.
        inputs.push(dictionary((0..count).chain([8]).map(|at| key(at % 11 + 8)), |_| vec![0; 4]));
        inputs.push(dictionary((0..count).chain([1]).map(|at| words(&[2, at as u32])), |_| vec![0; 4]));
    }
    let mut names = words(&[28, 40]);
    (0..40).for_each(|at| names.extend(value(at)));
    let mut typed = words(&[0x5_001B, 4, 4, 20]);
    (0..20).for_each(|at| typed.extend([text(4, &format!("k{at}")), text(4, "v")].concat()));
    let mut ints = words(&[0x5_001B, 2, 2, 20]);
    (0..20).for_each(|at| ints.extend(words(&[2, at, 2, at])));
    inputs.extend([names, typed, ints]);
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
    let (mut quick, mut walker) = (Quick::default(), Walker::new());
    let (mut accepted, mut refused) = (0, 0);
    let mut count = |is_accepted| *(if is_accepted { &mut accepted } else { &mut refused }) += 1;
    let all = limits();
    for input in inputs() {
        for limits in &all {
            // Twice: the second time it knows every text.
            for _ in 0..2 {
                count(quick.agrees(&input, &Rules::safe(*limits), &mut walker));
            }
        }
        let rules = Rules::default();
        for at in (0..input.len()).step_by(12) {
            count(quick.agrees(&input[..at], &rules, &mut walker));
            for (byte, new) in [(at, 0xFF), (at, 4), (at + 2, 1), (at + 4, 27)] {
                let mut spoiled = input.clone();
                spoiled.iter_mut().skip(byte).take(1).for_each(|byte| *byte = new);
                count(quick.agrees(&spoiled, &rules, &mut walker));
            }
        }
    }
    assert!(accepted > 1000 && refused > 5000, "{accepted} accepted, {refused} refused");
    // No answer tells whether a short cut was taken. After a change that is meant to take another way, put what it prints.
    assert_eq!(quick.taken, [49_775, 14_824, 302, 10_164]);
}

/// A walker that foresees keys as it has met them says of every input what one says that has met nothing.
#[test]
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
    // Far more shapes than are kept.
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
                &Rules { double_precision: true, ..Rules::safe(Limits { max_heap_bytes: 900, ..base }) },
            );
        }
    }
}
