//! How values are packed, as JSON. Reading and writing have the same fields in the same order.

use super::read::{Fields, Outcome};
use super::tree::Json;
use super::write::{described, plain, real};
use crate::packing::{Grid, Packing, Rigid, Width};

const HALF: &str = "half";
const SINGLE: &str = "single";
const DOUBLE: &str = "double";

/// Descriptions of elements only `for_people`, as everywhere.
pub(super) fn write(packing: &Packing, for_people: bool) -> Json {
    let mut entries = Vec::new();
    let mut put = |name: &str, json: Json| entries.push((name.to_owned(), json));
    forms(packing, &mut put);
    for (name, _) in [("lossy", packing.lossy), ("clamped", packing.clamped)].iter().filter(|(_, said)| *said)
    {
        put(name, Json::Bool(true));
    }
    if let Some(alphabet) = &packing.alphabet {
        put("alphabet", Json::text(alphabet));
    }
    if let Some(elements) = &packing.elements {
        put("elements", if for_people { described(elements) } else { plain(elements) });
    }
    if let Some(key) = &packing.keyed {
        put("keyed", Json::text(key));
    }
    if let Some(room) = packing.room_for {
        put("room_for", count(room));
    }
    if let Some(names) = &packing.growing {
        put("growing", Json::List(names.iter().map(|name| Json::text(name)).collect()));
    }
    Json::Map(entries)
}

/// The forms of numbers.
fn forms(packing: &Packing, put: &mut impl FnMut(&str, Json)) {
    if let Some(grid) = &packing.quantized {
        put("step", real(grid.step));
        if let Some((min, max)) = grid.range {
            put("from", real(min));
            put("to", real(max));
        }
    }
    if let Some(bits) = packing.bits {
        put("bits", count(u64::from(bits)));
    }
    match packing.width {
        Some(Width::Half) => put("width", Json::text(HALF)),
        Some(Width::Single) => put("width", Json::text(SINGLE)),
        Some(Width::Double) => put("width", Json::text(DOUBLE)),
        None => {}
    }
    if let Some(rigid) = &packing.rigid {
        put("rigid_step", real(rigid.step));
        put("rigid_bits", count(u64::from(rigid.bits)));
    }
    if let Some(bits) = packing.angle {
        put("angle", count(u64::from(bits)));
    }
}

fn count(count: u64) -> Json {
    Json::Int(i64::try_from(count).unwrap_or(i64::MAX))
}

pub(super) fn read(json: &Json) -> Outcome<Packing> {
    let mut fields = Fields::of(json).ok_or("packing has to be an object")?;
    let width = match fields.text("width")?.as_deref() {
        Some(HALF) => Some(Width::Half),
        Some(SINGLE) => Some(Width::Single),
        Some(DOUBLE) => Some(Width::Double),
        Some(_) => return Err("width has to be half, single or double".to_owned()),
        None => None,
    };
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
    let Some(json) = fields.take("growing") else { return Ok(None) };
    let Json::List(names) = json else { return Err("growing has to be a list of names".to_owned()) };
    let name = |json: &Json| match json {
        Json::Text(name) => Ok(name.clone()),
        _ => Err("growing has to be a list of names".to_owned()),
    };
    names.iter().map(name).collect::<Outcome<_>>().map(Some)
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

fn elements(fields: &mut Fields<'_>) -> Outcome<Option<crate::Schema>> {
    let Some(json) = fields.take("elements") else { return Ok(None) };
    let elements = super::read::read(json, &mut vec!["elements".to_owned()])?;
    let array = crate::Schema::packed_byte_array().elements(elements);
    match &array.demands().packing.elements {
        Some(elements) => Ok(Some(elements.clone())),
        None => Err("elements has to be an int, a float, a vector, a color or a string".to_owned()),
    }
}
