//! Packing: how the values of a schema are packed into bits, as its modifiers say. The bits themselves are
//! `variant-pack`'s; here stands what can be asked for, and what contradicts itself.

mod lint;

pub(crate) use lint::check;

use variant_core::VariantType;

use crate::schema::{Number, Schema, Shape, modifiers};

/// How a value is packed. Only ranges of it are checked, the rest is read where values are packed.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is the modifier of its name")]
pub struct Packing {
    pub quantized: Option<Grid>,
    pub bits: Option<u32>,
    /// The width that `half`, `single` or `double` set.
    pub width: Option<Width>,
    pub lossy: bool,
    pub clamped: bool,
    pub alphabet: Option<String>,
    pub elements: Option<Schema>,
    pub keyed: Option<String>,
    pub room_for: Option<u64>,
    /// Keys of a dict that were appended later, in the order in which they were.
    pub growing: Option<Vec<String>>,
    pub rigid: Option<Rigid>,
    /// The bits of an angle, as the builder of that name says.
    pub angle: Option<u32>,
}

/// Equally far apart numbers. The ends are those of each component of a vector; a float has its own range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// How far apart they are.
    pub step: f64,
    /// The ends, themselves included.
    pub range: Option<(f64, f64)>,
}

/// How many bits a floating-point number is kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 16 bits.
    Half,
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

/// A place and a rotation, without scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rigid {
    /// How far apart places are.
    pub step: f64,
    /// The bits of each of three numbers of the rotation.
    pub bits: u32,
}

modifiers! {
    /// Packs a float, or each number of a vector, as the nearest of equally far apart ones.
    quantized(step: f64) |it| it.demands.packing.quantized = Some(Grid { step, range: None });
    /// Packs into so many bits: an int with a range, a float or each number of a vector with a range, each of two numbers
    /// of a direction, each of three of a rotation.
    bits(bits: u32) |it| it.demands.packing.bits = Some(bits);
    /// Packs each number in 16 bits, the nearest there is.
    half() |it| it.demands.packing.width = Some(Width::Half);
    /// Packs each number in 32 bits. A float that needs more is refused, unless `lossy` is said too.
    single() |it| it.demands.packing.width = Some(Width::Single);
    /// Packs each number in 64 bits.
    double() |it| it.demands.packing.width = Some(Width::Double);
    /// Rounds what `single` would refuse.
    lossy() |it| it.demands.packing.lossy = true;
    /// Packs a number outside its range as the nearest inside. Checks refuse it as ever.
    clamped() |it| it.demands.packing.clamped = true;
    /// Packs texts of these characters in the bits that tell those apart: `a-z0-9_`. A minus at either end is a minus.
    alphabet(alphabet: &str) |it| it.demands.packing.alphabet = Some(alphabet.to_owned());
    /// Packs an Array of Dictionaries as a set: sorted by this key, an int with a range that no two share. A map with such keys
    /// is sorted by those, if the name is empty: its own order is given up.
    keyed(key: &str) |it| it.demands.packing.keyed = Some(key.to_owned());
    /// Leaves room for so many values or alternatives in all, so that adding some later changes no layout.
    room_for(count: u64) |it| it.demands.packing.room_for = Some(count);
    /// Packs a Transform3D without scale: its origin in such steps, its rotation as a quaternion of so many bits.
    rigid(step: f64, bits: u32) |it| it.demands.packing.rigid = Some(Rigid { step, bits });
}

/// Modifiers that say how a value is packed.
impl Schema {
    /// Packs as [`Schema::quantized`] does, between two ends, which then are a range that each number has to be in.
    #[must_use]
    pub fn quantized_within(&self, step: f64, min: f64, max: f64) -> Schema {
        let is_float = matches!(self.shape(), Shape::Type(VariantType::Float));
        self.with(|body| {
            let range = (!is_float).then_some((min, max));
            body.demands.packing.quantized = Some(Grid { step, range });
            if is_float {
                (body.demands.min, body.demands.max) = (Some(Number::Float(min)), Some(Number::Float(max)));
            }
        })
    }

    /// Says how the elements of a packed array are packed.
    #[must_use]
    pub fn elements(&self, elements: Schema) -> Schema {
        let is_plain = matches!(elements.shape(), Shape::Type(_))
            && elements.demands().packing.elements.is_none()
            && elements.definitions().is_empty();
        if is_plain {
            self.with(|body| body.demands.packing.elements = Some(elements))
        } else {
            Schema::mistake("elements() needs the schema of an int, a float, a vector, a color or a string")
        }
    }

    /// Appends keys to a dict, each of which may be missing: older readers of packed bytes pass them over, newer ones fill in
    /// what is missing. Said without keys, a dict is ready for some to come.
    #[must_use]
    pub fn growing<K: AsRef<str>>(&self, keys: impl IntoIterator<Item = (K, Schema)>) -> Schema {
        let Shape::Dict { keys: known, open } = self.shape() else {
            return Schema::mistake("growing is for dict");
        };
        let named = |(key, schema): (K, Schema)| {
            let key = key.as_ref();
            (key.strip_suffix('?').unwrap_or(key).to_owned(), schema.may_be_missing())
        };
        let appended: Vec<(String, Schema)> = keys.into_iter().map(named).collect();
        let mut names = self.demands().packing.growing.clone().unwrap_or_default();
        names.extend(appended.iter().map(|(name, _)| name.clone()));
        let shape = Shape::Dict { keys: known.iter().cloned().chain(appended).collect(), open: *open };
        self.with(|body| {
            body.shape = std::sync::Arc::new(shape);
            body.demands.packing.growing = Some(names);
        })
    }

    /// A float that is an angle in radians, packed in so many bits; unpacked it is in -PI..PI.
    #[must_use]
    pub fn angle(bits: u32) -> Schema {
        Schema::float().with(|body| body.demands.packing.angle = Some(bits))
    }
}

/// The characters that an alphabet names, each once, in the order of their numbers.
///
/// # Errors
/// It names none, too many, a NUL or a range that runs backwards.
pub fn alphabet_characters(alphabet: &str) -> Result<Vec<char>, String> {
    let mut found = Vec::new();
    let mut chars = alphabet.chars().peekable();
    while let Some(first) = chars.next() {
        let mut ahead = chars.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(last)) => {
                if last < first {
                    return Err("alphabet: a range runs backwards".to_owned());
                }
                found.extend((first..=last).take(MOST_CHARACTERS.saturating_add(1)));
                chars = ahead;
            }
            _ => found.push(first),
        }
        if found.len() > MOST_CHARACTERS {
            return Err(format!("alphabet: more than {MOST_CHARACTERS} characters"));
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return Err("alphabet: it names no character".to_owned());
    }
    if found.contains(&'\0') || found.contains(&'\u{FEFF}') {
        return Err("alphabet: a text cannot hold NUL or a byte order mark".to_owned());
    }
    Ok(found)
}

/// Characters of an alphabet; with more, UTF-8 is as short.
const MOST_CHARACTERS: usize = 4096;

impl Packing {
    /// Whether anything was said.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Packing::default()
    }
}

#[cfg(test)]
mod tests;
