//! Writes what stands before the rows of a document: its form, and the head of each class.

use variant_core::token::{Container, ContainerType, Leaf, Text, TextForm};
use variant_core::{Encoder, Fault, Limits, VariantType};

use crate::FORM;

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
