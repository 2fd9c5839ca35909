//! Walker: limits, strictness and paths on hand-made bytes.

use super::*;
use crate::tests::words as bytes;
use crate::{Limits, RealWidth, Skip, ToValue};

#[track_caller]
fn fails(words: &[u32], rules: &Rules, kind: ErrorKind, at: u64, path: &str) {
    let bytes = bytes(words);
    let error = Walker::new().decode(&bytes, rules, &mut Skip).unwrap_err();
    assert_eq!((error.kind(), error.offset(), error.path().to_string().as_str()), (kind, at, path));
    assert_eq!(Walker::new().decode(&bytes, rules, &mut ToValue).unwrap_err(), error, "sinks agree");
}

#[track_caller]
fn passes(words: &[u32], rules: &Rules) -> Extent {
    validate(&bytes(words), rules).unwrap()
}

const HP: [u32; 3] = [4, 2, 0x7068];

#[test]
fn duplicate_keys_are_refused_in_safe_only() {
    let [a, b, c] = HP;
    let words = [27, 2, a, b, c, 2, 1, 21, b, c, 2, 2];
    assert_eq!(passes(&words, &Rules::engine()).consumed, 48);
    fails(&words, &Rules::default(), ErrorKind::DuplicateKey, 28, "hp");
    // 1 and 1.0 are two keys; 0.0 and -0.0 are one.
    passes(&[27, 2, 2, 1, 0, 3, 0x3F80_0000, 0], &Rules::default());
    fails(&[27, 2, 3, 0, 0, 3, 0x8000_0000, 0], &Rules::default(), ErrorKind::DuplicateKey, 20, "[entry 1]");
    // Arrays are keys by their parts; String and StringName differ inside one.
    let [d, e] = [28, 1];
    fails(
        &[27, 2, d, e, 2, 5, 0, d, e, 2, 5, 0],
        &Rules::default(),
        ErrorKind::DuplicateKey,
        28,
        "[entry 1]",
    );
    passes(&[27, 2, d, e, a, b, c, 0, d, e, 21, b, c, 0], &Rules::default());
}

