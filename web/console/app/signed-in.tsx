/** The pages for a signed-in person: who they are, and the workspace in which they work. */
import { MarqueeError, type Marquee } from '@marquee/sdk';
import { RouterProvider } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, type ReactElement } from 'react';
import { openApi, type Credential } from '../api/api.ts';
import { mayRead, SessionContext, type Me, type Mode, type Session } from '../api/session.ts';
import { showToast } from '../ui/feedback/toasts.tsx';
import { ErrorState } from '../ui/states.tsx';
import { storedPlace, storePlace, type Place } from '../api/credentials.ts';
import { router } from './router.tsx';

/** Roles and workspaces change seldom; a call that they no longer allow is refused all the same. */
const ME_FRESH_MS = 60_000;

export type SignedInOptions = { credential: Credential; onSignOut: () => void };

export function SignedIn({ credential, onSignOut }: SignedInOptions): ReactElement {
  const [place, setPlace] = useState(storedPlace);
  const choose = useCallback((chosen: Place) => {
    storePlace(chosen);
    setPlace(chosen);
    showToast(undefined); // its way back leads to records of the place that is left
  }, []);
  const isSession = credential.key === undefined;
  // A key has its workspace and mode. A session says with each call which ones are meant.
  const mode = isSession ? place.mode : undefined;
  const named = place.client ?? (isSession ? place.workspace : undefined);
  const { data: me, error, refetch } = useMe(credential, named, mode);
  const isLost = named !== undefined && error instanceof MarqueeError && error.is('not_found');
  /** From the sandbox of one workspace the person went to another one, of a venue or the operator, which has none. */
  const isStray = mode === 'test' && me !== undefined && !mayRead({ me }, 'sandbox');
  useEffect(() => {
    // The client is of the other mode, another person was here, or the seat is gone.
    if (isLost) choose(place.client === undefined ? { mode } : { workspace: place.workspace, mode });
    else if (isStray) choose({ ...place, mode: undefined });
  }, [isLost, isStray, choose, place, mode]);
  const session = useMemo(() => {
    if (!me || isStray) return undefined;
    const workspace = named ?? (isSession ? me.workspace.id : undefined);
    const api = openApi({ ...credential, workspace, mode });
    const leave = () => {
      storePlace({ ...place, mode: undefined }); // the next person begins in live
      void signOut(openApi(credential), { isSession, onSignOut }); // sessions are live
    };
    return sessionOf({ api, me, place, choose, signOut: leave });
  }, [me, isStray, named, mode, isSession, credential, place, choose, onSignOut]);
  if (!session)
    return error && !isLost ? (
      <main className="page">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </main>
    ) : (
      <p className="loading" aria-busy="true" />
    );
  return (
    <SessionContext value={session}>
      {/* Drawn anew in another place: pages show their last answer while they ask for the next one. */}
      <RouterProvider key={session.scope} router={router} />
    </SessionContext>
  );
}

/** Asks the API for the person, the workspace, the role and the permissions. */
function useMe(credential: Credential, workspace: string | undefined, mode: Mode | undefined) {
  const api = useMemo(() => openApi({ ...credential, workspace, mode }), [credential, workspace, mode]);
  return useQuery({
    queryKey: ['me', workspace ?? '', mode ?? ''],
    queryFn: ({ signal }) => api.get('/v1/me', { signal }),
    staleTime: ME_FRESH_MS,
  });
}

type SessionFields = Pick<Session, 'api' | 'signOut'> & { me: Me; place: Place; choose: (place: Place) => void };

function sessionOf({ place: { workspace, client, mode }, choose, ...fields }: SessionFields): Session {
  return {
    ...fields,
    client,
    scope: `${fields.me.workspace.id} ${client ?? ''} ${fields.me.mode}`,
    chooseClient: chosen => choose({ workspace, client: chosen, mode }),
    chooseWorkspace: chosen => choose({ workspace: chosen, mode }),
    chooseMode: chosen => choose({ workspace, client, mode: chosen }),
  };
}

/** Also ends the session at the server and at the OpenID provider. If that fails, it expires within the hour. */
async function signOut(
  api: Marquee,
  { isSession, onSignOut }: { isSession: boolean; onSignOut: () => void },
): Promise<void> {
  if (isSession) {
    await api.delete('/v1/sessions/current').catch(() => undefined);
    const options = await api.get('/v1/sessions/options').catch(() => undefined);
    if (options?.oidc === true) location.assign('/console/oidc/end'); // which leads people who came without it back
  }
  onSignOut();
}
