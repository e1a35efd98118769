/**
 * Why a campaign does not play: the newest slots that it wanted and lost, by the reason that was kept for each, with
 * what can be done about it. Reasons that prevent all plays (state, budget) come first.
 */
import type { RecordOf } from '@marquee/sdk';
import type { ReactElement } from 'react';
import { useRead } from '../../api/api.ts';
import { clockTime, count, percent } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { Answered, EmptyState } from '../../ui/states.tsx';
import { Bar } from '../../ui/status.tsx';
import type { CampaignDetail } from './pace.ts';

type Decision = RecordOf<'/v1/campaigns/{id}/decisions'>;
/** `rules`: names of the operator's rules that forbid the category, each once. */
type Outcome = { reason: string; slots: number; rules: string[] };

export function WhyNot({ campaign }: { campaign: CampaignDetail }): ReactElement {
  const { id } = campaign;
  const decisions = useRead(
    ['decisions', id],
    (api, signal) => api.get('/v1/campaigns/{id}/decisions', { path: { id }, query: { limit: '100' }, signal }),
    { isLive: true },
  );
  return (
    <Card title={t('why.title')} note={t('why.note')}>
      <Answered of={decisions}>{({ data }) => <Outcomes decisions={data} campaign={campaign} />}</Answered>
    </Card>
  );
}

function Outcomes({ decisions, campaign }: { decisions: readonly Decision[]; campaign: CampaignDetail }): ReactElement {
  const newest = decisions[0];
  if (!newest) return <EmptyState title={t('why.none')} hint={hintFor(campaign)} />;
  const outcomes = countOutcomes(decisions);
  const won = outcomes.find(one => one.reason === 'won')?.slots ?? 0;
  return (
    <>
      <p>
        {t('why.summary', { won: count(won), all: count(decisions.length), share: percent(won / decisions.length) })}{' '}
        <span className="muted">{t('why.newest', { time: clockTime(newest.starts_at) })}</span>
      </p>
      <ul className="outcomes">
        {outcomes.map(({ reason, slots, rules }) => (
          <li key={reason}>
            <div className="outcome-head">
              <strong>{term('reason', reason)}</strong>
              <span>{count(slots)}</span>
            </div>
            <Bar share={slots / decisions.length} label={percent(slots / decisions.length)} />
            {rules.map(rule => (
              <p key={rule} className="small">
                {rule}
              </p>
            ))}
            <p className="muted small">{term('advice', reason)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Outcomes with the number of slots that ended so, most first. */
function countOutcomes(decisions: readonly Decision[]): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const { outcome, reason: lostBy, rule } of decisions) {
    const reason = outcome === 'won' ? 'won' : (lostBy ?? 'lost');
    const { slots, rules }: Omit<Outcome, 'reason'> = outcomes.get(reason) ?? { slots: 0, rules: [] };
    const isNew = rule !== null && !rules.includes(rule);
    outcomes.set(reason, { reason, slots: slots + 1, rules: isNew ? [...rules, rule] : rules });
  }
  return [...outcomes.values()].sort((a, b) => b.slots - a.slots);
}

/** Reasons that keep a campaign from all slots. */
function hintFor({ status }: CampaignDetail): string {
  if (status === 'live') return t('why.noneLive');
  return t('why.noneStatus', { status: term('status', status) });
}
