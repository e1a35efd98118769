/**
 * The decision explorer: for one screen and any minute, the winner of each slot, and why each other campaign lost, by
 * name. Without a minute it follows the newest slots.
 */
import type { RecordOf } from '@marquee/sdk';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useList, useRead } from '../../api/api.ts';
import { clockTime, count, viewerZone } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { isMinute } from '../../ui/views/filter-formats.ts';
import { useFilters } from '../../ui/views/filters.ts';
import { List } from '../../ui/views/list.tsx';
import { screenName } from '../venue/screen-name.ts';

type Decision = RecordOf<'/v1/operator/screens/{id}/decisions'>;
type Party = { campaign_id: string; name: string | null; workspace: { name: string } | null };
/** Around a given minute: earlier slots may explain it. */
const AROUND_MS = 5 * 60_000;

export function Explorer(): ReactElement {
  const { id } = useParams({ from: '/network/$id' });
  const [{ minute = '' }, change] = useFilters({ minute: isMinute });
  const at = minute === '' ? undefined : Date.parse(minute);
  const list = useList(
    ['network', id, 'decisions', minute],
    (api, page, signal) =>
      api.get('/v1/operator/screens/{id}/decisions', {
        path: { id },
        query: {
          ...page,
          ...(at !== undefined && {
            from: new Date(at - AROUND_MS).toISOString(),
            to: new Date(at + AROUND_MS).toISOString(),
          }),
        },
        signal,
      }),
    { isLive: at === undefined },
  );
  const screen = useScreen(id);
  return (
    <Page
      title={t('explorer.title', { screen: screen ? screenName(screen) : id })}
      lead={
        <span className="row">
          {screen && `${screen.venue.name}, ${screen.venue.city}`}
          <code>{id}</code>
          <Link to="/network">{t('screen.all')}</Link>
        </span>
      }
    >
      <div className="filters">
        <Field
          label={t('explorer.minute')}
          hint={t('time.zone', { zone: viewerZone() })}
          type="datetime-local"
          value={minute}
          onChange={event => change({ minute: event.target.value })}
        />
        {minute !== '' && <Button onClick={() => change({ minute: '' })}>{t('explorer.newest')}</Button>}
      </div>
      <Card title={t('screen.decisions')} note={t('explorer.note')} isWide>
        <List
          of={list}
          empty={{ title: t('explorer.none'), hint: t('screen.noDecisionHint') }}
          list={<Link to="/network">{t('screen.all')}</Link>}
        >
          {(rows, onMore) => (
            <>
              <ul className="decisions">
                {rows.map(slot => (
                  <Slot key={`${slot.starts_at} ${slot.decided_at}`} slot={slot} />
                ))}
              </ul>
              {onMore && <Button onClick={onMore}>{t('table.more')}</Button>}
            </>
          )}
        </List>
      </Card>
    </Page>
  );
}

/** Undefined until it is loaded, and of a screen that was unpaired: its decisions are still known. */
function useScreen(id: string): RecordOf<'/v1/operator/screens'> | undefined {
  const found = useRead(['network', 'screen', id], (api, signal) =>
    api.get('/v1/operator/screens', { query: { q: id, limit: '1' }, signal }),
  );
  return found.data?.data[0];
}

function Slot({ slot }: { slot: Decision }): ReactElement {
  const { starts_at: at, winner, no_fill: reason, losers, explanation } = slot;
  const unnamed = slot.losers_by_reason.reduce((sum, one) => sum + one.campaigns, 0) - losers.length;
  return (
    <li>
      <details>
        <summary>
          <span className="slot-time">{clockTime(at)}</span>
          <strong>{winner ? nameOf(winner) : term('reason', reason ?? 'lost')}</strong>
          <span className="muted small">{winner ? winner.workspace?.name : t('screen.noAd')}</span>
        </summary>
        {explanation !== 'complete' && <p className="muted small">{t(`explorer.${explanation}`)}</p>}
        {explanation === 'complete' && losers.length === 0 && <p className="muted small">{t('screen.noLosers')}</p>}
        <ul className="losers">
          {losers.map(loser => (
            <li key={loser.campaign_id}>
              <strong>{nameOf(loser)}</strong> <span className="muted">{loser.workspace?.name}</span>
              {': '}
              {term('reason', loser.reason)}
            </li>
          ))}
          {unnamed > 0 && <li className="muted">{t('explorer.more', { count: count(unnamed) })}</li>}
        </ul>
      </details>
    </li>
  );
}

function nameOf({ name, campaign_id: id }: Party): string {
  return name ?? id;
}
