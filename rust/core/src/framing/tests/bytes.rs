//! Tests `next_bytes`: values that are checked and returned as bytes.

use super::*;

/// Tests that every value and entry gives the bytes that it was read from, however they come, and that a
/// value which another call had begun is skipped.
#[test]
fn bytes_instead_of_values() {
    let values = [Value::Int(7), array(vec![text("a"), Value::Nil]), Value::PackedByteArray(vec![1, 2, 3])];
    let encoded: Vec<Vec<u8>> = values.iter().map(|value| value.encode().unwrap()).collect();
    let all = dictionary(values.iter().map(|value| (text("key"), value.clone())).collect()).encode().unwrap();
    for piece in [1, 2, 3, 5, 8, 1000] {
        for (framing, stream) in [(Framing::None, encoded.concat()), (Framing::U32, framed(&encoded))] {
            let mut reader = FrameReader::new(ToValue, framing, Rules::engine());
            let mut rest = &stream[..];
            for bytes in &encoded {
                assert_eq!(fed(&mut rest, piece, |input| reader.next_bytes(input)).as_ref(), Ok(bytes));
                assert!(!reader.is_begun());
            }
        }
        let mut reader = FrameReader::new(ToValue, Framing::None, Rules::engine());
        let mut rest = &all[..];
        fed(&mut rest, piece, |input| reader.enter(input)).unwrap();
        assert_eq!(reader.rules().limits.max_depth, Rules::engine().limits.max_depth - 1);
        for bytes in &encoded {
            assert_eq!(fed(&mut rest, piece, |input| reader.next_bytes(input)).as_ref(), Ok(bytes));
            assert_eq!(reader.take_key(), Some(text("key")));
        }
        assert_eq!(fed(&mut rest, piece, |input| reader.next_bytes(input)), Err(Stop::End));
    }
    let stream = encoded.concat();
    let mut reader = reader(Framing::None);
    assert!(matches!(reader.next(&mut &stream[..6]), Err(Stop::NeedMore { .. })));
    assert!(reader.is_begun());
    assert_eq!(reader.next_bytes(&mut &stream[6..]), Ok(encoded[1].clone()));
    assert!(matches!(reader.next_bytes(&mut &stream[..6]), Err(Stop::NeedMore { .. })));
    assert_eq!(reader.enter(&mut &[][..]), Err(Stop::Misplaced));
    assert_eq!(reader.next(&mut &stream[6..]), Ok(values[1].clone()));
}

/// Tests that no more is kept of a value than has come, and nothing after a refusal.
#[test]
fn bytes_of_a_refused_value_are_not_kept() {
    let mut reader = reader(Framing::U32);
    let stream = framed(&[[&[28, 0, 0, 0, 2, 0, 0, 0][..], &[0; 4], &[99; 4]].concat(), vec![0; 4]]);
    for byte in &stream[..19] {
        assert!(matches!(reader.next_bytes(&mut &[*byte][..]), Err(Stop::NeedMore { .. })));
    }
    assert_eq!(reader.intake.kept.len(), 15);
    let mut rest = &stream[19..];
    assert!(matches!(reader.next_bytes(&mut rest), Err(Stop::Rejected(_))));
    assert_eq!(reader.intake.kept.capacity(), 0);
    assert_eq!(reader.next_bytes(&mut rest), Ok(vec![0; 4]));
}
