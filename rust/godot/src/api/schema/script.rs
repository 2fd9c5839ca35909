//! Schemas of scripts and functions, from what their declarations tell. The property list alone does not tell all
//! of it: defaults come from one instance made for it, values of enums from the script's constants.
//!
//! A declaration that cannot be understood is a mistake that names the variable; it never becomes `any()`.

use godot::builtin::{AnyArray, AnyDictionary, GString, Variant, VariantType as GodotType};
use godot::classes::Script;
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::godot_api;
use variant_core::{ElementType, Value, VariantType};
use variant_schema::{Checker, Schema, Shape};

use super::super::class_set::VariantClassSet;
use super::VariantSchema;
use super::arguments::{self, ArgumentResult, or_mistake};
use super::declared::{Declared, defaults, instance, is_script, listed, text};
use super::named;
use crate::call::schema::copied;
use crate::objects::inherits;
use crate::raw::optional::Optional;

/// Flags of property usage: a variable of the script, a value that may be anything, an int that is an enum.
const SCRIPT_VARIABLE: i64 = 1 << 12;
const CLASS_IS_ENUM: i64 = 1 << 16;
/// Names of elements of any type, the second where the variable is exported.
const ANYTHING: [&str; 2] = ["Variant", "0:"];
/// Flags of methods: one that takes any more arguments, one that needs no instance.
const VARARG: i64 = 1 << 4;
const STATIC: i64 = 1 << 5;
/// The class of a decoded object id.
const ENCODED_OBJECT: &str = "EncodedObjectAsID";
/// The class of a variable that holds an object weakly.
pub(in crate::api) const WEAK_REF: &str = "WeakRef";
/// Property hints: `1,9,1,or_greater`, and the element type of a typed array or dictionary.
const HINT_RANGE: i64 = 1;
const HINT_ENUM: i64 = 2;
const HINT_TYPE_STRING: i64 = 23;
const HINT_ARRAY_TYPE: i64 = 31;
const HINT_DICTIONARY_TYPE: i64 = 38;

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn from_script(
        script: Option<Gd<Script>>,
        #[opt(default = Optional::none())] classes: Optional<Option<Gd<VariantClassSet>>>,
    ) -> Gd<Self> {
        let allowed = classes.0.map(|classes| classes.bind().allowed());
        let (mut scripts, script) = (Scripts { allowed, ..Scripts::default() }, script.to_variant());
        let root = match &scripts.allowed {
            Some(_) if is_script(&script) => scripts.variables("script", &script),
            _ => scripts.script("script", &script, &Variant::nil()),
        };
        Self::of(or_mistake(root.map(|root| scripts.defined(root))))
    }

    #[func]
    fn from_method(script: Option<Gd<Script>>, method: GString) -> Gd<Self> {
        let mut scripts = Scripts::default();
        let root = scripts.method(&script.to_variant(), &method.to_string());
        Self::of(or_mistake(root.map(|schema| scripts.defined(schema))))
    }
}

/// Scripts on the way: each becomes a definition, so that they may hold one another.
#[derive(Default)]
pub(in crate::api) struct Scripts {
    /// Name of the definition, instance id of the script, and its schema once that is known.
    known: Vec<(String, i64, Option<Schema>)>,
    /// Classes whose objects are no dictionaries.
    allowed: Option<Allowed>,
}

/// The classes of a VariantClassSet, as declarations name them.
#[derive(Clone, Default)]
pub(in crate::api) struct Allowed {
    /// Scripts and their tags.
    pub(in crate::api) scripts: Vec<(Gd<Script>, String)>,
    /// Tags of classes that are written by keys, whose scripts are not known.
    pub(in crate::api) others: Vec<String>,
}

impl Allowed {
    /// The schema of a variable that is declared to hold objects of a script's class: of that, or of one that extends it.
    fn variable(&self, script: &Variant) -> Option<Schema> {
        let script = script.try_to::<Gd<Script>>().ok()?;
        let extends = |(it, _): &&(Gd<Script>, String)| inherits(Some(it.clone()), &script);
        either(self.scripts.iter().filter(extends).map(|(_, tag)| tag))
    }

