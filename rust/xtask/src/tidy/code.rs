//! Removes comments and the insides of literals from a Rust file, line for line, so that rules see code
//! alone.
//!
//! It is a scanner, not a parser: it knows only where text begins and ends.

/// Returns the code of `text`: everything else becomes spaces, line breaks stay.
pub(super) fn only(text: &str) -> String {
    let mut scanner = Scanner { rest: text, code: String::with_capacity(text.len()) };
    while let Some(next) = scanner.rest.chars().next() {
        scanner.step(next);
    }
    scanner.code
}

struct Scanner<'a> {
    rest: &'a str,
    code: String,
}

impl Scanner<'_> {
    fn step(&mut self, next: char) {
        if self.rest.starts_with("//") {
            self.blank(self.rest.find('\n').unwrap_or(self.rest.len()));
        } else if self.rest.starts_with("/*") {
            self.blank(block_comment(self.rest));
        } else if let Some(length) = self.raw_string() {
            self.blank(length);
        } else if next == '"' {
            self.blank(string(self.rest));
        } else if next == '\'' {
            // A lifetime has no closing quote within two characters, a literal does.
            let length = character(self.rest);
            if length > 1 { self.blank(length) } else { self.keep(next) }
        } else {
            self.keep(next);
        }
    }

    fn keep(&mut self, next: char) {
        self.code.push(next);
        self.rest = &self.rest[next.len_utf8()..];
    }

    fn blank(&mut self, length: usize) {
        let (text, rest) = self.rest.split_at(length);
        self.code.extend(text.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        self.rest = rest;
    }

    /// Returns the length of `r"..."`, `r#"..."#` or `br"..."`, when one begins here and not inside a name.
    fn raw_string(&self) -> Option<usize> {
        if self.code.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let after = self.rest.strip_prefix("br").or_else(|| self.rest.strip_prefix('r'))?;
        let body = after.trim_start_matches('#');
        let hashes = &after[..after.len() - body.len()];
        let open = self.rest.len() - body.len() + 1;
        let close = format!("\"{hashes}");
        let length = body.strip_prefix('"')?.find(&close).map(|at| open + at + close.len());
        Some(length.unwrap_or(self.rest.len()))
    }
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of a character literal, 1 for the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => text[3.min(text.len())..].find('\'').map_or(1, |at| at + 4),
        Some(_) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::only;

    #[test]
    fn keeps_code_and_drops_text() {
        let cases = [
            ("a // b\nc", "a     \nc"),
            ("a /* b /* c */ d */ e", "a                   e"),
            ("f(\"x \\\" // y\", 1)", "f(           , 1)"),
            ("f(r#\"a \" b\"#, r)", "f(          , r)"),
            ("let c = '\"'; let d: &'a str = \"'\";", "let c =    ; let d: &'a str =    ;"),
            ("match c { '\\'' => 1, '\\u{1f}' => 2 }", "match c {      => 1,          => 2 }"),
            ("bar\"text\"", "bar      "),
        ];
        for (text, code) in cases {
            assert_eq!(only(text), code, "{text}");
        }
    }
}
