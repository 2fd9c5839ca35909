//! Checks a frame reader against whole decodes, however a stream is cut. It panics where they differ.

use variant_core::{Error, ErrorKind, FrameReader, Framing, Limits, Rules, Stop, ToValue, Value, Walker};

use crate::describe::describe;
use crate::hex::Hex;

/// The outcome of one frame.
#[derive(Debug)]
enum Outcome {
    Value(Value),
    Rejected(Error),
}

/// Checks that a stream of these messages, cut into pieces of these lengths over and over, gives for each
/// message the value, error, byte and path that it gives alone. A message that is read entry by entry gives
/// the same values.
///
/// # Panics
/// When that does not hold, or `lengths` is empty.
#[track_caller]
pub fn stream_agrees(messages: &[&[u8]], rules: &Rules, framing: Framing, lengths: &[usize]) {
    values_agree(messages, rules, framing, lengths, FrameReader::next);
    values_agree(messages, rules, framing, lengths, |reader, piece| {
        let bytes = reader.next_bytes(piece)?;
        let whole = Walker::new().decode(&bytes, reader.rules(), &mut ToValue);
        Ok(whole.unwrap_or_else(|error| panic!("{error} of bytes that were checked: {}", Hex(&bytes))).0)
    });
}

#[track_caller]
fn values_agree(
    messages: &[&[u8]],
    rules: &Rules,
    framing: Framing,
    lengths: &[usize],
    mut next: impl FnMut(&mut FrameReader<ToValue>, &mut &[u8]) -> Result<Value, Stop>,
) {
    let stream: Vec<u8> = messages.iter().flat_map(|message| framed(message, framing)).collect();
    let mut input = Pieces { rest: &stream, lengths, turn: 0 };
    let mut reader = FrameReader::new(ToValue, framing, *rules);
    let mut at = 0;
    for message in messages {
        at += u64::try_from(framed(message, framing).len() - message.len()).expect("a length");
        let outcome = match input.ask(|piece| next(&mut reader, piece)) {
            Ok(value) => Outcome::Value(value),
            Err(Stop::Rejected(error)) => Outcome::Rejected(error),
            other => panic!("pieces of {lengths:?}: {other:?}: {}", Hex(&stream)),
        };
        same(&outcome, message, rules);
        assert_eq!(reader.value_at(), at, "pieces of {lengths:?}: {}", Hex(&stream));
        at += u64::try_from(message.len()).expect("a length");
    }
    let more = input.ask(|piece| next(&mut reader, piece));
    assert!(matches!(more, Err(Stop::NeedMore { .. })), "pieces of {lengths:?}: {more:?}: {}", Hex(&stream));
    reader.close();
    let end = input.ask(|piece| next(&mut reader, piece));
    assert!(matches!(end, Err(Stop::End)), "pieces of {lengths:?}: {end:?}: {}", Hex(&stream));
}

/// Checks that a message which is read entry by entry, as deep as it goes, gives the leaves of the whole; and
/// where an entry of the whole is refused, that this reading is refused at the same byte and path.
///
/// # Panics
/// When that does not hold.
#[track_caller]
pub fn entries_agree(message: &[u8], rules: &Rules, lengths: &[usize]) {
    let stream = framed(message, Framing::U32);
    let mut input = Pieces { rest: &stream, lengths, turn: 0 };
    let mut reader = FrameReader::new(ToValue, Framing::U32, *rules);
    let mut leaves = Vec::new();
    let outcome = walk(&mut reader, &mut input, &mut leaves);
    match (outcome, Walker::new().decode(message, rules, &mut ToValue)) {
        (Ok(()), Ok((value, _))) => {
            let mut wanted = Vec::new();
            flatten(value, &mut wanted);
            let told = |values: &[Value]| values.iter().map(describe).collect::<Vec<_>>();
            assert_eq!(told(&leaves), told(&wanted), "pieces of {lengths:?}: {}", Hex(message));
        }
        (Err(found), Err(whole)) if same_cause(&found, &whole) => {
            assert_eq!(found, whole, "{}", Hex(message))
        }
        // Faults between two entries are not found: no two entries are in memory at once.
        (Ok(()), Err(whole)) => assert!(is_of_the_whole(whole.kind()), "{whole}: {}", Hex(message)),
        // The reading by entries may find another fault before such a refusal.
        (Err(_), Err(whole)) => assert!(is_of_the_whole(whole.kind()), "{whole}: {}", Hex(message)),
        (Err(found), Ok(_)) => panic!("{found}, and the whole is good: {}", Hex(message)),
    }
}

