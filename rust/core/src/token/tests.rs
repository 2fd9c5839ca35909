//! Both directions of the token layer on one table: bytes, what they say, and that saying it writes them again.

use super::*;
use crate::cursor::Cursor;
use crate::wire::{Lane, Limits, Rules, Target};

fn lanes(bytes: &[u8], lane: Lane) -> Lanes<'_> {
    Lanes::new(bytes, lane).unwrap()
}

#[track_caller]
fn both_ways(bytes: &[u8], token: Token<'_>) {
    let rules = Rules { full_objects: true, ..Rules::safe(Limits::engine()) };
    let mut cursor = Cursor::new(bytes);
    assert_eq!(read(&mut cursor, &rules), Ok(token));
    assert_eq!(cursor.rest(), &[0u8; 0]);
    let mut written = Vec::new();
    Writer::new(&mut written, Target::default()).token(&token);
    assert_eq!(written, bytes);
}

#[test]
fn scalars() {
    both_ways(&[0, 0, 0, 0], Token::Leaf(Leaf::Nil));
    both_ways(&[1, 0, 0, 0, 1, 0, 0, 0], Token::Leaf(Leaf::Bool(true)));
    both_ways(&[2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF], Token::Leaf(Leaf::Int(-1)));
    both_ways(&[2, 0, 1, 0, 0, 0, 0, 0x80, 0, 0, 0, 0], Token::Leaf(Leaf::Int(1 << 31)));
    both_ways(&[3, 0, 0, 0, 0, 0, 0xC0, 0x3F], Token::Leaf(Leaf::Float(1.5)));
    both_ways(&[3, 0, 1, 0, 0x9A, 0x99, 0x99, 0x99, 0x99, 0x99, 0xB9, 0x3F], Token::Leaf(Leaf::Float(0.1)));
    both_ways(&[23, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0], Token::Leaf(Leaf::Rid(7)));
    both_ways(&[24, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0x80], Token::Leaf(Leaf::ObjectId((1 << 63) | 7)));
    both_ways(&[25, 0, 0, 0], Token::Leaf(Leaf::Callable));
}

#[test]
fn texts_and_numbers() {
    let text = Text::new("abc");
    both_ways(&[4, 0, 0, 0, 3, 0, 0, 0, 97, 98, 99, 0], Token::Leaf(Leaf::Text(VariantType::String, text)));
    let signal = [26, 0, 0, 0, 3, 0, 0, 0, 97, 98, 99, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    both_ways(&signal, Token::Leaf(Leaf::Signal(text, 1)));
    let point = [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40];
    let vector = [&[5, 0, 0, 0][..], &point].concat();
    both_ways(&vector, Token::Leaf(Leaf::Math(VariantType::Vector2, lanes(&point, Lane::F32))));
    let wide = [0; 16];
    let vector = [&[5, 0, 1, 0][..], &wide].concat();
    both_ways(&vector, Token::Leaf(Leaf::Math(VariantType::Vector2, lanes(&wide, Lane::F64))));
    let bytes = [29, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 0];
    both_ways(&bytes, Token::Leaf(Leaf::Packed(VariantType::PackedByteArray, lanes(&[1, 2, 3], Lane::U8))));
    let longs = [31, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0];
    let nine = 9u64.to_le_bytes();
    both_ways(&longs, Token::Leaf(Leaf::Packed(VariantType::PackedInt64Array, lanes(&nine, Lane::I64))));
}

#[test]
fn characters_are_written_as_text() {
    for text in [
        "",
        "abc",
        "ascii of more than sixty-four characters, so that it takes the buffer twice over",
        "é日🌬",
        "a\0b",
    ] {
        let chars: Vec<char> = text.chars().collect();
        for form in [TextForm::Plain, TextForm::Terminated] {
            let (mut from_chars, mut from_text) = (Vec::new(), Vec::new());
            Writer::new(&mut from_chars, Target::default()).chars(&chars, form);
            let text = Text::new(text).as_str();
            match form {
                TextForm::Terminated => Writer::new(&mut from_text, Target::default()).terminated(text),
                _ => Writer::new(&mut from_text, Target::default()).text(text),
            }
            assert_eq!(from_chars, from_text, "{text:?} {form:?}");
        }
    }
}

#[test]
fn openings() {
    let class = ContainerType::Class(Text::new("Node"));
    let int = ContainerType::Builtin(VariantType::Int);
    both_ways(
        &[28, 0, 0, 0, 2, 0, 0, 0],
        Token::Open(Container::Array { element: ContainerType::None, count: 2 }),
    );
    both_ways(
        &[28, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0],
        Token::Open(Container::Array { element: int, count: 1 }),
    );
    let typed = [27, 0, 0b1001, 0, 2, 0, 0, 0, 4, 0, 0, 0, b'N', b'o', b'd', b'e', 0, 0, 0, 0];
    both_ways(&typed, Token::Open(Container::Dictionary { key: int, value: class, count: 0 }));
    let path = [22, 0, 0, 0, 1, 0, 0, 0x80, 2, 0, 0, 0, 1, 0, 0, 0];
    both_ways(&path, Token::Open(Container::NodePath { absolute: true, names: 1, subnames: 2 }));
    both_ways(&[34, 0, 0, 0, 5, 0, 0, 0], Token::Open(Container::PackedStrings { count: 5 }));
    let object = [24, 0, 0, 0, 4, 0, 0, 0, b'N', b'o', b'd', b'e', 3, 0, 0, 0];
    both_ways(&object, Token::Open(Container::Object { class: Text::new("Node"), count: 3 }));
}
