/** An endpoint of a subscription, with the secrets that sign its deliveries now. */
import type { Handle } from '#domain/id.ts';
import type { EndpointRow } from '#sql/webhooks/sending.ts';
import type { SigningSecret } from './attempts/signature.ts';
import type { Keyring } from './keyring.ts';

export type Endpoint = {
  webhook: Handle<'webhook'>;
  url: string;
  isActive: boolean;
  clientErrors: number;
  secrets: SigningSecret[];
};

export function endpointOf(keyring: Keyring, row: EndpointRow): Endpoint {
  return {
    webhook: row.handle,
    url: row.url,
    isActive: row.status === 'active',
    clientErrors: row.client_errors,
    secrets: [row.secret, row.previous_secret]
      .filter(sealed => sealed !== null)
      .map(sealed => keyring.open(sealed, row.workspace_handle)),
  };
}
