/** The places of a workspace: location, review of figures, blocked categories, and creating a new one. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactElement } from 'react';
import { counted, useList } from '../../api/api.ts';
import { holds } from '../../api/narrowed.ts';
import { mayRead, useMayWrite, useSession } from '../../api/session.ts';
import { count, money, zoneName } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { AddButton } from '../../ui/button.tsx';
import { useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { NewVenueDialog } from './new-venue-dialog.tsx';

type Venue = RecordOf<'/v1/venues'>;

export function Venues(): ReactElement {
  const [isMaking, setMaking] = useState(false);
  const { text, q, setText } = useSearchText();
  const mayWrite = useMayWrite('venues');
  const maySeeEarnings = mayRead(useSession(), 'payouts');
  const list = useList(
    ['venues', q],
    (api, page, signal) =>
      api.get('/v1/venues', {
        query: { ...counted(page), sort: 'name', include: 'activity', ...(q !== '' && { q }) },
        signal,
      }),
    { isLive: true, narrows: { name: ['venues', ''], has: venue => holds([venue.name], q) } },
  );
  const make = mayWrite && <AddButton text={t('venues.make')} onClick={() => setMaking(true)} />;
  return (
    <Page title={t('nav.venues')} lead={t('venues.lead')} actions={make}>
      <NameFilter text={text} onText={setText} />
      <ListTable
        of={list}
        empty={
          q === ''
            ? { title: t('pair.noVenue'), hint: t('venues.noneHint'), children: make }
            : { title: t('venues.noneFound') }
        }
        label={t('nav.venues')}
        columns={useMemo(() => columns(maySeeEarnings), [maySeeEarnings])}
        keyOf={venue => venue.id}
      />
      <NewVenueDialog isOpen={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

function columns(maySeeEarnings: boolean): Column<Venue>[] {
  return [
    {
      head: t('venues.venue'),
      cell: ({ id, name, city, type }) => (
        <>
          <Link to="/venues/$id" params={{ id }}>
            {name}
          </Link>
          <div className="muted small">
            {city}, {term('venueType', type)}
          </div>
        </>
      ),
    },
    {
      head: t('nav.screens'),
      cell: ({ activity: { screens = 0, screens_online: online = 0 } = {} }) => (
        <>
          {count(screens)}
          <div className="muted small">{t('venues.online', { online: count(online) })}</div>
        </>
      ),
      isFigure: true,
    },
    ...(maySeeEarnings
      ? [
          {
            head: t('venues.earnings'),
            cell: ({ activity }: Venue) =>
              activity?.earnings_this_month
                ?.map(({ value, currency }) => money({ amount: value, currency }))
                .join(', ') || '–',
            isFigure: true,
          },
        ]
      : []),
    { head: t('venues.visitors'), cell: venue => count(venue.daily_visitors), isFigure: true, isWide: true },
    {
      head: t('blocks.title'),
      cell: ({ blocked_categories: blocked }) =>
        blocked.length === 0 ? t('blocks.none') : t('blocks.count', { count: blocked.length }),
      isWide: true,
    },
    { head: t('venues.zone'), cell: ({ timezone }) => zoneName(timezone), isWide: true },
  ];
}
