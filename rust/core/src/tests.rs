//! Tests that no answer of this crate to some hundred spoiled inputs changes, by one digest for each dialect.
//! It covers verdict, place, message, value, and what is written of it. Other tests know what the answers
//! have to be; this one notices that any of them changed.
//!
//! After a change that is meant to give other answers, put the digests that the test prints into it.

mod names;
mod probes;
mod short_cuts;

use crate::token::Count;
use crate::{
    Dialect, Encoder, FrameReader, Framing, Limits, Progress, PushDecoder, RealWidth, Rules, Skip, Stop,
    Strictness, Target, ToValue, TypeSet, Value, VariantType, Walker, guess_dialect, key_hash, transcode,
};

/// Encodes words, of which tests make inputs.
pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn word(bytes: &mut Vec<u8>, word: usize) {
    bytes.extend(u32::try_from(word).unwrap().to_le_bytes());
}

const EDGES: [u32; 12] =
    [0, 1, 2, 3, 5, 39, 0x1_0000, 0x5_0000, 0x7FFF_FFFF, 0x8000_0001, 0xFFFF_FFFE, u32::MAX];

#[test]
fn answers_are_what_they_were() {
    let expected = [
        (Dialect::Godot4, 3_285_247_419_162_926_586),
        (Dialect::Godot3, 558_633_286_421_830_697),
        (Dialect::Documented, 1_750_295_651_684_984_350),
    ];
    let found = expected.map(|(dialect, _)| {
        let inputs = inputs(dialect);
        assert!(inputs.len() > 300, "{} inputs", inputs.len());
        let mut answers = Digest::default();
        inputs.iter().for_each(|input| answer(&mut answers, input, dialect));
        (dialect, answers.0)
    });
    assert_eq!(found, expected);
}

/// Computes FNV-1a over words.
struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xCBF2_9CE4_8422_2325)
    }
}

impl Digest {
    fn say(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0xFF]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    fn tell(&mut self, what: &impl std::fmt::Debug) {
        self.say(format!("{what:?}").as_bytes());
    }
}

/// Makes the recorded and malformed inputs of a dialect, and each of them spoiled.
fn inputs(dialect: Dialect) -> Vec<Vec<u8>> {
    let golden = match dialect {
        Dialect::Godot3 => include_str!("../../../tests/golden/godot3_6.json"),
        _ => include_str!("../../../tests/golden/godot4_6.json"),
    };
    let malformed = include_str!("../../../tests/golden/malformed.txt");
    let documented = include_str!("../../../tests/golden/documented.txt");
    let hexes = golden.split("\"hex\": \"").skip(1).step_by(6).filter_map(|rest| rest.split('"').next());
    let rows = malformed.lines().filter_map(|line| line.split(" | ").nth(1)).step_by(2);
    let words = documented.lines().flat_map(|line| line.split(' ').filter(|word| word.len() > 7));
    let whole: Vec<Vec<u8>> = hexes
        .chain(rows)
        .chain(words)
        .filter_map(|hex| bytes(hex.trim()))
        .filter(|bytes| bytes.len() < 200)
        .collect();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 33).unwrap() % below.max(1)
    };
    let mut inputs = whole.clone();
    for seed in &whole {
        let other = &whole[next(whole.len())];
        inputs.push(spoiled(seed, other, dialect, &mut next));
    }
    inputs
}

/// Returns what Godot 4 wrote for all recorded values.
pub(crate) fn golden_godot_4() -> Vec<Vec<u8>> {
    let golden = include_str!("../../../tests/golden/godot4_6.json");
    let hexes = golden.split("\"hex\": \"").skip(1).filter_map(|rest| rest.split('"').next());
    hexes.filter_map(bytes).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    (0..hex.len()).step_by(2).map(byte).collect()
}

/// Makes one change: a bit, a word, the end, or other values around it.
fn spoiled(seed: &[u8], other: &[u8], dialect: Dialect, next: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut input = seed.to_vec();
    let at = next(input.len()) & !3;
    let id = |ty| u32::from(dialect.id_of(ty).unwrap());
    match next(8) {
        0 => {
            let at = next(input.len());
            input.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << next(8));
        }
        1 | 2 => {
            let word = EDGES[next(EDGES.len())].to_le_bytes();
            input.iter_mut().skip(at).zip(word).for_each(|(byte, new)| *byte = new);
        }
        3 => input.truncate(next(seed.len())),
        4 => {
            let head = [id(VariantType::Array), 2].map(u32::to_le_bytes).concat();
            input = [&head, other, seed].concat();
        }
        5 => {
            let head = [id(VariantType::Dictionary), 2].map(u32::to_le_bytes).concat();
            input = [&head, seed, other, other, seed].concat();
        }
        6 => {
            let ty = u32::from(seed.first().copied().unwrap_or(0));
            let head = [id(VariantType::Array) | 0x1_0000, ty, 2].map(u32::to_le_bytes).concat();
            input = [&head, seed, other].concat();
        }
        _ => {
            let head = [id(VariantType::Dictionary), 12].map(u32::to_le_bytes).concat();
            let entry = |n: u32| [2, n % 11, 0].map(u32::to_le_bytes).concat();
            input = [head, (0..11).flat_map(entry).collect(), seed.to_vec(), other.to_vec()].concat();
        }
    }
    input
}

