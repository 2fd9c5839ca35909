//! Reads one header and its own payload as a token, without nesting. The arms stand in the order of
//! `write.rs`.
//!
//! On a fault the cursor stays at the token's first byte, so that a token can be read again when more bytes
//! have come. The facts are in FORMAT.md sections 1, 3 and 5.1; every rule is named by its number there.

use super::write::{is_narrow_float, is_narrow_int};
use super::{Container, ContainerType, Lanes, Leaf, Text, TextForm, Token};
use crate::cursor::{Cursor, length, padding};
use crate::fault::{ErrorKind, Fault, Part};
use crate::wire::{ContainerKind, Header, Lane, Layout, RealWidth, Rules, VariantType};

/// The count's top bit, which once meant "shared": it is never set since 3.0, and dropped when read (rule 9).
const SHARED: u32 = 0x8000_0000;
/// The bit of a NodePath's name count that marks the only form still read (rule 6).
const NEW_NODE_PATH: u32 = 0x8000_0000;
const ABSOLUTE: u32 = 1;
/// The flag of a 2.x NodePath that has one more sub-name than counted.
const OBSOLETE_PROPERTY: u32 = 2;
/// The class that stands for every class and script where objects are not allowed.
const OBJECT_CLASS: &str = "EncodedObjectAsID";

/// Reads one token.
#[inline]
pub fn read<'a>(cursor: &mut Cursor<'a>, rules: &Rules) -> Result<Token<'a>, Fault> {
    let mut reader = Reader { cursor: *cursor, rules };
    let token = reader.token()?;
    *cursor = reader.cursor;
    Ok(token)
}

/// Reads one bare text: a NodePath's name, a PackedStringArray's entry, an Object's property name.
pub fn read_text<'a>(cursor: &mut Cursor<'a>, form: TextForm, rules: &Rules) -> Result<Text<'a>, Fault> {
    let mut reader = Reader { cursor: *cursor, rules };
    let at = cursor.at();
    let text = reader.text(form).map_err(|fault| bare(fault, form, at))?;
    *cursor = reader.cursor;
    Ok(text)
}

/// Makes the fault of a bare text that begins at `at`. Its length is for it what the header is for a value.
#[cold]
fn bare(fault: Fault, form: TextForm, at: u64) -> Fault {
    if fault.at == at && matches!(fault.kind, ErrorKind::Incomplete { .. }) {
        return fault;
    }
    fault.within(match form {
        TextForm::Plain => VariantType::Object,
        TextForm::Terminated => VariantType::PackedStringArray,
        TextForm::PathName => VariantType::NodePath,
    })
}

struct Reader<'a, 'r> {
    cursor: Cursor<'a>,
    rules: &'r Rules,
}

