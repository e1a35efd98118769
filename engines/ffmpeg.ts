/** Finds or installs ffmpeg, for the encodings of creatives and the videos of the demo. */
import { findOrInstall } from './package-manager.ts';

/**
 * The path of an ffmpeg: from PATH, else installed by apt-get or brew (announced on stderr).
 * Throws an Error with the command to run if it cannot be installed.
 */
export function findFfmpeg(): Promise<string> {
  return findOrInstall({ programs: ['ffmpeg'], debian: 'ffmpeg', brew: 'ffmpeg' });
}