/// Makes rules of every strictness, with limits that some inputs reach.
fn rules(dialect: Dialect) -> impl Iterator<Item = Rules> {
    let tight = Limits {
        max_bytes: 120,
        max_depth: 3,
        max_values: 9,
        max_entries: 2,
        max_string_bytes: 8,
        max_path_segments: 2,
        max_heap_bytes: 700,
        allowed_types: TypeSet::ALL.without(TypeSet::of(&[VariantType::Color])),
        ..Limits::network()
    };
    let probed = Limits { max_key_probes: 0, max_heap_bytes: 3000, ..Limits::engine() };
    let limits = [(Limits::engine(), true), (tight, false), (probed, false)];
    [Strictness::Engine, Strictness::Safe, Strictness::Canonical].into_iter().flat_map(move |strictness| {
        limits.map(|(limits, full_objects)| Rules {
            strictness,
            limits,
            dialect,
            full_objects,
            reals: if full_objects { RealWidth::Double } else { RealWidth::Single },
        })
    })
}

fn answer(answers: &mut Digest, input: &[u8], dialect: Dialect) {
    answers.tell(&guess_dialect(input));
    for rules in rules(dialect) {
        let whole = Walker::new().decode(input, &rules, &mut ToValue);
        answers.tell(&whole.as_ref().map_err(ToString::to_string));
        let skipped = Walker::new().decode(input, &rules, &mut Skip);
        answers.tell(&skipped.map(|((), extent)| (((), ()), extent)).map_err(|error| error.needed()));
        pushed(answers, input, rules);
        answers.tell(&key_hash(input, &rules).ok());
        if let Ok((value, _)) = whole {
            written(answers, &value, &rules.limits);
        }
    }
    for strictness in [Strictness::Engine, Strictness::Safe] {
        let rules = Rules { strictness, dialect, full_objects: true, ..Rules::engine() };
        framed(answers, input, rules);
        for to in Dialect::ALL {
            answers.tell(&transcode(input, &rules, Target::newest(to)).map_err(|error| error.to_string()));
        }
    }
}

fn pushed(answers: &mut Digest, input: &[u8], rules: Rules) {
    let mut decoder = PushDecoder::new(ToValue, rules);
    for piece in input.chunks(7) {
        let progress = decoder.feed(piece);
        answers.tell(&progress);
        answers.tell(&decoder.position());
        if !matches!(progress, Ok(Progress::NeedMore { .. })) {
            return;
        }
    }
    answers.tell(&decoder.finish());
}

fn written(answers: &mut Digest, value: &Value, limits: &Limits) {
    for version in ["4.0", "4.2", "4.3", ""] {
        let mut output = Vec::new();
        let outcome = value.encode_for(Target::godot_4(version).unwrap(), &mut output, limits);
        answers.tell(&outcome.map_err(|error| error.to_string()));
        answers.say(&output);
    }
    let mut count = Count(0);
    let mut encoder = Encoder::new(&mut count, &Limits { max_output_bytes: 60, ..*limits });
    let again = value.encode().unwrap_or_default();
    answers.tell(&Walker::new().decode(&again, &Rules::engine(), &mut encoder).is_ok());
    answers.tell(&encoder.finish());
}

/// Reads the input as a frame, in pieces, its entries one by one, with another value behind it.
fn framed(answers: &mut Digest, input: &[u8], rules: Rules) {
    let length = u32::try_from(input.len()).unwrap().to_le_bytes();
    let stream = [&length[..], input, &[4, 0, 0, 0, 0, 0, 0, 0]].concat();
    let mut reader = FrameReader::new(ToValue, Framing::U32, rules);
    let (mut is_entered, mut held) = (false, Vec::new());
    for piece in stream.chunks(11) {
        held.extend_from_slice(piece);
        loop {
            let mut rest = &held[..];
            let entered = if is_entered { Err(Stop::Misplaced) } else { reader.enter(&mut rest) };
            is_entered |= !matches!(entered, Err(Stop::NeedMore { .. }));
            let stop = match entered {
                Err(Stop::Misplaced) => {
                    reader.next(&mut rest).map(|value| answers.tell(&(value, reader.take_key())))
                }
                other => other,
            };
            held = rest.to_vec();
            answers.tell(&(&stop, reader.depth(), reader.value_at(), reader.is_between()));
            match stop {
                Err(Stop::End) if reader.leave(&mut &held[..]).is_ok() => {}
                Err(Stop::NeedMore { .. } | Stop::Broken(_) | Stop::End | Stop::Misplaced) => break,
                Ok(()) | Err(Stop::Rejected(_)) => {}
            }
        }
    }
}
