/**
 * One running campaign: recent plays, spend against the curve, where and when it plays, and why it does not. The page
 * refreshes every two seconds while it is visible.
 */
import { Link, useParams } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { usePresent } from '../../api/present.ts';
import { ago, clockTime, count, dayRange, money, percent, viewerZone, type Money } from '../../text/format.ts';
import { sentence, t, term, type TextKey } from '../../text/text.ts';
import { Card, Figure, Page } from '../../ui/page.tsx';
import { Answered } from '../../ui/states.tsx';
import { Bar, Status } from '../../ui/status.tsx';
import { useNow } from '../../ui/time/use-now.ts';
import type { Area } from '../../ui/map/circle.ts';
import { BrandLift } from './brand-lift.tsx';
import { Breakdown } from '../reports/breakdown.tsx';
import { sponsorFacts } from '../../text/sponsor.ts';
import { missingOf } from '../booking/changes.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignCreatives } from './campaign-creatives.tsx';
import { healthOf, paceOf, type CampaignDetail } from './pace.ts';
import { PlacesMap } from './places-map.tsx';
import { Scans } from './scans.tsx';
import { Performance } from '../reports/performance.tsx';
import { REPORT_GROUPS, useReportOf, type UseReport } from '../reports/report.ts';
import { SpendChart } from './spend-chart.tsx';
import { WhyNot } from './why-not.tsx';

/** The words of a pace whose share is the figure above them. */
const WITHOUT_SHARE: Partial<Record<TextKey, TextKey>> = {
  'health.behind': 'campaign.behind',
  'health.even': 'campaign.even',
  'health.ahead': 'campaign.ahead',
};
const NO_AREAS: readonly Area[] = [];

export function Campaign(): ReactElement {
  const { id } = useParams({ from: '/campaigns/$id' });
  const detail = useRead(['campaign', id], (api, signal) => api.get('/v1/campaigns/{id}', { path: { id }, signal }), {
    isLive: true,
  });
  const campaign = detail.data;
  const present = usePresent();
  const useReport: UseReport = (query, isWanted) => useReportOf(id, query, isWanted);
  return (
    <Page
      title={campaign?.name ?? t('campaign.title')}
      lead={campaign && <Lead campaign={campaign} />}
      actions={campaign && <CampaignActions campaign={campaign} />}
    >
      <Answered of={detail} lines={8} list={<Link to="/campaigns">{t('campaign.all')}</Link>}>
        {campaign => (
          <>
            <Notice campaign={campaign} />
            <LiveFigures campaign={campaign} />
            <div className="cards">
              {hasRun(campaign) && (
                <>
                  <Card title={t('campaign.spendToday')} note={t('time.zone', { zone: viewerZone() })} isWide>
                    <SpendChart campaign={campaign} now={present ?? Date.now()} />
                  </Card>
                  <Performance
                    starts={campaign.starts}
                    ends={campaign.ends}
                    present={present}
                    {...(campaign.status === 'live' && { live: { budget: campaign.budget } })}
                    useReport={useReport}
                  />
                </>
              )}
              <WhyNot campaign={campaign} />
              <Breakdown groups={REPORT_GROUPS} useReport={useReport} />
              <PlacesMap id={id} areas={campaign.targets.areas ?? NO_AREAS} />
              <CampaignCreatives campaign={campaign} />
              <Scans campaign={campaign} useReport={useReport} />
              <BrandLift campaign={campaign} />
              <Terms campaign={campaign} />
            </div>
          </>
        )}
      </Answered>
    </Page>
  );
}

/** Before its first approval a campaign has nothing to draw. */
function hasRun({ status, counters }: CampaignDetail): boolean {
  return counters.plays > 0 || !['draft', 'pending_review', 'rejected'].includes(status);
}

function Lead({ campaign }: { campaign: CampaignDetail }): ReactElement {
  return (
    <span className="row">
      <Status of={campaign.status} />
      <span>{dayRange(campaign.starts, campaign.ends)}</span>
      <Link to="/campaigns">{t('campaign.all')}</Link>
    </span>
  );
}

/** The most important notice: missing fields, a pending review, or a rejection with its reason. */
function Notice({ campaign }: { campaign: CampaignDetail }): ReactElement | null {
  const { rejection, review } = campaign;
  if (rejection)
    return (
      <div className="notice is-bad">
        <p>
          <strong>{t('campaign.rejected')}</strong>{' '}
          {sentence({ group: 'campaignRejection', code: rejection.code, text: rejection.detail })}
        </p>
      </div>
    );
  if (review)
    return (
      <div className="notice is-wait">
        <p>{t(`campaign.waits.${review.waiting_for}`)}</p>
      </div>
    );
  const missing = missingOf(campaign);
  if (missing.length > 0)
    return (
      <div className="notice is-wait">
        <p>{t('campaign.lacks', { fields: missing.map(field => t(`edit.field.${field}`)).join(', ') })}</p>
      </div>
    );
  return null;
}

