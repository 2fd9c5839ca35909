//! `save`: what a save file says of itself, whether it is whole, what can be got out of a damaged one, and the same state
//! in another form.

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::Path;

use serde_json::{Value as Json, json};
use variant_core::{Rules, Strictness};
use variant_save::{
    Compression, Draft, Head, OpenOptions, Protection, RecoveredEntries, SaveContents, SaveFront, SaveKeys,
    Thumbnail, peek,
};
use variant_text::json::{JsonForm, write as write_json};

use crate::arguments::{Format, Reading, Repack, Report, Save, SaveRecover};
use crate::batch;
use crate::container::{self, PackedFile};
use crate::failure::{Failure, Outcome};
use crate::save::OutPath;
use crate::{paint, save, source};

pub(crate) fn run(given: &Save) -> Result<Outcome, Failure> {
    match given {
        Save::Info(report) => info(report),
        Save::Verify(report) => verify(report),
        Save::Recover(given) => {
            let mut is_whole = true;
            let verdict = told(&given.file, given.format, recover(given, &mut is_whole))?;
            // What is lost is bad data, though all else was saved.
            Ok(if verdict == Outcome::Good { Outcome::of(is_whole) } else { verdict })
        }
        Save::Repack(given) => told(&given.file, given.format, repack(given)),
    }
}

type Answer = (String, Json);

/// Ends a command about one file: its answer is printed, bad data is told with the name of the file.
fn told(file: &Path, format: Format, done: Result<Answer, Failure>) -> Result<Outcome, Failure> {
    let print = |(text, mut members): Answer| {
        members["file"] = source::name(file).into();
        let line = || format!("{}\n", paint::shown(&members.to_string()));
        let told = if format.is_json() { line() } else { text };
        Ok(anstream::stdout().lock().write_all(told.as_bytes())?)
    };
    paint::verdict(file, format, done.and_then(print))
}

/// Tells what can be told without the state, and without a key.
fn info(report: &Report) -> Result<Outcome, Failure> {
    let rules = report.look.reading.rules(Strictness::Safe);
    batch::each(&report.look, report.format, |(path, _), account| {
        let peeked = front(path)?;
        let meta = peeked.meta.as_deref().map(|meta| as_json(meta, &rules)).transpose()?;
        let size = if source::is_stdin(path) { None } else { fs::metadata(path).ok().map(|it| it.len()) };
        Ok(account.tell(&lines(&source::shown(path), &peeked, meta.as_deref(), size), || {
            let mut members = facts(&peeked.head);
            members["bytes"] = size.into();
            members["thumbnail_bytes"] = peeked.thumbnail.as_ref().map(Vec::len).into();
            members["metadata"] =
                meta.as_deref().and_then(|meta| serde_json::from_str(meta).ok()).unwrap_or(Json::Null);
            members
        })?)
    })
}

/// The most bytes that header, metadata and picture can take.
const MOST_FRONT: u64 = 4 << 20;

fn front(path: &Path) -> Result<SaveFront, Failure> {
    let peeked = if source::is_stdin(path) {
        let mut bytes = Vec::new();
        io::stdin()
            .lock()
            .take(MOST_FRONT)
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::file(path, error))?;
        peek(&mut Cursor::new(bytes), Thumbnail::Read)
    } else {
        let file = File::open(path).map_err(|error| Failure::file(path, error))?;
        peek(&mut BufReader::with_capacity(4096, file), Thumbnail::Read)
    };
    peeked.map_err(|fault| container::damaged(&fault, None))
}

