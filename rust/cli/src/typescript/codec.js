// Rows of codes as bits and back, values of rows, and differences.

function varintBits(number) {
  let at = BUCKETS.length - 1;
  while (number < BUCKETS[at][0]) at--;
  return 3 + BUCKETS[at][1];
}

/** Whether places in their order are told by the distances between them, among so many. */
function isSparse(places, all) {
  let [bits, next] = [varintBits(places.length), 0];
  for (const place of places) {
    bits += varintBits(place - next);
    next = place + 1;
  }
  return bits < all;
}

function writeMask(places, all, bits) {
  const sparse = isSparse(places, all);
  bits.put(sparse ? 1 : 0, 1);
  if (sparse) bits.varint(places.length);
  let next = 0;
  for (const place of places) {
    if (sparse) bits.varint(place - next);
    else bits.ends(place - next, 1);
    next = place + 1;
  }
  if (!sparse) bits.ends(all - next, 0);
}

function readMask(all, bits) {
  const places = [];
  const sparse = bits.bit();
  if (sparse) {
    const count = bits.varint("WRONG_SIZE");
    bits.elements(count);
    if (count > all) refuse("WRONG_SIZE");
    bits.needs(Number(count) * 6);
    for (let next = 0, at = 0; at < count; at++) {
      const place = next + Number(bits.varint("OUT_OF_RANGE"));
      if (place >= all) refuse("OUT_OF_RANGE");
      places.push(place);
      next = place + 1;
    }
  } else {
    bits.needs(all);
    for (let place = 0; place < all; place++) if (bits.bit()) places.push(place);
    bits.elements(places.length);
  }
  return sparse === isSparse(places, all) ? places : refuse("NOT_CANONICAL");
}

class Coder extends Maker {
  // A row as bits.

  write(at, codes, from, bits) {
    const part = this.parts[at];
    if (part.nullable) {
      bits.put(codes[from], 1);
      if (codes[from++] === 0) return from;
    }
    const first = codes[from];
    const next = from + 1;
    switch (part.kind) {
      case "only":
        return from;
      case "same":
        return this.write(part.part, codes, from, bits);
      case "bool":
        bits.put(first, 1);
        return next;
      case "int":
      case "float":
        writeForm(first, part.form, bits);
        return next;
      case "solid":
        return writeSolid(codes, from, part.solid, bits);
      case "text":
        writeText(first, part.chars, bits);
        return next;
      case "path":
        writePath(first, bits);
        return next;
      case "any":
        writeBytes(bytesOf(first), bits);
        return next;
      case "enum":
        bits.put(first, part.width);
        return next;
      case "dict":
        return this.writeDict(part, codes, from, bits, false);
      case "cases":
        bits.put(first, part.width);
        return this.write(part.cases[first], codes, next, bits);
      case "union":
        bits.put(first, part.width);
        return this.write(part.alternatives[first], codes, next, bits);
      default:
        return this.writeList(part, codes, from, bits);
    }
  }

  writeList(part, codes, from, bits) {
    const count = codes[from];
    let at = from + 1;
    if (part.kind === "keyed") return this.writeSet(part, codes, from, bits);
    if (part.kind === "keyed_map") return this.writeKeyedMap(part, codes, from, bits);
    writeCount(count, countOf(part), bits);
    if (part.kind !== "tuple") bits.charge(count, this.leastBits(part));
    for (let number = 0; number < count; number++) {
      if (part.kind === "strings") writeText(codes[at++], part.chars, bits);
      else if (part.kind === "packed") at = writeSolid(codes, at, part.solid, bits);
      else for (const item of partsOf(part, number)) at = this.write(item, codes, at, bits);
    }
    return at;
  }

  writeDict(part, codes, from, bits, isEntry) {
    const [fixed, grown] = halvesOf(part);
    let at = from + part.optional;
    for (let flag = from; flag < at - grown.length; flag++) bits.put(codes[flag], 1);
    fixed.forEach((key, number) => {
      if (key.optional && codes[from++] === 0) return;
      at = isEntry && number === 0 ? at + 1 : this.write(key.part, codes, at, bits);
    });
    return part.grown === undefined ? at : this.writeGrown(grown, codes, from, at, bits);
  }

