// Writes values in Godot's binary Variant format.

/**
 * The bytes of a value. A whole number is an int and any other a float; new Float(1) is 1.0. Objects without a class and Maps
 * are Dictionaries, and what a decoded value holds is written as it was.
 */
export function encodeVariant(value, { limits } = {}) {
  const writer = new VariantWriter({ ...LIMITS, ...limits });
  writer.value(value);
  return writer.bytes.slice(0, writer.at);
}

class VariantWriter {
  constructor(limits) {
    this.bytes = new Uint8Array(256);
    this.view = new DataView(this.bytes.buffer);
    this.at = 0;
    this.limits = limits;
    this.path = [];
  }

  fail(kind) {
    throw new VariantError(kind, pathText(this.path), undefined);
  }

  /** Makes room for so many bytes. */
  room(count) {
    const needed = this.at + count;
    if (needed <= this.bytes.length) return;
    if (needed > this.limits.maxBytes) this.fail("OUTPUT_TOO_LARGE");
    const longer = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    longer.set(this.bytes.subarray(0, this.at));
    this.bytes = longer;
    this.view = new DataView(longer.buffer);
  }

  word(word) {
    this.room(4);
    this.view.setUint32(this.at, word, true);
    this.at += 4;
  }

  value(value) {
    switch (typeof value) {
      case "boolean":
        this.word(1);
        return this.word(value ? 1 : 0);
      case "number":
        return Number.isSafeInteger(value) && !Object.is(value, -0) ? this.int(value) : this.float(value, undefined);
      case "bigint":
        return this.big(value);
      case "string":
        this.word(4);
        return this.text(value);
      case "object":
        return value === null ? this.word(0) : this.object(value);
      default:
        return this.fail("WRONG_TYPE");
    }
  }

  int(number) {
    if (number === (number | 0)) {
      this.word(2);
      return this.word(number);
    }
    this.word(2 | WIDE);
    this.word(number >>> 0);
    this.word(Math.floor(number / 2 ** 32));
  }

  big(number) {
    if (BigInt.asIntN(64, number) !== number) this.fail("OUT_OF_RANGE");
    if (number >= -SAFE && number <= SAFE) return this.int(Number(number));
    this.word(2 | WIDE);
    this.id(number);
  }

  id(number) {
    this.room(8);
    this.view.setBigUint64(this.at, BigInt.asUintN(64, BigInt(number)), true);
    this.at += 8;
  }

  float(number, bits) {
    const isNarrow = Math.fround(number) === number;
    this.word(isNarrow ? 3 : 3 | WIDE);
    this.room(8);
    if (isNarrow) this.view.setFloat32(this.at, number, true);
    else if (number === number) this.view.setFloat64(this.at, number, true);
    else this.view.setBigUint64(this.at, bits ?? BigInt(NAN) << 32n, true);
    this.at += isNarrow ? 4 : 8;
  }

  text(text) {
    const start = this.at;
    this.word(0);
    const count = this.utf8(text);
    this.view.setUint32(start, count, true);
    this.pad(count);
  }

  /** Writes the bytes of a text and returns how many they are. */
  utf8(text) {
    if (typeof text !== "string") this.fail("WRONG_TYPE");
    const { length } = text;
    this.room(length * 3);
    const { bytes, at } = this;
    if (length <= 64) {
      let next = 0;
      for (; next < length; next++) {
        const code = text.charCodeAt(next);
        if (code === 0 || code >= 0x80) break;
        bytes[at + next] = code;
      }
      if (next === length) {
        this.at += length;
        return length;
      }
    }
    if (text.includes("\0")) this.fail("EMBEDDED_NUL");
    if (text.startsWith("\ufeff")) this.fail("LEADING_BOM");
    if (/\p{Surrogate}/u.test(text)) this.fail("INVALID_UTF8");
    const { written } = utf8.encodeInto(text, bytes.subarray(at));
    this.at += written;
    return written;
  }

  pad(count) {
    const pads = -count & 3;
    this.room(pads);
    for (let pad = 0; pad < pads; pad++) this.bytes[this.at++] = 0;
  }

  object(value) {
    if (Array.isArray(value)) return this.array(value);
    if (value instanceof Map) return this.dictionary(value.size, value, value);
    if (ArrayBuffer.isView(value)) return this.plain(value);
    switch (value.constructor) {
      case Float:
        return this.float(value.value, value.bits);
      case StringName:
        this.word(21);
        return this.text(value.text);
      case Numbers:
        return this.numbers(value);
      case NodePath:
        return this.nodePath(value);
      case PackedVectors:
        return this.vectors(value);
      case PackedStrings:
        return this.strings(value.texts);
      case Object:
      case undefined: {
        const entries = Object.entries(value);
        return this.dictionary(entries.length, entries, {});
      }
      default:
        return this.handle(value);
    }
  }

