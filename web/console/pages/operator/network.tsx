/** Every screen of the installation: owner, location and status; each links to its decisions. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, type ReactElement } from 'react';
import { counted, useList } from '../../api/api.ts';
import { holds } from '../../api/narrowed.ts';
import { t, term } from '../../text/text.ts';
import { Age } from '../../ui/time/age.tsx';
import { useFilter, useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { screenName } from '../venue/screen-name.ts';

const NetworkMap = lazy(() => import('./network-map.tsx'));

type NetworkScreen = RecordOf<'/v1/operator/screens'>;
const STATUSES = ['offline', 'paired_idle', 'online'] as const;

export function Network(): ReactElement {
  const [shown, setShown] = useFilter('status', ['all', ...STATUSES]);
  const { text, q, setText } = useSearchText();
  const list = useList(
    ['network', shown, q],
    (api, page, signal) =>
      api.get('/v1/operator/screens', {
        query: { ...counted(page), ...(shown !== 'all' && { status: shown }), ...(q !== '' && { q }) },
        signal,
      }),
    {
      isLive: true,
      narrows: {
        name: ['network', 'all', ''],
        has: ({ label, status, venue, workspace }) =>
          (shown === 'all' || status === shown) && holds([label, venue.name, venue.city, workspace.name], q),
      },
    },
  );
  const tabs = [
    { value: 'all', text: t('filter.all') } as const,
    ...STATUSES.map(value => ({ value, text: term('status', value) })),
  ];
  return (
    <Page title={t('nav.network')} lead={t('network.lead')}>
      <Suspense fallback={<Loading lines={6} />}>
        <NetworkMap city={q} onChoose={setText} />
      </Suspense>
      <NameFilter text={text} onText={setText} label={t('network.search')} />
      <Tabs label={t('filter.status')} tabs={tabs} chosen={shown} onChoose={setShown} />
      <ListTable
        of={list}
        empty={
          shown === 'all' && q === ''
            ? { title: t('network.none'), hint: t('network.noneHint') }
            : { title: t('screens.noneFound') }
        }
        label={t('nav.network')}
        columns={useMemo(columns, [])}
        keyOf={screen => screen.id}
      />
    </Page>
  );
}

function columns(): Column<NetworkScreen>[] {
  return [
    {
      head: t('screens.screen'),
      cell: ({ id, label, venue }) => (
        <>
          <Link to="/network/$id" params={{ id }}>
            {screenName({ id, label })}
          </Link>
          <div className="muted small">
            {venue.name}, {venue.city}
          </div>
        </>
      ),
    },
    { head: t('filter.status'), cell: ({ status }) => <Status of={status} /> },
    { head: t('network.owner'), cell: ({ workspace }) => workspace.name, isWide: true },
    {
      head: t('screens.seen'),
      cell: ({ last_seen_at: at }) => (at === null ? t('screens.never') : <Age at={at} />),
      isWide: true,
    },
    {
      head: t('screens.platform'),
      cell: ({ platform }) => (platform === null ? '–' : term('platform', platform)),
      isWide: true,
    },
  ];
}
