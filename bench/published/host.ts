/**
 * The host of a run: what it is, how fast it was before and after, and what else ran. A figure of one host is compared
 * with that of another by these speeds.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { median, round } from '../protocol.ts';

const BYTES_PER_GIB = 2 ** 30;
const BLOCK_BYTES = 64 * 1024 * 1024;
/** Two seconds in all. The middle counts: a moment's pause is nothing to a run of minutes. */
const PROBES = 15;
/** Written by publishing, one benchmark after the other: they change no figure. */
const PUBLISHED_PATHS = [':!bench/results', ':!docs/performance.md', ':!README.md'];

export type Host = { machine: string; system: string; node: string };

/** Speed of the machine: SHA-256 needs instructions, a copy of 64 MB needs memory. Load: of the last minute. */
export type Speed = { hash_mb_per_second: number; copy_gb_per_second: number; load: number };

export function describeHost(): Host {
  const processors = cpus();
  return {
    machine: `${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} cores, ${Math.round(totalmem() / BYTES_PER_GIB)} GiB`,
    system: `${type()} ${release()}`,
    node: process.versions.node,
  };
}

export function measureSpeed(blockBytes = BLOCK_BYTES): Speed {
  const [load] = loadavg();
  const block = Buffer.alloc(blockBytes, 7);
  const copy = Buffer.alloc(blockBytes);
  const megabytesPerSecond = (work: () => void): number => {
    const rates = Array.from({ length: PROBES }, () => {
      const from = performance.now();
      work();
      return blockBytes / 1e3 / (performance.now() - from);
    });
    return median(rates);
  };
  return {
    hash_mb_per_second: Math.round(megabytesPerSecond(() => createHash('sha256').update(block).digest())),
    copy_gb_per_second: round(megabytesPerSecond(() => block.copy(copy)) / 1e3),
    load: Math.round(load! * 10) / 10,
  };
}

/** The commit, and the paths that differ from it, as git names them. None: the figures are the commit's. */
export function readCommit(): { commit: string; changed: string[] } {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trimEnd();
  const changed = git('status', '--porcelain', '--', '.', ...PUBLISHED_PATHS).split('\n');
  return { commit: git('rev-parse', '--short=8', 'HEAD'), changed: changed.filter(line => line !== '') };
}
