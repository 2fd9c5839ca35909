//! `guess`: nothing in a file names its dialect or framing, so all are tried.

use std::path::Path;

use serde_json::json;
use variant_core::{Dialect, Limits, Progress, PushDecoder, Rules, Skip, validate};

use super::look::layers;
use crate::arguments::{Framing, Reading, Report};
use crate::batch;
use crate::failure::{Failure, Verdict};
use crate::values::{Input, Values};
use crate::{hint, paint, source};

const FRAMINGS: [(Framing, &str); 3] =
    [(Framing::None, "none"), (Framing::U32, "u32"), (Framing::U32be, "u32be")];

/// A framing and a dialect in which an input makes sense, and how many values it has in them.
type Guess = (&'static str, &'static str, u64);

pub(crate) fn run(given: &Report) -> Result<Verdict, Failure> {
    batch::each(&given.look, given.json, |(path, _), account| {
        let (guesses, packed) = guesses(path, &given.look.reading)?;
        let name = paint::shown(&source::name(path));
        let mut text = String::new();
        for (dialect, framing, count) in &guesses {
            let values = if *count == 1 { "1 value".to_owned() } else { format!("{count} values") };
            text += &format!("{name}: --from {dialect} --framing {framing} ({values}){}\n", layers(&packed));
        }
        if guesses.is_empty() {
            account.is_bad();
            text = format!("{name}: no value in any dialect and framing{}\n", layers(&packed));
        }
        let listed = |(dialect, framing, count): &Guess| json!({ "from": dialect, "framing": framing, "values": count });
        let list: Vec<_> = guesses.iter().map(listed).collect();
        Ok(account.tell(&text, || json!({ "ok": !guesses.is_empty(), "layers": packed, "guesses": list }))?)
    })
}

fn guesses(path: &Path, reading: &Reading) -> Result<(Vec<Guess>, Vec<&'static str>), Failure> {
    // What can be read once only is read before all guesses: with no framing named, it is held.
    let reading = Reading { framing: Framing::Auto, ..reading.clone() };
    let (mut input, layers) = source::unpacked(path, &reading)?;
    let most = source::most_held(&reading);
    let mut guesses = Vec::new();
    for (framing, word) in FRAMINGS {
        let mut values = Values::new(source::name(path), input, Vec::new(), framing, most);
        let (dialects, count) = makes_sense(&mut values).unwrap_or_default();
        guesses.extend(dialects.into_iter().map(|dialect| (hint::word(dialect), word, count)));
        input = match values.into_input() {
            held @ Input::Held(_) => held,
            _ => source::unpacked(path, &reading)?.0,
        };
    }
    Ok((guesses, layers))
}

/// The dialects in which every value is one, and how many there are. A length that is none makes no sense in any.
fn makes_sense(values: &mut Values) -> Result<(Vec<Dialect>, u64), Failure> {
    let mut dialects = Dialect::ALL.to_vec();
    let rules = |dialect| Rules { full_objects: true, dialect, ..Rules::safe(Limits::engine()) };
    if values.is_large_whole() {
        let mut tries: Vec<_> = dialects
            .iter()
            .map(|dialect| (*dialect, PushDecoder::new(Skip, rules(*dialect)), false))
            .collect();
        values.pieces(|piece| {
            tries.retain_mut(|(_, decoder, is_done)| match decoder.feed(piece) {
                _ if *is_done => false,
                Ok(Progress::Done { unused, .. }) => {
                    *is_done = true;
                    unused == 0
                }
                other => other.is_ok(),
            });
            !tries.is_empty()
        })?;
        return Ok((
            tries.into_iter().filter(|(.., is_done)| *is_done).map(|(dialect, ..)| dialect).collect(),
            1,
        ));
    }
    while !dialects.is_empty()
        && let Some(one) = values.next()?
    {
        dialects.retain(|dialect| validate(one.bytes, &rules(*dialect)).is_ok());
    }
    let count = values.count();
    Ok((if count == 0 { Vec::new() } else { dialects }, count))
}
