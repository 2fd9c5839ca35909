//! Tests the frame reader. `tests/tests/streams.rs` tries every cut of recorded and mutated messages.

mod bytes;

use super::*;
use crate::sink::Refusal;
use crate::token::{Container, Leaf};
use crate::{Array, Dictionary, Limits, Step, Strictness, ToValue, TypeSet, Value, VariantType};

type Reader = FrameReader<ToValue>;

fn reader(framing: Framing) -> Reader {
    FrameReader::new(ToValue, framing, Rules::safe(Limits::engine()))
}

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { items, ..Array::default() }))
}

fn dictionary(entries: Vec<(Value, Value)>) -> Value {
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn text(text: &str) -> Value {
    Value::String(text.into())
}

fn framed(values: &[Vec<u8>]) -> Vec<u8> {
    let frame = |bytes: &Vec<u8>| [&u32::try_from(bytes.len()).unwrap().to_le_bytes()[..], bytes].concat();
    values.iter().flat_map(frame).collect()
}

/// Gives the reader the stream in pieces of this length until it answers the call.
fn fed<T>(
    stream: &mut &[u8],
    piece: usize,
    mut call: impl FnMut(&mut &[u8]) -> Result<T, Stop>,
) -> Result<T, Stop> {
    loop {
        let (mut head, _) = stream.split_at(piece.min(stream.len()));
        let given = head.len();
        let outcome = call(&mut head);
        *stream = &stream[given - head.len()..];
        match outcome {
            Err(Stop::NeedMore { .. }) if !stream.is_empty() => assert!(head.is_empty()),
            other => return other,
        }
    }
}

#[test]
fn values_one_after_another() {
    let values = [Value::Int(7), array(vec![text("a"), Value::Nil]), Value::Bool(true)];
    let encoded: Vec<Vec<u8>> = values.iter().map(|value| value.encode().unwrap()).collect();
    for piece in [1, 2, 3, 5, 8, 1000] {
        for (framing, stream) in [(Framing::None, encoded.concat()), (Framing::U32, framed(&encoded))] {
            let mut reader = reader(framing);
            let mut rest = &stream[..];
            for value in &values {
                assert_eq!(fed(&mut rest, piece, |input| reader.next(input)).as_ref(), Ok(value));
            }
            assert!(matches!(reader.next(&mut rest), Err(Stop::NeedMore { at_least: 4 })));
            reader.close();
            assert_eq!(reader.next(&mut rest), Err(Stop::End));
        }
    }
}

#[test]
fn a_refused_frame_costs_no_other() {
    let short = Value::Int(7).encode().unwrap();
    let long = [&short[..], &[0; 4]].concat();
    let stream = framed(&[long, vec![99, 0, 0, 0], short[..6].to_vec(), Vec::new(), short]);
    for piece in [1, 4, 7, 1000] {
        let mut reader = reader(Framing::U32);
        let mut rest = &stream[..];
        let mut refused = Vec::new();
        let value = loop {
            match fed(&mut rest, piece, |input| reader.next(input)) {
                Err(Stop::Rejected(error)) => {
                    refused.push((error.kind().name(), error.offset(), reader.value_at()))
                }
                other => break other,
            }
        };
        let expected =
            [("TRAILING_BYTES", 8, 4), ("UNKNOWN_TYPE", 0, 20), ("INCOMPLETE", 4, 28), ("INCOMPLETE", 0, 38)];
        assert_eq!(refused, expected, "pieces of {piece}");
        assert_eq!(value, Ok(Value::Int(7)));
    }
}

#[test]
fn engine_passes_over_what_follows_a_value() {
    let stream = framed(&[vec![0, 0, 0, 0, 1, 2, 3], vec![0, 0, 0, 0]]);
    let mut reader = FrameReader::new(ToValue, Framing::U32, Rules::engine());
    let mut rest = &stream[..];
    assert_eq!(reader.next(&mut rest), Ok(Value::Nil));
    assert_eq!((reader.next(&mut rest), reader.value_at()), (Ok(Value::Nil), 15));
}

#[test]
fn a_length_over_the_limit_breaks_at_its_fourth_byte() {
    let limits = Limits { max_bytes: 100, ..Limits::engine() };
    let mut reader = FrameReader::new(ToValue, Framing::U32Be, Rules::safe(limits));
    assert_eq!(reader.next(&mut &[0, 0, 0][..]), Err(Stop::NeedMore { at_least: 1 }));
    let Err(Stop::Broken(error)) = reader.next(&mut &[101, 1, 2][..]) else { panic!("101 > 100") };
    assert_eq!(error.kind(), ErrorKind::TooManyBytes { limit: 100, declared: 101 });
    assert_eq!(reader.next(&mut &[0, 0, 0, 4, 0, 0, 0, 0][..]), Err(Stop::Broken(error)), "it stays");
    reader.reset(Framing::U32Be);
    assert_eq!(reader.next(&mut &[0, 0, 0, 4, 0, 0, 0, 0][..]), Ok(Value::Nil));
}

#[test]
fn packets_have_ends_of_their_own() {
    let limits = Limits { max_bytes: 8, ..Limits::engine() };
    let mut reader = FrameReader::new(ToValue, Framing::None, Rules::safe(limits));
    assert!(matches!(reader.packet(12), Err(Stop::Rejected(_))));
    assert!(matches!(reader.next(&mut &[0; 12][..]), Err(Stop::NeedMore { .. })));
    for (packet, is_good) in
        [(&[0, 0, 0, 0, 9][..], false), (&[0; 4], true), (&[77; 4], false), (&[0; 4], true)]
    {
        let mut rest = packet;
        reader.packet(crate::cursor::length(packet)).unwrap();
        assert_eq!(reader.next(&mut rest).is_ok(), is_good, "{packet:?}");
        while !rest.is_empty() {
            let _ = reader.next(&mut rest);
        }
    }
}

#[test]
fn a_stream_cut_off_is_broken() {
    let value = array(vec![Value::Int(1), text("text")]).encode().unwrap();
    for (framing, stream) in [(Framing::None, value.clone()), (Framing::U32, framed(&[value]))] {
        for cut in 1..stream.len() {
            let mut reader = reader(framing);
            let mut rest = &stream[..cut];
            assert!(matches!(reader.next(&mut rest), Err(Stop::NeedMore { .. })));
            reader.close();
            let Err(Stop::Broken(error)) = reader.next(&mut rest) else { panic!("{cut} bytes are whole") };
            assert!(error.needed().is_some(), "{error}");
        }
    }
}

/// A value that ends too soon in its frame is refused with the length of the frame, not of the part that was next.
#[test]
fn a_frame_cut_off_says_how_much_of_it_is_there() {
    let record = [16, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, b's', b'e', b'c'];
    for cut in 5..=record.len() {
        for piece in 1..=cut {
            let mut reader = reader(Framing::U32);
            let outcome = fed(&mut &record[..cut], piece, |input| reader.next(input));
            assert!(matches!(outcome, Err(Stop::NeedMore { .. })), "{cut} in pieces of {piece}");
            reader.close();
            let Err(Stop::Broken(error)) = reader.next(&mut &[][..]) else { panic!("{cut} bytes are whole") };
            let there = cut - 4;
            let unit = "bytes declared";
            assert_eq!(error.kind().to_string(), format!("value is cut off: 16 {unit}, {there} there"));
            assert_eq!((error.offset(), error.path().is_root()), (there as u64, true));
        }
    }
}

fn world() -> Value {
    let player = |name: &str| dictionary(vec![(text("name"), text(name)), (Value::Int(3), Value::Nil)]);
    dictionary(vec![
        (text("seed"), Value::Int(1 << 40)),
        (text("players"), array(vec![player("a"), player("b"), Value::Int(0)])),
        (Value::Int(5), array(Vec::new())),
        (text("end"), Value::Bool(true)),
    ])
}

#[test]
fn containers_are_walked_entry_by_entry() {
    let value = world().encode().unwrap();
    let stream = framed(&[value, Value::Int(9).encode().unwrap()]);
    for piece in [1, 3, 4, 9, 1000] {
        let mut reader = reader(Framing::U32);
        let mut rest = &stream[..];
        assert_eq!(fed(&mut rest, piece, |input| reader.enter(input)), Ok(()));
        assert_eq!(fed(&mut rest, piece, |input| reader.enter(input)), Err(Stop::Misplaced));
        assert_eq!(fed(&mut rest, piece, |input| reader.next(input)), Ok(Value::Int(1 << 40)));
        assert_eq!(reader.take_key(), Some(text("seed")));
        assert_eq!(fed(&mut rest, piece, |input| reader.enter(input)), Ok(()));
        assert_eq!((reader.take_key(), reader.depth()), (Some(text("players")), 2));
        assert_eq!(fed(&mut rest, piece, |input| reader.skip(input)), Ok(()));
        assert_eq!(fed(&mut rest, piece, |input| reader.enter(input)), Ok(()));
        assert_eq!(fed(&mut rest, piece, |input| reader.next(input)), Ok(text("b")));
        assert_eq!(fed(&mut rest, piece, |input| reader.leave(input)), Ok(()));
        assert_eq!(fed(&mut rest, piece, |input| reader.next(input)), Ok(Value::Int(0)));
        assert_eq!(reader.next(&mut rest), Err(Stop::End));
        assert_eq!(fed(&mut rest, piece, |input| reader.leave(input)), Ok(()));
        assert_eq!(fed(&mut rest, piece, |input| reader.next(input)), Ok(array(Vec::new())));
        assert_eq!(fed(&mut rest, piece, |input| reader.leave(input)), Ok(()));
        assert_eq!(fed(&mut rest, piece, |input| reader.leave(input)), Err(Stop::Misplaced));
        assert_eq!(fed(&mut rest, piece, |input| reader.next(input)), Ok(Value::Int(9)));
    }
}

#[test]
fn an_entry_at_fault_is_named_from_the_root() {
    let mut bytes = world().encode().unwrap();
    let whole = crate::decode(&bytes, &Rules::safe(Limits::engine())).unwrap();
    assert_eq!(whole, world());
    let at = bytes.windows(4).rposition(|word| word == *b"name").unwrap() - 8;
    bytes[at] = 77;
    let expected = crate::decode(&bytes, &Rules::safe(Limits::engine())).unwrap_err();
    let stream = framed(&[bytes]);
    let mut reader = reader(Framing::U32);
    let mut rest = &stream[..];
    reader.enter(&mut rest).unwrap();
    reader.skip(&mut rest).unwrap();
    reader.enter(&mut rest).unwrap();
    reader.skip(&mut rest).unwrap();
    reader.enter(&mut rest).unwrap();
    assert_eq!(reader.next(&mut rest), Err(Stop::Rejected(expected)));
    assert_eq!(reader.depth(), 0);
}

/// Tests ENGINE, which does without the padding at the end and counts it as read all the same.
#[test]
fn an_entry_behind_missing_padding_stands_where_the_whole_says() {
    let bytes = [28, 0, 0, 0, 3, 0, 0, 0, 29, 0, 0, 0, 3, 0, 0, 0, 97, 98, 99];
    let whole = crate::decode(&bytes, &Rules::engine()).unwrap_err();
    assert_eq!((whole.offset(), whole.path().to_string().as_str()), (20, "[1]"));
    let (stream, piece) = (framed(&[bytes.to_vec(), Value::Int(7).encode().unwrap()]), 5);
    for is_entered in [false, true] {
        let mut reader = FrameReader::new(ToValue, Framing::U32, Rules::engine());
        let mut rest = &stream[..];
        assert_eq!(fed(&mut rest, piece, |input| reader.enter(input)), Ok(()));
        let first = fed(&mut rest, piece, |input| reader.next(input));
        assert_eq!(first, Ok(Value::PackedByteArray(vec![97, 98, 99])));
        let second = match is_entered {
            true => fed(&mut rest, piece, |input| reader.enter(input)),
            false => fed(&mut rest, piece, |input| reader.next(input)).map(drop),
        };
        assert_eq!(second, Err(Stop::Rejected(whole.clone())), "entered: {is_entered}");
        // Missing bytes move no frame behind them.
        assert_eq!(fed(&mut rest, piece, |input| reader.next(input)), Ok(Value::Int(7)));
        assert_eq!(reader.value_at(), 27);
    }
}

#[test]
fn what_a_container_declares_holds_for_its_entries() {
    let element = crate::ElementType::Builtin(VariantType::Int);
    let typed = Value::Array(Box::new(Array { element, items: vec![Value::Int(1), text("no")] }));
    let stream = typed.encode().unwrap();
    for strictness in [Strictness::Safe, Strictness::Engine] {
        let rules = Rules { strictness, ..Rules::engine() };
        let mut reader = FrameReader::new(ToValue, Framing::None, rules);
        let mut rest = &stream[..];
        reader.enter(&mut rest).unwrap();
        assert_eq!(reader.next(&mut rest), Ok(Value::Int(1)));
        match reader.next(&mut rest) {
            Err(Stop::Broken(error)) => {
                assert_eq!((error.path().0.as_slice(), rules.is_safe()), (&[Step::Index(1)][..], true));
            }
            other => assert_eq!((other, rules.is_safe()), (Ok(text("no")), false)),
        }
    }
}

/// The rules are those of an entry of a value that is read whole: its type is looked at before its memory.
#[test]
fn an_entry_of_a_wrong_type_is_told_before_its_memory() {
    let element = crate::ElementType::Builtin(VariantType::Int);
    let limits = Limits { max_heap_bytes: 1000, ..Limits::engine() };
    for wrong in [text(&"a".repeat(2000)), array(vec![Value::Nil; 200])] {
        let typed = Value::Array(Box::new(Array { element: element.clone(), items: vec![wrong] }));
        let stream = typed.encode().unwrap();
        let mut reader = FrameReader::new(ToValue, Framing::None, Rules::safe(limits));
        let mut rest = &stream[..];
        reader.enter(&mut rest).unwrap();
        let Err(Stop::Broken(error)) = reader.next(&mut rest) else { panic!("it is no int") };
        let whole = crate::decode(&stream, &Rules::safe(limits)).unwrap_err();
        assert_eq!(
            (error.kind(), error.path(), error.offset()),
            (whole.kind(), whole.path(), whole.offset())
        );
        assert!(matches!(error.kind(), ErrorKind::WrongElementType { .. }), "{error}");
    }
}

/// Counts the leaves that it is given, and builds nothing.
#[derive(Default)]
struct LeafCount {
    leaves: usize,
    fills_tables: bool,
}

impl Sink for LeafCount {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, _: u64, _: Leaf<'_>) -> Result<(), Refusal> {
        self.leaves += 1;
        Ok(())
    }

    fn open(&mut self, _: u64, _: Container<'_>, _: usize) -> Result<(), Refusal> {
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        Ok(())
    }

    fn fills_tables(&self) -> bool {
        self.fills_tables
    }

    fn passes_over(&self, _: TypeSet) -> bool {
        self.fills_tables
    }
}

