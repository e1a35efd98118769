/** Keys of Ed25519 under which anybody signs are no keys. The points of small order are computed here. */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { hasSigned, openPublicKey } from '../../runtime/cryptography/ed25519.ts';

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n; // the order of the base point
type Point = { x: bigint; y: bigint };
const mod = (value: bigint) => ((value % P) + P) % P;
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [mod(base), exponent]; left > 0n; left >>= 1n, square = mod(square * square))
    if (left & 1n) result = mod(result * square);
  return result;
}
const inverse = (value: bigint) => power(value, P - 2n);
const D = mod(-121665n * inverse(121666n));

function add(a: Point, b: Point): Point {
  const product = mod(D * a.x * b.x * a.y * b.y);
  return {
    x: mod((a.x * b.y + a.y * b.x) * inverse(1n + product)),
    y: mod((a.y * b.y + a.x * b.x) * inverse(1n - product)),
  };
}
function times(point: Point, factor: bigint): Point {
  let result: Point = { x: 0n, y: 1n };
  for (let [double, left] = [point, factor]; left > 0n; left >>= 1n, double = add(double, double))
    if (left & 1n) result = add(result, double);
  return result;
}
/** A point with this y, where the curve has one. */
function pointAt(y: bigint): Point | undefined {
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  const root = power(square, (P + 3n) / 8n);
  const x = [root, mod(root * power(2n, (P - 1n) / 4n))].find(value => mod(value * value) === square);
  return x === undefined ? undefined : { x, y };
}
function encode(y: bigint, sign: bigint): Buffer {
  const bytes = Buffer.alloc(32);
  for (let [index, left] = [0, y | (sign << 255n)]; index < 32; index++, left >>= 8n)
    bytes[index] = Number(left & 255n);
  return bytes;
}

const smallOrder = new Map<string, Buffer>();
for (let y = 2n; smallOrder.size < 8; y++) {
  const point = pointAt(y);
  if (!point) continue;
  const torsion = times(point, L);
  for (let each: Point = torsion, count = 0; count < 8; each = add(each, torsion), count++) {
    const bytes = encode(each.y, each.x & 1n);
    smallOrder.set(bytes.toString('hex'), bytes);
  }
}
const SPELLED_ELSE = [encode(P, 0n), encode(P + 1n, 0n), encode(P, 1n), encode(P + 1n, 1n), encode(1n, 1n)];

test('all eight points of small order are refused, in any encoding', () => {
  expect(smallOrder.size).toBe(8);
  for (const bytes of [...smallOrder.values(), ...SPELLED_ELSE]) expect(openPublicKey(bytes)).toBeUndefined();
});

test('a signature that works for any message is refused', () => {
  const bytes = encode(1n, 0n);
  const forged = Buffer.concat([bytes, Buffer.alloc(32)]); // R is the same point, s is 0
  const key = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  expect(verify(null, Buffer.from('any text'), createPublicKey({ key, format: 'jwk' }), forged)).toBe(true);
  expect(hasSigned(openPublicKey(bytes), 'any text', forged.toString('base64url'))).toBe(false);
});

test('the keys of modules are accepted', () => {
  for (let count = 0; count < 20; count++) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const opened = openPublicKey(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
    const signature = sign(null, Buffer.from('text'), privateKey).toString('base64url');
    expect(hasSigned(opened, 'text', signature)).toBe(true);
    expect(hasSigned(opened, 'other text', signature)).toBe(false);
  }
});
