/**
 * The current person, workspace and permissions. Pages read it to know what to offer; the API decides all the same with
 * every call.
 */
import type { AnswerOf, Marquee, OperationOf } from '@marquee/sdk';
import { useRouter } from '@tanstack/react-router';
import { createContext, useContext } from 'react';

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
    /** Of a page that was opened to switch to this mode. */
    mode?: Mode;
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

/** The switch between live and the sandbox; undefined for a key, which has one mode, and where no sandbox is. */
export function useModeSwitch(): { text: 'sandbox.open' | 'sandbox.leave'; act: () => void } | undefined {
  const session = useSession();
  const router = useRouter();
  const isLive = session.me.mode === 'live';
  if (session.me.key !== null || (isLive && !mayRead(session, 'sandbox'))) return undefined;
  const mode: Mode = isLive ? 'test' : 'live';
  const act = async () => {
    // The shown record belongs to the old mode.
    await router.navigate({ to: isLive ? '/sandbox' : '/', state: { mode } });
    // Staying with an unsaved form means staying in its mode; the promise then waits for the next page of any kind.
    if (router.latestLocation.state.mode === mode) session.chooseMode(mode);
  };
  return { text: isLive ? 'sandbox.open' : 'sandbox.leave', act: () => void act() };
}
