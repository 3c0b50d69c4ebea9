//! `docs/json.schema.json`: its reader, and the comparison of a report with it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The schema of the reports.
pub fn schema() -> Value {
    read(include_str!("../../../../../docs/json.schema.json")).unwrap()
}

/// The violations of the schema in a report, with JSON pointers to them.
pub fn violations(report: &Value) -> Vec<String> {
    violations_of(&schema(), report)
}

/// The same in a line of `kifu --list`.
pub fn violations_in_list(line: &Value) -> Vec<String> {
    violations_of(&read(include_str!("../../../../../docs/kifu-list.schema.json")).unwrap(), line)
}

fn violations_of(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    faults(value, schema, schema, "", &mut found);
    found
}

/// JSON text without duplicate keys. `serde_json::Value` keeps the last of equal keys, so that a schema could describe a member
/// twice and check it once.
pub fn read(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str::<Unique>(text).map(|Unique(value)| value)
}

struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Unique)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, an array, a string, an integer or a boolean")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Unique(value))) = members.next_entry::<String, _>()? {
            if map.insert(key.clone(), value).is_some() {
                return Err(A::Error::custom(format_args!("`{key}` occurs twice in one object")));
            }
        }
        Ok(map.into())
    }
}

/// The types of the members of all objects in a schema, by name, with JSON pointers to them.
pub fn members(schema: &Value) -> BTreeMap<String, Vec<(String, Value)>> {
    let mut found = BTreeMap::new();
    collect(schema, schema, "", &mut found);
    found
}

fn collect(schema: &Value, root: &Value, at: &str, found: &mut BTreeMap<String, Vec<(String, Value)>>) {
    for (keyword, inner) in schema.as_object().into_iter().flatten() {
        match keyword.as_str() {
            "properties" | "$defs" => {
                for (name, member) in inner.as_object().into_iter().flatten() {
                    let at = format!("{at}/{keyword}/{name}");
                    if keyword == "properties" {
                        found.entry(name.clone()).or_default().push((at.clone(), type_of(member, root)));
                    }
                    collect(member, root, &at, found);
                }
            }
            "items" | "additionalProperties" => collect(inner, root, &format!("{at}/{keyword}"), found),
            "anyOf" => {
                for (index, inner) in inner.as_array().into_iter().flatten().enumerate() {
                    collect(inner, root, &format!("{at}/{keyword}/{index}"), found);
                }
            }
            _ => {}
        }
    }
}

/// A schema without descriptions, limits and `null`.
fn type_of(schema: &Value, root: &Value) -> Value {
    if let Some(pointer) = schema["$ref"].as_str() {
        return type_of(root.pointer(pointer.trim_start_matches('#')).expect(pointer), root);
    }
    // The only one that is not `null`, of several; a single type is its own.
    let sole = |schemas: &Value| {
        let Some(list) = schemas.as_array() else { return Some(schemas.clone()) };
        let others: Vec<_> = list.iter().filter(|item| item["type"] != "null" && **item != "null").collect();
        if let [sole] = *others { Some(sole.clone()) } else { None }
    };
    if let Some(sole) = schema.get("anyOf").and_then(sole) {
        return type_of(&sole, root);
    }
    let mut plain = schema.clone();
    if let Some(map) = plain.as_object_mut() {
        map.retain(|keyword, _| !["description", "minimum"].contains(&keyword.as_str()));
        if let Some(sole) = map.get("type").and_then(sole) {
            map.insert("type".to_owned(), sole);
        }
    }
    plain
}

/// Violations of a schema, with JSON pointers to them. Knows the keywords that our schema uses and refuses others.
fn faults(value: &Value, schema: &Value, root: &Value, at: &str, found: &mut Vec<String>) {
    for (keyword, wanted) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "properties" => {}
            "$ref" => {
                let pointer = wanted.as_str().unwrap().strip_prefix('#').expect("a place in this file");
                faults(value, root.pointer(pointer).expect(pointer), root, at, found);
            }
            "anyOf" => {
                let fits = wanted.as_array().unwrap().iter().any(|schema| {
                    let mut found = Vec::new();
                    faults(value, schema, root, at, &mut found);
                    found.is_empty()
                });
                if !fits {
                    found.push(format!("{at}: {value} fits none of {wanted}"));
                }
            }
            "type" => {
                let names = wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice);
                if !names.iter().any(|name| is_of_type(value, name.as_str().unwrap())) {
                    found.push(format!("{at}: {value} is no {wanted}"));
                }
            }
            "minimum" => {
                if value.as_f64() < wanted.as_f64() {
                    found.push(format!("{at}: {value} is less than {wanted}"));
                }
            }
            "required" => {
                let names = wanted.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                found.extend(
                    names.filter(|name| value.get(name).is_none()).map(|name| format!("{at}: no {name}")),
                );
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    faults(item, wanted, root, &format!("{at}/{index}"), found);
                }
            }
            "additionalProperties" => {
                for (name, member) in value.as_object().into_iter().flatten() {
                    let at = format!("{at}/{name}");
                    match (schema.pointer(&format!("/properties/{name}")), wanted) {
                        (Some(schema), _) => faults(member, schema, root, &at, found),
                        (None, Value::Bool(false)) => found.push(format!("{at}: not in the schema")),
                        (None, schema) => faults(member, schema, root, &at, found),
                    }
                }
            }
            other => panic!("the validator does not know `{other}`"),
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type of JSON: {other}"),
    }
}
