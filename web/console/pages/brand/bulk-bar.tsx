/** Leads to the report of the chosen campaigns, pauses or resumes them, and says which ones did not change, and why. */
import { MarqueeError, type Marquee } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { messageOf, useChange } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import type { Choice } from './campaign-choice.tsx';
import type { ListedCampaign } from './pace.ts';

type Status = 'live' | 'paused';
type Move = { campaigns: readonly ListedCampaign[]; to: Status };
type Failure = { campaign: ListedCampaign; error: unknown };

export type BulkBarOptions = { campaigns: readonly ListedCampaign[]; onChoose: Choice['onChoose'] };

export default function BulkBar({ campaigns, onChoose }: BulkBarOptions): ReactElement | null {
  const move = useMove(onChoose);
  const mayWrite = useMayWrite('campaigns');
  const failures = move.data ?? [];
  if (campaigns.length === 0 && failures.length === 0) return null;
  const button = (from: Status, to: Status) => {
    const movable = campaigns.filter(({ status }) => status === from);
    return (
      mayWrite &&
      movable.length > 0 && (
        <Button isBusy={move.isPending} onClick={() => move.mutate({ campaigns: movable, to })}>
          {t(to === 'paused' ? 'campaign.pause' : 'campaign.resume')}
        </Button>
      )
    );
  };
  const clear = () => {
    move.reset();
    onChoose(new Set());
  };
  return (
    <section className="bulk-bar" aria-label={t('bulk.title')}>
      <div className="row">
        <strong role="status">{campaigns.length > 0 && t('bulk.chosen', { count: campaigns.length })}</strong>
        {campaigns.length > 0 && (
          <Link to="/campaigns/report" search={{ campaigns: campaigns.map(({ id }) => id).join() }} className="button">
            {t('several.open')}
          </Link>
        )}
        {button('live', 'paused')}
        {button('paused', 'live')}
        <Button onClick={clear}>{t('bulk.clear')}</Button>
      </div>
      {failures.length > 0 && (
        <ul className="field-error" role="alert">
          {failures.map(failure => (
            <li key={failure.campaign.id} className="breaks">
              {sentenceOf(failure)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Those that failed stay chosen. If all are moved, a toast says so and offers the way back. */
function useMove(onChoose: Choice['onChoose']) {
  const back = useChange(async (api, move: Move) => {
    const failures = await moveAll(api, move);
    showToast({ text: failures.length === 0 ? doneOf(move) : failures.map(sentenceOf).join(' ') });
  });
  return useChange(async (api, move: Move) => {
    const failures = await moveAll(api, move);
    onChoose(new Set(failures.map(({ campaign }) => campaign.id)));
    const undo: Move = { ...move, to: move.to === 'live' ? 'paused' : 'live' };
    if (failures.length === 0) showToast({ text: doneOf(move), undo: () => back.mutate(undo) });
    return failures;
  });
}

/** One after the other: so many at once would use up the calls that a person has in a second. */
async function moveAll(api: Marquee, { campaigns, to }: Move): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const campaign of campaigns) {
    try {
      await api.patch('/v1/campaigns/{id}', { path: { id: campaign.id }, body: { status: to } });
    } catch (error) {
      if (!(error instanceof MarqueeError)) throw error;
      failures.push({ campaign, error });
    }
  }
  return failures;
}

function doneOf({ campaigns, to }: Move): string {
  return t(`bulk.${to}`, { count: campaigns.length });
}

function sentenceOf({ campaign: { name }, error }: Failure): string {
  return t('bulk.failed', { name, reason: messageOf(error) });
}
