//! Tests what the test kit itself does: its generators, oracles and corpora. They stand here, because the kit compiled for tests of
//! its own would be compiled twice.

mod schema {
    use variant_core::{PackedReals, Value};
    use variant_testkit::schema::same;

    #[test]
    fn widths_make_no_value_another() {
        let narrow = |rows: &[[f32; 4]]| Value::PackedVector4Array(PackedReals::Single(rows.to_vec()));
        let wide = |rows: &[[f64; 4]]| Value::PackedVector4Array(rows.to_vec().into());
        assert!(same(&narrow(&[]), &wide(&[])));
        assert!(same(&narrow(&[[0.5; 4]]), &wide(&[[0.5; 4]])));
        assert!(!same(&narrow(&[[0.5; 4]]), &wide(&[])));
        assert!(!same(&narrow(&[]), &Value::PackedByteArray(Vec::new())));
    }
}

mod same_key {
    use variant_core::{Array, Reals, Value};
    use variant_testkit::same_key::same_key;

    #[test]
    fn rule_12() {
        let text = |text: &str| Value::String(text.into());
        let array = |item: Value| {
            let items = vec![item];
            Value::Array(Box::new(Array { items, ..Array::default() }))
        };
        let name = || Value::StringName("a".into());
        assert!(!same_key(&Value::Int(1), &Value::Float(1.0)));
        assert!(same_key(&text("a"), &name()));
        assert!(!same_key(&array(text("a")), &array(name())));
        assert!(same_key(&Value::Float(0.0), &Value::Float(-0.0)));
        assert!(same_key(&Value::Float(f64::NAN), &Value::Float(-f64::NAN)));
        assert!(same_key(&array(Value::Int(1)), &array(Value::Int(1))));
        assert!(same_key(&array(Value::Float(0.0)), &array(Value::Float(-0.0))));
        assert!(!same_key(&array(Value::Float(f64::NAN)), &array(Value::Float(f64::NAN))));
        let vector = || Value::Vector2(Reals::Single([f32::NAN, 0.0]));
        assert!(same_key(&array(vector()), &array(vector())));
        let nested = |levels, n| (0..levels).fold(Value::Int(n), |inner, _| array(inner));
        assert!(!same_key(&nested(50, 1), &nested(50, 2)));
        assert!(same_key(&nested(51, 1), &nested(51, 2)));
        assert!(!same_key(&Value::ObjectId(5), &Value::ObjectId(5)));
        let (narrow, wide) = (Reals::Single([0.1, -0.0]), [0.1, 0.0_f64].into());
        assert!(same_key(&Value::Vector2(narrow), &Value::Vector2(wide)));
    }
}

mod attack {
    use variant_core::Strictness;
    use variant_testkit::attack::{Preset, flips, rich, row};
    use variant_testkit::oracle;

    #[test]
    fn answers_are_for_one_preset_or_for_all() {
        let line = row("f", "n | 02000000 | ok | A@1 B@2 C@3 | D@4 | why");
        assert_eq!(line.engine, ["ok", "ok", "ok"]);
        assert_eq!(line.safe, ["A@1", "B@2", "C@3"]);
        assert_eq!(line.canonical, ["D@4", "D@4", "D@4"]);
        let presets =
            line.answers().map(|(preset, rules, answer)| (preset, rules.strictness, answer.to_owned()));
        assert_eq!(presets[0], (Preset::Network, Strictness::Engine, "ok".to_owned()));
        assert_eq!(presets[5], (Preset::Engine, Strictness::Safe, "C@3".to_owned()));
        assert_eq!(presets[7], (Preset::SaveFile, Strictness::Canonical, "D@4".to_owned()));
    }

    #[test]
    fn the_rich_value_is_one() {
        let rich = rich();
        assert!(rich.len() > 600, "{} bytes", rich.len());
        assert_eq!(oracle::decode(&rich, false).map(|reading| reading.consumed), Ok(rich.len()));
        assert_eq!(flips(&rich).count(), rich.len() * 8);
    }
}

mod attack_input {
    use variant_testkit::attack::input_bytes as bytes;
    use variant_testkit::hex::bytes as hex;

    #[test]
    fn what_is_written_is_made() {
        assert!(bytes("").is_empty());
        assert_eq!(bytes("0a0b (01 (02)*2)*2 =258 =-1"), hex("0a0b 010202 010202 02010000 ffffffff"));
        assert_eq!(bytes("(# ff)*2"), hex("00000000 ff 01000000 ff"));
        assert_eq!(bytes("((#)*1 #h)*2"), hex("00000000 3030303030303030 00000000 3030303030303031"));
        assert_eq!(bytes("(#p)*6")[120..], *b"aBb!aBb!b!b!b!b!b!b!b!b!");
        assert_eq!(bytes("=4294967295"), [255; 4]);
    }
}