  /** The keys by which a dict has grown, up to the last that is there, behind how many bits they are. */
  writeGrown(keys, codes, flags, at, bits) {
    const last = keys.findLastIndex((_, number) => codes[flags + number] === 1);
    const tail = new BitWriter();
    keys.slice(0, last + 1).forEach((key, number) => {
      tail.put(codes[flags + number], 1);
      if (codes[flags + number] === 1) at = this.write(key.part, codes, at, tail);
    });
    bits.varint(tail.at);
    bits.charge(tail.charged, 0);
    const reader = new BitReader(tail.part());
    for (let left = tail.at; left > 0; left -= 16) bits.put(reader.take(Math.min(left, 16)), Math.min(left, 16));
    return at;
  }

  /** The keys of a set's entries, and where each begins. */
  entries(part, codes, from) {
    const dict = this.parts[part.item];
    const found = [];
    let at = from + 1;
    for (let number = 0; number < codes[from]; number++) {
      found.push([codes[at + dict.optional], at]);
      at = this.skip(part.item, codes, at);
    }
    return found;
  }

  writeSet(part, codes, from, bits) {
    const entries = this.entries(part, codes, from);
    writeMask(entries.map(([key]) => key), part.last + 1, bits);
    return entries.reduce((_, [, at]) => this.writeDict(this.parts[part.item], codes, at, bits, true), from + 1);
  }

  /** The keys of a map's entries, and where each value begins. */
  valuesOf(part, codes, from) {
    const found = [];
    let at = from + 1;
    for (let number = 0; number < codes[from]; number++) {
      found.push([codes[at], at + 1]);
      at = this.skip(part.value, codes, at + 1);
    }
    return found;
  }

  writeKeyedMap(part, codes, from, bits) {
    const entries = this.valuesOf(part, codes, from);
    writeMask(entries.map(([key]) => key), part.last + 1, bits);
    return entries.reduce((_, [, at]) => this.write(part.value, codes, at, bits), from + 1);
  }

  // Bits as a row.

  read(at, bits, codes) {
    const part = this.parts[at];
    bits.value();
    if (part.nullable) {
      codes.push(bits.take(1));
      if (codes.at(-1) === 0) return;
    }
    bits.down();
    this.readWire(part, bits, codes);
    bits.up();
  }

  /** Reads what a reference leads to, or a union or case is: it is the same value. */
  readSame(at, bits, codes) {
    bits.stay();
    this.read(at, bits, codes);
    bits.stayed();
  }

  readWire(part, bits, codes) {
    switch (part.kind) {
      case "only":
        return;
      case "same":
        return this.readSame(part.part, bits, codes);
      case "bool":
        return void codes.push(bits.take(1));
      case "int":
      case "float":
        return void codes.push(readForm(part.form, bits));
      case "solid":
        return readSolid(part.solid, bits, codes);
      case "text":
        return void codes.push(readText(part.chars, bits));
      case "path":
        return void codes.push(readPath(bits));
      case "any":
        return void codes.push(hexOf(readBytes(readCount(ANY_COUNT, bits), bits)));
      case "enum": {
        const code = bits.take(part.width);
        if (code >= part.values.length) refuse("NOT_IN_ENUM");
        const first = part.values.findIndex((each) => equal(each, part.values[code]));
        return first === code ? void codes.push(code) : refuse("NOT_CANONICAL");
      }
      case "dict":
        return this.readDict(part, bits, codes, undefined);
      case "cases":
      case "union": {
        const [of, kind] = part.kind === "cases" ? [part.cases, "NOT_IN_ENUM"] : [part.alternatives, "NO_ALTERNATIVE"];
        const code = bits.take(part.width);
        if (code >= of.length) refuse(kind);
        codes.push(code);
        return this.readSame(of[code], bits, codes);
      }
      default:
        return this.readList(part, bits, codes);
    }
  }

