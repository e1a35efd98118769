/**
 * Brings the map to a place: one of those shown, by its name or city, or any on earth, by its coordinates.
 * Suggestions are the browser's, so that the keyboard and screen readers know them.
 */
import { useId, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { foldCity } from '#domain/geography.ts';
import { t } from '../../text/text.ts';
import { Field } from '../field.tsx';
import { findPlace, type Named, type Place } from './find-place.ts';

/** No name of anything has more. */
const LENGTH_MAX = 200;
/** As many as a person reads through; what is typed narrows them. */
const SUGGESTIONS_MAX = 200;
/** `children` is what may be done with the place in the middle of the map. */
export type PlaceSearchOptions = { places: readonly Named[]; onFind: (place: Place) => void; children?: ReactNode };

export function PlaceSearch({ places, onFind, children }: PlaceSearchOptions): ReactElement {
  const list = useId();
  const [text, setText] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const change = (typed: string) => {
    setText(typed);
    setUnknown(false);
    // A suggestion that was chosen is typed as a whole at once. Enter only closes the suggestions while they are open.
    const place = places.find(({ title }) => foldCity(title) === foldCity(typed));
    if (place) onFind(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text.trim() === '') return;
    event.preventDefault(); // the form around the map is not sent
    const place = findPlace(places, text);
    if (place) onFind(place);
    setUnknown(place === undefined);
  };
  return (
    <div className="filters">
      <Field
        label={t('map.search')}
        hint={t('map.searchHint')}
        error={isUnknown ? t('map.notFound') : undefined}
        type="search"
        list={list}
        value={text}
        onChange={event => change(event.target.value)}
        onKeyDown={onKeyDown}
        maxLength={LENGTH_MAX}
      />
      <datalist id={list}>
        {[...new Set(places.map(({ title }) => title))].slice(0, SUGGESTIONS_MAX).map(each => (
          <option key={each} value={each} />
        ))}
      </datalist>
      {children}
    </div>
  );
}
