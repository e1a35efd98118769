/** A simulated sensing module, shared by the demo and tests: it signs its counts with its own key. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { audienceText, pairingText } from '#domain/screens/sensor.ts';
import type { Client } from './demo/client.ts';

/** The characters of a play id. Anything else, such as a line break, could forge a line of the text that is signed. */
const PLAY_ID = /^[A-Za-z0-9_-]+$/;

export type KeptModule = { serial: string; privateKey: string };

/** A simulated sensing module, shared by the demo and tests: a key of its own, and a serial. */
export class SensingModule {
  readonly serial: string;
  /** 32 bytes in base64, as the operator enrols them. */
  readonly publicKey: string;
  readonly #privateKey: KeyObject;

  /** @param privateKey of a module that was made before (`kept`); without it, the module makes its own */
  constructor(serial: string, privateKey?: string) {
    this.serial = serial;
    this.#privateKey =
      privateKey === undefined ? generateKeyPairSync('ed25519').privateKey : createPrivateKey(privateKey);
    const { x } = createPublicKey(this.#privateKey).export({ format: 'jwk' });
    this.publicKey = Buffer.from(x!, 'base64url').toString('base64');
  }

  /** The serial and the private key, for a module that has to outlive its process. */
  get kept(): KeptModule {
    return { serial: this.serial, privateKey: this.#privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  }

  /** Signs that the module is next to this screen. */
  signPairing(screenId: string, challenge: string): string {
    return this.#sign(pairingText({ screenId, serial: this.serial, challenge }));
  }

  /** Signs how many people it counted during these plays. Plays during which it did not count are left out. */
  attest(plays: readonly { play_id: string; audience?: number | undefined }[]): string {
    const foreign = plays.find(play => !PLAY_ID.test(play.play_id));
    if (foreign) throw new Error(`not a play id: ${JSON.stringify(foreign.play_id)}`);
    return this.#sign(
      audienceText(
        plays.flatMap(({ play_id: playId, audience }) => (audience === undefined ? [] : [{ playId, audience }])),
      ),
    );
  }

  #sign(text: string): string {
    return sign(null, Buffer.from(text), this.#privateKey).toString('base64url');
  }
}

/** Pairs an enrolled module with a screen, as its venue does. */
export async function pairModule(venue: Client, screenId: string, module: SensingModule): Promise<void> {
  const path = `/v1/screens/${screenId}/sensor`;
  const { challenge } = await venue.post<{ challenge: string }>(`${path}/challenge`, { serial: module.serial });
  await venue.post(path, { serial: module.serial, challenge, signature: module.signPairing(screenId, challenge) });
}
