/** Becoming a screen: the device confirms a code that the venue's person has minted, and is given its token. */
export type Confirmed = { screenId: string; token: string };
export type PairingProblem = { problem: string };

const CONFIRM_MS_MAX = 10_000;

/** Confirms a code of six digits. What goes wrong comes back as a sentence for the person in front of the screen. */
export async function confirmCode(
  code: string,
  device: { platform: string; version: string },
): Promise<Confirmed | PairingProblem> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), CONFIRM_MS_MAX);
  try {
    const response = await fetch(`/v1/pairing/${code}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform: device.platform, player: device.version }),
      signal: abort.signal,
    });
    if (response.status !== 201)
      return { problem: problemOf(response.status, Number(response.headers.get('retry-after')) || 0) };
    const { screen_id: screenId, device_token: token } = (await response.json()) as {
      screen_id: string;
      device_token: string;
    };
    return { screenId, token };
  } catch {
    return { problem: 'The server cannot be reached. Check the network of this device.' };
  } finally {
    clearTimeout(timer);
  }
}

/** What a person should do about an answer. `retryAfter`: seconds that the server asks to wait, or 0. */
export function problemOf(status: number, retryAfter: number): string {
  switch (status) {
    case 404:
      return 'This code is not known. Check the digits, or ask for a new code.';
    case 409:
      return 'This code was used already. Ask for a new one.';
    case 410:
      return 'This code has expired: codes are valid for 60 seconds. Ask for a new one.';
    case 429:
      return `Too many wrong codes. Try again in ${Math.max(1, retryAfter)} seconds.`;
    default:
      return `The server answered ${status}. Try again in a moment.`;
  }
}
