/** Says why a value or bytes were refused: a kind as VariantCodec names them, and the path of the part. */
export declare class PackError extends Error {
  readonly kind: string;
  readonly path: string;
  constructor(kind: string, path: string);
}

/** A NodePath by its parts. */
export interface NodePath {
  absolute: boolean;
  names: string[];
  subnames: string[];
}

/** Packs the values of one message. Refusals are thrown as a PackError. */
export interface Codec<T> {
  pack(value: T): Uint8Array;
  unpack(packed: Uint8Array): T;
  /** The packed value that a difference makes of another. */
  apply(base: Uint8Array, delta: Uint8Array): Uint8Array;
}

export interface Message<T> {
  readonly name: string;
  readonly id: number;
  readonly from: "client" | "server" | "both";
  readonly mode: "reliable" | "unreliable_ordered" | "unreliable";
  readonly relay: boolean;
  readonly state?: { readonly history: number; readonly maxPacket: number };
  readonly codec: Codec<T>;
}

/** The hash of all messages, as VariantProtocol.get_hash() says it, in hexadecimal digits. */
export declare const PROTOCOL_HASH: string;
/** The first packet that a client sends. */
export declare const HELLO: Uint8Array;
export declare const messages: { readonly [K in keyof Messages]: Message<Messages[K]> };

/** A message that was heard. */
export type Heard = { [K in keyof Messages]: { name: K; value: Messages[K] } }[keyof Messages];

/** Returns the packet of a message. */
export declare function encode<K extends keyof Messages>(name: K, value: Messages[K]): Uint8Array;
/** Returns the message of a packet that holds one and no state. */
export declare function decode(packet: Uint8Array): Heard;

/** Hears what a server sends: messages, states, batches and handshakes. */
export declare class Listener {
  /** The packets that are to be sent back; take them out after each call of hear(). */
  replies: Uint8Array[];
  /** Returns the messages and states of a packet. One that is refused throws a PackError. */
  hear(packet: Uint8Array): Heard[];
}
