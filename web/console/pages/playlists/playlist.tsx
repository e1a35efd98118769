/**
 * One playlist: its items in their order, the share of ads, and what a screen would show in the next hour while all
 * that is changed. Nothing changes on screens before it is saved.
 */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { MarqueeError } from '@marquee/sdk';
import { useState, type FormEvent, type ReactElement } from 'react';
import { useChange, useRead } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { count, percent } from '../../text/format.ts';
import { t, term } from '../../text/text.ts';
import { useSave } from '../../ui/feedback/save.ts';
import { Button, MoreMenu } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useUnsaved } from '../../ui/feedback/unsaved.tsx';
import { Answered, EmptyState, Fault } from '../../ui/states.tsx';
import { AddItem } from './add-item.tsx';
import { draftOf, isSame, ITEMS_MAX, withKey, type DraftItem, type Playlist as PlaylistRecord } from './draft.ts';
import { ItemFields } from './item-fields.tsx';
import { nameOf, useMedia, type Media } from './media.ts';
import { Preview } from './preview.tsx';
import { SortableItems } from './sortable-items.tsx';

/** The ad share of a new screen, used by the preview if the playlist has none. */
const SCREEN_RATIO = 0.5;

export function Playlist(): ReactElement {
  const { id } = useParams({ from: '/playlists/$id' });
  const playlist = useRead(['playlist', id], (api, signal) => api.get('/v1/playlists/{id}', { path: { id }, signal }));
  const { data } = playlist;
  return (
    <Page
      title={data?.name ?? t('playlists.playlist')}
      lead={
        data && (
          <span className="row">
            <span>{t('playlists.runsOn', { screens: count(data.screens), venues: count(data.venues) })}</span>
            <Link to="/playlists">{t('playlist.all')}</Link>
          </span>
        )
      }
      actions={data?.status === 'active' && <Archive id={id} />}
    >
      <Answered of={playlist} lines={8} list={<Link to="/playlists">{t('playlist.all')}</Link>}>
        {record => <Editor key={id} playlist={record} />}
      </Answered>
    </Page>
  );
}

function Editor({ playlist }: { playlist: PlaylistRecord }): ReactElement {
  const { id, status } = playlist;
  const media = useMedia();
  const mayWrite = useMayWrite('playlists') && status === 'active';
  const [name, setName] = useState(playlist.name);
  const [ratio, setRatio] = useState(playlist.ad_ratio);
  const [draft, setDraft] = useState(() => draftOf(playlist.items));
  const items = draft.map(({ item }) => item);
  const save = useSave(api =>
    api.patch('/v1/playlists/{id}', { path: { id }, body: { name: name.trim(), items, ad_ratio: ratio } }),
  );
  const isChanged = name !== playlist.name || ratio !== playlist.ad_ratio || !isSame(items, playlist.items);
  const { warning } = useUnsaved(isChanged);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="playlist" onSubmit={submit}>
      <div className="stack">
        <Card title={t('playlist.settings')}>
          <Field
            label={t('playlists.name')}
            value={name}
            onChange={event => setName(event.target.value)}
            maxLength={200}
            disabled={!mayWrite}
            required
          />
          <AdRatio ratio={ratio} onChange={setRatio} mayWrite={mayWrite} />
        </Card>
        <Items draft={draft} onChange={setDraft} media={media} mayWrite={mayWrite} error={save.error} />
        {mayWrite && (
          <div className="save-bar">
            <Fault error={save.error} />
            {warning}
            <span className="muted small">{t(isChanged ? 'playlist.unsaved' : 'playlist.saved')}</span>
            <Button kind="primary" type="submit" isBusy={save.isPending} disabled={!isChanged || items.length === 0}>
              {t('dialog.save')}
            </Button>
          </div>
        )}
      </div>
      <Preview items={items} adRatio={ratio ?? SCREEN_RATIO} media={media} />
    </form>
  );
}

type AdRatioOptions = { ratio: number | null; onChange: (ratio: number | null) => void; mayWrite: boolean };