function LiveFigures({ campaign }: { campaign: CampaignDetail }): ReactElement {
  const { id, counters, budget } = campaign;
  const now = useNow();
  const report = useRead(
    ['report', id],
    (api, signal) => api.get('/v1/reporting/campaigns/{id}', { path: { id }, query: { group: 'hour' }, signal }),
    { isLive: true },
  );
  const pace = paceOf(campaign);
  const health = healthOf(campaign, pace);
  const totals = report.data?.totals ?? counters;
  return (
    <div aria-live="off">
      <dl className="figures">
        <Figure
          label={t('campaign.plays')}
          value={count(totals.plays)}
          note={
            report.data && t('campaign.asOf', { ago: ago(report.data.as_of, now), time: clockTime(report.data.as_of) })
          }
        />
        <Figure label={t('campaign.impressions')} value={count(totals.impressions)} />
        <Figure
          label={t('campaign.spend')}
          value={money(totals.spend)}
          note={budget ? <Spent of={budget} spent={totals.spend} /> : t('campaigns.noBudget')}
        />
        <Figure
          label={t('campaign.pace')}
          value={pace === null ? '–' : percent(pace)}
          note={<span className={`health is-${health.tone}`}>{t(WITHOUT_SHARE[health.text] ?? health.text)}</span>}
        />
        <Figure label={t('campaign.scans')} value={count(totals.scans)} note={scanRate(totals)} />
        <Figure label={t('campaign.screens')} value={count(counters.screens_used)} note={t('campaign.screensNote')} />
      </dl>
    </div>
  );
}

/** The spent share of the budget, as a number and as a bar. */
function Spent({ of: budget, spent }: { of: Money; spent: Money }): ReactElement {
  const share = budget.amount === 0 ? 0 : spent.amount / budget.amount;
  return (
    <>
      {t('campaign.ofBudget', { budget: money(budget), share: percent(share, 1) })}
      <Bar share={share} label={t('campaigns.spentOf', { spent: money(spent), budget: money(budget) })} />
    </>
  );
}

function scanRate({ scans, impressions }: { scans: number; impressions: number }): string {
  return impressions === 0 ? '–' : t('campaign.scanRate', { rate: percent(scans / impressions, 2) });
}

/** A text form of an area on the map. */
function areaText({ lat, lng, radiusKm: radius }: Area): string {
  return t('areas.text', { lat, lng, radius });
}

/** The booking. */
function Terms({ campaign }: { campaign: CampaignDetail }): ReactElement {
  const { targets, rate, category, landing_url: landing, frequency, political } = campaign;
  const anywhere = t('terms.any');
  const facts: [string, string][] = [
    [t('terms.category'), category === null ? t('campaigns.noCategory') : term('category', category)],
    [t('terms.cities'), targets.cities?.join(', ') || anywhere],
    [t('terms.venueTypes'), targets.venue_types?.map(type => term('venueType', type)).join(', ') || anywhere],
    [t('terms.areas'), targets.areas?.map(areaText).join('; ') || anywhere],
    [t('terms.daypart'), targets.daypart ? `${targets.daypart.start} – ${targets.daypart.end}` : t('terms.allDay')],
    [t('terms.days'), targets.days?.map(one => term('weekday', one)).join(', ') || t('terms.everyDay')],
    [t('terms.rate'), rate ? `${money({ ...rate, amount: rate.amount * 1_000 })} ${t('terms.perThousand')}` : '–'],
    [t('terms.frequency'), frequency ? t('terms.perHour', { count: frequency.max_per_hour }) : t('terms.unlimited')],
    [t('terms.landing'), landing ?? t('terms.nowhere')],
    ...sponsorFacts(political),
  ];
  return (
    <Card title={t('terms.title')}>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {political && WITH_NOTICE.has(campaign.status) && (
        <a href={`/notices/${campaign.id}`} target="_blank" rel="noreferrer">
          {t('political.notice')}
        </a>
      )}
    </Card>
  );
}

/** States that a campaign reaches after its first moment live, from which on its notice is public. */
const WITH_NOTICE: ReadonlySet<string> = new Set(['live', 'paused', 'finished', 'deleted']);
