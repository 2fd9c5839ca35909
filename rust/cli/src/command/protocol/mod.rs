//! `protocol`: tells whether a protocol is well formed and what changed between two of them, and makes documents, vectors and
//! code of one. The meaning of a protocol is the crate `variant-protocol`'s part.

mod check;
mod vectors;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use serde_json::json;
use variant_core::{Limits, Rules};
use variant_pack::Layout;
use variant_protocol::{Change, Form, Spec, Table};
use variant_schema::Program;

use crate::arguments::{Format, ModuleEnding, Protocol, ProtocolDiff, ProtocolFile, TypeScript};
use crate::failure::{Failure, Outcome};
use crate::layouts::MessageLayout;
use crate::save::OutPath;
use crate::typescript::RUNTIME;
use crate::{csharp, paint, rust, save, source, typescript};

const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

pub(crate) fn run(given: &Protocol) -> Result<Outcome, Failure> {
    match given {
        Protocol::Check(given) => check::run(given),
        Protocol::Diff(given) => diff(given),
        Protocol::Docs(given) => told(&given.file, load(&given.file).map(|loaded| loaded.spec.to_markdown())),
        Protocol::Typescript(given) => told(&given.of.file, typescript(given)),
        Protocol::Csharp(given) => module(&given.of, &given.out, |loaded, messages| {
            csharp::file(messages, &loaded.table, &loaded.table.hello(0, 0), &given.namespace)
        }),
        Protocol::Rust(given) => module(&given.of, &given.out, |loaded, messages| {
            rust::module(messages, &loaded.table, &loaded.spec)
        }),
        Protocol::Vectors(given) => told(&given.of.file, vectors::run(given)),
    }
}

struct LoadedProtocol {
    /// With the id of every message.
    spec: Spec,
    table: Table,
}

/// Reads a protocol from a file. Mistakes in it are bad data.
fn load(path: &Path) -> Result<LoadedProtocol, Failure> {
    let text = String::from_utf8(source::text(path)?).map_err(|_| Failure::data("expected JSON in UTF-8"))?;
    let rules = rules();
    let read = Spec::from_json(&text);
    let made = read.and_then(|spec| Ok((spec.table(|schema| Form::of(schema, &rules))?, spec)));
    let (table, spec) = made.map_err(|mistakes| {
        // A name in a document may hold line ends.
        let lines = mistakes.iter().map(|mistake| paint::shown(&mistake.reason()));
        Failure::data(lines.collect::<Vec<_>>().join("\n"))
    })?;
    Ok(LoadedProtocol { spec: spec.with_ids(), table })
}

/// Returns the rules that `VariantProtocol` has for packets unless the game sets others.
fn rules() -> Rules {
    Rules::safe(Limits::network())
}

impl LoadedProtocol {
    fn messages(&self) -> Result<Vec<MessageLayout<'_>>, Failure> {
        let made = self.spec.messages.iter().map(|declared| {
            let program = declared.schema.compile().map_err(Failure::data)?;
            let layout = Layout::compile(Arc::<Program>::new(program)).map_err(Failure::data)?;
            let id = declared.id.unwrap_or(0);
            Ok(MessageLayout { declared, id, layout, parts: self.table.parts(id) })
        });
        let mut all = made.collect::<Result<Vec<_>, Failure>>()?;
        all.sort_by_key(|message| message.id);
        Ok(all)
    }
}

/// Ends a command about one file: what it answers is printed, bad data is told with the name of the file.
fn told(file: &Path, done: Result<String, Failure>) -> Result<Outcome, Failure> {
    let print =
        |text: String| Ok(anstream::stdout().lock().write_all(paint::shown_lines(&text).as_bytes())?);
    paint::verdict(file, Format::Text, done.and_then(print))
}

fn module(
    of: &ProtocolFile,
    out: &Path,
    made: impl FnOnce(&LoadedProtocol, &[MessageLayout<'_>]) -> Result<String, String>,
) -> Result<Outcome, Failure> {
    let run = || {
        let place = OutPath::new(out, [&*of.file])?;
        let loaded = load(&of.file)?;
        let messages = loaded.messages()?;
        save::write(&place, made(&loaded, &messages).map_err(Failure::data)?.as_bytes())?;
        Ok(written(of, &messages, &source::shown(out)))
    };
    told(&of.file, run())
}

fn written(of: &ProtocolFile, messages: &[MessageLayout<'_>], out: &str) -> String {
    let counted = counted(messages.len());
    format!("{}: {counted} into {out}\n", source::shown(&of.file))
}

fn counted(messages: usize) -> String {
    if messages == 1 { "1 message".to_owned() } else { format!("{messages} messages") }
}

fn diff(given: &ProtocolDiff) -> Result<Outcome, Failure> {
    source::asked_for(&[given.before.clone(), given.after.clone()])?;
    let mut loaded = Vec::new();
    for file in [&given.before, &given.after] {
        paint::verdict(file, given.format, load(file).map(|protocol| loaded.push(protocol)))?;
    }
    let [before, after] = &loaded[..] else { return Ok(Outcome::Bad) };
    let changes = variant_protocol::diff(&before.spec, &before.table, &after.spec, &after.table);
    let mut output = anstream::stdout().lock();
    for change in &changes {
        if given.format.is_json() {
            let Change { message, words, category } = change;
            let (breaks, category) = (change.breaks(), category.name());
            let line = json!({ "message": message, "change": words, "breaks": breaks, "category": category });
            writeln!(output, "{}", paint::shown(&line.to_string()))?;
        } else {
            let (colour, word) = if change.breaks() { (RED, "breaks") } else { (GREEN, "keeps") };
            writeln!(
                output,
                "{colour}{word:<6}{PLAIN} {}",
                paint::shown(&format!("{}: {}", change.message, change.words))
            )?;
        }
    }
    Ok(Outcome::of(changes.iter().all(|change| change.category > given.breaking)))
}

/// Writes a module, and the runtime beside it, with their types.
fn typescript(given: &TypeScript) -> Result<String, Failure> {
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
    let of_protocol = typescript::module(&messages, &loaded.table, &hello, ending).map_err(Failure::data)?;
    let runtime = typescript::runtime();
    save::make_folder(&given.out)?;
    let texts = [&of_protocol.code, &of_protocol.types, &runtime.code, &runtime.types];
    for (place, text) in places.iter().zip(texts) {
        save::write(place, text.as_bytes())?;
    }
    let [code, _, runtime, _] = places.map(|place| source::shown(place.path()));
    Ok(written(&given.of, &messages, &format!("{code}, beside {runtime}")))
}

fn stem(file: &Path) -> String {
    let name = if source::is_stdin(file) { None } else { file.file_name() };
    let name = name.map_or_else(|| "protocol".into(), |name| name.to_string_lossy());
    name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or("protocol").to_owned()
}
