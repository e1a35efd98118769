/** The figures of a campaign by venue, city, creative or hour of the day. */
import { useState, type ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { count, money, viewerZone } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { Bar } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const GROUPS = ['venue', 'city', 'creative', 'hour'] as const;
type Group = (typeof GROUPS)[number];
/** The largest are shown; the report has all of them. */
const ROWS_MAX = 12;

export function Breakdown({ id }: { id: string }): ReactElement {
  const [group, setGroup] = useState<Group>('venue');
  const tz = viewerZone();
  const report = useRead(
    ['report', id, 'by', group, tz],
    (api, signal) => api.get('/v1/reporting/campaigns/{id}', { path: { id }, query: { group_by: group, tz }, signal }),
    { isLive: true, keepsPrevious: true },
  );
  return (
    <Card title={t('breakdown.title')} note={group === 'hour' ? t('time.zone', { zone: tz }) : undefined}>
      <Tabs
        label={t('breakdown.title')}
        tabs={GROUPS.map(value => ({ value, text: t(`breakdown.${value}`) }))}
        chosen={group}
        onChoose={setGroup}
      />
      <Answered of={report}>
        {({ groups = [] }) =>
          groups.length === 0 ? (
            <EmptyState title={t('breakdown.none')} hint={t('breakdown.noneHint')} />
          ) : (
            <Rows groups={groups} group={group} />
          )
        }
      </Answered>
    </Card>
  );
}

type ReportGroup = {
  name?: string | null;
  city?: string | null;
  hour?: string;
  creative_id?: string;
  venue_id?: string;
  plays: number;
  impressions: number;
  spend: { amount: number; currency: string };
};

function Rows({ groups, group }: { groups: readonly ReportGroup[]; group: Group }): ReactElement {
  const shown = group === 'hour' ? groups : groups.slice(0, ROWS_MAX);
  const most = Math.max(...shown.map(one => one.plays));
  return (
    <div className="table-frame">
      <table aria-label={t(`breakdown.${group}`)}>
        <thead>
          <tr>
            <th scope="col">{t(`breakdown.${group}`)}</th>
            <th scope="col" className="is-figure">
              {t('campaign.plays')}
            </th>
            <th scope="col" className="is-figure">
              {t('campaign.spend')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(one => (
            <tr key={keyOf(one)}>
              <td>
                {nameOf(one)}
                <Bar share={one.plays / most} label={count(one.plays)} />
              </td>
              <td className="is-figure">{count(one.plays)}</td>
              <td className="is-figure">{money(one.spend)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > shown.length && (
        <p className="table-foot muted small">
          {t('breakdown.more', { shown: shown.length, all: count(groups.length) })}
        </p>
      )}
    </div>
  );
}

function keyOf({ venue_id, creative_id, hour, city }: ReportGroup): string {
  return venue_id ?? creative_id ?? hour ?? city ?? '';
}

function nameOf(group: ReportGroup): string {
  return group.name ?? group.hour ?? group.city ?? t('breakdown.hidden');
}
