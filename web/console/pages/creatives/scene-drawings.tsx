/** Drawings of the places of screens, 640 by 400, with room on the wall for the screen. They are decoration. */
import type { ReactElement, ReactNode } from 'react';

export const SCENES = ['bar', 'gym', 'station'] as const;
export type SceneName = (typeof SCENES)[number];

export const SCENE_DRAWINGS: Record<SceneName, () => ReactElement> = { bar: Bar, gym: Gym, station: Station };

const BOTTLES = [24, 44, 66, 84, 108, 128];
const TILES = [80, 160, 240, 320, 400, 480, 560];

function Drawing({ children }: { children: ReactNode }): ReactElement {
  return (
    <svg viewBox="0 0 640 400" aria-hidden="true">
      {children}
    </svg>
  );
}

/** Somebody who looks at the screen, seen from behind. */
function Guest({ x, y, color }: { x: number; y: number; color: string }): ReactElement {
  return (
    <g transform={`translate(${x} ${y})`} fill={color}>
      <circle cx="0" cy="0" r="17" />
      <path d="M-36 140V84c0-42 12-60 36-60s36 18 36 60v56z" />
    </g>
  );
}

function Bar(): ReactElement {
  return (
    <Drawing>
      <rect width="640" height="400" fill="#33241d" />
      <rect y="250" width="640" height="150" fill="#281b15" />
      {[0, 500].map(left => (
        <g key={left} transform={`translate(${left} 0)`}>
          {[150, 236].map(top => (
            <g key={top} transform={`translate(0 ${top})`}>
              {BOTTLES.map((x, at) => (
                <path
                  key={x}
                  d={`M${x - 5} 0v-34l3-8v-14h5v14l3 8v34z`}
                  fill={['#7c8f5a', '#b9803f', '#5f7d86'][at % 3]}
                />
              ))}
              <rect x="10" width="126" height="6" fill="#8a5f3c" />
            </g>
          ))}
          <path d="M72 0v44" stroke="#120c09" strokeWidth="3" />
          <path d="M48 68c0-16 10-24 24-24s24 8 24 24z" fill="#d9a441" />
          <path d="M48 68h48l26 70H22z" fill="#d9a441" opacity="0.12" />
        </g>
      ))}
      <rect y="340" width="640" height="60" fill="#6b4529" />
      <rect y="340" width="640" height="7" fill="#946440" />
      <Guest x={112} y={300} color="#150e0b" />
      <Guest x={540} y={306} color="#150e0b" />
    </Drawing>
  );
}

function Gym(): ReactElement {
  return (
    <Drawing>
      <rect width="640" height="400" fill="#d5dce1" />
      <rect y="320" width="640" height="80" fill="#7d8890" />
      <rect y="314" width="640" height="6" fill="#a9b4bb" />
      {[12, 534].map(left => (
        <g key={left} transform={`translate(${left} 0)`}>
          <rect y="60" width="94" height="190" fill="#e9eef1" stroke="#b4bfc6" strokeWidth="3" />
          <path d="M14 200l44-120M40 220l40-108" stroke="#fff" strokeWidth="6" />
          <path d="M4 290h86M4 264h86" stroke="#5d6870" strokeWidth="5" />
          {[16, 36, 56, 76].map(x => (
            <rect key={x} x={x} y="274" width="9" height="16" rx="3" fill="#39424a" />
          ))}
        </g>
      ))}
      {[150, 490].map(x => (
        <g key={x} transform={`translate(${x} 300)`}>
          <path d="M-52 84h104l-10-14h-84zM34 70l10-74h-20" fill="none" stroke="#39424a" strokeWidth="7" />
          <circle cx="0" cy="-24" r="14" fill="#47535c" />
          <path d="M-13 34c-2-30 2-42 13-42s16 12 13 42l8 38h-11l-9-34-10 34h-11z" fill="#47535c" />
        </g>
      ))}
    </Drawing>
  );
}

function Station(): ReactElement {
  return (
    <Drawing>
      <rect width="640" height="400" fill="#c9cfc6" />
      {TILES.map(x => (
        <path key={x} d={`M${x} 0v310`} stroke="#b6bdb3" strokeWidth="2" />
      ))}
      {[62, 124, 186, 248].map(y => (
        <path key={y} d={`M0 ${y}h640`} stroke="#b6bdb3" strokeWidth="2" />
      ))}
      <rect y="0" width="640" height="20" fill="#2f4858" />
      <rect y="310" width="640" height="90" fill="#85898a" />
      <rect y="330" width="640" height="9" fill="#e2b93b" />
      {[0, 530].map(left => (
        <g key={left} transform={`translate(${left} 0)`}>
          <rect y="120" width="110" height="190" rx="8" fill="#b23a34" />
          <rect x="14" y="142" width="82" height="60" rx="5" fill="#dfe8ea" />
          <path d="M55 212v98M0 250h110" stroke="#8d2c27" strokeWidth="3" />
        </g>
      ))}
      <Guest x={150} y={296} color="#2b3136" />
      <Guest x={470} y={302} color="#39424a" />
    </Drawing>
  );
}
