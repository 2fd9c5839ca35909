// Packs and unpacks values by tables of parts, exactly as docs/PACKED_FORMAT.md of VariantStream says. It allocates nothing
// because bytes claim it: counts are compared with the bits that are left first.

/** Says why a value or bytes were refused: a kind of VariantCodec, the path of the part, and where they are known what was
 * expected, what was there instead, and the bit of a packet that was reached. */
export class PackError extends Error {
  constructor(kind, path, { expected, got, bit } = {}) {
    const words = expected === undefined ? "" : `: expected ${expected}${got === undefined ? "" : `, got ${got}`}`;
    super(`${path || "(root)"}: ${kind}${words}${bit === undefined ? "" : ` (bit ${bit})`}`);
    this.name = "PackError";
    Object.assign(this, { kind, path, expected, got, bit });
  }
}

class Refused {
  constructor(kind, expected, got) {
    this.kind = kind;
    this.path = "";
    this.expected = expected;
    this.got = got;
    this.bit = undefined;
  }
}

const MOST_VALUES = 65536;
const MOST_LEVELS = 64;
/** Levels of a pass, to which references and unions add. */
const MOST_PASSES = 256;
const MOST_BYTES = 1 << 20;
const MOST_TEXT = 65536;
/** Bounds on what any() of a message holds: those of LIMITS_NETWORK. */
const PACKET_LIMITS = { maxBytes: MOST_BYTES, maxDepth: MOST_LEVELS, maxValues: MOST_VALUES, maxStringBytes: MOST_TEXT };
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const LAST = (1n << 64n) - 1n;
const BUCKETS = [[0, 3], [8, 6], [72, 10], [1096, 15], [33864, 21], [2131016, 32], [4297098312, 48], [281479273808968, 64]];
const view = new DataView(new ArrayBuffer(8));
const utf8 = new TextEncoder();
const text8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function refuse(kind, expected, got) {
  throw new Refused(kind, expected, got);
}

/** Names a value of a wrong type, without printing all of it. */
function named(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "object") return value.constructor?.name ?? "an object";
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, 32)) : String(value);
  return `${typeof value} ${text}`;
}

function wrongType(expected, value) {
  refuse("WRONG_TYPE", expected, named(value));
}

/** Gives a refusal inside a step of its path. */
function under(step, error) {
  if (error instanceof Refused) error.path = step + (error.path && error.path[0] !== "[" ? "." : "") + error.path;
  return error;
}

/** Runs with a step of the path, which a refusal inside is given. */
function below(step, run) {
  try {
    return run();
  } catch (error) {
    throw under(step, error);
  }
}

const stepAt = (at) => `[${at}]`;

/** Runs for each of so many, with the step of the path that a refusal is given. */
function each(count, step, run) {
  let at = 0;
  try {
    for (; at < count; at++) run(at);
  } catch (error) {
    throw under(step(at), error);
  }
}

/** A whole number: a bigint only where a number would not be exact. */
function whole(big) {
  return big >= -SAFE && big <= SAFE ? Number(big) : big;
}

/** The nearest whole number, ties to even. */
function even(number) {
  const above = Math.round(number);
  return above - number === 0.5 && above % 2 !== 0 ? above - 1 : above;
}

/** The bits that codes up to `last` take. */
function width(last) {
  return last <= 0 ? 0 : BigInt(last).toString(2).length;
}

function zigzag(number) {
  if (typeof number === "number" && Math.abs(number) < 2 ** 51) return number < 0 ? -2 * number - 1 : 2 * number;
  const big = BigInt(number);
  return whole(BigInt.asUintN(64, (big << 1n) ^ (big >> 63n)));
}

function unzigzag(code) {
  if (typeof code === "number") return code % 2 === 0 ? code / 2 : -(code + 1) / 2;
  return whole((code >> 1n) ^ -(code & 1n));
}

class BitWriter {
  constructor() {
    this.bytes = new Uint8Array(64);
    this.at = 0;
    this.charged = 0;
  }

  put(code, count) {
    if (typeof code === "bigint" || count > 31) {
      let big = BigInt(code);
      for (; count > 16; count -= 16, big >>= 16n) this.few(Number(big & 0xffffn), 16);
      code = Number(big);
    }
    if (count > 0) this.few(code, count);
  }