#[test]
fn what_the_sink_says_of_itself_holds() {
    let twice = dictionary(vec![(Value::Int(1), Value::Nil), (Value::Int(1), Value::Nil)]).encode().unwrap();
    let reader = |fills_tables| {
        let sink = LeafCount { leaves: 0, fills_tables };
        FrameReader::new(sink, Framing::None, Rules::safe(Limits::engine()))
    };
    let mut filling = reader(true);
    assert_eq!(filling.next(&mut &twice[..]), Ok(()), "equal keys are left to a sink that fills tables");
    assert_eq!(filling.sink_mut().leaves, 0, "it passes over ints");
    let Err(Stop::Broken(error)) = filling.skip(&mut &twice[..]) else { panic!("nobody else looks") };
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
    let mut other = reader(false);
    let Err(Stop::Broken(error)) = other.next(&mut &twice[..]) else { panic!("the walk looks") };
    assert_eq!((error.kind(), other.sink_mut().leaves), (ErrorKind::DuplicateKey, 3));
}

#[test]
fn levels_entered_count_against_the_depth() {
    let value = array(vec![array(vec![array(vec![Value::Nil])])]).encode().unwrap();
    for (max_depth, deepest) in [(4, 3), (3, 3), (2, 2), (1, 1)] {
        let limits = Limits { max_depth, ..Limits::engine() };
        let mut reader = FrameReader::new(ToValue, Framing::None, Rules::safe(limits));
        let mut rest = &value[..];
        let entered = (0..3).take_while(|_| reader.enter(&mut rest).is_ok()).count();
        assert_eq!(entered, deepest, "max_depth {max_depth}");
        assert_eq!(reader.next(&mut rest).is_ok(), max_depth == 4, "max_depth {max_depth}");
    }
}

