//! Unit tests of the encoder: texts from characters, limits to the byte, and what a target cannot read.

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

/// What a call writes, and how it ends.
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

#[test]
fn a_name_is_not_written_for_a_reader_that_has_none() {
    let target = Target::newest(Dialect::Godot3);
    let name = VariantType::StringName;
    let refused = (Vec::new(), Err(ErrorKind::NotInDialect { ty: name }));
    assert_eq!(written(&Limits::engine(), target, |to| to.chars(name, &['a'])), refused);
    assert_eq!(written(&Limits::engine(), Target::default(), |to| to.chars(name, &['a'])).1, Ok(12));
}

/// The limit is exact, also where the most that characters could take is over it.
#[test]
fn texts_from_characters_keep_the_limit_to_the_byte() {
    for text in ["abcdefgh", "éé日🌬", "x"] {
        let whole =
            written(&Limits::engine(), Target::default(), |to| to.chars(VariantType::String, &chars(text)));
        let length = whole.1.unwrap();
        for limit in 0..length + 40 {
            let refusal = Err(ErrorKind::OutputTooLarge { limit });
            let (_, ended) =
                written(&limited(limit), Target::default(), |to| to.chars(VariantType::String, &chars(text)));
            assert_eq!(ended, if limit < length { refusal } else { Ok(length) }, "{text:?} in {limit}");
            let (_, ended) = written(&limited(limit), Target::default(), |to| {
                to.text_chars(TextForm::Plain, &chars(text))
            });
            let bare = length - 4;
            assert_eq!(ended, if limit < bare { refusal } else { Ok(bare) }, "{text:?} bare in {limit}");
        }
    }
}

/// What was in the buffer before counts against nothing, and nothing of a refused token is written.
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

/// A payload's room is asked for before it is written: numbers, texts and signals alike.
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