  handle(value) {
    switch (value.constructor) {
      case Rid:
        this.word(23);
        return this.id(value.id);
      case ObjectId:
        this.word(24 | WIDE);
        return this.id(value.id);
      case Callable:
        return this.word(25);
      case Signal:
        this.word(26);
        this.text(value.name);
        return this.id(value.object);
      case GodotObject:
        this.word(24);
        this.text(value.className);
        this.word(value.properties.length);
        return this.deeper(() => {
          for (const [name, of] of value.properties) {
            this.path[this.path.length - 1] = name;
            this.text(name);
            this.value(of);
          }
        });
      default:
        return this.fail("WRONG_TYPE");
    }
  }

  deeper(run) {
    if (this.path.length > this.limits.maxDepth) this.fail("TOO_DEEP");
    this.path.push(undefined);
    run();
    this.path.pop();
  }

  nodePath({ absolute, names, subnames }) {
    this.word(22);
    this.word((names.length | 0x80000000) >>> 0);
    this.word(subnames.length);
    this.word(absolute ? 1 : 0);
    names.forEach((name) => this.text(name));
    subnames.forEach((name) => this.text(name));
  }

  numbers({ type, values, wide, nans }) {
    const id = TYPES.get(type);
    if (!(id < 21) || values.length !== COUNTS[id]) this.fail("WRONG_TYPE");
    this.word(wide ? id | WIDE : id);
    this.room(values.length * 8);
    for (let at = 0; at < values.length; at++) {
      const number = values[at];
      if (typeof number !== "number") this.fail("WRONG_TYPE");
      if (INTS.has(id)) this.view.setInt32(this.at, number === (number | 0) ? number : this.fail("OUT_OF_RANGE"), true);
      else if (number !== number && nans?.[at] !== undefined) this.nan(nans[at], wide);
      else if (wide) this.view.setFloat64(this.at, number, true);
      else this.view.setFloat32(this.at, number, true);
      this.at += wide ? 8 : 4;
    }
  }

  nan(bits, wide) {
    if (wide) this.view.setBigUint64(this.at, bits, true);
    else this.view.setUint32(this.at, bits, true);
  }

  plain(value) {
    const id = Number(Object.keys(PLAIN_ARRAYS).find((each) => value instanceof PLAIN_ARRAYS[each]) ?? this.fail("WRONG_TYPE"));
    this.word(id);
    this.word(value.length);
    this.raw(value);
    if (id === 29) this.pad(value.length);
  }

  /** The numbers of a typed array as they lie. */
  raw(value) {
    const size = value.byteLength;
    this.room(size);
    this.bytes.set(new Uint8Array(value.buffer, value.byteOffset, size), this.at);
    if (!isLittle) swapped(this.bytes.subarray(this.at, this.at + size), value.BYTES_PER_ELEMENT);
    this.at += size;
  }

  vectors({ type, values }) {
    const id = TYPES.get(type);
    const wide = values instanceof Float64Array && id !== 37;
    const isFit = id > 34 && values.length % COUNTS[id] === 0 && (wide || values instanceof Float32Array);
    if (!isFit) this.fail("WRONG_TYPE");
    this.word(wide ? id | WIDE : id);
    this.word(values.length / COUNTS[id]);
    this.raw(values);
  }

  strings(texts) {
    this.word(34);
    this.word(texts.length);
    for (const text of texts) {
      const start = this.at;
      this.word(0);
      const count = this.utf8(text) + 1;
      this.view.setUint32(start, count, true);
      this.room(1);
      this.bytes[this.at++] = 0;
      this.pad(count);
    }
  }

  kind(type) {
    if (type === undefined) return 0;
    return typeof type === "string" ? 1 : type.script === undefined ? 2 : 3;
  }

  type(type) {
    if (type === undefined) return;
    if (typeof type === "string") this.word(TYPES.get(type) ?? this.fail("INVALID_ELEMENT_TYPE"));
    else this.text(type.script ?? type.class);
  }

  array(value) {
    this.word(28 | (this.kind(value.type) << 16));
    this.type(value.type);
    this.word(value.length);
    this.deeper(() => {
      for (let at = 0; at < value.length; at++) {
        this.path[this.path.length - 1] = at;
        this.value(value[at]);
      }
    });
  }

  dictionary(size, entries, { keyType, valueType }) {
    this.word(27 | (this.kind(keyType) << 16) | (this.kind(valueType) << 18));
    this.type(keyType);
    this.type(valueType);
    this.word(size);
    this.deeper(() => {
      for (const [key, value] of entries) {
        this.path[this.path.length - 1] = key;
        this.value(key);
        this.value(value);
      }
    });
  }
}
