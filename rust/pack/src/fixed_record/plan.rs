//! Plan: makes rows of a layout's nodes. It reads no value.

use variant_core::token::{Container, ContainerType, Writer};
use variant_core::wire::{Lane, Layout as Bytes, RealWidth};
use variant_core::{Target, Trick, VariantType};

use super::put::SLOT_NUMBERS;
use super::{Cell, Place, Row, SlotStep};
use variant_schema::Width;

use crate::bits::{LOADED, PlainCell};
use crate::layout::{Dict, FEW, Layout, Node, Wire};
use crate::math_types::Solid;
use crate::number_codec::Form;
use crate::text::length;

/// Levels of a row: a bound on the stack.
const MOST_LEVELS: u32 = 16;
/// Codes of a row.
const MOST_CODES: usize = 1024;

pub(crate) fn complete(layout: &mut Layout) {
    let mut first_step = 0_usize;
    for at in 0..layout.nodes.len() {
        let row = Row::of(layout, at).map(|row| Row { first_step, ..row });
        first_step = first_step.saturating_add(row.as_ref().map_or(0, |row| row.steps.len()));
        if let Some(node) = layout.nodes.get_mut(at) {
            node.row = row.map(Box::new);
        }
    }
}

impl Row {
    fn of(layout: &Layout, at: usize) -> Option<Row> {
        let node = layout.node(at)?;
        let codes =
            node.inside.filter(|codes| (1..=MOST_CODES).contains(codes) && !Trick::FixedRecords.is_off())?;
        let mut plan = Plan { layout, row: Row::default(), held: Vec::new(), level: 0 };
        plan.row.cells.resize_with(codes, || Cell::plain(0));
        plan.inside(node, 0)?;
        plan.put(None);
        let plain = plan.row.cells.iter().map(|cell| match cell {
            Cell::Plain(cell) if cell.width <= LOADED => Some(*cell),
            _ => None,
        });
        plan.row.plain = plain.collect::<Option<_>>().unwrap_or_default();
        if !plan.row.places.iter().all(Place::has_slot) {
            plan.row.steps.clear();
        }
        plan.row.most_bytes = plan.row.places.iter().map(Place::most_bytes).fold(0, usize::saturating_add);
        Some(plan.row)
    }
}

impl Place {
    /// Whether its codes alone prove the value, which lies in one slot.
    fn has_slot(&self) -> bool {
        match self {
            Place::Float { judge, .. } => !judge.is_needed(),
            Place::Solid { solid, judge, .. } => {
                let is_simple = matches!(solid, Solid::Each(_) | Solid::Rotation(_));
                is_simple && !judge.is_needed() && solid.numbers() <= SLOT_NUMBERS
            }
            _ => true,
        }
    }

    fn most_bytes(&self) -> usize {
        match self {
            Place::Same(bytes) => bytes.len(),
            Place::Bool { .. } => 8,
            Place::Int { .. } | Place::Float { .. } => 12,
            Place::Solid { solid, .. } => solid.numbers().saturating_mul(4),
            Place::Enum { all, .. } => all.iter().map(Vec::len).max().unwrap_or(0),
        }
    }
}

struct Plan<'l> {
    layout: &'l Layout,
    row: Row,
    /// Bytes that are the same in every value, up to here.
    held: Vec<u8>,
    level: u32,
}

