//! Parses the path of a value as people write it, `players[3].name` or `["a b"][-4]`, and matches paths with
//! it.

use variant_core::{Step, VariantType};

/// The most characters of a key that paths in messages show.
const KEY_CHARS: usize = 64;

/// A step of a path in a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathStep {
    Text(String),
    /// An index, or an int as a key.
    Number(i64),
    /// A vector of ints as a key.
    Vector(VariantType, [i32; 4]),
    /// The number of an entry under any other key.
    Entry(u64),
}

/// Parses the steps of a path. The path of the root has none.
pub(crate) fn steps(text: &str) -> Result<Vec<PathStep>, String> {
    let wrong = |rest: &str| {
        format!(
            "no place: expected a name, [number] or [\"key\"] at the end of {:?}",
            text.strip_suffix(rest).unwrap_or(text)
        )
    };
    let mut steps = Vec::new();
    let mut rest = if text == "(root)" { "" } else { text };
    while !rest.is_empty() {
        let (name, after) = match rest.strip_prefix('[') {
            Some(inner) => in_brackets(inner).ok_or_else(|| wrong(rest))?,
            None => {
                let inner = if steps.is_empty() {
                    rest
                } else {
                    rest.strip_prefix('.').ok_or_else(|| wrong(rest))?
                };
                let end = inner.find(['.', '[']);
                let (name, after) = inner.split_at(end.unwrap_or(inner.len()));
                if name.is_empty() {
                    return Err(wrong(rest));
                }
                (PathStep::Text(name.to_owned()), after)
            }
        };
        if let PathStep::Text(name) = &name
            && name.chars().count() > KEY_CHARS
        {
            return Err(format!("no place: keys of more than {KEY_CHARS} characters cannot be named"));
        }
        steps.push(name);
        rest = after;
    }
    Ok(steps)
}

/// Reads the step behind an opening bracket; returns it and the rest.
fn in_brackets(inner: &str) -> Option<(PathStep, &str)> {
    if inner.starts_with('"') {
        let mut texts = serde_json::Deserializer::from_str(inner).into_iter::<String>();
        let text = texts.next()?.ok()?;
        let after = inner.get(texts.byte_offset()..)?.strip_prefix(']')?;
        return Some((PathStep::Text(text), after));
    }
    let (word, after) = inner.split_once(']')?;
    let name = match word.strip_prefix("entry ") {
        Some(number) => PathStep::Entry(number.parse().ok()?),
        None if word.ends_with(')') => vector(word)?,
        None => PathStep::Number(word.parse().ok()?),
    };
    Some((name, after))
}

/// Reads `Vector2i(1, -2)`.
fn vector(word: &str) -> Option<PathStep> {
    let (ty, numbers) = word.strip_suffix(')')?.split_once('(')?;
    let numbers =
        numbers.split(',').map(|number| number.trim().parse().ok()).collect::<Option<Vec<i32>>>()?;
    let types = [(VariantType::Vector2i, 2), (VariantType::Vector3i, 3), (VariantType::Vector4i, 4)];
    let (ty, _) = types.into_iter().find(|(of, count)| of.name() == ty && *count == numbers.len())?;
    match Step::of_vector(ty, numbers)? {
        Step::VectorKey(ty, numbers) => Some(PathStep::Vector(ty, numbers)),
        _ => None,
    }
}

/// Whether a path is the one that the call names.
pub(crate) fn is_it(place: &[Step], names: &[PathStep]) -> bool {
    place.len() == names.len() && place.iter().zip(names).all(|(step, name)| is_step(step, name))
}

fn is_step(step: &Step, name: &PathStep) -> bool {
    match (step, name) {
        (Step::Key(key) | Step::Property(key), PathStep::Text(name)) => key == name,
        (Step::Index(at), PathStep::Number(number)) => {
            u64::try_from(*number).is_ok_and(|number| number == *at)
        }
        (Step::IntKey(key), PathStep::Number(number)) => key == number,
        (Step::VectorKey(ty, numbers), PathStep::Vector(of, others)) => (ty, numbers) == (of, others),
        (Step::Entry(at), PathStep::Entry(number)) => at == number,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_shown() {
        let text = |text: &str| PathStep::Text(text.to_owned());
        assert_eq!(steps("(root)"), Ok(vec![]));
        assert_eq!(steps("players[3].name"), Ok(vec![text("players"), PathStep::Number(3), text("name")]));
        assert_eq!(
            steps("[\"a]\\\" b\"][-4][entry 2].x"),
            Ok(vec![text("a]\" b"), PathStep::Number(-4), PathStep::Entry(2), text("x")])
        );
        assert_eq!(
            steps("tiles[Vector2i(1, -2)]"),
            Ok(vec![text("tiles"), PathStep::Vector(VariantType::Vector2i, [1, -2, 0, 0])])
        );
        for wrong in [
            "[Vector2i(1)]",
            "[Vector2(1, 2)]",
            "a..b",
            ".a",
            "a.",
            "[",
            "[x]",
            "[\"a\"",
            "[1]b",
            "a[1",
            "[\"a\"b]",
        ] {
            assert!(steps(wrong).is_err(), "{wrong}: {:?}", steps(wrong));
        }
    }
}
