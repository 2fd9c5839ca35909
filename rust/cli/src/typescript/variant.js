// Godot's binary Variant format without a schema: what var_to_bytes() writes and bytes_to_var() reads, all 39 types. What is
// decoded encodes to the same bytes again. It refuses what no engine writes, and allocates nothing because bytes claim it.

const WIDE = 0x10000;
const TYPE_NAMES = (
  "Nil bool int float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane Quaternion AABB " +
  "Basis Transform3D Projection Color StringName NodePath RID Object Callable Signal Dictionary Array PackedByteArray " +
  "PackedInt32Array PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray PackedVector2Array " +
  "PackedVector3Array PackedColorArray PackedVector4Array"
).split(" ");
const TYPES = new Map(TYPE_NAMES.map((name, id) => [name, id]));
/** How many numbers a math type has, or an element of an array of them. */
const COUNTS = [, , , , , 2, 2, 4, 4, 3, 3, 6, 4, 4, 4, 4, 6, 9, 12, 16, 4];
COUNTS[35] = 2;
COUNTS[36] = 3;
COUNTS[37] = 4;
COUNTS[38] = 4;
const INTS = new Set([6, 8, 10, 13]);
/** The flags that mean something in the header of a type. */
const FLAGS = TYPE_NAMES.map((_, id) => {
  if (id === 27) return 0xf0000;
  if (id === 28) return 0x30000;
  const isReal = (COUNTS[id] && !INTS.has(id) && id !== 20 && id !== 37) || id === 2 || id === 3 || id === 24;
  return isReal ? WIDE : 0;
});
const PLAIN_ARRAYS = { 29: Uint8Array, 30: Int32Array, 31: BigInt64Array, 32: Float32Array, 33: Float64Array };

/** Bounds on what is read and written, unless others are given: those of LIMITS_SAVE_FILE. */
export const LIMITS = { maxBytes: 64 << 20, maxDepth: 64, maxValues: 4194304, maxStringBytes: 16 << 20 };
const NAN = 0x7ff80000;
const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** The value of bytes of Godot's format. `objects` allows objects in full, which stay a class name and properties. */
export function decodeVariant(bytes, { limits, objects = false } = {}) {
  if (!(bytes instanceof Uint8Array)) throw new VariantError("WRONG_TYPE", "");
  const reader = new VariantReader(bytes, { ...LIMITS, ...limits }, objects);
  const value = reader.value();
  return reader.at === bytes.length ? value : reader.fail("TRAILING_BYTES");
}

