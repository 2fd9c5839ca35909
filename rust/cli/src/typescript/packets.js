// Messages and packets.

/** Runs, and makes a refusal inside an error for people. */
function guarded(name, run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const dot = error.path && error.path[0] !== "[" ? "." : "";
    throw new PackError(error.kind, name + dot + error.path, error);
  }
}

/** Runs with the bits of a packet, and gives a refusal inside the bit that was reached. */
function located(bits, run) {
  try {
    const done = run();
    bits.end();
    return done;
  } catch (error) {
    if (error instanceof Refused) error.bit ??= bits.at;
    throw error;
  }
}

class Codec {
  constructor(name, parts, root, count = 1) {
    this.name = name;
    this.root = root;
    this.table = new Coder(parts);
    this.deal = count > 1 ? new Deal(parts, root, count) : undefined;
  }

  pack(value) {
    return guarded(this.name, () => {
      const codes = [];
      this.table.take(this.root, value, codes);
      // The receiver refuses what comes back as something else, such as a union's other alternative.
      this.table.make(this.root, codes);
      return this.bytes(codes);
    });
  }

  unpack(packed) {
    return guarded(this.name, () => this.table.make(this.root, this.row(packed)));
  }

  apply(base, delta) {
    const [newer, older, ahead = 1, gap = 1] = Array.isArray(base) ? base : [base];
    return guarded(this.name, () => {
      if (![ahead, gap].every((states) => Number.isInteger(states) && states > 0 && states < 65536)) refuse("OUT_OF_RANGE");
      const based = (packed) => packed && { packed, row: this.row(packed) };
      return this.state(delta, [newer, older].map(based), { ahead, gap }).packed;
    });
  }

  /** A state that is in full in these bytes, or is told from those that were kept of its bases: its bytes, row and value. */
  state(bytes, [newer, older], apart) {
    return guarded(this.name, () => {
      const codes = [];
      if (newer) {
        const bits = new BitReader(bytes, newer.packed.length);
        const applier = new ColumnApplier(this.table, newer.row, bits, codes, older?.row, apart);
        located(bits, () => applier.root(this.root));
      }
      const packed = newer ? this.bytes(codes) : bytes.slice();
      const row = this.row(packed);
      return { packed, row, value: this.table.make(this.root, row) };
    });
  }

  row(packed) {
    const bits = new BitReader(packed);
    const codes = [];
    located(bits, () => this.table.read(this.root, bits, codes));
    return codes;
  }

  bytes(codes) {
    const bits = new BitWriter();
    this.table.write(this.root, codes, 0, bits);
    return bits.finish();
  }
}

