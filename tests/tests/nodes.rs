//! Checks the node tree of `variant_text` on every recorded value. It unfolds to all that the walk found, and
//! each byte leads back to its node.

use variant_core::{Dialect, Framing, Rules, Value, decode};
use variant_testkit::{golden, malformed};
use variant_text::nodes::{Nodes, TOP, TreeNode};
use variant_text::sniff::guess_framing;

fn looking(dialect: Dialect) -> Rules {
    Rules { full_objects: true, ..Rules::engine() }.of_dialect(dialect)
}

fn survey(bytes: &[u8], framing: Framing, dialect: Dialect) -> Nodes {
    Nodes::survey(bytes, framing, &looking(dialect), &mut |_| true).expect("nobody stops it")
}

/// Lists all nodes, children behind their containers, asked for in pages of three.
fn unfold(nodes: &Nodes, bytes: &[u8], at: u64, all: &mut Vec<(u64, TreeNode)>) {
    let mut first = 0;
    loop {
        let page = nodes.children(bytes, at, first, 3);
        first += page.len() as u64;
        let is_last = page.len() < 3;
        for node in page {
            all.push((at, node.clone()));
            if node.children > 0 {
                unfold(nodes, bytes, node.at, all);
            }
        }
        if is_last {
            return;
        }
    }
}

/// Checks that children follow each other without a gap from their container's opening to its end, and that
/// every byte leads back to its node.
#[track_caller]
fn fits(name: &str, nodes: &Nodes, bytes: &[u8]) -> usize {
    let mut all = Vec::new();
    unfold(nodes, bytes, TOP, &mut all);
    for (_, node) in &all {
        let children: Vec<&TreeNode> =
            all.iter().filter(|(of, _)| *of == node.at).map(|(_, child)| child).collect();
        assert!(node.start < node.end && node.start <= node.at && node.at <= node.end, "{name}: {node:?}");
        if nodes.broken().is_empty() {
            assert_eq!(children.len() as u64, node.children, "{name}: {node:?}");
            for pair in children.windows(2) {
                assert_eq!(pair[0].end, pair[1].start, "{name}: {pair:?}");
            }
            if let Some(last) = children.last() {
                assert_eq!(last.end, node.end, "{name}: {last:?} in {node:?}");
            }
        }
    }
    for byte in (0..bytes.len() as u64).filter(|byte| byte % 3 == 0 || *byte < 40) {
        let way = nodes.locate(bytes, byte);
        let Some(inner) = way.last() else {
            panic!("{name}: byte {byte} is in no node");
        };
        assert!((inner.start..inner.end).contains(&byte), "{name}: byte {byte}, {inner:?}");
        let known: Vec<&TreeNode> =
            all.iter().map(|(_, node)| node).filter(|node| node.at == inner.at).collect();
        assert_eq!(known, [inner], "{name}: byte {byte}");
    }
    all.len()
}

#[test]
fn every_recorded_value_unfolds() {
    let mut total = 0;
    for file in golden::files() {
        let dialect = if file.name.starts_with("godot3") { Dialect::Godot3 } else { Dialect::Godot4 };
        for case in file.cases.iter().filter(|case| case.bytes.len() < 512) {
            let rules = Rules { full_objects: true, ..case.rules() }.of_dialect(dialect);
            let nodes = Nodes::survey(&case.bytes, Framing::None, &rules, &mut |_| true).unwrap();
            assert_eq!(nodes.broken(), [], "{}/{}", file.name, case.name);
            total += fits(&case.name, &nodes, &case.bytes);
        }
    }
    assert!(total > 1500, "{total} nodes");
}

#[test]
fn what_is_malformed_unfolds_up_to_there() {
    let mut broken = 0;
    for row in malformed::rows() {
        if row.bytes.is_empty() {
            continue;
        }
        for dialect in Dialect::ALL {
            let nodes = survey(&row.bytes, Framing::None, dialect);
            fits(&row.name, &nodes, &row.bytes);
            broken += nodes.broken().len();
        }
    }
    assert!(broken > 50, "{broken} broken values");
}

