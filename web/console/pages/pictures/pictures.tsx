/** The pictures of a workspace: where each is shown, archiving and restoring. */
import type { RecordOf } from '@marquee/sdk';
import { useMemo, type ReactElement } from 'react';
import { counted, useList } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { day } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useReversible, type Step } from '../../ui/feedback/reversible.ts';
import { useFilter, useSearchText } from '../../ui/views/filters.ts';
import { NameFilter } from '../../ui/views/name-filter.tsx';
import { Page } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { ListTable } from '../../ui/views/list.tsx';
import type { Column } from '../../ui/views/table.tsx';
import { AddPicture } from '../playlists/add-picture.tsx';
import { PictureUsage } from '../usage/usage.tsx';

type Picture = RecordOf<'/v1/assets'>;

export function Pictures(): ReactElement {
  const { text, q, setText } = useSearchText();
  const [status, setStatus] = useFilter('status', ['', 'archived']);
  const isArchive = status === 'archived';
  const mayWrite = useMayWrite('assets');
  const list = useList(
    ['assets', 'all', q, isArchive],
    (api, page, signal) =>
      api.get('/v1/assets', {
        query: { ...counted(page), ...(q !== '' && { q }), ...(isArchive && { status: 'archived' }) },
        signal,
      }),
    { isLive: true },
  );
  const isFiltered = q !== '' || isArchive;
  return (
    <Page title={t('nav.pictures')} lead={t('pictures.lead')}>
      <NameFilter text={text} onText={setText}>
        {mayWrite && (
          <AddPicture label={t('pictures.upload')} hint={t('pictures.uploadHint')} onAdded={() => setText('')} />
        )}
      </NameFilter>
      <div className="filters">
        <label className="check">
          <input
            type="checkbox"
            checked={isArchive}
            onChange={event => setStatus(event.target.checked ? 'archived' : '')}
          />
          {t('pictures.showArchived')}
        </label>
      </div>
      <ListTable
        of={list}
        empty={
          isFiltered
            ? { title: t(isArchive ? 'pictures.noneArchived' : 'pictures.noneFound') }
            : { title: t('pictures.none'), hint: t('pictures.noneHint') }
        }
        label={t('nav.pictures')}
        columns={useMemo(() => columns(mayWrite), [mayWrite])}
        keyOf={picture => picture.id}
      />
    </Page>
  );
}

function columns(mayWrite: boolean): Column<Picture>[] {
  return [
    {
      head: t('item.image'),
      cell: ({ name, poster_url: poster }) => (
        <span className="named-picture">
          {poster === null ? <span className="poster-gap" /> : <img src={poster} alt="" loading="lazy" />}
          <strong className="breaks">{name}</strong>
        </span>
      ),
    },
    {
      head: t('filter.status'),
      cell: ({ status, archived_at: archived }) =>
        archived === null ? (
          <Status of={status} />
        ) : (
          <span className="muted small">{t('pictures.archivedOn', { day: day(archived) })}</span>
        ),
      isWide: true,
    },
    { head: t('usage.title'), cell: ({ id }) => <PictureUsage id={id} />, isWide: true },
    ...(mayWrite
      ? [
          {
            head: t('people.change'),
            cell: (picture: Picture) =>
              picture.archived_at === null ? <Archive picture={picture} /> : <Restore picture={picture} />,
            isFigure: true,
          },
        ]
      : []),
  ];
}

function stepsOf({ id, name }: Picture): Record<'archive' | 'restore', Step> {
  return {
    archive: { change: api => api.delete('/v1/assets/{id}', { path: { id } }), done: t('toast.archived', { name }) },
    restore: {
      change: api => api.post('/v1/assets/{id}/restore', { path: { id } }),
      done: t('toast.restored', { name }),
    },
  };
}

function Archive({ picture }: { picture: Picture }): ReactElement {
  const steps = stepsOf(picture);
  const archive = useReversible(steps.archive, steps.restore);
  return (
    <Confirm
      label={t('pictures.archive')}
      title={t('pictures.archiveTitle', { name: picture.name })}
      hint={t('pictures.archiveHint')}
      isBusy={archive.isPending}
      error={archive.error}
      onConfirm={() => archive.mutate()}
    />
  );
}

function Restore({ picture }: { picture: Picture }): ReactElement {
  const steps = stepsOf(picture);
  const restore = useReversible(steps.restore, steps.archive);
  return (
    <Button
      aria-label={t('pictures.restoreOf', { name: picture.name })}
      isBusy={restore.isPending}
      onClick={() => restore.mutate()}
    >
      {t('pictures.restore')}
    </Button>
  );
}
