//! `protocol typescript`: a module that packs and unpacks the messages of a protocol, and the runtime beside it, with their
//! types.

use std::path::Path;

use super::{load, written};
use crate::arguments::{ModuleEnding, TypeScript};
use crate::failure::Failure;
use crate::save::OutPath;
use crate::typescript::{RUNTIME, module, runtime};
use crate::{save, source};

pub(super) fn run(given: &TypeScript) -> Result<String, Failure> {
    let name = given.name.clone().unwrap_or_else(|| stem(&given.of.file));
    if name == RUNTIME {
        return Err(Failure::misuse(format!("--name: {RUNTIME} is the name of the runtime beside it")));
    }
    let (ending, types_ending) = match given.module {
        ModuleEnding::Js => ("js", "d.ts"),
        ModuleEnding::Mjs => ("mjs", "d.mts"),
    };
    let place = |name: &str, ending: &str| {
        OutPath::new(&given.out.join(format!("{name}.{ending}")), [&*given.of.file])
    };
    let places = [
        place(&name, ending)?,
        place(&name, types_ending)?,
        place(RUNTIME, ending)?,
        place(RUNTIME, types_ending)?,
    ];
    let loaded = load(&given.of.file)?;
    let messages = loaded.messages()?;
    let hello = loaded.table.hello(0, 0);
    let of_protocol = module(&messages, &loaded.table, &hello, ending).map_err(Failure::data)?;
    let runtime = runtime();
    save::make_folder(&given.out)?;
    let texts = [&of_protocol.code, &of_protocol.types, &runtime.code, &runtime.types];
    for (place, text) in places.iter().zip(texts) {
        save::write(place, text.as_bytes())?;
    }
    let [code, _, runtime, _] = places.map(|place| source::shown(place.path()));
    Ok(written(&given.of, &messages, &format!("{code}, beside {runtime}")))
}

/// Returns the name of a file up to its first dot.
fn stem(file: &Path) -> String {
    let name = if source::is_stdin(file) { None } else { file.file_name() };
    let name = name.map_or_else(|| "protocol".into(), |name| name.to_string_lossy());
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("protocol").to_owned()
}
