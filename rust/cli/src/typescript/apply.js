// Differences: a row and what changed become the new row.

const MOST_PLAIN = 4;

/** Reads a code of so many bits that is said by how far it is from another. */
function readRelative(base, count, bits) {
  if (count <= MOST_PLAIN) return bits.take(count);
  let before = 0n;
  for (const reach of [Math.ceil((count * 3) / 8), Math.ceil(count / 2), Math.ceil((count * 3) / 4)]) {
    if (!bits.bit()) {
      const distance = before + BigInt(bits.take(reach));
      const code = BigInt(base) + BigInt(unzigzag(whole(distance)));
      return code < 0n || code > LAST ? refuse("OUT_OF_RANGE") : whole(code);
    }
    before += 1n << BigInt(reach);
  }
  return bits.take(count);
}

function relativeBits(form) {
  return form.f === "span" || form.f === "grid" ? formWidth(form) : undefined;
}

class Applier {
  constructor(table, base, bits, codes) {
    this.table = table;
    this.base = base;
    this.bits = bits;
    this.codes = codes;
  }

  keep(from, end) {
    for (let at = from; at < end; at++) this.codes.push(this.base[at]);
  }

  value(at, from) {
    const part = this.table.parts[at];
    this.bits.value();
    if (part.nullable) {
      this.codes.push(this.bits.take(1));
      if (this.codes.at(-1) === 0) return;
      if (this.base[from++] === 0) return this.table.readWire(part, this.bits, this.codes);
    }
    this.bits.down();
    this.wire(part, from);
    this.bits.up();
  }

  /** Runs with what a reference leads to, or a union or case is: it is the same value. */
  sameValue(run) {
    this.bits.stay();
    run();
    this.bits.stayed();
  }

  wire(part, from) {
    const was = this.base[from];
    switch (part.kind) {
      case "same":
        return this.sameValue(() => this.value(part.part, from));
      case "int":
      case "float": {
        const count = relativeBits(part.form);
        if (count === undefined) return this.table.readWire(part, this.bits, this.codes);
        return void this.codes.push(checkCode(readRelative(was, count, this.bits), part.form));
      }
      case "solid":
        return this.solid(part.solid, from);
      case "dict":
        return this.dict(part, from, undefined);
      case "cases":
      case "union": {
        const [of, kind] = part.kind === "cases" ? [part.cases, "NOT_IN_ENUM"] : [part.alternatives, "NO_ALTERNATIVE"];
        const code = this.bits.take(part.width);
        if (code >= of.length) refuse(kind);
        this.codes.push(code);
        return this.sameValue(() => (code === was ? this.maybe(of[code], from + 1) : this.table.read(of[code], this.bits, this.codes)));
      }
      case "tuple":
        return this.tuple(part, from);
      case "array":
      case "map":
      case "packed":
        return this.rows(part, from);
      case "keyed":
      case "keyed_map":
        return this.set(part, from);
      default:
        return this.table.readWire(part, this.bits, this.codes);
    }
  }

  solid(solid, from) {
    const codes = solidCodes(solid);
    if (solid.s === "direction" || solid.s === "flat") return readSolid(solid, this.bits, this.codes);
    const turn = turnOf(solid);
    let isSame = true;
    for (let at = 0; at < codes; at++) {
      const was = this.base[from + at];
      let isKept = false;
      if (at === turn) isKept = isSame = this.bits.bit();
      else if (at < turn && codes > 1) isKept = !this.bits.bit();
      if (isKept) {
        this.codes.push(was);
        continue;
      }
      const form = solidForm(solid, at);
      const isBits = typeof form === "number";
      const count = isBits ? (at === turn ? undefined : form) : relativeBits(form);
      const isNear = count !== undefined && (at < turn || isSame);
      const code = isNear ? readRelative(was, count, this.bits) : readOne(solid, at, this.bits);
      if (isBits ? code >= 2 ** form : checkCode(code, form) !== code) refuse("OUT_OF_RANGE");
      this.codes.push(code);
    }
  }

  /** A bit, and what changed or stays. */
  maybe(at, from) {
    if (this.table.parts[at].codes === 0) return;
    if (this.bits.bit()) this.value(at, from);
    else this.keep(from, this.table.skip(at, this.base, from));
  }

  count(bounds, was) {
    const count = this.bits.bit() ? readCount(bounds, this.bits) : was;
    this.codes.push(count);
    return count;
  }

