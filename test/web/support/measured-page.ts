/**
 * How long a page takes, measured in the page: from an input to the frame that shows what it asked for, and from frame
 * to frame while it scrolls.
 */
import type { CDPSession, Page } from 'playwright-core';

/** What a list shows once it has answered: so many rows in all, each of which has this text, and the first one this. */
export type Wanted = { rows: number; text: string; first?: string };

/** The time of an input is the one that the browser gave it, before any script of the page ran. */
const ARM = `(({ rows, text, first = text }) => {
  window.answered = new Promise(resolve => {
    let from;
    const begin = event => void (from ??= event.timeStamp);
    for (const type of ['input', 'click']) document.addEventListener(type, begin, { capture: true });
    const isThere = () => {
      const table = document.querySelector('main table');
      const shown = [...(table?.querySelectorAll('tbody tr:not([aria-hidden])') ?? [])];
      return table?.getAttribute('aria-rowcount') === String(rows) && shown.length > 0 &&
        shown[0].innerText.includes(first) && shown.every(row => row.innerText.includes(text));
    };
    const look = () => {
      if (from === undefined || !isThere()) return;
      observer.disconnect();
      for (const type of ['input', 'click']) document.removeEventListener(type, begin, { capture: true });
      // The frame is painted before the next task that is posted from it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - from);
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  });
})`;
const GIVE_UP_MS = 20_000;

/** Milliseconds from the input that `act` makes to the frame in which the list shows what is wanted. */
export async function timeOfAnswer(page: Page, wanted: Wanted, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(`${ARM}(${JSON.stringify(wanted)})`);
  await act();
  return page.evaluate<number>(`Promise.race([window.answered, new Promise((_, reject) => setTimeout(
    () => reject(new Error('no such rows: ' + document.querySelector('main').innerText.slice(0, 400))), ${GIVE_UP_MS}))])`);
}

/** A frame every sixtieth of a second, as screens have them. */
export const FRAME_MS = 1_000 / 60;
/** The pixels of a frame: a row a frame is a fast hand, 4,000 pixels a second. */
const STEP_PX = 66;

/** Scrolls for so many frames, from where it is; the times of the frames as the page gets them. */
export function scroll(page: Page, frames: number): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise(resolve => {
    const times = [];
    const step = time => {
      times.push(time);
      if (times.length > ${frames}) return resolve(times);
      scrollBy(0, ${STEP_PX});
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

/** How many frames a screen would have shown twice. */
export function droppedOf(times: readonly number[]): number {
  return times.slice(1).reduce((sum, time, at) => sum + Math.max(0, Math.round((time - times[at]!) / FRAME_MS) - 1), 0);
}

type TraceEvent = { name: string; ph: string; pid: number; tid: number; ts: number; tdur?: number };
const TASK = 'ThreadControllerImpl::RunTask';
const FRAME = 'FireAnimationFrame';

/**
 * The CPU time in milliseconds of the thread of scripts, layout and painting, frame by frame, while `act` runs: what a
 * frame costs however many others want the core.
 */
export async function cpuOfFrames(cdp: CDPSession, act: () => Promise<unknown>): Promise<number[]> {
  const events: TraceEvent[] = [];
  // as Chromium writes them
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise(resolve => {
    cdp.once('Tracing.tracingComplete', resolve);
  });
  await cdp.send('Tracing.start', { categories: 'toplevel,devtools.timeline', transferMode: 'ReportEvents' });
  await act();
  await cdp.send('Tracing.end');
  await complete;
  return framesOf(events);
}

function framesOf(events: readonly TraceEvent[]): number[] {
  const starts = events.filter(({ name }) => name === FRAME).sort((a, b) => a.ts - b.ts);
  const first = starts[0];
  if (first === undefined) return [];
  const frames = starts.slice(1).map(() => 0);
  for (const { name, ts, tid, pid, tdur } of events) {
    if (name !== TASK || tid !== first.tid || pid !== first.pid || tdur === undefined) continue;
    const after = starts.findIndex(start => start.ts > ts);
    if (after > 0) frames[after - 1]! += tdur / 1_000;
  }
  return frames;
}
