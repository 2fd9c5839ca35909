//! Writes types and functions of the compiler's documentation as people write them, as far as a review needs
//! it.

use serde_json::Value;

/// Returns the text behind the name of an item.
pub(super) fn of(kind: &str, inner: &Value) -> String {
    match kind {
        "function" => function(inner),
        "struct_field" => format!(": {}", ty(inner)),
        "constant" | "assoc_const" | "static" => format!(": {}", ty(&inner["type"])),
        "type_alias" | "assoc_type" if !inner["type"].is_null() => format!(" = {}", ty(&inner["type"])),
        "trait" | "struct" | "enum" => generics(&inner["generics"]),
        "variant" => {
            let fields = list(&inner["kind"]["tuple"]).count();
            if fields > 0 { format!("({fields})") } else { String::new() }
        }
        _ => String::new(),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn joined(parts: impl Iterator<Item = String>, by: &str) -> String {
    parts.collect::<Vec<_>>().join(by)
}

fn function(inner: &Value) -> String {
    let is_const = if inner["header"]["is_const"] == true { " const" } else { "" };
    let argument = |pair: &Value| match pair[0].as_str() {
        Some("self") => match ty(&pair[1]).as_str() {
            "Self" => "self".to_owned(),
            "&Self" => "&self".to_owned(),
            "&mut Self" => "&mut self".to_owned(),
            other => format!("self: {other}"),
        },
        name => format!("{}: {}", name.unwrap_or("_"), ty(&pair[1])),
    };
    let arguments = joined(list(&inner["sig"]["inputs"]).map(argument), ", ");
    let output = &inner["sig"]["output"];
    let output = if output.is_null() { String::new() } else { format!(" -> {}", ty(output)) };
    format!("{}({arguments}){output}{is_const}", generics(&inner["generics"]))
}

/// Returns the generic parameters in their brackets, without those that the compiler makes up.
fn generics(generics: &Value) -> String {
    let parameters = list(&generics["params"]).filter_map(|parameter| {
        let name = parameter["name"].as_str()?;
        let of = &parameter["kind"]["type"];
        if of["is_synthetic"] == true {
            return None;
        }
        let bounds = bounds(&of["bounds"]);
        Some(if bounds.is_empty() { name.to_owned() } else { format!("{name}: {bounds}") })
    });
    let parameters = joined(parameters, ", ");
    if parameters.is_empty() { parameters } else { format!("<{parameters}>") }
}

fn bounds(bounds: &Value) -> String {
    let bound = |bound: &Value| match (&bound["trait_bound"], &bound["outlives"]) {
        (Value::Null, outlives) => outlives.as_str().unwrap_or("?").to_owned(),
        (of, _) => {
            let maybe = if of["modifier"] == "maybe" { "?" } else { "" };
            format!("{maybe}{}", path_of(&of["trait"]))
        }
    };
    joined(list(bounds).map(bound), " + ")
}

/// Returns a path with its arguments.
pub(super) fn path_of(path: &Value) -> String {
    let name = path["path"].as_str().or_else(|| path["name"].as_str()).unwrap_or("?");
    format!("{name}{}", arguments(&path["args"]))
}

fn arguments(args: &Value) -> String {
    let argument = |argument: &Value| match argument.as_object().and_then(|only| only.iter().next()) {
        Some((kind, inner)) if kind == "type" => ty(inner),
        Some((kind, inner)) if kind == "const" => inner["expr"].as_str().unwrap_or("?").to_owned(),
        Some((_, inner)) => inner.as_str().unwrap_or("?").to_owned(),
        None => "_".to_owned(),
    };
    let constraint = |constraint: &Value| {
        let name = constraint["name"].as_str().unwrap_or("?");
        format!("{name} = {}", ty(&constraint["binding"]["equality"]["type"]))
    };
    let angled = &args["angle_bracketed"];
    let all = list(&angled["args"]).map(argument).chain(list(&angled["constraints"]).map(constraint));
    let all = joined(all, ", ");
    if all.is_empty() { all } else { format!("<{all}>") }
}

fn ty(of: &Value) -> String {
    let Some((kind, inner)) = of.as_object().and_then(|only| only.iter().next()) else {
        return "_".to_owned();
    };
    match kind.as_str() {
        "resolved_path" => path_of(inner),
        "generic" | "primitive" => inner.as_str().unwrap_or("?").to_owned(),
        "borrowed_ref" => {
            let lifetime = inner["lifetime"].as_str().map_or_else(String::new, |name| format!("{name} "));
            let mutable = if inner["is_mutable"] == true { "mut " } else { "" };
            format!("&{lifetime}{mutable}{}", ty(&inner["type"]))
        }
        "slice" => format!("[{}]", ty(inner)),
        "array" => format!("[{}; {}]", ty(&inner["type"]), inner["len"].as_str().unwrap_or("?")),
        "tuple" => format!("({})", joined(list(inner).map(ty), ", ")),
        "impl_trait" => format!("impl {}", bounds(inner)),
        "dyn_trait" => {
            let traits = list(&inner["traits"]).map(|of| path_of(&of["trait"]));
            format!("dyn {}", joined(traits, " + "))
        }
        "qualified_path" => {
            let name = inner["name"].as_str().unwrap_or("?");
            format!("{}::{name}", ty(&inner["self_type"]))
        }
        "function_pointer" => format!("fn{}", function(inner)),
        other => other.to_owned(),
    }
}
