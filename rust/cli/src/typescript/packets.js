// Messages and packets.

/** Runs, and makes a refusal inside an error for people. */
function guarded(name, run) {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const dot = error.path && error.path[0] !== "[" ? "." : "";
    throw new PackError(error.kind, name + dot + error.path);
  }
}

class Codec {
  constructor(name, parts, root) {
    this.name = name;
    this.root = root;
    this.table = new Coder(parts);
  }

  pack(value) {
    return guarded(this.name, () => {
      const codes = [];
      this.table.take(this.root, value, codes);
      // The receiver refuses what comes back as something else, such as a union's other alternative.
      this.table.make(this.root, codes, 0);
      return this.bytes(codes);
    });
  }

  unpack(packed) {
    return guarded(this.name, () => this.table.make(this.root, this.row(packed), 0)[0]);
  }

  apply(base, delta) {
    return guarded(this.name, () => {
      const bits = new BitReader(delta);
      const codes = [];
      new Applier(this.table, this.row(base), bits, codes).root(this.root);
      bits.end();
      this.table.make(this.root, codes, 0);
      return this.bytes(codes);
    });
  }

  row(packed) {
    const bits = new BitReader(packed);
    const codes = [];
    this.table.read(this.root, bits, codes);
    bits.end();
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

/** The id at the front of a packet and where it ends; of what is nobody's, 0. */
function readId(packet) {
  if (packet[0] !== 251) return [packet[0] < 251 ? packet[0] : 0, 1];
  const isShort = packet[1] < 128;
  return [251 + (isShort ? packet[1] : (packet[1] & 127) | (packet[2] << 7)), isShort ? 2 : 3];
}

/** The packet of a message. */
export function encode(name, value) {
  const message = messages[name];
  if (!message || message.state) throw new PackError("UNKNOWN_MESSAGE", String(name));
  return joined(idBytes(message.id), message.codec.pack(value));
}

/** The name and value of a packet of one message that is no state. */
export function decode(packet) {
  const [id, at] = readId(packet);
  const message = byId.get(id);
  if (!message || message.state) throw new PackError("UNKNOWN_MESSAGE", "packet");
  return { name: message.name, value: message.codec.unpack(packet.subarray(at)) };
}

/**
 * Hears what a server of the protocol sends: messages, states, batches and handshakes. What is to be sent back, such as what
 * acknowledges states, `replies` takes. The first packet to the server is HELLO.
 */
export class Listener {
  constructor() {
    this.held = new Map();
    this.replies = [];
  }

  /** The messages and states of a packet, in their order. A packet that is refused throws a PackError. */
  hear(packet) {
    if (packet[0] !== 0) return this.message(packet);
    switch (packet[1]) {
      case 0:
        this.replies.push(joined([0, 1], HELLO.subarray(2)));
        return this.hello(packet);
      case 1:
        return this.hello(packet);
      case 4:
        return this.batch(packet.subarray(2));
      default:
        return [];
    }
  }

  hello(packet) {
    const isOurs = packet.length === HELLO.length && packet.every((byte, at) => at < 2 || byte === HELLO[at]);
    if (!isOurs) throw new PackError("PROTOCOL_MISMATCH", "packet");
    return [];
  }

  batch(rest) {
    const heard = [];
    while (rest.length > 0) {
      let [count, at, shift] = [0, 0, 0];
      do {
        if (at >= 4 || at >= rest.length) throw new PackError("INCOMPLETE", "packet");
        count += (rest[at] & 127) << shift;
        shift += 7;
      } while (rest[at++] >= 128);
      if (count > rest.length - at) throw new PackError("INCOMPLETE", "packet");
      const inner = rest.subarray(at, at + count);
      if (inner[0] !== 0 || inner[1] !== 4) heard.push(...this.hear(inner));
      rest = rest.subarray(at + count);
    }
    return heard;
  }

  message(packet) {
    const [id, at] = readId(packet);
    const message = byId.get(id);
    if (!message) throw new PackError("UNKNOWN_MESSAGE", "packet");
    if (message.from === "client") throw new PackError("WRONG_DIRECTION", message.name);
    return message.state ? this.state(message, packet, at) : [decode(packet)];
  }

  /** A state: seq, back, and a full value where back is 0. */
  state(message, packet, at) {
    if (packet.length < at + 3) throw new PackError("INCOMPLETE", message.name);
    const seq = packet[at] | (packet[at + 1] << 8);
    const back = packet[at + 2];
    const held = this.held.get(message.id) ?? { kept: [], mask: 0 };
    this.held.set(message.id, held);
    const newest = held.kept.at(-1)?.[0];
    const ahead = newest === undefined ? 1 : (seq - newest) & 0xffff;
    if (ahead === 0 || ahead >= 0x8000) return [];
    const bits = packet.subarray(at + 3);
    const base = held.kept.find(([of]) => of === ((seq - back) & 0xffff));
    try {
      if (back !== 0 && !base) throw new PackError("BASELINE_MISMATCH", message.name);
      const packed = back === 0 ? bits.slice() : message.codec.apply(base[1], bits);
      const value = message.codec.unpack(packed);
      const own = newest === undefined || ahead > 32 ? 0 : 2 ** (ahead - 1);
      held.mask = ((ahead > 31 ? 0 : held.mask << ahead) | own) >>> 0;
      held.kept.push([seq, packed]);
      if (held.kept.length > message.state.history) held.kept.shift();
      const mask = [0, 8, 16, 24].map((shift) => (held.mask >>> shift) & 255);
      this.replies.push(Uint8Array.from([0, 2, ...idBytes(message.id), seq & 255, seq >> 8, ...mask]));
      return [{ name: message.name, value }];
    } catch (error) {
      this.replies.push(Uint8Array.from([0, 3, ...idBytes(message.id)]));
      throw error;
    }
  }
}
