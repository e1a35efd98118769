/**
 * Sensing modules: separate devices next to a screen that count the people before it. The player of a screen is
 * controlled by its venue, so a player can claim anything about a module. A module therefore signs, with an Ed25519 key
 * that the operator enrolled, that it is beside a screen (pairing) and how many people it counted (attestation). This
 * file composes what it signs: text that ends each field with a line break. A module signs no play id with anything but
 * letters, digits, `-` and `_` in it: a player could pass it an id with a line break inside.
 */
const SERIAL = /^[A-Z0-9][A-Z0-9-]{2,38}[A-Z0-9]$/;
/** Bytes of an Ed25519 public key (RFC 8032). */
export const PUBLIC_KEY_BYTES = 32;
/** Characters of a signature of 64 bytes, and of a challenge of 32 bytes, in base64url. */
export const SIGNATURE_PATTERN = '^[A-Za-z0-9_-]{86}$';
export const CHALLENGE_PATTERN = '^[A-Za-z0-9_-]{43}$';
/** Long enough for a person to walk from the screen to the module and back. */
export const CHALLENGE_VALID_MS = 300_000;
/**
 * How long a screen earns as one with a sensing module after an attested audience: a module may be dark over a weekend
 * and a holiday.
 */
export const ATTESTED_MS = 7 * 86_400_000;

/** Letters, digits and inner hyphens, 4 to 40: what is printed on the module. */
export function isSerial(text: string): boolean {
  return SERIAL.test(text);
}

type SensorPairing = { screenId: string; serial: string; challenge: string };

/**
 * The text that a module signs to prove that it is next to a screen: once, because a challenge is valid for one
 * pairing.
 */
export function pairingText({ screenId, serial, challenge }: SensorPairing): string {
  return `marquee sensor pairing 1\n${screenId}\n${serial}\n${challenge}\n`;
}

/**
 * The text that a module signs about the people counted during plays, in the order of the message. A play id names one
 * play of one screen and counts once, so a signature that is sent again says nothing new.
 */
export function audienceText(plays: readonly { playId: string; audience: number }[]): string {
  return `marquee audience 1\n${plays.map(({ playId, audience }) => `${playId} ${audience}\n`).join('')}`;
}
