/** Opens the console for a person who has just been signed in. */
import { storeCredential } from '../../api/credentials.ts';

/** A key that this tab still has would go before the session: it is forgotten. */
export function enterConsole(): void {
  storeCredential({});
  location.replace('/console');
}