fn as_json(bytes: &[u8], rules: &Rules) -> Result<String, Failure> {
    let mut text = Vec::new();
    write_json(bytes, rules, JsonForm { plain: false, compact: true, tags_floats: false }, &mut text)?
        .map_err(|error| Failure::data(format!("metadata: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn lines(name: &str, peeked: &SaveFront, meta: Option<&str>, size: Option<u64>) -> String {
    let SaveFront { head, thumbnail, .. } = peeked;
    let mut lines = vec![format!("{name}: save of format 1")];
    let mut line = |name: &str, text: String| lines.push(format!("  {name:<12}{text}"));
    line("data", format!("version {}, {} bytes", head.version, head.payload_bytes));
    if let Some(size) = size {
        line("file", format!("{size} bytes, {}", stored(head)));
    }
    line("protection", protection(head).to_owned());
    line("saved", format!("{} ({} ms since 1970)", date(head.time_ms), head.time_ms));
    for (name, text) in [("game", &head.game), ("engine", &head.engine), ("library", &head.library)] {
        if !text.is_empty() {
            line(name, paint::shown(text));
        }
    }
    line("generation", format!("{} ({} ancestors named)", head.generation, head.ancestors.len()));
    line("id", format!("{:032x}", head.id.0));
    if let Some(meta) = meta {
        line("metadata", paint::shown(meta));
    }
    if let Some(thumbnail) = thumbnail {
        line("thumbnail", format!("{} bytes", thumbnail.len()));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Writes milliseconds since 1970 as a time of UTC: `2026-11-26 15:04:05 UTC`.
fn date(ms: i64) -> String {
    let (days, second) = (ms.div_euclid(86_400_000), ms.rem_euclid(86_400_000) / 1000);
    // Years begin with March here, so that a leap day is the last of its year; an era has 400 years.
    let day = days + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC", era * 400 + year)
}

fn stored(head: &Head) -> &'static str {
    match head.compression {
        Compression::None => "not compressed",
        Compression::Zstd => "Zstandard",
        Compression::Deflate => "Deflate",
    }
}

const fn protection(head: &Head) -> &'static str {
    match (head.is_encrypted, head.is_keyed, head.is_of_password) {
        (true, _, true) => "encrypted by a password",
        (true, _, false) => "encrypted by a key",
        (false, true, true) => "changes show, by a password",
        (false, true, false) => "changes show, by a key",
        (false, false, _) => "none",
    }
}

fn facts(head: &Head) -> Json {
    json!({
        "ok": true,
        "version": head.version,
        "payload_bytes": head.payload_bytes,
        "compression": stored(head),
        "protection": protection(head),
        "time_ms": head.time_ms,
        "game": head.game,
        "engine": head.engine,
        "library": head.library,
        "generation": head.generation,
        "id": format!("{:032x}", head.id.0),
        "ancestors": head.ancestors.iter().map(|id| format!("{:032x}", id.0)).collect::<Vec<_>>(),
        "is_document": head.is_document,
    })
}

/// Checks whole files: checksums, hash and slices, and with the key that nobody changed them.
fn verify(report: &Report) -> Result<Outcome, Failure> {
    batch::each(&report.look, report.format, |(path, _), account| {
        let (bytes, keys) = source::packed(path, &report.look.reading)?;
        let opened = opened(&bytes, keys.as_ref(), &report.look.reading)?;
        let head = &opened.head;
        let sure = match (head.is_keyed, keys.is_some()) {
            (true, true) => ", nobody changed it without the key",
            (true, false) => ", not checked against its key",
            (false, _) => "",
        };
        let text = format!(
            "{}: whole, version {}, generation {}, {} bytes of state{sure}\n",
            source::shown(path),
            head.version,
            head.generation,
            opened.payload.len()
        );
        Ok(account.tell(&text, || facts(head))?)
    })
}

fn opening<'k>(keys: Option<&'k SaveKeys>, reading: &Reading) -> OpenOptions<'k> {
    let most_bytes = source::most_held(reading);
    OpenOptions { keys, takes_unprotected: true, most_bytes, ..OpenOptions::default() }
}

fn opened(bytes: &[u8], keys: Option<&SaveKeys>, reading: &Reading) -> Result<SaveContents, Failure> {
    variant_save::open(bytes, &opening(keys, reading)).map_err(|fault| container::damaged(&fault, keys))
}

/// Writes a save of the whole entries, or objects, of a damaged one.
fn recover(given: &SaveRecover, is_whole: &mut bool) -> Result<Answer, Failure> {
    let read = [Some(&*given.file), given.reading.password_file.as_deref()];
    let out = OutPath::new(&given.out, read.into_iter().flatten())?;
    let out = if given.force { out } else { out.unless_there()? };
    let (bytes, keys) = source::packed(&given.file, &given.reading)?;
    let got = variant_save::recover(&bytes, &opening(keys.as_ref(), &given.reading));
    let got = got.map_err(Failure::data)?;
    let lost = lost(&got);
    // The front may be damaged as well: metadata and picture are taken where they are whole. Slices are not sealed with them, so under
    // a key only the hash of a whole file shows that nobody changed them.
    let opening = opening(keys.as_ref(), &given.reading);
    let is_sure = !got.head.is_keyed || variant_save::verify(&bytes, &opening).is_ok();
    let front = is_sure.then(|| peek(&mut Cursor::new(&bytes), Thumbnail::Read).ok()).flatten();
    let (meta, thumbnail) = front.map_or((None, None), |front| (front.meta, front.thumbnail));
    let save = SaveContents { head: got.head, payload: Vec::new(), meta, thumbnail, schema: None };
    // Entries of an encrypted save are sealed one slice at a time. A key must not vouch for others that it never proved.
    let is_proven = is_sure || save.head.is_encrypted;
    let packed = match is_proven {
        true => container::following(&save, &got.payload, keys.as_ref())?,
        false => container::smallest(&container::draft(&save, &got.payload))?,
    };
    save::write(&out, &packed.bytes)?;
    packed.warn(&given.out);
    if !is_proven {
        container::warn(&given.out, UNPROVEN);
    }
    *is_whole = got.lost == Some(0) && got.bad_slices.is_empty();
    let (from, to) = (source::shown(&given.file), source::shown(&given.out));
    let members = json!({
        "out": source::name(&given.out),
        "ok": *is_whole,
        "entries": got.entries,
        "lost": got.lost,
        "bad_slices": got.bad_slices.len(),
        "lost_references": got.lost_references,
        "is_protected": is_proven && save.head.is_keyed,
    });
    Ok((format!("{from}: {} entries into {to}, {lost}\n", got.entries), members))
}

/// The warning for entries of a damaged save that has a key, and is not encrypted.
const UNPROVEN: &str = "it has no password or key: nobody can tell which part of the damaged save was changed on purpose. Look into it, \
                        then protect it by `gdvar save repack --new-password-file`";

fn lost(got: &RecoveredEntries) -> String {
    let lost = match got.lost {
        Some(lost) => format!("{lost} are lost"),
        None => "how many are lost cannot be known".to_owned(),
    };
    let slices = match got.bad_slices.len() {
        0 => String::new(),
        1 => ", 1 slice is damaged or missing".to_owned(),
        count => format!(", {count} slices are damaged or missing"),
    };
    let nulls = match got.lost_references.first() {
        Some(first) => format!(", null stands for lost objects: {first} and so on"),
        None => String::new(),
    };
    format!("{lost}{slices}{nulls}")
}

fn repack(given: &Repack) -> Result<Answer, Failure> {
    let read =
        [Some(&*given.file), given.reading.password_file.as_deref(), given.new_password_file.as_deref()];
    let out = OutPath::new(&given.out, read.into_iter().flatten())?;
    let (bytes, keys) = source::packed(&given.file, &given.reading)?;
    let opened = opened(&bytes, keys.as_ref(), &given.reading)?;
    let new = source::given_keys(given.new_password_file.as_deref(), given.new_key.as_deref(), "new-")?;
    let protection = match &new {
        Some(keys) => Protection::Encrypted(keys),
        None if given.unprotected => Protection::None,
        None => container::protection(&opened.head, keys.as_ref())?,
    };
    let compression = given.compression.unwrap_or(opened.head.compression);
    let parent = parent(&opened.head);
    let draft = Draft {
        id: Some(opened.head.id),
        parent: parent.as_ref(),
        compression,
        protection,
        ..container::draft(&opened, &opened.payload)
    };
    // Whoever names a compression gets that one.
    let packed = match given.compression {
        None => container::smallest(&draft)?,
        Some(_) => PackedFile { bytes: container::write(&draft)?, is_deflated: false },
    };
    save::write(&out, &packed.bytes)?;
    packed.warn(&given.out);
    let (file, shown) = (source::shown(&given.file), source::shown(&given.out));
    let (before, after) = (bytes.len(), packed.bytes.len());
    let members =
        json!({ "out": source::name(&given.out), "ok": true, "bytes_before": before, "bytes_after": after });
    Ok((format!("{file}: {before} bytes into {shown}, {after} bytes\n"), members))
}

/// Returns what is known of the save before this one. The state stays the same, so the new file is the same save: it has the
/// id and the ancestors of the old one.
fn parent(head: &Head) -> Option<Head> {
    let generation = head.generation.checked_sub(1)?;
    // One of the same writer, which names the same others.
    Some(Head { id: head.id, generation, ancestors: head.ancestors.clone(), ..Head::default() })
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn times_are_dates() {
        for (ms, wanted) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_399_000, "2000-02-28 23:59:59 UTC"),
            (951_868_799_999, "2000-02-29 23:59:59 UTC"),
            (1_795_705_445_123, "2026-11-26 15:04:05 UTC"),
        ] {
            assert_eq!(date(ms), wanted);
        }
        assert_eq!(date(-1), "1969-12-31 23:59:59 UTC");
        assert!(date(i64::MAX).ends_with("UTC") && date(i64::MIN).ends_with("UTC"));
    }
}
