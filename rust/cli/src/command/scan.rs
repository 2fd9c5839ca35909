//! `scan`: what would run code if the engine opened a file with objects allowed. Nothing is opened here.

use serde_json::json;
use variant_core::Strictness;
use variant_text::{Danger, Finding, Quoted};

use crate::arguments::Report;
use crate::batch;
use crate::failure::{Failure, Verdict};
use crate::source;

/// Characters of a name that are shown.
const SHOWN_CHARS: usize = 100;

pub(crate) fn run(given: &Report) -> Result<Verdict, Failure> {
    let reading = &given.look.reading;
    let rules = reading.rules(Strictness::Engine);
    batch::each(&given.look, given.json, |(path, _), account| {
        let mut values = source::open(path, reading, &rules)?;
        let name = values.name.clone();
        let mut is_empty = true;
        while let Some(one) = values.next()? {
            let name = one.name(&name);
            let verdict = variant_text::scan(one.bytes, &rules, &mut |finding| {
                is_empty = false;
                account.tell(&line(&name, &finding), || members(one.at, &finding))
            });
            if let Err(error) = verdict? {
                is_empty = false;
                account.fail(&one.refused(&error))?;
            }
        }
        if is_empty {
            account.remark(&format!("{name}: nothing\n"))?;
        }
        Ok(())
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

fn members(at: u64, finding: &Finding) -> serde_json::Value {
    let Finding { danger, path, offset, what } = finding;
    json!({ "value": at, "found": danger.name(), "path": path, "byte_offset": offset, "what": what })
}
