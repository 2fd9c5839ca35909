//! `scan`: what would run code if the engine opened a file with objects allowed. Nothing is opened here.
//!
//! How a game reads a file, the file does not say, and who made it may have had that in mind. So it is read as it looks,
//! where all that cannot be read is told, and then in all other ways in which an engine reads, each as far as it goes.

use std::io;
use std::path::Path;

use serde_json::json;
use variant_core::{Dialect, Extent, Limits, QuotedText, Rules, Strictness, validate};
use variant_text::{Finding, FindingKind};

use crate::arguments::{Framing, Reading, Report};
use crate::batch_report::Account;
use crate::failure::{Failure, Outcome};
use crate::pieces::PieceRun;
use crate::values::{EncodedValue, Input, ValueStream};
use crate::{batch, hint, source};

/// Characters of a name that are shown.
const SHOWN_CHARS: usize = 100;

/// Bytes of the smallest object that names a class. Bytes that are no lengths make many frames that are shorter.
const LEAST_FOUND: usize = 12;

/// Dialects that engines read.
const ENGINES: [Dialect; 2] = [Dialect::Godot4, Dialect::Godot3];

/// A way to read a file.
type ReadFunction = (Dialect, Framing);

pub(crate) fn run(given: &Report) -> Result<Outcome, Failure> {
    let reading = &given.look.reading;
    batch::each(&given.look, given.format, |(path, _), account| match file(path, reading, account) {
        // That something cannot be read is no finding.
        Err(failure @ Failure::Data(_)) => Ok(account.trouble(&failure)?),
        done => done,
    })
}

/// Scans a file in every way.
fn file(path: &Path, reading: &Reading, account: &mut Account) -> Result<(), Failure> {
    // What can be read once only is held: with no framing named.
    let (input, layers) = source::unpacked(path, &Reading { framing: Framing::Auto, ..reading.clone() })?;
    let rules = reading.rules(Strictness::Engine);
    let mut values = source::values(path, input, layers, reading, &rules)?;
    let from = reading.from.unwrap_or(Dialect::Godot4);
    let framing = if values.framing == Framing::Auto { Framing::None } else { values.framing };
    let looked = as_it_looks(&mut values, (from, framing), &rules, account)?;
    let (name, count) = (values.name.clone(), values.count());
    // Nobody said that values follow each other; but they may, behind what could not be read.
    let is_all = looked.is_clean || values.framing != Framing::Auto;
    let mut input = Some(values.into_input());
    let mut is_clean = looked.is_clean;
    for way in ways(reading) {
        let told = match way == (from, framing) {
            true if is_all => continue,
            true => looked.told,
            false => 0,
        };
        is_clean &= otherwise(path, &mut input, &Other { way, told }, reading, account)?;
    }
    if !is_clean {
        return Ok(());
    }
    Ok(account.tell(&format!("{name}: nothing\n"), || json!({ "ok": true, "values": count }))?)
}

/// All ways that the call leaves open.
fn ways(reading: &Reading) -> impl Iterator<Item = ReadFunction> {
    let dialects = reading.from.map_or_else(|| ENGINES.to_vec(), |from| vec![from]);
    let framings = match reading.framing {
        Framing::Auto => vec![Framing::None, Framing::U32, Framing::U32be],
        named => vec![named],
    };
    dialects
        .into_iter()
        .flat_map(move |dialect| framings.clone().into_iter().map(move |framing| (dialect, framing)))
}

/// The findings in a file that was read as it looks.
struct FileFindings {
    /// Every value could be read and has nothing in it.
    is_clean: bool,
    /// The byte before which all values were told of.
    told: u64,
}

/// Tells all that cannot be read, and all that is found.
fn as_it_looks(
    values: &mut ValueStream,
    way: ReadFunction,
    rules: &Rules,
    account: &mut Account,
) -> Result<FileFindings, Failure> {
    let name = values.name.clone();
    let (mut is_clean, mut told) = (true, 0);
    loop {
        let one = match values.next() {
            Ok(Some(one)) => one,
            Ok(None) => return Ok(FileFindings { is_clean, told }),
            // Nothing comes after that, but there are other ways to read it.
            Err(failure @ Failure::Data(_)) => {
                account.trouble(&failure)?;
                return Ok(FileFindings { is_clean: false, told });
            }
            Err(failure) => return Err(failure),
        };
        told = one.start + 1;
        let verdict = variant_text::scan(one.bytes, rules, &mut |finding| {
            is_clean = false;
            find(account, &line(&one.name(&name), &finding, ""), || members(one.at, &finding, way))
        });
        if let Some(failure) = unread(&one, verdict?.and_then(|()| validate(one.bytes, rules))) {
            is_clean = false;
            account.trouble(&failure)?;
        }
    }
}

