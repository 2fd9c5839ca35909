//! Follows the references of a document from its value on: which objects are led to, and whether classes and rows stand in
//! the order in which a writer meets them.

use std::collections::{HashMap, VecDeque};

use crate::judge::{Edge, Objects, VALUE};
use crate::reference::index;

pub(crate) struct Graph {
    pub(crate) unused: Option<u32>,
    /// Whether the order is that of a writer.
    pub(crate) is_in_order: bool,
}

/// The edges of each owner, which stand together: rows in the order of their numbers, then the value.
pub(crate) struct Owners<'e> {
    edges: &'e [Edge],
    /// By object, where its edges begin; one more for the value's.
    starts: Vec<usize>,
}

impl<'e> Owners<'e> {
    pub(crate) fn new(edges: &'e [Edge], objects: u32) -> Owners<'e> {
        let mut starts = Vec::with_capacity(index(objects).saturating_add(1));
        let mut at = 0_usize;
        for owner in 0..objects {
            starts.push(at);
            while edges.get(at).is_some_and(|edge| edge.owner == owner) {
                at = at.saturating_add(1);
            }
        }
        starts.push(at);
        Owners { edges, starts }
    }

    /// The references that this object, or the value, holds.
    pub(crate) fn of(&self, owner: u32) -> &'e [Edge] {
        let at = match owner {
            VALUE => self.starts.len().saturating_sub(1),
            owner => index(owner),
        };
        let start = self.starts.get(at).copied().unwrap_or(self.edges.len());
        let end = self.starts.get(at.saturating_add(1)).copied().unwrap_or(self.edges.len());
        self.edges.get(start..end).unwrap_or_default()
    }
}

impl Graph {
    pub(crate) fn follow(edges: &[Edge], objects: &Objects<'_>, count: u32) -> Graph {
        let mut next = vec![0_u32; objects.checked.heads.len()];
        let (mut classes, mut is_in_order) = (0_usize, true);
        let met = breadth_first(edges, count, |edge| {
            let Some(place) = objects.place(edge.target) else { return };
            let Some(row) = next.get_mut(index(place.class)) else { return };
            if *row == 0 {
                is_in_order &= index(place.class) == classes;
                classes = classes.saturating_add(1);
            }
            is_in_order &= *row == place.row;
            *row = row.saturating_add(1);
        });
        // A class without rows is written by nobody.
        is_in_order &= classes == objects.checked.heads.len();
        let unused = met.iter().position(|is_met| !is_met).and_then(|at| u32::try_from(at).ok());
        Graph { unused, is_in_order }
    }
}

/// Calls `meet` with the first reference to each object that the value leads to. Returns which objects those are.
fn breadth_first(edges: &[Edge], count: u32, mut meet: impl FnMut(&Edge)) -> Vec<bool> {
    let owners = Owners::new(edges, count);
    let mut met = vec![false; index(count)];
    let mut due = VecDeque::from([VALUE]);
    while let Some(owner) = due.pop_front() {
        for edge in owners.of(owner) {
            if let Some(is_met) = met.get_mut(index(edge.target)).filter(|is_met| !**is_met) {
                *is_met = true;
                due.push_back(edge.target);
                meet(edge);
            }
        }
    }
    met
}

/// The references that lead from the value to an object, the first one first; none where there are more than `most`.
pub(crate) fn route(edges: &[Edge], count: u32, to: u32, most: usize) -> Option<Vec<Edge>> {
    let mut by: HashMap<u32, Edge> = HashMap::new();
    breadth_first(edges, count, |edge| by.extend([(edge.target, *edge)]));
    let mut route = Vec::new();
    let mut at = to;
    while at != VALUE {
        let edge = *by.get(&at)?;
        route.push(edge);
        at = edge.owner;
        if route.len() > most {
            return None;
        }
    }
    route.reverse();
    Some(route)
}
