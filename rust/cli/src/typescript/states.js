// States of several parts: the entries of keyed arrays and maps right below the root by their keys, all else in the first.

class Deal {
  constructor(parts, root, count) {
    [this.root, this.count] = [root, count];
    const table = (hasFirst, keys) => this.narrowed(parts, hasFirst, keys);
    this.tables = [1, count].map((keys) => [table(false, keys), table(true, keys)]);
  }

  /** The table of values that lack what other parts have; keys are told among so many. */
  narrowed(parts, hasFirst, keys) {
    const copies = parts.map((part) => ({ ...part }));
    const root = copies[this.root];
    const isDealt = ({ optional, part }) => !optional && !copies[part].nullable && /^keyed/.test(copies[part].kind);
    root.keys = root.keys.map((key) => {
      if (!isDealt(key)) return key;
      const of = copies[key.part];
      const last = Math.floor(of.last / keys);
      const count = { min: 0, max: Math.min(of.count.max ?? last + 1, last + 1) };
      return { ...key, isDealt: true, part: copies.push({ ...of, last, count }) - 1 };
    });
    if (!hasFirst) root.keys = root.keys.filter((key) => key.isDealt);
    return new Coder(copies);
  }

  table(parts, isFull = false) {
    return this.tables[isFull ? 1 : 0][parts.includes(0) ? 1 : 0];
  }

  /** The codes of each key of the root that is there, and what is dealt out under it. */
  cut(table, codes) {
    const { keys, optional } = table.parts[this.root];
    let [flag, at] = [0, optional];
    const pieces = [];
    for (const key of keys) {
      if (key.optional && codes[flag++] !== 1) continue;
      const end = table.skip(key.part, codes, at);
      pieces.push({ set: key.isDealt ? table.parts[key.part] : undefined, at, end });
      at = end;
    }
    return pieces;
  }

  /** The entries of a keyed array or map: where each begins and ends, and where its key is. */
  entries(table, set, codes, from) {
    const isMap = set.kind === "keyed_map";
    const before = isMap ? 0 : table.parts[set.item].optional;
    let at = from + 1;
    return Array.from({ length: codes[from] }, () => {
      const end = isMap ? table.skip(set.value, codes, at + 1) : table.skip(set.item, codes, at);
      const entry = { key: codes[at + before], place: at + before, codes: codes.slice(at, end) };
      at = end;
      return entry;
    });
  }

  /** The row of each part, of the row of all of them. */
  split(parts, codes) {
    const table = this.table(parts);
    const rows = new Map(parts.map((part) => [part, []]));
    const first = rows.get(0) ?? [];
    first.push(...codes.slice(0, table.parts[this.root].optional));
    for (const { set, at, end } of this.cut(table, codes)) {
      if (!set) {
        first.push(...codes.slice(at, end));
        continue;
      }
      const heads = new Map(parts.map((part) => [part, rows.get(part).push(0) - 1]));
      for (const entry of this.entries(table, set, codes, at)) {
        const part = entry.key % this.count;
        const row = rows.get(part) ?? refuse("OUT_OF_RANGE");
        row.push(...entry.codes);
        row[heads.get(part)]++;
      }
    }
    return rows;
  }

  /** The row of some parts together, in their order. */
  join(rows) {
    const parts = [...rows.keys()];
    const cuts = parts.map((part) => ({ table: this.table([part]), row: rows.get(part) }));
    for (const each of cuts) each.pieces = this.cut(each.table, each.row);
    const codes = cuts[0].row.slice(0, cuts[0].table.parts[this.root].optional);
    let number = 0;
    for (const { set, at, end } of cuts[0].pieces) {
      if (!set) {
        codes.push(...cuts[0].row.slice(at, end));
        continue;
      }
      const found = cuts.flatMap(({ table, row, pieces }) => {
        const own = pieces.filter((piece) => piece.set)[number];
        return this.entries(table, own.set, row, own.at);
      });
      number++;
      found.sort((a, b) => a.key - b.key);
      codes.push(found.length);
      for (const entry of found) codes.push(...entry.codes);
    }
    return codes;
  }

