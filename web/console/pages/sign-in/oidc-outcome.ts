/**
 * What became of a sign-in with the OpenID provider: a word behind the `#`, to which the API leads the browser back.
 */
import { useEffect, useState } from 'react';
import { textOf } from '../../text/text.ts';

/** Its sentence, once: the word is taken out of the address. Undefined where the browser does not come from there. */
export function useOidcOutcome(): string | undefined {
  const [word] = useState(() => /^#oidc=(\w+)$/.exec(location.hash)?.[1]);
  useEffect(() => {
    if (word !== undefined) history.replaceState(null, '', location.pathname);
  }, [word]);
  if (word === undefined) return undefined;
  return textOf('oidc', word) ?? textOf('oidc', 'failed');
}
