//! Writes bytes as JSON while it walks them. The table of `json/mod.rs` has the forms.

use std::fmt::Display;
use std::io::{self, Write};

use variant_core::token::{Container, ContainerType, Lanes, Leaf, Text};
use variant_core::wire::Lane;
use variant_core::{Error, Extent, NodePath, Path, QuotedText, Rules, Step, VariantType};

use super::path::path_parts;
use super::tag::escaped;
use super::{ENTRIES, MARK};
use crate::MOST_INDENTED;
use crate::brief::{self, DeclaredType};
use crate::document::Document;
use crate::hex::Hex;
use crate::number::{NumberText, SAFE_INT};
use crate::trail::{Trail, View, view};

/// Says how JSON is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct JsonForm {
    /// Whether it is without tags: for reading, not for reading back.
    pub plain: bool,
    /// Whether it is all on one line.
    pub compact: bool,
    /// Whether floats have a tag: for tools that write 1.0 as 1.
    pub tags_floats: bool,
}

/// Writes the value that `bytes` begin with as JSON. After a refusal the text is unfinished.
///
/// # Errors
/// Returns the errors of the output.
pub fn write<W: Write>(
    bytes: &[u8],
    rules: &Rules,
    form: JsonForm,
    output: &mut W,
) -> io::Result<Result<Extent, Error>> {
    // Tags have to come back to the same bytes, so only the plain form names objects.
    let document = if form.plain { Document::of(bytes, rules) } else { None };
    write_in(bytes, rules, form, document.as_ref(), output)
}

/// Writes a value, or one of a document of objects, in which RIDs are references to these.
pub(crate) fn write_in<W: Write>(
    bytes: &[u8],
    rules: &Rules,
    form: JsonForm,
    document: Option<&Document>,
    output: &mut W,
) -> io::Result<Result<Extent, Error>> {
    view(bytes, rules, &mut Json::new(form, document, output))
}

pub(crate) fn write_leaf<W: Write>(leaf: &Leaf<'_>, form: JsonForm, output: &mut W) -> io::Result<()> {
    Json::new(form, None, output).value(leaf)
}

struct Level {
    /// The text that comes after its last child.
    end: &'static str,
    kind: OpenKind,
    has_children: bool,
    /// Whether entries are written as pairs.
    in_pairs: bool,
    /// Whether it is itself a key, in a pair.
    is_key: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenKind {
    Items,
    Entries,
    Properties,
    /// Its parts are gathered and written at the end.
    NodePath,
    /// A part of a document of objects, whose elements have names.
    Named,
    /// A class of a document, of which the rows alone are written.
    Class,
}

struct Json<'o, W> {
    form: JsonForm,
    /// The names of a document of objects.
    document: Option<&'o Document>,
    output: &'o mut W,
    frames: Vec<Level>,
    path: NodePath,
    /// The containers open within a key that plain JSON cannot hold.
    muted: u32,
}

