/** The newest scans of a campaign: when, in which part of the day, and on which screen. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { moment } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { List } from '../../ui/views/list.tsx';
import type { CampaignDetail } from './pace.ts';

type Scan = RecordOf<'/v1/reporting/scans'>;
/** The newest fit on the card; a button shows more. */
const SCANS_SHOWN = '10';

export function Scans({ campaign: { id, landing_url: landing } }: { campaign: CampaignDetail }): ReactElement {
  const list = useList(['scans', id], (api, page, signal) =>
    api.get('/v1/reporting/scans', { query: { ...page, limit: SCANS_SHOWN, campaign_id: id }, signal }),
  );
  const hint = landing === null ? t('scans.noCode') : t('scans.noneHint');
  return (
    <Card title={t('scans.title')} note={t('scans.note')}>
      <List of={list} empty={{ title: t('scans.none'), hint }} lines={3}>
        {(rows, onMore) => (
          <>
            <Rows rows={rows} />
            {onMore && <Button onClick={onMore}>{t('table.more')}</Button>}
          </>
        )}
      </List>
    </Card>
  );
}

function Rows({ rows }: { rows: readonly Scan[] }): ReactElement {
  const heads = useMemo(() => [t('scans.at'), t('scans.daypart'), t('scans.screen')], []);
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
          {rows.map(({ id, at, daypart, screen_id: screen }) => (
            <tr key={id}>
              <td>{moment(at)}</td>
              <td>{term('daypart', daypart)}</td>
              <td className="small breaks">{screen}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
