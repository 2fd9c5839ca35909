//! Tests random graphs: however their objects are numbered, the graph is the same up to the identity of objects, and CANONICAL
//! accepts just the numbering of a writer. It also tests that depth of a graph costs no stack.

use std::collections::{HashMap, VecDeque};

use variant_core::{Array, Limits, Rules, Strictness, ToValue, Value, Walker};
use variant_schema::Schema;

use crate::*;

const KNOT: &[&str] = &["left", "list"];
const LEAF: &[&str] = &["number", "knot"];

fn table() -> Table {
    let knot = Class::new(
        "knot",
        [
            Property::new("left", Table::variable(Some("knot"))),
            Property::new("list", Schema::array(Table::variable(None))),
        ],
    );
    let leaf = Class::new(
        "leaf",
        [Property::new("number", Schema::int()), Property::new("knot", Table::variable(Some("knot")))],
    );
    Table::new(vec![knot, leaf]).expect("a table without contradictions")
}

/// Makes the same numbers for the same seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % most
    }
}

/// An object: its class, and the objects that it holds; 0 is null.
struct Node {
    is_leaf: bool,
    number: i64,
    one: usize,
    list: Vec<usize>,
}

/// Objects from 1 on, and those that the value holds.
struct Graph {
    nodes: Vec<Node>,
    value: Vec<usize>,
}

impl Graph {
    fn random(random: &mut Random) -> Graph {
        let count = 1 + random.below(12);
        let kinds: Vec<bool> = (0..=count).map(|at| at > 1 && random.below(3) == 0).collect();
        let some = |random: &mut Random, only_knots: bool| {
            let at = random.below(count + 1);
            if only_knots && kinds[at] { 0 } else { at }
        };
        let nodes = kinds.iter().map(|is_leaf| {
            let list = (0..random.below(4)).map(|_| some(random, false)).collect();
            let number = i64::try_from(random.below(1000)).unwrap_or(0);
            Node { is_leaf: *is_leaf, number, one: some(random, true), list }
        });
        let nodes = nodes.collect();
        let value = (0..1 + random.below(3)).map(|_| some(random, false)).collect();
        Graph { nodes, value }
    }

    fn held(&self, at: usize) -> Vec<usize> {
        let node = &self.nodes[at];
        let list = if node.is_leaf { Vec::new() } else { node.list.clone() };
        std::iter::once(node.one).chain(list).filter(|at| *at > 0).collect()
    }

    /// The objects that the value leads to, breadth first.
    fn met(&self) -> Vec<usize> {
        let (mut met, mut due) = (Vec::new(), VecDeque::new());
        due.extend(self.value.iter().copied().filter(|at| *at > 0));
        while let Some(at) = due.pop_front() {
            if !met.contains(&at) {
                met.push(at);
                due.extend(self.held(at));
            }
        }
        met
    }

    /// The document whose objects are numbered in this order.
    fn document(&self, order: &[usize]) -> Document {
        let mut document = Document::default();
        let mut references = HashMap::from([(0, Value::Nil)]);
        let add = |document: &mut Document, at: usize, row: Vec<Value>| match self.nodes[at].is_leaf {
            true => document.add("leaf", 1, LEAF, row),
            false => document.add("knot", 1, KNOT, row),
        };
        for at in order {
            references.insert(*at, add(&mut document, *at, Vec::new()));
        }
        let mut rows: HashMap<&str, usize> = HashMap::new();
        for at in order {
            let node = &self.nodes[*at];
            let list = node.list.iter().map(|at| references.get(at).cloned().unwrap_or(Value::Nil));
            let one = references.get(&node.one).cloned().unwrap_or(Value::Nil);
            let (tag, row) = match node.is_leaf {
                true => ("leaf", vec![Value::Int(node.number), one]),
                false => ("knot", vec![one, array(list.collect())]),
            };
            let next = rows.entry(tag).or_insert(0);
            let class = document.classes.iter_mut().find(|class| class.tag == tag).expect("it was added");
            class.rows[*next] = row;
            *next += 1;
        }
        document.value = array(self.value.iter().map(|at| references[at].clone()).collect());
        document
    }
}

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { items, ..Array::default() }))
}

