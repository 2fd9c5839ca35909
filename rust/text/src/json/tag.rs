//! Writes and reads tags: the name of a type and what a container declares, as one text.

use variant_core::wire::RealWidth;
use variant_core::{ElementType, VariantType};

/// The mark behind a type of real numbers that are doubles.
pub(super) const WIDE: &str = ":64";

/// Holds the content of a tag without its `$`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JsonTag {
    /// A type that declares nothing, and whether its numbers are doubles.
    Plain(VariantType, RealWidth),
    /// A typed Array.
    Array(ElementType),
    /// A typed Dictionary.
    Dictionary(ElementType, ElementType),
}

impl JsonTag {
    pub(super) fn read(text: &str) -> Option<JsonTag> {
        if let Some((name, declared)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            return match name {
                "Array" => declared_type(declared).map(JsonTag::Array),
                "Dictionary" => {
                    let (key, value) = declared.split_once(", ")?;
                    Some(JsonTag::Dictionary(declared_type(key)?, declared_type(value)?))
                }
                _ => None,
            };
        }
        let wide = text.strip_suffix(WIDE).map(|name| (name, RealWidth::Double));
        let (name, reals) = wide.unwrap_or((text, RealWidth::Single));
        named(name).map(|ty| JsonTag::Plain(ty, reals))
    }
}

fn named(name: &str) -> Option<VariantType> {
    VariantType::ALL.iter().copied().find(|ty| ty.name() == name)
}

fn declared_type(text: &str) -> Option<ElementType> {
    if let Some(name) = text.strip_prefix("class ") {
        return unescaped(name).map(ElementType::Class);
    }
    if let Some(path) = text.strip_prefix("script ") {
        return unescaped(path).map(ElementType::Script);
    }
    match text {
        "Variant" => Some(ElementType::None),
        name => named(name).map(ElementType::Builtin),
    }
}

/// Escapes a name: a comma would end it too early, so it and the escape character are written as numbers.
pub(super) fn escaped(name: &str) -> String {
    name.replace('%', "%25").replace(',', "%2C")
}

fn unescaped(name: &str) -> Option<String> {
    let mut pieces = name.split('%');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (sign, rest) = piece.split_at_checked(2)?;
        text.push(match sign {
            "25" => '%',
            "2C" => ',',
            _ => return None,
        });
        text.push_str(rest);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brief::DeclaredType;
    use variant_core::token::{ContainerType, Text};

    #[test]
    fn declarations_come_back() {
        for name in ["Item", "a, b", "%2C", "x]", "[", "", "class x", "ü%"] {
            for declared in [ContainerType::Class(Text::new(name)), ContainerType::Script(Text::new(name))] {
                let read = declared_type(&DeclaredType(&declared, escaped).to_string());
                let want = match declared {
                    ContainerType::Class(_) => ElementType::Class(name.to_owned()),
                    _ => ElementType::Script(name.to_owned()),
                };
                assert_eq!(read, Some(want.clone()), "{name}");
                let tag = format!(
                    "Dictionary[{}, {}]",
                    DeclaredType(&declared, escaped),
                    DeclaredType(&declared, escaped)
                );
                assert_eq!(JsonTag::read(&tag), Some(JsonTag::Dictionary(want.clone(), want)), "{tag}");
            }
        }
    }

    #[test]
    fn tags_name_types() {
        assert_eq!(JsonTag::read("Vector2"), Some(JsonTag::Plain(VariantType::Vector2, RealWidth::Single)));
        assert_eq!(
            JsonTag::read("Vector2:64"),
            Some(JsonTag::Plain(VariantType::Vector2, RealWidth::Double))
        );
        assert_eq!(JsonTag::read("Array[Nil]"), Some(JsonTag::Array(ElementType::Builtin(VariantType::Nil))));
        for wrong in
            ["", "vector2", "Array[", "Array[x]", "Vector2[int]", "Dictionary[int]", "Array[class %zz]"]
        {
            assert_eq!(JsonTag::read(wrong), None, "{wrong}");
        }
    }
}
