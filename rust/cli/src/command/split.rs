//! `split`: each value of a stream into a file of its own, without what stood before it.

use serde_json::json;
use variant_core::Strictness;

use crate::arguments::{Report, Split};
use crate::batch::{self, Answer};
use crate::failure::{Failure, Verdict};
use crate::{save, source};

pub(crate) fn run(given: &Split) -> Result<Verdict, Failure> {
    let Split { report, out } = given;
    let Report { look, .. } = report;
    batch::is_apart(&look.inputs, out)?;
    let rules = look.reading.rules(Strictness::Engine);
    batch::each(report, |(path, below)| {
        let blob = match source::load(path, &look.reading, &rules) {
            Ok(blob) => blob,
            Err(failure) => return Answer::failed(failure),
        };
        let stem = below.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let parent = below.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.map_or_else(|| out.clone(), |parent| out.join(parent));
        for (at, value) in blob.values().enumerate() {
            if let Err(failure) = save::write(&folder.join(format!("{stem}_{at:06}.bin")), value) {
                return Answer::failed(failure);
            }
        }
        let count = blob.records.len();
        let text = format!("{}: {count} values into {}\n", blob.name, folder.display());
        Answer { text, members: vec![json!({ "ok": true, "values": count })], ..Answer::default() }
    })
}