  /** The row of a part that came in full. */
  readFull(part, packed) {
    const [table, full] = [this.table([part]), this.table([part], true)];
    const bits = new BitReader(packed);
    const codes = [];
    located(bits, () => full.read(this.root, bits, codes));
    const sets = table.parts[this.root].keys.filter((key) => key.isDealt).map((key) => table.parts[key.part]);
    for (const { set, at } of this.cut(full, codes)) {
      if (!set) continue;
      const { last } = sets.shift();
      for (const { key, place } of this.entries(full, set, codes, at)) {
        codes[place] = key * this.count + part;
        if (codes[place] > last) refuse("OUT_OF_RANGE");
      }
    }
    return codes;
  }

  /** The row that a difference makes of those of its bases. */
  apply(parts, [newer, older], apart, bits) {
    const codes = [];
    const applier = new ColumnApplier(this.table(parts), newer, bits, codes, older, apart);
    located(bits, () => applier.root(this.root));
    return codes;
  }

  packed(parts, codes) {
    const bits = new BitWriter();
    this.table(parts).write(this.root, codes, 0, bits);
    return bits.finish();
  }
}

/** The numbers of the parts that bytes name; undefined for what is none of them. */
function readParts(packet, at, count) {
  const length = Math.ceil(count / 8);
  if (packet.length < at + length) return undefined;
  const parts = [];
  for (let part = 0; part < length * 8; part++) if ((packet[at + (part >> 3)] >> (part & 7)) & 1) parts.push(part);
  return parts.length > 0 && parts.at(-1) < count ? parts : undefined;
}

function partsBytes(parts, count) {
  const bytes = new Array(Math.ceil(count / 8)).fill(0);
  for (const part of parts) bytes[part >> 3] |= 1 << (part & 7);
  return bytes;
}

/** What stands in a packet with a state from behind its id; undefined for what is none. */
function stateOf(packet, at, count) {
  const [back, gap] = [packet[at + 2] & 31, packet[at + 2] >> 5];
  let next = at + 3;
  const before = gap === 0 ? 0 : gap === 1 ? back : packet[next++];
  const isRight = gap === 0 || (gap !== 2 && gap < 4 && back !== 0 && before > 0 && (gap === 1 || before !== back));
  const parts = count > 1 ? readParts(packet, next, count) : [0];
  if (count > 1) next += Math.ceil(count / 8);
  const hash = packet[next] | (packet[next + 1] << 8);
  if (back !== 0) next += 2;
  if (!isRight || !parts || packet.length < next || (back === 0 && parts.length > 1)) return undefined;
  const [seq, numbers] = [packet[at] | (packet[at + 1] << 8), back === 0 ? [] : before === 0 ? [back] : [back, back + before]];
  const bases = numbers.map((far) => (seq - far) & 0xffff);
  const apart = before === 0 ? { ahead: 1, gap: 1 } : { ahead: back, gap: before };
  return { seq, bases, apart, parts, hash, bits: packet.subarray(next) };
}

/** A bit for each kept state of which acknowledgements name a part, the lowest for the one so far before the newest. */
function namedMask(kept, part, nearest) {
  const named = kept.filter((state) => state.named.has(part)).map((state) => ((kept.at(-1).seq - state.seq) & 0xffff) - nearest);
  return named.filter((far) => far >= 0 && far < 32).reduce((mask, far) => mask + 2 ** far, 0);
}

/** Acknowledges none of these again. After a difference that failed, its base may be another than was sent. */
function forgetNamed(kept) {
  for (const state of kept) state.named.clear();
}

/** The states of one message that came from a server, by their parts. */
class ReceivedStates {
  constructor(message) {
    this.message = message;
    this.begin();
  }

  begin() {
    /** The newest last: its number, the row of each part, and which of those are acknowledged. */
    this.kept = [];
    /** The newest of each part: its number, and its row. */
    this.latest = new Map();
    this.late = 0;
  }

  get newest() {
    return this.kept.at(-1)?.seq;
  }

