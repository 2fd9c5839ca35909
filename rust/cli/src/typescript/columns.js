// Differences by columns: numbers told by how far they are from predicted ones.

const MOST_NESTED = 16;
const MOST_FIELDS = 1000;
const MOST_STEPS = 2 ** 22;
const STEPS_WIDTH = 24;

function stepOf(form, code) {
  return form.f === "steps" ? unzigzag(code) : code;
}

function modulo(number, turn) {
  return ((number % turn) + turn) % turn;
}

/** An angle's distance, the shorter way round. */
function shorter(form, far) {
  if (form.f !== "angle") return far;
  const half = 2 ** (form.bits - 1);
  return modulo(far + half, 2 * half) - half;
}

function within(number, least, most) {
  return Math.min(Math.max(number, least), most);
}

/** The code that is likely after two, the newer first. */
function predicted(form, newer, older, apart) {
  const a = stepOf(form, newer);
  const far = shorter(form, a - stepOf(form, older));
  const to = a + Math.floor((2 * far * apart.ahead + apart.gap) / (2 * apart.gap));
  if (form.f === "angle") return modulo(to, 2 ** form.bits);
  return form.f === "steps" ? zigzag(within(to, -MOST_STEPS, MOST_STEPS)) : within(to, 0, form.last);
}

/** The code that is so far from a predicted one. */
function restored(form, bits, from, distance) {
  const to = (form === undefined ? from : stepOf(form, from)) + unzigzag(distance);
  if (form !== undefined && form.f === "angle") {
    return distance < 2 ** form.bits ? modulo(to, 2 ** form.bits) : refuse("OUT_OF_RANGE");
  }
  if (form !== undefined && form.f === "steps") return Math.abs(to) <= MOST_STEPS ? zigzag(to) : refuse("OUT_OF_RANGE");
  const last = form === undefined ? 2 * mostOf(bits) : form.last;
  return to >= 0 && to <= last ? to : refuse("OUT_OF_RANGE");
}

function isLane(form) {
  if (form.f === "span" || form.f === "grid") return formWidth(form) <= 32;
  return form.f === "angle" || (form.f === "steps" && form.narrow);
}

function readPlain(order, count, bits) {
  let ones = 0;
  while (bits.bit()) if (++ones > count + 2) refuse("OUT_OF_RANGE");
  const high = 2 ** ones + bits.take(ones) - 1;
  return high * 2 ** order + bits.take(order);
}

function readDistance(code, count, bits) {
  const order = code & 15;
  if (code < 16) return readPlain(order, count, bits);
  if (!bits.bit()) return bits.take(order);
  return bits.bit() ? 2 ** (order + 1) + readPlain(order, count, bits) : 2 ** order + bits.take(order);
}

/** Which of so many entries are marked. */
function readMarks(all, bits) {
  if (all === 0) return [];
  if (!bits.bit()) {
    bits.needs(all);
    return Array.from({ length: all }, () => bits.bit());
  }
  const isOfOthers = bits.bit();
  const count = bits.varint("WRONG_SIZE");
  if (count > all) refuse("WRONG_SIZE");
  bits.needs(Number(count) * 6);
  const marks = new Array(all).fill(isOfOthers);
  for (let next = 0, at = 0; at < count; at++) {
    const place = next + Number(bits.varint("OUT_OF_RANGE"));
    if (place >= all) refuse("OUT_OF_RANGE");
    marks[place] = !isOfOthers;
    next = place + 1;
  }
  return marks;
}

class ColumnApplier extends Applier {
  /** `older` is the row of an older base, `apart` how many states lie between. */
  constructor(table, base, bits, codes, older, apart) {
    super(table, base, bits, codes);
    this.older = older;
    this.apart = apart;
  }

  root(at) {
    if (!this.bits.bit()) return this.keep(0, this.base.length);
    const isByColumns = this.bits.bit();
    const root = this.resolved(at);
    const fields = isByColumns && this.isDict(root) ? this.fields(root, false) : undefined;
    if (fields === undefined) return this.value(at, 0);
    const older = this.older && this.places(root, false, this.older, 0);
    if (older) this.predictRoot(fields, this.places(root, false, this.base, 0), older);
    this.bits.value();
    this.bits.down();
    let next = 0;
    const numbers = root.keys.map((key) => {
      const inner = this.resolved(key.part);
      if (!key.optional && this.isDict(inner)) return void (next += this.fields(inner, false).length);
      return next++;
    });
    this.dict(root, 0, undefined, (key, from) => {
      const part = root.keys[key].part;
      const set = this.resolved(part);
      const isSet = set && !set.nullable && (set.kind === "keyed" || set.kind === "keyed_map") && this.fieldsOf(set);
      if (!isSet || !this.bits.bit()) return this.value(part, from);
      return this.byColumns(set, from, older ? older[numbers[key]] : -1);
    });
    this.bits.up();
  }

