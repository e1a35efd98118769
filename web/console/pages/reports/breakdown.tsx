/** The figures of campaigns by venue, city, creative or hour of the day. */
import { useState, type ReactElement } from 'react';
import { count, money, viewerZone } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { Bar } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { Report, ReportGroup, UseReport } from './report.ts';

/** The largest are shown; the report has all of them. */
const ROWS_MAX = 12;

/** At least one group, the first of which is shown first. */
export type BreakdownOptions<Group extends ReportGroup> = {
  groups: readonly [Group, ...Group[]];
  useReport: UseReport<Group>;
};

export function Breakdown<Group extends ReportGroup>({
  groups: choices,
  useReport,
}: BreakdownOptions<Group>): ReactElement {
  const [group, setGroup] = useState(choices[0]);
  const tz = viewerZone();
  const report = useReport({ group_by: group, tz });
  return (
    <Card title={t('breakdown.title')} note={group === 'hour' ? t('time.zone', { zone: tz }) : undefined}>
      <Tabs
        label={t('breakdown.title')}
        tabs={choices.map(value => ({ value, text: t(`breakdown.${value}`) }))}
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

type Figures = NonNullable<Report['groups']>[number];

function Rows({ groups, group }: { groups: readonly Figures[]; group: ReportGroup }): ReactElement {
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

function keyOf({ venue_id, creative_id, hour, city }: Figures): string {
  return venue_id ?? creative_id ?? hour ?? city ?? '';
}

function nameOf(group: Figures): string {
  return group.name ?? group.hour ?? group.city ?? t('breakdown.hidden');
}
