/** The live table of the demo: an operator's first questions. */
import type { Micros, Milliseconds } from '#domain/unit.ts';

export type Progress = {
  secondsRun: number;
  screensOnline: number;
  slotsPerSecond: number;
  fillRate: number;
  playsAcked: number;
  playsReported: number;
  spendMicros: Micros;
  freshnessP50Ms: Milliseconds;
  freshnessP99Ms: Milliseconds;
  top: readonly { name: string; plays: number; spendMicros: Micros }[];
};

const WIDTH = 62;
const money = (micros: Micros) => `${(micros / 1e6).toFixed(2)} EUR`;
const row = (label: string, value: string, note = '') =>
  `│ ${label.padEnd(16)}${value.padStart(14)}  ${note.padEnd(WIDTH - 36)} │`;
const rule = (left: string, right: string, title = '') =>
  `${left}─${title === '' ? '' : ` ${title} `}${'─'.repeat(WIDTH - 3 - (title === '' ? 0 : title.length + 2))}${right}`;

export function tableOf(progress: Progress): string[] {
  return [
    rule('┌', '┐', `Marquee, ${progress.secondsRun} s`),
    row('screens', String(progress.screensOnline), 'simulated, over WebSockets'),
    row('slots', `${progress.slotsPerSecond.toFixed(1)}/s`, `${(progress.fillRate * 100).toFixed(1)} % filled`),
    row('plays', String(progress.playsAcked), `${progress.playsReported} already in reports`),
    row('spend', money(progress.spendMicros)),
    row('freshness', `${progress.freshnessP50Ms} ms`, `p50; p99 ${progress.freshnessP99Ms} ms`),
    rule('├', '┤', 'top campaigns'),
    ...progress.top.map(campaign => row(campaign.name, `${campaign.plays} plays`, money(campaign.spendMicros))),
    rule('└', '┘'),
  ];
}
