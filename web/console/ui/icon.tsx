/** The icons of the console: lines in the color of the text beside them, which says the same. */
import type { ReactElement } from 'react';
import markUrl from '../mark.svg';

const PATHS = {
  home: 'M4 11l8-7 8 7v9H4zM10 20v-6h4v6',
  pulse: 'M3 12h4l3-7 4 14 3-7h4',
  send: 'M4 12 20 4l-5 16-3.5-6.5L4 12Z',
  menu: 'M3 6h18M3 12h18M3 18h18',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 21c0-4 4-6 8-6s8 2 8 6',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c0-3.5 3-5.5 6.5-5.5s6.5 2 6.5 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.8c2.200.8 3.5 2.600 3.500 5.200',
  play: 'M4 5h16v14H4zM10 9v6l5-3z',
  picture: 'M4 5h16v14H4zM4 16l5-5 4 4 3-2 4 4M15.500 9.500h.01',
  pin: 'M12 21s7-6.200 7-11.500A7 7 0 0 0 5 9.500C5 14.800 12 21 12 21ZM12 12a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  screen: 'M3 5h18v12H3zM8 21h8M12 17v4',
  wallet: 'M4 7h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H4zM4 7V5a1 1 0 0 1 1-1h11v3M16 13.500h.01',
  paper: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 12h9v3M17 12v3',
  hook: 'M18 8a3 3 0 1 0-4 2.800L11 16M6 10a4.500 4.500 0 1 0 4.500 6H18',
  terminal: 'M4 5h16v14H4zM7.500 9.500l3 2.500-3 2.500M13 15h4',
  list: 'M8 6h13M8 12h13M8 18h13M3.500 6h.01M3.500 12h.01M3.500 18h.01',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM15.500 15.500 20 20',
  check: 'M5 12l5 5 9-10',
  back: 'M15 5l-7 7 7 7',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  loop: 'M4 12a7 7 0 0 1 12-5l3 3M20 5v5h-5M20 12a7 7 0 0 1-12 5l-3-3M4 19v-5h5',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
} as const;
export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Mark(): ReactElement {
  return <img className="mark" src={markUrl} alt="" width="40" height="28" />;
}
