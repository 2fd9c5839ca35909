//! Kinds: dictionaries that one of their values tells apart, and tuples that their first element does, so that a union never
//! has to try one after the other.

use variant_core::{Value, VariantType};

use crate::compiler::Compiler;
use crate::describe;
use crate::literal::Literal;
use crate::literals_index::ListedLiterals;
use crate::program::{Alternative, Dict, DictKey, Kinds, Node, ShapeRules, Tuple, Tuples, encoded_key};
use crate::schema::{Presence, Schema};

/// Leaves one node for values with children. Texts and numbers may have several, which are tried.
/// Fails: nothing tells two alternatives apart before their children are read.
pub(crate) fn settle(compiler: &mut Compiler, alternative: &mut Alternative) -> Result<(), String> {
    let ty = alternative.ty;
    let has_children = matches!(
        ty,
        VariantType::Array | VariantType::Dictionary | VariantType::PackedStringArray | VariantType::NodePath
    );
    if !has_children || alternative.nodes.len() < 2 {
        return Ok(());
    }
    if ty == VariantType::Array {
        let is_tuple =
            |at: &usize| matches!(compiler.nodes.get(*at).map(|it| &it.what), Some(ShapeRules::Tuple(_)));
        let advice = match alternative.nodes.iter().all(is_tuple) {
            true => "; give each tuple a literal of its own as its first element",
            false => "",
        };
        let tuples = tuples_of(compiler, &alternative.nodes)?
            .ok_or_else(|| format!("two alternatives are Array, and nothing tells them apart{advice}"))?;
        let schema = Schema::tuple([Schema::any()]).open(true);
        alternative.nodes = vec![push(compiler, ShapeRules::Tuples(tuples), schema)];
        return Ok(());
    }
    if ty != VariantType::Dictionary {
        return Err(format!("two alternatives are {ty}, and nothing tells them apart"));
    }
    let cases = cases_of(compiler, &alternative.nodes).ok_or(
        "two alternatives are Dictionary; give each a literal of its own under the same required key, \
         or use discriminated()",
    )?;
    let (key, cases) = cases;
    let kinds = of_cases(compiler, &key, &cases)?;
    let at = compiler.nodes.len();
    compiler.nodes.push(Node::unlimited(ShapeRules::Kinds(kinds), Schema::discriminated(&key, [])));
    alternative.nodes = vec![at];
    Ok(())
}

/// The key under which every one of these has other literals, and whose they are.
fn cases_of(compiler: &Compiler, nodes: &[usize]) -> Option<(String, Vec<(Value, usize)>)> {
    let dict = |at: &usize| match compiler.nodes.get(*at).map(|node| &node.what) {
        Some(ShapeRules::Dict(dict)) => Some(dict),
        _ => None,
    };
    let dicts: Vec<&Dict> = nodes.iter().map(dict).collect::<Option<_>>()?;
    let names = dicts.first()?.keys.iter().map(|key| key.name.as_str());
    names.into_iter().find_map(|name| {
        let mut cases = Vec::new();
        for (dict, node) in dicts.iter().zip(nodes) {
            let key = dict.keys.get(dict.find(name, 0)?).filter(|key| key.is_required)?;
            let key_node = compiler.nodes.get(key.node).filter(|node| !node.nullable)?;
            let ShapeRules::Enum(listed) = &key_node.what else { return None };
            cases.extend(listed.all().iter().map(|literal| (literal.value.clone(), *node)));
        }
        let told =
            ListedLiterals::new(cases.iter().map(|(value, _)| Literal::new(value)).collect::<Option<_>>()?);
        told.is_ok_and(|told| told.twin().is_none()).then(|| (name.to_owned(), cases))
    })
}

/// Finds the literals that tell these tuples apart, if each begins with other ones.
/// Fails: too many of them.
fn tuples_of(compiler: &mut Compiler, nodes: &[usize]) -> Result<Option<Tuples>, String> {
    let mut values = Vec::new();
    for at in nodes {
        let Some(ShapeRules::Tuple(tuple)) = compiler.nodes.get(*at).map(|node| &node.what) else {
            return Ok(None);
        };
        let first =
            tuple.items.first().filter(|_| tuple.least > 0).and_then(|first| compiler.nodes.get(*first));
        let Some(ShapeRules::Enum(listed)) = first.filter(|first| !first.nullable).map(|first| &first.what)
        else {
            return Ok(None);
        };
        values.extend(listed.all().iter().map(|literal| (literal.value.clone(), *at)));
    }
    let listed = || ListedLiterals::new(values.iter().filter_map(|(value, _)| Literal::new(value)).collect());
    let told = listed()?;
    if told.twin().is_some() {
        return Ok(None);
    }
    let of_first = Schema::enumeration(values.iter().map(|(value, _)| value.clone()));
    let first = push(compiler, ShapeRules::Enum(listed()?), of_first.clone());
    let none = ShapeRules::Tuple(Tuple { open: true, ..Tuple::new(vec![first], 1, Vec::new()) });
    let none = push(compiler, none, Schema::tuple([of_first]).open(true));
    Ok(Some(Tuples { told, cases: values.into_iter().map(|(_, node)| node).collect(), none }))
}

/// The node that tells these cases apart, with a Dictionary for what is none of them.
pub(crate) fn of_cases(
    compiler: &mut Compiler,
    key: &str,
    cases: &[(Value, usize)],
) -> Result<Kinds, String> {
    let listed = || {
        let literal = |(value, _): &(Value, usize)| {
            Literal::new(value)
                .ok_or_else(|| format!("a value of type {} cannot tell cases apart", value.ty()))
        };
        ListedLiterals::new(cases.iter().map(literal).collect::<Result<_, _>>()?)
    };
    let told = listed()?;
    if let Some(twin) = told.twin() {
        return Err(format!("the case {} is there twice", describe::literal(&twin.value)));
    }
    let values: Vec<Value> = cases.iter().map(|(value, _)| value.clone()).collect();
    let of_key = push(compiler, ShapeRules::Enum(listed()?), Schema::enumeration(values));
    let only_key = DictKey::new(key, of_key, &Presence::Required);
    let none = ShapeRules::Dict(Dict { open: true, ..Dict::new(vec![only_key]) });
    let none = push(compiler, none, Schema::dict([(key, Schema::any())]).open(true));
    let name = compiler.kinds.iter().position(|known| known == key).unwrap_or_else(|| {
        compiler.kinds.push(key.to_owned());
        compiler.kinds.len().saturating_sub(1)
    });
    Ok(Kinds {
        name,
        key: encoded_key(key),
        told,
        cases: cases.iter().map(|(_, node)| *node).collect(),
        none,
    })
}

fn push(compiler: &mut Compiler, what: ShapeRules, schema: Schema) -> usize {
    compiler.nodes.push(Node::unlimited(what, schema));
    compiler.nodes.len().saturating_sub(1)
}