  tuple(part, from) {
    const was = this.base[from];
    const count = this.count(countOf(part), was);
    let at = from + 1;
    for (let number = 0; number < count; number++) {
      const item = part.items[number];
      below(`[${number}]`, () => (number < was ? this.maybe(item, at) : this.table.read(item, this.bits, this.codes)));
      if (number < was) at = this.table.skip(item, this.base, at);
    }
  }

  rows(part, from) {
    const was = this.base[from];
    const count = this.count(part.count, was);
    if (count > was) {
      this.bits.elements(count - was);
      this.bits.room(count - was, this.table.leastBits(part));
    }
    const common = Math.min(was, count);
    const changed = new Set(readMask(common, this.bits));
    let at = from + 1;
    for (let number = 0; number < common; number++) {
      below(`[${number}]`, () => {
        if (part.kind === "packed") {
          const end = at + solidCodes(part.solid);
          if (changed.has(number)) this.solid(part.solid, at);
          else this.keep(at, end);
          at = end;
          return;
        }
        for (const item of partsOf(part, number)) {
          const end = this.table.skip(item, this.base, at);
          if (!changed.has(number)) this.keep(at, end);
          else if (part.kind === "map") this.maybe(item, at);
          else this.value(item, at);
          at = end;
        }
      });
    }
    each(count - common, (far) => `[${common + far}]`, (far) => {
      if (part.kind === "packed") return readSolid(part.solid, this.bits, this.codes);
      for (const item of partsOf(part, common + far)) this.table.read(item, this.bits, this.codes);
    });
  }

  /** Reads a dict, its parts that are others by `change`: the number of the key, where it was. */
  dict(part, from, entryKey, change = (number, start) => this.value(part.keys[number].part, start)) {
    let flags = from;
    let at = from + part.optional;
    const due = [];
    part.keys.forEach((key, number) => {
      let [was, is] = [true, true];
      if (key.optional) {
        was = this.base[flags++] === 1;
        is = this.bits.bit();
        this.codes.push(is ? 1 : 0);
      }
      const hasBits = this.table.parts[key.part].codes !== 0;
      const isKnown = entryKey !== undefined && number === 0;
      const hasChanged = is && was && !isKnown && hasBits && this.bits.bit();
      const end = was ? this.table.skip(key.part, this.base, at) : at;
      if (is) due.push([key, number, isKnown, was, at, end, hasChanged]);
      at = end;
    });
    for (const [key, number, isKnown, was, start, end, hasChanged] of due) {
      below(key.name, () => {
        if (isKnown) this.codes.push(entryKey);
        else if (!was) this.table.read(key.part, this.bits, this.codes);
        else if (hasChanged) change(number, start);
        else this.keep(start, end);
      });
    }
  }

  set(part, from) {
    const isMap = part.kind === "keyed_map";
    const entries = isMap ? this.table.valuesOf(part, this.base, from) : this.table.entries(part, this.base, from);
    const marked = new Set(readMask(entries.length, this.bits));
    const codes = this.codes;
    const found = [];
    const kept = (key, run) => {
      this.codes = [];
      below(`[${key}]`, run);
      found.push([key, this.codes]);
    };
    entries.forEach(([key, at], number) => {
      if (marked.has(number) && this.bits.bit()) return;
      const item = isMap ? part.value : part.item;
      const keep = () => this.keep(at, this.table.skip(item, this.base, at));
      const change = () => (isMap ? this.value(item, at) : this.dict(this.table.parts[item], at, key));
      kept(key, () => {
        if (isMap) this.codes.push(key);
        if (marked.has(number)) change();
        else keep();
      });
    });
    for (const key of this.added(part)) kept(key, () => this.table.readEntry(part, key, this.bits, this.codes));
    this.codes = codes;
    found.sort((a, b) => a[0] - b[0]);
    if (found.some(([key], at) => at > 0 && found[at - 1][0] === key)) refuse("DUPLICATE_KEY");
    codes.push(checkCount(found.length, part.count));
    for (const [, row] of found) codes.push(...row);
  }

  added(part) {
    const count = Number(this.bits.varint("OUT_OF_RANGE"));
    this.bits.elements(count);
    this.bits.needs(count * 6);
    const keys = [];
    for (let next = 0, at = 0; at < count; at++) {
      const key = next + Number(this.bits.varint("OUT_OF_RANGE"));
      if (key > part.last) refuse("OUT_OF_RANGE");
      keys.push(key);
      next = key + 1;
    }
    return keys;
  }
}
