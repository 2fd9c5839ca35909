//! Tests the class pages in `rust/godot/doc`: every member has a description, and none is empty.
//!
//! A GDScript test checks that they list what is registered, because only the engine knows that.

use std::fs;
use std::path::Path;

/// The tags that must hold a text of their own, or hold a `<description>` that does.
const DESCRIBED: [&str; 5] = ["method", "signal", "member", "constant", "class"];
/// The length below which a text can only repeat a name.
const SHORTEST: usize = 20;

#[test]
fn every_description_says_something() {
    let pages = pages();
    assert_eq!(pages.len(), 11, "one page a class");
    for (file, page) in pages {
        let silent = undescribed(&page);
        assert!(silent.is_empty(), "{file} has no description of {silent:?}");
    }
}

#[test]
fn every_page_is_named_for_its_class() {
    for (file, page) in pages() {
        assert!(page.contains(&format!("<class name=\"{}\"", file.trim_end_matches(".xml"))), "{file}");
    }
}

#[test]
fn a_silent_member_is_found() {
    let page = "<class name=\"C\"><brief_description>Does what the test needs.</brief_description>\
        <description>A class only for this test.</description>\
        <method name=\"m\"><return type=\"int\" /><description>  </description></method>\
        <method name=\"n\"><return type=\"int\" /></method>\
        <member name=\"p\" type=\"int\"></member><constant name=\"K\" value=\"1\" />\
        <constant name=\"L\" value=\"1\">Long enough to say something.</constant></class>";
    assert_eq!(undescribed(page), ["m", "n", "p", "K"]);
    assert_eq!(
        undescribed("<class name=\"D\"><description>Long enough, but no brief.</description></class>"),
        ["D"]
    );
}

fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rust/godot/doc");
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder).expect("the doc folder") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        pages.push((name, fs::read_to_string(&path).expect("a readable page")));
    }
    pages
}

/// Returns the names of members without a description, or with one that is too short to be of use.
fn undescribed(page: &str) -> Vec<String> {
    let mut silent = Vec::new();
    for tag in DESCRIBED {
        for element in elements(page, tag) {
            let text = match tag {
                "member" | "constant" => Some(content(element)),
                "class" => child(element, "brief_description").and(child(element, "description")),
                _ => child(element, "description"),
            };
            if text.is_none_or(|text| text.trim().len() < SHORTEST) {
                silent.push(name(element).to_owned());
            }
        }
    }
    silent
}

/// Returns every `<tag ...>...</tag>` and `<tag ... />`, each from its first to its last byte. Tags do not
/// nest in themselves.
fn elements<'a>(page: &'a str, tag: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{tag} "), format!("</{tag}>"));
    page.match_indices(&open)
        .map(|(at, _)| {
            let rest = &page[at..];
            let head = rest.find('>').expect("a closed tag") + 1;
            match rest[..head].ends_with("/>") {
                true => &rest[..head],
                false => &rest[..rest.find(&close).expect("an end tag") + close.len()],
            }
        })
        .collect()
}

fn content(element: &str) -> &str {
    let start = element.find('>').map_or(element.len(), |at| at + 1);
    let end = element.rfind("</").unwrap_or(element.len());
    element.get(start..end).unwrap_or("")
}

fn child<'a>(element: &'a str, tag: &str) -> Option<&'a str> {
    let start = element.find(&format!("<{tag}>"))?;
    let end = element[start..].find(&format!("</{tag}>"))?;
    Some(content(&element[start..start + end + tag.len() + 3])).filter(|text| !text.trim().is_empty())
}

fn name(element: &str) -> &str {
    element.split('"').nth(1).unwrap_or("?")
}
