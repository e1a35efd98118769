/** Spend by day, newest first. An opened day shows it by campaign. */
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { usePresent } from '../../api/present.ts';
import { dateAfter, day, money, viewerZone } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { useReportOfSeveral } from '../reports/report.ts';

const DAYS = 30;
/** One report takes as many campaigns. */
const CAMPAIGNS_MAX = '100';

export function DailyCharges(): ReactElement {
  const now = usePresent() ?? Date.now();
  const range = { from: dateAfter(now, 1 - DAYS), to: dateAfter(now, 0) };
  // The newest campaigns that had days in this range.
  const campaigns = useRead(['wallet', 'campaigns', range], (api, signal) =>
    api.get('/v1/campaigns', { query: { ...range, limit: CAMPAIGNS_MAX }, signal }),
  );
  return (
    <Card title={t('wallet.byDay')} note={t('time.zone', { zone: viewerZone() })} isWide>
      <Answered of={campaigns}>
        {({ data, next_cursor: next }) => (
          <>
            {next !== null && <p className="hint">{t('home.newestOnly')}</p>}
            {data.length === 0 ? <None /> : <Days ids={data.map(({ id }) => id).join()} range={range} />}
          </>
        )}
      </Answered>
    </Card>
  );
}

function None(): ReactElement {
  return <EmptyState title={t('wallet.noDay')} />;
}

type Range = { from: string; to: string };

function Days({ ids, range }: { ids: string; range: Range }): ReactElement {
  return (
    <Answered of={useReportOfSeveral(ids, { ...range, tz: viewerZone() })}>
      {({ series }) => {
        const days = series.filter(({ plays }) => plays > 0).toReversed();
        if (days.length === 0) return <None />;
        return (
          <ul className="decisions">
            {days.map(({ bucket, spend }) => (
              <Day key={bucket} ids={ids} date={bucket} spend={money(spend)} />
            ))}
          </ul>
        );
      }}
    </Answered>
  );
}

function Day({ ids, date, spend }: { ids: string; date: string; spend: string }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const report = useReportOfSeveral(ids, { from: date, to: date, tz: viewerZone() }, isOpen);
  return (
    <li>
      <details onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>
          <span>{day(date)}</span>
          <strong>{spend}</strong>
        </summary>
        <Answered of={report}>
          {({ campaigns }) => (
            <dl className="facts">
              {campaigns
                .filter(({ plays }) => plays > 0)
                .map(({ campaign_id: id, name, spend: ofCampaign }) => (
                  <div key={id}>
                    <dt>
                      <Link to="/campaigns/$id" params={{ id }}>
                        {name}
                      </Link>
                    </dt>
                    <dd>{money(ofCampaign)}</dd>
                  </div>
                ))}
            </dl>
          )}
        </Answered>
      </details>
    </li>
  );
}
