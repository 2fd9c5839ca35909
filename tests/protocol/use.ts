// Uses the modules of two protocols as a program in TypeScript does; `tsc` has to find every line right but those that say so.
import { encode, decode, Listener, messages, PackError } from "./arena.js";
import { messages as kinds } from "./kinds.js";
const dir: readonly [number, number] = [0, 1];
encode("move", { seq: 1, dir, jump: false } as const);
encode("move", { seq: 1, dir: new Float32Array([0, 1]), jump: false });
// @ts-expect-error a state is not encoded
encode("world", { tick: 1, players: [] });
// @ts-expect-error a text is no seq
encode("move", { seq: "1", dir: [0, 1], jump: false });
for (const heard of new Listener().hear(new Uint8Array(3))) {
  if (heard.name === "world") { const tick: number = heard.value.tick; void tick; }
  // @ts-expect-error a server sends no move
  if (heard.name === "move") {}
}
const world = messages.world.codec.unpack(new Uint8Array(2));
world.players.push({ id: 1, pos: [1, 2], hp: 3 });
try { decode(new Uint8Array(1)); } catch (error) { if (error instanceof PackError) { const bit: number | undefined = error.bit; void bit; } }
void kinds;
import { Dictionary, DocumentObject, Float, Numbers, decodeVariant, encodeVariant, readDocument, type Variant } from "./variant_stream.js";
const save: Variant = decodeVariant(new Uint8Array(4), { limits: { maxBytes: 3 } });
if (save instanceof Dictionary) save.get(new Numbers("Vector2i", [1, 2]));
encodeVariant({ hp: 80, speed: new Float(2), pos: new Numbers("Vector2", [1.5, -2]), list: [1, "a"] });
kinds.any_value.codec.pack({ a: { x: 1 } });
const hero = readDocument(save);
if (hero instanceof DocumentObject) hero.properties.get("hp");
