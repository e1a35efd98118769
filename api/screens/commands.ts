/** Commands to screens: the messages that players get, and screenshots as the API shows them. */
import { formatId, type Handle } from '#domain/id.ts';
import { IDENTIFY_MS, type CommandMessage, type ScreenCommand } from '#domain/screens/command.ts';
import {
  SCREENSHOT_ANSWER_MS,
  SCREENSHOT_BYTES_MAX,
  SCREENSHOT_WIDTH_MAX,
  type ScreenshotFault,
} from '#domain/screens/screenshot.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { ScreenshotRow } from '#sql/screenshots/screenshots.ts';
import { signPath } from '#storage/signed-url.ts';
import type { Screenshot } from './schema.ts';

export type CommandDependencies = { uploadKeys: readonly Uint8Array[]; urls: { public: string } };

/** The command with its message to the screen, which shows its label or else its id. */
export function commandTo(
  { urls, uploadKeys }: CommandDependencies,
  { screen, command, now }: { screen: Handle<'screen'>; command: ScreenCommand; now: Milliseconds },
) {
  const id = formatId('screen', screen);
  const messageOf = (label: string): CommandMessage => {
    if (command === 'reload') return { command };
    if (command === 'identify') return { command, name: label === '' ? id : label, duration_ms: IDENTIFY_MS };
    const path = signPath(screenshotPath(id), { key: uploadKeys[0]!, expiresAt: now + SCREENSHOT_ANSWER_MS });
    return {
      command,
      upload_url: urls.public + path,
      bytes_max: SCREENSHOT_BYTES_MAX,
      width_max: SCREENSHOT_WIDTH_MAX,
    };
  };
  return { screen, command, messageOf };
}

/** The upload path of a player's screenshot, which the address signs. */
export const screenshotPath = (id: string): string => `/screenshots/${id}`;

/** The newest request for a picture, and the newest picture. */
export function screenshotRecord(rows: readonly ScreenshotRow[], now: Milliseconds): Screenshot {
  const picture = rows.find(({ image }) => image !== null);
  return {
    ...stateOf(rows[0], now),
    requested_at: rows[0]?.requested_at.toISOString() ?? null,
    taken_at: picture?.answered_at?.toISOString() ?? null,
    image: picture ? `data:${picture.image_type};base64,${picture.image!.toString('base64')}` : null,
  };
}

function stateOf(newest: ScreenshotRow | undefined, now: Milliseconds): Pick<Screenshot, 'state' | 'fault'> {
  if (newest === undefined) return { state: 'none', fault: null };
  if (newest.image !== null) return { state: 'taken', fault: null };
  if (newest.fault !== null) return { state: 'failed', fault: newest.fault as ScreenshotFault };
  return now - newest.requested_at.getTime() < SCREENSHOT_ANSWER_MS
    ? { state: 'requested', fault: null }
    : { state: 'failed', fault: 'no_answer' };
}
