/** The whole console: sign-in until somebody is known, then the pages; in the language that was chosen. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useCallback, useMemo, useState, type ReactElement } from 'react';
import { openApi } from '../api/api.ts';
import { SessionContext, type Me, type Session } from '../api/session.ts';
import { currentLanguage } from '../text/text.ts';
import { storeClient, storedClient, storedKey, storeKey } from './credentials.ts';
import { LanguageContext } from './language.ts';
import { router } from './router.tsx';
import { SignIn } from './sign-in.tsx';
import { useMe } from './use-me.ts';

/** How long an answer is good without asking again; live pages ask sooner. */
const FRESH_MS = 5_000;

const queries = new QueryClient({
  defaultOptions: { queries: { staleTime: FRESH_MS, retry: false, refetchOnWindowFocus: true } },
});

export function Console(): ReactElement {
  const [language, setLanguage] = useState(currentLanguage());
  const [key, setKey] = useState(storedKey);
  const languageChoice = useMemo(() => ({ language, setLanguage }), [language]);
  const signIn = useCallback((given: string | undefined) => {
    storeKey(given);
    queries.clear();
    setKey(given);
  }, []);
  return (
    <LanguageContext value={languageChoice}>
      <QueryClientProvider client={queries}>
        {key === undefined ? <SignIn key={language} onKey={signIn} /> : <SignedIn credential={key} onKey={signIn} />}
      </QueryClientProvider>
    </LanguageContext>
  );
}

type SignedInOptions = { credential: string; onKey: (key: string | undefined) => void };

function SignedIn({ credential, onKey }: SignedInOptions): ReactElement {
  const [client, setClient] = useState(storedClient);
  const api = useMemo(() => openApi({ key: credential, workspace: client }), [credential, client]);
  const { me, error } = useMe(api, client);
  const chooseClient = useCallback((chosen: string | undefined) => {
    storeClient(chosen);
    setClient(chosen);
  }, []);
  const session = useMemo(
    () => me && sessionOf({ api, me, client, chooseClient, signOut: () => onKey(undefined) }),
    [api, me, client, chooseClient, onKey],
  );
  if (error) return <SignIn onKey={onKey} error={error} />;
  if (!session) return <p className="loading" aria-busy="true" />;
  return (
    <SessionContext value={session}>
      <RouterProvider router={router} />
    </SessionContext>
  );
}

function sessionOf(fields: Omit<Session, 'scope' | 'me'> & { me: Me }): Session {
  return { ...fields, scope: `${fields.me.workspace.id} ${fields.client ?? ''}` };
}
