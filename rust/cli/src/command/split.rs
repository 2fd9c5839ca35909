//! `split`: each value of a stream into a file of its own, without what stood before it.

use std::path::{Path, PathBuf};

use serde_json::json;
use variant_core::Strictness;

use crate::arguments::{Report, Split};
use crate::batch::{self, Found};
use crate::failure::{Failure, Verdict};
use crate::save::{self, Results};
use crate::{paint, source};

pub(crate) fn run(given: &Split) -> Result<Verdict, Failure> {
    let Split { report, out } = given;
    let Report { look, json } = report;
    let results = Results::new(&look.inputs, out)?;
    let rules = look.reading.rules(Strictness::Engine);
    let claim = |(_, below): &Found| results.claim(&below.with_extension(""));
    batch::each_claimed(look, *json, claim, |(path, below), account| {
        let mut values = source::open(path, &look.reading, &rules)?;
        let folder = below.parent().unwrap_or(Path::new(""));
        while let Some(one) = values.next()? {
            let mut name = below.file_stem().unwrap_or_default().to_owned();
            name.push(format!("_{:06}.bin", one.at));
            save::write(&results.place(&folder.join(name))?, one.bytes)?;
        }
        let count = values.count();
        let folder = out.join(folder).components().collect::<PathBuf>();
        let text =
            format!("{}: {} into {}\n", values.name, values.counted(), paint::shown(&source::name(&folder)));
        Ok(account.tell(&text, || json!({ "ok": true, "values": count }))?)
    })
}
