//! Defaults: those that a program states, in the form in which decoding makes values: with typed containers. Nothing is
//! filled into them; they were found good before.

use variant_core::{ToValue, Value, Walker};

use crate::checker::any_value;
use crate::program::{Program, What};
use crate::shaped::Shaped;
use crate::validator::{Scratch, Validator};

/// A default in its place: the node that states it, and the number of the key or element.
struct Place {
    node: usize,
    number: usize,
    value: Value,
}

pub(crate) fn typed(mut program: Program) -> Program {
    let places: Vec<Place> = (0..program.nodes.len()).flat_map(|node| of_node(&program, node)).collect();
    for Place { node, number, value } in places {
        match program.nodes.get_mut(node).map(|node| &mut node.what) {
            Some(What::Dict(dict)) => dict.set_default(number, value),
            Some(What::Tuple(tuple)) => tuple.set_default(number, value),
            _ => {}
        }
    }
    program
}

/// The defaults of one node that are other values when they are typed.
fn of_node(program: &Program, at: usize) -> Vec<Place> {
    let place = |number: usize, node: usize, default: &Value| {
        let value = retyped(program, node, default).filter(|value| value != default)?;
        Some(Place { node: at, number, value })
    };
    match &program.node(at).what {
        What::Dict(dict) => {
            let keys = dict.keys.iter().enumerate();
            keys.filter_map(|(number, key)| place(number, key.node, key.default.as_ref()?)).collect()
        }
        What::Tuple(tuple) => {
            let items = tuple.items.iter().skip(tuple.least).zip(&tuple.defaults).enumerate();
            items.filter_map(|(number, (node, default))| place(number, *node, default)).collect()
        }
        _ => Vec::new(),
    }
}

fn retyped(program: &Program, node: usize, value: &Value) -> Option<Value> {
    if !matches!(value, Value::Array(_) | Value::Dictionary(_)) {
        return None;
    }
    let (bytes, rules, mut scratch) = (value.encode().ok()?, any_value(), Scratch::default());
    let validator = Validator::new(program, &mut scratch, &bytes, &rules).at_node(node);
    let mut sink = Shaped::new(validator, ToValue).without_filling();
    Walker::new().decode(&bytes, &rules, &mut sink).ok().map(|(value, _)| value)
}
