//! Writes the hints of refusals: which options of the command line may help with the bytes.
//!
//! Hints are guesses and are worded as such; no verdict depends on them. `variant_text::sniff` finds out what
//! bytes look like.

use variant_core::{Dialect, ErrorKind, Framing, Limits, Rules, validate};
use variant_text::sniff::{FileKind, FrameStart, InputHead, Looks};

/// Returns the word of `--from` for a dialect.
pub(crate) const fn word(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Godot3 => "godot3",
        Dialect::Documented => "documented",
        _ => "godot4",
    }
}

/// Returns the dialect in which bytes are a value, if they are none in the given one.
pub(crate) fn dialect(bytes: &[u8], given: Dialect) -> Option<Dialect> {
    let is_value = |dialect| {
        let rules = Rules { full_objects: true, dialect, ..Rules::safe(Limits::engine()) };
        validate(bytes, &rules).is_ok()
    };
    if is_value(given) { None } else { Dialect::ALL.into_iter().find(|dialect| is_value(*dialect)) }
}

/// Returns a hint on a value that was refused. `is_all` says that it is the whole of an input whose framing
/// the call does not name.
pub(crate) fn on(head: &InputHead<'_>, given: Dialect, kind: ErrorKind, is_all: bool) -> Option<String> {
    let looks = Looks::of(head, given).filter(|_| Looks::may_help(kind));
    let is_told = |looks: &Looks| is_all || !matches!(looks, Looks::Framed(_) | Looks::Behind(_));
    let is_known = looks.is_some() || head.goes_on(given) || !Looks::may_help(kind);
    if matches!(kind, ErrorKind::TooMuchMemory { .. }) {
        return fallback(kind).map(str::to_owned);
    }
    match looks.filter(is_told) {
        Some(looks) => Some(told(head, looks, given)),
        None if is_known => None,
        None => fallback(kind).map(str::to_owned),
    }
}

/// Returns a hint on an input that does not begin with the length of a value, where there should be one.
pub(crate) fn on_length(head: &InputHead<'_>, framing: Framing, given: Dialect) -> Option<String> {
    let looks = Looks::of_framed(head, framing, given)?;
    // The refusal says already that it is cut off.
    let is_said = matches!(looks, Looks::Framed(begun) if begun.framing == framing && begun.dialect == given);
    (!is_said).then(|| told(head, looks, given))
}

fn told(head: &InputHead<'_>, looks: Looks, given: Dialect) -> String {
    let sense = if head.is_whole() { "it makes sense" } else { "its first bytes make sense" };
    match looks {
        Looks::Empty => "there are no bytes".to_owned(),
        Looks::Dialect(dialect) => format!("with --from {} {sense}", word(dialect)),
        Looks::Framed(begun) => begun_lengths(&begun, given),
        Looks::Unframed(dialect) => format!("with {}--framing none {sense}", from(dialect, given)),
        Looks::Kind(kind) => format!("{}{}", kind.words(), advice(kind)),
        Looks::Behind(skip) => format!("with --skip {skip} {sense}"),
        _ => String::new(),
    }
}

fn from(dialect: Dialect, given: Dialect) -> String {
    if dialect == given { String::new() } else { format!("--from {} ", word(dialect)) }
}

fn begun_lengths(begun: &FrameStart, given: Dialect) -> String {
    let FrameStart { framing, dialect, declared, there } = *begun;
    let framing = if framing == Framing::U32 { "u32" } else { "u32be" };
    let told = match begun.is_whole() {
        true => "its first value makes sense".to_owned(),
        false => format!("it is cut off: {declared} bytes of its first value are declared, {there} there"),
    };
    format!("with {}--framing {framing} {told}", from(dialect, given))
}

/// Returns what to do with a file of another kind, to be put behind the name of the kind.
const fn advice(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Resource | FileKind::ResourceText => ", which ResourceLoader reads",
        FileKind::Zip | FileKind::SevenZip => ": unpack it, and check the files in it",
        FileKind::Gzip => ": unpack it first, as in `gzip -dc FILE | gdvar check -`",
        FileKind::Zstandard => ": unpack it first, as in `zstd -dc FILE | gdvar check -`",
        FileKind::Xz => ": unpack it first, as in `xz -dc FILE | gdvar check -`",
        FileKind::Bzip2 => ": unpack it first, as in `bzip2 -dc FILE | gdvar check -`",
        FileKind::Deflate => ": decompress() it in the game, and save what comes out",
        FileKind::Json => ", which `gdvar encode` makes bytes of",
        FileKind::Digits => ": --hex reads them",
        FileKind::Base64 => ": --base64 reads them",
        FileKind::Text => ": --hex and --base64 read bytes written as text, `gdvar encode` reads JSON",
        _ => "",
    }
}

fn fallback(kind: ErrorKind) -> Option<&'static str> {
    match kind {
        ErrorKind::UnknownType { .. } => Some("`gdvar guess` tries every dialect and framing"),
        ErrorKind::TooMuchMemory { .. } => Some("--max-heap-bytes allows more"),
        _ => None,
    }
}