fn array(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(variant_core::Array { items: items.into_iter().collect(), ..Default::default() }))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn large() -> Value {
    let row = |at: i64| array([Value::Int(at), text("some text that takes room"), Value::Nil]);
    let deep = (0..300).fold(Value::Nil, |inner, at| array([Value::Int(at), inner]));
    array([array((0..5000).map(row)), deep, array((0..5000).map(Value::Int))])
}

#[test]
fn large_containers_unfold_from_anywhere() {
    let bytes = large().encode().unwrap();
    let nodes = survey(&bytes, Framing::None, Dialect::Godot4);
    let root = &nodes.children(&bytes, TOP, 0, 9)[0];
    assert_eq!((root.at, root.end, root.children), (0, bytes.len() as u64, 3));
    let parts = nodes.children(&bytes, root.at, 0, 9);
    for (part, count) in [(&parts[0], 5000), (&parts[2], 5000)] {
        let all = nodes.children(&bytes, part.at, 0, usize::MAX);
        assert_eq!(all.len(), count);
        for first in [0, 1, 127, 128, 1000, 4998, 4999] {
            let from = usize::try_from(first).unwrap();
            assert_eq!(
                nodes.children(&bytes, part.at, first, 2),
                all[from..count.min(from + 2)],
                "from {first}"
            );
        }
        assert!(nodes.children(&bytes, part.at, 5000, 1).is_empty());
    }
    let step = if std::env::var_os("VARIANT_LONG").is_some() { 97 } else { 971 };
    for byte in (0..bytes.len() as u64).step_by(step) {
        let way = nodes.locate(&bytes, byte);
        let inner = way.last().unwrap();
        assert!((inner.start..inner.end).contains(&byte), "byte {byte}");
        for pair in way.windows(2) {
            assert_eq!(
                nodes.children(&bytes, pair[0].at, pair[1].index, 1),
                [pair[1].clone()],
                "byte {byte}"
            );
        }
    }
}

#[test]
fn streams_are_values_one_after_another() {
    let values = [Value::Int(1), text("two"), array([Value::Int(3)])];
    let encoded: Vec<Vec<u8>> = values.iter().map(|value| value.encode().unwrap()).collect();
    let framed = |length: fn(u32) -> [u8; 4]| -> Vec<u8> {
        let frames = encoded.iter().map(|one| [length(one.len() as u32).to_vec(), one.clone()].concat());
        frames.collect::<Vec<_>>().concat()
    };
    let streams = [
        (Framing::None, encoded.concat()),
        (Framing::U32, framed(u32::to_le_bytes)),
        (Framing::U32Be, framed(u32::to_be_bytes)),
    ];
    for (framing, bytes) in streams {
        let nodes = survey(&bytes, framing, Dialect::Godot4);
        assert_eq!((nodes.count(), nodes.broken().len()), (3, 0), "{framing:?}");
        fits("stream", &nodes, &bytes);
        assert_eq!(guess_framing(&bytes), framing);
        // A crash may have cut the stream, or something may be written behind it.
        assert_eq!(guess_framing(&[&bytes[..], b"junk!"].concat()), framing);
        let cut = &bytes[..bytes.len() - 2];
        let nodes = survey(cut, framing, Dialect::Godot4);
        assert_eq!((nodes.count(), nodes.broken().len()), (3, 1), "{framing:?}");
        assert_eq!((nodes.broken()[0].value, nodes.broken()[0].path.as_str()), (2, "[0]"), "{framing:?}");
        fits("cut stream", &nodes, cut);
    }
    assert_eq!(guess_framing(&encoded[2]), Framing::None);
    assert_eq!(guess_framing(b"neither nor"), Framing::None);
}

#[test]
fn a_survey_can_be_watched_and_stopped() {
    let bytes = array((0..100_000).map(Value::Int)).encode().unwrap();
    let mut seen = Vec::new();
    let mut watch = |at| {
        seen.push(at);
        seen.len() < 5
    };
    assert!(Nodes::survey(&bytes, Framing::None, &looking(Dialect::Godot4), &mut watch).is_none());
    assert_eq!(seen.len(), 5);
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]));
}

