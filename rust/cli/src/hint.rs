//! Hints: what may help with bytes that are refused. They are guesses and told as such; no verdict depends on them.

use variant_core::{Dialect, ErrorKind, Limits, Rules, validate};

/// Bytes that are looked at for text.
const LOOKED_AT: usize = 64;

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
