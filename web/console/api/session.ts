/**
 * The current person, workspace and permissions. Pages read it to know what to offer; the API decides all the same with
 * every call.
 */
import type { AnswerOf, Marquee, OperationOf } from '@marquee/sdk';
import { useRouter } from '@tanstack/react-router';
import { createContext, useCallback, useContext } from 'react';

export type Me = AnswerOf<OperationOf<'/v1/me', 'get'>>;
export type Mode = Me['mode'];
export type Resource = Me['permissions'][number]['resource'];

export type Session = {
  api: Marquee;
  me: Me;
  /** Part of every query's name, so that one workspace or mode never sees the answers of another. */
  scope: string;
  /** For an agency: the client that it acts for; undefined: its own workspace. */
  client: string | undefined;
  chooseClient: (client: string | undefined) => void;
  /** For a person with several workspaces: switches to another one, in this tab and in those opened later. */
  chooseWorkspace: (workspace: string) => void;
  /** For a person: switches this tab to the sandbox, or back. */
  chooseMode: (mode: Mode) => void;
  signOut: () => void;
};

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** When the place before this page was left: see `usePlaceChange`. */
    leftAt?: number;
  }
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('A page is shown to somebody who has signed in.');
  return session;
}

export function mayRead({ me }: Pick<Session, 'me'>, resource: Resource): boolean {
  return me.permissions.some(permission => permission.resource === resource && permission.read);
}

/** Whether a change may be offered. */
export function useMayWrite(resource: Resource): boolean {
  const { me } = useSession();
  return me.permissions.some(permission => permission.resource === resource && permission.write);
}

/**
 * Opens a page, then changes the workspace, the client or the mode: the shown record belongs to the place that is left.
 * A person who stays with an unsaved form stays in its place.
 */
export function usePlaceChange(): (to: '/' | '/campaigns' | '/sandbox', change: () => void) => void {
  const router = useRouter();
  return useCallback(
    (to, change) => {
      const leftAt = Date.now();
      const leave = async () => {
        await router.navigate({ to, state: { leftAt } });
        // For a person who stays, the promise waits for the next page of any kind.
        if (router.latestLocation.state.leftAt === leftAt) change();
      };
      void leave();
    },
    [router],
  );
}

/** The switch between live and the sandbox; undefined for a key, which has one mode, and where no sandbox is. */
export function useModeSwitch(): { text: 'sandbox.open' | 'sandbox.leave'; act: () => void } | undefined {
  const session = useSession();
  const changePlace = usePlaceChange();
  const isLive = session.me.mode === 'live';
  if (session.me.key !== null || (isLive && !mayRead(session, 'sandbox'))) return undefined;
  return isLive
    ? { text: 'sandbox.open', act: () => changePlace('/sandbox', () => session.chooseMode('test')) }
    : { text: 'sandbox.leave', act: () => changePlace('/', () => session.chooseMode('live')) };
}
