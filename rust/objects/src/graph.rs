//! Follows the references of a document from its value on: which objects are led to, and whether classes and rows stand in
//! the order in which a writer meets them.

use std::collections::VecDeque;

use crate::judge::{Edge, Objects, VALUE};

/// The findings of following the references.
pub(crate) struct Graph {
    /// An object that nothing leads to.
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
        let objects = usize::try_from(objects).unwrap_or(usize::MAX);
        let mut starts = Vec::with_capacity(objects.saturating_add(1));
        let mut at = 0_usize;
        for owner in 0..u32::try_from(objects).unwrap_or(u32::MAX) {
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
            owner => usize::try_from(owner).unwrap_or(usize::MAX),
        };
        let start = self.starts.get(at).copied().unwrap_or(self.edges.len());
        let end = self.starts.get(at.saturating_add(1)).copied().unwrap_or(self.edges.len());
        self.edges.get(start..end).unwrap_or_default()
    }
}

impl Graph {
    pub(crate) fn follow(edges: &[Edge], objects: &Objects<'_>, count: u32) -> Graph {
        let owners = Owners::new(edges, count);
        let mut met = vec![false; usize::try_from(count).unwrap_or(usize::MAX)];
        let mut due = VecDeque::from([VALUE]);
        let mut next = vec![0_u32; objects.heads.len()];
        let (mut classes, mut is_in_order) = (0_usize, true);
        while let Some(owner) = due.pop_front() {
            for edge in owners.of(owner) {
                let at = usize::try_from(edge.target).unwrap_or(usize::MAX);
                let Some(is_met) = met.get_mut(at).filter(|is_met| !**is_met) else { continue };
                *is_met = true;
                due.push_back(edge.target);
                let Some(place) = objects.place(edge.target) else { continue };
                let class = usize::try_from(place.class).unwrap_or(usize::MAX);
                let Some(row) = next.get_mut(class) else { continue };
                if *row == 0 {
                    is_in_order &= class == classes;
                    classes = classes.saturating_add(1);
                }
                is_in_order &= *row == place.row;
                *row = row.saturating_add(1);
            }
        }
        // A class without rows is written by nobody.
        is_in_order &= classes == objects.heads.len();
        let unused = met.iter().position(|is_met| !is_met).and_then(|at| u32::try_from(at).ok());
        Graph { unused, is_in_order }
    }
}

/// The references that lead from the value to an object, the first one first; none where there are more than `most`.
pub(crate) fn route(edges: &[Edge], count: u32, to: u32, most: usize) -> Option<Vec<Edge>> {
    let owners = Owners::new(edges, count);
    let mut by: Vec<Option<Edge>> = vec![None; usize::try_from(count).unwrap_or(usize::MAX)];
    let mut due = VecDeque::from([VALUE]);
    while let Some(owner) = due.pop_front() {
        for edge in owners.of(owner) {
            let at = usize::try_from(edge.target).unwrap_or(usize::MAX);
            if let Some(known) = by.get_mut(at).filter(|known| known.is_none()) {
                *known = Some(*edge);
                due.push_back(edge.target);
            }
        }
    }
    let mut route = Vec::new();
    let mut at = to;
    while at != VALUE {
        let edge = (*by.get(usize::try_from(at).ok()?)?)?;
        route.push(edge);
        at = edge.owner;
        if route.len() > most {
            return None;
        }
    }
    route.reverse();
    Some(route)
}