/** The playlist's own share of ads, or that of each screen. */
function AdRatio({ ratio, onChange, mayWrite }: AdRatioOptions): ReactElement {
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={ratio === null}
          disabled={!mayWrite}
          onChange={event => onChange(event.target.checked ? null : SCREEN_RATIO)}
        />
        {t('playlist.ownRatio')}
      </label>
      {ratio === null && <p className="hint">{t('playlist.previewShare')}</p>}
      {ratio !== null && (
        <Field
          label={`${t('screens.adRatio')}: ${percent(ratio)}`}
          type="range"
          min={0}
          max={1}
          step={0.05}
          value={ratio}
          disabled={!mayWrite}
          aria-valuetext={percent(ratio)}
          onChange={event => onChange(event.target.valueAsNumber)}
        />
      )}
    </>
  );
}

type ItemsOptions = {
  draft: readonly DraftItem[];
  onChange: (draft: DraftItem[]) => void;
  media: Media;
  mayWrite: boolean;
  error: Error | null;
};

function Items({ draft, onChange, media, mayWrite, error }: ItemsOptions): ReactElement {
  const replace = (changed: DraftItem) => onChange(draft.map(one => (one.key === changed.key ? changed : one)));
  return (
    <Card title={t('playlist.items')} note={t('playlist.itemsNote')}>
      {draft.length === 0 && <EmptyState title={t('playlist.empty')} hint={t('playlist.emptyHint')} />}
      <SortableItems items={draft} nameOf={item => nameOf(item, media)} onChange={onChange} mayWrite={mayWrite}>
        {({ key, item }, index) => (
          <>
            <div className="item-name">
              <Thumbnail url={media.of(item)?.url} />
              <div>
                <strong>{nameOf(item, media)}</strong>
                {nameOf(item, media) !== term('item', item.type) && (
                  <div className="muted small">{term('item', item.type)}</div>
                )}
              </div>
            </div>
            <fieldset className="item-fields" disabled={!mayWrite} aria-label={nameOf(item, media)}>
              <ItemFields
                item={item}
                onChange={changed => replace({ key, item: changed })}
                errors={faultsAt(error, index)}
              />
            </fieldset>
            {mayWrite && (
              <button
                type="button"
                className="icon-button"
                aria-label={t('playlist.remove', { name: nameOf(item, media) })}
                onClick={() => onChange(draft.filter(one => one.key !== key))}
              >
                <Icon name="close" />
              </button>
            )}
          </>
        )}
      </SortableItems>
      {mayWrite && draft.length < ITEMS_MAX && (
        <AddItem media={media} onAdd={item => onChange([...draft, withKey(item)])} />
      )}
    </Card>
  );
}

function Thumbnail({ url }: { url: string | null | undefined }): ReactElement | null {
  if (url === undefined || url === null) return null;
  return <img className="thumbnail" src={url} alt="" loading="lazy" />;
}

/** The API's faults of an item, by field: `/items/2/sponsor`. */
function faultsAt(error: Error | null, place: number): Record<string, string> {
  if (!(error instanceof MarqueeError)) return {};
  const before = `/items/${place}/`;
  return Object.fromEntries(
    error.errors.flatMap(({ pointer, detail }) =>
      pointer.startsWith(before) ? [[pointer.slice(before.length), detail]] : [],
    ),
  );
}

function Archive({ id }: { id: string }): ReactElement | null {
  const navigate = useNavigate();
  const archive = useChange(api => api.delete('/v1/playlists/{id}', { path: { id } }));
  if (!useMayWrite('playlists')) return null;
  return (
    <MoreMenu>
      <Confirm
        label={t('playlist.archive')}
        title={t('playlist.archiveTitle')}
        hint={t('playlist.archiveHint')}
        isBusy={archive.isPending}
        error={archive.error}
        onConfirm={() => archive.mutate(undefined, { onSuccess: () => void navigate({ to: '/playlists' }) })}
      />
    </MoreMenu>
  );
}
