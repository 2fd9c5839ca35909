//! `pack` and `unpack`, and the bits of packed bytes for `dump` and `outline`. Bits are `variant-pack`'s.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use variant_core::{Limits, Rejection, Rules, Strictness, Target};
use variant_pack::{Bases, ErrorLocation, Layout, Packer};
use variant_text::json::{JsonForm, write};
use variant_text::{OutlineNode, ShownPath};

use super::{json, schema};
use crate::arguments::{Baselines, Format, Framing, Pack, ReadOptions, Reading, Tag, Unpack};
use crate::batch_report::Account;
use crate::failure::{BadData, Excerpt, Failure, Outcome};
use crate::save::OutPath;
use crate::values::{Input, ValueStream};
use crate::{batch, framing, paint, save, source};

/// Binary digits of a line; those of longer rows are left out.
const MOST_DIGITS: u64 = 24;
const MOST_INDENTED: usize = 20;

/// The layout of a schema in a file. A schema that cannot be packed is a wrong call.
fn layout(path: &Path) -> Result<Layout, Failure> {
    let (_, program) = schema::load(path)?;
    Layout::compile(Arc::new(program)).map_err(|mistakes| schema::mistaken(path, &mistakes))
}

pub(crate) fn pack(given: &Pack) -> Result<Outcome, Failure> {
    let input = given.input.as_deref().unwrap_or(Path::new("-"));
    source::asked_for(given.input.as_slice())?;
    let read = [input, &given.by.schema].into_iter().chain(given.from.baseline.iter().map(|path| &**path));
    let out = given.out.as_deref().map(|out| OutPath::new(out, read)).transpose()?;
    let layout = layout(&given.by.schema)?;
    let limits = given.limits.unwrap_or(variant_text::looking().limits);
    let run = || {
        let rules = Rules::safe(limits);
        let value = value_of(input)?;
        let mut packer = Packer::tagged(given.by.tag.tagging());
        let bases = bases(&given.from, &mut packer, &layout, &rules, source::bytes)?;
        let packed = match told_bases(&given.from, &bases)? {
            None => packer.pack(&layout, &value, &rules),
            Some(bases) => packer.pack_delta(&layout, bases, &value, &rules),
        };
        let packed = packed.map_err(|problem| refused(&problem, &value))?;
        let framed = framing::framed(packed, given.framing.unwrap_or(Framing::None))?;
        let put = if given.hex { json::put_digits } else { json::put_bytes };
        put(&framed, out.as_ref())
    };
    paint::verdict(input, Format::Text, run())
}

/// The value of a file: JSON where it is text, else Godot's format.
fn value_of(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = source::bytes(path)?;
    match std::str::from_utf8(&bytes) {
        Ok(text) if !text.contains('\0') => {
            json::encoded(text.trim_start_matches('\u{feff}'), "", Target::default(), None)
                .map_err(Failure::data)
        }
        _ => Ok(bytes),
    }
}

pub(crate) fn unpack(given: &Unpack) -> Result<Outcome, Failure> {
    let input = given.input.as_deref().unwrap_or(Path::new("-"));
    source::asked_for(given.input.as_slice())?;
    let (out, next) = results(given, input)?;
    let layout = layout(&given.by.schema)?;
    let framing = given.reading.framing;
    if framing.has_lengths() && given.next.is_some() {
        return Err(Failure::misuse("--next: only for a single difference, not for several with lengths"));
    }
    let run = || {
        let rules = given.reading.rules(Strictness::Safe);
        let mut packer = Packer::tagged(given.by.tag.tagging());
        let bases = bases(&given.from, &mut packer, &layout, &rules, |path| held(path, &given.reading))?;
        let bases = told_bases(&given.from, &bases)?;
        let mut values = Vec::new();
        let mut text = Vec::new();
        let read = for_each_frame(held(input, &given.reading)?, &given.reading, |frame| {
            let packed = match bases {
                None => frame.bytes.to_vec(),
                Some(bases) => {
                    let next = packer.apply(&layout, bases, frame.bytes, &rules);
                    next.map_err(|problem| frame.refused(&problem))?.to_vec()
                }
            };
            let value = packer.unpack(&layout, &packed, &rules);
            let value =
                value.map_err(|problem| PackedFrame { bytes: &packed, ..*frame }.refused(&problem))?;
            next.as_ref().map_or(Ok(()), |next| save::write(next, &packed))?;
            match out {
                Some(_) => values.extend(framing::framed(value, framing)?),
                None => show(value, &mut text)?,
            }
            Ok(())
        });
        match &out {
            Some(out) => read.and_then(|()| save::write(out, &values)),
            // What came before a refusal is shown.
            None => anstream::stdout().lock().write_all(&text).map_err(Failure::from).and(read),
        }
    };
    paint::verdict(input, Format::Text, run())
}

