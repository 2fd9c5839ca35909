// Values of several numbers. A solid is {s: "each", forms} or has the bits of a direction, a rotation or a rigid transform.

function solidCodes(solid) {
  return solid.s === "each" ? solid.forms.length : TURNED[solid.s];
}

const TURNED = { direction: 2, flat: 2, rotation: 4, rigid: 7 };

/** An Array, or the numbers of a typed array; undefined for what is neither. */
function listOf(value) {
  if (Array.isArray(value)) return value;
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(value) : undefined;
}

function takeSolid(numbers, solid, size, codes) {
  numbers = listOf(numbers);
  if (numbers?.length !== size) wrongType(`an Array of ${size} numbers`, numbers);
  if (solid.s !== "each") return void codes.push(...turnedCodes(numbers, solid));
  for (let at = 0; at < size; at++) codes.push(codeOf(numbers[at], solid.forms[at]));
}

function turnedCodes(numbers, solid) {
  if (!numbers.every((number) => typeof number === "number")) refuse("WRONG_TYPE");
  if (solid.s === "direction") return ofDirection(numbers, solid.bits);
  if (solid.s === "flat") return ofFlat(numbers, solid.bits);
  if (solid.s === "rotation") return ofQuaternion(numbers, solid.bits);
  const basis = ofBasis(numbers);
  return [...numbers.slice(9).map((number) => codeOf(number, solid.origin)), ...ofQuaternion(basis, solid.bits)];
}

function solidMade(codes, solid) {
  if (solid.s === "each") return codes.map((code, at) => numberOf(code, solid.forms[at]));
  if (solid.s === "direction") return toDirection(codes, solid.bits);
  if (solid.s === "flat") return toFlat(codes, solid.bits);
  if (solid.s === "rotation") return toQuaternion(codes, solid.bits);
  const turn = codes.slice(3);
  const basis = toBasis(toQuaternion(turn, solid.bits));
  if (!same(ofQuaternion(ofBasis(basis), solid.bits), turn)) refuse("NOT_CANONICAL");
  return [...basis, ...codes.slice(0, 3).map((code) => numberOf(code, solid.origin))];
}

/** The form of a code, or its bits where it is a part of a direction or rotation. */
function solidForm(solid, at) {
  if (solid.s === "each") return solid.forms[at];
  if (solid.s === "direction") return solid.bits;
  if (solid.s === "flat") return at === 0 ? solid.bits : 1;
  if (solid.s === "rigid" && at < 3) return solid.origin;
  return at === turnOf(solid) ? 2 : solid.bits;
}

/** Where the code stands that says which number of a rotation is the largest. */
function turnOf(solid) {
  return solid.s === "rotation" ? 0 : solid.s === "rigid" ? 3 : Infinity;
}

/** Writes the codes of a solid that begin at `from`, and returns where they end. */
function writeSolid(codes, from, solid, bits) {
  const count = solidCodes(solid);
  for (let at = 0; at < count; at++) {
    const form = solidForm(solid, at);
    if (typeof form === "number") bits.put(codes[from + at], form);
    else writeForm(codes[from + at], form, bits);
  }
  return from + count;
}

function readOne(solid, at, bits) {
  const form = solidForm(solid, at);
  return typeof form === "number" ? bits.take(form) : readForm(form, bits);
}

function readSolid(solid, bits, codes) {
  const count = solidCodes(solid);
  for (let at = 0; at < count; at++) codes.push(readOne(solid, at, bits));
}

function leastOf(solid) {
  let least = 0;
  for (let at = 0; at < solidCodes(solid); at++) {
    const form = solidForm(solid, at);
    if (typeof form === "number") least += form;
    else least += { from: 6, to: 6, around: 6, steps: 6, free: 33 }[form.f] ?? formWidth(form);
  }
  return least;
}

// Counts and texts.

function fixedCount({ min, max }) {
  return max === undefined || width(max - min) > 6 ? undefined : width(max - min);
}

function checkCount(count, { min, max }) {
  return count < min || (max !== undefined && count > max) ? refuse("WRONG_SIZE") : count;
}

function writeCount(count, bounds, bits) {
  const fixed = fixedCount(bounds);
  if (fixed === undefined) bits.varint(count - bounds.min);
  else bits.put(count - bounds.min, fixed);
}

function readCount(bounds, bits) {
  const fixed = fixedCount(bounds);
  return checkCount(bounds.min + Number(fixed === undefined ? bits.varint("WRONG_SIZE") : bits.take(fixed)), bounds);
}

const ANY_COUNT = { min: 0 };