/// Short keys are compared as words and long ones as bytes; those near the end of the input are not read as words.
#[test]
fn keys_of_every_length_are_told_apart() {
    let entry = |ty: u32, key: &str| {
        let mut bytes = [ty, u32::try_from(key.len()).unwrap()].map(u32::to_le_bytes).concat();
        bytes.extend(key.bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.extend([0; 4]);
        bytes
    };
    let dictionary = |entries: &[Vec<u8>]| {
        let count = u32::try_from(entries.len()).unwrap();
        [[27, count].map(u32::to_le_bytes).concat(), entries.concat()].concat()
    };
    for length in 0..40 {
        let (key, longer) = ("k".repeat(length), "k".repeat(length + 1));
        let mut wrong = dictionary(&[entry(4, &key), entry(4, &longer), entry(21, &key)]);
        let error = validate(&wrong, &Rules::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateKey, "{length}");
        assert!(validate(&wrong, &Rules::engine()).is_ok());
        wrong = dictionary(&[entry(4, &key), entry(4, &longer), entry(21, &format!("{longer}k"))]);
        assert!(validate(&wrong, &Rules::default()).is_ok(), "{length}");
    }
}

#[test]
fn many_keys_are_told_apart() {
    let mut words = vec![27, 5000];
    for key in 0..5000 {
        words.extend([2, key, 27, 1, 2, key, 0]);
    }
    passes(&words, &Rules::default());
    *words.get_mut(3 + 7 * 4999).unwrap() = 17;
    fails(&words, &Rules::default(), ErrorKind::DuplicateKey, 8 + 28 * 4999, "[17]");
}

#[test]
fn paths_lead_to_the_value() {
    let [a, b, c] = HP;
    let words = [27, 1, a, b, c, 28, 2, 0, 27, 1, 2, 7, 99];
    fails(&words, &Rules::engine(), ErrorKind::UnknownType { id: 99 }, 48, "hp[1][7]");
    fails(&[27, 1, 99], &Rules::engine(), ErrorKind::UnknownType { id: 99 }, 8, "[key 0]");
    fails(
        &[34, 2, 0, 0xFFFF_FFFF],
        &Rules::engine(),
        ErrorKind::InvalidLength { ty: VariantType::PackedStringArray, declared: -1 },
        12,
        "[1]",
    );
}

#[test]
fn typed_containers_are_checked_in_safe() {
    use VariantType::{Int, String};
    let [a, b, c] = HP;
    let kind = ErrorKind::WrongElementType { expected: Int, got: String };
    passes(&[0x1001C, 2, 1, a, b, c], &Rules::engine());
    fails(&[0x1001C, 2, 1, a, b, c], &Rules::default(), kind, 12, "[0]");
    fails(&[0x5001B, 4, 2, 1, a, b, c, a, b, c], &Rules::default(), kind, 28, "hp");
    fails(&[0x1001C, 39, 0], &Rules::engine(), ErrorKind::InvalidElementType { id: 39 }, 4, "(root)");
}

#[test]
fn limits_hold_at_the_boundary() {
    let limits =
        Limits { max_values: 3, max_depth: 2, max_entries: 1, max_string_bytes: 4, ..Limits::save_file() };
    let rules = Rules::safe(limits);
    passes(&[28, 2, 0, 0], &rules);
    fails(&[28, 3, 0, 0, 0], &rules, ErrorKind::TooManyValues { limit: 3, declared: 3 }, 0, "(root)");
    fails(&[28, 1, 28, 1, 0], &rules, ErrorKind::TooDeep { limit: 2 }, 16, "[0][0]");
    fails(
        &[27, 2, 2, 1, 0, 2, 2, 0],
        &rules,
        ErrorKind::TooManyEntries { limit: 1, declared: 2 },
        4,
        "(root)",
    );
    fails(&[4, 5, 0, 0], &rules, ErrorKind::StringTooLong { limit: 4, declared: 5 }, 4, "(root)");
    let bytes_limit = Rules::safe(Limits { max_bytes: 7, ..Limits::save_file() });
    fails(&[2, 1], &bytes_limit, ErrorKind::TooManyBytes { limit: 7, declared: 8 }, 7, "(root)");
    fails(&[23, 0, 0], &Rules::default(), ErrorKind::TypeNotAllowed { ty: VariantType::Rid }, 0, "(root)");
    let network = Rules::safe(Limits::network());
    fails(&[27, 1, 3, 0, 0], &network, ErrorKind::KeyTypeNotAllowed { ty: VariantType::Float }, 8, "[key 0]");
}

#[test]
fn a_byte_arrays_last_padding_may_be_missing() {
    let mut bytes = bytes(&[29, 3]);
    bytes.extend([1, 2, 3]);
    assert_eq!(validate(&bytes, &Rules::engine()).unwrap(), Extent { consumed: 12, trailing: 0 });
    assert_eq!(validate(&bytes, &Rules::default()).unwrap_err().needed(), Some(1));
}

#[test]
fn nothing_is_reserved_for_a_claim() {
    let claim = Container::Array { element: crate::token::ContainerType::None, count: 0x7FFF_FFFF };
    assert_eq!(ledger::reserve(&claim, 40, 0), 10);
    assert_eq!(ledger::reserve(&claim, 40, 7), 3);
    assert_eq!(ledger::reserve(&claim, 40, 11), 0);
}

/// Finds what a value costs by the least limit that lets it pass.
#[track_caller]
fn charge(words: &[u32]) -> u64 {
    let bytes = bytes(words);
    let passes = |max_heap_bytes| {
        let rules = Rules { limits: Limits { max_heap_bytes, ..Limits::engine() }, ..Rules::engine() };
        validate(&bytes, &rules).is_ok()
    };
    (0..1 << 20).find(|limit| passes(*limit)).unwrap()
}

#[test]
fn values_are_charged_what_they_cost_in_the_engine() {
    let [a, b, c] = HP;
    // Numbers stand in their container's slot.
    assert_eq!([charge(&[0]), charge(&[2, 7]), charge(&[5, 0, 0])], [0, 0, 0]);
    // Header 56, buffer: counters 32 and slots, each allocation with 24 bytes of its own, rounded up.
    assert_eq!(charge(&[28, 0]), 96);
    assert_eq!(charge(&[28, 2, 0, 0]), 96 + (32 + 64 + 32));
    // Texts and packed numbers go by their bytes on the wire, a name has a record besides.
    assert_eq!(charge(&[a, b, c]), 12 * 8);
    assert_eq!(charge(&[21, b, c]), 12 * 8 + 56);
    assert_eq!(charge(&[29, 4, 0]), 112 + 12 * 2);
    assert_eq!(charge(&[34, 1, 2, 0x78]), 64 + (32 + 8 + 39) / 16 * 16 + 8 + 12 * 8);
    assert_eq!(charge(&[27, 0]), 128 + 32);
    assert_eq!(charge(&[27, 1, 2, 1, 0]), 160 + (64 + 32) + (23 * 12 + 64));
    // Our record of a key is given back when its Dictionary closes, so that it counts where many may be open.
    let eighth = [&[28, 1].repeat(8)[..], &[27, 1, 2, 1, 0]].concat();
    assert_eq!(charge(&eighth), 8 * (96 + 96) + 160 + (64 + 32) + 96 + (23 * 12 + 64));
    assert_eq!(charge(&[0x1_0018, 7, 0]), 512);
    // A class is remembered by its name, whose padding is not told apart: 8 for each byte, and a record.
    assert_eq!(charge(&[0x2_001C, 4, 0x6564_6F4E, 0]), 96 + 8 * (8 + 4 + 3) + 56);
    assert_eq!(charge(&[0xA_001B, 4, 0x6564_6F4E, 4, 0x6564_6F4E, 0]), 160 + 2 * (8 * (8 + 4 + 3) + 56));
    let transform = [&[11][..], &[0; 6]].concat();
    assert_eq!(charge(&[&[28, 1][..], &transform].concat()), 96 + 96 + 40);
}

#[test]
fn a_charge_is_refused_at_one_place_whatever_is_built() {
    let [a, b, c] = HP;
    let heap = |max_heap_bytes| Rules::safe(Limits { max_heap_bytes, ..Limits::engine() });
    let words = [28, 3, a, b, c, 28, 1, 21, b, c, 2, 1];
    let all = charge(&words);
    passes(&words, &heap(all));
    let kind = ErrorKind::TooMuchMemory { limit: all - 1 };
    fails(&words, &heap(all - 1), kind, 28, "[1][0]");
    fails(&words, &heap(200), ErrorKind::TooMuchMemory { limit: 200 }, 0, "(root)");
    // Nothing of a count that cannot be paid for is waited for.
    fails(&[28, 0x7FFF_FFFF], &heap(1 << 30), ErrorKind::TooMuchMemory { limit: 1 << 30 }, 0, "(root)");
    fails(&[27, 0x7FFF_FFFF], &heap(1 << 30), ErrorKind::TooMuchMemory { limit: 1 << 30 }, 0, "(root)");
    // A double-precision build pays twice; a conversion is a second value.
    let double = Rules { reals: RealWidth::Double, ..heap(2 * all - 1) };
    fails(&words, &double, ErrorKind::TooMuchMemory { limit: 2 * all - 1 }, 28, "[1][0]");
    assert!(charge(&[0x1_001C, 28, 1, 29, 4, 0]) >= charge(&[28, 1, 29, 4, 0]) + 96 + 4 * 24);
}

/// A text that the budget does not reach for ends a run of plain values at its own place, not at the run's.
#[test]
fn a_refusal_inside_a_run_names_its_own_place() {
    let words = [28, 5, 2, 1, 2, 2, 4, 1, 0x61, 4, 1, 0x61, 0];
    // The array of five slots, and the first text.
    let limits = Limits { max_heap_bytes: 96 + 32 + 32 + 256 + 32 + 96, ..Limits::save_file() };
    let all = validate(&bytes(&words), &Rules::safe(limits));
    let kind = |limit| ErrorKind::TooMuchMemory { limit };
    assert!(all.is_ok(), "{all:?}");
    let (mut limit, mut places) = (limits.max_heap_bytes, Vec::new());
    while limit > 0 {
        limit -= 1;
        let rules = Rules::safe(Limits { max_heap_bytes: limit, ..limits });
        if let Err(error) = validate(&bytes(&words), &rules) {
            assert_eq!(error.kind(), kind(limit));
            places.push((error.offset(), error.path().to_string()));
        }
    }
    places.dedup();
    let expected = [(36, "[3]".to_owned()), (24, "[2]".to_owned()), (0, "(root)".to_owned())];
    assert_eq!(places, expected);
}

/// A walker that was refused in the middle begins the next value with nothing of the last one.
#[test]
fn a_walker_is_used_again() {
    let [a, b, c] = HP;
    let rules = Rules::safe(Limits { max_values: 5, max_heap_bytes: 2000, ..Limits::network() });
    let good = bytes(&[27, 2, a, b, c, 1, 1, 2, 7, 0]);
    let cut = bytes(&[27, 2, a, b, c, 27, 1, a, b, c]);
    let mut walker = Walker::new();
    for _ in 0..20 {
        assert_eq!(walker.decode(&good, &rules, &mut Skip).map(|((), extent)| extent.consumed), Ok(40));
        assert_eq!(walker.decode(&cut, &rules, &mut Skip).unwrap_err().path().to_string(), "hp.hp");
        assert!(walker.ledger.keys.held() <= 4, "{} keys are held", walker.ledger.keys.held());
    }
}

/// The bounds on bytes are met exactly.
#[test]
fn as_many_bytes_as_are_allowed_pass() {
    let rules = |max_bytes| Rules::safe(Limits { max_bytes, ..Limits::save_file() });
    let eight = bytes(&[2, 7]);
    assert!(validate(&eight, &rules(8)).is_ok());
    assert_eq!(
        validate(&eight, &rules(7)).unwrap_err().kind(),
        ErrorKind::TooManyBytes { limit: 7, declared: 8 }
    );
    let mut lax = [4_u32, 1].map(u32::to_le_bytes).concat();
    lax.extend([0xFE, 0, 0, 0]);
    let engine = |max_bytes| Rules { limits: rules(max_bytes).limits, ..Rules::engine() };
    for (limit, name) in [(11, "TOO_MANY_BYTES"), (12, "INVALID_UTF8")] {
        let error = validate(&lax, &engine(limit).of_dialect(Dialect::Godot3)).unwrap_err();
        assert_eq!(error.kind().name(), name);
    }
}

/// Keys are held while their Dictionary is open, and no longer.
#[test]
fn keys_of_closed_dictionaries_are_forgotten() {
    let [a, b, c] = HP;
    let mut words = vec![28, 1000];
    (0..1000).for_each(|_| words.extend([27, 1, a, b, c, 0]));
    let mut walker = Walker::new();
    walker.decode(&bytes(&words), &Rules::default(), &mut Skip).unwrap();
    assert!(walker.ledger.keys.held() <= 4, "{} keys are held", walker.ledger.keys.held());
}

#[test]
fn a_header_tells_the_type() {
    assert_eq!(peek_type(&bytes(&[0x1_001C, 0])), Some(VariantType::Array));
    assert_eq!(peek_type(&[2, 0, 0, 0]), Some(VariantType::Int));
    assert_eq!((peek_type(&[2, 0, 0]), peek_type(&bytes(&[39]))), (None, None));
}

/// A value that is all there is gets what the walk with a ledger would give it: value, extent and refusal, under rules
/// that let it pass and such as do not, at every byte that it can be cut at.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn a_lone_value_is_what_the_walk_makes_of_it() {
    let rules_of = |limits| {
        let canonical = Rules { strictness: crate::Strictness::Canonical, ..Rules::safe(limits) };
        let engine = Rules { limits, ..Rules::engine() };
        [Rules::safe(limits), engine, canonical, engine.of_dialect(Dialect::Godot3)]
    };
    let base = Limits::save_file();
    let mut bounds = vec![base, Limits::network(), Limits::engine()];
    bounds.extend([0, 1, 2].map(|max_depth| Limits { max_depth, ..base }));
    bounds.extend([0, 1, 2].map(|max_values| Limits { max_values, ..base }));
    bounds.extend([0, 7, 8, 12, 19, 20].map(|max_bytes| Limits { max_bytes, ..base }));
    bounds.extend([0, 2, 3].map(|max_string_bytes| Limits { max_string_bytes, ..base }));
    bounds.extend((0..40).map(|eights| Limits { max_heap_bytes: 8 * eights, ..base }));
    bounds.extend([4, 2, 5, 21].map(|id| Limits { allowed_types: crate::TypeSet(!(1 << id)), ..base }));
    bounds.push(Limits { max_key_probes: 0, ..base });
    let (mut found, mut empty, mut leaves) = (0, 0_u64, 0_u64);
    for header in (0..40).chain((0..40).map(|id| id | 1 << 16)) {
        for second in [0, 1, 2, 3, 9, u32::MAX] {
            let whole = bytes(&[header, second, 0x0062_6100 >> 8, 7, 8, 9]);
            for limits in &bounds {
                for rules in rules_of(*limits) {
                    for end in [0, 4, 8, 9, 12, 16, 20, 24] {
                        let cut = whole.get(..end).unwrap();
                        let Some(single) = single(cut, &rules) else { continue };
                        let walked = Walker::new().decode(cut, &rules, &mut ToValue);
                        if let Single::Empty(ty) = single {
                            let (value, extent) = walked.unwrap();
                            assert_eq!((value.ty(), extent.consumed, extent.trailing), (ty, 8, 0));
                            empty |= 1 << ty.id();
                            continue;
                        }
                        found += 1;
                        leaves |= 1 << (header % 64);
                        let plain = Walker::new().decode(cut, &rules, &mut ToValue);
                        // As text, since NaN is not equal to itself.
                        assert_eq!(format!("{plain:?}"), format!("{walked:?}"), "{cut:?} {rules:?}");
                    }
                }
            }
        }
    }
    assert!(found > 1000, "{found} plain roots");
    assert_eq!(leaves & (1 << 4 | 1 << 21), 1 << 4 | 1 << 21, "texts and names");
    assert_eq!(empty, 1_u64 << 27 | 1 << 28, "no other container is empty without types");
}