#[test]
fn what_was_begun_is_finished_as_it_was_begun() {
    let value = dictionary(vec![(text("key"), text("a long text")), (text("b"), Value::Int(2))]);
    let bytes = value.encode().unwrap();
    for cut in 9..40 {
        let mut reader = reader(Framing::None);
        let (mut head, mut tail) = bytes.split_at(cut);
        reader.enter(&mut head).unwrap();
        assert!(matches!(reader.skip(&mut head), Err(Stop::NeedMore { .. })));
        assert_eq!(reader.next(&mut tail), Ok(Value::Int(2)), "cut at {cut}");
        assert_eq!(reader.take_key(), Some(text("b")));
    }
}

/// Tests that an entry which a `skip` has begun is over for `enter` too, and that one which `next` has begun
/// cannot be entered any more.
#[test]
fn entering_goes_on_behind_what_was_begun() {
    let inner = array(vec![Value::Int(4)]);
    let value = dictionary(vec![(text("key"), text("a long text")), (text("b"), inner.clone())]);
    let bytes = value.encode().unwrap();
    for cut in 9..40 {
        let mut reader = reader(Framing::None);
        let (mut head, mut tail) = bytes.split_at(cut);
        reader.enter(&mut head).unwrap();
        assert!(matches!(reader.skip(&mut head), Err(Stop::NeedMore { .. })));
        assert_eq!((reader.enter(&mut tail), reader.depth()), (Ok(()), 2), "cut at {cut}");
        assert_eq!((reader.take_key(), reader.next(&mut tail)), (Some(text("b")), Ok(Value::Int(4))));
    }
    let bytes = array(vec![inner]).encode().unwrap();
    let (mut head, mut tail) = bytes.split_at(20);
    let mut reader = reader(Framing::None);
    reader.enter(&mut head).unwrap();
    assert!(matches!(reader.next(&mut head), Err(Stop::NeedMore { .. })));
    assert_eq!(reader.enter(&mut tail), Err(Stop::Misplaced), "next has begun it");
    assert_eq!(reader.next(&mut tail), Ok(array(vec![Value::Int(4)])));
}

