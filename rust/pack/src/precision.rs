//! Says how near unpacked numbers are to what was packed, for each part of a layout.

use variant_schema::Width;

use crate::layout::{Layout, Node, Wire};
use crate::math_types::Solid;
use crate::number_codec::Form;

/// How a part of a layout keeps its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// The part in the schema: `entities[].pos`.
    pub path: String,
    /// The bits of a value, where all take as many.
    pub bits: Option<u64>,
    /// How far apart numbers are.
    pub step: Option<f64>,
    /// By how much a number may be off.
    pub max_error: Option<f64>,
    /// By how many degrees a direction or rotation may be off.
    pub max_error_degrees: Option<f64>,
}

/// How far, in degrees, the worst rotation is off, with 2 bits more than one number's share halving it twice.
const WORST_ROTATION: f64 = 277.0;
/// How far, in degrees, the worst direction is off.
const WORST_DIRECTION: f64 = 162.0;

impl Layout {
    /// The parts whose numbers are rounded, in the order of the layout.
    #[must_use]
    pub fn precision(&self) -> Vec<Precision> {
        self.nodes.iter().filter_map(of_node).collect()
    }
}

fn of_node(node: &Node) -> Option<Precision> {
    let mut precision = Precision {
        path: node.path.clone(),
        bits: None,
        step: None,
        max_error: None,
        max_error_degrees: None,
    };
    let (least, most) = match &node.wire {
        Wire::Number(_, form) => {
            precision.note(form);
            form.bits()
        }
        Wire::Solid { solid, .. } | Wire::Packed { solid, .. } => {
            precision.note_solid(solid);
            solid.bits()
        }
        _ => return None,
    };
    precision.bits = (least == most).then_some(least);
    let is_rounded = precision.max_error.is_some() || precision.max_error_degrees.is_some();
    is_rounded.then_some(precision)
}

impl Precision {
    fn note_solid(&mut self, solid: &Solid) {
        let halved = |worst: f64, bits: u32| Some(worst / f64::from(1_u32.wrapping_shl(bits)));
        match solid {
            Solid::Each(forms) => forms.iter().for_each(|form| self.note(form)),
            Solid::Direction(bits) | Solid::Flat(bits) => {
                self.max_error_degrees = halved(WORST_DIRECTION, *bits)
            }
            Solid::Rotation(bits) => self.max_error_degrees = halved(WORST_ROTATION, *bits),
            Solid::Rigid(origin, bits) => {
                origin.iter().for_each(|form| self.note(form));
                self.max_error_degrees = halved(WORST_ROTATION, *bits);
            }
        }
    }

    /// Notes a form; the worst of several counts.
    fn note(&mut self, form: &Form) {
        let step = match form {
            Form::Grid(grid) => grid.step,
            Form::Steps { step, .. } => *step,
            Form::Angle { bits } => std::f64::consts::TAU / crate::grid::number_of(1_u64.wrapping_shl(*bits)),
            // Between the largest halves.
            Form::Raw { width: Width::Half, .. } => 32.0,
            _ => return,
        };
        self.step = Some(self.step.unwrap_or(0.0).max(step));
        self.max_error = Some(self.max_error.unwrap_or(0.0).max(step / 2.0));
    }
}
