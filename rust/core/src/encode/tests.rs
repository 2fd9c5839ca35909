//! Tests the encoder: texts from characters, limits to the byte, and values that a target cannot read.

use super::*;
use crate::token::{Count, Lanes};
use crate::wire::Dialect;

const TEXTS: [&str; 5] =
    ["", "abc", "é日🌬", "a\0b", "more than sixty-four characters, so that it takes the buffer twice"];

fn chars(text: &str) -> Vec<char> {
    text.chars().collect()
}

fn limited(max_output_bytes: u64) -> Limits {
    Limits { max_output_bytes, ..Limits::engine() }
}

/// Returns what a call writes, and how it ends.
fn written(
    limits: &Limits,
    target: Target,
    call: impl FnOnce(&mut Encoder<'_>) -> Result<(), Fault>,
) -> (Vec<u8>, Result<u64, ErrorKind>) {
    let mut output = Vec::new();
    let mut encoder = Encoder::new(&mut output, limits).for_target(target);
    let outcome = call(&mut encoder).and_then(|()| encoder.finish());
    (output, outcome.map_err(|fault| fault.kind))
}

#[test]
fn characters_are_the_text_they_spell() {
    for dialect in Dialect::ALL {
        let target = Target::newest(dialect);
        for text in TEXTS {
            let leaf = Leaf::Text(VariantType::String, Text::new(text));
            let (expected, ended) = written(&Limits::engine(), target, |to| to.leaf(&leaf));
            let by_chars =
                written(&Limits::engine(), target, |to| to.chars(VariantType::String, &chars(text)));
            assert_eq!(by_chars, (expected, ended), "{text:?} for {dialect:?}");
            for form in [TextForm::Plain, TextForm::Terminated, TextForm::PathName] {
                let cut = Text::new(text);
                let expected = written(&Limits::engine(), target, |to| to.text(form, cut.as_str()));
                let by_chars = written(&Limits::engine(), target, |to| to.text_chars(form, &chars(text)));
                assert_eq!(by_chars, expected, "{text:?} as {form:?} for {dialect:?}");
            }
        }
    }
}

/// Tests that a short text is written as a leaf is, or not at all.
#[test]
fn short_texts_are_written_as_leaves() {
    let mut texts: Vec<String> = TEXTS.iter().map(|text| (*text).to_owned()).collect();
    for length in 0..20 {
        let text = "abcdefghijklmnopqrstu"[..length].to_owned();
        for at in 0..length {
            for other in ['\0', '\u{1}', '\u{7F}', 'é', '\u{FEFF}', '🌬'] {
                texts.push(format!("{}{other}{}", &text[..at], &text[at + 1..]));
            }
        }
        texts.push(text);
    }
    for ty in [VariantType::String, VariantType::StringName] {
        for text in &texts {
            let mut is_short = false;
            let by_copy = written(&Limits::engine(), Target::default(), |to| {
                is_short = to.short_text(ty, text);
                Ok(())
            });
            let is_plain = text.len() <= 16 && !text.contains('\0') && !text.starts_with('\u{FEFF}');
            assert_eq!(is_short, is_plain, "{text:?}");
            let leaf = Leaf::Text(ty, Text::new(text));
            let expected = written(&Limits::engine(), Target::default(), |to| to.leaf(&leaf));
            assert_eq!(by_copy, if is_short { expected } else { (Vec::new(), Ok(0)) }, "{text:?}");
        }
    }
}

#[test]
fn a_short_text_is_left_to_what_may_refuse_it() {
    let short = |limits: &Limits, target| {
        let mut output = Vec::new();
        let is_short =
            Encoder::new(&mut output, limits).for_target(target).short_text(VariantType::String, "hp");
        assert_ne!(output.is_empty(), is_short);
        is_short
    };
    let (engine, newest) = (Limits::engine(), Target::default());
    assert!(short(&engine, newest) && short(&limited(24), newest));
    assert!(!short(&limited(11), newest), "no room");
    assert!(!short(&Limits { max_depth: 0, ..engine }, newest), "too deep");
    assert!(!short(&engine, Target::newest(Dialect::Godot3)), "another target");
}

#[test]
fn a_name_is_not_written_for_a_reader_that_has_none() {
    let target = Target::newest(Dialect::Godot3);
    let name = VariantType::StringName;
    let refused = (Vec::new(), Err(ErrorKind::NotInDialect { ty: name }));
    assert_eq!(written(&Limits::engine(), target, |to| to.chars(name, &['a'])), refused);
    assert_eq!(written(&Limits::engine(), Target::default(), |to| to.chars(name, &['a'])).1, Ok(12));
}

/// Tests that the limit is exact, also where the most that characters could take is over it.
#[test]
fn texts_from_characters_keep_the_limit_to_the_byte() {
    for text in ["abcdefgh", "éé日🌬", "x"] {
        let whole =
            written(&Limits::engine(), Target::default(), |to| to.chars(VariantType::String, &chars(text)));
        let length = whole.1.unwrap();
        for limit in 0..length + 40 {
            let refusal = Err(ErrorKind::OutputTooLarge { limit });
            let (output, ended) =
                written(&limited(limit), Target::default(), |to| to.chars(VariantType::String, &chars(text)));
            let is_hopeless = limit < u64::try_from(text.len()).unwrap() + 4;
            assert_eq!(output.is_empty(), is_hopeless, "{text:?} in {limit}: written in vain");
            assert_eq!(ended, if limit < length { refusal } else { Ok(length) }, "{text:?} in {limit}");
            let (_, ended) = written(&limited(limit), Target::default(), |to| {
                to.text_chars(TextForm::Plain, &chars(text))
            });
            let bare = length - 4;
            assert_eq!(ended, if limit < bare { refusal } else { Ok(bare) }, "{text:?} bare in {limit}");
        }
    }
}

/// Tests that bytes which were in the buffer before are not counted, and that nothing of a refused token is
/// written.
#[test]
fn limits_count_from_where_it_began() {
    let mut output = vec![7; 100];
    let mut encoder = Encoder::new(&mut output, &limited(8));
    encoder.leaf(&Leaf::Int(5)).unwrap();
    assert_eq!(encoder.at(), 8);
    let fault = encoder.leaf(&Leaf::Nil).unwrap_err();
    assert_eq!((fault.kind, fault.at), (ErrorKind::OutputTooLarge { limit: 8 }, 8));
    assert_eq!(encoder.finish(), Ok(8));
    assert_eq!(output.len(), 108);
}

#[test]
fn every_kind_of_token_counts_its_depth() {
    let limits = Limits { max_depth: 2, ..Limits::engine() };
    let array = Container::Array { element: crate::token::ContainerType::None, count: 1 };
    let mut output = Vec::new();
    let mut encoder = Encoder::new(&mut output, &limits);
    encoder.open(&array).unwrap();
    encoder.open(&array).unwrap();
    let too_deep = ErrorKind::TooDeep { limit: 2 };
    assert_eq!(encoder.leaf(&Leaf::Nil).unwrap_err().kind, too_deep);
    assert_eq!(encoder.open(&array).unwrap_err().kind, too_deep);
    assert_eq!(encoder.chars(VariantType::String, &['a']).unwrap_err().kind, too_deep);
    encoder.close();
    encoder.leaf(&Leaf::Nil).unwrap();
    encoder.close();
    assert_eq!(encoder.finish(), Ok(20));
}

/// Tests that a payload's room is checked before it is written: numbers, texts and signals alike.
#[test]
fn nothing_of_a_large_leaf_is_written() {
    let bytes = [1; 64];
    let text = "t".repeat(64);
    let leaves = [
        Leaf::Packed(VariantType::PackedByteArray, Lanes::new(&bytes, Lane::U8).unwrap()),
        Leaf::Math(VariantType::Projection, Lanes::new(&bytes, Lane::F32).unwrap()),
        Leaf::Text(VariantType::String, Text::new(&text)),
        Leaf::Signal(Text::new(&text), 7),
    ];
    for leaf in leaves {
        let refused = written(&limited(67), Target::default(), |to| to.leaf(&leaf));
        assert_eq!(refused, (Vec::new(), Err(ErrorKind::OutputTooLarge { limit: 67 })), "{leaf:?}");
        let mut count = Count(0);
        assert!(count.is_empty());
        let mut encoder = Encoder::new(&mut count, &Limits::engine());
        encoder.leaf(&leaf).unwrap();
        assert!(encoder.finish().unwrap() >= 68);
        assert!(!count.is_empty());
    }
}

#[test]
fn a_count_beyond_the_formats_is_refused_before_anything_is_written() {
    let (output, ended) = written(&Limits::engine(), Target::default(), |to| to.room(MAX_LENGTH).map(|_| ()));
    assert_eq!((output.len(), ended), (0, Err(ErrorKind::TooLong)));
    let limits = limited(u64::MAX);
    assert_eq!(written(&limits, Target::default(), |to| to.room(MAX_LENGTH - 1)).1, Ok(0));
}

fn godot_4(version: &str) -> Target {
    Target::godot_4(version).unwrap()
}

/// Checks that a target takes a leaf as a whole, or refuses it.
#[track_caller]
fn says(target: Target, leaf: Leaf<'_>, length: Option<u64>) {
    let refusal = ErrorKind::NotInDialect { ty: leaf.ty() };
    let outcome = written(&Limits::engine(), target, |to| to.leaf(&leaf));
    assert_eq!(outcome.1, length.ok_or(refusal), "{leaf:?} for {target:?}");
    assert!(length.is_some() || outcome.0.is_empty(), "a part of {leaf:?} was written");
}

#[test]
fn what_a_reader_cannot_say_is_refused() {
    let godot_3 = Target::newest(Dialect::Godot3);
    let documented = Target::newest(Dialect::Documented);
    for (target, id, length) in [
        (godot_3, 7, None),
        (godot_3, 0, Some(4)),
        (documented, 0, None),
        (godot_4("4.1"), 0, None),
        (godot_4("4.2"), 7, Some(12)),
    ] {
        says(target, Leaf::Rid(id), length);
    }
    let wide = [0; 128];
    let vector = |ty, bytes: usize| Leaf::Math(ty, Lanes::new(&wide[..bytes], Lane::F64).unwrap());
    use VariantType::{Projection, Vector2, Vector4};
    for (target, leaf, length) in [
        (godot_4("4.1"), vector(Vector4, 32), None),
        (godot_4("4.1"), vector(Projection, 128), None),
        (godot_4("4.1"), vector(Vector2, 16), Some(20)),
        (godot_4("4.2"), vector(Vector4, 32), Some(36)),
        (documented, vector(Vector2, 16), Some(20)),
        // Doubles that the reader does not know are narrowed.
        (godot_3, vector(Vector2, 16), Some(12)),
    ] {
        says(target, leaf, length);
    }
    let single = Lanes::new(&wide[..16], Lane::F32).unwrap();
    says(godot_4("4.1"), Leaf::Math(Vector4, single), Some(20));
    says(godot_3, Leaf::ObjectId(0), Some(4));
    says(godot_3, Leaf::Signal(Text::new("s"), 1), None);
    says(godot_3, Leaf::Callable, None);
    says(godot_4("4.1"), Leaf::Callable, Some(4));
}

#[test]
fn the_root_path_is_not_written_for_who_forgets_it() {
    let path = |absolute, names, subnames| Container::NodePath { absolute, names, subnames };
    let outcome = |target, container| written(&Limits::engine(), target, |to| to.open(&container)).1;
    let refused = Err(ErrorKind::NotInDialect { ty: VariantType::NodePath });
    let godot_3 = Target::newest(Dialect::Godot3);
    assert_eq!(outcome(godot_3, path(true, 0, 0)), refused);
    for container in [path(false, 0, 0), path(true, 1, 0), path(true, 0, 1)] {
        assert_eq!(outcome(godot_3, container), Ok(16), "{container:?}");
    }
    assert_eq!(outcome(godot_4("4.0"), path(true, 0, 0)), Ok(16));
    let strings = Container::PackedStrings { count: 0 };
    assert_eq!(outcome(godot_3, strings), Ok(8));
    let vectors = Leaf::Packed(VariantType::PackedVector4Array, Lanes::new(&[], Lane::F32).unwrap());
    says(godot_4("4.2"), vectors, None);
    says(godot_4("4.3"), vectors, Some(8));
}

/// Tests that an object's property "script" is a script, unless it is null, and that a name elsewhere is a
/// name.
#[test]
fn scripts_are_refused_where_their_source_is_wanted() {
    let object = Container::Object { class: Text::new("Node"), count: 1 };
    let property = |target, name, leaf: Leaf<'static>| {
        let outcome = written(&Limits::engine(), target, |to| {
            to.open(&object)?;
            to.text(TextForm::Plain, name)?;
            to.leaf(&leaf)
        });
        outcome.1.map(drop)
    };
    let path = Leaf::Text(VariantType::String, Text::new("res://a.gd"));
    let refused = Err(ErrorKind::NotInDialect { ty: VariantType::Object });
    assert_eq!(property(godot_4("4.2"), "script", path), refused);
    assert_eq!(property(godot_4("4.2"), "script", Leaf::Nil), Ok(()));
    assert_eq!(property(godot_4("4.2"), "scripts", path), Ok(()));
    assert_eq!(property(godot_4("4.3"), "script", path), Ok(()));
    assert_eq!(property(Target::default(), "script", path), Ok(()));
    for (name, outcome) in [("script", refused), ("scripts", Ok(())), ("scrip", Ok(()))] {
        let chars: Vec<char> = name.chars().collect();
        let by_chars = written(&Limits::engine(), godot_4("4.2"), |to| {
            to.open(&object)?;
            to.text_chars(TextForm::Plain, &chars)?;
            to.leaf(&path)
        });
        assert_eq!(by_chars.1.map(drop), outcome, "{name} by its characters");
    }
    let strings = Container::PackedStrings { count: 1 };
    let outcome = written(&Limits::engine(), godot_4("4.2"), |to| {
        to.open(&strings)?;
        to.text(TextForm::Terminated, "script")?;
        to.close();
        to.leaf(&path)
    });
    assert!(outcome.1.is_ok(), "a string of an array is no property");
    let mut output = Vec::new();
    let mut encoder = Encoder::new(&mut output, &Limits::engine()).without_scripts();
    encoder.open(&object).unwrap();
    encoder.text(TextForm::Plain, "script").unwrap();
    assert!(encoder.leaf(&path).is_err());
}

