//! `protocol typescript`: a module that packs and unpacks the messages of a protocol, with its types.

use std::path::Path;

use variant_protocol::{Handshake, Policy, Protocol, Role};

use super::{known, load};
use crate::arguments::TypeScript;
use crate::failure::Failure;
use crate::save::OutPath;
use crate::typescript::{Message, Module, module};
use crate::{save, source};

pub(super) fn run(given: &TypeScript) -> Result<String, Failure> {
    let name = given.name.clone().unwrap_or_else(|| stem(&given.of.file));
    let [code_path, types_path] = ["js", "d.ts"].map(|end| given.out.join(format!("{name}.{end}")));
    let read = [&*given.of.file];
    let (code_out, types_out) = (OutPath::new(&code_path, read)?, OutPath::new(&types_path, read)?);
    let loaded = load(&given.of.file)?;
    known::check(&loaded.spec)?;
    let packing = loaded.messages()?;
    let messages: Vec<Message<'_>> =
        packing.iter().map(|it| Message { declared: it.declared, id: it.id, layout: &it.layout }).collect();
    let hello =
        Protocol::new(loaded.table.clone(), Role::Client, Handshake::Hello, Policy::default()).hello();
    let Module { code, types } = module(&messages, &loaded.table, &hello).map_err(Failure::data)?;
    std::fs::create_dir_all(&given.out).map_err(|error| Failure::file(&given.out, error))?;
    save::write(&code_out, code.as_bytes())?;
    save::write(&types_out, types.as_bytes())?;
    let counted =
        if messages.len() == 1 { "1 message".to_owned() } else { format!("{} messages", messages.len()) };
    let [code, types] = [&code_path, &types_path].map(|path| source::shown(path));
    Ok(format!("{}: {counted} into {code} and {types}\n", source::shown(&given.of.file)))
}

/// Returns the name of a file up to its first dot.
fn stem(file: &Path) -> String {
    let name = if source::is_stdin(file) { None } else { file.file_name() };
    let name = name.map_or_else(|| "protocol".into(), |name| name.to_string_lossy());
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("protocol").to_owned()
}
