//! Defines documents as values: what programs without the engine read and write. It also writes what stands before the rows of one.

use variant_core::token::{Container, ContainerType, Leaf, Text, TextForm};
use variant_core::{Array, Encoder, Fault, Limits, Value, VariantType};

use crate::FORM;
use crate::reference::{Reference, index, is_document};
use crate::typed::containers;

/// The objects of a document and the value that leads to them. References in values are [`Value::Rid`]s of
/// [`Reference::in_document`].
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The classes, in order.
    pub classes: Vec<Rows>,
    /// The value.
    pub value: Value,
    /// Containers that are declared for objects of a class: the tag, and their numbers among all Arrays and Dictionaries of the
    /// document in the order in which they begin, ascending.
    pub containers: Vec<(String, Vec<i32>)>,
}

impl Default for Document {
    fn default() -> Document {
        Document { classes: Vec::new(), value: Value::Nil, containers: Vec::new() }
    }
}

/// The objects of one class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// The class's tag.
    pub tag: String,
    /// The version of the class; 0 where a row is one plain value that stands for the object.
    pub version: u32,
    /// The names of the properties.
    pub names: Vec<String>,
    /// For each object the values of its properties, or the one value that stands for it.
    pub rows: Vec<Vec<Value>>,
}

impl Document {
    /// Adds an object and returns the reference to it. The first object of a class says its version and names; of a class
    /// of version 0 a row is one value.
    pub fn add(&mut self, tag: &str, version: u32, names: &[&str], row: Vec<Value>) -> Value {
        let at = self.classes.iter().position(|class| class.tag == tag).unwrap_or_else(|| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            self.classes.push(Rows { tag: tag.to_owned(), version, names, rows: Vec::new() });
            self.classes.len().saturating_sub(1)
        });
        let rows = self.classes.get_mut(at).map(|class| &mut class.rows);
        let row = rows.map_or(0, |rows| {
            rows.push(row);
            rows.len().saturating_sub(1)
        });
        let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Value::Rid(Reference { class: number(at), row: number(row) }.in_document())
    }

    /// The properties of the object that a reference is to, with their names.
    pub fn object(&self, reference: &Value) -> Option<(&Rows, &[Value])> {
        let Value::Rid(id) = reference else { return None };
        let of = Reference::of_document(*id)?;
        let class = self.classes.get(index(of.class))?;
        Some((class, class.rows.get(index(of.row))?))
    }

    /// Reads the object that a reference is to into a struct, by the names of its properties. The objects that it leads to
    /// are references, which a field of the type [`Any`](variant_serde::Any) takes: read those one by one.
    ///
    /// # Errors
    /// A value that is no reference to an object of this document, and a row that does not fit the type.
    #[cfg(feature = "serde")]
    pub fn read<T: serde::de::DeserializeOwned>(&self, reference: &Value) -> Result<T, variant_serde::Error> {
        use serde::de::Error as _;
        let (class, row) = self.object(reference).ok_or_else(|| {
            variant_serde::Error::custom(format!("expected an object of this document, got {reference}"))
        })?;
        match (class.version, row) {
            (0, [stand_in]) => variant_serde::from_value(stand_in),
            _ => {
                let names = class.names.iter().map(|name| Value::from(name.as_str()));
                let entries = names.zip(row.iter().cloned()).collect();
                variant_serde::from_value(&Value::from(variant_core::Dictionary {
                    entries,
                    ..Default::default()
                }))
            }
        }
    }

    /// The document as the value that is encoded.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let classes = self.classes.iter().map(|class| {
            let rows = class.rows.iter().map(|row| match (class.version, row.as_slice()) {
                (0, [key]) => key.clone(),
                _ => array(row.clone()),
            });
            array(vec![
                Value::String(class.tag.clone()),
                Value::Int(i64::from(class.version)),
                Value::PackedStringArray(class.names.clone()),
                array(rows.collect()),
            ])
        });
        let mut parts = vec![Value::String(FORM.to_owned()), array(classes.collect()), self.value.clone()];
        if !self.containers.is_empty() {
            parts.push(containers(self.containers.iter().cloned()));
        }
        array(parts)
    }

    /// Takes a decoded value apart, if it is a document. Nothing about its classes is checked: that is
    /// [`Table::check`](crate::Table::check)'s part, which reads bytes.
    #[must_use]
    pub fn of_value(value: Value) -> Option<Document> {
        if !is_document(&value) {
            return None;
        }
        let Value::Array(document) = value else { return None };
        let mut parts = document.items.into_iter().skip(1);
        let (Some(Value::Array(classes)), Some(value)) = (parts.next(), parts.next()) else { return None };
        let classes = classes.items.into_iter().map(rows_of).collect::<Option<Vec<Rows>>>()?;
        let containers = parts.next().map_or(Some(Vec::new()), numbers_of)?;
        Some(Document { classes, value, containers })
    }
}

