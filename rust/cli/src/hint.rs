//! Hints: what may help with bytes that are refused. They are guesses and told as such; no verdict depends on them.

use variant_core::{Dialect, ErrorKind, Framing, Limits, Rules, validate};
use variant_text::nodes::{Begun, Head, begun};

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

/// What to read bytes as that are no value: a file of `store_var()` that was cut off, or in which something else follows. Its
/// lengths do not add up, so it is not read as one.
pub(crate) fn lengths(bytes: &[u8], given: Dialect) -> Option<String> {
    if dialect(bytes, given).is_some() {
        return None;
    }
    let Begun { framing, dialect, declared, there } = begun(&Head::of(bytes), given)?;
    let from = if dialect == given { String::new() } else { format!("--from {} ", word(dialect)) };
    let framing = if framing == Framing::U32 { "u32" } else { "u32be" };
    let told = match there {
        all if all == declared => "its first value makes sense".to_owned(),
        _ => format!("it is cut off: {declared} bytes of its first value are declared, {there} there"),
    };
    Some(format!("with {from}--framing {framing} {told}"))
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
