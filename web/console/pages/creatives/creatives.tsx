/** The creatives of a workspace: preview, status, and upload. */
import { useCallback, useState, type ReactElement } from 'react';
import { useList } from '../../api/api.ts';
import { useMayWrite } from '../../api/session.ts';
import { t, term } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Page } from '../../ui/page.tsx';
import { Bar, Status } from '../../ui/status.tsx';
import { useFilter, useSearchText } from '../../ui/views/filters.ts';
import { List } from '../../ui/views/list.tsx';
import { NameFilter, StatusFilter } from '../../ui/views/name-filter.tsx';
import { CreativeUsage } from '../usage/usage.tsx';
import { CreativeChanges } from './creative-changes.tsx';
import { CreativePreview, rejectionText, type CreativeRecord } from './creative-preview.tsx';
import { useDroppedFiles } from './dropped-files.ts';
import { UploadDialog } from './upload-dialog.tsx';

const STATUSES = ['ready', 'awaiting_upload', 'rejected'] as const;

export function Creatives(): ReactElement {
  const [isUploading, setUploading] = useState(false);
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const [shown, setShown] = useState<string>();
  const mayWrite = useMayWrite('creatives');
  const drop = useCallback((files: readonly File[]) => {
    setDropped(files);
    setUploading(true);
  }, []);
  useDroppedFiles(mayWrite ? drop : undefined);
  const { text, q, setText } = useSearchText();
  const [status, setStatus] = useFilter('status', ['', ...STATUSES]);
  const list = useList(
    ['creatives', 'found', q, status],
    (api, page, signal) =>
      api.get('/v1/creatives', {
        query: { ...page, ...(q !== '' && { q }), ...(status !== '' && { status }) },
        signal,
      }),
    { isLive: true },
  );
  const creative = list.rows.find(one => one.id === shown);
  const upload = mayWrite && (
    <Button kind="primary" onClick={() => setUploading(true)}>
      <Icon name="upload" />
      {t('creatives.upload')}
    </Button>
  );
  return (
    <Page title={t('creatives.title')} lead={t('creatives.lead')} actions={upload}>
      <NameFilter text={text} onText={setText}>
        <StatusFilter statuses={STATUSES} chosen={status} onChoose={setStatus} />
      </NameFilter>
      <List
        of={list}
        empty={
          q === '' && status === ''
            ? { title: t('creatives.none'), hint: t('creatives.noneHint'), children: upload }
            : { title: t('creatives.noneFound') }
        }
      >
        {(rows, onMore) => (
          <>
            <ul className="creative-grid">
              {rows.map(one => (
                <CreativeCard key={one.id} creative={one} onShow={() => setShown(one.id)} />
              ))}
            </ul>
            {onMore && <Button onClick={onMore}>{t('table.more')}</Button>}
          </>
        )}
      </List>
      {mayWrite && <UploadDialog isOpen={isUploading} dropped={dropped} onClose={() => setUploading(false)} />}
      <Dialog title={creative?.name ?? ''} isOpen={creative !== undefined} onClose={() => setShown(undefined)}>
        {creative && <CreativePreview creative={creative} />}
        {creative && <CreativeUsage id={creative.id} />}
        {creative && mayWrite && (
          <CreativeChanges key={creative.id} creative={creative} onGone={() => setShown(undefined)} />
        )}
      </Dialog>
    </Page>
  );
}

function CreativeCard({ creative, onShow }: { creative: CreativeRecord; onShow: () => void }): ReactElement {
  const { name, status, orientation, poster_url: poster, progress, rejection, duration_ms: durationMs } = creative;
  return (
    <li className="creative-card">
      <button type="button" className="poster" onClick={onShow} aria-label={t('creatives.show', { name })}>
        {poster === null ? <Icon name="picture" /> : <img src={poster} alt="" loading="lazy" />}
      </button>
      <div className="creative-text">
        <strong>{name}</strong>
        <span className="muted small">
          {term('orientation', orientation)} · {t('creatives.seconds', { seconds: durationMs / 1_000 })}
        </span>
        <span>
          <Status of={status} />
        </span>
        {progress !== null && <Bar share={progress / 100} label={t('creatives.checking', { progress })} />}
        {rejection && <p className="field-error">{rejectionText(rejection)}</p>}
      </div>
    </li>
  );
}
