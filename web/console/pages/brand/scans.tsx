/** The newest scans of a campaign: when, in which part of the day, and at which venue. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { moment, viewerZone } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { List } from '../../ui/views/list.tsx';
import type { UseReport } from '../reports/report.ts';
import type { CampaignDetail } from './pace.ts';

type Scan = RecordOf<'/v1/reporting/scans'>;
/** The newest fit on the card; a button shows more. */
const SCANS_SHOWN = '10';

export type ScansOptions = { campaign: CampaignDetail; useReport: UseReport };

export function Scans({ campaign: { id, landing_url: landing }, useReport }: ScansOptions): ReactElement {
  const list = useList(['scans', id], (api, page, signal) =>
    api.get('/v1/reporting/scans', { query: { ...page, limit: SCANS_SHOWN, campaign_id: id }, signal }),
  );
  const report = useReport({ group_by: 'venue', tz: viewerZone() }); // as the breakdown asks it
  const venues = useMemo(
    () => new Map((report.data?.groups ?? []).map(({ venue_id: venue, name }) => [venue, name])),
    [report.data],
  );
  const hint = landing === null ? t('scans.noCode') : t('scans.noneHint');
  return (
    <Card title={t('scans.title')} note={t('scans.note')}>
      <List of={list} empty={{ title: t('scans.none'), hint }} lines={3}>
        {(rows, onMore) => (
          <>
            <Rows rows={rows} venues={venues} />
            {onMore && <Button onClick={onMore}>{t('table.more')}</Button>}
          </>
        )}
      </List>
    </Card>
  );
}

type RowsOptions = { rows: readonly Scan[]; venues: ReadonlyMap<string | undefined, string | null | undefined> };

function Rows({ rows, venues }: RowsOptions): ReactElement {
  const heads = useMemo(() => [t('scans.at'), t('scans.daypart'), t('scans.venue')], []);
  return (
    <div className="table-frame">
      <table aria-label={t('scans.title')}>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, at, daypart, screen_id: screen, venue_id: venue }) => (
            <tr key={id}>
              <td>{moment(at)}</td>
              <td>{term('daypart', daypart)}</td>
              <td title={screen}>{venues.get(venue) ?? t('breakdown.hidden')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