/// Tests that only an Array or Dictionary can be entered, and that nothing of another value is taken.
#[test]
fn only_containers_of_values_are_entered() {
    let strings = Value::PackedStringArray(vec!["a".into()]);
    let path = Value::NodePath(Box::new(crate::NodePath { names: vec!["a".into()], ..Default::default() }));
    for value in [Value::Int(7), text("text"), strings, path] {
        let bytes = value.encode().unwrap();
        let mut reader = reader(Framing::None);
        let mut rest = &bytes[..];
        assert_eq!(reader.enter(&mut rest), Err(Stop::Misplaced), "{value:?}");
        assert_eq!((reader.depth(), reader.next(&mut rest)), (0, Ok(value)));
    }
}

/// Tests that new rules hold from the next value on, not for the one that is being read.
#[test]
fn rules_change_between_two_values() {
    let typed = Value::Array(Box::new(Array {
        element: crate::ElementType::Builtin(VariantType::Int),
        items: vec![text("no")],
    }));
    let stream = [typed.encode().unwrap(), typed.encode().unwrap()].concat();
    let mut reader = FrameReader::new(ToValue, Framing::None, Rules::engine());
    let (mut head, mut tail) = stream.split_at(10);
    assert!(reader.is_between());
    assert!(matches!(reader.next(&mut head), Err(Stop::NeedMore { .. })));
    assert!(!reader.is_between());
    reader.set_rules(Rules::safe(Limits::engine()));
    assert_eq!(reader.next(&mut tail), Ok(typed));
    assert!(reader.is_between());
    let Err(Stop::Broken(error)) = reader.next(&mut tail) else { panic!("SAFE takes no String for an int") };
    assert_eq!(error.kind().name(), "WRONG_ELEMENT_TYPE");
}

