/** States as words with a mark of their color, and shares as bars. */
import type { ReactElement } from 'react';
import { term } from '../text/text.ts';

const TONES: Readonly<Record<string, string>> = {
  live: 'good',
  ready: 'good',
  online: 'good',
  active: 'good',
  delivered: 'good',
  paid: 'good',
  credited: 'good',
  won: 'good',
  settled: 'good',
  booked: 'good',
  held: 'good',
  cleared: 'good',
  broken: 'bad',
  approved: 'wait',
  open: 'wait',
  pending: 'wait',
  pending_review: 'wait',
  in_review: 'wait',
  awaiting_upload: 'wait',
  issued: 'wait',
  waiting: 'wait',
  under_review: 'wait',
  paused: 'wait',
  paired_idle: 'wait',
  rejected: 'bad',
  upheld: 'bad',
  offline: 'bad',
  failed: 'bad',
  disabled: 'bad',
};

export type StatusOptions = { of: string; group?: string };

export function Status({ of, group = 'status' }: StatusOptions): ReactElement {
  return <span className={`status is-${TONES[of] ?? 'quiet'}`}>{term(group, of)}</span>;
}

export type BarOptions = {
  /** 0 to 1. */
  share: number;
  label: string;
  /** 0 to 1: the expected share by now. */
  mark?: number | undefined;
};

/** A share as a bar, with a mark at the expected share. */
export function Bar({ share, label, mark }: BarOptions): ReactElement {
  const part = Math.min(1, Math.max(0, share));
  return (
    <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
      <rect className="bar-back" width="100" height="6" rx="0" />
      <rect className="bar-part" width={part * 100} height="6" />
      {mark !== undefined && <rect className="bar-mark" x={Math.min(99, mark * 100)} width="0.8" height="6" />}
    </svg>
  );
}
