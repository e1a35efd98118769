/** Which creatives a campaign shows: the ready ones as pictures, any number of them. */
import type { RecordOf } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useList, useRead } from '../../../api/api.ts';
import { t, term } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState, Loading } from '../../../ui/states.tsx';

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
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && !list.error && <Loading />}
      {list.isSuccess && list.rows.length === 0 && (
        <EmptyState title={t('booking.noCreative')}>
          <Link to="/creatives" className="button">
            {t('creatives.upload')}
          </Link>
        </EmptyState>
      )}
      <div className="creative-choices">
        {list.rows.map(creative => (
          <Choice
            key={creative.id}
            creative={creative}
            isChosen={chosen.includes(creative.id)}
            onToggle={() => toggle(creative.id)}
          />
        ))}
        {list.isSuccess &&
          chosen
            .filter(id => !list.rows.some(row => row.id === id))
            .map(id => <ChosenElsewhere key={id} id={id} onToggle={() => toggle(id)} />)}
      </div>
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{t('table.more')}</Button>}
      {error !== undefined && <p className="field-error">{error}</p>}
    </fieldset>
  );
}

type Shown = Pick<RecordOf<'/v1/creatives'>, 'name' | 'orientation' | 'poster_url'>;
type ChoiceOptions = { creative: Shown; isChosen: boolean; onToggle: () => void };

function Choice({ creative: { name, orientation, poster_url: poster }, isChosen, onToggle }: ChoiceOptions) {
  return (
    <label className="creative-choice">
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      {poster === null ? <span className="poster-gap" /> : <img src={poster} alt="" loading="lazy" />}
      <span className="small">{name}</span>
      <span className="muted small">{term('orientation', orientation)}</span>
    </label>
  );
}

/** A chosen creative outside of the list: it is no longer ready, or further down. It can be removed. */
function ChosenElsewhere({ id, onToggle }: { id: string; onToggle: () => void }): ReactElement | null {
  const { data } = useRead(['creative', id], (api, signal) => api.get('/v1/creatives/{id}', { path: { id }, signal }));
  return data ? <Choice creative={data} isChosen onToggle={onToggle} /> : null;
}
