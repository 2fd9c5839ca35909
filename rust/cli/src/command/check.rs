//! `check`: is every value of every file what strictness, limits and a schema allow?

use serde_json::json;
use variant_core::{Rules, Strictness, validate};
use variant_schema::{Checker, Program};

use super::look::layers;
use super::schema;
use crate::arguments::Check;
use crate::batch::{self, Answer};
use crate::failure::{BadData, Failure, Verdict};
use crate::source;

pub(crate) fn run(given: &Check) -> Result<Verdict, Failure> {
    let reading = &given.report.look.reading;
    let rules = reading.rules(Strictness::Safe);
    let program = given.schema.as_deref().map(schema::load).transpose()?;
    batch::each(&given.report, |(path, _)| {
        let blob = match source::load(path, reading, &rules) {
            Ok(blob) => blob,
            Err(failure) => return Answer::failed(failure),
        };
        for (at, value) in blob.values().enumerate() {
            if let Err(failure) = judge(value, &rules, program.as_ref(), given.most) {
                return Answer::failed(numbered(failure, at, blob.records.len()));
            }
        }
        let count = blob.records.len();
        let (values, size) = (blob.counted(), blob.bytes.len());
        let text = format!("{}: ok, {values}, {size} bytes{}\n", blob.name, layers(&blob.layers));
        let members =
            json!({ "ok": true, "values": count, "bytes": blob.bytes.len(), "layers": blob.layers });
        Answer { text, members: vec![members], ..Answer::default() }
    })
}

fn judge(value: &[u8], rules: &Rules, program: Option<&Program>, most: usize) -> Result<(), Failure> {
    validate(value, rules).map_err(|error| Failure::refusal(&error, value))?;
    let Some(program) = program else { return Ok(()) };
    // One is always asked for: the verdict has to be right whatever is shown.
    let found = Checker::new().violations(program, value, rules, most.max(1));
    if found.is_empty() { Ok(()) } else { Err(Failure::violations(found, value)) }
}

/// Says which value it was, where there are more.
pub(super) fn numbered(failure: Failure, at: usize, count: usize) -> Failure {
    match failure {
        Failure::Data(data) if count > 1 => {
            let message = format!("value {at}: {}", data.message);
            Failure::Data(Box::new(BadData { message, ..*data }))
        }
        other => other,
    }
}