  resolved(at) {
    for (let step = 0; step < MOST_NESTED; step++) {
      const part = this.table.parts[at];
      if (part.kind !== "same" || part.nullable) return part;
      at = part.part;
    }
    return undefined;
  }

  isDict(part) {
    return part !== undefined && !part.nullable && part.kind === "dict";
  }

  /** A part that is no dict that is always there: with `lanes`, the forms of a column's numbers, and `turn`, its rotation. */
  field(at, isOptional) {
    const field = { part: at, optional: isOptional };
    const part = this.resolved(at);
    if (part === undefined || part.nullable) return field;
    const solid = part.kind === "solid" ? part.solid : undefined;
    let lanes;
    if (part.kind === "int" || part.kind === "float") lanes = [part.form];
    else if (solid?.s === "each") lanes = solid.forms;
    else if (solid?.s === "rotation") lanes = [];
    else if (solid?.s === "rigid") lanes = [solid.origin, solid.origin, solid.origin];
    if (lanes === undefined || !lanes.every(isLane)) return field;
    const hasTurn = solid !== undefined && turnOf(solid) !== Infinity;
    return { ...field, lanes, turn: hasTurn ? lanes.length : undefined, bits: solid?.bits };
  }

  /** The fields of a dict, but for the key of an entry; undefined where they are too many. */
  fields(dict, isEntry) {
    const fields = [];
    return this.grow(dict, isEntry, fields, 1) ? fields : undefined;
  }

  fieldsOf(set) {
    if (set.kind === "keyed") return this.fields(this.table.parts[set.item], true);
    const value = this.resolved(set.value);
    return this.isDict(value) ? this.fields(value, false) : [this.field(set.value, false)];
  }

  isInner(key, level) {
    const inner = this.resolved(key.part);
    return !key.optional && this.isDict(inner) && level < MOST_NESTED ? inner : undefined;
  }

  grow(dict, isEntry, fields, level) {
    for (const key of dict.keys.slice(isEntry ? 1 : 0)) {
      const inner = this.isInner(key, level);
      if (inner === undefined) fields.push(this.field(key.part, key.optional));
      else if (!this.grow(inner, false, fields, level + 1)) return false;
      if (fields.length > MOST_FIELDS) return false;
    }
    return true;
  }

  /** Where each field begins, -1 where it is missing. */
  places(dict, isEntry, codes, from) {
    const places = [];
    this.locate(dict, isEntry, codes, from, places, 1);
    return places;
  }

  placesOf(set, codes, from) {
    if (set.kind === "keyed") return this.places(this.table.parts[set.item], true, codes, from);
    const value = this.resolved(set.value);
    return this.isDict(value) ? this.places(value, false, codes, from) : [from];
  }

  locate(dict, isEntry, codes, from, places, level) {
    let flags = from;
    let at = from + dict.optional;
    dict.keys.forEach((key, number) => {
      if (isEntry && number === 0) return void at++;
      const inner = this.isInner(key, level);
      if (inner !== undefined) return void (at = this.locate(inner, false, codes, at, places, level + 1));
      if (key.optional && codes[flags++] === 0) return void places.push(-1);
      places.push(at);
      at = this.table.skip(key.part, codes, at);
    });
    return at;
  }

  predictRoot(fields, places, older) {
    const likely = this.base.slice();
    fields.forEach((field, number) => {
      const at = places[number];
      if (field.lanes === undefined || at < 0 || older[number] < 0 || !this.bits.bit()) return;
      this.likely(field, at, older[number], () => true).forEach((code, each) => (likely[at + each] = code));
    });
    this.base = likely;
  }

  turned(field, at, older) {
    const a = exactQuaternion(this.base.slice(at + field.turn, at + field.turn + 4), field.bits);
    if (older === undefined) return a;
    return predictedTurn(a, exactQuaternion(this.older.slice(older + field.turn, older + field.turn + 4), field.bits), this.apart);
  }

