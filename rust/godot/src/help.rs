//! Registers the F1 help of our classes: an XML file for each class in `doc/`, in the engine's class
//! reference format.
//!
//! It contains no text itself. gdext's `register-docs` stays off: it knows neither the methods registered by
//! hand nor enum values, and writes Rust's type names, so a page would have two sources.

use crate::raw;

/// The pages, one for each class; `help.rs` of variant-tests reads the same files.
const CLASSES: [&str; 11] = [
    include_str!("../doc/VariantClassSet.xml"),
    include_str!("../doc/VariantCodec.xml"),
    include_str!("../doc/VariantJob.xml"),
    include_str!("../doc/VariantLimits.xml"),
    include_str!("../doc/VariantOutline.xml"),
    include_str!("../doc/VariantReader.xml"),
    include_str!("../doc/VariantProtocol.xml"),
    include_str!("../doc/VariantSave.xml"),
    include_str!("../doc/VariantSchema.xml"),
    include_str!("../doc/VariantStream.xml"),
    include_str!("../doc/VariantWriter.xml"),
];

/// Gives every class page to the editor. It may be called only at the editor stage.
pub(crate) fn load() {
    for page in CLASSES {
        raw::register::help_page(page);
    }
}
