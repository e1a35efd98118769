/**
 * The browser of the tests of pages: Debian's chromium, installed where apt-get works. A machine that cannot have one
 * says why, and browser tests are skipped there.
 */
import { chromium, type Browser } from 'playwright-core';
import { findOrInstall } from '../../engines/package-manager.ts';

/**
 * Debian's chromium, installed where apt-get works. A machine that cannot have one says why, and browser tests are
 * skipped there.
 */
export async function findChromium(): Promise<{ path: string } | { missing: string }> {
  try {
    return {
      path: await findOrInstall({
        programs: ['chromium', 'chromium-browser', 'google-chrome'],
        debian: 'chromium',
        brew: 'chromium',
      }),
    };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}

/** As root a browser has no sandbox of its own; a screen on a wall plays without anyone touching it. */
export function launchChromium(path: string): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
  });
}
