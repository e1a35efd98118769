/** The whole console: sign-in until a person is known, then the pages; in the chosen language. */
import { MarqueeError } from '@marquee/sdk';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useMemo, useState, type ComponentType, type ReactElement } from 'react';
import type { Credential } from '../api/api.ts';
import { SignIn } from '../pages/sign-in/sign-in.tsx';
import { currentLanguage, withMoreTexts } from '../text/text.ts';
import { storeCredential, storedCredential } from '../api/credentials.ts';
import { LanguageContext } from '../preferences/language.ts';
import { SignedIn } from './signed-in.tsx';

/** How long an answer is good without asking again; live pages ask sooner. */
const FRESH_MS = 5_000;
/** The pages that work without a signed-in person: not part of the first view. */
const OPEN_PAGES: Readonly<Record<string, ComponentType>> = {
  '/console/accept': lazy(async () => ({ default: (await import('../pages/sign-in/accept.tsx')).Accept })),
  '/console/sign-in': lazy(async () => ({ default: (await import('../pages/sign-in/sign-in-link.tsx')).SignInLink })),
  '/console/forgot': lazy(async () => ({ default: (await import('../pages/sign-in/forgot.tsx')).Forgot })),
  '/console/reset': lazy(async () => ({ default: (await import('../pages/sign-in/reset.tsx')).Reset })),
  '/console/report': lazy(() => withMoreTexts(import('../pages/shared-report/shared-report.tsx'))),
  '/console/sign-up': lazy(async () => ({
    default: (await withMoreTexts(import('../pages/sign-in/sign-up.tsx'))).SignUp,
  })),
};

/** The answers that say that this session or key is signed out. */
const NOBODY = [
  'missing_key',
  'session_ended',
  'invalid_session',
  'no_workspace',
  'invalid_key',
  'expired_key',
  'revoked_key',
] as const;

/** `isOut`: signed out; `reason` if a session ended. */
type Visit = { credential: Credential; isOut: boolean; reason?: MarqueeError };

export function Console(): ReactElement {
  const [language, setLanguage] = useState(currentLanguage());
  const [visit, setVisit] = useState<Visit>(() => ({ credential: storedCredential(), isOut: false }));
  const languageChoice = useMemo(() => ({ language, setLanguage }), [language]);
  const [queries] = useState(() => createQueries(reason => setVisit(before => ({ ...before, isOut: true, reason }))));
  const signIn = useCallback(
    (credential: Credential) => {
      storeCredential(credential);
      queries.clear();
      setVisit({ credential, isOut: false });
    },
    [queries],
  );
  const signOut = useCallback(() => {
    storeCredential({});
    queries.clear();
    setVisit({ credential: {}, isOut: true });
  }, [queries]);
  const OpenPage = OPEN_PAGES[location.pathname];
  return (
    <LanguageContext value={languageChoice}>
      <QueryClientProvider client={queries}>
        <Suspense fallback={<p className="loading" aria-busy="true" />}>
          {OpenPage !== undefined ? (
            <OpenPage key={language} />
          ) : visit.isOut ? (
            <SignIn
              key={language}
              onSignIn={signIn}
              usesKey={visit.credential.key !== undefined}
              reason={visit.reason}
            />
          ) : (
            <SignedIn credential={visit.credential} onSignOut={signOut} />
          )}
        </Suspense>
      </QueryClientProvider>
    </LanguageContext>
  );
}

/** Any answer may say that the session has ended: the page is left for the sign-in, which comes back to it. */
function createQueries(onOut: (reason: MarqueeError) => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof MarqueeError && error.is(...NOBODY)) onOut(error);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { staleTime: FRESH_MS, retry: false, refetchOnWindowFocus: true } },
  });
}