impl Plan<'_> {
    /// Adds a place behind the bytes that are held.
    fn put(&mut self, place: Option<Place>) {
        if !self.held.is_empty() {
            self.row.places.push(Place::Same(std::mem::take(&mut self.held).into()));
        }
        if place.is_some() {
            self.row.steps.push(SlotStep::Place(self.row.places.len()));
        }
        self.row.places.extend(place);
    }

    fn cell(&mut self, at: usize, cell: Cell) {
        if let Some(slot) = self.row.cells.get_mut(at) {
            *slot = cell;
        }
    }

    /// Adds a value in the row, whose codes begin at `at`.
    fn value(&mut self, node: usize, at: usize) -> Option<()> {
        let node = self.layout.node(node).filter(|node| !node.nullable)?;
        self.row.values = self.row.values.saturating_add(1);
        self.level = self.level.saturating_add(1);
        self.row.levels = self.row.levels.max(self.level);
        let is_planned = if self.level <= MOST_LEVELS { self.inside(node, at) } else { None };
        self.level = self.level.saturating_sub(1);
        is_planned
    }

    fn inside(&mut self, node: &Node, at: usize) -> Option<()> {
        match &node.wire {
            Wire::Nothing(bytes) => {
                self.held.extend_from_slice(bytes);
                self.row.steps.push(SlotStep::Same(bytes.as_slice().into()));
            }
            // It is the same value. What has as many codes each time does not lead to itself.
            Wire::Same(node) => {
                let node = self.layout.node(*node).filter(|node| !node.nullable)?;
                return self.inside(node, at);
            }
            Wire::Bool => {
                self.put(Some(Place::Bool { at }));
                self.cell(at, Cell::plain(1));
            }
            Wire::Number(VariantType::Int, form) => {
                self.put(Some(Place::Int { at, form: *form }));
                self.cell(at, Cell::of(form));
            }
            Wire::Number(_, form) => {
                self.put(Some(Place::Float { at, form: *form, judge: node.judge.clone() }));
                self.cell(at, Cell::of(form));
            }
            Wire::Solid { ty, solid, reals: RealWidth::Single } => self.solid(node, *ty, solid, at)?,
            Wire::Enum(values) => {
                let has_twins = values.numbers.len() != values.all.len();
                let last = length(values.all.len()).checked_sub(1)?;
                if has_twins || values.all.len() > FEW {
                    return None;
                }
                self.put(Some(Place::Enum { at, all: values.all.clone() }));
                self.cell(at, Cell::Plain(PlainCell { width: values.width, last }));
            }
            Wire::Dict(dict) if dict.optional == 0 && dict.growing.is_none() => self.dict(dict, at)?,
            _ => return None,
        }
        Some(())
    }

    fn solid(&mut self, node: &Node, ty: VariantType, solid: &Solid, at: usize) -> Option<()> {
        let Bytes::Math(lane, count) = ty.layout() else { return None };
        if lane == Lane::I32 || usize::from(count) != solid.numbers() {
            return None;
        }
        self.held.extend_from_slice(&u32::from(ty.id()).to_le_bytes());
        if let Solid::Rotation(bits) = solid {
            self.row.rotations.push((at, *bits));
        }
        self.put(Some(Place::Solid { at, ty, solid: solid.clone(), judge: node.judge.clone() }));
        for number in 0..solid.codes() {
            let cell = match solid.part(number) {
                crate::math_types::CodeForm::Form(form) => Cell::of(form),
                crate::math_types::CodeForm::Bits(width) => Cell::plain(width),
            };
            self.cell(at.saturating_add(number), cell);
        }
        Some(())
    }

    fn dict(&mut self, dict: &Dict, at: usize) -> Option<()> {
        let none = ContainerType::None;
        let count = u32::try_from(dict.keys.len()).ok()?;
        let open = Container::Dictionary { key: none, value: none, count };
        Writer::new(&mut self.held, Target::default()).open(&open);
        self.row.steps.push(SlotStep::Open(dict.keys.len()));
        let mut places = Vec::new();
        let mut next = at;
        for key in &dict.keys {
            places.push(next);
            next = next.checked_add(self.layout.node(key.node)?.codes?)?;
        }
        for number in &dict.declared {
            let (key, at) = (dict.keys.get(*number)?, places.get(*number)?);
            self.held.extend_from_slice(&key.encoded);
            self.row.steps.push(SlotStep::Key(key.name.as_str().into()));
            self.value(key.node, *at)?;
        }
        Some(())
    }
}

impl Cell {
    fn plain(width: u32) -> Cell {
        Cell::Plain(PlainCell { width, last: 1_u64.checked_shl(width).unwrap_or(0).wrapping_sub(1) })
    }

    fn of(form: &Form) -> Cell {
        match form {
            Form::Span { width, last, .. } => Cell::Plain(PlainCell { width: *width, last: *last }),
            Form::Grid(grid) => Cell::Plain(PlainCell { width: grid.width(), last: grid.last }),
            Form::Angle { bits } => Cell::plain(*bits),
            Form::Raw { width: Width::Single, .. } => Cell::Single,
            other => Cell::Form(*other),
        }
    }
}
