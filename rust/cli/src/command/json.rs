//! `decode` and `encode`: bytes to JSON and back.

use std::collections::HashMap;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::json;
use variant_core::{Limits, Rules, Strictness, Target, Value, validate};
use variant_text::Hex;
use variant_text::json::{JsonError, JsonForm, from_json, key_twice, write};

use super::look::{Heading, each_value};
use crate::arguments::{Decode, Encode, Format, Framing, Reading, Report};
use crate::failure::{Failure, Outcome};
use crate::save::OutPath;
use crate::{framing, paint, save, source};

pub(crate) fn decode(given: &Decode) -> Result<Outcome, Failure> {
    let Report { look, format } = &given.report;
    let compact = given.compact || format.is_json();
    let form = JsonForm { plain: given.plain, compact, tags_floats: given.tag_floats };
    let rules = look.reading.rules(Strictness::Engine);
    each_value(look, &rules, *format, Heading::None, |one, output| {
        // What is refused, or goes on behind the value, is found out before anything is written.
        let extent = match validate(one.bytes, &rules) {
            Ok(extent) if one.left_over(&extent).is_none() => extent,
            refused => return Ok(refused),
        };
        if format.is_json() {
            output.begin(json!({ "value": one.at }))?;
            output.write_all(b",\"data\":")?;
        }
        let written = write(one.bytes, &rules, form, output)?;
        output.write_all(if format.is_json() { b"}\n" } else { b"\n" })?;
        Ok(written.map(|_| extent))
    })
}

pub(crate) fn encode(given: &Encode) -> Result<Outcome, Failure> {
    let input = given.input.as_deref().unwrap_or(Path::new("-"));
    let out = given.out.as_deref().map(|out| OutPath::new(out, [input])).transpose()?;
    let bytes = bytes_of(given, input);
    let put = if given.hex { put_digits } else { put_bytes };
    paint::verdict(input, Format::Text, bytes.and_then(|bytes| put(&bytes, out.as_ref())))
}

fn bytes_of(given: &Encode, input: &Path) -> Result<Vec<u8>, Failure> {
    source::asked_for(given.input.as_slice())?;
    let text =
        String::from_utf8(source::text(input)?).map_err(|_| Failure::data("JSON is UTF-8, this is not"))?;
    let texts = values_in(&text);
    let framing = match &given.out {
        Some(path) if given.framing.is_none() && !given.hex => framing::of_replaced(path)?,
        _ => given.framing,
    };
    if texts.len() > 1 && framing.is_none() {
        let ways = "--framing u32 puts the length before each, --framing none nothing";
        return Err(Failure::data(format!("more than one value: {ways}")));
    }
    let mut like = given
        .like
        .as_deref()
        .map(|like| source::open(like, &Reading::by_default(), &Rules::engine()))
        .transpose()?;
    let mut bytes = Vec::new();
    for (at, (start, value)) in texts.iter().enumerate() {
        let failed = |message: String| match texts.len() {
            1 => Failure::data(message),
            _ => Failure::data(format!("value {at}: {message}")),
        };
        let model = match &mut like {
            Some(like) => like.next()?.map(|one| decode_value(one.bytes)).transpose()?,
            None => None,
        };
        let value = encoded(value, &text[..*start], given.to, model.as_ref()).map_err(failed)?;
        bytes.extend(framing::framed(&value, framing.unwrap_or(Framing::None))?);
    }
    Ok(bytes)
}

/// Splits a text into those of values that follow each other, as `decode` writes those of a stream, with
/// where they begin. Text that is no JSON is left to the reader, which knows better what to say of it.
fn values_in(text: &str) -> Vec<(usize, &str)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    let mut texts = Vec::new();
    let mut start = 0;
    while let Some(Ok(_)) = values.next() {
        texts.push((start, &text[start..values.byte_offset()]));
        start = values.byte_offset();
    }
    if texts.is_empty() || !text[start..].trim().is_empty() {
        texts.push((start, &text[start..]));
    }
    texts
}

fn decode_value(bytes: &[u8]) -> Result<Value, Failure> {
    variant_core::decode(bytes, &Rules { full_objects: true, ..Rules::engine() })
        .map_err(|error| Failure::data(format!("--like: {error}")))
}

/// Makes floats of the ints that are floats in another value: some tools write 1.0 as 1.
fn make_like(value: &mut Value, model: &Value) {
    match (&mut *value, model) {
        (Value::Int(number), Value::Float(_)) => *value = Value::Float(*number as f64),
        (Value::Array(array), Value::Array(model)) => {
            // Elements that are new are like those that were there.
            let models = model.items.iter().chain(model.items.last().into_iter().cycle());
            array.items.iter_mut().zip(models).for_each(|(item, model)| make_like(item, model));
        }
        (Value::Dictionary(dictionary), Value::Dictionary(model)) => {
            let models: HashMap<String, &Value> =
                model.entries.iter().map(|(key, value)| (key.to_string(), value)).collect();
            for (key, value) in &mut dictionary.entries {
                if let Some(model) = models.get(&key.to_string()) {
                    make_like(value, model);
                }
            }
        }
        _ => {}
    }
}

/// The bytes of one value, behind the values before it in its file.
pub(super) fn encoded(
    text: &str,
    before: &str,
    target: Target,
    model: Option<&Value>,
) -> Result<Vec<u8>, String> {
    let limits = Limits { max_values: u64::MAX, ..Limits::engine() };
    let mut value = from_json(text, &limits).map_err(|error| in_file(error, before).to_string())?;
    if let Some(model) = model {
        make_like(&mut value, model);
    }
    let mut bytes = Vec::new();
    // There are no bytes to point at: the path is what helps.
    let written = value.encode_for(target, &mut bytes, &limits);
    let twice = written.is_ok().then(|| key_twice(&bytes, target.dialect())).flatten();
    match written.err().or(twice) {
        Some(error) => Err(format!("{}: {}", error.path(), error.kind())),
        None => Ok(bytes),
    }
}

fn in_file(mut error: JsonError, before: &str) -> JsonError {
    if error.line == 1 {
        error.column += before.len() - before.rfind('\n').map_or(0, |newline| newline + 1);
    }
    if error.line > 0 {
        error.line += before.bytes().filter(|byte| *byte == b'\n').count();
    }
    error
}

pub(super) fn put_digits(bytes: &[u8], out: Option<&OutPath>) -> Result<(), Failure> {
    put(format!("{}\n", Hex(bytes)).as_bytes(), out)
}

/// Writes bytes into a file or on the standard output, unless that is a terminal.
pub(super) fn put_bytes(bytes: &[u8], out: Option<&OutPath>) -> Result<(), Failure> {
    if out.is_none() && io::stdout().is_terminal() {
        return Err(Failure::misuse("bytes are nothing for a terminal: use --out FILE or --hex"));
    }
    put(bytes, out)
}

fn put(written: &[u8], out: Option<&OutPath>) -> Result<(), Failure> {
    match out {
        Some(path) => save::write(path, written),
        None => {
            let mut output = BufWriter::new(io::stdout().lock());
            output.write_all(written)?;
            Ok(output.flush()?)
        }
    }
}
