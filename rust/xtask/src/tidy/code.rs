//! Removes comments and texts from a Rust file, line for line, so that rules see code alone, and reads what it imports.

use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind, tokenize};

/// Returns the code of `text`: comments and texts become spaces, line breaks stay.
pub(super) fn only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    for token in tokenize(text, FrontmatterAllowed::No) {
        let end = at + token.len as usize;
        match token.kind {
            TokenKind::Literal { kind: LiteralKind::Int { .. } | LiteralKind::Float { .. }, .. } => {
                code.push_str(&text[at..end]);
            }
            TokenKind::LineComment { .. } | TokenKind::BlockComment { .. } | TokenKind::Literal { .. } => {
                code.extend(text[at..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            }
            _ => code.push_str(&text[at..end]),
        }
        at = end;
    }
    code
}

/// Returns the code up to the unit tests that are written in the file, which stand last and may import anything.
pub(super) fn without_tests(code: &str) -> &str {
    let is_written_here = |(at, mark): &(usize, &str)| {
        let item = code[at + mark.len()..].trim_start();
        item.starts_with("mod ") && item.find(['{', ';']).is_some_and(|end| item[end..].starts_with('{'))
    };
    code.match_indices("#[cfg(test)]").find(is_written_here).map_or(code, |(at, _)| &code[..at])
}

/// Returns where a file stands in its crate: the names of its modules.
pub(super) fn place(inside: &str) -> Vec<&str> {
    let mut place: Vec<&str> = inside.trim_end_matches(".rs").split('/').collect();
    if matches!(place.last(), Some(&("mod" | "lib" | "main"))) {
        place.pop();
    }
    place
}

/// Returns all paths of the code that begin with `crate::` or `super::`, from the root of the crate on, each with its byte.
pub(super) fn imports<'a>(code: &'a str, place: &[&'a str]) -> Vec<(usize, Vec<&'a str>)> {
    let mut found = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root) {
            // A path goes on with what follows the last `super::` of several.
            let rest = &code[at + root.len()..];
            let before = code[..at].trim_end_matches("super::");
            if rest.starts_with("super::")
                || before.ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c))
            {
                continue;
            }
            let ups = (at - before.len()) / root.len() + 1;
            let depth = if root == "crate::" { 0 } else { place.len().saturating_sub(ups) };
            let members = match rest.strip_prefix('{') {
                Some(group) => members(group),
                None => vec![path(rest)],
            };
            for member in members.into_iter().filter(|member| !member.is_empty()) {
                found.push((
                    before.len(),
                    [&place[..depth], &member.split("::").collect::<Vec<_>>()].concat(),
                ));
            }
        }
    }
    found
}

/// Returns the path that a text begins with.
fn path(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).unwrap_or(text.len());
    text[..end].trim_end_matches(':')
}

/// Returns the paths of the members of `a::{b, c}, d}`, as far as each is one.
fn members(group: &str) -> Vec<&str> {
    let mut members = Vec::new();
    let (mut depth, mut start) = (1, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (c == ',' && depth == 1) {
            members.push(path(&group[start..at]));
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_code_and_drops_text() {
        let cases = [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("f(\"x \\\" // y\", 1)", "f(           , 1)"),
            ("f(r#\"a \" b\"#, r)", "f(          , r)"),
            ("let c = '\"'; let d: &'a str = \"'\";", "let c =    ; let d: &'a str =    ;"),
            ("match c { '\\'' => 1, '\\u{1f}' => 2 }", "match c {      => 1,          => 2 }"),
        ];
        for (text, code) in cases {
            assert_eq!(only(text), code, "{text}");
        }
    }

    #[test]
    fn imports_are_read_from_the_root() {
        let of = |code| {
            imports(code, &["token", "read"]).into_iter().map(|(_, path)| path.join("/")).collect::<Vec<_>>()
        };
        assert_eq!(of("use crate::{fault::Fault, wire::{A, B}, c};"), ["fault/Fault", "wire", "c"]);
        assert_eq!(
            of("use super::x::Y; super::super::walk::Z; a::crate::b; $crate::c"),
            ["token/x/Y", "walk/Z"]
        );
        assert_eq!(
            without_tests("a\n#[cfg(test)]\nmod tests;\nb\n#[cfg(test)]\nmod tests {\nc"),
            "a\n#[cfg(test)]\nmod tests;\nb\n"
        );
    }
}
