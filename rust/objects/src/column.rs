//! Says what one value of each row means.

use crate::table::Property;

/// The meaning of one value of each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name of the property, as it is called today.
    pub name: String,
    /// The number of the property; none where it was forgotten.
    pub property: Option<u32>,
}

impl Column {
    pub(crate) fn of(property: &Property, number: u32) -> Column {
        Column { name: property.name.clone(), property: Some(number) }
    }
}
