//! Tests protocols as documents: JSON, Markdown, and what changed between two versions.

use variant_schema::Schema;

use crate::{Declared, Form, History, Mode, Rate, Sender, Spec, Table, diff};

fn spec() -> Spec {
    let steps =
        Schema::dict([("to", Schema::of_type(variant_core::VariantType::Vector2)), ("at", Schema::int())]);
    let step = Declared {
        sender: Sender::Client,
        rate: Rate::of(30.0, Some(10)),
        mode: Mode::UnreliableOrdered,
        ..Declared::new("move", steps.describe("a step | of a player"))
    };
    let chat = Declared {
        sender: Sender::Both,
        relay: true,
        local: true,
        rate: Rate::of(0.5, None),
        ..Declared::new("chat", Schema::string().max_chars(80u64))
    };
    let world = Declared {
        state: Some(History { entries: 16, most_packet_bytes: 900, parts: None }),
        ..Declared::state("world", Schema::int())
    };
    Spec { messages: vec![step, chat, world], reserved: vec![2], ..Spec::default() }
}

fn table(spec: &Spec) -> Table {
    spec.table(|schema| Form::of(schema, &super::rules())).unwrap()
}

#[test]
fn json_comes_back_as_the_same_protocol() {
    let spec = spec();
    let text = spec.to_json();
    let back = Spec::from_json(&text).unwrap();
    assert_eq!(back, spec.with_ids());
    assert_eq!(back.to_json(), text);
    assert_eq!(table(&back).hash(), table(&spec).hash());
    let ids: Vec<u16> = back.messages.iter().filter_map(|message| message.id).collect();
    assert_eq!(ids, [3, 4, 5], "after the largest reserved one");
}

#[test]
fn ids_in_writing_are_those_of_the_table() {
    for reserved in [vec![], vec![1], vec![2, 7]] {
        let mut spec = Spec { reserved, ..spec() };
        spec.messages[1].id = Some(40);
        let table = table(&spec);
        for message in spec.with_ids().messages {
            assert_eq!(table.id(&message.name), message.id);
        }
    }
}

#[test]
fn a_message_that_no_table_takes_is_not_added() {
    let form = |schema: &Schema| Form::of(schema, &super::rules());
    let mut spec = Spec { reserved: vec![2], ..Spec::default() };
    for declared in self::spec().messages {
        spec.add(declared, form).unwrap();
    }
    assert_eq!(spec, self::spec());
    let client = |schema| Declared { sender: Sender::Client, ..Declared::new("new", schema) };
    for (declared, words) in [
        (Declared::state("new", Schema::string()), "new has no largest size"),
        (Declared::state("new", Schema::string().max_chars(9000u64)), "part 0"),
        (client(Schema::string()), "has no largest size"),
        (Declared { mode: Mode::Unreliable, ..client(Schema::string().max_chars(9000u64)) }, "can reach"),
        (Declared::new("new", Schema::int().min(5).max(4)), ""),
        (Declared::new("chat", Schema::int()), "this name stands twice"),
        (Declared { id: Some(4), ..Declared::new("new", Schema::int()) }, "is the id of \"chat\" already"),
        (Declared { id: Some(2), ..Declared::new("new", Schema::int()) }, "is reserved"),
        (Declared { relay: true, ..Declared::new("new", Schema::int()) }, "can be relayed"),
    ] {
        let mut all = spec.clone();
        all.messages.push(declared.clone());
        let mistake = spec.add(declared, form).unwrap_err();
        assert!(mistake.first().message.contains(words), "{mistake}");
        assert_eq!(Err(mistake), all.table(form).map(drop), "the table says so, too");
        assert_eq!(spec, self::spec(), "nothing is added");
    }
}

#[test]
fn mistakes_in_json_name_their_message() {
    let text = spec().to_json();
    for (from, to, words) in [
        ("\"protocol\": 1", "\"protocol\": 2", "a later version wrote this"),
        ("\"sender\": \"client\"", "\"sender\": \"clients\"", "unknown variant `clients`"),
        ("\"relay\": true", "\"relays\": true", "unknown field `relays`"),
        ("\"rate\": 30.0", "\"rate\": -1", "move: rate is -1"),
        ("\"burst\": 10", "\"burst\": 0", "move: rate is 30"),
        ("\"history\": 16", "\"history\": 300", "invalid value"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let error = Spec::from_json(&changed).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let broken = "{\"protocol\":1,\"messages\":[{\"name\":\"hit\",\"sender\":\"both\",\"schema\":{\"type\":\"nothing\"}}]}";
    let error = Spec::from_json(broken).unwrap_err();
    assert_eq!(error.first().path, "hit", "{error}");
}

#[test]
fn markdown_shows_each_message_in_one_row() {
    let text = spec().to_markdown();
    assert!(
        text.contains(
            "| 3 | move | client | 30 a second, 10 at once | unreliable, in order | a step \\| of a player |"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "| 4 | chat | both, and clients to each other | 0.5 a second, 1 at once | reliable |  |"
        ),
        "{text}"
    );
    assert!(text.contains("| 5 | world | server | any | state, 16 kept, up to 900 bytes |  |"), "{text}");
    assert!(text.contains("## move\n\n| Path |"), "{text}");
}

#[test]
fn a_diff_tells_what_breaks() {
    let old = spec().with_ids();
    let mut new = old.clone();
    assert_eq!(diff(&old, &table(&old), &new, &table(&new)), []);
    new.messages[0].name = "walk".to_owned();
    new.messages[0].rate = Rate::of(60.0, Some(10));
    new.messages[1].local = false;
    new.messages[1].relay = false;
    new.messages[2].schema = Schema::float();
    new.messages.push(Declared { id: Some(9), ..Declared::new("bye", Schema::int()) });
    let changes = diff(&old, &table(&old), &new, &table(&new));
    let told: Vec<(&str, &str, bool)> = changes
        .iter()
        .map(|change| (change.message.as_str(), change.words.as_str(), change.breaks()))
        .collect();
    assert_eq!(
        told,
        [
            ("walk", "was called \"move\"", false),
            ("walk", "may be sent at another rate", false),
            ("chat", "is no longer relayed between clients", true),
            ("chat", "is no longer heard by its own sender", false),
            ("world", "packs its values in another way: (root): int -> float", true),
            ("bye", "is new, with the id 9", true),
        ]
    );
    let back = diff(&new, &table(&new), &old, &table(&old));
    assert!(back.last().unwrap().words.contains("add it to \"reserved\""), "{back:?}");
}

#[test]
fn a_schema_without_a_form_is_told_by_its_message() {
    let wrong = || variant_core::Mistake::new("[0]", "is an object");
    let error = spec().table(|_| Err(wrong().into())).unwrap_err();
    let paths: Vec<_> = error.iter().map(|it| it.path.as_str()).collect();
    let names: Vec<_> = spec().messages.iter().map(|it| format!("{}[0]", it.name)).collect();
    assert_eq!(paths, names, "all of them");
    assert_eq!(error.first().to_string(), "move[0]: is an object");
}
