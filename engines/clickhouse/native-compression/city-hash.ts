/**
 * CityHash128 of version 1.0.2, the checksum in front of each block of ClickHouse's native compression. No package has
 * it: later versions of CityHash are others. Follows https://github.com/google/cityhash of that version.
 */
const K0 = 0xc3a5c85c97cb3127n;
const K1 = 0xb492b66fbe98f273n;
const K2 = 0x9ae16a3b2f90404fn;
const K3 = 0xc949d7c7509e6557n;
const K_MUL = 0x9ddfea08eb382d69n;

const u64 = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, bits: bigint) => u64((value >> bits) | (value << (64n - bits)));
const shiftMix = (value: bigint) => value ^ (value >> 47n);
type Pair = [low: bigint, high: bigint];

function hashPair(low: bigint, high: bigint): bigint {
  const first = shiftMix(u64((low ^ high) * K_MUL));
  return u64(shiftMix(u64((high ^ first) * K_MUL)) * K_MUL);
}

function hashShort(text: Buffer): bigint {
  const { length } = text;
  if (length > 8) {
    const [first, last] = [text.readBigUInt64LE(0), text.readBigUInt64LE(length - 8)];
    const turned = u64(last + BigInt(length));
    return hashPair(first, rotate(turned, BigInt(length))) ^ last;
  }
  if (length >= 4)
    return hashPair(u64(BigInt(length) + (BigInt(text.readUInt32LE(0)) << 3n)), BigInt(text.readUInt32LE(length - 4)));
  if (length === 0) return K2;
  const low = BigInt(text[0]! + (text[length >> 1]! << 8));
  const high = BigInt(length + (text[length - 1]! << 2));
  return u64(shiftMix(u64(low * K2) ^ u64(high * K3)) * K2);
}

/** 32 bytes at `at`, into two words. */
function weakHash(text: Buffer, at: number, a: bigint, b: bigint): Pair {
  const [w, x, y, z] = [0, 8, 16, 24].map(offset => text.readBigUInt64LE(at + offset)) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  let first = u64(a + w);
  let second = rotate(u64(b + first + z), 21n);
  const kept = first;
  first = u64(first + x + y);
  second = u64(second + rotate(first, 44n));
  return [u64(first + z), u64(second + kept)];
}

/** Less than 128 bytes. */
function cityMurmur(text: Buffer, [low, high]: Pair): Pair {
  let [a, b, c, d] = [low, high, 0n, 0n];
  let left = text.length - 16;
  if (left <= 0) {
    a = u64(shiftMix(u64(a * K1)) * K1);
    c = u64(b * K1 + hashShort(text));
    d = shiftMix(u64(a + (text.length >= 8 ? text.readBigUInt64LE(0) : c)));
  } else {
    c = hashPair(u64(text.readBigUInt64LE(text.length - 8) + K1), a);
    d = hashPair(u64(b + BigInt(text.length)), u64(c + text.readBigUInt64LE(text.length - 16)));
    a = u64(a + d);
    for (let at = 0; left > 0; at += 16, left -= 16) {
      a = u64((a ^ u64(shiftMix(u64(text.readBigUInt64LE(at) * K1)) * K1)) * K1);
      b ^= a;
      c = u64((c ^ u64(shiftMix(u64(text.readBigUInt64LE(at + 8) * K1)) * K1)) * K1);
      d ^= c;
    }
  }
  a = hashPair(a, c);
  b = hashPair(d, b);
  return [a ^ b, hashPair(b, a)];
}

type State = { x: bigint; y: bigint; z: bigint; v: Pair; w: Pair };

/** Mixes 64 bytes into the state. */
function mix(text: Buffer, at: number, { x, y, z, v, w }: State): State {
  const word = (offset: number) => text.readBigUInt64LE(at + offset);
  const nextX = u64(rotate(u64(x + y + v[0] + word(16)), 37n) * K1) ^ w[1];
  const nextY = u64(rotate(u64(y + v[1] + word(48)), 42n) * K1) ^ v[0];
  const nextZ = rotate(z ^ w[0], 33n);
  return {
    x: nextZ,
    y: nextY,
    z: nextX,
    v: weakHash(text, at, u64(v[1] * K1), u64(nextX + w[0])),
    w: weakHash(text, at + 32, u64(nextZ + w[1]), nextY),
  };
}

function hashWithSeed(text: Buffer, [low, high]: Pair): Pair {
  const { length } = text;
  if (length < 128) return cityMurmur(text, [low, high]);
  const v0 = u64(rotate(high ^ K1, 49n) * K1 + text.readBigUInt64LE(0));
  const v1 = u64(rotate(v0, 42n) * K1 + text.readBigUInt64LE(8));
  const z = u64(BigInt(length) * K1);
  const w0 = u64(rotate(u64(high + z), 35n) * K1 + low);
  const w1 = u64(rotate(u64(low + text.readBigUInt64LE(88)), 53n) * K1);
  let state: State = { x: low, y: high, z, v: [v0, v1], w: [w0, w1] };
  let at = 0;
  for (let left = length; left >= 128; left -= 128, at += 128) state = mix(text, at + 64, mix(text, at, state));
  return finish(text, at, state);
}

/** The rest after the last 128 bytes, in steps of 32 from the end. */
function finish(text: Buffer, from: number, state: State): Pair {
  let { x, y, z, v, w } = state;
  y = u64(y + rotate(w[0], 37n) * K0 + z);
  x = u64(x + rotate(u64(v[0] + z), 49n) * K0);
  for (let done = 32; done - 32 < text.length - from; done += 32) {
    const at = text.length - done;
    y = u64(rotate(u64(y - x), 42n) * K0 + v[1]);
    w = [u64(w[0] + text.readBigUInt64LE(at + 16)), w[1]];
    x = u64(rotate(x, 49n) * K0 + w[0]);
    w = [u64(w[0] + v[0]), w[1]];
    v = weakHash(text, at, v[0], v[1]);
  }
  x = hashPair(x, v[0]);
  y = hashPair(y, w[0]);
  return [u64(hashPair(u64(x + v[1]), w[1]) + y), hashPair(u64(x + w[1]), u64(y + v[1]))];
}

/** The 16 bytes of the hash, the lower word first. */
export function cityHash128(text: Buffer): Buffer {
  const { length } = text;
  const [low, high] =
    length >= 16
      ? hashWithSeed(text.subarray(16), [text.readBigUInt64LE(0) ^ K3, text.readBigUInt64LE(8)])
      : length >= 8
        ? hashWithSeed(Buffer.alloc(0), [
            text.readBigUInt64LE(0) ^ u64(BigInt(length) * K0),
            text.readBigUInt64LE(length - 8) ^ K1,
          ])
        : hashWithSeed(text, [K0, K1]);
  const hash = Buffer.alloc(16);
  hash.writeBigUInt64LE(low, 0);
  hash.writeBigUInt64LE(high, 8);
  return hash;
}
