/** Says why a value or bytes were refused: a kind as VariantCodec names them, and the path of the part. */
export declare class PackError extends Error {
  readonly kind: string;
  readonly path: string;
  /** What should have been there, where that is known. */
  readonly expected?: string;
  /** What was there instead. */
  readonly got?: string;
  /** The bit of a packet that was reached. */
  readonly bit?: number;
}

/** What is taken for a value: lists and objects may be readonly, and lists of numbers typed arrays. */
export type Input<T> = [Variant] extends [T] ? T : InputOf<T>;
type InputOf<T> = T extends Uint8Array | Primitive
  ? T
  : T extends Map<infer K, infer V>
    ? ReadonlyMap<Input<K>, Input<V>>
    : T extends readonly unknown[]
      ? { readonly [I in keyof T]: Input<T[I]> } | (number extends T[number] ? Float32Array | Float64Array | Int32Array | Uint8Array : never)
      : { readonly [K in keyof T]: Input<T[K]> };
type Primitive = string | number | bigint | boolean | null | undefined;

/** Two packed values, the newer first, and how many states lie from it to the new one and between both: 1 and 1 if not said. */
export type Bases = readonly [newer: Uint8Array, older: Uint8Array, ahead?: number, gap?: number];

/** Packs the values of one message. Refusals are thrown as a PackError. */
export interface Codec<T> {
  pack(value: Input<T>): Uint8Array;
  unpack(packed: Uint8Array): T;
  /** The packed value that a difference makes of another, or of two. */
  apply(base: Uint8Array | Bases, delta: Uint8Array): Uint8Array;
}

export interface Message<T> {
  readonly name: string;
  readonly id: number;
  readonly from: "client" | "server" | "both";
  readonly mode: "reliable" | "unreliable_ordered" | "unreliable";
  readonly relay: boolean;
  readonly state?: { readonly history: number; readonly maxPacket: number; readonly parts: number };
  readonly codec: Codec<T>;
}

/** The messages of a protocol, made of the tables of its module. */
export declare class Protocol {}

/** Hears what a server sends: messages, states, batches and handshakes. Each connection has one of its own. */
export declare class Listener<Heard = { name: string; value: unknown }> {
  constructor(protocol: Protocol);
  /** Returns the handshake, which is the first packet to the server. It says the number of this session. */
  hello(): Uint8Array;
  /** Why the server ends the connection, once it has said so. */
  left?: { reason: string; text: string };
  /** The packets that are to be sent back; take them out after each call of hear(). */
  replies: Uint8Array[];
  /** The errors of what was refused and left out; take them out after each call of hear(). */
  refusals: PackError[];
  /** Returns the messages and states of a packet, around what is refused. */
  hear(packet: Uint8Array): Heard[];
}