  few(code, count) {
    const free = 8 - (this.at & 7);
    if (count <= free && this.at + 40 <= this.bytes.length * 8) {
      this.bytes[this.at >> 3] |= code << (8 - free);
      this.at += count;
      return;
    }
    if (this.at + 40 > this.bytes.length * 8) {
      const longer = new Uint8Array(this.bytes.length * 2);
      longer.set(this.bytes);
      this.bytes = longer;
    }
    while (count > 0) {
      const shift = this.at & 7;
      const taken = Math.min(8 - shift, count);
      this.bytes[this.at >> 3] |= (code & ((1 << taken) - 1)) << shift;
      code >>>= taken;
      count -= taken;
      this.at += taken;
    }
  }

  /** So many zeros, and this bit if it is one. */
  ends(zeros, bit) {
    for (; zeros > 16; zeros -= 16) this.put(0, 16);
    this.put(bit << zeros, zeros + bit);
  }

  varint(code) {
    let at = BUCKETS.length - 1;
    while (code < BUCKETS[at][0]) at--;
    const [begin, bits] = BUCKETS[at];
    this.put(at, 3);
    this.put(typeof code === "bigint" ? code - BigInt(begin) : code - begin, bits);
  }

  /** Counts elements, which may have no bits. */
  charge(count, least) {
    if (least === 0) this.charged += count;
  }

  /** The bytes of a part, whose elements without bits are counted with the whole. */
  part() {
    return this.bytes.slice(0, Math.ceil(this.at / 8));
  }

  finish() {
    const bytes = this.part();
    return this.charged > freeIn(bytes.length) ? refuse("WRONG_SIZE") : bytes;
  }
}

/** How many elements without bits a packed value of so many bytes may have. */
function freeIn(bytes) {
  return 64 + 64 * bytes;
}

class BitReader {
  /** Of a difference, `baseBytes` are those of the newer base: what it makes is looked at once more, and exactly. */
  constructor(bytes, baseBytes) {
    this.bytes = bytes;
    this.at = 0;
    this.values = 0;
    this.level = 0;
    this.steps = 0;
    this.free = freeIn(baseBytes === undefined ? bytes.length : 8 * (bytes.length + baseBytes));
  }

  left() {
    return this.bytes.length * 8 - this.at;
  }

  /** Refuses what needs more bits than there are, before anything of it is kept. */
  needs(bits) {
    if (bits > this.left()) refuse("INCOMPLETE");
  }

  /** Refuses more elements than there are bits for, or than a packed value may have without bits. */
  room(count, least) {
    if (least > 0) return this.needs(count * least);
    this.free -= count;
    if (this.free < 0) refuse("WRONG_SIZE");
  }

  take(count) {
    this.needs(count);
    if (count <= 32) return this.few(count);
    const low = this.few(32);
    const high = this.few(count - 32);
    return high < 2 ** 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
  }

  few(count) {
    const byte = this.at >> 3;
    const { bytes } = this;
    if (count <= 24 && byte + 4 <= bytes.length) {
      const word = bytes[byte] | (bytes[byte + 1] << 8) | (bytes[byte + 2] << 16) | (bytes[byte + 3] << 24);
      const code = (word >>> (this.at & 7)) & ((1 << count) - 1);
      this.at += count;
      return code;
    }
    let code = 0;
    for (let done = 0; done < count; ) {
      const shift = this.at & 7;
      const taken = Math.min(8 - shift, count - done);
      code += ((this.bytes[this.at >> 3] >> shift) & ((1 << taken) - 1)) * 2 ** done;
      done += taken;
      this.at += taken;
    }
    return code;
  }

  bit() {
    return this.take(1) === 1;
  }

  varint(kind) {
    const [begin, bits] = BUCKETS[this.take(3)];
    const code = whole(BigInt(begin) + BigInt(this.take(bits)));
    return code > LAST ? refuse(kind) : code;
  }

  /** Counts a value against the most that a packet may hold. */
  value() {
    if (++this.values > MOST_VALUES) refuse("TOO_MANY_VALUES");
  }

  /** Goes a level down. */
  down() {
    if (++this.level > MOST_LEVELS || ++this.steps > MOST_PASSES) refuse("TOO_DEEP");
  }

  up() {
    this.level--;
    this.steps--;
  }

  /** Takes back what a value was charged: the next one stands for it, which a reference leads to, or a union or case is. */
  stay() {
    this.values--;
    this.level--;
  }

  stayed() {
    this.level++;
  }

  elements(count) {
    if (count > MOST_VALUES - this.values) refuse("TOO_MANY_VALUES");
  }

