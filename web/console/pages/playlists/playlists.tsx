/** The playlists of a venue's workspace: content, places, and creating a new one. */
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState, type FormEvent, type ReactElement } from 'react';
import { counted, fieldErrors, messageOf, useChange, useList } from '../../api/api.ts';
import { holds } from '../../api/narrowed.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, percent } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Age } from '../../ui/time/age.tsx';
import { AddButton, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { newItem, type Playlist } from './draft.ts';

const NAME_LENGTH_MAX = 200;

export function Playlists(): ReactElement {
  const [isMaking, setMaking] = useState(false);
  const { text, q, setText } = useSearchText();
  const mayWrite = useMayWrite('playlists');
  const list = useList(
    ['playlists', q],
    (api, page, signal) => api.get('/v1/playlists', { query: { ...counted(page), ...(q !== '' && { q }) }, signal }),
    { narrows: { name: ['playlists', ''], has: playlist => holds([playlist.name], q) } },
  );
  const make = mayWrite && <AddButton text={t('playlists.make')} onClick={() => setMaking(true)} />;
  return (
    <Page title={t('nav.playlists')} lead={t('playlists.lead')} actions={make}>
      <NameFilter text={text} onText={setText} />
      <ListTable
        of={list}
        empty={
          q === ''
            ? { title: t('playlists.none'), hint: t('playlists.noneHint'), children: make }
            : { title: t('playlists.noneFound') }
        }
        label={t('nav.playlists')}
        columns={useMemo(columns, [])}
        keyOf={playlist => playlist.id}
      />
      <MakeDialog isOpen={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}

function columns(): Column<Playlist>[] {
  return [
    {
      head: t('playlists.playlist'),
      cell: ({ id, name, items }) => (
        <>
          <Link to="/playlists/$id" params={{ id }}>
            {name}
          </Link>
          <div className="muted small">{t('playlists.items', { count: items.length })}</div>
        </>
      ),
    },
    {
      head: t('playlists.runs'),
      cell: ({ screens, venues }) => t('playlists.runsOn', { screens: count(screens), venues: count(venues) }),
    },
    {
      head: t('screens.adRatio'),
      cell: ({ ad_ratio: ratio }) => (ratio === null ? t('playlists.ownRatio') : percent(ratio)),
      isFigure: true,
      isWide: true,
    },
    { head: t('playlists.changed'), cell: playlist => <Age at={playlist.updated_at} />, isWide: true },
  ];
}

/** A new playlist begins with a place for ads; the rest is added on its page. */
function MakeDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const navigate = useNavigate();
  const make = useChange((api, name: string) =>
    api.post('/v1/playlists', { body: { name, items: [newItem('ad_slot')] } }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    make.mutate(String(new FormData(event.currentTarget).get('name')), {
      onSuccess: ({ id }) => void navigate({ to: '/playlists/$id', params: { id } }),
    });
  };
  return (
    <Dialog title={t('playlists.make')} isOpen={isOpen} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field
          label={t('playlists.name')}
          name="name"
          maxLength={NAME_LENGTH_MAX}
          error={make.error ? (fieldErrors(make.error)['name'] ?? messageOf(make.error)) : undefined}
          required
        />
        <footer className="dialog-foot">
          <Button kind="primary" type="submit" isBusy={make.isPending}>
            {t('playlists.make')}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