/// Two keys are refused as one where the engine's table would take them for one, and nowhere else, in a Dictionary with few
/// entries and in one with many. `same_key` says, value by value, which keys are one.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn keys_of_every_shape_are_told_apart() {
    const NAN: [u32; 2] = [0x7FC0_0000, 0xFFC0_0001];
    let keys: &[&[u32]] = &[
        &[0],
        &[1, 0],
        &[1, 1],
        &[2, 0],
        &[2, 1],
        &[0x1_0002, 1, 0],
        &[0x1_0002, 1, 1],
        &[3, 0],
        &[3, 0x8000_0000],
        &[3, NAN[0]],
        &[3, NAN[1]],
        &[0x1_0003, 0, 0x8000_0000],
        &[0x1_0003, 1, 0],
        &[0x1_0003, 0, 0x7FF8_0000],
        &[0x1_0003, 0, 0x3FF0_0000],
        &[4, 1, 0x61],
        &[21, 1, 0x61],
        &[4, 2, 0x6161],
        &[4, 20, 0x6161_6161, 0x6161_6161, 0x6161_6161, 0x6161_6161, 0x6161_6161],
        &[5, 0, 1],
        &[5, 0x8000_0000, 1],
        &[5, NAN[0], 1],
        &[5, NAN[1], 1],
        &[5, 0x3F00_0000, 0],
        &[0x1_0005, 0, 0x3FE0_0000, 0, 0],
        &[0x1_0005, 1, 0x3FE0_0000, 0, 0],
        &[6, 0, 1],
        &[6, 0x8000_0000, 1],
        &[15, 0, 0, 0, 0x3F80_0000],
        &[15, 0x8000_0000, 0, 0, 0x3F80_0000],
        &[20, 0, 0, 0, 0x3F80_0000],
        &[20, 0, 0x8000_0000, 0, 0x3F80_0000],
        &[22, 0x8000_0001, 0, 0, 1, 0x61],
        &[22, 0x8000_0001, 0, 1, 1, 0x61],
        &[22, 0x8000_0000, 1, 0, 1, 0x61],
        &[28, 0],
        &[28, 1, 0],
        &[28, 1, 28, 0],
        &[28, 2, 0, 0],
        &[28, 1, 2, 1],
        &[28, 1, 3, 0],
        &[28, 1, 3, 0x8000_0000],
        &[28, 1, 4, 1, 0x61],
        &[28, 1, 21, 1, 0x61],
        &[28, 1, 4, 2, 0x6161],
        &[28, 1, 3, NAN[0]],
        &[28, 1, 3, NAN[1]],
        &[28, 1, 0x1_0003, 0, 0x7FF8_0000],
        &[28, 1, 28, 1, 3, NAN[0]],
        &[28, 1, 5, NAN[0], 1],
        &[28, 1, 5, NAN[1], 1],
        &[28, 1, 32, 1, NAN[0]],
        &[28, 1, 33, 1, 0, 0x7FF8_0000],
        &[28, 1, 9, 0, 0, 0x8000_0000],
        &[28, 1, 9, 0, 0, 0],
        &[0x1_001C, 3, 1, 3, NAN[0]],
        &[0x1_001C, 2, 1, 2, 1],
        &[27, 0],
        &[27, 1, 2, 1, 0],
        &[27, 1, 2, 1, 2, 1],
        &[27, 1, 2, 1, 3, NAN[0]],
        &[27, 1, 2, 1, 5, NAN[0], 1],
        &[27, 1, 3, NAN[0], 0],
        &[27, 1, 3, NAN[1], 0],
        &[27, 1, 28, 1, 3, NAN[0], 0],
        &[27, 1, 27, 1, 3, NAN[0], 0, 0],
        &[27, 1, 4, 1, 0x61, 0],
        &[27, 1, 4, 1, 0x62, 0],
        &[27, 1, 21, 1, 0x61, 0],
        &[27, 1, 4, 1, 0x61, 2, 1],
        &[27, 1, 4, 2, 0x6161, 0],
        &[27, 2, 4, 1, 0x61, 0, 4, 1, 0x62, 0],
        &[27, 2, 4, 1, 0x62, 0, 4, 1, 0x61, 0],
        &[27, 2, 2, 1, 0, 4, 1, 0x61, 0],
        &[27, 1, 27, 1, 4, 1, 0x61, 0, 0],
        &[27, 1, 27, 1, 4, 1, 0x62, 0, 0],
        &[28, 1, 27, 1, 4, 1, 0x61, 0],
        &[28, 1, 27, 1, 4, 1, 0x62, 0],
        &[29, 2, 0x0201],
        &[29, 3, 0x0201],
        &[30, 1, 0],
        &[30, 1, 0x8000_0000],
        &[31, 1, 0, 0],
        &[31, 1, 0, 0x8000_0000],
        &[32, 1, 0],
        &[32, 1, 0x8000_0000],
        &[32, 1, NAN[0]],
        &[32, 1, NAN[1]],
        &[33, 1, 0, 0],
        &[33, 1, 0, 0x8000_0000],
        &[33, 1, 1, 0],
        &[34, 1, 2, 0x61],
        &[34, 1, 3, 0x6161],
        &[34, 2, 2, 0x61, 2, 0x61],
    ];
    let all = Rules::safe(Limits { allowed_key_types: crate::TypeSet::ALL, ..Limits::engine() });
    let decoded =
        |key: &&[u32]| crate::decode(&bytes(key), &all).unwrap_or_else(|error| panic!("{error}: {key:x?}"));
    let values: Vec<_> = keys.iter().map(decoded).collect();
    for (a, of_a) in keys.iter().zip(&values) {
        for (b, of_b) in keys.iter().zip(&values) {
            for more in [0, 30] {
                let others = (0..more).flat_map(|at| [2, 1000 + at, 0]);
                let words = [27, more + 2].into_iter().chain(others);
                let words: Vec<u32> =
                    words.chain(a.iter().copied()).chain([0]).chain(b.iter().copied()).collect();
                let verdict = validate(&bytes(&[&words[..], &[0]].concat()), &all);
                let is_one = crate::same_key::same_key(of_a, of_b);
                assert_eq!(
                    verdict.map_err(|error| error.kind()).err(),
                    is_one.then_some(ErrorKind::DuplicateKey),
                    "{a:x?} {b:x?}"
                );
            }
        }
    }
}

