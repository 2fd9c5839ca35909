//! Measures what packing does to the numbers of real values: how far off they come out, and how many of their bits they use.

use variant_core::cursor::Cursor;
use variant_core::token::{self, Lanes, Leaf, Token};

use crate::bits::width;
use crate::layout::{Layout, Wire};
use crate::leaf::{RULES, fill};
use crate::math_types::{MOST_NUMBERS, Numbers, Solid};
use crate::number_codec::{Form, Number};
use crate::take::ValueReader;

const AXES: [&str; 4] = [".x", ".y", ".z", ".w"];
/// Values below which a hint says nothing: a few use few bits by chance.
const FEW: u64 = 8;

/// Numbers of all values that were measured, by the part of the layout that they stand in.
#[derive(Debug, Default)]
pub struct Measurement {
    seen: Vec<PartStatistics>,
}

/// How the numbers of a part came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The part in the schema: `entities[].pos`.
    pub path: String,
    /// How many values there were.
    pub count: u64,
    /// By how much the worst number was off, and all of them in the mean.
    pub error: Option<(f64, f64)>,
    /// By how many degrees the worst direction or rotation was off, and all of them in the mean.
    pub degrees: Option<(f64, f64)>,
    /// How often a number stood at an end of its range.
    pub at_ends: u64,
}

#[derive(Clone, Debug, Default)]
struct PartStatistics {
    count: u64,
    error: Sum,
    degrees: Sum,
    at_ends: u64,
    /// The least and the greatest code of each number that has a range.
    codes: Vec<Option<(u64, u64)>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    count: u64,
    worst: f64,
    all: f64,
}

impl Sum {
    fn add(&mut self, error: f64) {
        self.count = self.count.saturating_add(1);
        self.worst = self.worst.max(error);
        self.all += error;
    }

    fn told(&self) -> Option<(f64, f64)> {
        (self.count > 0).then(|| (self.worst, self.all / crate::grid::number_of(self.count)))
    }
}

impl Layout {
    /// Adds a value in Godot's format, which [`Packer::pack`](crate::Packer::pack) has accepted.
    pub fn measure(&self, value: &[u8], measured: &mut Measurement) {
        measured.seen.resize_with(self.nodes.len(), PartStatistics::default);
        let mut codes = Vec::new();
        let mut taker = ValueReader::new(self, Cursor::new(value), &mut codes);
        taker.measured = Some(std::mem::take(measured));
        // It was taken before.
        let _ = taker.value(self.root);
        *measured = taker.measured.unwrap_or_default();
    }

    /// Tells how the numbers of measured values came out, in the order of the layout.
    #[must_use]
    pub fn deviations(&self, measured: &Measurement) -> Vec<Deviation> {
        let seen = self.nodes.iter().zip(&measured.seen).filter(|(_, seen)| seen.count > 0);
        let deviations = seen.map(|(node, seen)| Deviation {
            path: node.path.clone(),
            count: seen.count,
            error: seen.error.told(),
            degrees: seen.degrees.told(),
            at_ends: seen.at_ends,
        });
        deviations.collect()
    }

    /// Sentences about parts whose numbers use fewer bits than they have, such as `pos.y needs 9 of 15 bits in 64 values`.
    #[must_use]
    pub fn hints(&self, measured: &Measurement) -> Vec<String> {
        let mut hints = Vec::new();
        let keys: Vec<usize> = self.nodes.iter().filter_map(|node| self.key_of(&node.wire)).collect();
        let seen = (0..).zip(self.nodes.iter().zip(&measured.seen));
        for (_, (node, seen)) in seen.filter(|(at, (_, seen))| seen.count >= FEW && !keys.contains(at)) {
            for (at, (given, needed)) in (0..).zip(widths(&node.wire, seen)) {
                if needed < given {
                    let axis = if seen.codes.len() > 1 { axis(at) } else { String::new() };
                    let (path, count) = (&node.path, seen.count);
                    hints.push(format!("{path}{axis} needs {needed} of {given} bits in {count} values"));
                }
            }
        }
        hints
    }

    /// The key of a set's entries, which takes no bits of its own.
    fn key_of(&self, wire: &Wire) -> Option<usize> {
        let Wire::Keyed(keyed) = wire else { return None };
        keyed.dict(self)?.keys.first().map(|key| key.node)
    }
}

fn axis(at: usize) -> String {
    AXES.get(at).map_or_else(|| format!("[{at}]"), |axis| (*axis).to_owned())
}

/// The bits that each number has, and those that the codes seen would need.
fn widths(wire: &Wire, seen: &PartStatistics) -> Vec<(u32, u32)> {
    let of = |form: &Form, codes: Option<(u64, u64)>| {
        let needed = codes.map_or(form.width(), |(least, most)| width(most.wrapping_sub(least)));
        (form.width(), needed.max(1))
    };
    let codes = seen.codes.iter().copied().chain(std::iter::repeat(None));
    match wire {
        Wire::Number(_, form) => codes.take(1).map(|codes| of(form, codes)).collect(),
        Wire::Solid { solid: Solid::Each(forms), .. } | Wire::Packed { solid: Solid::Each(forms), .. } => {
            forms.iter().zip(codes).map(|(form, codes)| of(form, codes)).collect()
        }
        _ => Vec::new(),
    }
}

