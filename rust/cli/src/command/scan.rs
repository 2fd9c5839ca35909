//! `scan`: what would run code if the engine opened a file with objects allowed. Nothing is opened here.

use serde_json::json;
use variant_core::Strictness;
use variant_text::{Danger, Finding, Quoted};

use super::check::numbered;
use crate::arguments::Report;
use crate::batch::{self, Answer};
use crate::failure::{Failure, Verdict};
use crate::source;

/// Characters of a name that are shown.
const SHOWN_CHARS: usize = 100;

pub(crate) fn run(given: &Report) -> Result<Verdict, Failure> {
    let rules = given.look.reading.rules(Strictness::Engine);
    batch::each(given, |(path, _)| {
        let blob = match source::load(path, &given.look.reading, &rules) {
            Ok(blob) => blob,
            Err(failure) => return Answer::failed(failure),
        };
        let mut answer = Answer::default();
        for (at, value) in blob.values().enumerate() {
            let name = blob.name_of(at);
            let verdict = variant_text::scan(value, &rules, &mut |finding| {
                answer.text += &line(&name, &finding);
                answer.members.push(members(at, &finding));
                Ok(())
            });
            match verdict {
                Ok(Ok(())) => (),
                Ok(Err(error)) => {
                    answer.failure = Some(numbered(Failure::refusal(&error, value), at, blob.records.len()));
                }
                Err(error) => answer.failure = Some(error.into()),
            }
        }
        if answer.text.is_empty() && answer.failure.is_none() {
            answer.text = format!("{}: nothing\n", blob.name);
        }
        answer
    })
}

fn line(name: &str, finding: &Finding) -> String {
    let Finding { danger, path, offset, what } = finding;
    let quoted = Quoted::cut(what, SHOWN_CHARS);
    let what = match danger {
        Danger::Object => format!("object of class {quoted}"),
        Danger::ScriptPath => format!("script {quoted}"),
        Danger::ScriptSource => format!("script with its source, {what}"),
        Danger::TypedByScript => format!("container typed by script {quoted}"),
        Danger::Handle => what.clone(),
    };
    format!("{name}: {path}: {what} (byte {offset})\n")
}

fn members(at: usize, finding: &Finding) -> serde_json::Value {
    let Finding { danger, path, offset, what } = finding;
    json!({ "value": at, "found": danger.name(), "path": path, "byte_offset": offset, "what": what })
}
