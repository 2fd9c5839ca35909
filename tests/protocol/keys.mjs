// A map() is asked by what is in its keys, whether it came in a packet or was made by the program:
// node keys.mjs MODULE.js, whose message "tiles" is a map of Vector2i to int.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const { messages } = await import(pathToFileURL(process.argv[2]));
const { codec } = messages.tiles;
const map = codec.unpack(codec.pack(new Map([[[1, -2], 7], [[3, 4], 9]])));
assert.equal(map.get([1, -2]), 7);
assert.equal(map.get([3, 4]), 9);
assert.equal(map.get([-2, 1]), undefined);
assert.ok(map.has([3, 4]) && !map.has([4, 3]) && map.size === 2);
map.set([1, -2], 8);
assert.equal(map.size, 2, "an equal key is the same key");
assert.ok(map.delete([3, 4]) && !map.delete([3, 4]));
assert.deepEqual([...map], [[[1, -2], 8]]);
assert.equal(codec.unpack(codec.pack(map)).get([1, -2]), 8);
