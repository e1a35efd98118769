/** The places that could be booked: audience, price by the rate card, and forecast availability. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { fieldErrors, useList } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, dayRange, money, percent, tenths } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { InventoryFilters, useInventorySearch } from './inventory-filters.tsx';

type Place = RecordOf<'/v1/inventory'>;

export function Inventory(): ReactElement {
  const { search, ...form } = useInventorySearch();
  const mayBook = useMayWrite('campaigns');
  const list = useList(
    ['inventory', search],
    (api, page, signal) => api.get('/v1/inventory', { query: { ...page, ...search }, signal }),
    { isWanted: search !== undefined },
  );
  const isFiltered = Object.keys(search ?? {}).some(name => name !== 'sort');
  return (
    <Page
      title={t('nav.inventory')}
      lead={t('inventory.lead')}
      actions={
        mayBook && (
          <Link to="/campaigns/new" className="button is-primary">
            <Icon name="plus" />
            {t('campaigns.book')}
          </Link>
        )
      }
    >
      <InventoryFilters faults={fieldErrors(list.error)} {...form} />
      <ListTable
        of={list}
        empty={
          isFiltered
            ? { title: t('inventory.noneFound'), hint: t('inventory.noneFoundHint') }
            : { title: t('inventory.none'), hint: t('inventory.noneHint') }
        }
        label={t('nav.inventory')}
        columns={useMemo(columns, [])}
        keyOf={place => place.venue_id}
      />
    </Page>
  );
}

function columns(): Column<Place>[] {
  return [
    {
      head: t('inventory.place'),
      cell: ({ name, type, city, blocked_categories: blocked }) => (
        <>
          <strong className="breaks">{name ?? t('inventory.unnamed')}</strong>
          <div className="muted small">
            {city}, {term('venueType', type)}
          </div>
          {blocked.length > 0 && (
            <div className="muted small" title={blocked.map(slug => term('category', slug)).join(', ')}>
              {t('inventory.blocks', { count: blocked.length })}
            </div>
          )}
        </>
      ),
    },
    {
      head: t('inventory.screens'),
      cell: ({ screens, orientations }) => (
        <>
          {count(screens)}
          <div className="muted small">{orientations.map(one => term('orientation', one)).join(', ')}</div>
        </>
      ),
      isFigure: true,
      isWide: true,
    },
    {
      head: t('inventory.audience'),
      cell: ({ audience }) => (
        <>
          {tenths(audience.per_play)}
          <div className="muted small">{t('inventory.visitors', { visitors: count(audience.daily_visitors) })}</div>
        </>
      ),
      isFigure: true,
      isWide: true,
    },
    {
      head: t('inventory.price'),
      cell: ({ price }) => (
        <>
          {money(price.cpm)}
          <div className="muted small">{t('inventory.perPlay', { price: money(price.per_play) })}</div>
        </>
      ),
      isFigure: true,
    },
    {
      head: t('inventory.available'),
      cell: ({ availability: { plays, share, start, end } }) => (
        <div title={dayRange(start, end)}>
          {count(plays)}
          <div className="muted small">{t('inventory.share', { share: percent(share) })}</div>
        </div>
      ),
      isFigure: true,
    },
  ];
}