mod bounds {
    use variant_core::{Limits, Rules, TypeSet, Value, VariantType, decode};
    use variant_testkit::bounds::{Extents, as_allowed, extents};
    use variant_testkit::hex::bytes;

    #[test]
    fn a_tree_is_measured() {
        let blob = bytes("1b000000 01000000 04000000 02000000 68700000 1c000000 02000000 00000000 00000000");
        let value = decode(&blob, &Rules::engine()).unwrap();
        let expected = Extents { depth: 3, values: 5, entries: 1, string_bytes: 2, path_segments: 0 };
        assert_eq!(extents(&value), expected);
        for (depth, is_within) in [(3, true), (2, false)] {
            assert_eq!(expected.within(&Limits { max_depth: depth, ..Limits::engine() }), is_within);
        }
    }

    /// Only a null object is nil where objects are not allowed: a text that looks like one in words is not.
    #[test]
    fn null_objects_are_nil_and_texts_are_texts() {
        let allowed_types = TypeSet::ALL.without(TypeSet::of(&[VariantType::Object]));
        let limits = Limits { allowed_types, ..Limits::engine() };
        let text = || Value::from("24:0000000000000000");
        let items = Value::from([text(), Value::ObjectId(0), Value::ObjectId(1)]);
        let value = Value::from([(Value::ObjectId(0), items)]);
        let expected = Value::from([(Value::Nil, Value::from([text(), Value::Nil, Value::ObjectId(1)]))]);
        assert_eq!(as_allowed(&value, &limits), expected);
        assert_eq!(as_allowed(&value, &Limits::engine()), value);
    }
}

mod oracle {
    use variant_testkit::hex::bytes;
    use variant_testkit::oracle::{Reading, decode};

    #[track_caller]
    fn reads(hex: &str, consumed: usize, description: &str) {
        let reading = Reading { consumed, description: description.into() };
        assert_eq!(decode(&bytes(hex), false), Ok(reading));
    }

    #[test]
    fn rows_of_the_format() {
        reads("00000000", 4, "0");
        reads("02ab000007000000", 8, "2:7");
        reads("030000000100a07f", 8, "3:7ffc000020000000");
        reads("0400000004000000efbbbf78", 12, "4:\"x\"");
        reads("160000000100008000000000030000000100000061000000 0100000070000000", 32, "22://\"a\":\"p\"");
        reads("1c000000010000001d00000003000000616263", 20, "28<>[29:616263,]");
        reads(
            "1b00050004000000020000000100000004000000010000006100000002000000 01000000",
            36,
            "27<4><2>{4:\"a\"=2:1,}",
        );
    }
}

mod oracle_text {
    use variant_testkit::hex::bytes;
    use variant_testkit::oracle::clean_text;

    #[test]
    fn text_is_strict() {
        for wrong in ["c080", "c1bf", "e08080", "eda080", "f4908080", "f888808080", "e282", "80", "61ff"] {
            assert_eq!(clean_text(&bytes(wrong)), None, "{wrong}");
        }
        assert_eq!(clean_text("aé日😀\u{10FFFF}".as_bytes()).as_deref(), Some("aé日😀\u{10FFFF}"));
        assert_eq!(clean_text(&bytes("efbbbfefbbbf79")).as_deref(), Some("\u{FEFF}y"));
        assert_eq!(clean_text(&bytes("6f6b00fffe")).as_deref(), Some("ok"));
    }
}

mod mutate {
    use std::collections::HashSet;

    use variant_testkit::mutate::{IN_PLACE_CHANGES, Mutator, RESHAPINGS, Random};
    use variant_testkit::{golden, oracle};

    fn inputs(seed: u64, count: usize) -> Vec<Vec<u8>> {
        let mut mutator = Mutator::new(seed, golden::seeds());
        let mut input = Vec::new();
        (0..count)
            .map(|_| {
                mutator.fill(&mut input);
                input.clone()
            })
            .collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        assert_eq!(inputs(7, 500), inputs(7, 500));
        assert_ne!(inputs(7, 500), inputs(8, 500));
    }

    /// Guards against inputs that are all refused or all equal, which would test nothing.
    #[test]
    fn inputs_differ_and_many_are_still_values() {
        let inputs = inputs(1, 4000);
        let different: HashSet<&Vec<u8>> = inputs.iter().collect();
        assert!(different.len() > 3000, "{} different", different.len());
        let accepted = inputs.iter().filter(|input| oracle::decode(input, false).is_ok()).count();
        assert!((400..3600).contains(&accepted), "{accepted} accepted");
    }

    #[test]
    fn every_change_bears_every_length() {
        let mut mutator = Mutator::new(3, Vec::new());
        for length in 0..9 {
            for reshape in RESHAPINGS {
                reshape(&mut mutator, &mut vec![1; length]);
            }
            for change in IN_PLACE_CHANGES {
                change(&mut Random::new(3), &mut vec![1; length]);
            }
        }
    }
}

