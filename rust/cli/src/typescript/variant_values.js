// The values of Godot's that JavaScript has none for, and the error of their codec.

/** Says why bytes or a value were refused: a kind of VariantCodec, the path of the part, and the byte. */
export class VariantError extends Error {
  constructor(kind, path, byte) {
    super(`${path || "(root)"}: ${kind}${byte === undefined ? "" : ` (byte ${byte})`}`);
    this.name = "VariantError";
    Object.assign(this, { kind, path, byte });
  }
}

/** A float that a number would not tell from an int: 1.0. `bits` keeps those of a NaN that is none of JavaScript's. */
export class Float {
  constructor(value, bits) {
    this.value = value;
    if (bits !== undefined) this.bits = bits;
  }

  valueOf() {
    return this.value;
  }
}

export class StringName {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

export class NodePath {
  constructor(absolute, names, subnames) {
    Object.assign(this, { absolute, names, subnames });
  }
}

/** A handle of a running game, by its number. */
export class Rid {
  constructor(id) {
    this.id = id;
  }
}

/** An object of a running game, by its number. */
export class ObjectId {
  constructor(id) {
    this.id = id;
  }
}

/** An object in full: its class and [name, value] of each property. Nothing is ever made of it. */
export class GodotObject {
  constructor(className, properties) {
    Object.assign(this, { className, properties });
  }
}

export class Callable {}

export class Signal {
  constructor(name, object) {
    Object.assign(this, { name, object });
  }
}

/**
 * The numbers of a vector, a transform, a color: new Numbers("Vector2", [1, -2]). `wide` ones have 64 bits each, and `nans` the
 * bits of those that are none.
 */
export class Numbers {
  constructor(type, values, wide = false) {
    Object.assign(this, { type, values, wide });
  }
}

/** The numbers of an array of vectors or colors, one vector after another, in a Float32Array or, of 64 bits, a Float64Array. */
export class PackedVectors {
  constructor(type, values) {
    Object.assign(this, { type, values });
  }
}

export class PackedStrings {
  constructor(texts) {
    this.texts = texts;
  }
}

/** An Array with a type: "int", or { class } or { script } of its elements. */
export class TypedArray extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}

/**
 * A Map whose keys are compared as Godot does, by what is in them: get(new Numbers("Vector2i", [1, 2])), and get([1, 2]) where
 * a protocol's keys are vectors. Typed ones have a `keyType` and a `valueType`.
 */
export class Dictionary extends Map {
  /** The key that is in the map for one that is like it. */
  #own(key) {
    const isPlain = typeof key !== "object" && typeof key !== "string" && key === key;
    if (isPlain || key === null || !this.others) return key;
    const token = tokenOf(key);
    const own = this.others.get(token);
    return own === undefined ? key : own;
  }

  get(key) {
    return super.get(this.#own(key));
  }

  has(key) {
    return super.has(this.#own(key));
  }

  set(key, value) {
    if (typeof key !== "object" || key === null) return super.set(this.others ? this.#own(key) : key, value);
    this.others ??= new Map();
    const token = tokenOf(key);
    let own = this.others.get(token);
    if (own === undefined) {
      own = key instanceof StringName && super.has(key.text) ? key.text : key;
      this.others.set(token, own);
    }
    return super.set(own, value);
  }

  delete(key) {
    const own = this.#own(key);
    if (typeof own === "object" && own !== null) this.others.delete(tokenOf(own));
    return super.delete(own);
  }
}

/** A text that is the same for two keys that Godot takes for one. No text of Godot's begins with NUL. */
function tokenOf(key) {
  if (typeof key === "string") return `\0&${key}`;
  if (key instanceof StringName) return `\0&${key.text}`;
  if (key instanceof Float) return `\0f${key.value + 0}`;
  if (typeof key === "number" && !Number.isSafeInteger(key)) return `\0f${key}`;
  if (typeof key !== "object" || key === null) return `\0${typeof key} ${key}`;
  if (key instanceof Numbers || key instanceof PackedVectors) return `\0${key.type}${Array.from(key.values, (number) => number + 0)}`;
  if (key instanceof Map) return tokensOf("{", [...key].flat());
  if (key instanceof PackedStrings) return tokensOf("p", key.texts);
  if (Array.isArray(key)) return tokensOf("[", key);
  if (ArrayBuffer.isView(key)) return `\0${key.constructor.name}${Array.from(key)}`;
  return tokensOf(key.constructor?.name, Object.values(key));
}

/** Each behind its length: no text in it can pose as two. Escapes would double from level to level. */
function tokensOf(kind, parts) {
  let token = `\0${kind}`;
  for (const part of parts) {
    // Inside of a key a StringName is no String.
    const each = part instanceof StringName ? `\0s${part.text}` : tokenOf(part);
    token += `${each.length}:${each}`;
  }
  return token;
}

/**
 * An object of a document, which VariantCodec writes with a class set. `properties` are a Map by their names; an object that is
 * written as one value, such as the path of a file, has that as its `key`.
 */
export class DocumentObject {
  constructor(tag, version) {
    Object.assign(this, { tag, version, properties: new Map(), key: undefined });
  }
}

const FORM = /^variant_objects\/\d+$/;

/** Whether a value is a document of objects. */
export function isDocument(value) {
  return Array.isArray(value) && value.length > 2 && typeof value[0] === "string" && FORM.test(value[0]);
}

/**
 * The value of a document, with its objects in it wherever it refers to them, also in circles. It takes the document apart, and
 * knows no classes: what they allow is checked by whoever has them. As keys of Dictionaries objects stay references.
 */
export function readDocument(document) {
  const refuse = (path) => {
    throw new VariantError("WRONG_TYPE", path);
  };
  if (!isDocument(document) || !Array.isArray(document[1])) refuse("");
  const classes = document[1].map((each, at) => {
    const [tag, version, names, rows] = Array.isArray(each) ? each : [];
    const isClass = typeof tag === "string" && Number.isInteger(version) && names instanceof PackedStrings && Array.isArray(rows);
    return isClass ? { names: names.texts, rows, made: rows.map(() => new DocumentObject(tag, version)) } : refuse(`[1][${at}]`);
  });
  const referred = (part) => {
    if (part instanceof Rid) return classes[Number(part.id >> 32n) - 1]?.made[Number(part.id & 0xffffffffn)] ?? part;
    if (Array.isArray(part)) for (let at = 0; at < part.length; at++) part[at] = referred(part[at]);
    else if (part instanceof Map) for (const [key, value] of part) part.set(key, referred(value));
    return part;
  };
  classes.forEach(({ names, rows, made }, at) =>
    made.forEach((object, row) => {
      if (object.version === 0) object.key = referred(rows[row]);
      else if (!Array.isArray(rows[row]) || rows[row].length !== names.length) refuse(`[1][${at}][3][${row}]`);
      else names.forEach((name, column) => object.properties.set(name, referred(rows[row][column])));
    }),
  );
  return referred(document[2]);
}