/// The places for the value and for the next baseline: neither is an input, and each is another one.
fn results(given: &Unpack, input: &Path) -> Result<(Option<OutPath>, Option<OutPath>), Failure> {
    let read = || {
        let more = given.from.baseline.iter().chain(&given.reading.password_file);
        [input, &given.by.schema].into_iter().chain(more.map(|path| &**path))
    };
    let out = given.out.as_deref().map(|out| OutPath::new(out, read())).transpose()?;
    let next = given.next.as_deref().map(|next| OutPath::new(next, read())).transpose()?;
    if let (Some(out), Some(next)) = (&out, &next) {
        OutPath::new(next.path(), [out.path()])
            .map_err(|_| Failure::misuse("--next and --out: they name the same file"))?;
    }
    Ok((out, next))
}

/// The baselines, which are packed bytes of the schema. A fault of one is not told of the value.
fn bases(
    given: &Baselines,
    packer: &mut Packer,
    layout: &Layout,
    rules: &Rules,
    read: impl Fn(&Path) -> Result<Vec<u8>, Failure>,
) -> Result<Vec<Vec<u8>>, Failure> {
    let mut base = |path: &PathBuf| {
        let base = read(path)?;
        let checked = packer.unpack(layout, &base, rules).map(drop);
        checked.map_err(|problem| refused(&problem, &base).at(source::shown(path))).map(|()| base)
    };
    given.baseline.iter().map(&mut base).collect()
}

fn told_bases<'b>(given: &Baselines, bases: &'b [Vec<u8>]) -> Result<Option<Bases<'b>>, Failure> {
    match (bases, given.apart) {
        ([], _) => Ok(None),
        ([base], None) => Ok(Some(Bases::one(base))),
        ([newer, older], None) => Ok(Some(Bases::two(newer, older))),
        ([newer, older], Some([ahead, gap])) => Ok(Some(Bases::apart(newer, older, ahead, gap))),
        ([_], Some(_)) => Err(Failure::misuse("--apart: needs two --baseline, and there is one")),
        _ => Err(Failure::misuse("--baseline: give it once or twice")),
    }
}

fn show(value: &[u8], text: &mut Vec<u8>) -> Result<(), Failure> {
    let form = JsonForm { plain: false, compact: false, tags_floats: false };
    let shown = write(value, &variant_text::looking(), form, text)?;
    shown.map_err(Failure::data)?;
    Ok(writeln!(text)?)
}

/// All bytes of an input, digits and such taken off.
fn held(path: &Path, reading: &Reading) -> Result<Vec<u8>, Failure> {
    match source::unpacked(path, reading)?.0 {
        Input::Held(bytes) => Ok(bytes),
        Input::Read(mut reader, _) => {
            let mut bytes = Vec::new();
            let most = source::most_held(reading);
            let taken = io::Read::take(&mut reader, most.saturating_add(1));
            io::Read::read_to_end(&mut { taken }, &mut bytes).map_err(|error| Failure::file(path, error))?;
            if bytes.len() as u64 > most { Err(source::too_large(most)) } else { Ok(bytes) }
        }
    }
}

fn refused(problem: &Rejection, bytes: &[u8]) -> Failure {
    Failure::Data(Box::new(BadData {
        message: format!("{}: {problem}", problem.kind.name()),
        excerpt: Some(Excerpt::around(bytes, problem.offset())),
        ..BadData::default()
    }))
}

#[derive(Clone, Copy)]
struct PackedFrame<'b> {
    bytes: &'b [u8],
    /// Its number and its first byte, where lengths stand between values.
    place: Option<(u64, u64)>,
}

impl PackedFrame<'_> {
    fn refused(&self, problem: &Rejection) -> Failure {
        let refused = refused(problem, self.bytes);
        match self.place {
            Some((number, byte)) => refused.at(format_args!("value {number} at byte {byte}")),
            None => refused,
        }
    }
}

