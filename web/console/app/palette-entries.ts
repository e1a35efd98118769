/** The results of the search: the pages and actions of this person at once, and records from the API. */
import { useRead } from '../api/api.ts';
import { mayRead, useMayWrite, useModeSwitch, useSession, type Resource } from '../api/session.ts';
import { t } from '../text/text.ts';
import type { IconName } from '../ui/icon.tsx';
import { screenName } from '../pages/venue/screen-name.ts';
import { navigationOf } from './navigation.ts';

export type Entry = { key: string; text: string; note: string; icon: IconName } & (
  { to: string } | { act: () => void }
);

/** From each list: typing more letters finds the others. */
const FOUND_MAX = '5';
const LETTERS_MIN = 2;

/** @param q the typed text; `asked` is the same once the person has paused */
export function useEntries({ q, asked, onHelp }: { q: string; asked: string; onHelp: () => void }): {
  entries: Entry[];
  isAsking: boolean;
} {
  const known = useKnown(onHelp).filter(({ text }) => text.toLowerCase().includes(q.toLowerCase()));
  const lists = [useCampaigns(asked), useScreens(asked), useVenues(asked), useClients(asked), useNetwork(asked)];
  const isAsking = q !== asked || lists.some(({ isFetching }) => isFetching);
  return { entries: [...known, ...(q === '' ? [] : lists.flatMap(({ data }) => data ?? []))], isAsking };
}

function useKnown(onHelp: () => void): Entry[] {
  const session = useSession();
  const mayBook = useMayWrite('campaigns');
  const modeSwitch = useModeSwitch();
  const pages = navigationOf(session).flatMap(({ items }) =>
    items.map(({ to, text, icon }): Entry => ({ key: to, text: t(text), note: t('palette.page'), icon, to })),
  );
  const note = t('palette.action');
  const book: Entry = { key: 'book', text: t('campaigns.book'), note, icon: 'plus', to: '/campaigns/new' };
  const help: Entry = { key: 'help', text: t('shortcuts.title'), note, icon: 'terminal', act: onHelp };
  const leave: Entry = { key: 'leave', text: t('account.signOut'), note, icon: 'person', act: session.signOut };
  const modes = modeSwitch
    ? [{ key: 'mode', text: t(modeSwitch.text), note, icon: 'loop' as const, act: modeSwitch.act }]
    : [];
  return [...pages, ...(mayBook ? [book] : []), ...modes, help, leave];
}

/** Whether records of a resource are requested. */
function useWanted(resource: Resource, q: string): boolean {
  const session = useSession();
  // An agency that acts for a client sees no other one.
  return (
    q.length >= LETTERS_MIN && mayRead(session, resource) && !(resource === 'agency' && session.client !== undefined)
  );
}

const query = (q: string) => ({ q, limit: FOUND_MAX });
const settings = (isWanted: boolean) => ({ isWanted, keepsPrevious: isWanted });

function useCampaigns(q: string) {
  return useRead(
    ['found campaigns', q],
    async (api, signal): Promise<Entry[]> =>
      (await api.get('/v1/campaigns', { query: query(q), signal })).data.map(({ id, name }) =>
        record({ to: `/campaigns/${id}`, text: name, note: t('campaigns.name'), icon: 'play' }),
      ),
    settings(useWanted('campaigns', q)),
  );
}

function useScreens(q: string) {
  return useRead(
    ['found screens', q],
    async (api, signal): Promise<Entry[]> =>
      (await api.get('/v1/screens', { query: query(q), signal })).data.map(screen =>
        record({ to: `/screens/${screen.id}`, text: screenName(screen), note: t('screens.screen'), icon: 'screen' }),
      ),
    settings(useWanted('screens', q)),
  );
}

function useVenues(q: string) {
  return useRead(
    ['found venues', q],
    async (api, signal): Promise<Entry[]> =>
      (await api.get('/v1/venues', { query: query(q), signal })).data.map(({ id, name }) =>
        record({ to: `/venues/${id}`, text: name, note: t('venues.venue'), icon: 'pin' }),
      ),
    settings(useWanted('venues', q)),
  );
}

function useClients(q: string) {
  return useRead(
    ['found clients', q],
    async (api, signal): Promise<Entry[]> =>
      (await api.get('/v1/agency/clients', { query: query(q), signal })).data.map(({ id, name }) =>
        record({ to: `/clients/${id}`, text: name, note: t('palette.client'), icon: 'people' }),
      ),
    settings(useWanted('agency', q)),
  );
}

function useNetwork(q: string) {
  return useRead(
    ['found network', q],
    async (api, signal): Promise<Entry[]> =>
      (await api.get('/v1/operator/screens', { query: query(q), signal })).data.map(screen =>
        record({ to: `/network/${screen.id}`, text: screenName(screen), note: t('screens.screen'), icon: 'screen' }),
      ),
    settings(useWanted('network', q)),
  );
}

function record(found: Omit<Extract<Entry, { to: string }>, 'key'>): Entry {
  return { ...found, key: found.to };
}
