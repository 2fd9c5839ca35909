//! `guess`: nothing in a file names its dialect or framing, so all are tried.

use std::path::Path;

use serde_json::json;
use variant_core::{Dialect, Limits, Rules, Strictness, validate};

use super::look::layers;
use crate::arguments::{Framing, Reading, Report};
use crate::batch;
use crate::failure::{Failure, Verdict};
use crate::pieces::{Ended, Run};
use crate::values::{Input, Values, counted};
use crate::{hint, source};

const FRAMINGS: [Framing; 3] = [Framing::None, Framing::U32, Framing::U32be];

/// A framing and a dialect in which an input makes sense, and how many values it has in them.
type Guess = (&'static str, &'static str, u64);

pub(crate) fn run(given: &Report) -> Result<Verdict, Failure> {
    batch::each(&given.look, given.json, |(path, _), account| {
        let (guesses, packed) = guesses(path, &given.look.reading)?;
        let name = source::shown(path);
        let mut text = String::new();
        for (dialect, framing, count) in &guesses {
            let counted = counted(*count);
            text += &format!("{name}: --from {dialect} --framing {framing} ({counted}){}\n", layers(&packed));
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

fn guesses(path: &Path, given: &Reading) -> Result<(Vec<Guess>, Vec<&'static str>), Failure> {
    // What can be read once only is read before all guesses: with no framing named, it is held.
    let reading = Reading { framing: Framing::Auto, ..given.clone() };
    let (mut input, layers) = source::unpacked(path, &reading)?;
    let rules = guessed_with(given);
    let dialects = dialects(given);
    let mut guesses = Vec::new();
    let mut too_large = None;
    let is_left = |framing: &Framing| matches!(given.framing, Framing::Auto) || *framing == given.framing;
    for framing in FRAMINGS.into_iter().filter(is_left) {
        let mut found = Vec::new();
        // Where no lengths are, each dialect holds texts and arrays of its own: one after another.
        let at_once = if framing == Framing::None { 1 } else { dialects.len() };
        for dialects in dialects.chunks(at_once) {
            let mut values = Values::new(source::name(path), input, Vec::new(), framing, &rules);
            let some = match framing {
                Framing::None => unframed(&mut values, dialects, given, &rules),
                _ => framed(&mut values, dialects, &rules),
            };
            match some {
                Err(failure) if failure.is_too_large() => too_large = Some(failure),
                // Lengths that are none are no reason to say more: another guess may do.
                Err(Failure::Data(_)) => {}
                some => found.extend(some?),
            }
            input = match values.into_input() {
                held @ Input::Held(_) => held,
                _ => source::unpacked(path, &reading)?.0,
            };
        }
        // What one dialect takes for one value is not several of another by chance.
        if framing == Framing::None && found.iter().any(|(_, count)| *count == 1) {
            found.retain(|(_, count)| *count == 1);
        }
        guesses
            .extend(found.into_iter().map(|(dialect, count)| (hint::word(dialect), framing.word(), count)));
    }
    match too_large {
        Some(failure) if guesses.is_empty() => Err(failure),
        _ => Ok((guesses, layers)),
    }
}

/// A guess is worth something where little makes sense: safe, unless told otherwise, but of any size.
fn guessed_with(given: &Reading) -> Rules {
    let rules = given.rules(Strictness::Safe);
    let is_bounded = given.limits.is_some() || given.max_bytes.is_some();
    let limits = if is_bounded { rules.limits } else { Limits::engine() };
    Rules { limits: Limits { max_bytes: limits.max_bytes.min(source::most_held(given)), ..limits }, ..rules }
}

fn dialects(given: &Reading) -> Vec<Dialect> {
    given.from.map_or_else(|| Dialect::ALL.to_vec(), |from| vec![from.dialect()])
}

/// The dialects in which all of it is values one after another, and how many in each.
fn unframed(
    values: &mut Values,
    dialects: &[Dialect],
    given: &Reading,
    rules: &Rules,
) -> Result<Vec<(Dialect, u64)>, Failure> {
    let run = |dialect: &Dialect| (*dialect, Run::new(given.framing, rules.of_dialect(*dialect)));
    let mut runs: Vec<(Dialect, Run)> = dialects.iter().map(run).collect();
    let mut memory = Ok(());
    values.pieces(|piece| {
        runs.retain_mut(|(_, run)| {
            let is_wanted = run.feed(piece);
            memory = std::mem::replace(&mut memory, Ok(())).and_then(|()| run.memory());
            is_wanted
        });
        memory.is_ok() && !runs.is_empty()
    })?;
    memory.map_err(|error| Failure::File(values.name.clone(), error))?;
    runs.retain_mut(|(_, run)| matches!(run.finish(), Ended::Whole));
    Ok(runs.into_iter().map(|(dialect, run)| (dialect, run.count)).collect())
}

/// The dialects in which every framed value is one, and how many there are.
fn framed(values: &mut Values, dialects: &[Dialect], rules: &Rules) -> Result<Vec<(Dialect, u64)>, Failure> {
    let mut dialects = dialects.to_vec();
    let is_value = |bytes: &[u8], dialect| {
        validate(bytes, &rules.of_dialect(dialect)).is_ok_and(|extent| extent.trailing == 0)
    };
    while !dialects.is_empty()
        && let Some(one) = values.next()?
    {
        dialects.retain(|dialect| is_value(one.bytes, *dialect));
    }
    let count = values.count();
    dialects.retain(|_| count > 0);
    Ok(dialects.into_iter().map(|dialect| (dialect, count)).collect())
}
