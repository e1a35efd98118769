/** Which creatives a campaign shows: the ready ones as pictures, any number of them. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { t, term } from '../../text/text.ts';
import { EmptyState, Loading } from '../../ui/states.tsx';

export type CreativeChoiceOptions = {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error?: string | undefined;
};

export function CreativeChoice({ chosen, onChange, error }: CreativeChoiceOptions): ReactElement {
  const list = useList(['creatives', 'ready'], (api, page, signal) =>
    api.get('/v1/creatives', { query: { ...page, status: 'ready' }, signal }),
  );
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id]);
  return (
    <fieldset className="choices">
      <legend>{t('creatives.title')}</legend>
      <p className="hint">{t('booking.creativesHint')}</p>
      {list.isPending && <Loading />}
      {list.isSuccess && list.rows.length === 0 && (
        <EmptyState title={t('booking.noCreative')}>
          <Link to="/creatives" className="button">
            {t('creatives.upload')}
          </Link>
        </EmptyState>
      )}
      <div className="creative-choices">
        {list.rows.map(({ id, name, orientation, poster_url: poster }) => (
          <label key={id} className="creative-choice">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {poster === null ? <span className="poster-gap" /> : <img src={poster} alt="" loading="lazy" />}
            <span className="small">{name}</span>
            <span className="muted small">{term('orientation', orientation)}</span>
          </label>
        ))}
      </div>
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  );
}
