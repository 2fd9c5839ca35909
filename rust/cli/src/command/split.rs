//! `split`: each value of a stream into a file of its own, without what stood before it.

use std::path::{Path, PathBuf};

use serde_json::json;
use variant_core::{Strictness, validate};

use crate::arguments::{Report, SplitOptions};
use crate::batch::{self, FoundFile};
use crate::failure::{Failure, Outcome};
use crate::save::{self, Results};
use crate::source;
use crate::values::counted;

pub(crate) fn run(given: &SplitOptions) -> Result<Outcome, Failure> {
    let SplitOptions { report, out } = given;
    let Report { look, format } = report;
    let results = Results::new(look, out)?;
    let rules = look.reading.rules(Strictness::Engine);
    let claim = |(_, below): &FoundFile| results.claim(&below.with_extension(""));
    batch::each_claimed(look, *format, claim, |(path, below), account| {
        let mut values = source::open(path, &look.reading, &rules)?;
        let folder = below.parent().unwrap_or(Path::new(""));
        let mut written = 0;
        let mut is_whole = true;
        let is_framed = values.framing.has_lengths();
        while let Some(one) = values.next()? {
            let checked = validate(one.bytes, &rules).map_err(|error| one.refused(&error));
            if let Ok(extent) = &checked {
                let mut name = below.file_stem().unwrap_or_default().to_owned();
                name.push(format!("_{:06}.bin", one.at));
                // What a length says belongs to the value; without one, what follows does not.
                let length = usize::try_from(extent.consumed).unwrap_or(usize::MAX);
                let value = if is_framed { one.bytes } else { &one.bytes[..length] };
                save::write(&results.place(&folder.join(name))?, value)?;
                written += 1;
            }
            // What is no value is told, and left where it is.
            if let Some(failure) = checked.map_or_else(Some, |extent| one.left_over(&extent)) {
                is_whole = false;
                account.fail(&failure)?;
            }
        }
        if written == 0 && !is_whole {
            return Ok(());
        }
        let folder = out.join(folder).components().collect::<PathBuf>();
        let (counted, shown) = (counted(written), source::shown(&folder));
        let text = format!("{}: {counted} into {shown}\n", values.name);
        Ok(account.tell(&text, || json!({ "ok": is_whole, "values": written }))?)
    })
}
