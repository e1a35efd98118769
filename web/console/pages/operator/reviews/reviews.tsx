/** Campaigns that wait for a person: the creatives of each, the rule that made it wait, and the two decisions. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { counted, useChange, useList } from '../../../api/api.ts';
import { useMayWrite } from '../../../api/session.ts';
import { count, day, moment, money } from '../../../text/format.ts';
import { sponsorFacts } from '../../../text/sponsor.ts';
import { sentence, t, term } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { List } from '../../../ui/views/list.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { VenueFigures } from './venue-figures.tsx';
import { Fault } from '../../../ui/states.tsx';

type Review = RecordOf<'/v1/operator/reviews'>;

export function Reviews(): ReactElement {
  const list = useList(
    ['reviews'],
    (api, page, signal) =>
      // The longest wait first: campaigns are served in turn.
      api.get('/v1/operator/reviews', { query: { ...counted(page), sort: 'created_at' }, signal }),
    { isLive: true },
  );
  return (
    <Page title={t('nav.reviews')} lead={t('reviews.lead')}>
      <List of={list} empty={{ title: t('reviews.none'), hint: t('reviews.noneHint') }}>
        {(rows, onMore) => (
          <>
            <p className="muted">{t('reviews.waiting', { count: count(list.total ?? rows.length) })}</p>
            {rows.map(review => (
              <ReviewCard key={review.campaign_id} review={review} />
            ))}
            {onMore && <Button onClick={onMore}>{t('table.more')}</Button>}
          </>
        )}
      </List>
      <VenueFigures />
    </Page>
  );
}

function ReviewCard({ review }: { review: Review }): ReactElement {
  const { name, workspace, category, category_rule: rule, budget, schedule, targets } = review;
  const { landing_url: landing, political } = review;
  const anywhere = t('terms.any');
  const facts: [string, string][] = [
    [t('terms.category'), term('category', category)],
    [t('reviews.budget'), money(budget)],
    [t('campaigns.days'), `${day(schedule.starts)} – ${day(schedule.ends)}`],
    [t('terms.cities'), targets.cities?.join(', ') || anywhere],
    [t('terms.venueTypes'), targets.venue_types?.map(type => term('venueType', type)).join(', ') || anywhere],
    [t('terms.landing'), landing ?? t('terms.nowhere')],
    ...sponsorFacts(political),
  ];
  return (
    <Card title={name} note={`${workspace.name}, ${moment(review.created_at)}`} isWide>
      <div className="review">
        <ul className="review-creatives">
          {review.creatives.map(creative => (
            <li key={creative.id}>
              <Shown creative={creative} />
              <span className="small">
                {creative.name} · {t('creatives.seconds', { seconds: creative.duration_ms / 1_000 })}
              </span>
            </li>
          ))}
        </ul>
        <div className="stack">
          <p className="notice is-wait">
            {t('reviews.rule', {
              category: term('category', category),
              rule: sentence({ group: 'categoryRule', code: political ? 'politics' : category, text: rule }),
            })}
          </p>
          <dl className="facts">
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <Answers review={review} />
        </div>
      </div>
    </Card>
  );
}

function Shown({ creative }: { creative: Review['creatives'][number] }): ReactElement {
  const { url, poster_url: poster, kind, name, orientation } = creative;
  if (url === null) return <p className="muted small">{t('creatives.notReady')}</p>;
  return (
    <div className={`preview is-${orientation}`}>
      {kind === 'video' ? (
        <video src={url} poster={poster ?? undefined} aria-label={name} controls muted playsInline preload="metadata" />
      ) : (
        <img src={url} alt={name} loading="lazy" />
      )}
    </div>
  );
}

function Answers({ review: { campaign_id: id, name } }: { review: Review }): ReactElement | null {
  const [isRejecting, setRejecting] = useState(false);
  const mayDecide = useMayWrite('reviews');
  const approve = useChange(async api => {
    await api.post('/v1/operator/reviews/{id}/approve', { path: { id } });
    showToast({ text: t('reviews.approved', { name }) });
  });
  if (!mayDecide) return null;
  return (
    <div className="row">
      <Button
        kind="primary"
        aria-label={t('reviews.approveOf', { name })}
        isBusy={approve.isPending}
        onClick={() => approve.mutate()}
      >
        {t('reviews.approve')}
      </Button>
      <Button aria-label={t('reviews.rejectOf', { name })} onClick={() => setRejecting(true)}>
        {t('reviews.reject')}
      </Button>
      <Fault error={approve.error} />
      <RejectDialog id={id} name={name} isOpen={isRejecting} onClose={() => setRejecting(false)} />
    </div>
  );
}
