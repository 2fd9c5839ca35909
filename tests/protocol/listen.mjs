// Hears packets with the Listener of a module: node listen.mjs MODULE.js. Each line that comes is a packet in hexadecimal digits;
// each line that goes is what was heard and what is to be sent back, or the kind of error.
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { Listener, PackError } = await import(pathToFileURL(process.argv[2]));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const listener = new Listener();
console.log(JSON.stringify({ heard: [], replies: [hex(listener.hello())] }));
for await (const line of createInterface({ input: process.stdin })) {
  const answer = { heard: listener.hear(Uint8Array.from(Buffer.from(line, "hex"))) };
  const refusals = listener.refusals.splice(0);
  if (!refusals.every((error) => error instanceof PackError)) throw refusals;
  if (refusals.length > 0) answer.error = refusals.map((error) => error.kind).join(", ");
  if (listener.left) answer.left = listener.left;
  answer.replies = listener.replies.splice(0).map(hex);
  console.log(JSON.stringify(answer));
}
