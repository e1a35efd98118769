/** The pages for a signed-in person: who they are, and the workspace in which they work. */
import { MarqueeError, type Marquee } from '@marquee/sdk';
import { RouterProvider } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState, type ReactElement } from 'react';
import { openApi, type Credential } from '../api/api.ts';
import { SessionContext, type Me, type Session } from '../api/session.ts';
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
  }, []);
  const isSession = credential.key === undefined;
  // A key has its workspace. A session of several says with each call which one is meant.
  const named = place.client ?? (isSession ? place.workspace : undefined);
  const { data: me, error, refetch } = useMe(credential, named);
  const isLost = named !== undefined && error instanceof MarqueeError && error.is('not_found');
  useEffect(() => {
    if (isLost) choose({}); // another person was here, or the seat is gone
  }, [isLost, choose]);
  const session = useMemo(() => {
    if (!me) return undefined;
    const workspace = named ?? (isSession ? me.workspace.id : undefined);
    const api = openApi({ ...credential, workspace });
    return sessionOf({ api, me, place, choose, signOut: () => void signOut(api, { isSession, onSignOut }) });
  }, [me, named, isSession, credential, place, choose, onSignOut]);
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
      <RouterProvider router={router} />
    </SessionContext>
  );
}

/** Asks the API for the person, the workspace, the role and the permissions. */
function useMe(credential: Credential, workspace: string | undefined) {
  const api = useMemo(() => openApi({ ...credential, workspace }), [credential, workspace]);
  return useQuery({
    queryKey: ['me', workspace ?? ''],
    queryFn: ({ signal }) => api.get('/v1/me', { signal }),
    staleTime: ME_FRESH_MS,
  });
}

type SessionFields = Pick<Session, 'api' | 'signOut'> & { me: Me; place: Place; choose: (place: Place) => void };

function sessionOf({ place: { workspace, client }, choose, ...fields }: SessionFields): Session {
  return {
    ...fields,
    client,
    scope: `${fields.me.workspace.id} ${client ?? ''}`,
    chooseClient: chosen => choose({ workspace, client: chosen }),
    chooseWorkspace: chosen => choose({ workspace: chosen }),
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