mod saves {
    use variant_core::{Dictionary, Rules, Strictness, Value};
    use variant_objects::{Scratch, Table};
    use variant_save::{Draft, OpenOptions, open, recover, write};
    use variant_testkit::saves::{check_open, check_recover, document, forged, seeds};

    /// Tests row C4: what is recovered of objects is a document that a writer of today could have written.
    #[test]
    fn recovered_objects_are_a_document() {
        let objects = document().to_value().encode().unwrap();
        let file = write(&Draft { is_document: true, slice_bytes: 200, ..Draft::new(&objects) }).unwrap();
        let (mut whole, mut in_part) = (0, 0);
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 0x20;
            let Ok(got) = recover(&changed, &OpenOptions::default()) else { continue };
            // A document that is written anew is in the order of a writer.
            let strictness = if got.lost == Some(0) { Strictness::Safe } else { Strictness::Canonical };
            let rules = Rules { strictness, ..Rules::default() };
            let table = Table::of_document(&got.payload, &rules).unwrap();
            let checked = table.check(&mut Scratch::default(), &got.payload, &rules, None);
            let count = checked.unwrap_or_else(|refusal| panic!("byte {at}: {refusal}")).objects();
            assert_eq!(count, got.entries);
            if got.lost == Some(0) { whole += 1 } else { in_part += 1 }
        }
        assert!(whole > 100 && in_part > 100, "{whole} whole, {in_part} in part of {}", file.len());
    }

    #[test]
    fn seeds_open_and_edits_of_them_hold() {
        let entries = (0..40).map(|n| (Value::Int(n), Value::from("x".repeat(20).as_str())));
        let state = Value::from(Dictionary::from_iter(entries)).encode().unwrap();
        let file = write(&Draft { slice_bytes: 100, ..Draft::new(&state) }).unwrap();
        assert!(open(&forged(&[&[1], &file[..]].concat()), &OpenOptions::default()).is_ok());
        let mut changed = [&[1], &file[..]].concat();
        let mut opened = 0;
        for at in 9..changed.len() {
            for value in [0, 0xFF, changed[at] ^ 1] {
                let before = std::mem::replace(&mut changed[at], value);
                check_open(&changed);
                check_recover(&changed);
                opened += usize::from(open(&forged(&changed), &OpenOptions::default()).is_ok());
                changed[at] = before;
            }
        }
        assert!(opened > 100, "{opened} edits opened");
        seeds().iter().for_each(|seed| {
            check_open(seed);
            check_recover(seed);
        });
    }
}

mod arbitrary {
    use std::collections::HashSet;

    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use variant_core::{Value, VariantType};
    use variant_testkit::arbitrary::{config, of_type, samples};

    fn types_in(value: &Value, seen: &mut HashSet<VariantType>) {
        seen.insert(value.ty());
        match value {
            Value::Array(array) => array.items.iter().for_each(|item| types_in(item, seen)),
            Value::Dictionary(dictionary) => dictionary.entries.iter().for_each(|(key, value)| {
                types_in(key, seen);
                types_in(value, seen);
            }),
            _ => {}
        }
    }

    #[test]
    fn trees_hold_every_type() {
        let mut seen = HashSet::new();
        samples(600, 1).iter().for_each(|value| types_in(value, &mut seen));
        assert_eq!(seen.len(), VariantType::ALL.len(), "{seen:?}");
    }

    #[test]
    fn each_type_makes_itself() {
        let mut runner = TestRunner::new(config(1, 1));
        for ty in VariantType::ALL {
            assert_eq!(of_type(*ty).new_tree(&mut runner).unwrap().current().ty(), *ty);
        }
    }
}

mod hex {
    use variant_testkit::hex::{Hex, bytes};

    #[test]
    fn hex_comes_back() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(bytes(&Hex(&all).to_string()), all);
        assert_eq!(bytes("02 0000 ff"), [2, 0, 0, 255]);
    }
}

mod targets {
    use variant_testkit::hex::Hex;
    use variant_testkit::targets::ALL;
    use variant_testkit::{attack, golden};

    /// Guards against a target that panics on the seeds every run begins with, since it would find nothing
    /// else.
    #[test]
    fn every_target_bears_every_seed() {
        let seeds: Vec<Vec<u8>> = golden::seeds().into_iter().chain(attack::seeds(4096)).collect();
        for (name, target) in ALL {
            for seed in &seeds {
                let outcome = std::panic::catch_unwind(|| target(seed));
                assert!(outcome.is_ok(), "{name}: {}", Hex(seed));
            }
        }
    }

    #[test]
    fn every_target_is_wrapped() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/fuzz/fuzz_targets");
        let mut wrapped: Vec<String> = std::fs::read_dir(folder)
            .expect("rust/fuzz is there")
            .map(|entry| entry.expect("a readable folder").path())
            .map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
            .collect();
        let mut named: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        wrapped.sort();
        named.sort_unstable();
        assert_eq!(wrapped, named);
    }
}
