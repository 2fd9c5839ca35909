// Directions and rotations.

const MARGIN = 1 / 2097152;

function mostOf(bits) {
  return 2 ** (bits - 1) - 1;
}

function clamp(number, most) {
  return Math.min(Math.max(even(number), -most), most) + 0;
}

function leftOut(codes, most) {
  const [a, b, c] = codes.map((code) => (code / most) * Math.SQRT1_2);
  const sum = a * a + b * b + c * c;
  return sum < 1 ? Math.sqrt(1 - sum) : -1;
}

function isSettled(codes, most) {
  const far = Math.max(...codes.map(Math.abs));
  const left = leftOut(codes, most);
  return left >= 0 && left >= (far / most) * Math.SQRT1_2 + MARGIN;
}

function ofQuaternion(quaternion, bits) {
  const [x, y, z, w] = quaternion;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!Number.isFinite(length) || length <= 0) refuse("NOT_NORMALIZED");
  const unit = quaternion.map((number) => number / length);
  const sizes = unit.map(Math.abs);
  const largest = sizes.indexOf(Math.max(...sizes));
  const sign = unit[largest] < 0 ? -1 : 1;
  const most = mostOf(bits);
  const others = unit.filter((_, at) => at !== largest);
  const codes = others.map((number) => clamp(((number * sign) / Math.SQRT1_2) * most, most));
  while (!isSettled(codes, most)) {
    const far = codes.map(Math.abs);
    const at = far.indexOf(Math.max(...far));
    codes[at] -= Math.sign(codes[at]);
  }
  return [largest, ...codes.map((code) => code + most)];
}

function toQuaternion(codes, bits) {
  return exactQuaternion(codes, bits).map(Math.fround);
}

/** The quaternion of codes in 64 bits. */
function exactQuaternion([largest, ...stored], bits) {
  const most = mostOf(bits);
  const codes = stored.map((code) => code - most);
  if (codes.some((code) => code > most) || !isSettled(codes, most)) refuse("NOT_CANONICAL");
  const numbers = codes.map((code) => (code / most) * Math.SQRT1_2);
  numbers.splice(largest, 0, leftOut(codes, most));
  return numbers;
}

function dot4([ax, ay, az, aw], [bx, by, bz, bw]) {
  return ax * bx + ay * by + az * bz + aw * bw;
}

function product([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function unitOf(quaternion) {
  const length = Math.sqrt(dot4(quaternion, quaternion));
  return quaternion.map((number) => number / length);
}

/** The rotation that is likely after two, the newer first. */
function predictedTurn(a, b, { ahead, gap }) {
  const [x, y, z, w] = b.map((number) => number * sign(dot4(a, b)));
  const turned = product(product(a, [-x, -y, -z, w]), a);
  if (ahead === gap) return turned;
  const unit = unitOf(turned);
  const near = sign(dot4(a, unit));
  return a.map((number, at) => number + (near * unit[at] - number) * (ahead / gap));
}

/** The numbers beside this one, though it may not be the largest. */
function withoutNumber(quaternion, leftOut, bits) {
  const unit = unitOf(quaternion);
  const most = mostOf(bits);
  const others = unit.filter((_, at) => at !== leftOut);
  return others.map((number) => clamp(((number * sign(unit[leftOut])) / Math.SQRT1_2) * most, most) + most);
}

function sign(number) {
  return number < 0 ? -1 : 1;
}

function ofDirection([x, y, z], bits) {
  const sum = Math.abs(x) + Math.abs(y) + Math.abs(z);
  if (!Number.isFinite(sum) || sum <= 0) refuse("NOT_NORMALIZED");
  let [u, v] = [x / sum, y / sum];
  if (z < 0) [u, v] = [(1 - Math.abs(v)) * sign(u), (1 - Math.abs(u)) * sign(v)];
  const most = mostOf(bits);
  [u, v] = [clamp(u * most, most), clamp(v * most, most)];
  if (Math.abs(u) >= most) v = Math.abs(v);
  if (Math.abs(v) >= most) u = Math.abs(u);
  return [u + most, v + most];
}

function toDirection(codes, bits) {
  const most = mostOf(bits);
  const [u, v] = codes.map((code) => (code - most) / most);
  if (u > 1 || v > 1) refuse("NOT_CANONICAL");
  const z = 1 - Math.abs(u) - Math.abs(v);
  const [x, y] = z < 0 ? [(1 - Math.abs(v)) * sign(u), (1 - Math.abs(u)) * sign(v)] : [u, v];
  const length = Math.sqrt(x * x + y * y + z * z);
  const direction = [x, y, z].map((number) => Math.fround(number / length) + 0);
  return same(ofDirection(direction, bits), codes) ? direction : refuse("NOT_CANONICAL");
}

function ofFlat([x, y], bits) {
  const sum = Math.abs(x) + Math.abs(y);
  if (!Number.isFinite(sum) || sum <= 0) refuse("NOT_NORMALIZED");
  const most = mostOf(bits);
  const code = clamp((x / sum) * most, most);
  return [code + most, y < 0 && Math.abs(code) < most ? 1 : 0];
}

function toFlat(codes, bits) {
  const most = mostOf(bits);
  const u = (codes[0] - most) / most;
  if (u > 1) refuse("NOT_CANONICAL");
  const v = (1 - Math.abs(u)) * (codes[1] === 1 ? -1 : 1);
  const length = Math.sqrt(u * u + v * v);
  const direction = [u, v].map((number) => Math.fround(number / length) + 0);
  return same(ofFlat(direction, bits), codes) ? direction : refuse("NOT_CANONICAL");
}

function ofBasis([a, b, c, d, e, f, g, h, i]) {
  const dot = (u, v) => 0 + u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const [x, y, z] = [[a, b, c], [d, e, f], [g, h, i]];
  const isUnit = [x, y, z].every((row) => Math.abs(dot(row, row) - 1) < 0.001);
  const isSquare = [dot(x, y), dot(y, z), dot(x, z)].every((number) => Math.abs(number) < 0.001);
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (!isUnit || !isSquare || determinant < 0) refuse("NOT_NORMALIZED");
  const quarters = [1 + a - e - i, 1 - a + e - i, 1 - a - e + i, 1 + a + e + i];
  const q = Math.max(...quarters);
  const rows = [[q, b + d, c + g, h - f], [b + d, q, f + h, c - g], [c + g, f + h, q, d - b], [h - f, c - g, d - b, q]];
  return rows[quarters.indexOf(q)];
}

function toBasis([x, y, z, w]) {
  const s = 2 / (x * x + y * y + z * z + w * w);
  const [xx, yy, zz] = [x * x * s, y * y * s, z * z * s];
  const [xy, xz, yz] = [x * y * s, x * z * s, y * z * s];
  const [wx, wy, wz] = [w * x * s, w * y * s, w * z * s];
  const rows = [1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx, 1 - (xx + yy)];
  return rows.map((number) => Math.fround(number) + 0);
}

function same(a, b) {
  return a.length === b.length && a.every((code, at) => Object.is(code, b[at]));
}