/// Whether two documents hold one graph, up to how its objects are numbered.
fn are_one_graph(a: &Document, b: &Document) -> bool {
    let mut pairs: HashMap<u64, u64> = HashMap::new();
    let mut backwards: HashMap<u64, u64> = HashMap::new();
    let mut due = vec![(a.value.clone(), b.value.clone())];
    while let Some(pair) = due.pop() {
        match pair {
            (Value::Rid(x), Value::Rid(y)) => match (pairs.insert(x, y), backwards.insert(y, x)) {
                (None, None) => {
                    let (Some((of_a, a)), Some((of_b, b))) =
                        (a.object(&Value::Rid(x)), b.object(&Value::Rid(y)))
                    else {
                        return false;
                    };
                    if of_a.tag != of_b.tag || a.len() != b.len() {
                        return false;
                    }
                    due.extend(a.iter().cloned().zip(b.iter().cloned()));
                }
                (Some(before), Some(_)) if before == y => {}
                _ => return false,
            },
            (Value::Array(x), Value::Array(y)) if x.items.len() == y.items.len() => {
                due.extend(x.items.into_iter().zip(y.items));
            }
            (x, y) if x == y => {}
            _ => return false,
        }
    }
    true
}

#[test]
fn graphs_are_one_however_they_are_numbered() {
    let table = table();
    let mut scratch = Scratch::default();
    let canonical = Rules { strictness: Strictness::Canonical, ..Rules::default() };
    let graphs = if std::env::var_os("VARIANT_LONG").is_some() { 100_000 } else { 500 };
    let mut shuffled = 0;
    for seed in 0..graphs {
        let mut random = Random(seed);
        let graph = Graph::random(&mut random);
        let met = graph.met();
        let mut order = met.clone();
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let (first, other) = (graph.document(&met), graph.document(&order));
        assert!(are_one_graph(&first, &other), "graph {seed}");
        let [written, swapped] = [&first, &other].map(|it| it.to_value().encode().expect("bytes"));
        for bytes in [&written, &swapped] {
            let checked = table.check(&mut scratch, bytes, &Rules::default(), None);
            let checked = checked.unwrap_or_else(|refusal| panic!("graph {seed}: {refusal}"));
            assert_eq!(usize::try_from(checked.objects()), Ok(met.len()), "graph {seed}");
            let read = Walker::new().decode(bytes, &Rules::engine(), &mut ToValue).expect("a value").0;
            assert!(are_one_graph(&first, &Document::of_value(read).expect("a document")), "graph {seed}");
        }
        assert!(table.check(&mut scratch, &written, &canonical, None).is_ok(), "graph {seed}");
        let is_canonical = table.check(&mut scratch, &swapped, &canonical, None).is_ok();
        assert_eq!(is_canonical, written == swapped, "graph {seed}: one graph, one encoding");
        shuffled += u32::from(written != swapped);
    }
    assert!(u64::from(shuffled) > graphs / 4, "{shuffled}");
}

#[test]
fn another_graph_is_told_from_one() {
    let mut random = Random(3);
    let mut others = 0;
    for _ in 0..200 {
        let (a, b) = (Graph::random(&mut random), Graph::random(&mut random));
        others += u32::from(!are_one_graph(&a.document(&a.met()), &b.document(&b.met())));
    }
    assert!(others > 100, "{others}");
}

/// Tests a list of links, each of which holds the next one, in a stack of 64 KiB.
#[test]
fn depth_of_a_graph_costs_no_stack() {
    let links: u32 = if std::env::var_os("VARIANT_LONG").is_some() { 1_000_000 } else { 50_000 };
    let mut document = Document::default();
    let reference = |row: u32| Value::Rid(Reference { class: 0, row }.in_document());
    for link in 1..=links {
        let next = if link < links { reference(link) } else { Value::Nil };
        document.add("knot", 1, KNOT, vec![next, array(Vec::new())]);
    }
    document.value = reference(0);
    let bytes = document.to_value().encode().expect("bytes");
    let rules = Rules::safe(Limits { max_depth: 6, max_object_depth: u64::MAX, ..Limits::engine() });
    let judged = std::thread::Builder::new().stack_size(64 << 10).spawn(move || {
        let canonical = Rules { strictness: Strictness::Canonical, ..rules };
        let table = table();
        [rules, canonical].map(|rules| {
            table.check(&mut Scratch::default(), &bytes, &rules, None).map(|checked| checked.objects())
        })
    });
    let judged = judged.expect("a thread").join().expect("no overflow");
    assert_eq!(judged, [Ok(links), Ok(links)]);
}
