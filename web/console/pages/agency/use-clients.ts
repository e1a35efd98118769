/** All clients of the agency, sorted here by keys that the API does not support. */
import { useEffect } from 'react';
import { counted, useList } from '../../api/api.ts';
import { holds } from '../../api/narrowed.ts';

/** An agency with more finds the others by their name. */
const CLIENTS_MAX = 1_000;

export function useClients(q: string, status: 'active' | 'archived') {
  const list = useList(
    ['clients', status, q],
    (api, page, signal) =>
      api.get('/v1/agency/clients', { query: { ...counted(page), status, ...(q !== '' && { q }) }, signal }),
    { narrows: { name: ['clients', status, ''], has: client => holds([client.name], q) } },
  );
  const { hasNextPage, isFetching, error, fetchNextPage, rows } = list;
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && rows.length < CLIENTS_MAX) void fetchNextPage();
  }, [hasNextPage, isFetching, error, fetchNextPage, rows.length]);
  return list;
}
