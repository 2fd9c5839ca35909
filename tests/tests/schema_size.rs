//! Checks that huge schemas are refused with a message, in time and on a small stack, from JSON and from
//! builders.

use std::fmt::Write;
use std::thread;
use std::time::{Duration, Instant};

use variant_core::{Value, VariantType};
use variant_schema::{Checker, Schema, Shape};

const TOO_LARGE: &str = "the schema is too large: more than 64 levels or 65536 parts";

/// Runs `run` on a stack of 256 KiB and returns its result.
fn on_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(256 << 10).spawn(run);
    thread.expect("a thread").join().expect("no overflow")
}

/// Compiles a schema and returns the verdict. The time allowed is for a debug build on a busy machine;
/// quadratic work takes minutes.
fn verdict(json: String) -> Result<(), String> {
    let start = Instant::now();
    let verdict = on_small_stack(move || {
        let schema = Schema::from_json(&json).map_err(|error| error.to_string())?;
        schema.compile().map(drop).map_err(|error| error.to_string())
    });
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(20), "{taken:?}");
    verdict
}

/// Makes `{"schema_version":1, HEAD, FIELD: {d0: .., d1: ..}}`.
fn many(head: &str, field: &str, count: usize, one: impl Fn(usize) -> String) -> String {
    let mut json = format!("{{\"schema_version\":1,{head},\"{field}\":{{");
    for at in 0..count {
        let comma = if at > 0 { "," } else { "" };
        write!(json, "{comma}\"d{at}\":{}", one(at)).expect("a String takes all");
    }
    json + "}}"
}

/// Makes a chain of definitions, each of which names the next.
fn chain(count: usize, link: impl Fn(&str) -> String) -> String {
    many(r#""type":"ref","name":"d0""#, "define", count, |at| match at + 1 == count {
        true => r#"{"type":"int"}"#.to_owned(),
        false => link(&format!("d{}", at + 1)),
    })
}

