//! Finds a value among those that an enum or the cases of a union name. The time does not grow with their number where they are
//! ints and texts, of which there may be many.

use variant_core::token::Leaf;
use variant_core::{TypeSet, Value, VariantType};

use crate::literal::Literal;

/// Up to so many are compared one after the other.
const FEW: usize = 8;
/// Values that can only be compared one after the other.
const MOST_OTHERS: usize = 256;

#[derive(Debug)]
pub(crate) struct ListedLiterals {
    literals: Vec<Literal>,
    /// Numbers of literals, in the order of their values; those of a type that comes twice, the first.
    ints: Vec<(i64, usize)>,
    texts: Vec<(VariantType, Box<str>, usize)>,
    others: Vec<usize>,
    types: TypeSet,
}

impl ListedLiterals {
    /// # Errors
    /// Too many that are neither ints nor texts.
    pub(crate) fn new(literals: Vec<Literal>) -> Result<ListedLiterals, String> {
        let (mut ints, mut texts, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (at, literal) in literals.iter().enumerate() {
            match &literal.value {
                Value::Int(int) => ints.push((*int, at)),
                Value::String(text) | Value::StringName(text) => {
                    texts.push((literal.value.ty(), text.as_str().into(), at));
                }
                _ => others.push(at),
            }
        }
        if others.len() > MOST_OTHERS {
            return Err(format!("more than {MOST_OTHERS} listed values that are neither ints nor texts"));
        }
        ints.sort_unstable();
        texts.sort_unstable();
        let types: Vec<VariantType> = literals.iter().map(|literal| literal.value.ty()).collect();
        Ok(ListedLiterals { ints, texts, others, types: TypeSet::of(&types), literals })
    }

    pub(crate) fn all(&self) -> &[Literal] {
        &self.literals
    }

    /// Those that may be told by a look at each.
    pub(crate) fn few(&self) -> &[Literal] {
        if self.literals.len() <= FEW { &self.literals } else { &[] }
    }

    /// The number of the literal that a leaf is.
    pub(crate) fn find(&self, leaf: &Leaf<'_>) -> Option<usize> {
        if self.literals.len() <= FEW {
            return self.literals.iter().position(|literal| literal.is(leaf));
        }
        match leaf {
            Leaf::Int(int) => {
                let at = self.ints.partition_point(|(known, _)| known < int);
                self.ints.get(at).filter(|(known, _)| known == int).map(|(_, number)| *number)
            }
            Leaf::Text(ty, text) => {
                let text = text.as_str();
                let at = self.texts.partition_point(|(of, known, _)| (*of, &**known) < (*ty, text));
                let found = self.texts.get(at).filter(|(of, known, _)| of == ty && &**known == text);
                found.map(|(.., number)| *number)
            }
            _ => self.others.iter().copied().find(|at| self.literals.get(*at).is_some_and(|it| it.is(leaf))),
        }
    }

    /// Returns a literal that is there twice.
    pub(crate) fn twin(&self) -> Option<&Literal> {
        let ints = self.ints.windows(2).filter_map(|pair| match pair {
            [(a, _), (b, at)] if a == b => Some(*at),
            _ => None,
        });
        let texts = self.texts.windows(2).filter_map(|pair| match pair {
            [(a, mine, _), (b, other, at)] if (a, mine) == (b, other) => Some(*at),
            _ => None,
        });
        let value = |at: usize| self.literals.get(at).map(|literal| &literal.value);
        let is_twin = |(place, at): (usize, &usize)| {
            let before = self.others.iter().take(place);
            before.into_iter().any(|other| value(*other) == value(*at)).then_some(*at)
        };
        let mut twins = ints.chain(texts).chain(self.others.iter().enumerate().filter_map(is_twin));
        self.literals.get(twins.next()?)
    }

    /// Whether one of them is of this type.
    pub(crate) const fn has_type(&self, ty: VariantType) -> bool {
        self.types.contains(ty)
    }
}

#[cfg(test)]
mod tests {
    use variant_core::Reals;

    use super::*;

    /// The search among many finds what a look at each one finds.
    #[test]
    fn many_are_found_as_few_are() {
        let text = |n: i64| format!("name {}", n * 7 % 50);
        let values = |n: i64| {
            [
                Value::Int(n * 13 % 50),
                Value::String(text(n)),
                Value::StringName(text(n)),
                Value::Float(n as f64),
            ]
        };
        let mut all: Vec<Value> = (0..40).flat_map(values).collect();
        all.extend([Value::Nil, Value::Bool(true), Value::Vector2(Reals::Single([1.0, 2.0]))]);
        let listed =
            ListedLiterals::new(all.iter().filter_map(Literal::new).collect()).expect("not too many");
        for value in (-5..60).flat_map(values).chain([Value::Nil, Value::Bool(true), Value::Bool(false)]) {
            let leaf = value.as_leaf().expect("a leaf");
            let wanted = listed.all().iter().position(|literal| literal.is(&leaf));
            assert_eq!(listed.find(&leaf), wanted, "{value:?}");
            assert_eq!(listed.has_type(value.ty()), all.iter().any(|it| it.ty() == value.ty()));
        }
        let all: Vec<_> = listed.all().iter().map(|literal| &literal.value).collect();
        let twin = listed.twin().map(|twin| twin.value.clone());
        assert_eq!(twin, None, "{all:?}");
        for value in all {
            let values = listed.all().iter().map(|literal| &literal.value).chain([value]);
            let again = ListedLiterals::new(values.filter_map(Literal::new).collect()).expect("not too many");
            assert_eq!(again.twin().map(|twin| &twin.value), Some(value));
        }
        let floats = (0..300).map(|n| Value::Float(f64::from(n)));
        assert!(ListedLiterals::new(floats.filter_map(|value| Literal::new(&value)).collect()).is_err());
    }
}
