// Holds the plain codec of variant_stream.js to values that engines wrote, and to bytes that are refused:
// node variants.mjs RUNTIME.js TESTS_FOLDER
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , runtime, tests] = process.argv;
const { DocumentObject, Rid, VariantError, decodeVariant, PackedStrings: Texts, encodeVariant, isDocument, readDocument } = await import(pathToFileURL(runtime));
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const bytes = (text) => Uint8Array.from(Buffer.from(text, "hex"));
const limits = { maxBytes: 2 ** 31, maxDepth: 1024, maxValues: 2 ** 31, maxStringBytes: 2 ** 31 };
let checks = 0;
const failures = [];

function check(name, got, wanted) {
  checks++;
  if (got !== wanted) failures.push(`${name}:\n  got    ${got}\n  wanted ${wanted}`);
}

/** "ok", or the kind of a refusal. Any other error is a mistake of the codec. */
function verdict(run) {
  try {
    run();
    return "ok";
  } catch (error) {
    if (error instanceof VariantError) return error.kind;
    return `${error.stack}`;
  }
}

// Values of a real engine come back as the same bytes.
for (const { name, hex: wanted, roundtrip } of JSON.parse(readFileSync(join(tests, "golden/godot4_6.json"))).cases) {
  let got;
  const outcome = verdict(() => {
    got = hex(encodeVariant(decodeVariant(bytes(wanted), { limits, objects: true }), { limits }));
  });
  // The engine drops a mark that leads a text; SAFE refuses that.
  const isRefused = !roundtrip && outcome === "LEADING_BOM";
  check(`golden ${name}`, isRefused || outcome !== "ok" ? outcome : got, isRefused ? outcome : wanted);
}

for (const line of readFileSync(join(tests, "golden/malformed.txt"), "utf8").split("\n")) {
  if (line === "" || line.startsWith("#")) continue;
  const [name, input, , safe] = line.split("|").map((cell) => cell.trim());
  const objects = name.startsWith("[o]");
  check(`malformed ${name}`, verdict(() => decodeVariant(bytes(input), { limits, objects })), safe);
}

/** Bytes as tests/attacks/README.md writes them. */
function written(text) {
  let at = 0;
  const all = (turn) => {
    const parts = [];
    for (; at < text.length && text[at] !== ")"; ) {
      if (text[at] === " ") at++;
      else if (text[at] === "(") {
        const from = ++at;
        all(0);
        const end = at;
        const times = /^\)\*(\d+)/.exec(text.slice(at));
        at = end + times[0].length;
        const after = at;
        const isSame = !text.slice(from, end).includes("#");
        if (isSame) {
          at = from;
          const one = all(0);
          parts.push(Buffer.alloc(one.length * Number(times[1]), one));
        }
        for (let each = 0; !isSame && each < Number(times[1]); each++) {
          at = from;
          parts.push(all(each));
        }
        at = after;
      } else if (text[at] === "=") {
        const number = /^=(-?\d+)/.exec(text.slice(at));
        at += number[0].length;
        parts.push(Buffer.from(Int32Array.of(Number(number[1])).buffer));
      } else if (text[at] === "#") {
        const kind = text[at + 1];
        at += kind === "h" || kind === "p" ? 2 : 1;
        if (kind === "h") parts.push(Buffer.from(turn.toString(16).padStart(8, "0")));
        else if (kind === "p") parts.push(Buffer.from(String(turn).padStart(24, "a")));
        else parts.push(Buffer.from(Int32Array.of(turn).buffer));
      } else {
        parts.push(Buffer.from(text.slice(at, at + 2), "hex"));
        at += 2;
      }
    }
    return Buffer.concat(parts);
  };
  return Uint8Array.from(all(0));
}

// Under the limits of save files. Handles of a running game are only numbers here, so what is refused for its type is read.
let attacks = 0;
for (const file of readdirSync(join(tests, "attacks")).filter((name) => name.endsWith(".txt"))) {
  for (const line of readFileSync(join(tests, "attacks", file), "utf8").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, input, , safe] = line.split(" | ");
    const answers = safe.trim().split(/\s+/);
    const [wanted] = (answers[1] ?? answers[0]).split("@");
    const input8 = written(input);
    const start = performance.now();
    const got = verdict(() => encodeVariant(decodeVariant(input8)));
    if (performance.now() - start > 5000) failures.push(`${file}: ${name} takes ${performance.now() - start} ms`);
    attacks++;
    const isOwn = got === "ok" || /^[A-Z0-9_]+$/.test(got);
    check(`${file}: ${name}`, isOwn, true);
    const isOfLimits = /TYPE_NOT_ALLOWED|OBJECT|TOO_|OUTPUT|HEAP|KEY_PROBES/.test(wanted + got);
    if (isOwn && !isOfLimits) check(`${file}: ${name}`, got, wanted);
  }
}
// Documents of objects: what they refer to is there, once, and circles end.
const document = decodeVariant(readFileSync(join(tests, "cli/files/heroes.bin")));
check("a document is known", isDocument(document) && !isDocument(["variant_objects/1"]) && !isDocument(null), true);
const rows = document[1].map(([tag, version, names, rows]) => `${tag} ${version} ${names.texts} ${rows.length}`).join("; ");
const heroes = readDocument(document);
const met = new Set();
const meet = (part) => {
  if (met.has(part) || part instanceof Rid) return;
  if (part instanceof DocumentObject) {
    met.add(part);
    part.properties.forEach(meet);
  } else if (Array.isArray(part) || part instanceof Map) part.forEach(meet);
};
meet(heroes);
const count = rows.split("; ").reduce((sum, row) => sum + Number(row.split(" ").at(-1)), 0);
check(`objects of ${rows}`, met.size, count);
const circle = readDocument(["variant_objects/1", [["node", 1, new Texts(["next"]), [[new Rid(1n << 32n)]]]], [new Rid(1n << 32n), new Rid(7n)]]);
check("a circle", circle[0].properties.get("next") === circle[0] && circle[1] instanceof Rid, true);
for (const wrong of [null, [], ["variant_objects/1", 1, 2], ["variant_objects/1", [[1, 2, 3, 4]], 2], ["variant_objects/1", [["a", 1, new Texts(["b"]), [[]]]], 2]]) {
  check(`no document: ${JSON.stringify(wrong)}`, verdict(() => readDocument(wrong)), "WRONG_TYPE");
}

for (const failure of failures.slice(0, 40)) console.error(failure.slice(0, 600));
console.log(`${checks - failures.length} of ${checks} agree, ${attacks} attacks`);
process.exit(failures.length === 0 && attacks > 300 ? 0 : 1);
