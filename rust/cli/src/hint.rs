//! Hints: what may help with bytes that are refused. They are guesses and told as such; no verdict depends on them.

use variant_core::{Dialect, ErrorKind, Limits, Rules, validate};

/// Bytes that are looked at for text.
const LOOKED_AT: usize = 64;

/// So much of a value that is cut off has to be there for a hint: one of so many parts.
const LEAST_PART: u64 = 256;

/// How `--from` calls a dialect.
pub(crate) const fn word(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Godot3 => "godot3",
        Dialect::Documented => "documented",
        _ => "godot4",
    }
}

/// The dialect in which bytes are a value, when they are none in this one.
pub(crate) fn dialect(bytes: &[u8], given: Dialect) -> Option<Dialect> {
    let is_value = |dialect| {
        let rules = Rules { full_objects: true, dialect, ..Rules::safe(Limits::engine()) };
        validate(bytes, &rules).is_ok()
    };
    if is_value(given) { None } else { Dialect::ALL.into_iter().find(|dialect| is_value(*dialect)) }
}

/// What to read bytes as that are no value, but begin as a length and a value or a part of one: a file of `store_var()` that
/// was cut off, or in which something else follows. Its lengths do not add up, so it is not read as one.
pub(crate) fn lengths(bytes: &[u8], given: Dialect) -> Option<String> {
    let (head, rest) = bytes.split_first_chunk::<4>()?;
    let others = Dialect::ALL.into_iter().filter(|dialect| *dialect != given);
    if dialect(bytes, given).is_some() {
        return None;
    }
    // What is cut off fits any length that is larger: the smaller one is the likelier.
    let mut lengths = [("u32", u32::from_le_bytes(*head)), ("u32be", u32::from_be_bytes(*head))];
    lengths.sort_by_key(|(_, length)| *length);
    for dialect in [given].into_iter().chain(others) {
        let from = if dialect == given { String::new() } else { format!("--from {} ", word(dialect)) };
        for (framing, length) in lengths {
            match first_of(rest, length, dialect) {
                Some(First::Whole) => {
                    return Some(format!("with {from}--framing {framing} its first value makes sense"));
                }
                Some(First::Cut) => {
                    return Some(format!(
                        "with {from}--framing {framing} it is cut off: {length} bytes of its first value are declared, {} there",
                        rest.len()
                    ));
                }
                None => {}
            }
        }
    }
    None
}

/// What stands behind a length.
enum First {
    Whole,
    Cut,
}

fn first_of(rest: &[u8], length: u32, dialect: Dialect) -> Option<First> {
    // Values are padded.
    if length < 4 || !length.is_multiple_of(4) {
        return None;
    }
    let rules = Rules { full_objects: true, dialect, ..Rules::safe(Limits::engine()) };
    match usize::try_from(length).ok().and_then(|length| rest.get(..length)) {
        Some(value) => validate(value, &rules).is_ok().then_some(First::Whole),
        // Two words say little: a null or a length of anything. Nor is any number a length of which next to nothing is there.
        None if rest.len() < 8 || u64::from(length) / LEAST_PART > rest.len() as u64 => None,
        None => match validate(rest, &rules) {
            Err(error) if matches!(error.kind(), ErrorKind::Incomplete { .. }) => Some(First::Cut),
            _ => None,
        },
    }
}

/// What may help with a value that was refused.
pub(crate) fn on(bytes: &[u8], given: Dialect, kind: ErrorKind) -> Option<String> {
    if let Some(dialect) = dialect(bytes, given) {
        return Some(format!("with --from {} it makes sense", word(dialect)));
    }
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let hint = match bytes {
        [] => "there are no bytes",
        [b'R', b'S', b'R' | b'C', b'C', ..] => "a resource of Godot begins so, which ResourceLoader reads",
        [b'G', b'D', b'P', b'C', ..] => "a pack of files (.pck) begins so",
        text if text.iter().take(LOOKED_AT).all(is_text) => {
            "this is text: --hex and --base64 read bytes written as text, `gdvar encode` reads JSON"
        }
        _ if matches!(kind, ErrorKind::UnknownType { .. }) => "`gdvar guess` tries every dialect and framing",
        _ => return None,
    };
    Some(hint.to_owned())
}