class VariantReader {
  constructor(bytes, limits, objects) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.limits = limits;
    this.objects = objects;
    this.at = 0;
    this.values = 0;
    this.path = [];
    this.texts = undefined;
    if (bytes.length > limits.maxBytes) this.fail("TOO_MANY_BYTES");
  }

  fail(kind, at = this.at) {
    throw new VariantError(kind, pathText(this.path), at);
  }

  needs(count) {
    if (count > this.bytes.length - this.at) this.fail("INCOMPLETE");
  }

  word() {
    this.needs(4);
    const word = this.view.getUint32(this.at, true);
    this.at += 4;
    return word;
  }

  /** A count or length, which the engine keeps as an int of 32 bits, of things of so many bytes. */
  count(size) {
    const count = this.word();
    if (count * size > 0x7fffffff) this.fail("INVALID_LENGTH", this.at - 4);
    this.needs(count * size);
    return count;
  }

  /** The next value. `wanted` is the type that a typed container declares. */
  value(wanted) {
    const start = this.at;
    const header = this.word();
    const id = header & 0xff;
    if (id >= TYPE_NAMES.length) this.fail("UNKNOWN_TYPE", start);
    if (header & ~0xff & ~FLAGS[id]) this.fail("UNKNOWN_FLAGS", start);
    if (wanted !== undefined && !fits(wanted, id)) this.fail("WRONG_ELEMENT_TYPE", start);
    if (++this.values > this.limits.maxValues) this.fail("TOO_MANY_VALUES", start);
    const wide = (header & WIDE) !== 0;
    switch (id) {
      case 0:
        return null;
      case 1: {
        const word = this.word();
        return word > 1 ? this.fail("INVALID_BOOL", this.at - 4) : word === 1;
      }
      case 2:
        return this.int(wide);
      case 3:
        return this.float(wide);
      case 4:
        return this.text();
      case 21:
        return new StringName(this.text());
      case 22:
        return this.nodePath();
      case 23:
        return new Rid(this.id());
      case 24:
        return wide ? this.objectId() : this.object(start);
      case 25:
        return new Callable();
      case 26:
        return new Signal(this.text(), this.id());
      case 27:
        return this.dictionary(header);
      case 28:
        return this.array(header);
      default:
        return id < 21 ? this.numbers(id, wide) : this.packed(id, wide);
    }
  }

  int(wide) {
    if (!wide) return this.word() | 0;
    this.needs(8);
    const low = this.view.getUint32(this.at, true);
    const high = this.view.getInt32(this.at + 4, true);
    const number = high * 2 ** 32 + low;
    this.at += 8;
    return Number.isSafeInteger(number) ? number : this.view.getBigInt64(this.at - 8, true);
  }

  float(wide) {
    this.needs(wide ? 8 : 4);
    const at = this.at;
    this.at += wide ? 8 : 4;
    const number = wide ? this.view.getFloat64(at, true) : this.view.getFloat32(at, true);
    if (Number.isSafeInteger(number)) return Object.is(number, -0) ? number : new Float(number);
    if (number === number) return number;
    return wide ? this.nan(this.view.getUint32(at, true), this.view.getUint32(at + 4, true)) : this.narrowNan(at);
  }

  nan(low, high) {
    return low === 0 && high === NAN ? NaN : new Float(NaN, (BigInt(high) << 32n) | BigInt(low));
  }

  /** Processors make a NaN of 32 bits a quiet one of 64. */
  narrowNan(at) {
    const word = this.view.getUint32(at, true);
    return this.nan((word & 7) * 2 ** 29, ((word & 0x80000000) | NAN | ((word >>> 3) & 0xfffff)) >>> 0);
  }

  id() {
    this.needs(8);
    this.at += 8;
    return this.view.getBigUint64(this.at - 8, true);
  }

  objectId() {
    const id = this.id();
    return id === 0n ? null : new ObjectId(id);
  }

  object(start) {
    if (!this.objects) this.fail("OBJECT_NOT_ALLOWED", start);
    const className = this.text();
    if (className === "") return null;
    return this.deeper(() => {
      const count = this.count(8);
      const properties = [];
      for (let at = 0; at < count; at++) {
        const name = this.text();
        this.path.push(name);
        properties.push([name, this.value()]);
        this.path.pop();
      }
      return new GodotObject(className, properties);
    });
  }

  deeper(run) {
    if (this.path.length > this.limits.maxDepth) this.fail("TOO_DEEP", this.at);
    return run();
  }

  text() {
    const count = this.count(1);
    return this.textOf(count, (count + 3) & ~3, true);
  }

  /** A text of so many bytes, which take so many with their padding. */
  textOf(count, padded, isClean) {
    const { bytes, at } = this;
    this.needs(padded);
    if (count > this.limits.maxStringBytes) this.fail("STRING_TOO_LONG", at - 4);
    for (let pad = at + count; isClean && pad < at + padded; pad++) if (bytes[pad] !== 0) this.fail("DIRTY_PADDING", pad);
    this.at = at + padded;
    if (count > 32) return this.longText(at, count);
    const slot = (this.texts ??= new Array(64));
    const hash = (bytes[at] + bytes[at + count - 1] * 5 + bytes[at + (count >> 1)] * 3 + count) & 63;
    const known = slot[hash];
    if (known !== undefined && known.count === count && this.isAlike(known.at, at, count)) return known.text;
    let text = "";
    for (let next = at; next < at + count; next++) {
      const byte = bytes[next];
      if (byte >= 0x80 || byte === 0) return this.longText(at, count);
      text += String.fromCharCode(byte);
    }
    slot[hash] = { at, count, text };
    return text;
  }

  isAlike(a, b, count) {
    const { bytes } = this;
    for (let at = 0; at < count; at++) if (bytes[a + at] !== bytes[b + at]) return false;
    return true;
  }

  longText(at, count) {
    const part = this.bytes.subarray(at, at + count);
    if (part[0] === 0xef && part[1] === 0xbb && part[2] === 0xbf) this.fail("LEADING_BOM", at);
    const nul = part.indexOf(0);
    if (nul >= 0) this.fail("EMBEDDED_NUL", at + nul);
    try {
      return text8.decode(part);
    } catch {
      return this.fail("INVALID_UTF8", at);
    }
  }

  nodePath() {
    const start = this.at;
    const first = this.word();
    if (first < 0x80000000) this.fail("INVALID_NODE_PATH", start);
    const [names, subnames, flags] = [first & 0x7fffffff, this.word(), this.word()];
    if (flags > 1) this.fail("UNKNOWN_FLAGS", start + 8);
    if (subnames > 0x7fffffff) this.fail("INVALID_NODE_PATH", start + 4);
    this.needs((names + subnames) * 4);
    // Older engines leave anything in the padding.
    const part = () => {
      const count = this.count(1);
      return this.textOf(count, (count + 3) & ~3, false);
    };
    const texts = Array.from({ length: names + subnames }, part);
    return new NodePath(flags === 1, texts.slice(0, names), texts.slice(names));
  }

  numbers(id, wide) {
    const count = COUNTS[id];
    this.needs(count * (wide ? 8 : 4));
    const { view } = this;
    const isInt = INTS.has(id);
    const values = [];
    let nans;
    for (let number = 0; number < count; number++) {
      const value = isInt ? view.getInt32(this.at, true) : wide ? view.getFloat64(this.at, true) : view.getFloat32(this.at, true);
      if (value !== value) (nans ??= [])[number] = wide ? view.getBigUint64(this.at, true) : view.getUint32(this.at, true);
      values.push(value);
      this.at += wide ? 8 : 4;
    }
    const made = new Numbers(TYPE_NAMES[id], values, wide);
    if (nans !== undefined) made.nans = nans;
    return made;
  }

  packed(id, wide) {
    if (id === 34) return this.strings();
    const Plain = PLAIN_ARRAYS[id] ?? (wide ? Float64Array : Float32Array);
    const each = COUNTS[id] ?? 1;
    const count = this.count(each * Plain.BYTES_PER_ELEMENT) * each;
    const size = count * Plain.BYTES_PER_ELEMENT;
    const copy = this.bytes.slice(this.at, this.at + size);
    this.at += size;
    if (id === 29) this.padding(size);
    if (!isLittle) swapped(copy, Plain.BYTES_PER_ELEMENT);
    const values = id === 29 ? copy : new Plain(copy.buffer, 0, count);
    return id > 34 ? new PackedVectors(TYPE_NAMES[id], values) : values;
  }

  padding(size) {
    const count = -size & 3;
    this.needs(count);
    for (let pad = 0; pad < count; pad++, this.at++) if (this.bytes[this.at] !== 0) this.fail("DIRTY_PADDING");
  }

  strings() {
    const count = this.count(4);
    const texts = [];
    for (let at = 0; at < count; at++) {
      this.path.push(at);
      const length = this.count(1);
      const padded = (length + 3) & ~3;
      this.needs(padded);
      // The NUL at the end is counted, but need not be there.
      const hasEnd = length > 0 && this.bytes[this.at + length - 1] === 0;
      texts.push(this.textOf(hasEnd ? length - 1 : length, padded, true));
      this.path.pop();
    }
    this.values += count;
    if (this.values > this.limits.maxValues) this.fail("TOO_MANY_VALUES");
    return new PackedStrings(texts);
  }

  /** The type that a container declares: none, a built-in one, a class or a script. */
  type(kind) {
    if (kind === 0) return undefined;
    if (kind === 2) return { class: this.text() };
    if (kind === 3) return { script: this.text() };
    const id = this.word();
    return id < TYPE_NAMES.length ? TYPE_NAMES[id] : this.fail("INVALID_ELEMENT_TYPE", this.at - 4);
  }

  elements(size) {
    const count = this.word();
    if (count > 0x7fffffff) this.fail("UNKNOWN_FLAGS", this.at - 4);
    this.needs(count * size);
    return count;
  }

  array(header) {
    return this.deeper(() => {
      const type = this.type((header >> 16) & 3);
      const count = this.elements(4);
      const items = type === undefined ? [] : new TypedArray();
      if (type !== undefined) items.type = type;
      const { path } = this;
      path.push(0);
      for (let at = 0; at < count; at++) {
        path[path.length - 1] = at;
        items.push(this.value(type));
      }
      path.pop();
      return items;
    });
  }

  dictionary(header) {
    return this.deeper(() => {
      const map = new Dictionary();
      const keyType = this.type((header >> 16) & 3);
      const valueType = this.type((header >> 18) & 3);
      if (keyType !== undefined || valueType !== undefined) Object.assign(map, { keyType, valueType });
      const count = this.elements(8);
      const { path } = this;
      path.push(undefined);
      for (let at = 0; at < count; at++) {
        path[path.length - 1] = { keyOf: at };
        const start = this.at;
        let key = this.value(keyType);
        // A Map takes -0 for the int 0, and every NaN for one.
        if (key !== key || Object.is(key, -0)) key = new Float(key);
        path[path.length - 1] = key;
        map.set(key, this.value(valueType));
        if (map.size !== at + 1) this.fail("DUPLICATE_KEY", start);
      }
      path.pop();
      return map;
    });
  }
}

/** Whether a value of a type may stand where a container declares one. */
function fits(wanted, id) {
  if (wanted === "Nil") return true;
  if (typeof wanted === "object" || wanted === "Object") return id === 24 || id === 0;
  return TYPE_NAMES[id] === wanted;
}

function swapped(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/** A path as VariantCodec writes it: players[3].name. */
function pathText(path) {
  let text = "";
  for (const step of path) {
    if (typeof step === "object" && step !== null && "keyOf" in step) text += `[key ${step.keyOf}]`;
    else if (typeof step === "string" || step instanceof StringName) text += nameStep(String(step), text === "");
    else if (step instanceof Numbers) text += `[${step.type}(${step.values.join(", ")})]`;
    else text += typeof step === "object" ? "[entry]" : `[${step}]`;
  }
  return text;
}

function nameStep(name, isFirst) {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) return isFirst ? name : `.${name}`;
  return `[${JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}...` : name)}]`;
}