function checkText(text) {
  if (typeof text !== "string") wrongType("a string", text);
  if (/\p{Surrogate}/u.test(text)) refuse("INVALID_UTF8");
  if (text.includes("\0")) refuse("EMBEDDED_NUL");
  return text.startsWith("\ufeff") ? refuse("LEADING_BOM") : text;
}

function textOf(text, chars) {
  checkText(text);
  const letters = chars.alphabet ? [...text] : utf8.encode(text);
  if (chars.alphabet && !letters.every((letter) => chars.alphabet.includes(letter))) refuse("PATTERN_MISMATCH");
  checkCount(letters.length, chars.count);
  return text;
}

function writeText(text, chars, bits) {
  const letters = chars.alphabet ? [...text] : utf8.encode(text);
  writeCount(letters.length, chars.count, bits);
  const [of, count] = chars.alphabet ? [(letter) => chars.alphabet.indexOf(letter), width(chars.alphabet.length - 1)] : [(byte) => byte, 8];
  bits.charge(letters.length, count);
  letters.forEach((letter) => bits.put(of(letter), count));
}

function readBytes(count, bits) {
  if (count > MOST_BYTES) refuse("OUTPUT_TOO_LARGE");
  bits.needs(count * 8);
  return Uint8Array.from({ length: count }, () => bits.take(8));
}

function letterBits(chars) {
  return chars.alphabet ? width(chars.alphabet.length - 1) : 8;
}

function readText(chars, bits) {
  const count = readCount(chars.count, bits);
  if (count > MOST_TEXT) refuse("STRING_TOO_LONG");
  if (!chars.alphabet) {
    const bytes = readBytes(count, bits);
    try {
      return checkText(text8.decode(bytes));
    } catch (error) {
      throw error instanceof Refused ? error : new Refused("INVALID_UTF8");
    }
  }
  const each = width(chars.alphabet.length - 1);
  bits.room(count, each);
  let text = "";
  for (let at = 0; at < count; at++) text += chars.alphabet[bits.take(each)] ?? refuse("PATTERN_MISMATCH");
  return checkText(text);
}

/** Gives rows of a table one shape, by which an engine finds their members fast. */
const PART_SHAPE = { kind: "", nullable: false, codes: undefined, least: 0, form: undefined, solid: undefined, size: 0, chars: undefined, inner: undefined };
const FORM_SHAPE = { f: "", min: 0, max: 0, step: 0, last: 0, least: 0, most: 0, narrow: false, clamped: false, isSmall: false, wide: 0 };
const KEY_SHAPE = { name: "", part: 0, optional: false, default: undefined };

function shaped(part) {
  const solid = part.solid && { s: "", forms: undefined, bits: 0, ...part.solid, origin: part.solid.origin && prepared(part.solid.origin) };
  if (solid?.forms) solid.forms = solid.forms.map(prepared);
  const inner = part.kind === "map" || part.kind === "keyed_map" ? [part.key, part.value] : [part.item];
  return { ...PART_SHAPE, ...part, inner, solid, form: part.form && prepared(part.form), keys: part.keys?.map((key) => ({ ...KEY_SHAPE, ...key })) };
}

// Parts. Each value becomes one row of codes; bits are written of the row, and a difference is one of rows.

class Table {
  constructor(parts) {
    this.parts = parts = parts.map(shaped);
    for (const part of parts) {
      if (part.kind === "dict") part.optional = part.keys.filter((key) => key.optional).length;
      if (part.kind === "only" || part.kind === "bool") part.codes = part.kind === "bool" ? 1 : 0;
    }
    // Children of fixed rows make parents of fixed rows; those that refer to themselves never are.
    for (let round = 0; round < 64; round++) parts.forEach((part) => (part.codes = this.fixedCodes(part)));
  }

  fixedCodes(part) {
    if (part.nullable) return undefined;
    switch (part.kind) {
      case "only":
        return 0;
      case "solid":
        return solidCodes(part.solid);
      case "same":
        return this.parts[part.part].codes;
      case "dict": {
        if (part.optional > 0) return undefined;
        const each = part.keys.map((key) => this.parts[key.part].codes);
        return each.includes(undefined) ? undefined : each.reduce((sum, codes) => sum + codes, 0);
      }
      default:
        return ["bool", "int", "float", "text", "enum", "any"].includes(part.kind) ? 1 : undefined;
    }
  }

  // A value as a row of codes.