fn unread(one: &EncodedValue<'_>, verdict: Result<Extent, variant_core::Error>) -> Option<Failure> {
    verdict.map_or_else(|error| Some(one.refused(&error)), |extent| one.left_over(&extent))
}

/// A way to read a file once more.
struct Other {
    way: ReadFunction,
    /// Values that begin before this byte are told already.
    told: u64,
}

/// Reads the file in another way: it is no wonder there that something cannot be read.
fn otherwise(
    path: &Path,
    input: &mut Option<Input>,
    other: &Other,
    given: &Reading,
    account: &mut Account,
) -> Result<bool, Failure> {
    let Other { way: way @ (from, framing), told } = *other;
    let reading = Reading { from: Some(from), framing, ..given.clone() };
    let rules = Rules { limits: Limits::engine(), ..reading.rules(Strictness::Engine) };
    let is_held = matches!(input, Some(Input::Held(_)));
    let opened = opened(path, input.take(), &reading, &rules);
    if let Err(failure) = &opened
        && failure.is_too_large()
    {
        // It may be small enough in the ways that are left.
        account.trouble(failure)?;
        return Ok(false);
    }
    let mut values = source::values(path, opened?, Vec::new(), &reading, &rules)?;
    let note = format!(", with --from {} --framing {}", hint::word(from), framing.word());
    let name = values.name.clone();
    let mut is_clean = true;
    loop {
        let one = match values.next() {
            Ok(Some(one)) => one,
            Ok(None) => break,
            Err(failure) if failure.is_too_large() => {
                is_clean = false;
                account.trouble(&failure)?;
                break;
            }
            Err(Failure::Data(_)) => break,
            Err(failure) => return Err(failure),
        };
        if one.start < told || one.bytes.len() < LEAST_FOUND {
            continue;
        }
        // An engine builds what comes before a mistake, too.
        let _ = variant_text::scan(one.bytes, &rules, &mut |finding| match is_taken(&finding) {
            false => Ok(()),
            true => {
                is_clean = false;
                find(account, &line(&one.name(&name), &finding, &note), || members(one.at, &finding, way))
            }
        })?;
    }
    // What was opened for this way is not all of the file.
    *input = is_held.then(|| values.into_input());
    Ok(is_clean)
}

/// Opens what is held, or a large file once more. It reads as much of values without lengths as can be read:
/// mostly a few bytes.
fn opened(path: &Path, input: Option<Input>, reading: &Reading, rules: &Rules) -> Result<Input, Failure> {
    if let Some(held @ Input::Held(_)) = input {
        return Ok(held);
    }
    let (input, layers) = source::unpacked(path, reading)?;
    if reading.framing != Framing::None || matches!(input, Input::Held(_)) {
        return Ok(input);
    }
    let mut run = PieceRun::new(Framing::None, *rules);
    source::values(path, input, layers, reading, rules)?.pieces(|piece| run.feed(piece))?;
    run.memory().map_err(|error| Failure::file(path, error))?;
    if run.reached() > source::most_held(reading) {
        return Err(source::too_large(source::most_held(reading)));
    }
    let read = source::part(path, reading.skip, run.reached());
    read.map(Input::Held).map_err(|error| Failure::file(path, error))
}

/// Tells of a finding.
fn find(account: &mut Account, text: &str, members: impl FnOnce() -> serde_json::Value) -> io::Result<()> {
    account.is_bad();
    account.tell(text, members)
}

/// Whether an engine would take it for what it says: by chance, bytes that mean something else name no class.
fn is_taken(finding: &Finding) -> bool {
    match finding.danger {
        FindingKind::Object => {
            let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
            finding.what.starts_with(is_letter)
                && finding.what.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        }
        FindingKind::ScriptPath | FindingKind::TypedByScript => finding.what.starts_with("res://"),
        FindingKind::ScriptSource => true,
        FindingKind::Handle => false,
    }
}

fn line(name: &str, finding: &Finding, note: &str) -> String {
    let Finding { danger, path, offset, what } = finding;
    let quoted = QuotedText::cut(what, SHOWN_CHARS);
    let what = match danger {
        FindingKind::Object => format!("object of class {quoted}"),
        FindingKind::ScriptPath => format!("script {quoted}"),
        FindingKind::ScriptSource => format!("script with its source, {what}"),
        FindingKind::TypedByScript => format!("container typed by script {quoted}"),
        FindingKind::Handle => what.clone(),
    };
    format!("{name}: {path}: {what} (byte {offset}{note})\n")
}

fn members(at: u64, finding: &Finding, (from, framing): ReadFunction) -> serde_json::Value {
    let Finding { danger, path, offset, what } = finding;
    json!({
        "value": at,
        "found": danger.name(),
        "path": path,
        "byte_offset": offset,
        "what": what,
        "from": hint::word(from),
        "framing": framing.word(),
    })
}
