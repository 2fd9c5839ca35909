//! Writes a dump: `offset | hex | type  path  value`, a line for each field, up to the byte at which a walk
//! stops.

use std::io::{self, Write};

use variant_core::{Error, Extent, Rules};

use crate::document::Document;
use crate::extent::between;
use crate::fields::{Field, FieldPart, fields};
use crate::place::ShownPath;

/// The bytes of one field that a line shows.
const SHOWN_BYTES: usize = 12;
/// The bytes of an excerpt's line.
const LINE: u64 = 16;

/// Writes a line for each field of the value that `bytes` begin with. A refusal gets the last line, at its
/// byte; bytes after the value get one too. Objects of a document are named by their tags. If a path is longer than 80 characters, its middle is left out,
/// so that a byte never becomes more than 40 characters at any depth; a few hundred for a refusal come on
/// top.
///
/// # Errors
/// Returns the errors of the output.
pub fn dump<W: Write>(bytes: &[u8], rules: &Rules, output: &mut W) -> io::Result<Result<Extent, Error>> {
    let document = Document::of(bytes, rules);
    let document = document.as_ref();
    let verdict = fields(bytes, rules, &mut |field| {
        line(output, field.offset, field.bytes, &meaning(field, document))
    })?;
    if let Err(error) = &verdict {
        let rest = between(bytes, error.offset(), u64::MAX);
        line(output, error.offset(), rest, &format!("^^ stopped here: {error}"))?;
    }
    Ok(verdict)
}

/// Formats what stands behind the bytes of a field. Parts of a document of objects have the names that it gives them.
fn meaning(field: &Field<'_>, document: Option<&Document>) -> String {
    let Field { type_name, flags, path, text, .. } = field;
    let named = document.map(|document| document.path(path));
    let path = ShownPath::shown(named.as_ref().unwrap_or(path));
    let text = match document.and_then(|document| field.reference(document)) {
        Some(object) => format!("{text} = {object}"),
        None => text.clone(),
    };
    let flags = if flags.is_empty() { String::new() } else { format!(" {{{}}}", flags.join(", ")) };
    match field.part {
        FieldPart::Value => format!("{type_name}{flags}  {path}  {text}"),
        FieldPart::Container => format!("{type_name}{flags}  {path}"),
        FieldPart::Declared(what) => format!("  {what}: {text}"),
        FieldPart::Class => format!("  class: {text}"),
        FieldPart::Count => format!("  {text}"),
        FieldPart::Text(what) => format!("{what}  {path}  {text}"),
        FieldPart::Rest => text,
    }
}

fn line<W: Write>(output: &mut W, from: u64, field: &[u8], what: &str) -> io::Result<()> {
    write!(output, "{from:08x} | ")?;
    let mut width = 0;
    for (at, byte) in field.iter().take(SHOWN_BYTES).enumerate() {
        width += write_byte(output, at, *byte)?;
    }
    if field.len() > SHOWN_BYTES {
        write!(output, " +{}", field.len() - SHOWN_BYTES)?;
        width += 2 + digits(field.len() - SHOWN_BYTES);
    }
    writeln!(output, "{:pad$} | {what}", "", pad = 42_usize.saturating_sub(width))
}

fn write_byte<W: Write>(output: &mut W, at: usize, byte: u8) -> io::Result<usize> {
    let gap = match at {
        0 => "",
        _ if at.is_multiple_of(4) => "  ",
        _ => " ",
    };
    write!(output, "{gap}{byte:02x}")?;
    Ok(gap.len() + 2)
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

/// Writes the bytes around the place `at` as lines of hex, with a caret under its byte. `bytes` begin at
/// offset `start`.
///
/// # Errors
/// Returns the errors of the output.
pub fn excerpt<W: Write>(bytes: &[u8], start: u64, at: u64, output: &mut W) -> io::Result<()> {
    let last = at / LINE * LINE;
    for line in [last.checked_sub(LINE).filter(|line| *line >= start), Some(last)].into_iter().flatten() {
        write!(output, "  {line:08x} | ")?;
        let row = between(bytes, line.saturating_sub(start), (line + LINE).saturating_sub(start));
        for (at, byte) in row.iter().enumerate() {
            write_byte(output, at, *byte)?;
        }
        writeln!(output)?;
    }
    let column = usize::try_from(at - last).unwrap_or(0);
    writeln!(output, "  {:8} | {:pad$}^^", "", "", pad = column * 3 + column / 4)
}