#[test]
fn definitions_in_a_chain_cost_no_stack() {
    let nullable = |next: &str| format!(r#"{{"type":"ref","name":"{next}","nullable":true}}"#);
    assert_eq!(verdict(chain(60, nullable)), Ok(()));
    for count in [100, 4000, 40_000] {
        assert!(verdict(chain(count, nullable)).is_err_and(|error| error.contains("too many alternatives")));
    }
    // These are levels of a value and not of the schema: each definition counts by itself.
    let holds = |next: &str| format!(r#"{{"type":"array","items":{{"type":"ref","name":"{next}"}}}}"#);
    assert_eq!(verdict(chain(4000, holds)), Ok(()));
    assert!(verdict(chain(70_000, holds)).is_err_and(|error| error.ends_with(TOO_LARGE)));
}

#[test]
fn a_mistake_far_down_a_chain_has_a_short_path() {
    let holds = |next: &str| format!(r#"{{"type":"array","items":{{"type":"ref","name":"{next}"}}}}"#);
    let json = chain(1000, holds).replace(r#"{"type":"int"}"#, r#"{"type":"int","min":1,"max":0}"#);
    let error = verdict(json).expect_err("a range");
    assert!(error.starts_with("<d") && error.ends_with(": range: the least, 1, is over 0"), "{error}");
    assert!(error.len() < 300, "{error}");
}

#[test]
fn wide_schemas_are_compiled_or_refused_in_time() {
    let one = |at: usize| format!(r#"{{"type":"ref","name":"d{at}","nullable":true}}"#);
    let refs = |count: usize| (0..count).map(one).collect::<Vec<_>>().join(",");
    let of_refs = |shape: &str, count| format!(r#""type":"{shape}",{}"#, refs_of(shape, &refs(count)));
    let ints = |_: usize| r#"{"type":"int"}"#.to_owned();
    assert_eq!(verdict(many(&of_refs("tuple", 30_000), "define", 30_000, ints)), Ok(()));
    let error = verdict(many(&of_refs("union", 30_000), "define", 30_000, ints)).expect_err("alternatives");
    assert!(error.contains("too many alternatives"), "{error}");
    // These are cases of a union that literals tell apart, and then with one literal twice.
    let told = |value: usize| {
        format!(r#"{{"type":"dict","keys":{{"k":{{"type":"enum","values":[{value},"{value}"]}}}}}}"#)
    };
    let cases = |last: usize| {
        let cases = (0..20_000).chain([last]);
        let cases: Vec<_> = cases.map(|at| format!(r#"{{"value":{at},"is":{}}}"#, told(at))).collect();
        format!(r#"{{"schema_version":1,"type":"discriminated","by":"k","cases":[{}]}}"#, cases.join(","))
    };
    assert_eq!(verdict(cases(20_000)), Ok(()));
    assert_eq!(verdict(cases(7)), Err("(root): the case 7 is there twice".to_owned()));
    // The place of a part is computed when something is wrong there, and not kept for each part.
    let key = "k".repeat(1 << 20);
    let part = |at: usize| match at {
        19_999 => r#"{"type":"union","of":[]}"#.to_owned(),
        _ => r#"{"type":"union","of":[{"type":"int"},{"type":"nil"}]}"#.to_owned(),
    };
    let parts: Vec<_> = (0..20_000).map(part).collect();
    let keys = format!(r#"{{"{key}":{{"type":"tuple","items":[{}]}}}}"#, parts.join(","));
    let json = format!(r#"{{"schema_version":1,"type":"dict","keys":{keys}}}"#);
    let error = verdict(json).expect_err("a part of it");
    assert!(error.contains("a union of no alternatives"), "{}", &error[error.len() - 200..]);
}

#[test]
fn patterns_share_a_bound() {
    let of = |count: usize, pattern: fn(usize) -> String| {
        Schema::tuple((0..count).map(|at| Schema::string().pattern(pattern(at)))).compile().map(drop)
    };
    assert_eq!(of(2000, |_| "^\\w{1,15}$".to_owned()), Ok(()), "the same one costs once");
    assert_eq!(of(1000, |at| format!("^[a-z]+{at}$")), Ok(()));
    let error = of(100, |at| format!("^\\w{{1,15}}{at}$")).expect_err("large ones");
    assert_eq!(error.first().path, "[64]");
    assert_eq!(error.first().message, "the patterns of this schema would take too much memory together");
}

fn refs_of(shape: &str, refs: &str) -> String {
    if shape == "union" { format!(r#""of":[{refs}]"#) } else { format!(r#""items":[{refs}]"#) }
}

/// Uses everything that recurses over a schema: comparing, copying, writing, hashing, compiling, dropping.
fn use_all(schema: &Schema) -> String {
    assert!(*schema == schema.clone());
    assert!(!schema.to_json().is_empty() && !schema.to_markdown().is_empty());
    assert_eq!(schema.hash(), schema.clone().hash());
    assert!(!format!("{schema:?}").is_empty());
    schema.compile().expect_err("too large").first().message.clone()
}

#[test]
fn builders_make_nothing_that_is_too_deep() {
    let wraps: [fn(Schema) -> Schema; 8] = [
        Schema::array,
        |it| Schema::tuple([it]),
        |it| Schema::union([it]),
        |it| Schema::dict([("a", it)]),
        |it| Schema::map(it, Schema::any()),
        |it| Schema::map(Schema::int(), it),
        |it| Schema::discriminated("a", [(Value::Int(1), Schema::dict([("b", it)]))]),
        |it| Schema::int().define("a", it),
    ];
    for (number, wrap) in wraps.into_iter().enumerate() {
        let message = thread::Builder::new().stack_size(2 << 20).spawn(move || {
            let schema = (0..200_000).fold(Schema::int(), |schema, _| wrap(schema));
            use_all(&schema)
        });
        assert_eq!(message.expect("a thread").join().expect("no overflow"), TOO_LARGE, "{number}");
    }
    let below = |levels: usize| (0..levels).fold(Schema::int(), |schema, _| Schema::array(schema));
    assert!(below(64).compile().is_ok(), "as many levels as ever");
    let error = below(100).compile().expect_err("too deep");
    assert_eq!(error.first(), &variant_core::Mistake::new("[]".repeat(65), TOO_LARGE));
}

#[test]
fn what_is_shared_again_and_again_is_too_large() {
    let twice = |schema: Schema| Schema::tuple([schema.clone(), schema]);
    let schema = (0..60).fold(Schema::int(), |schema, _| twice(schema));
    assert_eq!(use_all(&schema), TOO_LARGE);
    let schema = (0..10).fold(Schema::int(), |schema, _| twice(schema));
    assert!(Checker::new().check(&schema.compile().expect("small"), &Value::Nil).is_err());
    // References make no parts of the program, so there may be more of them.
    let refs = Schema::tuple(vec![Schema::reference("it"); 100_000]).define("it", Schema::int());
    assert!(refs.compile().is_ok());
    assert!(matches!(refs.shape(), Shape::Tuple(items) if items.len() == 100_000));
    assert_eq!(Schema::of_type(VariantType::Int), Schema::int());
}

/// Adds definitions one by one, each of which names the next and the first.
fn defined(root: &Schema, count: usize) -> Schema {
    (0..count).fold(root.clone(), |schema, at| {
        let [next, first] = [format!("d{}", (at + 1) % count), "d0".to_owned()];
        let link = Schema::dict([("next?", Schema::reference(&next)), ("first?", Schema::reference(&first))]);
        schema.define(&format!("d{at}"), link)
    })
}

/// Tests by allocated bytes, and not by a clock, that work is proportional to the number of definitions: four
/// times as many take four times as much, and somewhat more for sorting. Quadratic work would take sixteen
/// times as much.
#[test]
fn many_definitions_take_as_much_as_they_are() {
    let wide = Schema::dict((0..2000).map(|at| (format!("k{at}"), Schema::int())));
    for root in [Schema::reference("d0"), wide] {
        let bytes = |count: usize, compiles: bool| {
            let allocated = |run: &mut dyn FnMut()| allocation_counter::measure(run).bytes_total;
            let schema = defined(&root, count);
            match compiles {
                false => allocated(&mut || drop(defined(&root, count))),
                true => allocated(&mut || drop(schema.compile().expect("well-formed"))),
            }
        };
        for compiles in [false, true] {
            let [few, many] = [2500, 10_000].map(|count| bytes(count, compiles));
            assert!(many < 7 * few, "compiles: {compiles}: {few} and {many} bytes");
        }
    }
}
