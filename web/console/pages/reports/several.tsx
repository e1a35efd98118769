/** The report of several campaigns over the days that a person chooses. The ids are in the address, to be shared. */
import { MarqueeError } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactElement } from 'react';
import { usePresent } from '../../api/present.ts';
import { count, money, viewerZone } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card, Page } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { useFilters } from '../../ui/views/filters.ts';
import { Table, type Column } from '../../ui/views/table.tsx';
import { Breakdown } from './breakdown.tsx';
import { Performance } from './performance.tsx';
import { REPORT_GROUPS, useReportOfSeveral, type CampaignsReport, type ReportQuestion } from './report.ts';

/** Which ids are valid is for the API to say. */
const FORMATS = { campaigns: () => true };
/** So many names fit below the title; the table has all. */
const NAMES_MAX = 10;

type Named = CampaignsReport['campaigns'][number];

export function Several(): ReactElement {
  const [{ campaigns: ids = '' }] = useFilters(FORMATS);
  const whole = useReportOfSeveral(ids, { tz: viewerZone() });
  const present = usePresent();
  const all = <Link to="/campaigns">{t('campaign.all')}</Link>;
  const isRefused = whole.error instanceof MarqueeError && whole.error.is('bad_query_parameter');
  return (
    <Page
      title={whole.data ? t('several.title', { count: whole.data.campaigns.length }) : t('several.open')}
      lead={whole.data && <Names campaigns={whole.data.campaigns} />}
    >
      {isRefused ? (
        <EmptyState title={t('several.refused')} hint={t('several.refusedHint')}>
          {all}
        </EmptyState>
      ) : (
        <Answered of={whole} lines={8} list={all}>
          {({ series }) => (
            <div className="cards">
              <Performance
                starts={series[0]?.bucket ?? null}
                ends={series.at(-1)?.bucket ?? null}
                present={present}
                useReport={(query, isWanted) => useReportOfSeveral(ids, query, isWanted)}
              >
                {range => (
                  <>
                    <ByCampaign ids={ids} range={range} />
                    <Breakdown
                      groups={REPORT_GROUPS}
                      useReport={query => useReportOfSeveral(ids, { ...range, ...query })}
                    />
                  </>
                )}
              </Performance>
            </div>
          )}
        </Answered>
      )}
    </Page>
  );
}

function Names({ campaigns }: { campaigns: readonly Named[] }): ReactElement {
  const shown = campaigns.slice(0, NAMES_MAX);
  return (
    <span className="row">
      {shown.map(campaign => (
        <Name key={campaign.campaign_id} of={campaign} />
      ))}
      {shown.length < campaigns.length && t('breakdown.more', { shown: shown.length, all: count(campaigns.length) })}
    </span>
  );
}

function Name({ of: { campaign_id: id, name } }: { of: Named }): ReactElement {
  return (
    <Link to="/campaigns/$id" params={{ id }} className="breaks">
      {name}
    </Link>
  );
}

function ByCampaign({ ids, range }: { ids: string; range: ReportQuestion }): ReactElement {
  const columns = useMemo(
    (): Column<Named>[] => [
      { head: t('campaigns.name'), cell: campaign => <Name of={campaign} /> },
      { head: t('campaign.plays'), cell: ({ plays }) => count(plays), isFigure: true },
      { head: t('campaign.impressions'), cell: one => count(one.impressions), isFigure: true, isWide: true },
      { head: t('campaign.scans'), cell: ({ scans }) => count(scans), isFigure: true, isWide: true },
      { head: t('campaign.spend'), cell: ({ spend }) => money(spend), isFigure: true },
    ],
    [],
  );
  return (
    <Card title={t('campaigns.title')} isWide>
      <Answered of={useReportOfSeveral(ids, range)}>
        {({ campaigns }) => (
          <Table label={t('campaigns.title')} columns={columns} rows={campaigns} keyOf={one => one.campaign_id} />
        )}
      </Answered>
    </Card>
  );
}