/// Tests `is_between`: no byte of the next frame is taken, and none of a refused one is left.
#[test]
fn what_is_left_of_a_frame_is_not_between() {
    let stream = framed(&[vec![99, 0, 0, 0, 1, 2, 3], vec![0; 4]]);
    let mut reader = reader(Framing::U32);
    assert!(matches!(reader.next(&mut &stream[..2]), Err(Stop::NeedMore { at_least: 2 })));
    assert!(!reader.is_between());
    let mut rest = &stream[2..8];
    assert!(matches!(reader.next(&mut rest), Err(Stop::Rejected(_))));
    assert!(!reader.is_between(), "some of the frame is to come");
    assert_eq!(reader.next(&mut [rest, &stream[8..]].concat().as_slice()), Ok(Value::Nil));
    assert!(reader.is_between());
}

/// Tests that `whole` returns only an untouched frame, and only all of it, and that `pass_whole` goes behind
/// it.
#[test]
fn a_whole_frame_is_given_as_it_is() {
    let values = [Value::Int(7), array(vec![Value::Nil]), Value::Bool(true)];
    let encoded: Vec<Vec<u8>> = values.iter().map(|value| value.encode().unwrap()).collect();
    let stream = framed(&encoded);
    let mut reader = reader(Framing::U32);
    let mut rest = &stream[..];
    assert_eq!(reader.whole(&mut rest), Ok(Some(&encoded[0][..])));
    reader.pass_whole(&mut rest);
    assert_eq!((reader.value_at(), reader.is_between()), (4, true));
    assert_eq!(reader.whole(&mut rest), Ok(Some(&encoded[1][..])), "the next one");
    assert_eq!(reader.next(&mut rest).as_ref(), Ok(&values[1]), "what was looked at is still there");

    let mut part = &rest[..6];
    assert_eq!(reader.whole(&mut part), Ok(None), "not all of it is there");
    let Err(Stop::NeedMore { .. }) = reader.next(&mut part) else { panic!("4 bytes are missing") };
    let mut rest = &rest[6..];
    assert_eq!(reader.whole(&mut rest), Ok(None), "it has been begun");
    assert_eq!(reader.next(&mut rest).as_ref(), Ok(&values[2]));
    assert!(matches!(reader.whole(&mut rest), Err(Stop::NeedMore { at_least: 4 })));
}

