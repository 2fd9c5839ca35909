//! Writes a class for each message and for each Dictionary in it.

use std::collections::BTreeMap;

use variant_core::{Value, VariantType};
use variant_pack::Layout;
use variant_pack::parts::{Dict, Form, Key, KeyedEntries, Node, Solid, Values, Wire};

use super::from;
use super::literal::CSharp;
use crate::layouts::MessageLayout;
use crate::literals::{read, size, text};
use crate::names::Names;
use crate::tables::{is_whole, rows};

/// The levels of lists in lists below which a type is `object`: only what refers to itself is so deep.
const MOST_LEVELS: u32 = 16;
/// Names of the runtime, of what it uses, and the words of the language that a capital letter could make.
pub(super) const TAKEN: &str = "Applier Array BitReader BitWriter Chars Codec Counts Dictionary Form Key Limits List Math Must \
    PackException Part PathParts Protocol Raw Solid Turns";

pub(super) fn of(name: &str, message: &MessageLayout<'_>, names: &mut Names) -> Result<String, String> {
    let (layout, root) = (&message.layout, message.layout.root());
    let mut classes = BTreeMap::new();
    for (at, part) in layout.nodes().iter().enumerate() {
        let is_case = |other: &Node| matches!(&other.wire, Wire::Cases { cases, .. } if cases.contains(&at));
        if matches!(part.wire, Wire::Dict(_)) && !layout.nodes().iter().any(is_case) {
            let whole = format!("{name} {}", part.path);
            let is_root = at == root && !part.nullable;
            classes.insert(
                at,
                if is_root { name.to_owned() } else { names.of(&whole, &format!("{name}Part{at}")) },
            );
        }
    }
    let typing = Typing { name, message, layout, classes: &classes };
    let mut text = String::new();
    for (at, class) in &classes {
        text.push_str(&typing.class(*at, class)?);
    }
    if !classes.contains_key(&root) || layout.node(root).is_some_and(|part| part.nullable) {
        text.push_str(&typing.around()?);
    }
    Ok(text)
}

struct Typing<'p> {
    name: &'p str,
    message: &'p MessageLayout<'p>,
    layout: &'p Layout,
    classes: &'p BTreeMap<usize, String>,
}

