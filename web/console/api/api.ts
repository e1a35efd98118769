/**
 * How pages call the API. Each page calls it through the client of `sdk/`, so that a field that changes is a type error
 * here. Answers are cached for a few seconds by their query; live pages refresh, less often while nothing changes and
 * not at all while the tab is hidden.
 */
import { createMarquee, MarqueeError, randomKey, type Marquee } from '@marquee/sdk';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { money } from '../text/format.ts';
import { currentLanguage, sentence, t, textOf } from '../text/text.ts';
import { narrowed, type Narrowing, type Page } from './narrowed.ts';
import { isUnknown, Sending } from './sending.ts';
import { useSession, type Mode } from './session.ts';

/** Three attempts: a person waits, and can press a button again. */
const ATTEMPTS_MAX = 3;
const LIVE_MS = 2_000;
/** Lists change more slowly than the figures of one record. */
const LIST_LIVE_MS = 10_000;
/** A server in trouble is asked less. */
const FAILING_MS = 20_000;
/** The most that a list gives at once. */
const PAGE_LIMIT = '100';

/** Without a key calls are made with the cookie of the session. */
export type Credential = { key?: string };
export type ApiOptions = Credential & {
  workspace?: string | undefined;
  /** Of a session; a key has its own. */
  mode?: Mode | undefined;
  attemptsMax?: number;
};

export function openApi({ key, workspace, mode, attemptsMax = ATTEMPTS_MAX }: ApiOptions = {}): Marquee {
  return createMarquee({
    baseUrl: location.origin,
    ...(key !== undefined && { key }),
    sdk: 'marquee-console/1',
    fetch: request => fetchAsConsole(request, mode),
    retries: { attemptsMax },
    ...(workspace !== undefined && { workspace }),
  });
}

/** With the header that no other site can send: writes of a session are refused without it. */
function fetchAsConsole(request: Request, mode: Mode | undefined): Promise<Response> {
  request.headers.set('X-Requested-With', 'marquee-console');
  if (mode !== undefined) request.headers.set('X-Mode', mode);
  return fetch(request);
}

export type Read<Answer> = (api: Marquee, signal: AbortSignal) => Promise<Answer>;
export type ReadSettings = {
  /** Refreshes automatically. */
  isLive?: boolean;
  /** As seldom as lists do: the answer is made of all records that there are. */
  isHeavy?: boolean;
  /** False: not requested yet. */
  isWanted?: boolean;
  /** Shows the answer to the question before while the new one is on its way. */
  keepsPrevious?: boolean;
};

/** One query. `name` identifies it, with everything that the answer depends on. */
export function useRead<Answer>(
  name: readonly unknown[],
  read: Read<Answer>,
  { isLive = false, isHeavy = false, isWanted = true, keepsPrevious = false }: ReadSettings = {},
): UseQueryResult<Answer> {
  const { api, scope } = useSession();
  return useQuery({
    queryKey: [scope, ...name],
    queryFn: ({ signal }) => read(api, signal),
    enabled: isWanted,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    refetchInterval: ({ state }) =>
      isLive && (state.status === 'error' ? FAILING_MS : isHeavy ? LIST_LIVE_MS : LIVE_MS),
  });
}

export type PageQuery = { limit: string; cursor?: string };

/** A page with the total of its list, which is looked at once: with the first page. */
export function counted(page: PageQuery): PageQuery & { count?: 'true' } {
  return { ...page, ...(page.cursor === undefined && { count: 'true' }) };
}

export type ListSettings<Row> = Pick<ReadSettings, 'isLive' | 'isWanted'> & {
  /** The list without the filters that a person sets on the page. */
  narrows?: Narrowing<Row>;
};

/**
 * A list, page after page as it is scrolled. When a filter changes, the page answers at once where all rows of the list
 * are known, and else keeps the rows that it shows until the answer is here.
 */
export function useList<Row>(
  name: readonly unknown[],
  read: (api: Marquee, page: PageQuery, signal: AbortSignal) => Promise<Page<Row>>,
  { isLive = false, isWanted = true, narrows }: ListSettings<Row> = {},
) {
  const { api, scope } = useSession();
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: [scope, ...name],
    queryFn: ({ pageParam, signal }) =>
      read(api, { limit: PAGE_LIMIT, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
    enabled: isWanted,
    placeholderData: previous =>
      (narrows && narrowed(queries.getQueryData([scope, ...narrows.name]), narrows.has)) ?? previous,
    // A scrolled list is not refreshed: requesting all its pages again would cost more than it shows.
    refetchInterval: ({ state }) => isLive && (state.data?.pages.length ?? 1) === 1 && LIST_LIVE_MS,
  });
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.data) ?? [], [query.data]);
  const { fetchNextPage: fetchNext } = query;
  // A page that is already loading is not requested again, as at every step of a scroll.
  const fetchNextPage = useCallback(() => fetchNext({ cancelRefetch: false }), [fetchNext]);
  return { ...query, fetchNextPage, rows, total: query.data?.pages[0]?.total };
}

/** In the memory of the tab, like a form that is kept for a new sign-in. */
const sending = new Sending({ now: Date.now, newKey: randomKey });

/** A change, sent once. Afterwards everything shown is refreshed, even if the outcome is unknown. */
export function useChange<Answer, Input = void>(change: (api: Marquee, input: Input) => Promise<Answer>) {
  const { api, me, scope } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => sending.send(api, `${scope} ${me.person.id}`, keyed => change(keyed, input)),
    onSuccess: () => queries.invalidateQueries(),
    onError: error => void (isUnknown(error) && queries.invalidateQueries()),
  });
}

/** The text of an error for people: translated by its code if possible, else the API's text. */
export function messageOf(error: unknown): string {
  if (!(error instanceof MarqueeError)) return error instanceof Error ? error.message : String(error);
  if (error.funds)
    return t('error.funds', { needed: money(error.funds.needed), available: money(error.funds.available) });
  const known = textOf('problem', error.code);
  if (known !== undefined) return known;
  // The sentence of the API names the faults in English: in another language it is put together of theirs.
  if (currentLanguage() !== 'en' && error.errors.length > 0) return [...new Set(error.errors.map(faultText))].join(' ');
  return sentence({ group: 'problem', code: error.code, text: error.message.slice(error.code.length + 2) });
}

/** The fault of a field as a sentence: translated by its code if possible, else the API's text. */
function faultText({ code, detail }: MarqueeError['errors'][number]): string {
  const text = sentence({ group: 'fault', code, text: detail });
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

/**
 * The first fault of each field, by the first name of its pointer: `/budget/amount` belongs to `budget`. A field that
 * may be null has a second one, which only says so.
 */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof MarqueeError)) return {};
  return Object.fromEntries(
    error.errors.toReversed().flatMap(fault => {
      const name = fault.pointer.split('/')[1];
      return name === undefined ? [] : [[name, faultText(fault)]];
    }),
  );
}

/** The first fault of an error at a pointer or below it. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  return Object.values(faultsBelow(error, pointer))[0];
}

/** The faults of an error below a pointer, by the rest of their pointer: `0/lat` for `/targets/areas/0/lat`. */
export function faultsBelow(error: unknown, pointer: string): Readonly<Record<string, string>> {
  if (!(error instanceof MarqueeError)) return {};
  const below = error.errors.filter(fault => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
  return Object.fromEntries(below.map(fault => [fault.pointer.slice(pointer.length + 1), faultText(fault)]));
}