  /** The codes that a field is likely to have. */
  likely(field, at, older, isTwo) {
    const codes = field.lanes.map((form, number) => {
      const was = this.base[at + number];
      return isTwo(number) ? predicted(form, was, this.older[older + number], this.apart) : was;
    });
    if (field.turn === undefined) return codes;
    const turn = this.base.slice(at + field.turn, at + field.turn + 4);
    const isMoving = isTwo(field.turn) && !same(turn, this.older.slice(older + field.turn, older + field.turn + 4));
    return [...codes, ...(isMoving ? ofQuaternion(this.turned(field, at, older), field.bits) : turn)];
  }

  /** Of each column with codes of its own, how they are; notes which other fields no entry says anything of. */
  readTable(fields) {
    return fields.map((field) => {
      if (field.lanes === undefined || !this.bits.bit()) {
        field.isStill = this.table.parts[field.part].codes !== 0 && !this.bits.bit();
        return undefined;
      }
      const own = { isDense: this.bits.bit(), two: [], codes: [], charts: new Set() };
      for (let unit = 0; unit < field.lanes.length + (field.turn === undefined ? 0 : 1); unit++) {
        own.two.push(this.older !== undefined && this.bits.bit());
        for (let code = 0; code < (unit === field.turn ? 3 : 1); code++) own.codes.push(this.bits.take(5));
      }
      return own;
    });
  }

  isSame(from, end, was, wasEnd) {
    if (end - from !== wasEnd - was) return false;
    for (let at = from; at < end; at++) if (!Object.is(this.base[at], this.older[was + at - from])) return false;
    return true;
  }

  /** The entries of the base that stay. */
  stay(set, from, older) {
    const isMap = set.kind === "keyed_map";
    const item = isMap ? set.value : set.item;
    const of = (codes, at) => (isMap ? this.table.valuesOf(set, codes, at) : this.table.entries(set, codes, at));
    const entries = of(this.base, from);
    const gone = this.bits.bit() ? readMarks(entries.length, this.bits) : [];
    const before = new Map(older < 0 ? [] : of(this.older, older));
    const kept = [];
    entries.forEach(([key, at], number) => {
      if (gone[number]) return;
      const was = before.get(key) ?? -1;
      const isStill =
        was >= 0 && this.isSame(at, this.table.skip(item, this.base, at), was, this.table.skip(item, this.older, was));
      const places = this.placesOf(set, this.base, at);
      const spots = was < 0 ? places.map(() => -1) : this.placesOf(set, this.older, was);
      kept.push({ key, at, was, places, spots, isMoving: this.older === undefined || !isStill, isWritten: false });
    });
    return kept;
  }

  /** How a field's column is told of an entry; undefined where its own codes do not tell it. */
  ownOf(table, entry, field) {
    const hasBases = entry.places[field] >= 0 && (this.older === undefined || entry.spots[field] >= 0);
    return hasBases ? table[field] : undefined;
  }

  byColumns(set, from, older) {
    this.bits.value();
    this.bits.down();
    const fields = this.fieldsOf(set);
    const table = this.readTable(fields);
    const kept = this.stay(set, from, older);
    // Predicting takes no bits: it is charged as what is told in full.
    if (table.some((own) => own?.two.includes(true))) {
      this.bits.elements(kept.length * (fields.length + 1));
      this.bits.values += kept.length * (fields.length + 1);
    }
    for (const isMoving of [true, false]) {
      const some = kept.filter((entry) => entry.isMoving === isMoving);
      readMarks(some.length, this.bits).forEach((mark, at) => (some[at].isWritten = mark));
    }
    fields.forEach((field, number) => {
      if (table[number] === undefined || field.turn === undefined) return;
      const some = kept.filter((entry) => entry.isWritten && this.ownOf(table, entry, number));
      readMarks(some.length, this.bits).forEach((mark, at) => mark && table[number].charts.add(some[at].key));
    });
    this.readEntries(set, fields, table, kept);
    this.bits.up();
  }

