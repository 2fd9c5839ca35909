export { PackError };
export type { Codec, Input, Message, NodePath, Variant };

/** The hash of all messages, as VariantProtocol.get_hash() says it, in hexadecimal digits. */
export declare const PROTOCOL_HASH: string;
/** A handshake without the number of a session. Listener.hello() returns one with it. */
export declare const HELLO: Uint8Array;

/** The value of each message. */
export interface Messages extends ClientMessages, ServerMessages {}
export declare const messages: { readonly [K in keyof Messages]: Message<Messages[K]> };

/** A message by its name. */
type Named<M, K extends keyof M = keyof M> = { [N in K]: { name: N; value: M[N] } }[K];
/** A message that a client may send. */
export type FromClient = Named<ClientMessages>;
/** A message that a server may send. */
export type FromServer = Named<ServerMessages>;
/** The messages that are packed by encode(): all that are no states. */
export type Plain = Exclude<keyof Messages, States>;

/** Returns the packet of a message. */
export declare function encode<K extends Plain>(name: K, value: Input<Messages[K]>): Uint8Array;
/** Returns the message of a packet that holds one and no state. */
export declare function decode(packet: Uint8Array): Named<Messages, Plain>;

/** Hears what a server sends: messages, states, batches and handshakes. */
export declare class Listener extends ProtocolListener<FromServer> {
  constructor();
}