  take(at, value, codes, level = 0) {
    const part = this.parts[at];
    if (level > MOST_LEVELS) refuse("TOO_DEEP");
    if (part.nullable) {
      codes.push(value === null ? 0 : 1);
      if (value === null) return;
    }
    switch (part.kind) {
      case "only":
        return equal(value, part.value) ? undefined : refuse("NOT_IN_ENUM");
      case "same":
        return this.take(part.part, value, codes, level);
      case "bool":
        return typeof value === "boolean" ? void codes.push(value ? 1 : 0) : wrongType("a boolean", value);
      case "int":
      case "float":
        return void codes.push(codeOf(value, part.form));
      case "solid":
        return takeSolid(value, part.solid, part.size, codes);
      case "text":
        return void codes.push(textOf(value, part.chars));
      case "path":
        return void codes.push(pathOf(value));
      case "any":
        return void codes.push(hexOf(ofVariant(() => encodeVariant(value, { limits: PACKET_LIMITS }))));
      case "enum": {
        const code = part.values.findIndex((each) => equal(each, value));
        return code < 0 ? refuse("NOT_IN_ENUM") : void codes.push(code);
      }
      case "dict":
        return this.takeDict(part, value, codes, level, undefined);
      case "cases": {
        const code = part.values.findIndex((each) => equal(each, isDict(value) ? value[part.key] : undefined));
        if (code < 0) refuse("NOT_IN_ENUM");
        codes.push(code);
        return this.takeDict(this.parts[part.cases[code]], value, codes, level, part.key);
      }
      case "union": {
        const code = this.choose(part, value);
        if (code < 0) refuse("NO_ALTERNATIVE");
        codes.push(code);
        return this.take(part.alternatives[code], value, codes, level);
      }
      default:
        return this.takeList(part, value, codes, level);
    }
  }

  takeList(part, value, codes, level) {
    if (part.kind === "keyed_map") {
      if (!(value instanceof Map)) wrongType("a Map", value);
      checkCount(value.size, part.count);
      const rows = [...value].map(([key, of]) => [
        ...this.row(part.key, key, level + 1),
        ...below(`[${String(key)}]`, () => this.row(part.value, of, level + 1)),
      ]);
      return putSorted(rows, 0, codes);
    }
    if (part.kind === "map") {
      if (!(value instanceof Map)) wrongType("a Map", value);
      codes.push(checkCount(value.size, part.count));
      for (const [key, of] of value) {
        this.take(part.key, key, codes, level + 1);
        below(`[${String(key)}]`, () => this.take(part.value, of, codes, level + 1));
      }
      return;
    }
    value = listOf(value) ?? wrongType("an Array", value);
    if (part.kind === "tuple") {
      checkCount(value.length, { min: part.fewest, max: part.items.length });
      const rows = this.rows(value, (at) => part.items[at], level);
      // Those at the end that would be filled in are left out.
      while (rows.length > part.fewest && this.isDefault(rows.at(-1), part, rows.length - 1)) rows.pop();
      return putRows(rows, codes);
    }
    checkCount(value.length, part.count);
    if (part.kind === "keyed") {
      const key = this.parts[part.item].optional;
      return putSorted(this.rows(value, () => part.item, level), key, codes);
    }
    codes.push(value.length);
    each(value.length, stepAt, (at) => {
      if (part.kind === "array") this.take(part.item, value[at], codes, level + 1);
      else if (part.kind === "strings") codes.push(textOf(value[at], part.chars));
      else takeSolid(part.size === 1 ? [value[at]] : value[at], part.solid, part.size, codes);
    });
  }

  /** The rows of a list's items. */
  rows(value, part, level) {
    const rows = [];
    each(value.length, stepAt, (at) => rows.push(this.row(part(at), value[at], level + 1)));
    return rows;
  }

  row(at, value, level) {
    const codes = [];
    this.take(at, value, codes, level);
    return codes;
  }

  isDefault(row, part, at) {
    const of = part.kind === "tuple" ? part.items[at] : part.keys[at].part;
    const value = part.kind === "tuple" ? part.defaults[at - part.fewest] : part.keys[at].default;
    return value !== undefined && same(row, this.row(of, value, 0));
  }

  takeDict(part, value, codes, level, tag) {
    if (!isDict(value)) wrongType("an object", value);
    part.names ??= new Set(part.keys.map((key) => key.name));
    for (const name of Object.keys(value)) if (name !== tag && !part.names.has(name)) throw under(name, new Refused("UNKNOWN_KEY"));
    let flag = codes.length;
    for (let count = 0; count < part.optional; count++) codes.push(0);
    for (let number = 0; number < part.keys.length; number++) {
      const key = part.keys[number];
      try {
        const of = Object.hasOwn(value, key.name) ? value[key.name] : undefined;
        if (!key.optional) {
          if (of === undefined) refuse("MISSING_KEY");
          this.take(key.part, of, codes, level + 1);
          continue;
        }
        const row = of === undefined ? undefined : this.row(key.part, of, level + 1);
        const isThere = row !== undefined && !this.isDefault(row, part, number);
        codes[flag++] = isThere ? 1 : 0;
        if (isThere) codes.push(...row);
      } catch (error) {
        throw under(key.name, error);
      }
    }
  }