function joined(...pieces) {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function idBytes(id) {
  if (id < 251) return [id];
  const above = id - 251;
  return above < 128 ? [251, above] : [251, (above & 127) | 128, above >> 7];
}

/** A count in its shortest form and where it ends; undefined for what is none. */
function leb128(bytes, at) {
  let count = 0;
  for (let shift = 0; shift < 28 && at < bytes.length; shift += 7) {
    const byte = bytes[at++];
    count |= (byte & 127) << shift;
    if (byte < 128) return shift === 0 || byte !== 0 ? [count, at] : undefined;
  }
  return undefined;
}

/** The id at the front of a packet and where it ends; of what is nobody's, 0. */
function readId(packet) {
  if (packet[0] !== 251) return [packet[0] < 251 ? packet[0] : 0, 1];
  const above = leb128(packet, 1);
  return above && above[0] <= 65535 - 251 ? [251 + above[0], above[1]] : [0, 1];
}

/** The messages of a protocol, by the tables that its module has. */
const REASONS = ["closed", "timed_out", "thrown_out", "kicked", "other_version", "silent", "rejoined"];

const u32 = (number) => [0, 8, 16, 24].map((shift) => (number >>> shift) & 255);
const readU32 = (bytes, at) =>
  (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;

/** The hash that a difference says of its bases: FNV-1a of 32 bits of one after the other, folded to 16. */
function baseHash(bases) {
  let hash = 0x811c9dc5;
  for (const packed of bases) for (const byte of packed) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash ^ (hash >>> 16)) & 0xffff;
}

export class Protocol {
  constructor(hello, messages) {
    this.hello = Uint8Array.from(hello);
    this.messages = Object.fromEntries(
      messages.map(({ parts, root, ...facts }) => [facts.name, { ...facts, codec: new Codec(facts.name, parts, root, facts.state?.parts) }]),
    );
    this.byId = new Map(Object.values(this.messages).map((message) => [message.id, message]));
  }

  /** The packet of a message. */
  encode(name, value) {
    const message = Object.hasOwn(this.messages, name) ? this.messages[name] : undefined;
    if (!message || message.state) throw new PackError("UNKNOWN_MESSAGE", String(name));
    return joined(idBytes(message.id), message.codec.pack(value));
  }

  /** The name and value of a packet of one message that is no state. */
  decode(packet) {
    const [id, at] = readId(packet);
    const message = this.byId.get(id);
    if (!message || message.state) throw new PackError("UNKNOWN_MESSAGE", "packet");
    return { name: message.name, value: message.codec.unpack(packet.subarray(at)) };
  }
}

/**
 * Hears what a server of the protocol sends: messages, states, batches and handshakes. What is to be sent back, such as what
 * acknowledges states, `replies` takes; `refusals` takes the errors of what was refused. The first packet to the server is
 * what `hello()` returns. Each connection has a Listener of its own.
 */
export class Listener {
  constructor(protocol) {
    this.protocol = protocol;
    this.held = new Map();
    this.replies = [];
    this.refusals = [];
    this.left = undefined;
    /** The number of this session, by which a server tells it from the one before. */
    this.session = (Math.random() * 0x100000000) >>> 0 || 1;
    this.theirs = 0;
  }

  /** The handshake: the first packet to the server. */
  hello(kind = 0) {
    const packet = Uint8Array.from(this.protocol.hello);
    packet[1] = kind;
    packet.set([...u32(this.session), ...u32(this.theirs)], 6);
    return packet;
  }

  /** The messages and states of a packet, in their order. What is refused is left out: its PackError is in `refusals`. */
  hear(packet) {
    return packet[0] === 0 && packet[1] === 4 ? this.batch(packet.subarray(2)) : this.hearOne(packet);
  }

  hearOne(packet) {
    try {
      return this.one(packet);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      this.refusals.push(error);
      return [];
    }
  }

  one(packet) {
    if (packet.length === 0) throw new PackError("MALFORMED", "packet");
    if (packet[0] !== 0) return this.message(packet);
    switch (packet[1]) {
      case 0:
      case 1:
        return this.greeting(packet);
      case 2:
      case 3:
        return [];
      case 5:
        return this.bye(packet);
      default:
        throw new PackError("MALFORMED", "packet");
    }
  }

  /** The handshake of the server. One with another number is of a server that began anew: its states do as well. */
  greeting(packet) {
    const ours = this.protocol.hello;
    const isOurs = (byte, at) => at < 2 || (at >= 6 && at < 14) || byte === ours[at];
    const isRight = packet.length === ours.length && packet.every(isOurs);
    if (isRight) {
      const session = readU32(packet, 6);
      if (session !== this.theirs) this.held.clear();
      this.theirs = session;
    }
    if (packet[1] === 0) this.replies.push(this.hello(1));
    if (!isRight) throw new PackError("PROTOCOL_MISMATCH", "packet");
    return [];
  }

  /** The server ends the connection, and says why. */
  bye(packet) {
    const reason = REASONS[packet[2]];
    if (!reason) throw new PackError("MALFORMED", "packet");
    this.left = { reason, text: new TextDecoder().decode(packet.subarray(3)) };
    return [];
  }

  /** What is right in a batch, around what is refused. Where a length is wrong the rest cannot be found. */
  batch(rest) {
    const heard = [];
    while (rest.length > 0) {
      const count = leb128(rest, 0);
      if (!count || count[0] === 0 || count[0] > rest.length - count[1]) {
        this.refusals.push(new PackError("MALFORMED", "packet"));
        break;
      }
      const end = count[1] + count[0];
      heard.push(...this.hearOne(rest.subarray(count[1], end)));
      rest = rest.subarray(end);
    }
    return heard;
  }

  message(packet) {
    const [id, at] = readId(packet);
    const message = this.protocol.byId.get(id);
    if (!message) throw new PackError("UNKNOWN_MESSAGE", "packet");
    if (message.from === "client") throw new PackError("WRONG_DIRECTION", message.name);
    return message.state ? this.state(message, packet, at) : [this.protocol.decode(packet)];
  }

  /** A state: its number, and a full value, or which states a difference is from, their hash and the difference. */
  state(message, packet, at) {
    const head = stateOf(packet, at, message.state.parts);
    if (!head) throw new PackError("MALFORMED", message.name);
    if (message.state.parts > 1) return this.dealt(message, head);
    const { seq, hash, bits } = head;
    const isFull = head.bases.length === 0;
    const held = this.held.get(message.id) ?? { kept: [], late: 0 };
    this.held.set(message.id, held);
    const newest = held.kept.at(-1)?.seq;
    const ahead = newest === undefined ? 1 : (seq - newest) & 0xffff;
    const isNews = ahead !== 0 && ahead < 0x8000;
    if (!isNews) {
      // A full state is late only where it can have been overtaken: else the sequence went on without us.
      held.late += 1;
      const isAnew = ((newest - seq) & 0xffff) > 32 || held.late > 32;
      if (isAnew && !isFull) this.resync(message);
      if (!isAnew || !isFull) return [];
    }
    try {
      const bases = head.bases.map((number) => held.kept.find((state) => state.seq === number));
      if (!isFull && (bases.includes(undefined) || baseHash(bases.map((state) => state.packed)) !== hash)) {
        throw new PackError("BASELINE_MISMATCH", message.name);
      }
      const { packed, row, value } = message.codec.state(bits, bases, head.apart);
      if (!isNews) held.kept = [];
      // A full state may follow an outage of all numbers: those before it then stand for states that were lost.
      if (isFull) forgetNamed(held.kept);
      held.late = 0;
      held.kept.push({ seq, packed, row, named: new Set([0]) });
      if (held.kept.length > message.state.history) held.kept.shift();
      const mask = u32(namedMask(held.kept, 0, 1));
      this.replies.push(Uint8Array.from([0, 2, ...idBytes(message.id), seq & 255, seq >> 8, ...mask]));
      return [{ name: message.name, value }];
    } catch (error) {
      forgetNamed(held.kept);
      this.resync(message);
      throw error;
    }
  }

  /** Parts of a state. The whole of it is heard with each packet that brings some, once all are there. */
  dealt(message, head) {
    const held = this.held.get(message.id) ?? new ReceivedStates(message);
    this.held.set(message.id, held);
    try {
      const news = held.news(head);
      if (news === undefined) this.resync(message);
      if (news === undefined || news.length === 0 || held.isTooLate(head)) return [];
      held.keep(head, news, guarded(message.name, () => held.rows(head)));
      const value = held.value();
      this.replies.push(held.ack(news));
      return value === undefined ? [] : [{ name: message.name, value }];
    } catch (error) {
      forgetNamed(held.kept);
      this.resync(message);
      throw error;
    }
  }

  resync(message) {
    this.replies.push(Uint8Array.from([0, 3, ...idBytes(message.id)]));
  }
}