fn numbers_of(containers: Value) -> Option<Vec<(String, Vec<i32>)>> {
    let Value::Dictionary(containers) = containers else { return None };
    let entries = containers.entries.into_iter().map(|entry| match entry {
        (Value::String(tag), Value::PackedInt32Array(numbers)) => Some((tag, numbers)),
        _ => None,
    });
    entries.collect()
}

fn rows_of(class: Value) -> Option<Rows> {
    let Value::Array(class) = class else { return None };
    let Ok([Value::String(tag), Value::Int(version), Value::PackedStringArray(names), Value::Array(rows)]) =
        <[Value; 4]>::try_from(class.items)
    else {
        return None;
    };
    let version = u32::try_from(version).ok()?;
    let rows = rows.items.into_iter().map(|row| match row {
        Value::Array(row) if version > 0 && row.items.len() == names.len() => Some(row.items),
        row if version == 0 => Some(vec![row]),
        _ => None,
    });
    let rows = rows.collect::<Option<Vec<_>>>()?;
    Some(Rows { tag, version, names, rows })
}

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { items, ..Array::default() }))
}

/// Begins a document of so many classes.
///
/// # Errors
/// There are more classes than the format can count.
pub fn begin_document(bytes: &mut Vec<u8>, classes: usize) -> Result<(), Fault> {
    begin_array(bytes, 3)?;
    text(bytes, FORM)?;
    begin_array(bytes, classes)
}

/// Begins a class of so many rows, by its tag and version and the names of its properties.
///
/// # Errors
/// There are more names or rows than the format can count.
pub fn begin_class<'n>(
    bytes: &mut Vec<u8>,
    tag: &str,
    version: u32,
    names: impl ExactSizeIterator<Item = &'n str>,
    rows: usize,
) -> Result<(), Fault> {
    begin_array(bytes, 4)?;
    text(bytes, tag)?;
    encoder(bytes).leaf(&Leaf::Int(i64::from(version)))?;
    encoder(bytes).open(&Container::PackedStrings { count: count(names.len()) })?;
    for name in names {
        encoder(bytes).text(TextForm::Terminated, name)?;
    }
    begin_array(bytes, rows)
}

/// Begins an untyped Array of so many elements.
///
/// # Errors
/// There are more than the format can count.
pub fn begin_array(bytes: &mut Vec<u8>, elements: usize) -> Result<(), Fault> {
    encoder(bytes).open(&Container::Array { element: ContainerType::None, count: count(elements) })
}

fn text(bytes: &mut Vec<u8>, text: &str) -> Result<(), Fault> {
    encoder(bytes).leaf(&Leaf::Text(VariantType::String, Text::new(text)))
}

fn encoder(bytes: &mut Vec<u8>) -> Encoder<'_> {
    Encoder::new(bytes, &Limits::engine())
}

/// More than the format can count does not fit into memory.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
