//! Hints: what may help with bytes that are refused. They are guesses and told as such; no verdict depends on them.

use variant_core::{Dialect, ErrorKind, Framing, Limits, Rules, validate};
use variant_text::looks::{Begun, Head, begun};

use crate::foreign;

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
    begun_lengths(&Head::of(bytes), given)
}

fn begun_lengths(head: &Head<'_>, given: Dialect) -> Option<String> {
    let Begun { framing, dialect, declared, there } = begun(head, given)?;
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
    if bytes.is_empty() {
        return Some("there are no bytes".to_owned());
    }
    foreign::kind(bytes).or_else(|| fallback(kind)).map(str::to_owned)
}

/// The same of an input of which no more than this is there.
pub(crate) fn on_head(head: &Head<'_>, given: Dialect, kind: ErrorKind) -> Option<String> {
    if head.goes_on(given) {
        return None;
    }
    if let Some(dialect) = Dialect::ALL.into_iter().find(|dialect| head.goes_on(*dialect)) {
        return Some(format!("with --from {} its first bytes make sense", word(dialect)));
    }
    let what = || foreign::kind(head.bytes()).or_else(|| fallback(kind)).map(str::to_owned);
    begun_lengths(head, given).or_else(what)
}

fn fallback(kind: ErrorKind) -> Option<&'static str> {
    matches!(kind, ErrorKind::UnknownType { .. }).then_some("`gdvar guess` tries every dialect and framing")
}
