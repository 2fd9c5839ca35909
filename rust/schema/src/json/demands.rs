//! Demands and how values are packed, as JSON: a table of the fields, by which they are read and written. Reading and writing have
//! the same fields in the same order.

use super::read::{self, Fields, Outcome};
use super::tree::Json;
use super::write::{self, Detail, count, flag, present, real};
use crate::Schema;
use crate::packing::{Grid, Packing, Rigid, Width};
use crate::schema::Demands;

macro_rules! demands {
    ($($name:ident: $form:ident),*; flags: $($flag:ident),*) => {
        /// Reads all but `open`, which a shape may have as well.
        pub(super) fn read(fields: &mut Fields<'_>) -> Outcome<Demands> {
            Ok(Demands {
                $($name: fields.$form(stringify!($name))?,)*
                $($flag: fields.flag(stringify!($flag))?,)*
                open: false,
                packing: fields.take("packing").map_or_else(|| Ok(Packing::default()), read_packing)?,
            })
        }

        pub(super) fn write(demands: &Demands, detail: Detail) -> Vec<(String, Json)> {
            let packing = Some(&demands.packing).filter(|packing| !packing.is_plain());
            present([
                $((stringify!($name), demands.$name.as_ref().map(|it| write::$form(it))),)*
                $((stringify!($flag), flag(demands.$flag)),)*
                ("open", flag(demands.open)),
                ("packing", packing.map(|packing| write_packing(packing, detail))),
            ])
        }
    };
}

demands! {
    min: number, max: number, multiple_of: number,
    min_size: count, max_size: count, min_chars: count, max_chars: count,
    pattern: text, min_length: real, max_length: real, within: reals;
    flags: normalized, allow_non_finite, unique, typed
}

const WIDTHS: [(&str, Width); 3] =
    [("half", Width::Half), ("single", Width::Single), ("double", Width::Double)];

fn write_packing(packing: &Packing, detail: Detail) -> Json {
    let range = packing.quantized.as_ref().and_then(|grid| grid.range);
    let bits = |bits: Option<u32>| bits.map(|bits| count(&bits.into()));
    let word =
        |width: Width| WIDTHS.iter().find(|(_, other)| *other == width).map(|(word, _)| Json::text(word));
    let elements = |schema: &Schema| Json::Map(write::fields(schema, detail));
    Json::Map(present([
        ("step", packing.quantized.as_ref().map(|grid| real(&grid.step))),
        ("from", range.map(|(min, _)| real(&min))),
        ("to", range.map(|(_, max)| real(&max))),
        ("bits", bits(packing.bits)),
        ("width", packing.width.and_then(word)),
        ("rigid_step", packing.rigid.as_ref().map(|rigid| real(&rigid.step))),
        ("rigid_bits", bits(packing.rigid.as_ref().map(|rigid| rigid.bits))),
        ("angle", bits(packing.angle)),
        ("lossy", flag(packing.lossy)),
        ("clamped", flag(packing.clamped)),
        ("alphabet", packing.alphabet.as_deref().map(Json::text)),
        ("elements", packing.elements.as_ref().map(elements)),
        ("keyed", packing.keyed.as_deref().map(Json::text)),
        ("room_for", packing.room_for.as_ref().map(count)),
        ("growing", packing.growing.as_ref().map(|names| Json::list(names, |name| Json::text(name)))),
    ]))
}

fn read_packing(json: &Json) -> Outcome<Packing> {
    let mut fields = Fields::of(json).ok_or("packing has to be an object")?;
    let width = fields.text("width")?.map(|word| {
        let known = WIDTHS.iter().find(|(known, _)| *known == word).map(|(_, width)| *width);
        known.ok_or("width has to be half, single or double")
    });
    let width = width.transpose()?;
    let rigid = match (fields.real("rigid_step")?, bits(&mut fields, "rigid_bits")?) {
        (Some(step), Some(bits)) => Some(Rigid { step, bits }),
        (None, None) => None,
        _ => return Err("packing: rigid_step and rigid_bits belong together".to_owned()),
    };
    let packing = Packing {
        quantized: grid(&mut fields)?,
        bits: bits(&mut fields, "bits")?,
        width,
        lossy: fields.flag("lossy")?,
        clamped: fields.flag("clamped")?,
        alphabet: fields.text("alphabet")?,
        elements: elements(&mut fields)?,
        keyed: fields.text("keyed")?,
        room_for: fields.count("room_for")?,
        growing: names(&mut fields)?,
        rigid,
        angle: bits(&mut fields, "angle")?,
    };
    fields.end()?;
    Ok(packing)
}

fn names(fields: &mut Fields<'_>) -> Outcome<Option<Vec<String>>> {
    let name = |json: &Json| if let Json::Text(name) = json { Some(name.clone()) } else { None };
    fields.made("growing", "a list of names", |json| match json {
        Json::List(names) => names.iter().map(name).collect(),
        _ => None,
    })
}

fn bits(fields: &mut Fields<'_>, name: &'static str) -> Outcome<Option<u32>> {
    let Some(bits) = fields.count(name)? else { return Ok(None) };
    u32::try_from(bits).map(Some).map_err(|_| format!("{name} is too large"))
}

fn grid(fields: &mut Fields<'_>) -> Outcome<Option<Grid>> {
    let ends = (fields.real("from")?, fields.real("to")?);
    match (fields.real("step")?, ends) {
        (Some(step), (Some(min), Some(max))) => Ok(Some(Grid { step, range: Some((min, max)) })),
        (Some(step), (None, None)) => Ok(Some(Grid { step, range: None })),
        (None, (None, None)) => Ok(None),
        _ => Err("packing: step, from and to belong together".to_owned()),
    }
}

fn elements(fields: &mut Fields<'_>) -> Outcome<Option<Schema>> {
    let Some(json) = fields.take("elements") else { return Ok(None) };
    let elements = read::elements(json)?;
    let array = Schema::packed_byte_array().elements(elements);
    match &array.demands().packing.elements {
        Some(elements) => Ok(Some(elements.clone())),
        None => Err("elements has to be an int, a float, a vector, a color or a string".to_owned()),
    }
}
