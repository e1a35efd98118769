/**
 * A creative on a screen in a place, with the code for phones where the player draws it, and the area that is safe for
 * text and logos.
 */
import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { drawScanCode } from '../../../player/display/qr.ts';
import { SCENE_DRAWINGS, type SceneName } from './scene-drawings.tsx';

const LANDSCAPE = { width: 1_920, height: 1_080 };
const PORTRAIT = { width: 1_080, height: 1_920 };
/** Something to scan; the code of a campaign leads to its own page. */
const SAMPLE_LINK = 'https://example.com/';

export type CreativeSceneOptions = { scene: SceneName; orientation: string; hasGuides: boolean; children: ReactNode };

export function CreativeScene({ scene, orientation, hasGuides, children }: CreativeSceneOptions): ReactElement {
  const Drawing = SCENE_DRAWINGS[scene];
  return (
    <div className="scene">
      <Drawing />
      <div className={`scene-screen is-${orientation}`}>
        {children}
        {hasGuides && <Guides orientation={orientation} />}
      </div>
    </div>
  );
}

function Guides({ orientation }: Pick<CreativeSceneOptions, 'orientation'>): ReactElement {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    holder.current?.replaceChildren(drawScanCode(SAMPLE_LINK, orientation === 'portrait' ? PORTRAIT : LANDSCAPE));
  }, [orientation]);
  return (
    <>
      <div ref={holder} className="scene-code" aria-hidden="true" />
      <div className="scene-safe" aria-hidden="true" />
    </>
  );
}