    /// Returns the schema of a class that none of the scripts is: an asset, or a class that is written by a
    /// value.
    fn other(&self) -> Option<Schema> {
        either(&self.others)
    }
}

/// An object of one of these classes, or null.
fn either<'t>(tags: impl IntoIterator<Item = &'t String>) -> Option<Schema> {
    let mut schemas: Vec<Schema> = tags.into_iter().map(|tag| variant_objects::object(tag)).collect();
    match schemas.len() {
        0 => None,
        1 => schemas.pop().map(|schema| schema.nullable()),
        _ => Some(Schema::union(schemas).nullable()),
    }
}

impl Scripts {
    fn defined(self, root: Schema) -> Schema {
        let named = self.known.into_iter().filter_map(|(name, _, schema)| Some((name, schema?)));
        named.fold(root, |root, (name, schema)| root.define(&name, schema))
    }

    /// `holder`: the script that declares something of it.
    fn script(&mut self, place: &str, script: &Variant, holder: &Variant) -> ArgumentResult<Schema> {
        if !is_script(script) {
            return Err(format!("{place}: expected a script with typed variables{}", instead_of(script)));
        }
        let id: i64 = script.call("get_instance_id", &[]).to();
        if let Some((name, ..)) = self.known.iter().find(|(_, known, _)| *known == id) {
            return Ok(Schema::reference(name));
        }
        // Below the root, an object is an object.
        if let Some(allowed) = &self.allowed {
            let schema = allowed.variable(script).or_else(|| allowed.other());
            let missing =
                || format!("{place} is an object of a class that is not allowed: allow() it as well");
            return schema.ok_or_else(missing);
        }
        let name = self.unused(named::script(script, holder));
        self.known.push((name.clone(), id, None));
        let at = self.known.len() - 1;
        let schema = self.variables(place, script)?;
        self.known[at].2 = Some(schema);
        Ok(Schema::reference(&name))
    }

    /// Two classes of one name are told apart in documents, too.
    fn unused(&self, name: String) -> String {
        let is_used = |name: &String| self.known.iter().any(|(known, ..)| known == name);
        if !is_used(&name) {
            return name;
        }
        let mut others = (2_usize..).map(|number| format!("{name} ({number})"));
        others.find(|other| !is_used(other)).unwrap_or(name)
    }

    fn variables(&mut self, place: &str, script: &Variant) -> ArgumentResult<Schema> {
        let instance = instance(place, script)?;
        let stated = stated(place, script)?;
        let mut keys: Vec<(String, Schema)> = Vec::new();
        for declared in listed(&script.call("get_script_property_list", &[])) {
            if declared.usage & SCRIPT_VARIABLE == 0 {
                continue;
            }
            let place = format!("{place}: variable {}", declared.name);
            let value = instance.call("get", &[Variant::from(declared.name.as_str())]);
            let told = stated.as_ref().and_then(|stated| stated.get(declared.name.as_str()));
            let schema = match told {
                Some(told) => arguments::schema(&place, &told)?,
                None => self.declared(&place, script, &declared, &value).map_err(with_advice)?,
            };
            keys.push((declared.name.clone(), with_default(schema, &value)));
        }
        if keys.is_empty() {
            return Err(format!("{place}: the script has no variables"));
        }
        let named = stated.iter().flat_map(|stated| stated.keys_array().iter_shared().collect::<Vec<_>>());
        if let Some(other) = named.map(|name| name.stringify().to_string()).find(|name| !has(&keys, name)) {
            return Err(format!("{place}: schema_types() names {other}, which is no variable of the script"));
        }
        Ok(Schema::new(Shape::Dict { keys, open: false }))
    }

