/** Says why bytes of Godot's format or a value were refused: a kind as VariantCodec names them, the path and the byte. */
export declare class VariantError extends Error {
  readonly kind: string;
  readonly path: string;
  readonly byte?: number;
}

/** A float that a number would not tell from an int: new Float(1) is 1.0. */
export declare class Float {
  value: number;
  constructor(value: number, bits?: bigint);
  valueOf(): number;
}
export declare class StringName {
  text: string;
  constructor(text: string);
}
/** A NodePath by its parts. */
export declare class NodePath {
  absolute: boolean;
  names: string[];
  subnames: string[];
  constructor(absolute: boolean, names: string[], subnames: string[]);
}
/** A handle of a running game, by its number. */
export declare class Rid {
  id: bigint;
  constructor(id: bigint);
}
/** An object of a running game, by its number. */
export declare class ObjectId {
  id: bigint;
  constructor(id: bigint);
}
/** An object in full. Nothing is ever made of it. */
export declare class GodotObject {
  className: string;
  properties: [string, Variant][];
  constructor(className: string, properties: [string, Variant][]);
}
export declare class Callable {}
export declare class Signal {
  name: string;
  object: bigint;
  constructor(name: string, object: bigint);
}
/** The numbers of a vector, a transform, a color: new Numbers("Vector2", [1, -2]). Wide ones have 64 bits each. */
export declare class Numbers {
  type: string;
  values: number[];
  wide: boolean;
  constructor(type: string, values: number[], wide?: boolean);
}
/** The numbers of an array of vectors or colors, one after another. */
export declare class PackedVectors {
  type: string;
  values: Float32Array | Float64Array;
  constructor(type: string, values: Float32Array | Float64Array);
}
export declare class PackedStrings {
  texts: string[];
  constructor(texts: string[]);
}
/** The type that a typed container declares. */
export type ElementType = string | { class: string } | { script: string };
export declare class TypedArray extends Array<Variant> {
  type: ElementType;
}
/** A Map whose keys are compared by what is in them, as Godot does: get(new Numbers("Vector2i", [1, 2])). */
export declare class Dictionary extends Map<Variant, Variant> {
  keyType?: ElementType;
  valueType?: ElementType;
}

/** An object of a document, by the tag of its class. One that is written as a single value has that as its `key`. */
export declare class DocumentObject {
  readonly tag: string;
  readonly version: number;
  readonly properties: Map<string, DocumentValue>;
  readonly key?: Variant;
}
/** A part of a document: objects stand wherever it refers to them, at any depth. */
export type DocumentValue = Variant | DocumentObject | DocumentValue[] | Map<Variant, DocumentValue>;
/** Whether a value is a document of objects, as VariantCodec writes it with a class set. */
export declare function isDocument(value: Variant): boolean;
/** Takes a document apart and returns its value, with its objects in it. It knows no classes and checks nothing by them. */
export declare function readDocument(document: Variant): DocumentValue;

/** A value of Godot's. Objects without a class are taken for Dictionaries; what is decoded is a Dictionary. */
export type Variant =
  | null
  | boolean
  | number
  | bigint
  | string
  | Float
  | StringName
  | NodePath
  | Rid
  | ObjectId
  | GodotObject
  | Callable
  | Signal
  | Numbers
  | PackedVectors
  | PackedStrings
  | Uint8Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array
  | Variant[]
  | Dictionary
  | Map<Variant, Variant>
  | { [key: string]: Variant };

export interface Limits {
  maxBytes: number;
  maxDepth: number;
  maxValues: number;
  maxStringBytes: number;
}
/** The bounds on what is read and written, unless others are given. */
export declare const LIMITS: Limits;
/** Returns the value of bytes as var_to_bytes() writes them. Refusals are thrown as a VariantError. */
export declare function decodeVariant(bytes: Uint8Array, options?: { limits?: Partial<Limits>; objects?: boolean }): Variant;
/** Returns the bytes of a value. A whole number is an int, any other a float. */
export declare function encodeVariant(value: Variant, options?: { limits?: Partial<Limits> }): Uint8Array;
