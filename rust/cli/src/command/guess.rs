//! `guess`: nothing in a file names its dialect or framing, so all are tried.

use std::io;
use std::path::Path;

use serde_json::json;
use variant_core::{Dialect, Limits, Rules, Strictness, validate};
use variant_text::sniff::{self, Fit, InputHead, LOOKED_AT, rank};

use super::look::layers;
use crate::arguments::{Framing, Reading, Report};
use crate::batch;
use crate::failure::{Failure, Outcome};
use crate::pieces::{PieceRun, RunEnd};
use crate::values::{Input, ValueStream, counted};
use crate::{framing, hint, source};

const FRAMINGS: [Framing; 3] = [Framing::None, Framing::U32, Framing::U32be];

struct Guesses {
    /// The likeliest first.
    fits: Vec<Fit>,
    skip: u64,
    layers: Vec<&'static str>,
}

pub(crate) fn run(given: &Report) -> Result<Outcome, Failure> {
    batch::each(&given.look, given.format, |(path, _), account| {
        let Guesses { fits, skip, layers: packed } = guesses(path, &given.look.reading)?;
        let name = source::shown(path);
        let mut text = String::new();
        let skipped = if skip == 0 { String::new() } else { format!("--skip {skip} ") };
        for Fit { framing, dialect, values } in &fits {
            let (from, framing, counted) = (hint::word(*dialect), word(*framing), counted(*values));
            text += &format!(
                "{name}: {skipped}--from {from} --framing {framing} ({counted}){}\n",
                layers(&packed)
            );
        }
        if fits.is_empty() {
            account.is_bad();
            text = format!("{name}: no value in any dialect and framing{}\n", layers(&packed));
        }
        let listed = |fit: &Fit| {
            let (from, framing) = (hint::word(fit.dialect), word(fit.framing));
            json!({ "from": from, "framing": framing, "skip": skip, "values": fit.values })
        };
        let list: Vec<_> = fits.iter().map(listed).collect();
        Ok(account.tell(&text, || json!({ "ok": !fits.is_empty(), "layers": packed, "guesses": list }))?)
    })
}

fn word(framing: variant_core::Framing) -> &'static str {
    let is_it = |known: &&Framing| known.core() == framing;
    FRAMINGS.iter().chain(&[Framing::Varint]).find(is_it).unwrap_or(&Framing::None).word()
}

/// Guesses the form of the whole, or of what is behind the header of another program.
fn guesses(path: &Path, given: &Reading) -> Result<Guesses, Failure> {
    // What can be read once only is read before all guesses: with no framing named, it is held.
    let reading = Reading { framing: Framing::Auto, ..given.clone() };
    let (input, layers) = source::unpacked(path, &reading)?;
    let (fits, input) = tried(path, input, given)?;
    let (first, size) = head(path, &input, given.skip).map_err(|error| Failure::file(path, error))?;
    let skip = sniff::behind(&InputHead::new(&first, size)).filter(|_| fits.is_empty() && given.skip == 0);
    let Some(skip) = skip else { return Ok(Guesses { fits, skip: given.skip, layers }) };
    let input = match (input, usize::try_from(skip)) {
        (Input::Held(bytes), Ok(skip)) => Input::Held(bytes.get(skip..).unwrap_or_default().to_vec()),
        _ => source::unpacked(path, &Reading { skip, ..reading })?.0,
    };
    let (fits, _) = tried(path, input, &Reading { skip, ..given.clone() })?;
    Ok(Guesses { fits, skip, layers })
}

fn head(path: &Path, input: &Input, skip: u64) -> io::Result<(Vec<u8>, u64)> {
    Ok(match input {
        Input::Held(bytes) => (bytes.iter().take(LOOKED_AT).copied().collect(), bytes.len() as u64),
        Input::Read(_, Some(size)) => (source::part(path, skip, LOOKED_AT as u64)?, *size),
        Input::Read(_, None) => (Vec::new(), 0),
    })
}