/// The engine compares keys down to 50 levels, and goes by 32 bits of a hash below: two keys that are alike so far are
/// refused as one. Texts and numbers are looked at wherever they are.
#[test]
fn keys_are_compared_as_deep_as_the_engine_does() {
    let all = Rules::safe(Limits { allowed_key_types: crate::TypeSet::ALL, ..Limits::engine() });
    let nested = |levels: usize, way: [u32; 2], inner: &[u32]| [&way.repeat(levels)[..], inner].concat();
    let is_one = |a: &[u32], b: &[u32]| {
        let verdict = validate(&bytes(&[&[27, 2][..], a, &[0], b, &[0]].concat()), &all);
        assert!(verdict.as_ref().err().is_none_or(|error| error.kind() == ErrorKind::DuplicateKey));
        verdict.is_err()
    };
    let array = |levels, inner: &[u32]| nested(levels, [28, 1], inner);
    for (levels, is_same) in [(1, false), (49, false), (50, false), (51, true), (101, true), (500, true)] {
        let one = is_one(&array(levels, &[2, 1]), &array(levels, &[2, 2]));
        assert_eq!(one, is_same, "{levels} levels");
        // Values of dictionaries are as deep as elements; texts of packed arrays and paths are no level.
        let dictionary = |inner| array(levels - 1, &[27, 1, 2, 7, 2, inner]);
        assert_eq!(is_one(&dictionary(1), &dictionary(2)), is_same, "{levels} levels");
        let texts = |text| array(levels, &[34, 1, 2, text]);
        assert_eq!(is_one(&texts(0x61), &texts(0x62)), is_same, "{levels} levels");
        let many = |count| array(levels - 1, &[&[28, count][..], &[0].repeat(count as usize)].concat());
        assert_eq!(is_one(&many(1), &many(2)), levels > 51, "{levels} levels: how many are looked at sooner");
    }
    // A key of a key is compared from its own first level on.
    let key_of_key = |levels, inner| array(40, &[&[27, 1][..], &array(levels, &[2, inner]), &[0]].concat());
    assert!(!is_one(&key_of_key(50, 1), &key_of_key(50, 2)));
    assert!(is_one(&key_of_key(51, 1), &key_of_key(51, 2)));
    let [inner, outer] = [array(60, &[2, 1]), array(60, &[2, 2])];
    let twice = array(60, &[&[27, 2][..], &inner, &[0], &outer, &[0]].concat());
    assert!(
        validate(&bytes(&[&[27, 1][..], &twice, &[0]].concat()), &all).is_err(),
        "what is not compared is judged"
    );
}