impl<'a> Reader<'a, '_> {
    #[inline(always)]
    fn token(&mut self) -> Result<Token<'a>, Fault> {
        let at = self.cursor.at();
        let header = Header(self.u32()?);
        let dialect = self.rules.dialect;
        let Some(ty) = header.ty(dialect) else {
            return Err(Fault::new(ErrorKind::UnknownType { id: header.type_id(dialect) }, at));
        };
        if self.rules.is_safe() {
            self.no_flags(header.unknown_flags(ty, dialect), at)?;
        }
        if !self.rules.limits.allowed_types.contains(ty) {
            return self.not_allowed(ty, header, at).map_err(|fault| fault.within(ty));
        }
        self.payload(ty, header, at).map_err(|fault| fault.within(ty))
    }

    #[inline(always)]
    fn payload(&mut self, ty: VariantType, header: Header, at: u64) -> Result<Token<'a>, Fault> {
        Ok(Token::Leaf(match ty.layout() {
            Layout::Nil => Leaf::Nil,
            Layout::Bool => Leaf::Bool(self.bool()?),
            Layout::Int => Leaf::Int(self.int(header, at)?),
            Layout::Float => Leaf::Float(self.float(header, at)?),
            Layout::Text => Leaf::Text(ty, self.text(TextForm::Plain)?),
            Layout::Math(lane, count) => {
                self.is_the_width(lane, header, at)?;
                Leaf::Math(ty, self.lanes(lane, u64::from(count), header)?)
            }
            Layout::Rid if !self.rules.dialect.has_rid_payload() => Leaf::Rid(0),
            Layout::Rid => Leaf::Rid(self.u64()?),
            Layout::Object if header.is_wide() => {
                // Another object has another id when it is written again.
                self.is_the_form(false, at)?;
                match self.u64()? {
                    0 => return self.null_object(at),
                    id => Leaf::ObjectId(id),
                }
            }
            Layout::Callable => Leaf::Callable,
            Layout::Signal => {
                self.is_the_form(self.rules.limits.live_references, at)?;
                Leaf::Signal(self.text(TextForm::Plain)?, self.u64()?)
            }
            Layout::Packed(lane, _) => {
                self.is_the_width(lane, header, at)?;
                Leaf::Packed(ty, self.packed(ty, header)?)
            }
            Layout::NodePath
            | Layout::Object
            | Layout::Dictionary
            | Layout::Array
            | Layout::PackedStrings => return self.opening(ty, header, at),
        }))
    }

    #[inline]
    fn int(&mut self, header: Header, at: u64) -> Result<i64, Fault> {
        if !header.is_wide() {
            return Ok(i64::from(i32::from_le_bytes(self.array()?)));
        }
        let value = i64::from_le_bytes(self.array()?);
        self.is_the_form(!is_narrow_int(value), at)?;
        Ok(value)
    }

    #[inline]
    fn float(&mut self, header: Header, at: u64) -> Result<f64, Fault> {
        let is_wide = header.is_wide();
        let value = if is_wide {
            f64::from_le_bytes(self.array()?)
        } else {
            f32::from_le_bytes(self.array()?).into()
        };
        self.is_the_form(is_narrow_float(value) != is_wide, at)?;
        Ok(value)
    }

    /// Reads an opening. It is separate from the leaves, which are the hot path.
    #[inline(never)]
    fn opening(&mut self, ty: VariantType, header: Header, at: u64) -> Result<Token<'a>, Fault> {
        match ty.layout() {
            Layout::NodePath => self.node_path().map(Token::Open),
            Layout::Object => self.object(at),
            Layout::Dictionary => self.dictionary(header).map(Token::Open),
            Layout::Array => self.array_opening(header).map(Token::Open),
            _ => self.packed_strings().map(Token::Open),
        }
    }

    fn bool(&mut self) -> Result<bool, Fault> {
        let at = self.cursor.at();
        let found = self.u32()?;
        if found > 1 && self.rules.is_safe() {
            return Err(Fault::new(ErrorKind::InvalidBool { found }, at));
        }
        Ok(found != 0)
    }

    /// Reads a text by rules 4 and 5: an i32 length, the bytes, and padding that must be present but may be
    /// anything in ENGINE.
    fn text(&mut self, form: TextForm) -> Result<Text<'a>, Fault> {
        let at = self.cursor.at();
        let declared = self.u32()?.cast_signed();
        let Ok(count) = u64::try_from(declared) else {
            return Err(Fault::new(ErrorKind::InvalidLength { ty: VariantType::String, declared }, at));
        };
        let limit = self.rules.limits.max_string_bytes;
        if count > limit {
            let declared = declared.cast_unsigned();
            return Err(Fault::new(ErrorKind::StringTooLong { limit, declared }, at));
        }
        let body_at = self.cursor.at();
        // Text and padding are taken in one piece, so that a shortage counts the padding too.
        let field = self
            .take(count.saturating_add(padding(count)))
            .map_err(|fault| fault.declared(count, Part::Text(VariantType::String)))?;
        let (body, pad) =
            field.split_at_checked(usize::try_from(count).unwrap_or(usize::MAX)).unwrap_or((field, &[]));
        if form == TextForm::Terminated {
            self.is_the_form(body.ends_with(&[0]), at)?;
        }
        // Old engines left heap bytes in a path's padding; 3.0 in a String's too. CANONICAL requires zeros.
        let may_be_dirty =
            form == TextForm::PathName || (form == TextForm::Plain && self.rules.dialect.has_dirty_padding());
        if self.rules.is_safe() && (!may_be_dirty || self.rules.is_canonical()) {
            self.clean(pad, body_at.saturating_add(count))?;
        }
        Text::from_wire(body, form, self.rules).map_err(|kind| Fault::new(kind, body_at))
    }

    fn lanes(&mut self, lane: Lane, count: u64, header: Header) -> Result<Lanes<'a>, Fault> {
        let lane = self.resolve(lane, header);
        let size = u64::try_from(lane.size()).unwrap_or(u64::MAX);
        let at = self.cursor.at();
        let bytes = self.take(count.saturating_mul(size))?;
        Lanes::new(bytes, lane).ok_or_else(|| Fault::new(ErrorKind::Refused, at))
    }

    /// Reads the opening of a NodePath by rule 6. The two counts are added modulo 2^32; the names come first.
    fn node_path(&mut self) -> Result<Container<'a>, Fault> {
        let at = self.cursor.at();
        let first = self.u32()?;
        if first & NEW_NODE_PATH == 0 {
            return Err(Fault::new(ErrorKind::InvalidNodePath, at));
        }
        let declared_names = first & !NEW_NODE_PATH;
        let declared_subnames = self.u32()?;
        let flags_at = self.cursor.at();
        let flags = self.u32()?;
        if self.rules.is_safe() {
            self.no_flags(flags & !ABSOLUTE, flags_at)?;
            if declared_names.checked_add(declared_subnames).is_none() {
                return Err(Fault::new(ErrorKind::InvalidNodePath, at));
            }
        }
        let extra = u32::from(flags & OBSOLETE_PROPERTY != 0);
        let total = declared_names.wrapping_add(declared_subnames).wrapping_add(extra);
        let limit = self.rules.limits.max_path_segments;
        if u64::from(total) > limit {
            return Err(Fault::new(ErrorKind::PathTooLong { limit, declared: total }, at));
        }
        let names = declared_names.min(total);
        let absolute = flags & ABSOLUTE != 0;
        let forgotten = absolute && total == 0 && self.rules.dialect.forgets_root_path();
        self.is_the_form(!forgotten, flags_at)?;
        Ok(Container::NodePath {
            absolute: absolute && !forgotten,
            names,
            subnames: total.wrapping_sub(names),
        })
    }

    /// A type that is not allowed. No limit is about a null object: it is no object, and nil where there are to be none.
    #[cold]
    fn not_allowed(&mut self, ty: VariantType, header: Header, at: u64) -> Result<Token<'a>, Fault> {
        let is_object =
            ty == VariantType::Object && self.rules.limits.allowed_types.contains(VariantType::Nil);
        let is_null = match header.is_wide() {
            _ if !is_object => false,
            true => {
                let id = self.u64().map(|id| id == 0);
                self.judged_at_the_end(id)?
            }
            false => {
                let is_unnamed = self.is_unnamed();
                self.judged_at_the_end(is_unnamed)?
            }
        };
        if !is_null {
            return Err(Fault::new(ErrorKind::TypeNotAllowed { ty }, at));
        }
        self.is_the_form(false, at)?;
        Ok(Token::Leaf(Leaf::Nil))
    }

    /// Takes an object that is cut off for one that is no null; its type is judged first. More bytes may come of a piece.
    fn judged_at_the_end(&self, is_null: Result<bool, Fault>) -> Result<bool, Fault> {
        if is_null.is_err() && self.cursor.is_whole() { Ok(false) } else { is_null }
    }

    /// Tells whether a full object has no class name, where that can be read.
    fn is_unnamed(&mut self) -> Result<bool, Fault> {
        let is_read = self.rules.full_objects || self.rules.dialect.has_null_objects();
        Ok(is_read && self.u32()? == 0)
    }

    fn null_object(&self, at: u64) -> Result<Token<'a>, Fault> {
        self.is_the_form(false, at)?;
        let is_nil = self.rules.dialect.has_null_objects();
        Ok(Token::Leaf(if is_nil { Leaf::Nil } else { Leaf::ObjectId(0) }))
    }

    /// Reads an object by rule 8. An empty class name is a null object, and nothing follows it.
    fn object(&mut self, at: u64) -> Result<Token<'a>, Fault> {
        if !self.rules.full_objects {
            let is_unnamed = self.is_unnamed();
            return match self.judged_at_the_end(is_unnamed)? {
                true => self.null_object(at),
                false => Err(Fault::new(ErrorKind::ObjectNotAllowed, at)),
            };
        }
        let class = self.text(TextForm::Plain)?;
        if class.is_empty() {
            return self.null_object(at);
        }
        let count = self.signed_count()?;
        Ok(Token::Open(Container::Object { class, count }))
    }

    fn dictionary(&mut self, header: Header) -> Result<Container<'a>, Fault> {
        let key = self.container_type(header.key_kind())?;
        let value = self.container_type(header.value_kind())?;
        let at = self.cursor.at();
        let count = self.count()?;
        let limit = self.rules.limits.max_entries;
        if u64::from(count) > limit {
            return Err(Fault::new(ErrorKind::TooManyEntries { limit, declared: count }, at));
        }
        Ok(Container::Dictionary { key, value, count })
    }

    fn array_opening(&mut self, header: Header) -> Result<Container<'a>, Fault> {
        let element = self.container_type(header.key_kind())?;
        Ok(Container::Array { element, count: self.count()? })
    }

    fn container_type(&mut self, kind: ContainerKind) -> Result<ContainerType<'a>, Fault> {
        if !self.rules.dialect.has_typed_containers() {
            return Ok(ContainerType::None);
        }
        let at = self.cursor.at();
        let declared = self.declared_type(kind)?;
        self.is_the_form(!self.rules.is_canonical() || is_written_again(&declared, self.rules), at)?;
        Ok(declared)
    }

    /// Reads a declared type by rule 14.
    fn declared_type(&mut self, kind: ContainerKind) -> Result<ContainerType<'a>, Fault> {
        Ok(match kind {
            ContainerKind::None => ContainerType::None,
            ContainerKind::Builtin => {
                let at = self.cursor.at();
                let id = self.u32()?.cast_signed();
                let ty = u8::try_from(id).ok().and_then(VariantType::from_id);
                ContainerType::Builtin(ty.ok_or(Fault::new(ErrorKind::InvalidElementType { id }, at))?)
            }
            ContainerKind::Class => ContainerType::Class(self.text(TextForm::Plain)?),
            ContainerKind::Script => ContainerType::Script(self.text(TextForm::Plain)?),
        })
    }

    /// Reads a count by rule 9: the top bit is dropped and nothing else is checked; a count that is too large
    /// runs out of bytes.
    fn count(&mut self) -> Result<u32, Fault> {
        let at = self.cursor.at();
        let count = self.u32()?;
        if self.rules.is_safe() {
            self.no_flags(count & SHARED, at)?;
        }
        Ok(count & !SHARED)
    }

    /// Reads packed numbers by rules 4 and 11: the count is an i32, count times size must fit in one, and the
    /// bytes must be there; only a byte array has padding, which may be missing at the very end.
    fn packed(&mut self, ty: VariantType, header: Header) -> Result<Lanes<'a>, Fault> {
        let Layout::Packed(lane, per_element) = ty.layout() else {
            return Err(Fault::new(ErrorKind::Refused, self.cursor.at()));
        };
        let at = self.cursor.at();
        let declared = self.u32()?.cast_signed();
        let size = u64::try_from(self.resolve(lane, header).size()).unwrap_or(u64::MAX);
        let lanes = u64::try_from(declared).unwrap_or(u64::MAX).saturating_mul(u64::from(per_element));
        let bytes = lanes.saturating_mul(size);
        if i32::try_from(bytes).is_err() {
            return Err(Fault::new(
                ErrorKind::InvalidLength { ty: VariantType::PackedByteArray, declared },
                at,
            ));
        }
        let lanes =
            self.lanes(lane, lanes, header).map_err(|fault| fault.declared(bytes, Part::Numbers(ty)))?;
        if lane == Lane::U8 {
            self.byte_array_padding(padding(bytes))?;
        }
        Ok(lanes)
    }

    /// Reads the padding of a byte array. Engines take it as read when the bytes end before it; SAFE requires
    /// it.
    fn byte_array_padding(&mut self, count: u64) -> Result<(), Fault> {
        let at = self.cursor.at();
        if self.rules.is_safe() {
            let pad = self.take(count)?;
            let may_be_dirty = self.rules.dialect.has_dirty_padding() && !self.rules.is_canonical();
            return if may_be_dirty { Ok(()) } else { self.clean(pad, at) };
        }
        let left = length(self.cursor.rest());
        self.cursor.skip_present(count).map_err(|shortage| Fault::incomplete(shortage, at, left))
    }

    fn packed_strings(&mut self) -> Result<Container<'a>, Fault> {
        Ok(Container::PackedStrings { count: self.signed_count()? })
    }

    /// Reads a count by rules 8 and 10: a negative count of strings or properties is zero.
    fn signed_count(&mut self) -> Result<u32, Fault> {
        let at = self.cursor.at();
        let declared = self.u32()?.cast_signed();
        match u32::try_from(declared) {
            Ok(count) => Ok(count),
            Err(_) if self.rules.is_safe() => {
                Err(Fault::new(ErrorKind::InvalidLength { ty: VariantType::PackedStringArray, declared }, at))
            }
            Err(_) => Ok(0),
        }
    }

    /// Checks that a value has its canonical form, if the strictness is CANONICAL.
    #[inline]
    fn is_the_form(&self, is_it: bool, at: u64) -> Result<(), Fault> {
        if is_it || !self.rules.is_canonical() {
            Ok(())
        } else {
            Err(Fault::new(ErrorKind::NotCanonical, at))
        }
    }

    /// Checks that a vector is as wide as this build of the engine writes it, if the strictness is CANONICAL.
    #[inline]
    fn is_the_width(&self, lane: Lane, header: Header, at: u64) -> Result<(), Fault> {
        if lane != Lane::Real || !self.rules.is_canonical() {
            return Ok(());
        }
        let is_wide = self.rules.reals == RealWidth::Double && self.rules.dialect.has_doubles();
        self.is_the_form(header.is_wide() == is_wide, at)
    }

    #[inline]
    fn no_flags(&self, bits: u32, at: u64) -> Result<(), Fault> {
        if bits == 0 { Ok(()) } else { Err(Fault::new(ErrorKind::UnknownFlags { bits }, at)) }
    }

    fn clean(&self, pad: &[u8], at: u64) -> Result<(), Fault> {
        if pad.iter().all(|byte| *byte == 0) { Ok(()) } else { Err(Fault::new(ErrorKind::DirtyPadding, at)) }
    }

    /// Returns the lane of a payload: `Real` by its width, every other lane as it is.
    #[inline]
    const fn resolve(&self, lane: Lane, header: Header) -> Lane {
        match lane {
            Lane::Real if header.is_wide() && self.rules.dialect.has_doubles() => Lane::F64,
            Lane::Real => Lane::F32,
            other => other,
        }
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], Fault> {
        let before = self.cursor;
        self.cursor
            .take(count)
            .map_err(|shortage| Fault::incomplete(shortage, before.at(), length(before.rest())))
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let before = self.cursor;
        self.cursor
            .array()
            .map_err(|shortage| Fault::incomplete(shortage, before.at(), length(before.rest())))
    }

    #[inline]
    fn u32(&mut self) -> Result<u32, Fault> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        self.array().map(u64::from_le_bytes)
    }
}

/// Tells whether an engine that reads this declaration writes it again unchanged. Only an engine knows which
/// classes and scripts exist, so with full objects each possible one counts.
fn is_written_again(declared: &ContainerType<'_>, rules: &Rules) -> bool {
    match declared {
        ContainerType::None => true,
        ContainerType::Builtin(VariantType::Nil) => false,
        // Without objects it becomes a declaration of `OBJECT_CLASS`, as every class and script does.
        ContainerType::Builtin(VariantType::Object) => rules.full_objects,
        ContainerType::Builtin(VariantType::Signal) => rules.limits.live_references,
        ContainerType::Builtin(_) => true,
        ContainerType::Class(name) if rules.full_objects => !name.is_empty(),
        ContainerType::Class(name) => rules.limits.live_references && name.as_str() == OBJECT_CLASS,
        ContainerType::Script(path) => rules.full_objects && path.as_str().starts_with("res://"),
    }
}
