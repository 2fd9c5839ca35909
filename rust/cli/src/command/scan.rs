//! `scan`: what would run code if the engine opened a file with objects allowed. Nothing is opened here.
//!
//! How a game reads a file, the file does not say, and who made it may have had that in mind. So it is read as it looks,
//! where all that cannot be read is told, and then in all other ways in which an engine reads, each as far as it goes.

use std::path::Path;

use serde_json::json;
use variant_core::{Dialect, Limits, QuotedText, Rules, Strictness, validate};
use variant_text::{Finding, FindingKind};

use crate::arguments::{Framing, Reading, Report};
use crate::batch_report::Account;
use crate::failure::{Failure, Outcome};
use crate::pieces::PieceRun;
use crate::values::{Input, ValueStream};
use crate::{batch, hint, source};

const SHOWN_CHARS: usize = 100;

/// Bytes of the smallest object that names a class. Bytes that are no lengths make many frames that are shorter.
const LEAST_FOUND: usize = 12;

const ENGINES: [Dialect; 2] = [Dialect::Godot4, Dialect::Godot3];

#[derive(Clone, Copy, PartialEq, Eq)]
struct ReadWay {
    from: Dialect,
    framing: Framing,
}

pub(crate) fn run(given: &Report) -> Result<Outcome, Failure> {
    let reading = &given.look.reading;
    batch::each(&given.look, given.format, |(path, _), account| match file(path, reading, account) {
        // That something cannot be read is no finding.
        Err(failure @ Failure::Data(_)) => Ok(account.trouble(&failure)?),
        done => done,
    })
}

fn file(path: &Path, reading: &Reading, account: &mut Account) -> Result<(), Failure> {
    // What can be read once only is held: with no framing named.
    let (input, layers) = source::unpacked(path, &Reading { framing: Framing::Auto, ..reading.clone() })?;
    let rules = reading.rules(Strictness::Engine);
    let mut values = source::values(path, input, layers, reading, &rules)?;
    let from = reading.from.unwrap_or(Dialect::Godot4);
    let framing = if values.framing == Framing::Auto { Framing::None } else { values.framing };
    let looks = ReadWay { from, framing };
    let looked = FileScan { way: looks, after: None }.scan(&mut values, &rules, account)?;
    let (name, count) = (values.name.clone(), values.count);
    // Nobody said that values follow each other; but they may, behind what could not be read.
    let is_all = looked.is_clean || values.framing != Framing::Auto;
    let mut input = Some(values.input);
    let mut is_clean = looked.is_clean;
    for way in ways(reading) {
        let told = match way == looks {
            true if is_all => continue,
            true => looked.told,
            false => 0,
        };
        is_clean &= otherwise(path, &mut input, &FileScan { way, after: Some(told) }, reading, account)?;
    }
    if !is_clean {
        return Ok(());
    }
    Ok(account.tell(&format!("{name}: nothing\n"), || json!({ "ok": true, "values": count }))?)
}

fn ways(reading: &Reading) -> Vec<ReadWay> {
    let dialects = reading.from.map_or_else(|| ENGINES.to_vec(), |from| vec![from]);
    let framings = match reading.framing {
        Framing::Auto => &[Framing::None, Framing::U32, Framing::U32be][..],
        _ => std::slice::from_ref(&reading.framing),
    };
    let of = |from: Dialect| framings.iter().map(move |framing| ReadWay { from, framing: *framing });
    dialects.into_iter().flat_map(of).collect()
}

struct FileScan {
    way: ReadWay,
    /// The byte before which all values are told already; `None` for the first reading, as the file looks, which tells all that
    /// cannot be read. In other ways it is no wonder that something cannot be.
    after: Option<u64>,
}

struct FileFindings {
    /// Nothing was found, nor told that cannot be read.
    is_clean: bool,
    /// The byte before which all values were told of.
    told: u64,
}

impl FileScan {
    fn scan(
        &self,
        values: &mut ValueStream,
        rules: &Rules,
        account: &mut Account,
    ) -> Result<FileFindings, Failure> {
        let (name, is_first) = (values.name.clone(), self.after.is_none());
        let mut found = FileFindings { is_clean: true, told: 0 };
        loop {
            let one = match values.next() {
                Ok(Some(one)) => one,
                Ok(None) => return Ok(found),
                // Nothing comes after that, but there are other ways to read it.
                Err(failure @ Failure::Data(_)) => {
                    if is_first || failure.is_too_large() {
                        found.is_clean = false;
                        account.trouble(&failure)?;
                    }
                    return Ok(found);
                }
                Err(failure) => return Err(failure),
            };
            if self.after.is_some_and(|told| one.start < told || one.bytes.len() < LEAST_FOUND) {
                continue;
            }
            found.told = one.start + 1;
            // An engine builds what comes before a mistake, too.
            let verdict = variant_text::scan(one.bytes, rules, &mut |finding| {
                if !is_first && !is_taken(&finding) {
                    return Ok(());
                }
                found.is_clean = false;
                account.is_bad();
                account.tell(&self.line(&one.name(&name), &finding), || self.members(one.at, &finding))
            })?;
            let unread = || match verdict.and_then(|()| validate(one.bytes, rules)) {
                Ok(extent) => one.left_over(&extent),
                Err(error) => Some(one.refused(&error)),
            };
            if is_first && let Some(failure) = unread() {
                found.is_clean = false;
                account.trouble(&failure)?;
            }
        }
    }

    fn line(&self, name: &str, finding: &Finding) -> String {
        let Finding { danger, path, offset, what } = finding;
        let quoted = QuotedText::cut(what, SHOWN_CHARS);
        let what = match danger {
            FindingKind::Object => format!("object of class {quoted}"),
            FindingKind::ScriptPath => format!("script {quoted}"),
            FindingKind::ScriptSource => format!("script with its source, {what}"),
            FindingKind::TypedByScript => format!("container typed by script {quoted}"),
            FindingKind::Handle => what.clone(),
        };
        let note = match self.after {
            Some(_) => {
                format!(", with --from {} --framing {}", hint::word(self.way.from), self.way.framing.word())
            }
            None => String::new(),
        };
        format!("{name}: {path}: {what} (byte {offset}{note})\n")
    }

    fn members(&self, at: u64, finding: &Finding) -> serde_json::Value {
        let Finding { danger, path, offset, what } = finding;
        json!({
            "value": at,
            "found": danger.name(),
            "path": path,
            "byte_offset": offset,
            "what": what,
            "from": hint::word(self.way.from),
            "framing": self.way.framing.word(),
        })
    }
}

/// Reads the file in another way, and returns whether nothing is found.
fn otherwise(
    path: &Path,
    input: &mut Option<Input>,
    scan: &FileScan,
    given: &Reading,
    account: &mut Account,
) -> Result<bool, Failure> {
    let ReadWay { from, framing } = scan.way;
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
    let found = scan.scan(&mut values, &rules, account)?;
    // What was opened for this way is not all of the file.
    *input = is_held.then_some(values.input);
    Ok(found.is_clean)
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