  end() {
    if (this.left() > 7) refuse("TRAILING_BYTES");
    if (this.take(this.left()) !== 0) refuse("DIRTY_PADDING");
  }
}

// Numbers. A code is a number that stands for a value; of floats that are kept as they are it is the float.

function halfOf(number) {
  if (Number.isNaN(number)) return 0x7e00;
  const sign = number < 0 || Object.is(number, -0) ? 0x8000 : 0;
  const size = Math.abs(number);
  if (size === Infinity) return sign | 0x7c00;
  view.setFloat64(0, size);
  const exponent = Math.max((view.getUint32(0) >>> 20) - 1023, -14);
  const code = exponent > 16 ? 0x7c00 : (exponent + 14) * 1024 + even(size * 2 ** (10 - exponent));
  return code < 0x7c00 ? sign | code : refuse("OUT_OF_RANGE");
}

function ofHalf(half) {
  const exponent = (half >> 10) & 31;
  const steps = half & 0x3ff;
  const size = exponent === 31 ? (steps ? NaN : Infinity) : exponent === 0 ? steps * 2 ** -24 : (steps + 1024) * 2 ** (exponent - 25);
  return half & 0x8000 ? -size : size;
}

function rawOf(number, form) {
  if (form.bits === 16) return ofHalf(halfOf(number));
  if (form.bits === 64 || Number.isNaN(number)) return number;
  const short = Math.fround(number);
  if ((!Number.isFinite(short) && Number.isFinite(number)) || (!form.lossy && !Object.is(short, number))) refuse("OUT_OF_RANGE");
  return short;
}

