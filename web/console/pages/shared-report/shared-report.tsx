/**
 * The page of a shared report: the metrics of one campaign for a reader without an account, by day and city. The token
 * is behind the `#` of the address, which no server sees, and is sent with each call.
 */
import { MarqueeError, type AnswerOf, type OperationOf } from '@marquee/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { messageOf, openApi } from '../../api/api.ts';
import { Preferences } from '../../preferences/preferences.tsx';
import { compact, count, day, dayRange, moment, money, percent, roundMoney, shortDay } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Mark } from '../../ui/icon.tsx';
import { Card, Figure } from '../../ui/page.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';
import { TimeChart } from '../../ui/views/time-chart.tsx';

type Shown = AnswerOf<OperationOf<'/v1/shared-reports/read', 'post'>>;
type Groups = NonNullable<Shown['report']['groups']>;

/** Readers are many and look on for long: less often than on the page of the campaign itself. */
const AGAIN_MS = 15_000;

export default function SharedReport(): ReactElement {
  const token = location.hash.slice(1);
  const { data: shown, error } = useQuery({
    queryKey: ['shared-report', token],
    queryFn: () => openApi({ attemptsMax: 1 }).post('/v1/shared-reports/read', { body: { token } }),
    // A link that has ended does not open again.
    refetchInterval: ({ state }) => state.status !== 'error' && AGAIN_MS,
  });
  const title = shown?.campaign.name ?? t('report.title');
  useEffect(() => {
    document.title = `${title} · Marquee`;
  }, [title]);
  return (
    <div className="shared">
      <header className="top-bar">
        <span className="brand">
          <Mark />
          <span>Marquee</span>
        </span>
        <Preferences />
      </header>
      <main className="page">
        {error ? (
          <Gone reason={reasonOf(error)} />
        ) : shown ? (
          <Report shown={shown} />
        ) : (
          <>
            <h1>{title}</h1>
            <Loading lines={8} />
          </>
        )}
      </main>
    </div>
  );
}

/** What the codes of this page's one question mean here. */
function reasonOf(error: Error): string {
  if (error instanceof MarqueeError && error.is('link_expired')) return t('report.ended');
  if (error instanceof MarqueeError && error.is('not_found')) return t('report.unknown');
  return messageOf(error);
}

function Gone({ reason }: { reason: string }): ReactElement {
  return (
    <>
      <h1>{t('report.title')}</h1>
      <div role="alert">
        <EmptyState title={reason} hint={t('report.goneHint')} />
      </div>
    </>
  );
}

function Report({ shown }: { shown: Shown }): ReactElement {
  const { workspace, campaign, report, expires_at: until } = shown;
  const { totals, series, groups = [] } = report;
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{campaign.name}</h1>
          <div className="page-lead">
            {workspace.name}, {dayRange(campaign.starts, campaign.ends)}
          </div>
        </div>
      </header>
      <dl className="figures">
        <Figure label={t('campaign.plays')} value={count(totals.plays)} />
        <Figure
          label={t('campaign.impressions')}
          value={compact(totals.impressions)}
          note={totals.impressions < 1_000 ? undefined : count(totals.impressions)}
        />
        <Figure label={t('campaign.spend')} value={money(totals.spend)} />
        <Figure
          label={t('campaign.scans')}
          value={count(totals.scans)}
          note={totals.impressions === 0 ? undefined : t('campaign.scanRate', { rate: percent(totals.scan_rate, 2) })}
        />
        <Figure label={t('campaign.screens')} value={count(totals.screens)} />
      </dl>
      <div className="cards">
        <Card title={t('report.byDay')} note={t('report.zone', { zone: report.tz })} isWide>
          <ByDay series={series} />
        </Card>
        <Card title={t('report.byCity')} isWide>
          <ByCity groups={groups} />
        </Card>
      </div>
      <p className="muted small">
        {t(report.is_final ? 'report.final' : 'report.asOf', { at: moment(report.as_of) })}{' '}
        {t('report.until', { until: moment(until) })}
      </p>
    </>
  );
}

function ByDay({ series }: { series: Shown['report']['series'] }): ReactElement {
  const [first, second] = series;
  const last = series.at(-1);
  if (!first || !last || series.every(({ plays }) => plays === 0))
    return <EmptyState title={t('report.none')} hint={t('report.noneHint')} />;
  if (!second) return <p className="muted">{t('report.oneDay')}</p>;
  const { currency } = first.spend;
  const format = (amount: number) => roundMoney({ amount, currency });
  return (
    <TimeChart
      label={t('report.chart', { from: day(first.bucket), to: day(last.bucket) })}
      times={series.map(({ bucket }) => Date.parse(bucket) / 1_000)}
      series={[{ label: t('campaign.spend'), values: series.map(({ spend }) => spend.amount), kind: 'area' }]}
      format={format}
      formatTime={at => shortDay(new Date(at).toISOString())}
    />
  );
}

function ByCity({ groups }: { groups: Groups }): ReactElement {
  if (groups.length === 0) return <EmptyState title={t('report.none')} hint={t('report.noneHint')} />;
  return (
    <div className="table-frame">
      <table aria-label={t('report.byCity')}>
        <thead>
          <tr>
            <th scope="col">{t('breakdown.city')}</th>
            <th scope="col" className="is-figure">
              {t('campaign.plays')}
            </th>
            <th scope="col" className="is-figure is-wide">
              {t('campaign.impressions')}
            </th>
            <th scope="col" className="is-figure">
              {t('campaign.spend')}
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map(({ city, plays, impressions, spend }) => (
            <tr key={city ?? ''}>
              <td>{city ?? t('breakdown.hidden')}</td>
              <td className="is-figure">{count(plays)}</td>
              <td className="is-figure is-wide">{count(impressions)}</td>
              <td className="is-figure">{money(spend)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
