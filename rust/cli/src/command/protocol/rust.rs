//! `protocol rust`: a module with a type for each message of a protocol, which sends and hears them.

use super::{load, written};
use crate::arguments::RustModule;
use crate::failure::Failure;
use crate::rust::module;
use crate::save::OutPath;
use crate::{save, source};

pub(super) fn run(given: &RustModule) -> Result<String, Failure> {
    let out = OutPath::new(&given.out, [&*given.of.file])?;
    let loaded = load(&given.of.file)?;
    let messages = loaded.messages()?;
    let text = module(&messages, &loaded.table, &loaded.spec).map_err(Failure::data)?;
    save::write(&out, text.as_bytes())?;
    Ok(written(&given.of, &messages, &source::shown(&given.out)))
}
