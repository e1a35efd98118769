/** The first page of a person, by the kind of workspace that they are in. */
import { lazy, Suspense, type ReactElement } from 'react';
import { useSession } from '../../api/session.ts';
import { withTexts } from '../../text/text.ts';
import { Loading } from '../../ui/states.tsx';

const HOMES = {
  brand: lazy(() => import('./brand-home.tsx')),
  venue: lazy(() => import('./venue-home.tsx')),
  agency: lazy(() => withTexts(['agency'], import('./agency-home.tsx'))),
  operator: lazy(() => import('./operator-home.tsx')),
};

export function Home(): ReactElement {
  const OwnHome = HOMES[useSession().me.workspace.kind];
  return (
    <Suspense fallback={<Loading />}>
      <OwnHome />
    </Suspense>
  );
}
