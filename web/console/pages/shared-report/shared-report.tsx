/**
 * The page of a shared report: the figures of one campaign for a reader without an account. The token is behind
 * the `#` of the address, which no server sees, and is sent with each call.
 */
import { MarqueeError, type AnswerOf, type OperationOf } from '@marquee/sdk';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, type ReactElement } from 'react';
import { messageOf, openApi } from '../../api/api.ts';
import { Preferences } from '../../preferences/preferences.tsx';
import { compact, count, dayRange, moment, money, percent } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Mark } from '../../ui/icon.tsx';
import { Figure } from '../../ui/page.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';
import { Breakdown } from '../reports/breakdown.tsx';
import { Performance } from '../reports/performance.tsx';
import type { ReportQuestion, UseReport } from '../reports/report.ts';

type Shown = AnswerOf<OperationOf<'/v1/shared-reports/read', 'post'>>;
const GROUPS = ['city', 'creative', 'hour'] as const;
type SharedGroup = (typeof GROUPS)[number];

/** Readers are many and look on for long: less often than on the page of the campaign itself. */
const AGAIN_MS = 15_000;

export default function SharedReport(): ReactElement {
  const token = location.hash.slice(1);
  const { data: shown, error } = useShared(token);
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
          <Report token={token} shown={shown} />
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

type Settings = { query?: ReportQuestion<SharedGroup>; isWanted?: boolean | undefined };

/** The answer to one question of this page, or what of it is asked for. */
function useShared<Answer = Shown>(
  token: string,
  { query, isWanted = true }: Settings = {},
  select?: (shown: Shown) => Answer,
): UseQueryResult<Answer> {
  return useQuery({
    queryKey: ['shared-report', token, query],
    queryFn: () => openApi({ attemptsMax: 1 }).post('/v1/shared-reports/read', { body: { token, ...query } }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    ...(select && { select }),
    // A link that has ended does not open again.
    refetchInterval: ({ state }) => state.status !== 'error' && AGAIN_MS,
  }) as UseQueryResult<Answer>;
}

/** The meaning of the error codes on this page. */
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

function Report({ token, shown }: { token: string; shown: Shown }): ReactElement {
  const { workspace, campaign, report, expires_at: until } = shown;
  const { totals } = report;
  const useReport: UseReport<SharedGroup> = (query, isWanted) =>
    useShared(token, { query, isWanted }, ({ report }) => report);
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
        <Performance starts={campaign.starts} ends={campaign.ends} useReport={useReport} />
        <Breakdown groups={GROUPS} useReport={useReport} />
      </div>
      <p className="muted small">{t('report.until', { until: moment(until) })}</p>
    </>
  );
}
