/** Facts that only the frames of a video show: its length, its highest frame rate, and whether they are interlaced. */
import type { MediaFacts } from '#domain/campaigns/rendition.ts';
import { openOnly, runLimited, type Limits, type Tools } from './limited-process.ts';

const LISTING: Limits = { cpuMsMax: 20_000, bytesWrittenMax: 0 };
/** No video of a valid length has more to list. */
const LISTED_SECONDS_MAX = 30;
/** 30 s with a thousand frames and a thousand packets of sound each. */
const LISTED_MAX = 60_000;
/** A decoder must sustain a rate that lasts for this many frames; its buffers absorb shorter peaks. */
const SUSTAINED_FRAMES = 12;
/** The jitter of containers and cameras at a constant rate. */
const JITTER = 1.05;

type Frame = { at: number; lasts: number };
type Listing = { path: string; contentType: string; facts: MediaFacts; stream: number };

/** Enough for the first frame of any codec. */
const SAMPLED_PACKETS = 8;

/** Whether a file without field information is interlaced, as ProRes may be. */
export async function isInterlaced(
  { path, contentType }: { path: string; contentType: string },
  { programs, signal }: Tools,
): Promise<boolean> {
  const asked = ['-select_streams', 'V:0', '-read_intervals', `%+#${SAMPLED_PACKETS}`];
  const sampled = await runLimited(
    programs.ffprobe,
    [
      '-v',
      'quiet',
      ...openOnly(contentType),
      ...asked,
      '-show_entries',
      'frame=interlaced_frame',
      '-of',
      'csv=p=0',
      path,
    ],
    { limits: LISTING, signal },
  );
  return sampled.stdout.startsWith('1');
}

/** The facts with the highest frame rate and with when the picture begins and ends. */
export async function timeFrames(
  { path, contentType, facts, stream }: Listing,
  { programs, signal }: Tools,
): Promise<MediaFacts> {
  const frames: Frame[] = [];
  const onLine = (line: string) => {
    const [index, at, lasts, flags = ''] = line.split(',');
    // A discarded packet is decoded for the ones that follow, and not shown.
    if (Number(index) !== stream || flags.includes('D') || frames.length >= LISTED_MAX) return;
    if (Number.isFinite(Number(at))) frames.push({ at: Number(at), lasts: Number(lasts) || 0 });
  };
  const fields = 'packet=stream_index,pts_time,duration_time,flags';
  const listed = ['-read_intervals', `%+${LISTED_SECONDS_MAX}`, '-show_entries', fields, '-of', 'csv=p=0'];
  await runLimited(programs.ffprobe, ['-v', 'quiet', ...openOnly(contentType), ...listed, path], {
    limits: LISTING,
    signal,
    onLine,
  });
  const last = frames.sort((one, other) => one.at - other.at).at(-1);
  if (!last) return facts;
  const picture = { from: Math.max(0, Math.round(frames[0]!.at * 1_000)), to: endMs(frames, facts) };
  return { ...facts, picture_ms: picture, video: { ...facts.video, frame_rate: highestRate(frames, facts) } };
}

/** A last frame without a duration is shown until the time of the next one. */
function endMs(frames: readonly Frame[], { video }: MediaFacts): number {
  const { at, lasts } = frames.at(-1)!;
  const usual = video.frame_rate === null ? 0 : 1 / video.frame_rate;
  return Math.round((at + (lasts || usual)) * 1_000);
}

function highestRate(frames: readonly Frame[], { video: { frame_rate: average } }: MediaFacts): number | null {
  const span = Math.min(SUSTAINED_FRAMES, frames.length - 1);
  if (span < 1) return average;
  const seconds = frames.slice(span).map(({ at }, index) => at - frames[index]!.at);
  const highest = span / Math.min(...seconds);
  if (!Number.isFinite(highest)) return null;
  return average !== null && highest <= average * JITTER ? average : Math.round(highest * 100) / 100;
}