#[test]
fn entries_and_streams_without_frames_are_not_whole() {
    let bytes = array(vec![Value::Int(7), Value::Int(8)]).encode().unwrap();
    let mut bare = reader(Framing::None);
    assert_eq!(bare.whole(&mut &bytes[..]), Ok(None), "nobody knows its length");

    let stream = framed(&[bytes]);
    let mut reader = reader(Framing::U32);
    let mut rest = &stream[..];
    reader.enter(&mut rest).unwrap();
    assert_eq!(reader.whole(&mut rest), Ok(None), "an entry");
    assert_eq!(reader.next(&mut rest), Ok(Value::Int(7)));

    let mut reader = self::reader(Framing::U32);
    let mut part = &stream[..14];
    assert!(matches!(reader.skip(&mut part), Err(Stop::NeedMore { .. })));
    assert_eq!(reader.whole(&mut &stream[14..]), Ok(None), "skipping has begun it");
}

#[test]
fn what_is_begun_is_not_entered() {
    let stream = array(vec![Value::Int(7), Value::Int(8)]).encode().unwrap();
    let mut reader = reader(Framing::None);
    let mut rest = &stream[..12];
    assert!(matches!(reader.next(&mut rest), Err(Stop::NeedMore { .. })));
    assert_eq!(reader.enter(&mut &stream[12..]), Err(Stop::Misplaced));
}

#[test]
fn a_packet_may_be_as_long_as_allowed() {
    let limits = Limits { max_bytes: 8, ..Limits::engine() };
    let mut reader = FrameReader::new(ToValue, Framing::None, Rules::safe(limits));
    reader.packet(8).unwrap();
    assert_eq!(reader.next(&mut &Value::Int(3).encode().unwrap()[..]), Ok(Value::Int(3)));
    assert!(matches!(reader.packet(9), Err(Stop::Rejected(_))));
}

