// What a schema asks beyond the bits, judged on values: of those that are packed and of those that arrive. Patterns are the one
// thing that is not: their language is another here.

function judge(value, must) {
  const out = (isWrong, kind) => isWrong && refuse(kind);
  const numbers = typeof value === "number" ? [value] : Array.isArray(value) ? value.flat() : [];
  if (must.finite) out(!numbers.every((number) => Number.isFinite(Number(number))), "NOT_FINITE");
  if (must.min !== undefined) out(!(value >= must.min), "OUT_OF_RANGE");
  if (must.max !== undefined) out(!(value <= must.max), "OUT_OF_RANGE");
  if (must.multipleOf !== undefined) out(!isMultiple(value, must.multipleOf), "NOT_MULTIPLE");
  if (must.length !== undefined || must.unit) {
    const squared = numbers.slice(0, must.of).reduce((sum, number) => sum + number * number, 0);
    const [least, most] = must.length ?? [0, Infinity];
    out(!(Math.sqrt(squared) >= least && Math.sqrt(squared) <= most), "OUT_OF_RANGE");
    out(must.unit && !(Math.abs(squared - 1) < 0.001), "NOT_NORMALIZED");
  }
  if (must.each) out(numbers.some((number) => number < must.each[0] || number > must.each[1]), "OUT_OF_RANGE");
  if (must.within) out(!numbers.every((number, at) => number >= must.within[at][0] && number <= must.within[at][1]), "OUT_OF_RANGE");
  if (must.chars) for (const text of [value].flat()) judgeChars([...text].length, must.chars);
  if (must.unique) out(value.some((item, at) => value.slice(0, at).some((other) => alike(item, other))), "NOT_UNIQUE");
  return value;
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