impl<'o, W: Write> Json<'o, W> {
    fn new(form: JsonForm, document: Option<&'o Document>, output: &'o mut W) -> Json<'o, W> {
        Json { form, document, output, frames: Vec::new(), path: NodePath::default(), muted: 0 }
    }

    fn line(&mut self) -> io::Result<()> {
        if self.form.compact {
            return Ok(());
        }
        write!(self.output, "\n{:indent$}", "", indent = self.indent() * 2)
    }

    /// Begins the line of another child, behind the comma of the one before.
    fn next_line(&mut self) -> io::Result<()> {
        let frame = self.frames.last_mut();
        if frame.is_some_and(|frame| std::mem::replace(&mut frame.has_children, true)) {
            self.output.write_all(b",")?;
        }
        self.line()
    }

    /// Returns the indentation: pairs of a Dictionary stand one level deeper than its other entries.
    fn indent(&self) -> usize {
        let frames = self.frames.iter().filter(|frame| frame.kind != OpenKind::Class).take(MOST_INDENTED);
        frames.map(|frame| 1 + usize::from(frame.in_pairs)).sum::<usize>().min(MOST_INDENTED)
    }

    fn colon(&self) -> &'static str {
        if self.form.compact { ":" } else { ": " }
    }

    fn comma(&self) -> &'static str {
        if self.form.compact { "," } else { ", " }
    }

    /// Writes what goes before a child: a comma, a line, and what turns a Dictionary into pairs. A text key
    /// is written whole; then, and for a muted child, it returns false.
    fn before(&mut self, trail: &Trail, key: Option<&Leaf<'_>>) -> io::Result<bool> {
        if !trail.is_key() {
            return self.before_item(trail);
        }
        let Some(frame) = self.frames.last_mut() else { return Ok(true) };
        let had_children = std::mem::replace(&mut frame.has_children, true);
        let was_in_pairs = frame.in_pairs;
        if had_children {
            self.output.write_all(b",")?;
        }
        if self.form.plain {
            self.line()?;
            write!(self.output, "{}{}", QuotedText::whole(&plain_key(trail, key)), self.colon())?;
            return Ok(false);
        }
        if let (false, Some(Leaf::Text(VariantType::String, text))) = (was_in_pairs, key)
            && !text.as_str().starts_with(MARK)
        {
            self.line()?;
            write!(self.output, "{}{}", QuotedText::whole(text.as_str()), self.colon())?;
            return Ok(false);
        }
        if !was_in_pairs {
            self.line()?;
            write!(self.output, "\"{ENTRIES}\"{}[", self.colon())?;
            if let Some(frame) = self.frames.last_mut() {
                frame.in_pairs = true;
            }
        }
        self.line()?;
        self.output.write_all(b"[").map(|()| true)
    }

    fn before_item(&mut self, trail: &Trail) -> io::Result<bool> {
        let Some(kind) = self.frames.last().map(|frame| frame.kind) else { return Ok(true) };
        if matches!(kind, OpenKind::Items | OpenKind::Named) {
            self.next_line()?;
        }
        if kind == OpenKind::Named {
            write!(self.output, "{}{}", QuotedText::whole(&self.name(trail.path())), self.colon())?;
        }
        // Tag, version and names of a class are said where its rows stand.
        let is_written = kind != OpenKind::Class || trail.position().0 == 3;
        if let (OpenKind::Class, true, Some(frame)) = (kind, is_written, self.frames.last_mut()) {
            frame.has_children = true;
        }
        Ok(is_written)
    }

    fn name(&self, path: &Path) -> String {
        let text = match (path.0.as_slice(), self.document) {
            ([Step::Index(0)], _) => Some("form"),
            ([Step::Index(1)], _) => Some("objects"),
            ([Step::Index(2)], _) => Some("value"),
            ([_, Step::Index(class)], Some(document)) => document.tag(*class),
            ([_, Step::Index(class), _, _, Step::Index(column)], Some(document)) => document
                .names(*class)
                .and_then(|names| names.get(usize::try_from(*column).ok()?))
                .map(String::as_str),
            _ => None,
        };
        text.map_or_else(|| path.to_string(), str::to_owned)
    }

    /// The kind of an Array that is a part of a document of objects.
    fn part(&self, path: &Path) -> Option<OpenKind> {
        let document = self.document.filter(|_| self.form.plain)?;
        match path.0.as_slice() {
            [] | [Step::Index(1)] => Some(OpenKind::Named),
            [Step::Index(1), Step::Index(_)] => Some(OpenKind::Class),
            [Step::Index(1), Step::Index(class), Step::Index(3), Step::Index(_)] => {
                document.names(*class).map(|_| OpenKind::Named)
            }
            _ => None,
        }
    }

    /// Writes what goes after a child: the comma of a pair, or its end.
    fn after(&mut self, is_key: bool) -> io::Result<()> {
        match self.frames.last() {
            Some(frame) if frame.in_pairs && is_key => write!(self.output, "{}", self.comma()),
            Some(frame) if frame.in_pairs => self.output.write_all(b"]"),
            _ => Ok(()),
        }
    }

    fn tagged(&mut self, tag: &dyn Display, value: &dyn Display) -> io::Result<()> {
        if self.form.plain {
            return write!(self.output, "{value}");
        }
        write!(self.output, "{{\"{MARK}{tag}\"{}{value}}}", self.colon())
    }

    fn value(&mut self, leaf: &Leaf<'_>) -> io::Result<()> {
        let name = brief::type_name(leaf);
        match leaf {
            Leaf::Nil => self.output.write_all(b"null"),
            Leaf::Bool(value) => write!(self.output, "{value}"),
            Leaf::Int(value) if value.unsigned_abs() <= SAFE_INT || self.form.plain => {
                write!(self.output, "{value}")
            }
            Leaf::Int(value) => self.tagged(&name, &QuotedText::whole(&value.to_string())),
            Leaf::Float(value) if value.is_finite() && !self.form.tags_floats => {
                write!(self.output, "{value:?}")
            }
            Leaf::Float(value) => {
                self.tagged(&name, &QuotedText::whole(&NumberText::Double(*value).to_string()))
            }
            Leaf::Text(VariantType::String, text) => {
                write!(self.output, "{}", QuotedText::whole(text.as_str()))
            }
            Leaf::Text(_, text) => self.tagged(&name, &QuotedText::whole(text.as_str())),
            Leaf::Math(_, lanes) | Leaf::Packed(_, lanes) => self.lanes(&name, lanes),
            Leaf::Rid(id) => self.rid(&name, *id),
            Leaf::ObjectId(id) => self.tagged(&VariantType::Object, &QuotedText::whole(&id.to_string())),
            Leaf::Callable => self.tagged(&name, &"null"),
            Leaf::Signal(signal, object) => {
                let parts = format!("[{}{}\"{object}\"]", QuotedText::whole(signal.as_str()), self.comma());
                self.tagged(&name, &parts)
            }
        }
    }

    /// Writes an RID, or the object of a document that it stands for.
    fn rid(&mut self, name: &str, id: u64) -> io::Result<()> {
        match self.document.and_then(|document| document.reference(id)) {
            Some(object) => self.tagged(&"object", &QuotedText::whole(&object)),
            None => self.tagged(&name, &QuotedText::whole(&id.to_string())),
        }
    }

    fn lanes(&mut self, name: &str, lanes: &Lanes<'_>) -> io::Result<()> {
        if !self.form.plain {
            write!(self.output, "{{\"{MARK}{name}\"{}", self.colon())?;
        }
        if lanes.lane() == Lane::U8 {
            write!(self.output, "\"{}\"", Hex(lanes.bytes()))?;
        } else {
            self.output.write_all(b"[")?;
            for (at, number) in brief::numbers(lanes).enumerate() {
                let comma = if at > 0 { self.comma() } else { "" };
                match number {
                    NumberText::Int(int) if int.unsigned_abs() > SAFE_INT => {
                        write!(self.output, "{comma}\"{int}\"")?
                    }
                    number if !number.is_finite() => write!(self.output, "{comma}\"{number}\"")?,
                    number => write!(self.output, "{comma}{number}")?,
                }
            }
            self.output.write_all(b"]")?;
        }
        self.output.write_all(if self.form.plain { b"" } else { b"}" })
    }

    /// Opens a container; returns the text that ends it and the kind of its children.
    fn opening(&mut self, trail: &Trail, container: &Container<'_>) -> io::Result<(&'static str, OpenKind)> {
        match (container, self.part(trail.path())) {
            (Container::Array { .. }, Some(OpenKind::Class)) => return Ok(("", OpenKind::Class)),
            (Container::Array { .. }, Some(kind)) => {
                return self.output.write_all(b"{").map(|()| ("}", kind));
            }
            _ => {}
        }
        let (tag, start, end, kind) = match container {
            Container::Array { element: ContainerType::None, .. } => (None, "[", "]", OpenKind::Items),
            Container::Array { element, .. } => {
                (Some(format!("Array[{}]", DeclaredType(element, escaped))), "[", "]}", OpenKind::Items)
            }
            Container::Dictionary { key: ContainerType::None, value: ContainerType::None, .. } => {
                (None, "{", "}", OpenKind::Entries)
            }
            Container::Dictionary { key, value, .. } => {
                let tag =
                    format!("Dictionary[{}, {}]", DeclaredType(key, escaped), DeclaredType(value, escaped));
                (Some(tag), "{", "}}", OpenKind::Entries)
            }
            Container::Object { .. } => (None, "{", "}}}", OpenKind::Properties),
            Container::NodePath { .. } => (None, "", "", OpenKind::NodePath),
            Container::PackedStrings { .. } => (Some(container.ty().to_string()), "[", "]}", OpenKind::Items),
        };
        if self.form.plain {
            self.output.write_all(start.as_bytes())?;
            return Ok((if kind == OpenKind::NodePath { "" } else { &end[..1] }, kind));
        }
        if let Some(tag) = tag {
            write!(self.output, "{{{}{}", QuotedText::whole(&format!("{MARK}{tag}")), self.colon())?;
        }
        if let Container::Object { class, .. } = container {
            let (class, colon, comma) = (QuotedText::whole(class.as_str()), self.colon(), self.comma());
            write!(self.output, "{{\"$Object\"{colon}{{\"class\"{colon}{class}{comma}\"properties\"{colon}")?;
        }
        self.output.write_all(start.as_bytes())?;
        Ok((end, kind))
    }

    fn node_path(&mut self) -> io::Result<()> {
        let path = std::mem::take(&mut self.path);
        let text = path.to_string();
        if self.form.plain || path_parts(&text) == path {
            return self.tagged(&VariantType::NodePath, &QuotedText::whole(&text));
        }
        let list = |names: &[String]| {
            let quoted: Vec<String> = names.iter().map(|name| QuotedText::whole(name).to_string()).collect();
            quoted.join(self.comma())
        };
        let (colon, comma, absolute) = (self.colon(), self.comma(), path.absolute);
        let parts = [
            format!("\"absolute\"{colon}{absolute}"),
            format!("\"names\"{colon}[{}]", list(&path.names)),
            format!("\"subnames\"{colon}[{}]", list(&path.subnames)),
        ];
        self.tagged(&VariantType::NodePath, &format!("{{{}}}", parts.join(comma)))
    }
}

