/** The filters of a list are in the address of its page: a reload, the way back and a shared link keep them. */
import { useMatch, useRouter } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo, useRef, useSyncExternalStore } from 'react';
import { filtersOf, isText, type Filters, type Formats, type Search } from './filter-formats.ts';

type Change = (values: Search) => void;

/** The values in the address, and a change of some of them. An empty value is none. */
function useSearchPart(): [Search, Change] {
  const router = useRouter();
  const own = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const last = useRef('');
  // The state of the router follows later: a field with its value would lose what is typed meanwhile.
  const text = useSyncExternalStore(router.history.subscribe, () => {
    const { pathname, searchStr } = router.parseLocation(router.history.location);
    // While the next page is loaded, this one stays as it is.
    if (pathname === own) last.current = searchStr;
    return last.current;
  });
  const search = useMemo(() => Object.fromEntries(new URLSearchParams(text)), [text]);
  const change = useCallback<Change>(
    values =>
      void router.navigate({
        to: '.',
        search: (before: Search) =>
          Object.fromEntries(Object.entries({ ...before, ...values }).filter(([, value]) => value !== '')),
        replace: true,
        resetScroll: false,
      }),
    [router],
  );
  return [search, change];
}

/** Several filters: the same object again as long as nothing in it changes. */
export function useFilters<Name extends string>(formats: Formats<Name>): [Filters<Name>, Change] {
  const [search, change] = useSearchPart();
  const text = JSON.stringify(filtersOf(search, formats));
  return [useMemo(() => JSON.parse(text) as Filters<Name>, [text]), change];
}

/** One of some values, the first of which is the default. */
export function useFilter<Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const [search, change] = useSearchPart();
  const [standard] = values;
  const choose = useCallback(
    (value: Value) => change({ [name]: value === standard ? '' : value }),
    [change, name, standard],
  );
  return [values.find(value => value === search[name]) ?? standard, choose];
}

/** A text that is searched for while it is typed. The list is asked for `q`, which follows as fast as the page can. */
export function useSearchText(): { text: string; q: string; setText: (text: string) => void } {
  const [{ q: text = '' }, change] = useFilters({ q: isText });
  const setText = useCallback((q: string) => change({ q }), [change]);
  return { text, setText, q: useDeferredValue(text.trim()) };
}
