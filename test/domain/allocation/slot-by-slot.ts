/** The most that a campaign with a frequency cap could get of one screen, found by trying every slot of a day. */
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SLOT_MS = 15_000;

/** A slot may be given to the campaign when fewer than `cap` of its plays lie less than an hour before it. */
export function mostPlays(adRatio: number, cap: number): number {
  const plays: number[] = [];
  for (let atMs = 0; atMs < DAY_MS; atMs += SLOT_MS / adRatio)
    if (plays.length < cap || atMs - plays.at(-cap)! >= HOUR_MS) plays.push(atMs);
  return plays.length;
}