  readEntries(set, fields, table, kept) {
    const isMap = set.kind === "keyed_map";
    const codes = this.codes;
    const found = [];
    const read = (key, run) => {
      this.codes = [];
      below(`[${key}]`, run);
      found.push([key, this.codes]);
    };
    for (const entry of kept) {
      read(entry.key, () => {
        if (isMap) this.codes.push(entry.key);
        if (entry.isWritten) this.written(set, fields, table, entry);
        else this.unwritten(set, fields, table, entry);
      });
    }
    for (const key of this.added(set)) read(key, () => this.table.readEntry(set, key, this.bits, this.codes));
    this.codes = codes;
    found.sort((a, b) => a[0] - b[0]);
    if (found.some(([key], at) => at > 0 && found[at - 1][0] === key)) refuse("DUPLICATE_KEY");
    codes.push(checkCount(found.length, set.count));
    for (const [, row] of found) codes.push(...row);
  }

  unwritten(set, fields, table, entry) {
    const start = this.codes.length;
    this.keep(entry.at, this.table.skip(set.kind === "keyed_map" ? set.value : set.item, this.base, entry.at));
    if (!entry.isMoving || entry.was < 0) return;
    fields.forEach((field, number) => {
      const own = this.ownOf(table, entry, number);
      if (own === undefined) return;
      const at = start + entry.places[number] - entry.at;
      const codes = this.likely(field, entry.places[number], entry.spots[number], (unit) => own.two[unit]);
      codes.forEach((code, each) => (this.codes[at + each] = code));
    });
  }

  written(set, fields, table, entry) {
    if (this.older !== undefined && entry.was < 0) {
      if (set.kind === "keyed_map") return this.value(set.value, entry.at);
      return this.dict(this.table.parts[set.item], entry.at, entry.key);
    }
    const told = fields.map((field, number) => {
      const isThere = !field.optional || this.bits.bit();
      const has = isThere && entry.places[number] >= 0 && this.table.parts[field.part].codes !== 0;
      const own = this.ownOf(table, entry, number);
      return [isThere, has && !field.isStill && (own?.isDense || own?.charts.has(entry.key) || this.bits.bit())];
    });
    const field = (number) => {
      const at = entry.places[number];
      const own = this.ownOf(table, entry, number);
      const part = fields[number].part;
      const [, isTold] = told[number];
      if (at < 0) this.table.read(part, this.bits, this.codes);
      else if (own !== undefined) this.numbers(fields[number], own, entry, number, isTold);
      else if (isTold) this.value(part, at);
      else this.keep(at, this.table.skip(part, this.base, at));
    };
    const next = { field: 0 };
    if (set.kind === "keyed") return this.assemble(this.table.parts[set.item], entry.key, told, next, field, 1);
    const value = this.resolved(set.value);
    return this.isDict(value) ? this.assemble(value, undefined, told, next, field, 1) : field(0);
  }

  /** Reads an entry field by field. */
  assemble(dict, entryKey, told, next, field, level) {
    let flag = this.codes.length;
    for (let at = 0; at < dict.optional; at++) this.codes.push(0);
    dict.keys.forEach((key, number) => {
      if (entryKey !== undefined && number === 0) return void this.codes.push(entryKey);
      const inner = this.isInner(key, level);
      below(key.name, () => {
        if (inner !== undefined) return this.assemble(inner, undefined, told, next, field, level + 1);
        const [isThere] = told[next.field];
        if (key.optional) this.codes[flag++] = isThere ? 1 : 0;
        if (isThere) field(next.field);
        next.field++;
      });
    });
  }

  numbers(field, own, entry, number, isTold) {
    const [at, older] = [entry.places[number], entry.spots[number]];
    const codes = this.likely(field, at, older, (unit) => own.two[unit]);
    if (isTold) {
      if (own.charts.has(entry.key)) {
        const turned = this.turned(field, at, own.two[field.turn] ? older : undefined);
        codes[field.turn] = this.bits.take(2);
        withoutNumber(turned, codes[field.turn], field.bits).forEach((code, each) => (codes[field.turn + 1 + each] = code));
      }
      const less = !own.isDense && own.codes.length === 1 ? 1 : 0;
      own.codes.forEach((code, each) => {
        const form = field.lanes[each];
        const count = form === undefined ? field.bits : form.f === "steps" ? STEPS_WIDTH : formWidth(form);
        const place = form === undefined ? each + 1 : each;
        codes[place] = restored(form, field.bits, codes[place], readDistance(code, count, this.bits) + less);
      });
    }
    this.codes.push(...codes);
  }
}
