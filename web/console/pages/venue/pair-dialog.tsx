/**
 * Pairing a screen: a code for a venue, with its time running, until a device has typed it in. The code to scan opens
 * the page on which a phone does the same.
 */
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent, type ReactElement } from 'react';
import { renderSVG } from 'uqr';
import { messageOf, useChange, useList, useRead } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Bar } from '../../ui/status.tsx';
import { useNow } from '../../ui/time/use-now.ts';

type Code = { code: string; expires_at: string; claim_url: string };
/** How long a code is good. */
const CODE_MS = 60_000;

export default function PairDialog({ onClose }: { onClose: () => void }): ReactElement {
  const mint = useChange((api, venue: string) => api.post('/v1/pairing', { body: { venue_id: venue } }));
  return (
    <Dialog title={t('screens.pair')} isOpen onClose={onClose}>
      {mint.data ? (
        <ShownCode code={mint.data} onAgain={() => mint.reset()} onClose={onClose} />
      ) : (
        <VenueChoice onChoose={venue => mint.mutate(venue)} isBusy={mint.isPending} error={mint.error} />
      )}
    </Dialog>
  );
}

type VenueChoiceOptions = { onChoose: (venue: string) => void; isBusy: boolean; error: Error | null };

function VenueChoice({ onChoose, isBusy, error }: VenueChoiceOptions): ReactElement {
  const venues = useList(['venues', 'by name'], (api, page, signal) =>
    api.get('/v1/venues', { query: { ...page, sort: 'name' }, signal }),
  );
  const { hasNextPage, fetchNextPage } = venues;
  useEffect(() => {
    if (hasNextPage) void fetchNextPage();
  }, [hasNextPage, fetchNextPage, venues.rows.length]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onChoose(String(new FormData(event.currentTarget).get('venue')));
  };
  if (venues.isSuccess && venues.rows.length === 0)
    return (
      <EmptyState title={t('pair.noVenue')} hint={t('pair.noVenueHint')}>
        <Link to="/venues" className="button">
          {t('nav.venues')}
        </Link>
      </EmptyState>
    );
  return (
    <form className="stack" onSubmit={submit}>
      <p className="muted">{t('pair.lead')}</p>
      <SelectField label={t('pair.venue')} name="venue" error={error ? messageOf(error) : undefined} required>
        {venues.rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <footer className="dialog-foot">
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {t('pair.mint')}
        </Button>
      </footer>
    </form>
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
  if (screen !== undefined && screen !== null)
    return (
      <div className="stack">
        <p className="notice is-good">{t('pair.done')}</p>
        <Link to="/screens/$id" params={{ id: screen }} className="button is-primary" onClick={onClose}>
          {t('pair.see')}
        </Link>
      </div>
    );
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