    fn method(&mut self, script: &Variant, method: &str) -> ArgumentResult<Schema> {
        if !is_script(script) {
            return Err(format!("script: expected a script with this function{}", instead_of(script)));
        }
        let methods: AnyArray = script.call("get_script_method_list", &[]).to();
        let found = methods.iter_shared().map(|it| it.to::<AnyDictionary>());
        let found = found.into_iter().find(|it| text(it, "name") == method);
        let found = found.ok_or_else(|| format!("method: the script has no function {method}"))?;
        let (arguments, defaults) = (listed(&found.get("args").unwrap_or_default()), defaults(&found));
        let required = arguments.len().saturating_sub(defaults.len());
        let mut items = Vec::new();
        for (at, declared) in arguments.iter().enumerate() {
            let place = format!("{method}: argument {}", declared.name);
            let schema = self.declared(&place, script, declared, &Variant::nil())?;
            items.push(match at.checked_sub(required).and_then(|at| defaults.get(at)) {
                None => schema,
                // The engine knows constants only; what else is the default, the function itself fills in.
                Some(default) if default.is_nil() => schema.optional(),
                Some(default) => with_default(schema.optional(), default),
            });
        }
        let arguments = Schema::tuple(items);
        // `...rest` takes whatever follows; of its elements the engine knows no type.
        let flags: i64 = found.get("flags").and_then(|flags| flags.try_to().ok()).unwrap_or(0);
        Ok(if flags & VARARG == 0 { arguments } else { arguments.open(true) })
    }

    /// For the classes of a VariantClassSet.
    pub(in crate::api) fn of_classes(allowed: Allowed) -> Scripts {
        Scripts { allowed: Some(allowed), ..Scripts::default() }
    }

    /// The schema of one variable, as `script` declares it; `value` is what an instance has there.
    pub(in crate::api) fn declared(
        &mut self,
        place: &str,
        script: &Variant,
        it: &Declared,
        value: &Variant,
    ) -> ArgumentResult<Schema> {
        if let Some(hinted) = hinted(place, it.ty, it.hint, &it.hint_text) {
            return hinted;
        }
        match it.ty {
            VariantType::Nil => Err(format!("{place} has no type")),
            VariantType::Int if it.usage & CLASS_IS_ENUM != 0 => enumeration(place, script, &it.class)
                .ok_or_else(|| format!("{place} is an enum that no script at hand defines: {}", it.class)),
            VariantType::Array => match it.hint {
                HINT_ARRAY_TYPE | HINT_TYPE_STRING => {
                    let of = Element { script, of: of_container(value, "get_typed_script") };
                    Ok(typed(Schema::array(self.element(place, &it.hint_text, &of)?)))
                }
                _ => Err(format!("{place} is an Array without an element type")),
            },
            VariantType::Dictionary => match it.hint_text.split_once(';') {
                Some((key, item)) if matches!(it.hint, HINT_DICTIONARY_TYPE | HINT_TYPE_STRING) => {
                    let of = |method| Element { script, of: of_container(value, method) };
                    let key = self.element(place, key, &of("get_typed_key_script"))?;
                    let item = self.element(place, item, &of("get_typed_value_script"))?;
                    Ok(typed(Schema::map(key, item)))
                }
                _ => Err(format!("{place} is a Dictionary without key and value types")),
            },
            VariantType::Object => self.object(place, script, &it.class, value),
            ty => Ok(Schema::of_type(ty)),
        }
    }

    /// Returns the schema of the element that a typed container names: `int`, `2:int` or `2/1:0,9` where it
    /// is exported, or a class.
    fn element(&mut self, place: &str, name: &str, it: &Element<'_>) -> ArgumentResult<Schema> {
        if ANYTHING.contains(&name) {
            return Ok(Schema::any());
        }
        let mut name = name;
        if let Some((number, hint_text)) = name.split_once(':') {
            let (number, hint) = number.split_once('/').unwrap_or((number, "0"));
            let ty = number.parse().ok().and_then(VariantType::from_id);
            match ty {
                Some(VariantType::Object) => name = hint_text,
                // What begins as `res:` is a name.
                Some(VariantType::Nil) | None => {}
                Some(ty) => {
                    let hint = hint.parse().unwrap_or(0);
                    return hinted(place, ty, hint, hint_text).unwrap_or_else(|| Ok(Schema::of_type(ty)));
                }
            }
        }
        if name == ENCODED_OBJECT {
            return Ok(Schema::of_type(VariantType::Object));
        }
        if let Some(ty) = VariantType::ALL.iter().find(|ty| ty.name() == name && **ty != VariantType::Object)
        {
            return Ok(Schema::of_type(*ty));
        }
        let script = if is_script(&it.of) { it.of.clone() } else { named::global_script(name) };
        if is_script(&script) {
            return self.script(place, &script, it.script);
        }
        if let Some(schema) = enumeration(place, it.script, name) {
            return Ok(schema);
        }
        if let Some(schema) = self.allowed.as_ref().and_then(Allowed::other) {
            return Ok(schema);
        }
        Err(format!("{place} holds elements of a class or an enum that is not known by name: {name}"))
    }

