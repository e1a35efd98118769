/** Becoming a screen: the device confirms a code that the venue's person has minted, and is given its token. */
import { MarqueeError, pairScreen, type PairingOptions } from '#sdk/screen/index.ts';

export type Device = { platform: PairingOptions['platform']; version: string };

const CONFIRM_MS_MAX = 10_000;

/** Confirms a code of six digits. Errors are returned as a sentence for the person in front of the screen. */
export async function confirmCode(
  code: string,
  { platform, version: player }: Device,
): Promise<{ token: string } | { problem: string }> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), CONFIRM_MS_MAX);
  try {
    const { device_token } = await pairScreen({ baseUrl: '', code, platform, player, signal: abort.signal });
    return { token: device_token };
  } catch (error) {
    if (!(error instanceof MarqueeError)) return { problem: problemOf(0) };
    return { problem: problemOf(error.status, error.retryAfterSeconds) };
  } finally {
    clearTimeout(timer);
  }
}

/** The next step for a person after an answer; 0 for none. `retryAfter`: seconds to wait, from the server. */
export function problemOf(status: number, retryAfter = 1): string {
  switch (status) {
    case 0:
      return 'The server cannot be reached. Check the network of this device.';
    case 404:
      return 'This code is not known. Check the digits, or ask for a new code.';
    case 409:
      return 'This code was used already. Ask for a new one.';
    case 410:
      return 'This code has expired: codes are valid for 60 seconds. Ask for a new one.';
    case 429:
      return `Too many wrong codes. Try again in ${retryAfter} seconds.`;
    default:
      return `The server answered ${status}. Try again in a moment.`;
  }
}
