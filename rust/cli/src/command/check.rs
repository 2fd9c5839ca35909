//! `check`: is every value of every file what strictness and limits allow?

use serde_json::json;
use variant_core::{Strictness, validate};

use super::look::layers;
use crate::arguments::Report;
use crate::batch::{self, Answer};
use crate::failure::{BadData, Failure, Verdict};
use crate::source;

pub(crate) fn run(given: &Report) -> Result<Verdict, Failure> {
    let rules = given.look.reading.rules(Strictness::Safe);
    batch::each(given, |(path, _)| {
        let blob = match source::load(path, &given.look.reading, &rules) {
            Ok(blob) => blob,
            Err(failure) => return Answer::failed(failure),
        };
        for (at, value) in blob.values().enumerate() {
            if let Err(error) = validate(value, &rules) {
                return Answer::failed(numbered(Failure::refusal(&error, value), at, blob.records.len()));
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
