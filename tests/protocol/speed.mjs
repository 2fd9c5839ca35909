// Prints what messages of the arena cost in a module of `gdvar protocol typescript`, in microseconds, and the best of many short
// rounds: node speed.mjs MODULE.js VECTORS.json, with the vectors of `gdvar protocol vectors --count 40`.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { messages, encode, decode, Listener } = await import(pathToFileURL(process.argv[2]));
const vectors = JSON.parse(readFileSync(process.argv[3], "utf8")).messages.find(({ name }) => name === "world");
const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));
const deltas = vectors.deltas_from_two.map(({ newer, older, ahead, gap, delta }) => [[bytes(newer), bytes(older), ahead, gap], bytes(delta)]);
const move = { seq: 7, dir: [0.5, -0.25], jump: true };
const players = Array.from({ length: 16 }, (_, id) => ({ id, pos: [id * 3.5 - 20, 7 - id], hp: 100 - id }));
const { codec, id } = messages.world;
const [packet, packed] = [encode("move", move), codec.pack({ tick: 99, players })];
const listener = new Listener();
let number = 0;
const rows = [
  ["a move, packed", 5, () => encode("move", move)],
  ["a move, unpacked", 5, () => decode(packet)],
  ["a world of 16, packed", 15, () => codec.pack({ tick: 99, players })],
  ["a world of 16, unpacked", 15, () => codec.unpack(packed)],
  ["a world of 16, heard", 15, () => listener.hear(Uint8Array.from([id, number & 255, (number++ >> 8) & 255, 0, ...packed]))],
  [`one of ${deltas.length} differences of worlds`, undefined, () => codec.apply(...deltas[number++ % deltas.length])],
];
for (const [name, goal, run] of rows) {
  let least = Infinity;
  for (let round = 0; round < 1500; round++) {
    const start = performance.now();
    for (let each = 0; each < 100; each++) run();
    least = Math.min(least, (performance.now() - start) * 10);
    listener.replies.length = 0;
  }
  console.log(`${name.padEnd(32)} ${least.toFixed(2).padStart(8)} us${goal ? `, the goal is ${goal}` : ""}`);
}