/// Every reading that the call leaves open in which all of an input is values, and the input.
fn tried(path: &Path, mut input: Input, given: &Reading) -> Result<(Vec<Fit>, Input), Failure> {
    let reading = Reading { framing: Framing::Auto, ..given.clone() };
    let rules = guessed_with(given);
    let dialects = dialects(given);
    let mut fits = Vec::new();
    let mut too_large = None;
    let named = [given.framing];
    let framings = if given.framing == Framing::Auto { &FRAMINGS[..] } else { &named[..] };
    for framing in framings.iter().copied() {
        let mut found = Vec::new();
        // Where no lengths are, each dialect holds texts and arrays of its own: one after another.
        let at_once = if framing == Framing::None { 1 } else { dialects.len() };
        for dialects in dialects.chunks(at_once) {
            let mut values = ValueStream::new(source::name(path), input, Vec::new(), framing, &rules);
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
            input = match values.input {
                held @ Input::Held(_) => held,
                _ => source::unpacked(path, &reading)?.0,
            };
        }
        // What one dialect takes for one value is not several of another by chance.
        if framing == Framing::None && found.iter().any(|(_, count)| *count == 1) {
            found.retain(|(_, count)| *count == 1);
        }
        let framing = framing.core();
        fits.extend(found.into_iter().map(|(dialect, values)| Fit { framing, dialect, values }));
    }
    if let Some(failure) = too_large.filter(|_| fits.is_empty()) {
        return Err(failure);
    }
    let failed = |error| Failure::file(path, error);
    let (first, size) = head(path, &input, given.skip).map_err(failed)?;
    let framing = framing::of(path, &input, given).map_err(failed)?.core();
    rank(&mut fits, &InputHead::new(&first, size), framing, rules.dialect);
    Ok((fits, input))
}

/// A guess is worth something where little makes sense: safe, unless told otherwise, but of any size.
fn guessed_with(given: &Reading) -> Rules {
    let rules = given.rules(Strictness::Safe);
    let is_bounded = given.limits.is_some() || given.max_bytes.is_some();
    let limits = if is_bounded { rules.limits } else { Limits::engine() };
    Rules { limits: Limits { max_bytes: limits.max_bytes.min(source::most_held(given)), ..limits }, ..rules }
}

fn dialects(given: &Reading) -> Vec<Dialect> {
    given.from.map_or_else(|| Dialect::ALL.to_vec(), |from| vec![from])
}

/// The dialects in which all of it is values one after another, and how many in each.
fn unframed(
    values: &mut ValueStream,
    dialects: &[Dialect],
    given: &Reading,
    rules: &Rules,
) -> Result<Vec<(Dialect, u64)>, Failure> {
    let run = |dialect: &Dialect| (*dialect, PieceRun::new(given.framing, rules.of_dialect(*dialect)));
    let mut runs: Vec<(Dialect, PieceRun)> = dialects.iter().map(run).collect();
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
    runs.retain_mut(|(_, run)| matches!(run.finish(), RunEnd::Whole));
    Ok(runs.into_iter().map(|(dialect, run)| (dialect, run.count)).collect())
}

/// The dialects in which every framed value is one, and how many there are.
fn framed(
    values: &mut ValueStream,
    dialects: &[Dialect],
    rules: &Rules,
) -> Result<Vec<(Dialect, u64)>, Failure> {
    let mut dialects = dialects.to_vec();
    let is_value = |bytes: &[u8], dialect| {
        validate(bytes, &rules.of_dialect(dialect)).is_ok_and(|extent| extent.trailing == 0)
    };
    while !dialects.is_empty()
        && let Some(one) = values.next()?
    {
        dialects.retain(|dialect| is_value(one.bytes, *dialect));
    }
    let count = values.count;
    dialects.retain(|_| count > 0);
    Ok(dialects.into_iter().map(|dialect| (dialect, count)).collect())
}