    fn object(
        &mut self,
        place: &str,
        holder: &Variant,
        class: &str,
        value: &Variant,
    ) -> ArgumentResult<Schema> {
        if class == ENCODED_OBJECT {
            let schema = Schema::of_type(VariantType::Object);
            return Ok(if value.is_nil() { schema.nullable() } else { schema });
        }
        if class == WEAK_REF && self.allowed.is_some() {
            return Ok(variant_objects::any_object().nullable());
        }
        let of_default = if value.is_nil() { Variant::nil() } else { value.call("get_script", &[]) };
        let script = if is_script(&of_default) { of_default } else { named::global_script(class) };
        if !is_script(&script) {
            if let Some(schema) = self.allowed.as_ref().and_then(Allowed::other) {
                return Ok(schema);
            }
            return Err(format!("{place} is an object of a class that is no script with a class_name"));
        }
        let schema = self.script(place, &script, holder)?;
        Ok(if value.is_nil() { schema.nullable() } else { schema })
    }
}

/// Says how to get a script of what was given instead.
fn instead_of(value: &Variant) -> &'static str {
    match value.get_type() {
        GodotType::STRING | GodotType::STRING_NAME | GodotType::NODE_PATH => {
            ", got a text: load() the script first"
        }
        _ => "",
    }
}

/// Tells how elements of a container are known: by the script that declares it, and by the one that the
/// container itself has for them, with a global name or without.
struct Element<'s> {
    script: &'s Variant,
    of: Variant,
}

/// Engines that know no such method have no such container.
fn of_container(value: &Variant, method: &str) -> Variant {
    let is_container = matches!(value.get_type(), GodotType::ARRAY | GodotType::DICTIONARY);
    if is_container { value.call(method, &[]) } else { Variant::nil() }
}

/// Only elements of one type can be typed again; nested data classes are dictionaries.
fn typed(schema: Schema) -> Schema {
    let typed = schema.typed();
    if typed.compile().is_ok() { typed } else { schema }
}

/// Adds that the author of a data class can state its schema.
fn with_advice(message: String) -> String {
    const ADVICE: &str = "; say what it is in a static func schema_types()";
    if message.ends_with(ADVICE) { message } else { message + ADVICE }
}

/// Fills in a default that the schema accepts. A default that it refuses, such as 0 of a range from 1, means
/// that the sender has to say the value, and so does an object: an object that a script makes for itself is
/// none for anybody else.
fn with_default(schema: Schema, value: &Variant) -> Schema {
    if schema.is_required() || (matches!(schema.shape(), Shape::Ref(_)) && !schema.is_nullable()) {
        return schema.settled();
    }
    let Ok(tree) = copied(value).map(without_classes) else { return schema };
    let is_good = match schema.compile() {
        Ok(program) => Checker::new().check(&program, &tree).is_ok(),
        Err(_) => tree == Value::Nil || is_empty(&tree),
    };
    if is_good { schema.default_value(tree) } else { schema }
}

/// Replaces objects by dictionaries: a container that is declared to hold objects holds those here, as nested
/// data classes come out.
fn without_classes(value: Value) -> Value {
    let names_class = |of: &ElementType| !matches!(of, ElementType::None | ElementType::Builtin(_));
    let mut value = value;
    match &mut value {
        Value::Array(array) if names_class(&array.element) => array.element = ElementType::None,
        Value::Dictionary(of) if names_class(&of.key) || names_class(&of.value) => {
            (of.key, of.value) = (ElementType::None, ElementType::None);
        }
        _ => {}
    }
    value
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(array) => array.items.is_empty(),
        Value::Dictionary(dictionary) => dictionary.entries.is_empty(),
        _ => false,
    }
}

