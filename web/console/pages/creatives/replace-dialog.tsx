/** Replaces a creative in all campaigns that can still change, and lists the others with the reason. */
import type { Marquee, RecordOf } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { counted, messageOf, useChange, useList } from '../../api/api.ts';
import { isUnknown } from '../../api/sending.ts';
import { count } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Fault } from '../../ui/states.tsx';
import { isEditable } from '../booking/changes.ts';
import type { CreativeRecord } from './creative-preview.tsx';

type Campaign = RecordOf<'/v1/campaigns'>;
type Outcome = { changed: number; unchanged: { id: string; name: string; reason: string }[] };

export function ReplaceButton({ creative }: { creative: CreativeRecord }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('replace.button')}</Button>
      <Dialog title={t('replace.title', { name: creative.name })} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Replace creative={creative} />
      </Dialog>
    </>
  );
}

function Replace({ creative: { id, orientation } }: { creative: CreativeRecord }): ReactElement {
  const [chosen, setChosen] = useState('');
  const replace = useChange((api, to: string) => replaceAll(api, id, to));
  const campaigns = useList(['campaigns', 'with', id, 'all'], (api, page, signal) =>
    api.get('/v1/campaigns', { query: { ...counted(page), creative: id }, signal }),
  );
  const creatives = useList(['creatives', 'ready', orientation], (api, page, signal) =>
    api.get('/v1/creatives', { query: { ...page, status: 'ready', orientation }, signal }),
  );
  if (replace.data) return <Done outcome={replace.data} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation(); // the form of the creative is around this dialog
    replace.mutate(chosen);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t('replace.lead')}</p>
      <CampaignNames rows={campaigns.rows} total={campaigns.total} />
      <SelectField label={t('replace.with')} value={chosen} onChange={event => setChosen(event.target.value)} required>
        <option value="">{t('replace.choose')}</option>
        {creatives.rows
          .filter(one => one.id !== id)
          .map(one => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
      </SelectField>
      <Fault error={replace.error} />
      <footer className="dialog-foot">
        {creatives.hasNextPage && (
          <Button isBusy={creatives.isFetchingNextPage} onClick={() => void creatives.fetchNextPage()}>
            {t('table.more')}
          </Button>
        )}
        <Button
          kind="primary"
          type="submit"
          isBusy={replace.isPending}
          disabled={chosen === '' || !campaigns.rows.some(isEditable)}
        >
          {t('replace.button')}
        </Button>
      </footer>
    </form>
  );
}

function CampaignNames({ rows, total = rows.length }: { rows: readonly Campaign[]; total: number | undefined }) {
  if (total === 0) return <p className="muted">{t('usage.none')}</p>;
  return (
    <ul className="usage" aria-label={t('usage.title')}>
      {rows.map(campaign => (
        <li key={campaign.id}>
          {campaign.name} {!isEditable(campaign) && <span className="muted small">{t('replace.ended')}</span>}
        </li>
      ))}
      {total > rows.length && <li className="muted">{t('usage.more', { count: count(total - rows.length) })}</li>}
    </ul>
  );
}

function Done({ outcome: { changed, unchanged } }: { outcome: Outcome }): ReactElement {
  return (
    <div className="stack">
      <p role="status">{t('replace.done', { campaigns: changed })}</p>
      {unchanged.length > 0 && (
        <>
          <strong>{t('replace.unchanged')}</strong>
          <ul className="usage">
            {unchanged.map(({ id, name, reason }) => (
              <li key={id}>
                {name}: <span className="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** One change per campaign: a refused one does not keep the others from the new creative. */
async function replaceAll(api: Marquee, from: string, to: string): Promise<Outcome> {
  const campaigns: Campaign[] = [];
  for await (const campaign of api.list('/v1/campaigns', { query: { creative: from } })) campaigns.push(campaign);
  const outcome: Outcome = { changed: 0, unchanged: [] };
  for (const campaign of campaigns) {
    const reason = isEditable(campaign) ? await replaceIn(api, campaign, { from, to }) : t('replace.ended');
    if (reason === undefined) outcome.changed += 1;
    else outcome.unchanged.push({ id: campaign.id, name: campaign.name, reason });
  }
  return outcome;
}

/** Returns why it was refused. The new creative has the weight of the old one, or keeps its own. */
async function replaceIn(
  api: Marquee,
  { id }: Campaign,
  { from, to }: { from: string; to: string },
): Promise<string | undefined> {
  const { creatives } = await api.get('/v1/campaigns/{id}', { path: { id } });
  const isInRotation = creatives.some(one => one.id === to);
  const kept = creatives.filter(one => one.id !== from || !isInRotation);
  const body = { creatives: kept.map(one => ({ id: one.id === from ? to : one.id, weight: one.weight })) };
  try {
    await api.patch('/v1/campaigns/{id}', { path: { id }, body });
    return undefined;
  } catch (error) {
    if (isUnknown(error)) throw error;
    return messageOf(error);
  }
}
