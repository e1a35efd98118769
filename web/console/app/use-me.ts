/** Asks the API who works here; the answer says where, with which role, and what that allows. */
import type { Marquee } from '@marquee/sdk';
import { useQuery } from '@tanstack/react-query';
import type { Me } from '../api/session.ts';

export function useMe(api: Marquee, client: string | undefined): { me: Me | undefined; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: ['me', client ?? ''],
    queryFn: ({ signal }) => api.get('/v1/me', { signal }),
    staleTime: 60_000,
  });
  return { me: data, error };
}
