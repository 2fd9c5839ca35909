//! Packs the values of messages by their schemas: the form that they are sent in.

use std::fmt;
use std::sync::Arc;

use variant_core::{Mistakes, Rejection, Rules};
use variant_pack::parts::{KeyedEntries, Wire};
use variant_pack::{Layout, Packer, fnv};
use variant_schema::{Program, Schema};

pub(crate) type Answer<T> = Result<T, Box<Rejection>>;

/// Packs values of one schema. Nothing stands in front of the bits: the message's id says which schema it is.
pub struct Form {
    layout: Layout,
    rules: Rules,
    types: u32,
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form").field("hash", &self.hash()).finish_non_exhaustive()
    }
}

impl Form {
    /// Makes the form of a schema's program. Both ways are held to the limits of `rules`.
    ///
    /// # Errors
    /// The part that cannot be packed.
    pub fn new(program: Arc<Program>, rules: Rules) -> Result<Form, Mistakes> {
        let layout = Layout::compile(program)?;
        let types = types(&layout);
        Ok(Form { layout, rules, types })
    }

    /// Makes the form of a schema, for [`Spec::table`](crate::Spec::table).
    ///
    /// # Errors
    /// All that contradicts itself, or the part that cannot be packed.
    pub fn of(schema: &Schema, rules: &Rules) -> Result<Arc<Form>, Mistakes> {
        Ok(Arc::new(Form::new(Arc::new(schema.compile()?), *rules)?))
    }

    /// Returns the layout of the bits.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the rules that values are held to.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns a hash of everything that both sides have to agree on.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        // States go as differences, which count the keys by which dictionaries have grown.
        self.layout.full_hash()
    }

    /// Returns a hash of the types of the values and their keys, without ranges: it says what kind of difference there is.
    pub(crate) const fn types(&self) -> u32 {
        self.types
    }

    /// Returns the most bytes that a value takes, or `None` if nothing bounds them.
    #[must_use]
    pub fn most_bytes(&self) -> Option<u64> {
        self.layout.size().max_bits.map(|bits| bits.div_ceil(8))
    }

    /// Returns the path of the part that takes the most bytes, for messages about values that are too large.
    #[must_use]
    pub fn largest_part(&self) -> &str {
        self.layout.largest_part()
    }

    /// Appends what is sent for a value in Godot's binary format to `out`.
    pub(crate) fn pack(&self, packer: &mut Packer, value: &[u8], out: &mut Vec<u8>) -> Answer<()> {
        append(out, packer.pack(&self.layout, value, &self.rules))
    }

    /// Appends the value of what was sent to `out`, in Godot's binary format.
    pub(crate) fn unpack(&self, packer: &mut Packer, sent: &[u8], out: &mut Vec<u8>) -> Answer<()> {
        append(out, packer.unpack(&self.layout, sent, &self.rules))
    }

    /// Appends the value like [`unpack`](Form::unpack), for a caller who judges what comes out by the schema.
    pub(crate) fn transcode(&self, packer: &mut Packer, sent: &[u8], out: &mut Vec<u8>) -> Answer<()> {
        append(out, packer.transcode(&self.layout, sent, &self.rules))
    }
}

/// Hashes to 32 bits what both sides of a protocol have to agree on.
pub(crate) fn folded(bytes: &[u8]) -> u32 {
    let hash = fnv(bytes);
    u32::try_from((hash ^ (hash >> 32)) & 0xFFFF_FFFF).unwrap_or_default()
}

/// Hashes the places in a layout and the names of their types.
fn types(layout: &Layout) -> u32 {
    let mut names = String::new();
    for part in layout.nodes() {
        names.push_str(&part.path);
        names.push(' ');
        names.push_str(type_name(&part.wire));
        names.push(if part.nullable { '?' } else { ' ' });
    }
    folded(names.as_bytes())
}

const fn type_name(wire: &Wire) -> &'static str {
    match wire {
        Wire::Bool => "bool",
        Wire::Number(ty, _) | Wire::Solid { ty, .. } | Wire::Text(ty, _) | Wire::Packed { ty, .. } => {
            ty.name()
        }
        Wire::Strings { .. } => "PackedStringArray",
        Wire::NodePath => "NodePath",
        Wire::Array { .. } | Wire::Keyed(KeyedEntries { key: None, .. }) | Wire::Tuple(_) => "Array",
        Wire::Dict(_) | Wire::Cases { .. } | Wire::Map { .. } | Wire::Keyed(_) => "Dictionary",
        _ => "value",
    }
}

fn append(out: &mut Vec<u8>, made: Answer<&[u8]>) -> Answer<()> {
    made.map(|bytes| out.extend(bytes))
}