/// Tests a value that was begun before a byte of it had come: `whole` does not return it any more.
#[test]
fn a_frame_that_was_begun_is_not_whole() {
    let bytes = array(vec![Value::Int(7)]).encode().unwrap();
    let stream = framed(std::slice::from_ref(&bytes));
    let (length, frame) = stream.split_at(4);
    let mut reader = reader(Framing::U32);
    assert!(matches!(reader.skip(&mut &length[..]), Err(Stop::NeedMore { .. })));
    assert_eq!(reader.whole(&mut &frame[..]), Ok(None), "only its length was there");
    let mut rest = frame;
    assert_eq!((reader.skip(&mut rest), rest), (Ok(()), &[][..]));

    // A part of an opening waits for the rest of it, and nothing was entered yet.
    for taken in 1..8 {
        let mut reader = self::reader(Framing::U32);
        let (mut head, mut tail) = stream.split_at(4 + taken);
        assert!(matches!(reader.enter(&mut head), Err(Stop::NeedMore { .. })));
        assert_eq!((reader.depth(), reader.whole(&mut tail)), (0, Ok(None)), "{taken} bytes were looked at");
        assert_eq!((reader.enter(&mut tail), reader.next(&mut tail)), (Ok(()), Ok(Value::Int(7))));
    }
}

/// Tests that a value which `next` has begun is not entered, even where its next bytes are a container's.
#[test]
fn what_is_inside_of_what_was_begun_is_not_entered() {
    let value = array(vec![array(vec![Value::Int(7)])]);
    let bytes = value.encode().unwrap();
    let (mut head, mut tail) = bytes.split_at(8);
    let mut reader = reader(Framing::None);
    assert!(matches!(reader.next(&mut head), Err(Stop::NeedMore { .. })));
    assert_eq!((reader.enter(&mut tail), reader.depth()), (Err(Stop::Misplaced), 0));
    assert_eq!(reader.next(&mut tail), Ok(value));
}

#[test]
fn a_frame_may_be_as_long_as_allowed() {
    let stream = framed(&[Value::Int(3).encode().unwrap()]);
    for (max_bytes, is_good) in [(7, false), (8, true)] {
        let limits = Limits { max_bytes, ..Limits::engine() };
        let mut reader = FrameReader::new(ToValue, Framing::U32, Rules::safe(limits));
        match reader.next(&mut &stream[..]) {
            Err(Stop::Broken(error)) => {
                assert_eq!(
                    (error.kind(), is_good),
                    (ErrorKind::TooManyBytes { limit: 7, declared: 8 }, false)
                );
            }
            other => assert_eq!((other, is_good), (Ok(Value::Int(3)), true)),
        }
    }
}

/// Tests that `?` takes a stop, which says in one line why there is no value.
#[test]
fn stops_are_errors() {
    let told = |mut bytes: &[u8], framing, is_closed: bool| -> Result<Value, Box<dyn std::error::Error>> {
        let mut reader = reader(framing);
        if is_closed {
            reader.close();
        }
        assert!(format!("{reader:?}").starts_with("FrameReader { framing: "), "{reader:?}");
        Ok(reader.next(&mut bytes)?)
    };
    let said = |outcome: Result<Value, Box<dyn std::error::Error>>| outcome.unwrap_err().to_string();
    assert_eq!(said(told(&[8, 0], Framing::U32, false)), "at least 2 more bytes are needed");
    assert_eq!(said(told(&[], Framing::U32, true)), "there are no more values");
    let unknown = "(root): expected a known type id, got type id 99 (byte 0)";
    assert_eq!(said(told(&[4, 0, 0, 0, 99, 0, 0, 0], Framing::U32, false)), unknown);
    let broken = format!("the stream cannot be read on: {unknown}");
    assert_eq!(said(told(&[99, 0, 0, 0], Framing::None, false)), broken);
    let misplaced = reader(Framing::None).leave(&mut &[][..]).unwrap_err();
    assert_eq!(misplaced.to_string(), "there is no container to enter or to leave");
}
