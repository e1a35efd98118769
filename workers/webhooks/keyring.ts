/** Opens the sealed secrets of endpoints, each once while it is used. */
import type { Handle } from '#domain/id.ts';
import { webhookSecretPurpose, type Sealer } from '#runtime/cryptography/sealed.ts';
import { signingSecret, type SigningSecret } from './attempts/signature.ts';

/** At some 500 bytes each. */
const SECRETS_MAX = 10_000;

export class Keyring {
  readonly #sealer: Sealer;
  readonly #secrets = new Map<string, SigningSecret>();

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  open(sealed: Buffer, workspace: Handle<'workspace'>): SigningSecret {
    const key = `${workspace} ${sealed.toString('latin1')}`;
    const known = this.#secrets.get(key);
    if (known) return known;
    if (this.#secrets.size >= SECRETS_MAX) this.#secrets.clear();
    const secret = signingSecret(this.#sealer.open(sealed, webhookSecretPurpose(workspace)));
    this.#secrets.set(key, secret);
    return secret;
  }
}
