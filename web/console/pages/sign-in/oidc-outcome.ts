/** The outcome of a sign-in with the OpenID provider: a word after the `#` of the address that the API redirects to. */
import { useEffect, useState } from 'react';
import { textOf } from '../../text/text.ts';

/** Its text, once: the word is removed from the address. Undefined without an outcome. */
export function useOidcOutcome(): string | undefined {
  const [word] = useState(() => /^#oidc=(\w+)$/.exec(location.hash)?.[1]);
  useEffect(() => {
    if (word !== undefined) history.replaceState(null, '', location.pathname);
  }, [word]);
  if (word === undefined) return undefined;
  return textOf('oidc', word) ?? textOf('oidc', 'failed');
}