function isWhole(value) {
  return typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

function spanOf(value, form) {
  const { min, step, last, clamped } = form;
  if (form.isSmall && typeof value === "number" && value >= min && value <= form.max) {
    const code = step === 1 ? value - min : Math.floor((value - min) / step);
    return clamped || step === 1 || min + code * step === value ? code : refuse("NOT_MULTIPLE");
  }
  const outside = () => refuse("OUT_OF_RANGE", `${min} to ${BigInt(min) + BigInt(last) * BigInt(step)}`, String(value));
  if (value < min) return clamped ? 0 : outside();
  const above = BigInt(value) - BigInt(min);
  const code = above / BigInt(step);
  if (code > last) return clamped ? last : outside();
  if (!clamped && code * BigInt(step) !== above) refuse("NOT_MULTIPLE");
  return whole(code);
}

function gridOf(value, form) {
  if (!Number.isFinite(value)) refuse("NOT_FINITE");
  const isOutside = value < Math.min(form.least, form.min) || value > Math.max(form.most, form.max);
  if (isOutside && !form.clamped) refuse("OUT_OF_RANGE", `${form.min} to ${form.max}`, String(value));
  return Math.min(even((Math.min(Math.max(value, form.min), form.max) - form.min) / form.step), form.last);
}

function stepsOf(value, steps, most) {
  if (!Number.isFinite(value)) refuse("NOT_FINITE");
  return Math.abs(steps) > most ? refuse("OUT_OF_RANGE") : steps;
}

function openOf(value, form) {
  const above = form.f === "from" ? BigInt(value) - BigInt(form.end) : form.f === "to" ? BigInt(form.end) - BigInt(value) : BigInt(value);
  if (form.f !== "around" && above < 0n) refuse("OUT_OF_RANGE");
  if (above % BigInt(form.step) !== 0n) refuse("NOT_MULTIPLE");
  const steps = above / BigInt(form.step);
  return form.f === "around" ? zigzag(whole(steps)) : whole(steps);
}

/** The code of a value, or a refusal. */
function codeOf(value, form) {
  switch (form.f) {
    case "span":
    case "from":
    case "to":
    case "around":
      if (!isWhole(value)) wrongType("a whole number", value);
      return form.f === "span" ? spanOf(value, form) : openOf(value, form);
  }
  if (typeof value !== "number") wrongType("a number", value);
  switch (form.f) {
    case "free":
      return value;
    case "raw":
      return rawOf(value, form);
    case "grid":
      return gridOf(value, form);
    case "steps":
      return zigzag(stepsOf(value, even(value / form.step), form.narrow ? 2 ** 22 : 2 ** 51) + 0);
    default: {
      const turn = 2 ** form.bits;
      const steps = stepsOf(value, even((value / (2 * Math.PI)) * turn), 2 ** 51);
      return ((steps % turn) + turn) % turn;
    }
  }
}

/** The value of a code. */
function numberOf(code, form) {
  switch (form.f) {
    case "span":
      return form.isSmall ? form.min + code * form.step : whole(BigInt(form.min) + BigInt(code) * BigInt(form.step));
    case "from":
      return whole(BigInt(form.end) + BigInt(code) * BigInt(form.step));
    case "to":
      return whole(BigInt(form.end) - BigInt(code) * BigInt(form.step));
    case "around":
      return whole(BigInt(unzigzag(code)) * BigInt(form.step));
    case "free":
    case "raw":
      return code;
    case "grid": {
      if (code === 0) return form.least;
      if (code >= form.last) return form.most;
      const number = form.min + code * form.step;
      return (form.narrow ? Math.fround(number) : number) + 0;
    }
    case "steps": {
      const number = Number(unzigzag(code)) * form.step;
      return (form.narrow ? Math.fround(number) : number) + 0;
    }
    default: {
      const turn = 2 ** form.bits;
      return (code >= turn / 2 ? code - turn : code) * ((2 * Math.PI) / turn);
    }
  }
}

/** Refuses a code that stands for no value. */
function checkCode(code, form) {
  if ((form.f === "span" || form.f === "grid") && code > form.last) refuse("OUT_OF_RANGE");
  if (form.f === "from" || form.f === "to" || form.f === "around") {
    if (!isWhole(numberOf(code, form))) refuse("OUT_OF_RANGE");
  }
  if (form.f === "steps" && codeOf(numberOf(code, form), form) !== code) refuse("OUT_OF_RANGE");
  return code;
}

/** What is known of a form once: how wide its codes are, and whether plain numbers hold all of it. */
function prepared(row) {
  const form = { ...FORM_SHAPE, ...row };
  form.wide = form.f === "span" ? form.width : form.f === "grid" ? width(form.last) : form.bits;
  if (form.f !== "span") return form;
  form.max = whole(BigInt(form.min) + BigInt(form.last) * BigInt(form.step));
  form.isSmall = [form.min, form.max, form.step, form.last].every((number) => typeof number === "number" && Math.abs(number) < 2 ** 52);
  return form;
}

function formWidth(form) {
  return form.wide;
}

function writeForm(code, form, bits) {
  switch (form.f) {
    case "from":
    case "to":
    case "around":
    case "steps":
      return bits.varint(code);
    case "free": {
      const isShort = Number.isNaN(code) || Object.is(Math.fround(code), code);
      bits.put(isShort ? 1 : 0, 1);
      return writeFloat(code, isShort ? 32 : 64, bits);
    }
    case "raw":
      return writeFloat(code, form.bits, bits);
    default:
      return bits.put(code, formWidth(form));
  }
}

function writeFloat(number, count, bits) {
  if (count === 16) return bits.put(halfOf(number), 16);
  if (Number.isNaN(number)) return count === 32 ? bits.put(0x7fc00000, 32) : bits.put(0x7ff8000000000000n, 64);
  if (count === 32) view.setFloat32(0, number);
  else view.setFloat64(0, number);
  bits.put(count === 32 ? view.getUint32(0) : view.getBigUint64(0), count);
}

function readFloat(count, bits) {
  const code = bits.take(count);
  if (count === 16) {
    const number = ofHalf(code);
    return Number.isNaN(number) && code !== 0x7e00 ? refuse("NOT_CANONICAL") : number;
  }
  if (count === 32) view.setUint32(0, code);
  else view.setBigUint64(0, BigInt(code));
  const number = count === 32 ? view.getFloat32(0) : view.getFloat64(0);
  const isNan = Number.isNaN(number) && BigInt(code) !== (count === 32 ? 0x7fc00000n : 0x7ff8000000000000n);
  return isNan ? refuse("NOT_CANONICAL") : number;
}

function readForm(form, bits) {
  switch (form.f) {
    case "from":
    case "to":
    case "around":
    case "steps":
      return checkCode(bits.varint("OUT_OF_RANGE"), form);
    case "free": {
      if (bits.bit()) return readFloat(32, bits);
      const number = readFloat(64, bits);
      return Number.isNaN(number) || Object.is(Math.fround(number), number) ? refuse("NOT_CANONICAL") : number;
    }
    case "raw":
      return readFloat(form.bits, bits);
    default:
      return checkCode(bits.take(formWidth(form)), form);
  }
}
