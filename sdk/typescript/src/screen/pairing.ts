/** A device becomes a screen: it confirms the six digits that a person of the venue was given. It needs no key. */
import { errorOfAnswer, errorOfSilence } from '../errors.ts';

export type PairingOptions = {
  /** The address of the API. */
  baseUrl: string;
  code: string;
  platform: 'android_tv' | 'tizen' | 'webos' | 'fire_tv' | 'google_tv' | 'windows' | 'linux' | 'browser';
  /** Version of the player. */
  player: string;
  signal?: AbortSignal;
  fetch?: typeof globalThis.fetch;
};
/** Store it so that it survives a restart. */
export type Pairing = { screen_id: string; device_token: string; socket_url: string };

/** Confirms a code, once: a second confirmation is refused and shows no token. @throws a MarqueeError */
export async function pairScreen({
  baseUrl,
  code,
  platform,
  player,
  signal,
  fetch = globalThis.fetch,
}: PairingOptions): Promise<Pairing> {
  const response = await fetch(`${baseUrl}/v1/pairing/${encodeURIComponent(code)}/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ platform, player }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw errorOfSilence(cause);
  });
  const text = await response.text();
  if (!response.ok) throw errorOfAnswer(response, jsonOf(text));
  return JSON.parse(text) as Pairing;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // the page of a proxy
  }
}
