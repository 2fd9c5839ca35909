//! Tests reading and writing of tokens on one table: bytes, their token, and that writing it gives the bytes
//! again.

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

/// Tests that the fast path takes every kind of plain scalar.
#[test]
fn what_is_plain_goes_the_short_way() {
    let taken = |words: &[u32], declared| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut cursor = Cursor::new(&bytes);
        read_scalar(&mut cursor, declared).map(|leaf| (leaf.ty(), cursor.rest().len()))
    };
    use VariantType as T;
    for (words, ty) in [
        (&[0][..], T::Nil),
        (&[1, 0], T::Bool),
        (&[1, 1], T::Bool),
        (&[2, 9], T::Int),
        (&[0x1_0002, 9, 9], T::Int),
        (&[3, 9], T::Float),
        (&[0x1_0003, 9, 9], T::Float),
        (&[5, 1, 2], T::Vector2),
        (&[20, 1, 2, 3, 4], T::Color),
    ] {
        assert_eq!(taken(words, None), Some((ty, 0)), "{words:?}");
        assert_eq!(taken(words, Some(ty)), Some((ty, 0)), "{words:?}");
        assert_eq!(taken(words, Some(T::Rid)), None, "{words:?}");
    }
}

/// Tests that texts are plain up to `max_string_bytes`, and not beyond it.
#[test]
fn plain_texts_are_as_long_as_allowed() {
    for length in [3_u32, 16, 40] {
        let text = "x".repeat(usize::try_from(length).unwrap());
        let mut field = [length.to_le_bytes().to_vec(), text.clone().into_bytes()].concat();
        field.resize(field.len().next_multiple_of(4), 0);
        let string = [&[4, 0, 0, 0][..], &field].concat();
        let mut entry = [(length + 1).to_le_bytes().to_vec(), text.clone().into_bytes(), vec![0]].concat();
        entry.resize(entry.len().next_multiple_of(4), 0);
        for (allowed, is_taken) in [(length - 1, false), (length, true), (length + 1, true)] {
            let limits =
                |more: u32| Limits { max_string_bytes: u64::from(allowed + more), ..Limits::engine() };
            let rules = Rules::safe(limits(0));
            assert_eq!(
                read_plain_text(&mut Cursor::new(&string), None, &rules).is_some(),
                is_taken,
                "{length}"
            );
            assert_eq!(plain_text(&string, &rules).is_some(), is_taken, "{length}");
            let bare = read_plain_bare(&mut Cursor::new(&field), TextForm::PathName, &rules);
            assert_eq!(bare.is_some(), is_taken, "{length}");
            let entry = read_plain_string(&mut Cursor::new(&entry), &Rules::safe(limits(1)));
            assert_eq!(entry.map(|text| text.as_str().len()).is_some(), is_taken, "{length}");
        }
    }
    let huge = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
    let rules = Rules::safe(Limits::engine());
    assert!(read_plain_bare(&mut Cursor::new(&huge), TextForm::PathName, &rules).is_none());
}

/// Tests that the fast path reads an entry of a PackedStringArray as the fallback does, whatever byte of it
/// is changed.
#[test]
fn a_short_entry_is_what_is_read_with_care() {
    let rules = Rules::safe(Limits::engine());
    let mut taken = 0;
    for length in 0..20_usize {
        for fill in [b'a', 0x80, 0xFF, 1] {
            for at in 0..20 {
                for byte in [0, 1, 0x7F, 0x80, 0xFF, b'a'] {
                    let mut entry = vec![0; 28];
                    entry[0] = u8::try_from(length).unwrap();
                    entry[4..4 + length].fill(fill);
                    if length > 0 {
                        entry[3 + length] = 0;
                    }
                    entry[4 + at] = byte;
                    let (mut quick, mut plain) = (Cursor::new(&entry), Cursor::new(&entry));
                    let found = read_plain_string(&mut quick, &rules);
                    let expected = read_text(&mut plain, TextForm::Terminated, &rules).ok();
                    if found.is_some() {
                        assert_eq!((found, quick.at()), (expected, plain.at()), "{entry:02x?}");
                        taken += 1;
                    } else {
                        // An entry that only the fallback reads is not plain: it has other padding, no NUL,
                        // or is not UTF-8.
                        let text = entry.get(4..3 + length).unwrap_or_default();
                        let pad = &entry[4 + length..4 + length.next_multiple_of(4)];
                        let is_plain = length > 0
                            && entry[3 + length] == 0
                            && Text::plain(text).is_some()
                            && pad.iter().all(|byte| *byte == 0);
                        assert!(!is_plain, "{entry:02x?}");
                    }
                }
            }
        }
    }
    assert!(taken > 1000, "{taken} entries");
}

/// Tests the first index of a record in a cache: similar names mostly have different ones.
#[test]
fn similar_texts_have_glances_of_their_own() {
    let places: std::collections::BTreeSet<u64> = (b'0'..b'p')
        .map(|byte| {
            let record = Record::read(&[4, 0, 0, 0, 2, 0, 0, 0, b'k', byte, 0, 0]).unwrap();
            record.own_hint() & 0xFF
        })
        .collect();
    assert!(places.len() > 45, "{} places for 64 texts", places.len());
}

/// Tests that 64 characters go through a buffer at once, however many bytes each has.
#[test]
fn wide_characters_are_written_whole() {
    for count in [16, 17, 63, 64, 65, 130] {
        for character in ["a", "é", "日", "🌬"] {
            // The first character keeps all of them from the fast path for ASCII.
            let text = format!("é{}", character.repeat(count));
            let chars: Vec<char> = text.chars().collect();
            let (mut from_chars, mut from_text) = (Vec::new(), Vec::new());
            Writer::new(&mut from_chars, Target::default()).chars(&chars, TextForm::Plain);
            Writer::new(&mut from_text, Target::default()).text(&text);
            assert_eq!(from_chars, from_text, "{count} times {character}");
        }
    }
}

/// Tests that Godot 3 reads "/" as "", and every other absolute path as it is.
#[test]
fn only_the_root_path_is_forgotten() {
    use crate::wire::Dialect;
    for (dialect, id) in [(Dialect::Godot4, 22), (Dialect::Godot3, 15)] {
        for (names, subnames) in [(0, 0), (1, 0), (0, 1)] {
            let bytes = [id, 0x8000_0000 | names, subnames, 1_u32].map(u32::to_le_bytes).concat();
            let found = read(&mut Cursor::new(&bytes), &Rules::engine().of_dialect(dialect));
            let absolute = dialect == Dialect::Godot4 || (names, subnames) != (0, 0);
            assert_eq!(found, Ok(Token::Open(Container::NodePath { absolute, names, subnames })));
        }
    }
}

/// Tests short texts too, which are written in one step over the bytes that were there before.
#[test]
fn a_text_of_any_length_is_written_with_its_padding() {
    let all = "abcdefghijklmnopqrstuvwxyz";
    for length in 0..=all.len() {
        let text = &all[..length];
        let mut expected = vec![0xEE; 3];
        expected.extend([4, 0, 0, 0, u8::try_from(length).unwrap(), 0, 0, 0]);
        expected.extend(text.bytes());
        expected.resize(3 + (8 + length).next_multiple_of(4), 0);
        let leaf = Leaf::Text(VariantType::String, Text::new(text));
        let mut output = vec![0xEE; 3];
        Writer::new(&mut output, Target::default()).leaf(&leaf);
        assert_eq!(output, expected, "{length}");
        let mut count = Count(3);
        Writer::new(&mut count, Target::default()).leaf(&leaf);
        assert_eq!(count.0, expected.len() as u64, "{length}");
    }
}