/// Tests wrong lengths: a framing counts where it explains more of the bytes than no framing does.
#[test]
fn streams_that_are_cut_keep_their_framing() {
    let value = array((0..40).map(|at| if at % 2 == 0 { Value::Int(at) } else { text("some text") }))
        .encode()
        .unwrap();
    let length = value.len() as u32;
    for (framing, head) in [(Framing::U32, length.to_le_bytes()), (Framing::U32Be, length.to_be_bytes())] {
        let stream = [&head[..], &value].concat();
        for end in (16..stream.len()).step_by(4) {
            assert_eq!(guess_framing(&stream[..end]), framing, "{end}");
        }
    }
    let unframed = Value::from([("items", decode(&value, &Rules::default()).unwrap())]).encode().unwrap();
    for end in (0..unframed.len()).step_by(4) {
        assert_eq!(guess_framing(&unframed[..end]), Framing::None, "{end}");
    }
}

/// Tests words that are no lengths: the header of an array could be one, and so could the word that stands as
/// many bytes behind it.
#[test]
fn lengths_that_are_none_do_not_frame() {
    let values = (0..300).map(|at| if at % 2 == 0 { Value::Int(28) } else { text("") });
    for bytes in [array((0..40).map(Value::Int)).encode().unwrap(), array(values).encode().unwrap()] {
        for end in 0..=bytes.len() {
            assert_eq!(guess_framing(&bytes[..end]), Framing::None, "{end}");
        }
        let mut spoiled = bytes;
        spoiled.truncate(32);
        spoiled[24] = 99;
        assert_eq!(guess_framing(&spoiled), Framing::None);
    }
}

/// Tests that a stream is recognized although some of its values are broken, whatever its size.
#[test]
fn broken_values_keep_their_framing() {
    let frame = |value: &[u8]| [&u32::try_from(value.len()).unwrap().to_le_bytes()[..], value].concat();
    let good = frame(&array([Value::Int(7), text("seven")]).encode().unwrap());
    let broken = frame(&[99; 48]);
    let large = frame(&text(&"x".repeat(2 << 20)).encode().unwrap());
    for stream in [
        vec![&broken],
        vec![&good, &broken],
        vec![&broken, &good, &broken],
        vec![&large, &good],
        vec![&large, &broken],
        vec![&good; 5000],
        vec![&broken; 5000],
    ] {
        let bytes: Vec<u8> = stream.into_iter().flatten().copied().collect();
        assert_eq!(guess_framing(&bytes), Framing::U32, "{} bytes", bytes.len());
    }
}

/// Tests that parts of a document of objects have the names that it gives them, from the tree and from a byte alike.
#[test]
fn nodes_of_a_document_are_named_by_tags() {
    let path = format!("{}/cli/files/heroes.bin", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("a document");
    let nodes = survey(&bytes, Framing::None, Dialect::Godot4);
    let mut all = Vec::new();
    unfold(&nodes, &bytes, TOP, &mut all);
    let names: Vec<&str> = all.iter().map(|(_, node)| node.name.as_str()).collect();
    let expected = [
        "#0", "form", "classes", "hero", "tag", "version", "names", "[0]", "[1]", "[2]", "rows", "hero[0]",
        "hp", "items", "[0]", "[1]", "rival", "hero[1]", "hp", "items", "rival", "item", "tag", "version",
        "names", "[0]", "rows", "item[0]", "name", "icon", "tag", "version", "names", "rows", "icon[0]",
        "value", "heroes", "[0]", "[1]", "icon",
    ];
    assert_eq!(names, expected);
    let values: Vec<&str> =
        all.iter().filter(|(_, it)| it.value.contains(" = ")).map(|(_, it)| it.value.as_str()).collect();
    let (item, hero) = ("id 8589934592 = item[0]", ["id 4294967296 = hero[0]", "id 4294967297 = hero[1]"]);
    assert_eq!(values, [item, item, hero[1], hero[0], hero[0], hero[1], "id 12884901888 = icon[0]"]);
    for (_, node) in &all {
        let found = nodes.locate(&bytes, node.at).into_iter().next_back().expect("a node");
        assert_eq!((&found.name, &found.value), (&node.name, &node.value));
    }
    // Bytes that only begin as a document are shown as they are.
    for cut in 0..bytes.len() {
        let cut = &bytes[..cut];
        let nodes = survey(cut, Framing::None, Dialect::Godot4);
        unfold(&nodes, cut, TOP, &mut Vec::new());
    }
}