/// Calls with the packed bytes of each value: those behind the lengths, or all.
fn for_each_frame(
    bytes: Vec<u8>,
    reading: &Reading,
    mut call: impl FnMut(&PackedFrame<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if !reading.framing.has_lengths() {
        return call(&PackedFrame { bytes: &bytes, place: None });
    }
    let rules = reading.rules(Strictness::Safe);
    let mut values = ValueStream::new(String::new(), Input::Held(bytes), Vec::new(), reading.framing, &rules);
    while let Some(one) = values.next()? {
        call(&PackedFrame { bytes: one.bytes, place: Some((one.at, one.start)) })?;
    }
    Ok(())
}

struct PackedPart {
    spot: ErrorLocation,
    depth: usize,
    path: String,
    name: String,
    type_name: String,
    text: String,
    count: Option<u64>,
}

impl PackedPart {
    fn said(&self) -> String {
        format!("{}{} {}", self.type_name, if self.count.is_some() { "," } else { "" }, self.text)
    }
}

/// Shows the bits of packed inputs: `show` writes those of one.
fn each(
    look: &ReadOptions,
    schema: &Path,
    tag: Tag,
    format: Format,
    show: impl Fn(&PackedFrame<'_>, u64, Vec<PackedPart>, &mut Account) -> io::Result<()> + Sync,
) -> Result<Outcome, Failure> {
    let layout = layout(schema)?;
    let rules = look.reading.rules(Strictness::Safe);
    batch::each(look, format, |(path, _), account| {
        let mut packer = Packer::tagged(tag.tagging());
        let mut is_named = !look.are_many() || format.is_json();
        for_each_frame(held(path, &look.reading)?, &look.reading, |frame| {
            let spots = packer.spots(&layout, frame.bytes, &rules);
            let (value, spots) = spots.map_err(|problem| frame.refused(&problem))?;
            if !std::mem::replace(&mut is_named, true) {
                writeln!(account, "{}", source::shown(path))?;
            }
            if let Some((number, byte)) = frame.place {
                account.say(&format!("value {number}: {} bytes at byte {byte}\n", frame.bytes.len()))?;
            }
            let head = spots.first().map_or(0, |root| root.bit);
            let parts = parts_of(&value, &spots)?;
            Ok(show(frame, head, parts, account)?)
        })
    })
}

/// Lists each value with its bits: none where another value tells it.
fn parts_of(value: &[u8], spots: &[ErrorLocation]) -> Result<Vec<PackedPart>, Failure> {
    let known: HashMap<u64, ErrorLocation> = spots.iter().rev().map(|spot| (spot.byte, *spot)).collect();
    let mut parts: Vec<PackedPart> = Vec::new();
    let rules = Rules { limits: Limits::engine(), ..variant_text::looking() };
    let walked = variant_text::nodes(value, &rules, usize::MAX, &mut |node: &OutlineNode<'_>| {
        let after = parts.last().map_or(0, |part| part.spot.bit);
        let spot = known.get(&node.offset).copied();
        parts.push(PackedPart {
            spot: spot.unwrap_or(ErrorLocation { byte: node.offset, bit: after, bits: 0 }),
            depth: node.depth,
            path: ShownPath::told(node.path).to_string(),
            name: node.path.0.last().map_or_else(String::new, |step| {
                let colon = if matches!(step, variant_core::Step::Index(_)) { "" } else { ":" };
                format!("{}{colon} ", variant_core::Path(vec![step.clone()]))
            }),
            type_name: node.type_name.clone(),
            text: node.text.clone(),
            count: node.count,
        });
        Ok(())
    })?;
    walked.map_err(Failure::data)?;
    Ok(parts)
}

pub(super) fn outline(
    look: &ReadOptions,
    schema: &Path,
    tag: Tag,
    depth: usize,
    format: Format,
) -> Result<Outcome, Failure> {
    each(look, schema, tag, format, |frame, _, parts, account| {
        for part in parts.iter().filter(|part| part.depth <= depth) {
            let (bits, name, indent) = (part.spot.bits, &part.name, part.depth.min(MOST_INDENTED) * 2);
            let line = format!("{bits:>7} bits  {:indent$}{name}{}\n", "", part.said());
            account.tell(&line, || members(frame, part))?;
        }
        Ok(())
    })
}

fn members(frame: &PackedFrame<'_>, part: &PackedPart) -> serde_json::Value {
    let mut members = json!({
        "bit_offset": part.spot.bit,
        "bits": part.spot.bits,
        "depth": part.depth,
        "path": part.path,
        "type": part.type_name,
        "text": part.text,
    });
    if let Some((number, _)) = frame.place {
        members["value"] = number.into();
    }
    members
}

/// Writes the bits in their order, each with the value whose own they are.
pub(super) fn dump(look: &ReadOptions, schema: &Path, tag: Tag, format: Format) -> Result<Outcome, Failure> {
    each(look, schema, tag, format, |frame, head, mut parts, account| {
        let bytes = frame.bytes;
        let end = parts.first().map_or(0, |root| root.spot.bit + root.spot.bits);
        parts.retain(|part| part.spot.bits > 0);
        parts.sort_by_key(|part| (part.spot.bit, std::cmp::Reverse(part.spot.bits), part.depth));
        let all = bytes.len() as u64 * 8;
        account.say(&row(bytes, 0..head, "(tag)"))?;
        for (at, part) in parts.iter().enumerate() {
            let stop = part.spot.bit + part.spot.bits;
            let own = parts.get(at + 1).map_or(stop, |next| next.spot.bit.min(stop));
            let line = row(bytes, part.spot.bit..own, &format!("{}  {}", part.path, part.said()));
            account.tell(&line, || {
                let mut members = members(frame, part);
                members["own_bits"] = (own - part.spot.bit).into();
                members
            })?;
        }
        account.say(&row(bytes, end..all, "(filling)"))
    })
}

/// A row of bits, the highest first, as the number that they are.
fn row(bytes: &[u8], at: Range<u64>, said: &str) -> String {
    let (bit, bits) = (at.start, at.end.saturating_sub(at.start));
    if bits == 0 {
        return String::new();
    }
    let digit = |at: u64| {
        let byte = usize::try_from(at / 8).ok().and_then(|byte| bytes.get(byte)).copied().unwrap_or(0);
        if byte >> (at % 8) & 1 == 1 { '1' } else { '0' }
    };
    let shown: String = (bit..at.end.min(bit.saturating_add(MOST_DIGITS))).rev().map(digit).collect();
    let shown = if bits > MOST_DIGITS { format!("+{} {shown}", bits - MOST_DIGITS) } else { shown };
    format!("{bit:>6} {bits:>5} | {shown:>32} | {said}\n")
}
