/**
 * Pairing a screen by a code: one for a venue, with its time running, until a device has confirmed it, or one that a
 * device shows. The code to scan opens the page on which a phone confirms.
 */
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent, type ReactElement, type ReactNode } from 'react';
import { renderSVG } from 'uqr';
import { fieldErrors, messageOf, useChange, useList, useRead } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSave } from '../../ui/feedback/save.ts';
import { Field, SelectField } from '../../ui/field.tsx';
import { EmptyState, Fault } from '../../ui/states.tsx';
import { Bar } from '../../ui/status.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useNow } from '../../ui/time/use-now.ts';

type Code = { code: string; expires_at: string; claim_url: string };
/** How long a code is good. */
const CODE_MS = 60_000;

const WAYS = ['mint', 'enter'] as const;
type Way = (typeof WAYS)[number];

export default function PairDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [way, setWay] = useState<Way>('mint');
  const mint = useChange((api, venue: string) => api.post('/v1/pairing', { body: { venue_id: venue } }));
  return (
    <Dialog title={t('screens.pair')} isOpen onClose={onClose}>
      {mint.data ? (
        <ShownCode code={mint.data} onAgain={() => mint.reset()} onClose={onClose} />
      ) : (
        <div className="stack">
          <Tabs
            label={t('pair.way')}
            tabs={WAYS.map(value => ({ value, text: t(`pair.way.${value}`) }))}
            chosen={way}
            onChoose={setWay}
          />
          {way === 'mint' ? (
            <MintForm onMint={venue => mint.mutate(venue)} isBusy={mint.isPending} error={mint.error} />
          ) : (
            <EnterForm />
          )}
        </div>
      )}
    </Dialog>
  );
}

type MintFormOptions = { onMint: (venue: string) => void; isBusy: boolean; error: Error | null };

function MintForm({ onMint, isBusy, error }: MintFormOptions): ReactElement {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onMint(String(new FormData(event.currentTarget).get('venue')));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{t('pair.lead')}</p>
      <VenueField error={error ? messageOf(error) : undefined}>
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {t('pair.mint')}
          </Button>
        </footer>
      </VenueField>
    </form>
  );
}

/** For a device that shows a code of its own: the person names the screen and types the code here. */
function EnterForm(): ReactElement {
  const navigate = useNavigate();
  const pair = useChange((api, body: { venue_id: string; label: string; code: string }) =>
    api.post('/v1/screens', { body }),
  );
  const errors = fieldErrors(pair.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name)).trim();
    pair.mutate(
      { venue_id: text('venue'), label: text('label'), code: text('code') },
      { onSuccess: ({ id }) => void navigate({ to: '/screens/$id', params: { id } }) },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <VenueField error={errors['venue_id']}>
        <Field
          label={t('pair.code')}
          hint={t('pair.codeHint')}
          name="code"
          inputMode="numeric"
          pattern="[0-9]{6}"
          maxLength={6}
          autoComplete="off"
          required
          error={errors['code']}
        />
        <Field label={t('pair.name')} name="label" maxLength={200} required error={errors['label']} />
        {Object.keys(errors).length === 0 && <Fault error={pair.error} />}
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={pair.isPending}>
            {t('pair.enter')}
          </Button>
        </footer>
      </VenueField>
    </form>
  );
}

/** The choice of a venue with the rest of its form; without a venue, the way to add one. */
function VenueField({ error, children }: { error: string | undefined; children: ReactNode }): ReactElement {
  const venues = useList(['venues', 'by name'], (api, page, signal) =>
    api.get('/v1/venues', { query: { ...page, sort: 'name' }, signal }),
  );
  const { hasNextPage, fetchNextPage } = venues;
  useEffect(() => {
    if (hasNextPage) void fetchNextPage();
  }, [hasNextPage, fetchNextPage, venues.rows.length]);
  if (venues.isSuccess && venues.rows.length === 0)
    return (
      <EmptyState title={t('pair.noVenue')} hint={t('pair.noVenueHint')}>
        <Link to="/venues" className="button">
          {t('nav.venues')}
        </Link>
      </EmptyState>
    );
  return (
    <>
      <SelectField label={t('pair.venue')} name="venue" error={error} required>
        {venues.rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {children}
    </>
  );
}

type ShownCodeOptions = { code: Code; onAgain: () => void; onClose: () => void };

function ShownCode({
  code: { code, expires_at: end, claim_url: url },
  onAgain,
  onClose,
}: ShownCodeOptions): ReactElement {
  const now = useNow();
  const [picture] = useState(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(url))}`);
  const leftMs = Math.max(0, Date.parse(end) - now);
  const polled = useRead(
    ['pairing', code],
    (api, signal) => api.get('/v1/pairing/{code}', { path: { code }, signal }),
    { isLive: leftMs > 0 },
  );
  const screen = polled.data?.screen_id;
  if (screen !== undefined && screen !== null) return <Paired id={screen} onClose={onClose} />;
  return (
    <div className="stack">
      <p>{t('pair.type')}</p>
      <p className="pair-code">{code}</p>
      <Bar share={leftMs / CODE_MS} label={t('pair.left', { seconds: Math.round(leftMs / 1_000) })} />
      <p className="muted small" role="status">
        {leftMs === 0 ? t('pair.over') : t('pair.left', { seconds: Math.round(leftMs / 1_000) })}
      </p>
      <div className="row">
        <img className="pair-picture" src={picture} alt={t('pair.picture')} />
        <p className="muted small">{t('pair.scan')}</p>
      </div>
      <footer className="dialog-foot">
        <a className="button" href="/player" target="_blank" rel="noreferrer">
          {t('pair.here')}
        </a>
        <Button onClick={onAgain}>{t('pair.again')}</Button>
      </footer>
    </div>
  );
}

/** A device that took a code of the console has no name yet. */
function Paired({ id, onClose }: { id: string; onClose: () => void }): ReactElement {
  const navigate = useNavigate();
  const save = useSave((api, label: string) => api.patch('/v1/screens/{id}', { path: { id }, body: { label } }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const label = String(new FormData(event.currentTarget).get('label')).trim();
    save.mutate(label, { onSuccess: () => void navigate({ to: '/screens/$id', params: { id } }) });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p className="notice is-good">{t('pair.done')}</p>
      <Field label={t('pair.name')} name="label" maxLength={200} required error={fieldErrors(save.error)['label']} />
      <Fault error={save.error} />
      <footer className="dialog-foot">
        <Link to="/screens/$id" params={{ id }} className="button" onClick={onClose}>
          {t('pair.see')}
        </Link>
        <Button kind="primary" type="submit" isBusy={save.isPending}>
          {t('dialog.save')}
        </Button>
      </footer>
    </form>
  );
}