  /** Which parts of a state are newer than those that came. Undefined: the next state has to be a full one. */
  news({ seq, parts, bases }) {
    const behind = this.newest === undefined ? -1 : (this.newest - seq) & 0xffff;
    if (behind < 0 || behind > 0x8000) return parts;
    const isNewer = (part) => !this.latest.has(part) || ((this.newest - this.latest.get(part)[0]) & 0xffff) > behind;
    const news = behind <= 32 ? parts.filter(isNewer) : [];
    if (news.length > 0) return news;
    if (behind <= 32 && ++this.late <= 32) return [];
    if (bases.length > 0) return undefined;
    this.begin();
    return parts;
  }

  /** Whether a base of a packet is gone that later ones overtook. */
  isTooLate({ seq, parts, bases }) {
    const behind = this.newest === undefined ? 0 : (this.newest - seq) & 0xffff;
    const isKept = (base) => this.kept.some((kept) => kept.seq === base && parts.every((part) => kept.rows.has(part)));
    return behind > 0 && behind <= 32 && !bases.every(isKept);
  }

  /** The rows of a packet's parts, one by one. */
  rows({ parts, bases, apart, hash, bits }) {
    const { deal } = this.message.codec;
    if (bases.length === 0) return new Map([[parts[0], deal.readFull(parts[0], bits)]]);
    const states = bases.map((seq) => {
      const rows = this.kept.find((kept) => kept.seq === seq)?.rows;
      if (!rows || !parts.every((part) => rows.has(part))) throw new PackError("BASELINE_MISMATCH", this.message.name);
      return new Map(parts.map((part) => [part, rows.get(part)]));
    });
    const packed = states.map((rows) => parts.map((part) => deal.packed([part], rows.get(part))));
    if (baseHash(packed.flat()) !== hash) throw new PackError("BASELINE_MISMATCH", this.message.name);
    const bytes = packed[0].reduce((sum, part) => sum + part.length, 0);
    const joined = states.map((rows) => deal.join(rows));
    return deal.split(parts, deal.apply(parts, joined, apart, new BitReader(bits, bytes)));
  }

  /** Keeps the parts of a state that are news. */
  keep({ seq, bases }, news, rows) {
    // Numbers are counted back from the one that is the farthest ahead.
    const ahead = this.newest === undefined || ((this.newest - seq) & 0xffff) > 0x8000 ? seq : this.newest;
    const behind = (of) => (ahead - of) & 0xffff;
    if (bases.length === 0) for (const state of this.kept) for (const part of news) state.named.delete(part);
    let state = this.kept.find((kept) => kept.seq === seq);
    if (!state) this.kept.push((state = { seq, rows: new Map(), named: new Set() }));
    this.kept.sort((a, b) => behind(b.seq) - behind(a.seq));
    for (const part of news) {
      state.rows.set(part, rows.get(part));
      state.named.add(part);
      this.latest.set(part, [seq, rows.get(part)]);
    }
    // One more than the server, whose next state may come in several packets from the oldest that it keeps.
    while (this.kept.length > this.message.state.history + 1) this.kept.shift();
    this.late = 0;
  }

  /** What acknowledges these parts. */
  ack(news) {
    const { id, state } = this.message;
    const masks = new Map();
    for (const part of news) {
      const mask = namedMask(this.kept, part, 0);
      masks.set(mask, [...(masks.get(mask) ?? []), part]);
    }
    const groups = [...masks].flatMap(([mask, parts]) => [...partsBytes(parts, state.parts), ...u32(mask)]);
    return Uint8Array.from([0, 2, ...idBytes(id), this.newest & 255, this.newest >> 8, ...groups]);
  }

  /** The value of all parts, once each has come. Those of different states need not be a value: the next ones may be. */
  value() {
    const { codec, state } = this.message;
    const parts = Array.from({ length: state.parts }, (_, part) => part);
    if (!parts.every((part) => this.latest.has(part))) return undefined;
    const row = codec.deal.join(new Map(parts.map((part) => [part, this.latest.get(part)[1]])));
    try {
      return codec.unpack(codec.deal.packed(parts, row));
    } catch (error) {
      if (!(error instanceof PackError) || new Set(parts.map((part) => this.latest.get(part)[0])).size === 1) throw error;
      return undefined;
    }
  }
}
