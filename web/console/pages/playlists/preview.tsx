/** The next hour of a playlist: how much of it each item has, and its first minutes one after the other. */
import { useMemo, useState, type ReactElement } from 'react';
import { count, percent } from '../../text/format.ts';
import { t } from '../../text/text.ts';
import { Card } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Bar } from '../../ui/status.tsx';
import type { Item } from './draft.ts';
import { lengthOf, nameOf, type Media } from './media.ts';
import { AD_MS, isReordered, playNextHour, sharesOf, type Showing } from './next-hour.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The number of entries shown before the whole hour is opened. */
const FIRST_MAX = 24;

export type PreviewOptions = { items: readonly Item[]; adRatio: number; media: Media };

export function Preview({ items, adRatio, media }: PreviewOptions): ReactElement {
  const isPlayable = items.length > 0 && items.every(isComplete);
  const shown = useMemo(
    () => (isPlayable ? playNextHour({ items, adRatio, creativeMs: id => lengthOf(media, id) }) : []),
    [isPlayable, items, adRatio, media],
  );
  const nameAt = (place: Showing['place']) => (place === 'ad' ? t('preview.ad') : nameOf(items[place]!, media));
  return (
    <Card title={t('preview.title')} note={t('preview.note', { seconds: AD_MS / 1_000 })}>
      {isPlayable ? (
        <>
          <Shares shown={shown} nameAt={nameAt} />
          <Sequence shown={shown} nameAt={nameAt} adRatio={isReordered(shown) ? adRatio : undefined} />
        </>
      ) : (
        <EmptyState title={t('preview.none')} hint={t('preview.noneHint')} />
      )}
    </Card>
  );
}

/** A field that is being typed into holds no number for a moment. */
function isComplete({ duration_ms: durationMs = 1, weight = 1 }: Item): boolean {
  return durationMs > 0 && weight > 0;
}

type ShownOptions = { shown: readonly Showing[]; nameAt: (place: Showing['place']) => string };

function Shares({ shown, nameAt }: ShownOptions): ReactElement {
  const shares = [...sharesOf(shown)].sort(([, a], [, b]) => b.ms - a.ms);
  return (
    <ul className="outcomes">
      {shares.map(([place, { ms, times }]) => (
        <li key={place}>
          <div className="outcome-head">
            <strong>{nameAt(place)}</strong>
            <span>{percent(ms / HOUR_MS)}</span>
          </div>
          <Bar share={ms / HOUR_MS} label={percent(ms / HOUR_MS)} />
          <p className="muted small">{t('preview.share', { minutes: count(ms / MINUTE_MS), times: count(times) })}</p>
        </li>
      ))}
    </ul>
  );
}

function Sequence({ shown, nameAt, adRatio }: ShownOptions & { adRatio: number | undefined }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? shown : shown.slice(0, FIRST_MAX);
  return (
    <div>
      <h3>{t('preview.order')}</h3>
      {adRatio !== undefined && <p className="hint">{t('preview.reordered', { share: percent(adRatio) })}</p>}
      <ol className="hour">
        {rows.map(({ atMs, durationMs, place }) => (
          <li key={atMs} className={place === 'ad' ? 'is-ad' : undefined}>
            <span className="slot-time">{clock(atMs)}</span>
            <span>{nameAt(place)}</span>
            <span className="muted small">{t('creatives.seconds', { seconds: durationMs / 1_000 })}</span>
          </li>
        ))}
      </ol>
      {shown.length > FIRST_MAX && (
        <button type="button" className="text-button" onClick={() => setWhole(!isWhole)}>
          {t(isWhole ? 'preview.fewer' : 'preview.whole')}
        </button>
      )}
    </div>
  );
}

/** Minutes and seconds from now: 04:15. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