impl Typing<'_> {
    /// Writes the class of a Dictionary; that of a message packs, too.
    fn class(&self, at: usize, class: &str) -> Result<String, String> {
        let Some(Wire::Dict(Dict { keys, declared, .. })) = self.layout.node(at).map(|part| &part.wire)
        else {
            return Ok(String::new());
        };
        let own = "Pack Unpack Apply ToRaw OfRaw Id Codec";
        let mut fields = Names::new(&format!("{class} {own} {TAKEN}"));
        let (mut listed, mut to, mut of) = (String::new(), String::new(), String::new());
        for key in declared.iter().filter_map(|at| keys.get(*at)) {
            let field = fields.of(&key.name, &format!("Key{}", key.node));
            let (ty, name) = (self.field(key), text(&key.name));
            let (there, back) = self.converted(key, &field);
            listed.push_str(&format!("    public {ty} {field};\n"));
            to.push_str(&if key.is_optional {
                format!("        Raw.Add(raw, {name}, {there});\n")
            } else {
                format!("        raw.Add({name}, {there});\n")
            });
            of.push_str(&format!("            {field} = {back},\n"));
        }
        let (summary, head) = match at == self.layout.root() && class == self.name {
            true => (summary(self.message), self.head("ToRaw()", "OfRaw({})")?),
            false => (String::new(), String::new()),
        };
        Ok(format!(
            "\n{summary}public sealed class {class}\n{{\n{listed}{head}\n    internal object ToRaw()\n    {{\n        \
             var raw = new Dictionary<string, object>();\n{to}        return raw;\n    }}\n\n    \
             internal static {class} OfRaw(object raw)\n    {{\n        return raw == null ? null : new {class}\n        {{\n{of}        }};\n    }}\n}}\n"
        ))
    }

    /// Writes the class of a message that is no Dictionary: its value is a field.
    fn around(&self) -> Result<String, String> {
        let (name, root) = (self.name, self.layout.root());
        let ty = self.ty(root, 0);
        let there = self.there(root, "Value", 0);
        let back = format!("new {name} {{ Value = {} }}", self.back(root, "{}", 0));
        let head = self.head(&there, &back)?;
        Ok(format!(
            "\n{}public sealed class {name}\n{{\n    public {ty} Value;\n{head}}}\n",
            summary(self.message)
        ))
    }

    /// Writes what a message's class has more: its id and codec.
    fn head(&self, there: &str, back: &str) -> Result<String, String> {
        let Typing { name, message, layout, .. } = *self;
        let root = layout.root();
        let parts: Vec<String> =
            rows::<CSharp>(layout)?.iter().map(|row| format!("\n        {row}")).collect();
        let (codec, id, back) =
            (text(&message.declared.name), message.id, back.replace("{}", "Codec.Unpack(packed)"));
        Ok(format!(
            "    public const int Id = {id};\n    private static readonly Codec Codec = new Codec({codec}, {root},{});\n\n    \
             /// <summary>The packed value, which stands behind the id in a packet.</summary>\n    \
             public byte[] Pack()\n    {{\n        return Codec.Pack({there});\n    }}\n\n    \
             public static {name} Unpack(byte[] packed)\n    {{\n        return {back};\n    }}\n\n    \
             /// <summary>The packed value that a difference makes of another.</summary>\n    \
             public static byte[] Apply(byte[] packed, byte[] delta)\n    {{\n        return Codec.Apply(packed, delta);\n    }}\n\n    \
             /// <summary>The packed value that a difference makes of two others: `newer` is `ahead` states old, `older` `gap` more.</summary>\n    \
             public static byte[] Apply(byte[] newer, byte[] older, int ahead, int gap, byte[] delta)\n    {{\n        \
             return Codec.Apply(newer, older, ahead, gap, delta);\n    }}\n",
            parts.join(",")
        ))
    }

    fn field(&self, key: &Key) -> String {
        let ty = self.ty(key.node, 0);
        let is_value = matches!(ty.as_str(), "long" | "double" | "bool");
        if key.is_optional && is_value { format!("{ty}?") } else { ty }
    }

    fn converted(&self, key: &Key, field: &str) -> (String, String) {
        let under = format!("Raw.Under(raw, {})", text(&key.name));
        let ty = self.field(key);
        let back = if ty.ends_with('?') { format!("({ty}){under}") } else { self.back(key.node, &under, 0) };
        (self.there(key.node, field, 0), back)
    }

    /// Returns the type of a part's values. A value of several kinds is an object in the runtime's plain form.
    fn ty(&self, at: usize, level: u32) -> String {
        let Some(part) = self.layout.node(at).filter(|_| level < MOST_LEVELS) else {
            return "object".to_owned();
        };
        let below = |at: usize| self.ty(at, level + 1);
        let ty = match &part.wire {
            Wire::Same(other) => below(*other),
            Wire::Bool => "bool".to_owned(),
            Wire::Number(VariantType::Int, _) => "long".to_owned(),
            Wire::Number(..) => "double".to_owned(),
            Wire::Solid { ty, .. } => if is_whole(*ty) { "long[]" } else { "double[]" }.to_owned(),
            Wire::Text(..) => "string".to_owned(),
            Wire::NodePath => "PathParts".to_owned(),
            Wire::Enum(Values { all, .. }) => listed(all).to_owned(),
            Wire::Dict(_) => self.classes.get(&at).map_or("object", String::as_str).to_owned(),
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
                format!("List<{}>", below(*item))
            }
            Wire::Map { key, value, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: value, .. }) => {
                format!("List<KeyValuePair<{}, {}>>", below(*key), below(*value))
            }
            Wire::Packed { ty, solid, .. } => format!("List<{}>", element(*ty, solid)),
            Wire::Strings { .. } => "List<string>".to_owned(),
            Wire::Tuple(_) => "List<object>".to_owned(),
            Wire::Any => "byte[]".to_owned(),
            _ => "object".to_owned(),
        };
        let is_value = matches!(ty.as_str(), "long" | "double" | "bool");
        if part.nullable && is_value { format!("{ty}?") } else { ty }
    }

    /// Writes the plain form of a typed value.
    fn there(&self, at: usize, value: &str, level: u32) -> String {
        let Some(part) = self.layout.node(at).filter(|_| level < MOST_LEVELS) else {
            return value.to_owned();
        };
        match &part.wire {
            Wire::Same(other) => self.there(*other, value, level + 1),
            Wire::Dict(_) if self.classes.contains_key(&at) => format!("{value}?.ToRaw()"),
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
                let it = format!("it{level}");
                format!("Raw.Items({value}, {it} => {})", self.there(*item, &it, level + 1))
            }
            Wire::Map { key, value: of, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: of, .. }) => {
                let it = format!("it{level}");
                let key = self.there(*key, &format!("{it}.Key"), level + 1);
                let of = self.there(*of, &format!("{it}.Value"), level + 1);
                format!("Raw.Items({value}, {it} => new KeyValuePair<object, object>({key}, {of}))")
            }
            Wire::Packed { .. } | Wire::Strings { .. } => {
                format!("Raw.Items({value}, it{level} => (object)it{level})")
            }
            _ => value.to_owned(),
        }
    }

    /// Writes the typed value of a plain form.
    fn back(&self, at: usize, raw: &str, level: u32) -> String {
        let ty = self.ty(at, level);
        let Some(part) = self.layout.node(at).filter(|_| level < MOST_LEVELS) else { return raw.to_owned() };
        let it = format!("it{level}");
        match &part.wire {
            Wire::Same(other) => self.back(*other, raw, level + 1),
            Wire::Dict(_) if self.classes.contains_key(&at) => format!("{ty}.OfRaw({raw})"),
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
                format!("Raw.List({raw}, {it} => {})", self.back(*item, &it, level + 1))
            }
            Wire::Map { key, value, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: value, .. }) => {
                let entry = format!("((KeyValuePair<object, object>){it})");
                let (of_key, of) = (self.ty(*key, level + 1), self.ty(*value, level + 1));
                let key = self.back(*key, &format!("{entry}.Key"), level + 1);
                let value = self.back(*value, &format!("{entry}.Value"), level + 1);
                format!("Raw.List({raw}, {it} => new KeyValuePair<{of_key}, {of}>({key}, {value}))")
            }
            Wire::Packed { ty, solid, .. } => {
                format!("Raw.List({raw}, {it} => ({}){it})", element(*ty, solid))
            }
            Wire::Strings { .. } => format!("Raw.List({raw}, {it} => (string){it})"),
            _ => format!("({ty}){raw}"),
        }
    }
}

fn summary(message: &MessageLayout<'_>) -> String {
    // A name may hold anything: one with characters that a comment could not hold is told by its id.
    let name = &message.declared.name;
    let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_ -.".contains(letter));
    let shown = if is_plain { name.clone() } else { format!("number {}", message.id) };
    format!("/// <summary>The message {shown}, which {} may send.</summary>\n", from(message))
}

fn element(ty: VariantType, solid: &Solid) -> &'static str {
    let is_int = matches!(solid, Solid::Each(forms) if forms.iter().all(|form| {
        matches!(form, Form::Span { .. } | Form::Open { .. })
    }));
    match (size(ty), is_int) {
        (1, true) => "long",
        (1, false) => "double",
        _ => "double[]",
    }
}

fn listed(values: &[Vec<u8>]) -> &'static str {
    let all = |is: fn(&Value) -> bool| values.iter().all(|bytes| read(bytes).is_ok_and(|value| is(&value)));
    if all(|value| matches!(value, Value::String(_) | Value::StringName(_))) {
        "string"
    } else if all(|value| matches!(value, Value::Int(_))) {
        "long"
    } else {
        "object"
    }
}
