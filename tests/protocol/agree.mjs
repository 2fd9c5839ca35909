// Holds a module of `gdvar protocol typescript` to the vectors of `gdvar protocol vectors`:
// node agree.mjs MODULE.js VECTORS.json
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , modulePath, vectorsPath] = process.argv;
const { messages, HELLO, PROTOCOL_HASH, PackError, encode, decode } = await import(pathToFileURL(modulePath));
const vectors = JSON.parse(readFileSync(vectorsPath, "utf8"));

const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));
let checks = 0;
const failures = [];

function check(name, got, wanted) {
  checks++;
  if (got !== wanted) failures.push(`${name}:\n  got    ${got}\n  wanted ${wanted}`);
}

/** A value of the module as text: Dictionaries and Maps by their sorted entries, numbers as they print. */
function shown(value) {
  if (value instanceof Uint8Array) return `bytes ${hex(value)}`;
  if (value instanceof Map) return entries([...value]);
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value === "object" && value !== null) return entries(Object.entries(value));
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function entries(pairs) {
  return `{${pairs.map(([key, value]) => `${shown(key)}: ${shown(value)}`).sort().join(", ")}}`;
}

/** Tagged JSON in the same form. */
function tagged(json) {
  if (Array.isArray(json)) return `[${json.map(tagged).join(", ")}]`;
  if (typeof json !== "object" || json === null) return shown(json);
  const keys = Object.keys(json);
  const isTagged = keys.length === 1 && keys[0].startsWith("$") && keys[0] !== "$entries";
  const tag = isTagged ? keys[0].slice(1) : "";
  const inner = tag && json[keys[0]];
  switch (tag) {
    case "":
      return entriesOf(json);
    case "NodePath": {
      const text = Array.isArray(inner) || typeof inner === "object" ? inner : undefined;
      if (text) return entries(Object.entries(text));
      const [path, ...subnames] = inner.split(":");
      const names = path.split("/").filter((name) => name !== "");
      return entries(Object.entries({ absolute: path.startsWith("/"), names, subnames }));
    }
    case "int":
      return String(BigInt(inner));
    case "float":
      return { inf: "Infinity", "-inf": "-Infinity", nan: "NaN" }[inner] ?? shown(Number(inner));
    case "PackedByteArray":
      return typeof inner === "string" ? tagged([...bytes(inner)]) : tagged(inner);
    case "Dictionary":
      return `{${inner.map(([key, value]) => `${tagged(key)}: ${tagged(value)}`).sort().join(", ")}}`;
    default:
      return tagged(rows(tag, inner));
  }
}

/** Numbers of 32 bits are written as short as 32 bits allow, and vectors of a packed array one after another. */
function rows(tag, inner) {
  const isNarrow = /^(PackedFloat32|PackedVector|PackedColor|Vector\d$|Rect2$|Plane|Quaternion|AABB|Basis|Transform|Projection|Color)/.test(tag);
  const numbers = isNarrow && !tag.endsWith(":64") ? inner.map(Math.fround) : inner;
  const size = { PackedVector2Array: 2, PackedVector3Array: 3, PackedVector4Array: 4, PackedColorArray: 4 }[tag];
  return size ? Array.from({ length: numbers.length / size }, (_, at) => numbers.slice(at * size, at * size + size)) : numbers;
}

function entriesOf(json) {
  const pairs = Object.entries(json).filter(([key]) => key !== "$entries");
  const all = pairs.map(([key, value]) => [JSON.stringify(key), tagged(value)]);
  for (const [key, value] of json.$entries ?? []) all.push([tagged(key), tagged(value)]);
  return `{${all.map(([key, value]) => `${key}: ${value}`).sort().join(", ")}}`;
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (error instanceof PackError) return error;
    throw error;
  }
}

check("hello", hex(HELLO), vectors.hello);
check("hash", PROTOCOL_HASH, vectors.protocol_hash);
for (const { name, id, accepted, deltas, deltas_from_two, refused, refused_deltas = [] } of vectors.messages) {
  const { codec, state } = messages[name];
  check(`${name}.id`, messages[name].id, id);
  for (const { value, packed } of accepted) {
    const made = codec.unpack(bytes(packed));
    if (!name.startsWith("any")) check(`${name} ${packed}`, shown(made), tagged(value));
    check(`${name} packed again`, hex(codec.pack(made)), packed);
    if (!state) check(`${name} as a packet`, shown(decode(encode(name, made)).value), shown(made));
  }
  for (const { base, new: wanted, delta } of deltas) {
    check(`${name} ${base} + ${delta}`, hex(codec.apply(bytes(base), bytes(delta))), wanted);
  }
  for (const { newer, older, ahead, gap, new: next, delta } of deltas_from_two) {
    const made = codec.apply([bytes(newer), bytes(older), ahead, gap], bytes(delta));
    check(`${name} ${delta} on ${newer} and ${older}`, hex(made), next);
  }
  for (const { base, delta } of refused_deltas) {
    const outcome = attempt(() => codec.apply(bytes(base), bytes(delta)));
    // A refusal that names a bit comes while the difference is read, before anything is made of it.
    check(`${name} ${base} + ${delta}`, outcome instanceof PackError && outcome.bit !== undefined, true);
  }
  for (const { packed, error } of refused) {
    // What stands inside any() is judged by who reads it.
    if (name.startsWith("any")) continue;
    const outcome = attempt(() => codec.unpack(bytes(packed)));
    check(`${name} ${packed} (${error.kind} at ${error.path})`, outcome instanceof PackError, true);
  }
}
for (const failure of failures.slice(0, 20)) console.error(failure);
console.log(`${checks - failures.length} of ${checks} agree`);
process.exit(failures.length === 0 && checks > 20 ? 0 : 1);
