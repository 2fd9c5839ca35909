//! `decode` and `encode`: bytes to JSON and back.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use variant_core::{Limits, Strictness};
use variant_text::json::{Form, from_json, write};

use super::look::each_value;
use crate::arguments::{Decode, Encode};
use crate::failure::{Failure, Verdict};
use crate::{framing, save, source};

pub(crate) fn decode(given: &Decode) -> Result<Verdict, Failure> {
    let form = Form { plain: given.plain, compact: given.compact };
    let rules = given.look.reading.rules(Strictness::Engine);
    each_value(&given.look, &rules, false, |bytes, output| {
        let verdict = write(bytes, &rules, form, output)?;
        writeln!(output)?;
        Ok(verdict)
    })
}

pub(crate) fn encode(given: &Encode) -> Result<Verdict, Failure> {
    let input = given.input.as_deref().unwrap_or(Path::new("-"));
    let text =
        String::from_utf8(source::text(input)?).map_err(|_| Failure::data("JSON is UTF-8, this is not"))?;
    let limits = Limits { max_values: u64::MAX, ..Limits::engine() };
    let value = from_json(&text, &limits).map_err(|error| Failure::data(error.to_string()))?;
    let mut bytes = Vec::new();
    value.encode_for(given.to, &mut bytes, &limits).map_err(|error| {
        // There are no bytes to point at: the path is what helps.
        Failure::data(format!("{}: {}", error.path(), error.kind()))
    })?;
    put(given, &framing::framed(&bytes, given.framing)?)?;
    Ok(Verdict::Good)
}

fn put(given: &Encode, bytes: &[u8]) -> Result<(), Failure> {
    let digits =
        || bytes.iter().map(|byte| format!("{byte:02x}")).chain(["\n".to_owned()]).collect::<String>();
    let bytes = if given.hex { digits().into_bytes() } else { bytes.to_vec() };
    match &given.out {
        Some(path) => save::write(path, &bytes),
        None if io::stdout().is_terminal() && !given.hex => {
            Err(Failure::misuse("bytes are nothing for a terminal: use --out FILE or --hex"))
        }
        None => {
            let mut output = BufWriter::new(io::stdout().lock());
            output.write_all(&bytes)?;
            Ok(output.flush()?)
        }
    }
}