  /** The first alternative that takes a value. It looks at leaves, and of a Dictionary at the key that tells it. */
  choose(part, value) {
    return part.alternatives.findIndex((at) => this.takes(at, value, part.tell, 0));
  }

  takes(at, value, tell, level) {
    const part = this.parts[at];
    if (part.nullable && value === null) return true;
    if (level > MOST_LEVELS) return false;
    switch (part.kind) {
      case "same":
        return this.takes(part.part, value, tell, level + 1);
      case "union":
        return part.alternatives.some((each) => this.takes(each, value, tell, level + 1));
      case "dict": {
        if (!isDict(value) || tell === undefined || tell === null) return isDict(value);
        const key = part.keys.find((each) => each.name === tell);
        return key !== undefined && Object.hasOwn(value, tell) && this.takes(key.part, value[tell], undefined, level + 1);
      }
      case "cases":
        return isDict(value) && part.values.some((each) => equal(each, value[part.key]));
      case "tuple": {
        const first = this.parts[part.items[0]];
        const tells = first && (first.kind === "only" || first.kind === "enum");
        return listOf(value) !== undefined && (!tells || (value.length > 0 ? this.takes(part.items[0], value[0], undefined, level + 1) : part.fewest === 0));
      }
      case "array":
      case "keyed":
        return listOf(value) !== undefined;
      case "map":
      case "keyed_map":
        return value instanceof Map;
      default:
        try {
          this.take(at, value, [], level);
          return true;
        } catch (error) {
          if (error instanceof Refused) return false;
          throw error;
        }
    }
  }

  /** Where the row of a part ends that begins at `from`. */
  skip(at, codes, from) {
    const part = this.parts[at];
    if (part.codes !== undefined) return from + part.codes;
    if (part.nullable && codes[from++] === 0) return from;
    const next = from + 1;
    switch (part.kind) {
      case "only":
        return from;
      case "same":
        return this.skip(part.part, codes, from);
      case "solid":
        return from + solidCodes(part.solid);
      case "dict": {
        let end = from + part.optional;
        for (const key of part.keys) if (!key.optional || codes[from++] === 1) end = this.skip(key.part, codes, end);
        return end;
      }
      case "cases":
        return this.skip(part.cases[codes[from]], codes, next);
      case "union":
        return this.skip(part.alternatives[codes[from]], codes, next);
      case "strings":
        return next + codes[from];
      case "packed":
        return next + codes[from] * solidCodes(part.solid);
      case "array":
      case "keyed":
      case "map":
      case "keyed_map":
      case "tuple": {
        let end = next;
        for (let number = 0; number < codes[from]; number++) {
          for (const item of partsOf(part, number)) end = this.skip(item, codes, end);
        }
        return end;
      }
      default:
        return next;
    }
  }
}

/** Puts so many rows into one. */
function putRows(rows, codes) {
  codes.push(rows.length);
  for (const row of rows) for (const code of row) codes.push(code);
}

/** Puts rows in the order of their keys, of which no two may be equal. */
function putSorted(rows, key, codes) {
  const isBehind = (row, at) => at === 0 || rows[at - 1][key] < row[key];
  if (!rows.every(isBehind) && !rows.sort((a, b) => a[key] - b[key]).every(isBehind)) refuse("DUPLICATE_KEY");
  putRows(rows, codes);
}

/** The parts of an element or entry. */
function partsOf(part, number) {
  return part.kind === "tuple" ? [part.items[number]] : part.inner;
}

function isDict(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map) && !ArrayBuffer.isView(value);
}

function equal(a, b) {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => equal(item, b[at]));
  return a === b || (typeof a === "number" && typeof b === "bigint" && BigInt(a) === b);
}

function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Runs the codec of values that no schema describes. */
function ofVariant(run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof VariantError)) throw error;
    return refuse(error.kind, undefined, error.path && `at ${error.path}`);
  }
}

function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** A path as one code, so that two are compared as texts. */
function pathOf(value) {
  const isPath = isDict(value) && typeof value.absolute === "boolean" && Array.isArray(value.names) && Array.isArray(value.subnames);
  if (!isPath) wrongType("{ absolute, names, subnames }", value);
  [...value.names, ...value.subnames].forEach(checkText);
  return JSON.stringify([value.absolute, value.names, value.subnames]);
}
