// What a schema asks beyond the bits, judged on values: of those that are packed and of those that arrive. Patterns are the one
// thing that is not: their language is another here.

/** The function that refuses what a part may not be. */
function judgeOf(must) {
  const checks = [];
  const add = (is, kind) => checks.push((value) => is(value) || refuse(kind));
  if (must.finite) add((value) => everyNumber(value, Number.isFinite), "NOT_FINITE");
  if (must.min !== undefined) add((value) => value >= must.min, "OUT_OF_RANGE");
  if (must.max !== undefined) add((value) => value <= must.max, "OUT_OF_RANGE");
  if (must.multipleOf !== undefined) add((value) => isMultiple(value, must.multipleOf), "NOT_MULTIPLE");
  if (must.length !== undefined) {
    const [least, most] = must.length;
    add((value) => Math.sqrt(squared(value, must.of)) >= least && Math.sqrt(squared(value, must.of)) <= most, "OUT_OF_RANGE");
  }
  if (must.unit) add((value) => Math.abs(squared(value, must.of) - 1) < 0.001, "NOT_NORMALIZED");
  if (must.each) {
    const [least, most] = must.each;
    add((value) => everyNumber(value, (number) => !(number < least || number > most)), "OUT_OF_RANGE");
  }
  if (must.within) add((value) => value.every((number, at) => number >= must.within[at][0] && number <= must.within[at][1]), "OUT_OF_RANGE");
  if (must.chars) checks.push((value) => [value].flat().forEach((text) => judgeChars([...text].length, must.chars)));
  if (must.unique) add((value) => !value.some((item, at) => value.slice(0, at).some((other) => alike(item, other))), "NOT_UNIQUE");
  return (value) => {
    for (const check of checks) check(value);
  };
}

/** Whether all numbers of a value are, of a number, a vector or an Array of vectors. */
function everyNumber(value, is) {
  if (!Array.isArray(value)) return is(Number(value));
  for (const item of value) if (!everyNumber(item, is)) return false;
  return true;
}

function squared(value, count = value.length) {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += value[at] * value[at];
  return sum;
}

function judgeChars(count, [least, most]) {
  if (count < least || count > most) refuse("WRONG_SIZE");
}

/** Whether a number is a multiple, but for what rounding leaves. */
function isMultiple(number, step) {
  const rest = Math.abs(number % step);
  view.setFloat64(0, step);
  const rounding = view.getUint32(4) === 0 ? 0 : 2 * Number.EPSILON * Math.abs(number);
  return Math.min(rest, step - rest) <= 1e-9 * step + rounding;
}

function alike(a, b) {
  if (a instanceof Map && b instanceof Map) return alike([...a], [...b]);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && alike(a[key], b[key]));
}