/// Tests the encoder as the sink of a walk: texts in the form of their container, levels closed again.
#[test]
fn a_walk_is_written_again() {
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let strings = [34, 2, 2, 0x61, 1, 0];
    let path = [22, 0x8000_0001, 1, 0, 1, 0x61, 1, 0x62];
    let array = [&[28, 4, 28, 1, 28, 0, 28, 1, 28, 0][..], &strings, &path].concat();
    let bytes = words(&array);
    let limits = Limits { max_depth: 4, ..Limits::engine() };
    let mut output = Vec::new();
    let mut encoder = Encoder::new(&mut output, &limits);
    let rules = crate::Rules::safe(limits);
    crate::Walker::new().decode(&bytes, &rules, &mut encoder).unwrap();
    assert_eq!(encoder.finish(), Ok(u64::try_from(bytes.len()).unwrap()));
    assert_eq!(output, bytes);
    // A path's name is no property's, whatever it spells.
    let path = [words(&[22, 0x8000_0001, 0, 0, 6]), b"script\0\0".to_vec()].concat();
    let bytes = [words(&[28, 2]), path, words(&[2, 7])].concat();
    let mut output = Vec::new();
    let mut encoder = Encoder::new(&mut output, &limits).for_target(godot_4("4.2"));
    crate::Walker::new().decode(&bytes, &rules, &mut encoder).unwrap();
    assert_eq!(output, bytes);
    let bytes = words(&array);
    // A value that cannot be written is refused at its place.
    for (limit, at) in [(3, 0), (20, 24), (40, 40), (55, 56), (60, 64)] {
        let (mut output, limits) = (Vec::new(), limited(limit));
        let mut encoder = Encoder::new(&mut output, &limits);
        let error = crate::Walker::new().decode(&bytes, &crate::Rules::engine(), &mut encoder).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::OutputTooLarge { limit }, at));
    }
}

/// A count that is known only at the end is written where it belongs, behind what stood in the buffer before.
#[test]
fn a_container_is_counted_anew() {
    let mut output = vec![7; 3];
    let mut encoder = Encoder::new(&mut output, &Limits::engine());
    let element = crate::token::ContainerType::Builtin(VariantType::Int);
    encoder.open(&Container::Array { element, count: 0 }).unwrap();
    let end = encoder.at();
    encoder.leaf(&Leaf::Int(5)).unwrap();
    encoder.close();
    assert_eq!(encoder.recount(end, 1), Ok(()));
    assert_eq!(encoder.recount(end, 1 << 31).unwrap_err().kind, ErrorKind::TooLong);
    encoder.finish().unwrap();
    let words: &[u32] = &[0x1_001C, 2, 1, 2, 5];
    assert_eq!(output[3..], words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
}
