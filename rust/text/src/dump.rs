//! Dump: `offset | hex | type  path  value`, a line for each field, up to the byte at which a walk stops.

use std::io::{self, Write};

use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::wire::{ContainerKind, Header};
use variant_core::{Error, Extent, Rules, VariantType};

use crate::brief::{Brief, Declared, children, container_name, type_name};
use crate::extent::{between, descriptor_end, leaf_end, text_end};
use crate::quote::Quoted;
use crate::trail::{Trail, View, view};

/// Bytes of one field that a line shows.
const SHOWN_BYTES: usize = 12;
/// Bytes of an excerpt's line.
const LINE: u64 = 16;

/// Writes a line for each field of the value that `bytes` begin with. A refusal gets the last line, at the
/// byte it is about; bytes after the value get one too.
///
/// # Errors
/// The output's.
pub fn dump<W: Write>(bytes: &[u8], rules: &Rules, output: &mut W) -> io::Result<Result<Extent, Error>> {
    let mut dump = Dump { bytes, rules, output, next: 0 };
    let verdict = view(bytes, rules, &mut dump)?;
    match &verdict {
        Ok(extent) if extent.trailing > 0 => {
            let more =
                if extent.trailing == 1 { "1 more byte" } else { &format!("{} more bytes", extent.trailing) };
            let what = format!("({more} after the value)");
            dump.line(extent.consumed, u64::MAX, &what)?;
        }
        Ok(_) => (),
        Err(error) => dump.line(error.offset(), u64::MAX, &format!("^^ stopped here: {error}"))?,
    }
    Ok(verdict)
}

struct Dump<'d, W> {
    bytes: &'d [u8],
    rules: &'d Rules,
    output: &'d mut W,
    /// Where the next field begins that has no offset of its own.
    next: u64,
}

impl<W: Write> Dump<'_, W> {
    /// The field from here to there.
    fn line(&mut self, from: u64, to: u64, what: &str) -> io::Result<()> {
        let field = between(self.bytes, from, to);
        write!(self.output, "{from:08x} | ")?;
        let mut width = 0;
        for (at, byte) in field.iter().take(SHOWN_BYTES).enumerate() {
            width += write_byte(self.output, at, *byte)?;
        }
        if field.len() > SHOWN_BYTES {
            write!(self.output, " +{}", field.len() - SHOWN_BYTES)?;
            width += 2 + digits(field.len() - SHOWN_BYTES);
        }
        writeln!(self.output, "{:pad$} | {what}", "", pad = 42_usize.saturating_sub(width))
    }

    fn field(&mut self, to: u64, what: &str) -> io::Result<()> {
        let from = self.next;
        self.next = to;
        self.line(from, to, what)
    }

    fn declared(&mut self, what: &str, declared: &ContainerType<'_>) -> io::Result<()> {
        if *declared == ContainerType::None {
            return Ok(());
        }
        let end = descriptor_end(self.bytes, self.next, declared);
        self.field(end, &format!("  {what}: {}", Declared(declared)))
    }

    fn header(&self, at: u64) -> Header {
        let word = between(self.bytes, at, at + 4).first_chunk();
        Header(word.map_or(0, |word| u32::from_le_bytes(*word)))
    }
}

impl<W: Write> View for Dump<'_, W> {
    fn leaf(&mut self, trail: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        self.next = at;
        let flags = flags(self.header(at), leaf.ty(), self.rules);
        let end = leaf_end(self.bytes, at, leaf.ty(), self.rules);
        self.field(end, &format!("{}{flags}  {}  {}", type_name(leaf), trail.path(), Brief(leaf)))
    }

    fn open(&mut self, trail: &Trail, at: u64, container: &Container<'_>) -> io::Result<()> {
        self.next = at;
        let flags = flags(self.header(at), container.ty(), self.rules);
        self.field(at + 4, &format!("{}{flags}  {}", container_name(container), trail.path()))?;
        match container {
            Container::Array { element, .. } => self.declared("elements", element)?,
            Container::Dictionary { key, value, .. } => {
                self.declared("keys", key)?;
                self.declared("values", value)?;
            }
            Container::Object { class, .. } => {
                let end = text_end(self.bytes, self.next);
                self.field(end, &format!("  class: {}", Quoted::cut(class.as_str(), 60)))?;
            }
            Container::NodePath { .. } => {
                return self.field(self.next + 12, &format!("  {}", children(container)));
            }
            Container::PackedStrings { .. } => (),
        }
        self.field(self.next + 4, &format!("  {}", children(container)))
    }

    fn text(&mut self, trail: &Trail, text: Text<'_>) -> io::Result<()> {
        let what = match trail.parent() {
            Some(VariantType::Object) => "property",
            Some(VariantType::NodePath) if trail.is_subname() => "sub-name",
            Some(VariantType::NodePath) => "name",
            _ => "string",
        };
        let end = text_end(self.bytes, self.next);
        self.field(end, &format!("{what}  {}  {}", trail.path(), Quoted::cut(text.as_str(), 60)))
    }

    fn close(&mut self, _: &Trail) -> io::Result<()> {
        Ok(())
    }
}

/// The flags of a header by name: ` {64-bit}`, ` {elements: builtin}`.
fn flags(header: Header, ty: VariantType, rules: &Rules) -> String {
    let mut names = Vec::new();
    let unknown = header.unknown_flags(ty, rules.dialect);
    let is_known = rules.dialect.has_wide_flag(ty.layout());
    match ty {
        VariantType::Object if header.is_wide() => names.push("as id".to_owned()),
        VariantType::Array if rules.dialect.has_typed_containers() => {
            names.extend(kind("elements", header.key_kind()));
        }
        VariantType::Dictionary if rules.dialect.has_typed_containers() => {
            names.extend(kind("keys", header.key_kind()));
            names.extend(kind("values", header.value_kind()));
        }
        _ if is_known && header.is_wide() => names.push("64-bit".to_owned()),
        _ => (),
    }
    if unknown != 0 {
        names.push(format!("unknown bits 0x{unknown:08x}"));
    }
    if names.is_empty() { String::new() } else { format!(" {{{}}}", names.join(", ")) }
}

fn kind(what: &str, kind: ContainerKind) -> Option<String> {
    let name = match kind {
        ContainerKind::None => return None,
        ContainerKind::Builtin => "builtin",
        ContainerKind::Class => "class",
        ContainerKind::Script => "script",
    };
    Some(format!("{what}: {name}"))
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

/// The bytes around the place `at` as lines of hex, with a caret under its byte. `bytes` begin at offset
/// `start`.
///
/// # Errors
/// The output's.
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
