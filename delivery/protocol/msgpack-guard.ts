/**
 * Checks a MessagePack message before it is decoded: that it is one whole value of plain types, not deep, and of a
 * bounded number of values. A decoder trusts the lengths it reads: five bytes can announce an array of four thousand
 * million.
 */

/** A report of 200 plays has about 2,000 values. */
const VALUES_MAX = 4_096;
/** map -> plays -> play is three. */
const DEPTH_MAX = 8;

/** The position of the scan, and how many more values it accepts. */
type Scan = { bytes: Uint8Array; at: number; left: number };

/** Whether the bytes are one acceptable value and nothing else. */
export function isPlainMessage(bytes: Uint8Array): boolean {
  const scan: Scan = { bytes, at: 0, left: VALUES_MAX };
  return skipValue(scan, 0) && scan.at === bytes.length;
}

function skipValue(scan: Scan, depth: number): boolean {
  if (depth > DEPTH_MAX || scan.left-- <= 0 || scan.at >= scan.bytes.length) return false;
  const token = scan.bytes[scan.at++]!;
  if (token <= 0x7f || token >= 0xe0) return true;
  if (token <= 0x8f) return skipMany(scan, (token & 0x0f) * 2, depth);
  if (token <= 0x9f) return skipMany(scan, token & 0x0f, depth);
  if (token <= 0xbf) return skipBytes(scan, token & 0x1f);
  switch (token) {
    case 0xc0: // nil
    case 0xc2: // false
    case 0xc3: // true
      return true;
    case 0xcc: // uint 8, int 8
    case 0xd0:
      return skipBytes(scan, 1);
    case 0xcd: // uint 16, int 16
    case 0xd1:
      return skipBytes(scan, 2);
    case 0xca: // float 32, uint 32, int 32
    case 0xce:
    case 0xd2:
      return skipBytes(scan, 4);
    case 0xcb: // float 64, uint 64, int 64
    case 0xcf:
    case 0xd3:
      return skipBytes(scan, 8);
    case 0xd9: // str 8, 16, 32
      return skipBytes(scan, readLength(scan, 1));
    case 0xda:
      return skipBytes(scan, readLength(scan, 2));
    case 0xdb:
      return skipBytes(scan, readLength(scan, 4));
    case 0xdc: // array 16, 32
      return skipMany(scan, readLength(scan, 2), depth);
    case 0xdd:
      return skipMany(scan, readLength(scan, 4), depth);
    case 0xde: // map 16, 32
      return skipMany(scan, readLength(scan, 2) * 2, depth);
    case 0xdf:
      return skipMany(scan, readLength(scan, 4) * 2, depth);
    default: // binary and extensions
      return false;
  }
}

function skipMany(scan: Scan, count: number, depth: number): boolean {
  if (count < 0 || count > scan.left) return false;
  for (let value = 0; value < count; value++) if (!skipValue(scan, depth + 1)) return false;
  return true;
}

function skipBytes(scan: Scan, count: number): boolean {
  if (count < 0) return false;
  scan.at += count;
  return scan.at <= scan.bytes.length;
}

/** A big-endian length, or -1 when the message ends before it. */
function readLength(scan: Scan, size: number): number {
  let length = 0;
  for (let byte = 0; byte < size; byte++) {
    if (scan.at >= scan.bytes.length) return -1;
    length = length * 256 + scan.bytes[scan.at++]!;
  }
  return length;
}