/// Wide numbers are what a double-precision build tells apart.
#[test]
fn wide_reals_tell_wide_vectors_apart() {
    let single = Rules::safe(Limits { allowed_key_types: crate::TypeSet::ALL, ..Limits::engine() });
    let double = Rules { reals: RealWidth::Double, ..single };
    let verdicts = |a: &[u32], b: &[u32]| {
        let bytes = bytes(&[&[27, 2], a, &[0], b, &[0]].concat());
        [single, double].map(|rules| validate(&bytes, &rules).is_err())
    };
    let half: &[u32] = &[0x1_0005, 0, 0x3FE0_0000, 0, 0];
    assert_eq!(verdicts(half, &[5, 0x3F00_0000, 0]), [true, true], "one half, twice");
    assert_eq!(verdicts(half, &[0x1_0005, 1, 0x3FE0_0000, 0, 0]), [true, false], "a little more than a half");
    assert_eq!(verdicts(half, &[0x1_0005, 0, 0x3FE0_0000, 0, 0x8000_0000]), [true, true], "0 and -0");
    assert_eq!(verdicts(&[32, 1, 0], &[32, 1, 0x8000_0000]), [true, true], "singles stay singles");
    assert_eq!(verdicts(&[33, 1, 0, 0], &[33, 1, 1, 0]), [false, false], "doubles stay doubles");
}

