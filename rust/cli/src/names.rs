//! Gives the types and fields of written code their names, each once.

use std::collections::HashSet;

#[derive(Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// Takes the names of a list, with a space between them.
    pub(crate) fn new(taken: &str) -> Names {
        Names(taken.split(' ').map(str::to_owned).collect())
    }

    /// Names a type after a text, or `otherwise` where that makes no name or one that is taken.
    pub(crate) fn of(&mut self, text: &str, otherwise: &str) -> String {
        self.take(pascal(text), otherwise)
    }

    /// Takes a name, or `otherwise` where it is empty or taken.
    pub(crate) fn take(&mut self, mut name: String, otherwise: &str) -> String {
        if name.is_empty() || self.0.contains(&name) {
            otherwise.clone_into(&mut name);
        }
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// Joins the words of a text, each with a capital letter. Empty if that makes no name.
fn pascal(text: &str) -> String {
    let mut made = String::new();
    let mut is_first = true;
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            made.push(if is_first { letter.to_ascii_uppercase() } else { letter });
        }
        is_first = !letter.is_ascii_alphanumeric();
    }
    if made.starts_with(|letter: char| letter.is_ascii_digit()) { String::new() } else { made }
}
