//! Checks a push decoder against a whole decode, however an input is cut. It panics where they differ.

use variant_core::{Error, ErrorKind, Progress, PushDecoder, Rules, ToValue, Value, Walker};

use crate::describe::describe;
use crate::hex::Hex;

/// The outcome of a decode: the value, and how many bytes follow it.
type Reading = Result<(Value, u64), Error>;

/// Checks that an input which is fed in pieces of these lengths, over and over, gives the value, error, byte
/// and path of the whole, and that the decoder never asks for more bytes than the value lacks.
///
/// # Panics
/// When that does not hold, or `lengths` is empty.
#[track_caller]
pub fn pieces_agree(bytes: &[u8], rules: &Rules, lengths: &[usize]) {
    let whole = Walker::new().decode(bytes, rules, &mut ToValue);
    let expected: Reading = match whole {
        Ok((value, extent)) => Ok((value, extent.trailing)),
        // A push decoder gives bytes behind the value back instead.
        Err(error) => match error.kind() {
            ErrorKind::TrailingBytes { count } => Ok((leading_value(bytes, count, rules), count)),
            // A push decoder cannot know the length of input that has not come.
            ErrorKind::TooManyBytes { .. } => return,
            _ => Err(error),
        },
    };
    let pushed = pushed(bytes, rules, lengths, expected.as_ref().ok().map(|(_, trailing)| *trailing));
    match (&pushed, &expected) {
        (Ok((value, trailing)), Ok((whole, whole_trailing))) => {
            assert_eq!(describe(value), describe(whole), "pieces of {lengths:?}: {}", Hex(bytes));
            assert_eq!(trailing, whole_trailing, "pieces of {lengths:?}: {}", Hex(bytes));
        }
        (Err(error), Err(whole)) => assert_eq!(error, whole, "pieces of {lengths:?}: {}", Hex(bytes)),
        _ => panic!("pieces of {lengths:?}: {pushed:?}, the whole {expected:?}: {}", Hex(bytes)),
    }
}

fn leading_value(bytes: &[u8], trailing: u64, rules: &Rules) -> Value {
    let trailing = usize::try_from(trailing).unwrap_or(usize::MAX);
    variant_core::decode(&bytes[..bytes.len() - trailing], rules).expect("only what follows was refused")
}

fn pushed(bytes: &[u8], rules: &Rules, lengths: &[usize], trailing: Option<u64>) -> Reading {
    let mut decoder = PushDecoder::new(ToValue, *rules);
    let mut rest = bytes;
    for length in lengths.iter().cycle() {
        let (piece, tail) = rest.split_at((*length).min(rest.len()));
        rest = tail;
        match decoder.feed(piece)? {
            Progress::Done { output, unused } => return Ok((output, number(unused + rest.len()))),
            Progress::NeedMore { at_least } => {
                let lacks = trailing.map(|trailing| number(rest.len()).saturating_sub(trailing));
                let fits = lacks.is_none_or(|lacks| (1..=lacks.max(3)).contains(&at_least));
                assert!(fits, "wants {at_least} of {lacks:?}: {}", Hex(bytes));
            }
        }
        if rest.is_empty() {
            return decoder.finish().map(|value| (value, 0));
        }
    }
    panic!("no lengths to cut by")
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