impl<W: Write> View for Json<'_, W> {
    fn leaf(&mut self, trail: &Trail, _: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        if self.muted == 0 && self.before(trail, Some(leaf))? {
            self.value(leaf)?;
            self.after(trail.is_key())?;
        }
        Ok(())
    }

    fn open(&mut self, trail: &Trail, _: u64, container: &Container<'_>) -> io::Result<()> {
        if self.muted > 0 || !self.before(trail, None)? {
            self.muted += 1;
            return Ok(());
        }
        if let Container::NodePath { absolute, .. } = container {
            self.path = NodePath { absolute: *absolute, ..NodePath::default() };
        }
        let (end, kind) = self.opening(trail, container)?;
        self.frames.push(Level { end, kind, has_children: false, in_pairs: false, is_key: trail.is_key() });
        Ok(())
    }

    fn text(&mut self, trail: &Trail, text: Text<'_>) -> io::Result<()> {
        if self.muted > 0 {
            return Ok(());
        }
        let text = text.as_str();
        match self.frames.last_mut() {
            Some(Level { kind: OpenKind::NodePath, .. }) if trail.is_subname() => {
                self.path.subnames.push(text.to_owned())
            }
            Some(Level { kind: OpenKind::NodePath, .. }) => self.path.names.push(text.to_owned()),
            Some(Level { kind: OpenKind::Properties, .. }) => {
                self.next_line()?;
                write!(self.output, "{}{}", QuotedText::whole(text), self.colon())?;
            }
            _ => {
                self.before_item(trail)?;
                write!(self.output, "{}", QuotedText::whole(text))?;
            }
        }
        Ok(())
    }

    fn close(&mut self, _: &Trail) -> io::Result<()> {
        if self.muted > 0 {
            self.muted -= 1;
            return Ok(());
        }
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        if frame.in_pairs {
            // The closing bracket of the pairs stands where their member began.
            if !self.form.compact {
                write!(self.output, "\n{:indent$}", "", indent = (self.indent() + 1).min(MOST_INDENTED) * 2)?;
            }
            self.output.write_all(b"]")?;
        }
        match (frame.kind, frame.has_children) {
            // A class without rows.
            (OpenKind::Class, false) => self.output.write_all(b"null")?,
            (OpenKind::Class, true) | (_, false) => {}
            (_, true) => self.line()?,
        }
        if frame.kind == OpenKind::NodePath {
            self.node_path()?;
        }
        self.output.write_all(frame.end.as_bytes())?;
        self.after(frame.is_key)
    }
}

/// Returns a key as plain JSON has it: text, whatever it was.
fn plain_key(trail: &Trail, key: Option<&Leaf<'_>>) -> String {
    match key {
        Some(Leaf::Text(_, text)) => text.as_str().to_owned(),
        Some(leaf) => brief::LeafText(leaf).to_string(),
        None => format!("[key {}]", trail.position().0),
    }
}
