/** A creative as screens play it, alone or in a place: one file per group of platforms with the same limits. */
import type { RecordOf } from '@marquee/sdk';
import { useState, type ReactElement } from 'react';
import { sentence, t, term } from '../../text/text.ts';
import { SelectField } from '../../ui/field.tsx';
import { CreativeScene } from './creative-scene.tsx';
import { SCENES } from './scene-drawings.tsx';

export type CreativeRecord = RecordOf<'/v1/creatives'>;

const KILOBYTE = 1_000;

export function rejectionText({ code, detail }: NonNullable<CreativeRecord['rejection']>): string {
  return sentence({ group: 'uploadRejection', code, text: detail });
}

export function CreativePreview({ creative }: { creative: CreativeRecord }): ReactElement {
  const { renditions, kind, poster_url: poster, rejection, orientation } = creative;
  const platforms = renditions.flatMap(rendition => rendition.platforms.map(platform => ({ platform, rendition })));
  const [platform, setPlatform] = useState<string>(platforms[0]?.platform ?? '');
  const [place, setPlace] = useState('');
  const [hasGuides, setGuides] = useState(false);
  const scene = SCENES.find(name => name === place);
  const rendition = platforms.find(one => one.platform === platform)?.rendition;
  if (rejection) return <p className="notice is-bad">{rejectionText(rejection)}</p>;
  if (!rendition) return <p className="muted">{t('creatives.notReady')}</p>;
  const film = { src: rendition.url, poster: poster ?? undefined, muted: true, playsInline: true };
  const picture =
    kind === 'video' ? (
      <video key={rendition.url} {...film} controls={scene === undefined} autoPlay={scene !== undefined} loop />
    ) : (
      <img src={rendition.url} alt={creative.name} />
    );
  return (
    <div className="stack">
      <div className="fields">
        <SelectField
          label={t('creatives.platform')}
          value={platform}
          onChange={event => setPlatform(event.target.value)}
        >
          {platforms.map(({ platform }) => (
            <option key={platform} value={platform}>
              {term('platform', platform)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('scene.label')} value={place} onChange={event => setPlace(event.target.value)}>
          <option value="">{t('scene.none')}</option>
          {SCENES.map(name => (
            <option key={name} value={name}>
              {t(`scene.${name}`)}
            </option>
          ))}
        </SelectField>
      </div>
      {scene === undefined ? (
        <div className={`preview is-${orientation}`}>{picture}</div>
      ) : (
        <CreativeScene scene={scene} orientation={orientation} hasGuides={hasGuides}>
          {picture}
        </CreativeScene>
      )}
      {scene !== undefined && (
        <label className="check">
          <input type="checkbox" checked={hasGuides} onChange={event => setGuides(event.target.checked)} />
          {t('scene.guides')}
        </label>
      )}
      {scene !== undefined && hasGuides && <p className="hint">{t('scene.guidesHint')}</p>}
      <p className="muted small">{t('creatives.size', { size: Math.round(rendition.bytes / KILOBYTE) })}</p>
    </div>
  );
}