/// Memory that a value of some kilobytes needed is kept for the next one. That of a giant is not, however it
/// came in.
#[test]
fn a_walker_keeps_what_ordinary_values_need() {
    let keys = |count: u32| {
        bytes(&[&[27, count][..], &(0..count).flat_map(|n| [2, n, 0]).collect::<Vec<_>>()].concat())
    };
    let mut walker = Walker::new();
    let mut held = |bytes: &[u8]| {
        walker.decode(bytes, &Rules::default(), &mut Skip).unwrap();
        walker.ledger.keys.held()
    };
    let (ordinary, giant) = (keys(1200), keys(40_000));
    assert!(ordinary.len() < LARGE && giant.len() > LARGE);
    let warm = held(&ordinary);
    assert!(warm >= 1200, "{warm}");
    let after = held(&giant);
    assert!(after < 1200, "{after}");
    walker.decode(&ordinary, &Rules::default(), &mut Skip).unwrap();
    assert!(walker.ledger.keys.held() >= 1200);
    walker.let_go();
    assert!(walker.ledger.keys.held() < 1200);
}

/// A tile is named by where it lies, not by its number: by a walk, and in pieces.
#[test]
fn a_key_of_ints_is_in_the_path() {
    let pushed = |bytes: &[u8]| {
        let mut decoder = crate::PushDecoder::new(ToValue, Rules::default());
        bytes.chunks(1).find_map(|byte| decoder.feed(byte).err()).expect("an error")
    };
    for (words, path) in [
        (&[27, 1, 6, 1, 0xFFFF_FFFE, 99][..], "[Vector2i(1, -2)]"),
        (&[27, 1, 10, 1, 2, 3, 99], "[Vector3i(1, 2, 3)]"),
        (&[27, 1, 13, 1, 2, 3, 4, 28, 1, 99], "[Vector4i(1, 2, 3, 4)][0]"),
        (&[27, 1, 8, 1, 2, 3, 4, 99], "[entry 0]"),
    ] {
        let bytes = bytes(words);
        assert_eq!(validate(&bytes, &Rules::default()).unwrap_err().path().to_string(), path);
        assert_eq!(pushed(&bytes).path().to_string(), path);
    }
}
