/** A creative as screens play it: one file per group of platforms with the same limits. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { sentence, t, term } from '../../text/text.ts';
import { SelectField } from '../../ui/field.tsx';

export type CreativeRecord = RecordOf<'/v1/creatives'>;

const KILOBYTE = 1_000;

export function rejectionText({ code, detail }: NonNullable<CreativeRecord['rejection']>): string {
  return sentence({ group: 'uploadRejection', code, text: detail });
}

export function CreativePreview({ creative }: { creative: CreativeRecord }): ReactElement {
  const { renditions, kind, poster_url: poster, rejection, orientation } = creative;
  const platforms = renditions.flatMap(rendition => rendition.platforms.map(platform => ({ platform, rendition })));
  const [platform, setPlatform] = useState<string>(platforms[0]?.platform ?? '');
  const rendition = platforms.find(one => one.platform === platform)?.rendition;
  if (rejection) return <p className="notice is-bad">{rejectionText(rejection)}</p>;
  if (!rendition) return <p className="muted">{t('creatives.notReady')}</p>;
  return (
    <div className="stack">
      <SelectField label={t('creatives.platform')} value={platform} onChange={event => setPlatform(event.target.value)}>
        {platforms.map(({ platform }) => (
          <option key={platform} value={platform}>
            {term('platform', platform)}
          </option>
        ))}
      </SelectField>
      <div className={`preview is-${orientation}`}>
        {kind === 'video' ? (
          <video key={rendition.url} src={rendition.url} poster={poster ?? undefined} controls muted playsInline />
        ) : (
          <img src={rendition.url} alt={creative.name} />
        )}
      </div>
      <p className="muted small">{t('creatives.size', { size: Math.round(rendition.bytes / KILOBYTE) })}</p>
    </div>
  );
}