fn walk(
    reader: &mut FrameReader<ToValue>,
    input: &mut Pieces<'_>,
    leaves: &mut Vec<Value>,
) -> Result<(), Error> {
    loop {
        match input.ask(|piece| reader.enter(piece)) {
            Ok(()) => leaves.extend(reader.take_key().map_or_else(Vec::new, flattened)),
            Err(Stop::Misplaced) => {
                let value = stopped(input.ask(|piece| reader.next(piece)))?;
                leaves.extend(reader.take_key().map_or_else(Vec::new, flattened));
                leaves.push(value.expect("a value that is no container"));
            }
            other => {
                if stopped(other)?.is_none() {
                    stopped(input.ask(|piece| reader.leave(piece)))?;
                }
            }
        }
        if reader.depth() == 0 {
            return Ok(());
        }
    }
}

/// Returns the error of a refusal, or nothing at the end of a container.
fn stopped<T>(outcome: Result<T, Stop>) -> Result<Option<T>, Error> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Rejected(error)) => Err(error),
        Err(Stop::End) => Ok(None),
        Err(other) => panic!("{other:?}"),
    }
}

/// Lists the leaves of a value in the order of the bytes, keys included.
fn flatten(value: Value, leaves: &mut Vec<Value>) {
    match value {
        Value::Array(array) => array.items.into_iter().for_each(|item| flatten(item, leaves)),
        Value::Dictionary(dictionary) => {
            for (key, value) in dictionary.entries {
                flatten(key, leaves);
                flatten(value, leaves);
            }
        }
        leaf => leaves.push(leaf),
    }
}

fn flattened(value: Value) -> Vec<Value> {
    let mut leaves = Vec::new();
    flatten(value, &mut leaves);
    leaves
}

fn same_cause(found: &Error, whole: &Error) -> bool {
    found.offset() <= whole.offset() && !is_of_the_whole(whole.kind()) && !is_of_the_whole(found.kind())
}

/// Tells whether an error concerns the whole value: limits on all of it, and faults between two entries.
fn is_of_the_whole(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::TooManyValues { .. }
            | ErrorKind::TooMuchMemory { .. }
            | ErrorKind::TooManyProbes { .. }
            | ErrorKind::TooManyBytes { .. }
            | ErrorKind::DuplicateKey
    )
}

#[track_caller]
fn same(outcome: &Outcome, message: &[u8], rules: &Rules) {
    match (outcome, Walker::new().decode(message, rules, &mut ToValue)) {
        (Outcome::Value(value), Ok((whole, _))) => {
            assert_eq!(describe(value), describe(&whole), "{}", Hex(message))
        }
        (Outcome::Rejected(error), Err(whole)) => assert_eq!(*error, whole, "{}", Hex(message)),
        (outcome, whole) => panic!("{outcome:?}, alone {whole:?}: {}", Hex(message)),
    }
}

fn framed(message: &[u8], framing: Framing) -> Vec<u8> {
    let length = u32::try_from(message.len()).expect("a short message");
    let mut framed = Vec::new();
    framing.write_length(length, &mut framed);
    framed.extend(message);
    framed
}

/// Holds a stream that arrives in pieces.
struct Pieces<'a> {
    rest: &'a [u8],
    lengths: &'a [usize],
    turn: usize,
}

impl Pieces<'_> {
    /// Asks with ever more pieces until there is an answer.
    fn ask<T>(&mut self, mut call: impl FnMut(&mut &[u8]) -> Result<T, Stop>) -> Result<T, Stop> {
        loop {
            let length = self.lengths[self.turn % self.lengths.len()].min(self.rest.len());
            let mut piece = &self.rest[..length];
            let outcome = call(&mut piece);
            self.rest = &self.rest[length - piece.len()..];
            match outcome {
                Err(Stop::NeedMore { at_least }) if !self.rest.is_empty() => {
                    assert!(piece.is_empty() && at_least > 0, "{} bytes left over", piece.len());
                    self.turn += 1;
                }
                other => return other,
            }
        }
    }
}

/// Cuts one input into messages, at places that its own bytes choose.
#[must_use]
pub fn messages(bytes: &[u8]) -> Vec<&[u8]> {
    let mut rest = bytes;
    let mut messages = Vec::new();
    while let Some((first, _)) = rest.split_first() {
        let length = (8 + usize::from(*first) * 4).min(rest.len());
        let (message, behind) = rest.split_at(length);
        messages.push(message);
        rest = behind;
    }
    messages
}

/// Makes rules under which a stream of these messages can be read to its end. The size limit is the longest
/// message's length if `turn` is even, and otherwise there is none.
#[must_use]
pub fn enough_bytes(rules: &Rules, messages: &[&[u8]], turn: usize) -> Rules {
    let longest = messages.iter().map(|message| message.len()).max().unwrap_or(0);
    let max_bytes = if turn.is_multiple_of(2) { u64::try_from(longest).expect("a length") } else { u64::MAX };
    Rules { limits: Limits { max_bytes, ..rules.limits }, ..*rules }
}