  readDict(part, bits, codes, key) {
    const [fixed, grown] = halvesOf(part);
    let flag = codes.length;
    for (const each of fixed) if (each.optional) codes.push(bits.take(1));
    const grownFlags = codes.length;
    grown.forEach(() => codes.push(0));
    for (let number = 0; number < fixed.length; number++) {
      const each = fixed[number];
      if (each.optional && codes[flag++] === 0) continue;
      if (key !== undefined && number === 0) {
        bits.value();
        codes.push(key);
        continue;
      }
      try {
        this.read(each.part, bits, codes);
      } catch (error) {
        throw under(each.name, error);
      }
    }
    if (part.grown !== undefined) this.readGrown(grown, grownFlags, bits, codes);
  }

  /** The keys by which a dict has grown. Those that are not known here are passed over. */
  readGrown(keys, flags, bits, codes) {
    const count = readCount(ANY_COUNT, bits);
    bits.needs(count);
    const end = bits.at + count;
    let isThere = count === 0;
    for (let number = 0; number < keys.length && bits.at < end; number++) {
      isThere = bits.bit();
      codes[flags + number] = isThere ? 1 : 0;
      if (isThere) below(keys[number].name, () => this.read(keys[number].part, bits, codes));
    }
    if (bits.at > end || (bits.at === end && !isThere)) refuse("NOT_CANONICAL");
    bits.at = end;
  }

  readList(part, bits, codes) {
    if (part.kind === "keyed" || part.kind === "keyed_map") {
      const places = readMask(part.last + 1, bits);
      codes.push(checkCount(places.length, part.count));
      return each(places.length, (at) => `[${places[at]}]`, (at) => this.readEntry(part, places[at], bits, codes));
    }
    const count = readCount(countOf(part), bits);
    codes.push(count);
    if (part.kind !== "tuple") {
      bits.elements(count);
      bits.room(count, this.leastBits(part));
    }
    each(count, stepAt, (number) => {
      if (part.kind === "strings") codes.push(readText(part.chars, bits));
      else if (part.kind === "packed") readSolid(part.solid, bits, codes);
      else for (const item of partsOf(part, number)) this.read(item, bits, codes);
    });
  }

  readEntry(part, key, bits, codes) {
    bits.value();
    if (part.kind === "keyed_map") {
      codes.push(key);
      return this.read(part.value, bits, codes);
    }
    bits.down();
    this.readDict(this.parts[part.item], bits, codes, key);
    bits.up();
  }

  leastBits(part) {
    if (part.kind === "packed") return leastOf(part.solid);
    if (part.kind === "strings") return (fixedCount(part.chars.count) ?? 6) + part.chars.count.min * letterBits(part.chars);
    return partsOf(part, 0).reduce((sum, item) => sum + (this.parts[item].least ?? 0), 0);
  }
}

/** The keys of a dict that were there from the beginning, and those by which it has grown. */
function halvesOf(part) {
  const fixed = part.keys.length - (part.grown ?? 0);
  return (part.halves ??= [part.keys.slice(0, fixed), part.keys.slice(fixed)]);
}

function countOf(part) {
  return part.kind === "tuple" ? { min: part.fewest, max: part.items.length } : part.count;
}

function copy(value) {
  if (Array.isArray(value)) return value.map(copy);
  if (value instanceof Map) return new value.constructor([...value].map(([key, of]) => [key, copy(of)]));
  return value?.constructor === Object ? Object.fromEntries(Object.entries(value).map(([key, of]) => [key, copy(of)])) : value;
}

function writeBytes(bytes, bits) {
  writeCount(bytes.length, ANY_COUNT, bits);
  bytes.forEach((byte) => bits.put(byte, 8));
}

function writePath(code, bits) {
  const [absolute, names, subnames] = JSON.parse(code);
  bits.put(absolute ? 1 : 0, 1);
  bits.varint(names.length);
  bits.varint(subnames.length);
  for (const name of [...names, ...subnames]) writeBytes(utf8.encode(name), bits);
}

function readPath(bits) {
  const absolute = bits.bit();
  const [names, subnames] = [readCount(ANY_COUNT, bits), readCount(ANY_COUNT, bits)];
  bits.elements(names + subnames);
  bits.needs((names + subnames) * 6);
  const text = () => readText({ count: ANY_COUNT }, bits);
  return JSON.stringify([absolute, Array.from({ length: names }, text), Array.from({ length: subnames }, text)]);
}
