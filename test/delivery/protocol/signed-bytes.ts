/** Bytes as they lie where plays are signed. Like texts have the same ones: such bytes are never given back. */
import { type SipBytes, sipBytes } from '#domain/signing/siphash.ts';

const given = new Map<string, SipBytes>();

/** The bytes of this text in base64url. */
export function signedBytes(text: string): SipBytes {
  let bytes = given.get(text);
  if (bytes === undefined) {
    const read = Buffer.from(text, 'base64url');
    given.set(text, (bytes = sipBytes(read.length)));
    bytes.set(read);
  }
  return bytes;
}