fn has(keys: &[(String, Schema)], name: &str) -> bool {
    keys.iter().any(|(known, _)| known == name)
}

/// Returns what an annotation says of a number or a text, if it says anything that bytes could break.
fn hinted(place: &str, ty: VariantType, hint: i64, hint_text: &str) -> Option<ArgumentResult<Schema>> {
    match (ty, hint) {
        (VariantType::Int | VariantType::Float, HINT_RANGE) => Some(Ok(ranged(ty, hint_text))),
        (VariantType::Int, HINT_ENUM) => Some(numbers(place, hint_text)),
        (VariantType::String, HINT_ENUM) => Some(Ok(texts(hint_text, Value::String))),
        (VariantType::StringName, HINT_ENUM) => Some(Ok(texts(hint_text, Value::StringName))),
        _ => None,
    }
}

/// `1,9,1,or_greater`. Angles are told in degrees where the variable has radians.
fn ranged(ty: VariantType, hint_text: &str) -> Schema {
    let parts: Vec<&str> = hint_text.split(',').map(str::trim).collect();
    let says = |word: &str| parts.contains(&word);
    let bound = |at: usize| {
        let told = parts.get(at).and_then(|part| part.parse::<f64>().ok())?;
        Some(if says("radians_as_degrees") { told.to_radians() } else { told })
    };
    let mut schema = Schema::of_type(ty);
    for (at, word) in [(0, "or_less"), (1, "or_greater")] {
        let Some(bound) = bound(at).filter(|_| !says(word)) else { continue };
        #[expect(clippy::cast_possible_truncation, reason = "the range of an int variable is of ints")]
        let number = match ty {
            VariantType::Int => variant_schema::Number::Int(bound as i64),
            _ => variant_schema::Number::Float(bound),
        };
        schema = if at == 0 { schema.min(number) } else { schema.max(number) };
    }
    schema
}

/// `A:0,B:4`, where what has no number is one more than what is before it.
fn numbers(place: &str, hint_text: &str) -> ArgumentResult<Schema> {
    let mut next = Some(0_i64);
    let values = hint_text.split(',').map(|entry| {
        let stated = entry.rsplit_once(':').and_then(|(_, number)| number.trim().parse().ok());
        let number = stated.or(next).ok_or_else(|| format!("{place} has a value beyond the largest int"))?;
        next = number.checked_add(1);
        Ok(Value::Int(number))
    });
    Ok(Schema::enumeration(values.collect::<ArgumentResult<Vec<_>>>()?))
}

/// `sword,bow`.
fn texts(hint_text: &str, value: impl Fn(String) -> Value) -> Schema {
    Schema::enumeration(hint_text.split(',').map(|text| value(text.trim().to_owned())).collect::<Vec<_>>())
}

/// The numbers of an enum by its full name, where no annotation lists them.
fn enumeration(place: &str, script: &Variant, name: &str) -> Option<Schema> {
    let values = arguments::values(place, &named::enumeration(script, name)?).ok()?;
    (!values.is_empty()).then(|| Schema::enumeration(values))
}

/// Returns what the script states of itself, where declarations cannot.
fn stated(place: &str, script: &Variant) -> ArgumentResult<Option<AnyDictionary>> {
    let methods = script.call("get_script_method_list", &[]).to::<AnyArray>();
    let mut methods = methods.iter_shared().map(|it| it.to::<AnyDictionary>());
    let Some(method) = methods.find(|it| text(it, "name") == "schema_types") else { return Ok(None) };
    // Anything else the engine would not call, and print why.
    let flags: i64 = method.get("flags").and_then(|flags| flags.try_to().ok()).unwrap_or(0);
    let wants = listed(&method.get("args").unwrap_or_default()).len() > defaults(&method).len();
    if flags & STATIC == 0 || wants {
        return Err(format!("{place}: schema_types() has to be static and without arguments"));
    }
    let stated = script.call("schema_types", &[]).try_to();
    stated.map(Some).map_err(|_| format!("{place}: schema_types() has to return a Dictionary"))
}