impl Measurement {
    /// Notes the value at `cursor`, which has become these codes.
    pub(crate) fn note(&mut self, node: usize, wire: &Wire, mut cursor: Cursor<'_>, codes: &[u64]) {
        let Some(seen) = self.seen.get_mut(node) else { return };
        let Ok(Token::Leaf(leaf)) = token::read(&mut cursor, &RULES) else { return };
        match (wire, leaf) {
            (Wire::Number(_, form), Leaf::Int(int)) => seen.one(form, Number::Int(int), codes),
            (Wire::Number(_, form), Leaf::Float(real)) => seen.one(form, Number::Real(real), codes),
            (Wire::Solid { solid, .. }, Leaf::Math(_, lanes)) => seen.solid(solid, &lanes, codes),
            (Wire::Packed { solid, .. }, Leaf::Packed(_, lanes)) => {
                let bytes = solid.numbers().saturating_mul(lanes.lane().size()).max(1);
                let elements = lanes.bytes().chunks_exact(bytes);
                let codes = codes.get(1..).unwrap_or_default().chunks(solid.codes().max(1));
                for (element, codes) in elements.zip(codes) {
                    if let Some(lanes) = Lanes::new(element, lanes.lane()) {
                        seen.solid(solid, &lanes, codes);
                    }
                }
            }
            _ => {}
        }
    }
}

impl PartStatistics {
    fn one(&mut self, form: &Form, was: Number, codes: &[u64]) {
        self.count = self.count.saturating_add(1);
        self.codes.resize(1, None);
        if let Some(code) = codes.first() {
            self.number(form, 0, was, *code);
        }
    }

    fn solid(&mut self, solid: &Solid, lanes: &Lanes<'_>, codes: &[u64]) {
        self.count = self.count.saturating_add(1);
        let mut was = [Number::Real(0.0); MOST_NUMBERS];
        fill(lanes, &mut was);
        let (forms, turned) = match solid {
            Solid::Each(forms) => (forms.as_slice(), false),
            Solid::Rigid(origin, _) => (origin.as_slice(), true),
            _ => (&[][..], true),
        };
        self.codes.resize(forms.len(), None);
        let first = if matches!(solid, Solid::Rigid(..)) { 9 } else { 0 };
        for (at, (form, code)) in forms.iter().zip(codes).enumerate() {
            let was = was.get(at.saturating_add(first)).copied().unwrap_or(Number::Int(0));
            self.number(form, at, was, *code);
        }
        if let (true, Ok(is)) = (turned, solid.make(codes)) {
            self.degrees.add(turn(solid, &was, &is).to_degrees());
        }
    }

    fn number(&mut self, form: &Form, at: usize, was: Number, code: u64) {
        let last = match form {
            Form::Span { last, .. } => Some(*last),
            Form::Grid(grid) => Some(grid.last),
            _ => None,
        };
        if let Some(last) = last {
            self.at_ends = self.at_ends.saturating_add(u64::from(code == 0 || code == last));
            if let Some(slot) = self.codes.get_mut(at) {
                let (least, most) = slot.unwrap_or((code, code));
                *slot = Some((least.min(code), most.max(code)));
            }
        }
        let (Number::Real(was), Number::Real(is)) = (was, form.number(code)) else { return };
        let error = match form {
            // Whole turns do not count.
            Form::Angle { .. } => {
                let off = (was - is).rem_euclid(std::f64::consts::TAU);
                off.min(std::f64::consts::TAU - off)
            }
            _ => (was - is).abs(),
        };
        if error.is_finite() {
            self.error.add(error);
        }
    }
}

/// The angle between what was and what is, in radians.
fn turn(solid: &Solid, was: &Numbers, is: &Numbers) -> f64 {
    let many = match solid {
        Solid::Rigid(..) => 9,
        other => other.numbers(),
    };
    let real = |of: &Numbers, at: usize| of.get(at).map_or(0.0, |number| number.real());
    let dot = |a: &Numbers, b: &Numbers| (0..many).map(|at| real(a, at) * real(b, at)).sum::<f64>();
    let lengths = (dot(was, was) * dot(is, is)).sqrt();
    match solid {
        // The trace of the rotation from one to the other is 1 + 2 cos.
        Solid::Rigid(..) => ((dot(was, is) - 1.0) / 2.0).clamp(-1.0, 1.0).acos(),
        Solid::Rotation(_) => 2.0 * (dot(was, is).abs() / lengths).clamp(0.0, 1.0).acos(),
        _ => (dot(was, is) / lengths).clamp(-1.0, 1.0).acos(),
    }
}
