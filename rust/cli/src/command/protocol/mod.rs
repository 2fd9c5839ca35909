//! `protocol`: tells whether a protocol is well formed and what changed between two of them, and makes documents, vectors and
//! code of one. The meaning of a protocol is the crate `variant-protocol`'s part.

mod check;
mod diff;
mod typescript;
mod vectors;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use variant_core::{Limits, Rules};
use variant_pack::Layout;
use variant_protocol::{Form, Spec, Table};
use variant_schema::Program;

use crate::arguments::{Format, Protocol, ProtocolFile};
use crate::failure::{Failure, Outcome};
use crate::layouts::MessageLayout;
use crate::save::OutPath;
use crate::{csharp, paint, rust, save, source};

pub(crate) fn run(given: &Protocol) -> Result<Outcome, Failure> {
    match given {
        Protocol::Check(given) => check::run(given),
        Protocol::Diff(given) => diff::run(given),
        Protocol::Docs(given) => told(&given.file, load(&given.file).map(|loaded| loaded.spec.to_markdown())),
        Protocol::Typescript(given) => told(&given.of.file, typescript::run(given)),
        Protocol::Csharp(given) => module(&given.of, &given.out, |loaded, messages| {
            csharp::file(messages, &loaded.table, &loaded.table.hello(0, 0), &given.namespace)
        }),
        Protocol::Rust(given) => module(&given.of, &given.out, |loaded, messages| {
            rust::module(messages, &loaded.table, &loaded.spec)
        }),
        Protocol::Vectors(given) => told(&given.of.file, vectors::run(given)),
    }
}

/// Holds a protocol that is well formed.
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
    /// Lists the messages in the order of their ids.
    fn messages(&self) -> Result<Vec<MessageLayout<'_>>, Failure> {
        let made = self.spec.messages.iter().map(|declared| {
            let program = declared.schema.compile().map_err(|error| Failure::data(error.to_string()))?;
            let layout = Layout::compile(Arc::<Program>::new(program))
                .map_err(|error| Failure::data(error.to_string()))?;
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

/// Writes a module of one file.
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

/// Says how many messages were written, and where.
fn written(of: &ProtocolFile, messages: &[MessageLayout<'_>], out: &str) -> String {
    let counted = counted(messages.len());
    format!("{}: {counted} into {out}\n", source::shown(&of.file))
}

/// Says how many messages there are.
fn counted(messages: usize) -> String {
    if messages == 1 { "1 message".to_owned() } else { format!("{messages} messages") }
}
