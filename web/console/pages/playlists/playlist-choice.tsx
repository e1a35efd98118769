/** The playlist of a screen, or of all screens of a venue without their own. */
import type { Marquee } from '@marquee/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { messageOf, useList } from '../../api/api.ts';
import { t } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { SelectField } from '../../ui/field.tsx';

export type PlaylistChoiceOptions = {
  chosen: string | null;
  hint: string;
  /** The default without a choice. */
  none: string;
  mayWrite: boolean;
  save: (api: Marquee, playlist: string | null) => Promise<unknown>;
};

export function PlaylistChoice({ chosen, hint, none, mayWrite, save }: PlaylistChoiceOptions): ReactElement {
  const list = useList(['playlists', 'by name'], (api, page, signal) =>
    api.get('/v1/playlists', { query: { ...page, sort: 'name' }, signal }),
  );
  const change = useSave(save);
  return (
    <>
      <SelectField
        label={t('playlists.playlist')}
        value={(change.isPending ? change.variables : chosen) ?? ''}
        onChange={event => change.mutate(event.target.value === '' ? null : event.target.value)}
        disabled={!mayWrite || change.isPending}
        hint={hint}
        error={change.error ? messageOf(change.error) : undefined}
      >
        <option value="">{none}</option>
        {chosen !== null && !list.rows.some(({ id }) => id === chosen) && <option value={chosen}>…</option>}
        {list.rows.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {chosen === null ? (
        <Link to="/playlists">{t('playlist.all')}</Link>
      ) : (
        <Link to="/playlists/$id" params={{ id: chosen }}>
          {t('playlists.open')}
        </Link>
      )}
    </>
  );
}
