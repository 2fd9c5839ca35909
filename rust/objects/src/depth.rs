//! Says how deep freeing the objects of a document recurses, and whether some hold one another in a circle.
//!
//! The engine frees an object that nothing holds any more inside the call that lets go of its last holder, and a container
//! inside the call that frees who holds it. So the stack bounds the longest way through objects and the containers
//! around each reference, whatever leads to the objects besides. Objects in a circle are not freed by letting go of them;
//! a game that cuts one frees it along some way. They count as deep as the way by which each is met first.

use std::collections::VecDeque;

use crate::graph::Owners;
use crate::judge::{Edge, VALUE};
use crate::reference::index;

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Depth {
    /// Levels of objects, and of containers between them, from the value to the furthest object.
    pub(crate) levels: u64,
    /// An object from which on there are more levels than `most`, the last such one on the longest way.
    pub(crate) too_deep: Option<u32>,
    /// An object that holds itself, through others or not.
    pub(crate) circle: Option<u32>,
}

/// The number of an object that was not met.
const UNMET: u32 = u32::MAX;

/// Finds circles by Tarjan's algorithm, which ends each one behind all that it leads to, so that heights add up on the way.
struct Search<'e> {
    owners: Owners<'e>,
    most: u64,
    /// By object, the number in the order in which they are met.
    met: Vec<u32>,
    /// By object, the lowest such number of its circle that is known.
    low: Vec<u32>,
    /// By object, the levels below it, once its circle is complete.
    height: Vec<Option<u64>>,
    /// Objects whose circle is not complete.
    open: Vec<u32>,
    /// Objects that are being looked at, each with its next reference.
    due: Vec<(u32, usize)>,
    next: u32,
    found: Depth,
}

impl Depth {
    /// Looks at these references among so many objects.
    pub(crate) fn of(edges: &[Edge], objects: u32, most: u64) -> Depth {
        let count = index(objects);
        let mut search = Search {
            owners: Owners::new(edges, objects),
            most,
            met: vec![UNMET; count],
            low: vec![0; count],
            height: vec![None; count],
            open: Vec::new(),
            due: Vec::new(),
            next: 0,
            found: Depth::default(),
        };
        for edge in search.owners.of(VALUE) {
            search.from(edge.target);
            let below = search.height_of(edge.target);
            search.found.levels = search.found.levels.max(below.saturating_add(u64::from(edge.levels)));
        }
        if search.found.levels > most && search.found.too_deep.is_none() {
            search.found.too_deep = search.owners.of(VALUE).first().map(|edge| edge.target);
        }
        search.found
    }
}

impl Search<'_> {
    fn height_of(&self, object: u32) -> u64 {
        self.height.get(index(object)).copied().flatten().unwrap_or(0)
    }

    fn is_met(&self, object: u32) -> bool {
        self.met.get(index(object)).is_none_or(|met| *met != UNMET)
    }

    fn meet(&mut self, object: u32) {
        if let (Some(met), Some(low)) = (self.met.get_mut(index(object)), self.low.get_mut(index(object))) {
            (*met, *low) = (self.next, self.next);
        }
        self.next = self.next.saturating_add(1);
        self.open.push(object);
        self.due.push((object, 0));
    }

    fn lower(&mut self, object: u32, to: u32) {
        if let Some(low) = self.low.get_mut(index(object)) {
            *low = to.min(*low);
        }
    }

    /// Looks at everything that an object leads to.
    fn from(&mut self, object: u32) {
        if self.is_met(object) {
            return;
        }
        self.meet(object);
        while let Some((object, at)) = self.due.pop() {
            let Some(edge) = self.owners.of(object).get(at).copied() else {
                self.complete(object);
                continue;
            };
            self.due.push((object, at.saturating_add(1)));
            if edge.levels == 0 {
                continue;
            }
            if !self.is_met(edge.target) {
                self.meet(edge.target);
            } else if self.height.get(index(edge.target)).is_some_and(Option::is_none) {
                // It is open still, so this closes a circle.
                self.lower(object, self.met.get(index(edge.target)).copied().unwrap_or(0));
            }
        }
    }

    /// Ends an object: all that it leads to was looked at.
    fn complete(&mut self, object: u32) {
        let at = index(object);
        let (low, met) = (self.low.get(at).copied().unwrap_or(0), self.met.get(at).copied().unwrap_or(0));
        if low < met {
            if let Some((holder, _)) = self.due.last().copied() {
                self.lower(holder, low);
            }
            return;
        }
        let start = self.open.iter().rposition(|open| *open == object).unwrap_or(0);
        let members = self.open.split_off(start);
        let height = self.height_of_circle(&members);
        for member in members {
            self.note(member, height);
        }
        if height > self.most && self.found.too_deep.is_none() {
            self.found.too_deep = Some(object);
        }
    }

    /// The levels below the first member of a circle: those to the furthest member, by first references, and from any member
    /// out of it.
    fn height_of_circle(&mut self, members: &[u32]) -> u64 {
        if let [only] = members {
            return self.height_of_one(*only);
        }
        let first = members.first().copied();
        self.found.circle = self.found.circle.or(first);
        let (mut inside, mut below) = (0_u64, 0_u64);
        let mut due: VecDeque<(u32, u64)> = first.map(|first| (first, 0)).into_iter().collect();
        if let Some(first) = first {
            self.note(first, IN_CIRCLE);
        }
        while let Some((member, depth)) = due.pop_front() {
            inside = inside.max(depth);
            for at in 0.. {
                let Some(edge) = self.owners.of(member).get(at).copied() else { break };
                let levels = u64::from(edge.levels);
                match self.height.get(index(edge.target)).copied().flatten() {
                    _ if levels == 0 => {}
                    Some(IN_CIRCLE) => {}
                    Some(height) => below = below.max(height.saturating_add(levels)),
                    None => {
                        self.note(edge.target, IN_CIRCLE);
                        due.push_back((edge.target, depth.saturating_add(levels)));
                    }
                }
            }
        }
        inside.saturating_add(below)
    }

    /// The levels below an object that is in no circle, but for one that holds itself.
    fn height_of_one(&mut self, object: u32) -> u64 {
        let mut height = 0_u64;
        for edge in self.owners.of(object).iter().filter(|edge| edge.levels > 0) {
            if edge.target == object {
                self.found.circle = self.found.circle.or(Some(object));
            } else {
                height = height.max(self.height_of(edge.target).saturating_add(u64::from(edge.levels)));
            }
        }
        height
    }

    fn note(&mut self, object: u32, height: u64) {
        if let Some(known) = self.height.get_mut(index(object)) {
            *known = Some(height);
        }
    }
}

/// Stands for the height of a member of the circle that is being completed.
const IN_CIRCLE: u64 = u64::MAX;
