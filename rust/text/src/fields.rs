//! Reports every field, a run of bytes with one meaning, in the order of the bytes. `dump` and other callers
//! decide how fields look.

use std::io::{self, Write};

use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::wire::{ContainerKind, Header};
use variant_core::{Error, Extent, Path, Rules, VariantType};

use crate::brief::{DeclaredType, LeafText, children, container_name, cut, quoted, type_name};
use crate::document::Document;
use crate::extent::{between, descriptor_end, leaf_end, text_end};
use crate::json::{JsonForm, write_leaf};
use crate::trail::{Trail, View, view};

/// Says what a field is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPart {
    /// A value without children, with its header.
    Value,
    /// The header of a value with children.
    Container,
    /// The type that a typed Array declares, or one of a typed Dictionary: `elements`, `keys`, `values`.
    Declared(&'static str),
    /// The class of an Object.
    Class,
    /// The number of children.
    Count,
    /// A bare text: `property`, `name` and `sub-name` of a NodePath, `string` of a PackedStringArray.
    Text(&'static str),
    /// Bytes after the value, which have no meaning.
    Rest,
}

impl FieldPart {
    /// Returns a name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FieldPart::Value => "value",
            FieldPart::Container => "container",
            FieldPart::Declared(name) | FieldPart::Text(name) => name,
            FieldPart::Class => "class",
            FieldPart::Count => "count",
            FieldPart::Rest => "rest",
        }
    }
}

/// Holds one field.
#[derive(Debug)]
pub struct Field<'f> {
    /// The part of a value that it is.
    pub part: FieldPart,
    /// The offset of the first byte, from the beginning of the value.
    pub offset: u64,
    /// All bytes of the field, as far as they are there.
    pub bytes: &'f [u8],
    /// The value's type, for [`FieldPart::Value`] and [`FieldPart::Container`]: `Array[int]`, `Vector2:64`; otherwise
    /// empty.
    pub type_name: String,
    /// The flags of its header, by name: `64-bit`, `elements: builtin`.
    pub flags: Vec<String>,
    /// The path of the value that the field belongs to.
    pub path: &'f Path,
    /// The meaning of the field in a few words; empty for a container's header.
    pub text: String,
    leaf: Option<&'f Leaf<'f>>,
}

impl Field<'_> {
    /// Writes a value without children as tagged JSON, whole, and tells whether it was one.
    ///
    /// # Errors
    /// Returns the errors of the output.
    pub fn write_json<W: Write>(&self, output: &mut W) -> io::Result<bool> {
        let form = JsonForm { compact: true, plain: false, tags_floats: false };
        self.leaf.map_or(Ok(false), |leaf| write_leaf(leaf, form, output).map(|()| true))
    }

    /// Returns the object of a document that the field refers to.
    #[must_use]
    pub fn reference(&self, document: &Document) -> Option<String> {
        match self.leaf {
            Some(Leaf::Rid(id)) => document.reference(*id),
            _ => None,
        }
    }
}

/// Reports each field of the value that `bytes` begin with, up to a refusal; bytes after the value are a
/// field too.
///
/// # Errors
/// Returns the errors of `tell`.
pub fn fields(
    bytes: &[u8],
    rules: &Rules,
    tell: &mut impl FnMut(&Field<'_>) -> io::Result<()>,
) -> io::Result<Result<Extent, Error>> {
    let mut fields = FieldView { bytes, rules, tell, next: 0 };
    let verdict = view(bytes, rules, &mut fields)?;
    if let Ok(extent) = &verdict
        && extent.trailing > 0
    {
        let count = extent.trailing;
        let text = format!("({count} more {} after the value)", if count == 1 { "byte" } else { "bytes" });
        fields.next = extent.consumed;
        fields.field(u64::MAX, FieldPart::Rest, &Path::default(), text)?;
    }
    Ok(verdict)
}

struct FieldView<'d, T> {
    bytes: &'d [u8],
    rules: &'d Rules,
    tell: &'d mut T,
    /// The beginning of the next field that has no offset of its own.
    next: u64,
}

impl<'d, T: FnMut(&Field<'_>) -> io::Result<()>> FieldView<'d, T> {
    /// Reports a field that is no value, from the end of the last one to `to`.
    fn field(&mut self, to: u64, part: FieldPart, path: &Path, text: String) -> io::Result<()> {
        let (offset, bytes) = self.take(to);
        let (type_name, flags) = (String::new(), Vec::new());
        (self.tell)(&Field { part, offset, bytes, type_name, flags, path, text, leaf: None })
    }

    fn take(&mut self, to: u64) -> (u64, &'d [u8]) {
        let from = std::mem::replace(&mut self.next, to);
        (from, between(self.bytes, from, to))
    }

    fn declared(&mut self, what: &'static str, declared: &ContainerType<'_>, path: &Path) -> io::Result<()> {
        if *declared == ContainerType::None {
            return Ok(());
        }
        let end = descriptor_end(self.bytes, self.next, declared);
        self.field(end, FieldPart::Declared(what), path, DeclaredType(declared, quoted).to_string())
    }

    fn flags(&self, at: u64, ty: VariantType) -> Vec<String> {
        let word = between(self.bytes, at, at + 4).first_chunk();
        flags(Header(word.map_or(0, |word| u32::from_le_bytes(*word))), ty, self.rules)
    }
}

impl<T: FnMut(&Field<'_>) -> io::Result<()>> View for FieldView<'_, T> {
    fn leaf(&mut self, trail: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        self.next = at;
        let flags = self.flags(at, leaf.ty());
        let (offset, bytes) = self.take(leaf_end(self.bytes, at, leaf.ty(), self.rules));
        let (type_name, text) = (type_name(leaf), LeafText(leaf).to_string());
        let (part, path, leaf) = (FieldPart::Value, trail.path(), Some(leaf));
        (self.tell)(&Field { part, offset, bytes, type_name, flags, path, text, leaf })
    }

    fn open(&mut self, trail: &Trail, at: u64, container: &Container<'_>) -> io::Result<()> {
        self.next = at;
        let path = trail.path();
        let flags = self.flags(at, container.ty());
        let (offset, bytes) = self.take(at + 4);
        let (type_name, text) = (container_name(container), String::new());
        let part = FieldPart::Container;
        (self.tell)(&Field { part, offset, bytes, type_name, flags, path, text, leaf: None })?;
        let mut count_bytes = 4;
        match container {
            Container::Array { element, .. } => self.declared("elements", element, path)?,
            Container::Dictionary { key, value, .. } => {
                self.declared("keys", key, path)?;
                self.declared("values", value, path)?;
            }
            Container::Object { class, .. } => {
                let end = text_end(self.bytes, self.next);
                self.field(end, FieldPart::Class, path, cut(class).to_string())?;
            }
            Container::NodePath { .. } => count_bytes = 12,
            Container::PackedStrings { .. } => (),
        }
        self.field(self.next + count_bytes, FieldPart::Count, path, children(container))
    }

    fn text(&mut self, trail: &Trail, text: Text<'_>) -> io::Result<()> {
        let what = match trail.parent() {
            Some(VariantType::Object) => "property",
            Some(VariantType::NodePath) if trail.is_subname() => "sub-name",
            Some(VariantType::NodePath) => "name",
            _ => "string",
        };
        let end = text_end(self.bytes, self.next);
        self.field(end, FieldPart::Text(what), trail.path(), cut(&text).to_string())
    }
}

fn flags(header: Header, ty: VariantType, rules: &Rules) -> Vec<String> {
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
    names
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
