/** Where a run is measured: the commit and whether anything differs from it, the machine, Node, and what else runs. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

const BYTES_PER_GIB = 2 ** 30;
/** Written by keeping runs, one benchmark after the other: they change no figure. */
const KEPT_PATHS = [':!bench/history', ':!bench/README.md', ':!docs/performance.md', ':!README.md'];

export type WorkPlace = {
  commit: string;
  /** Paths that differ from the commit, as git names them; empty: the figures are the commit's. */
  changed: string[];
  /** Runs are compared with runs of the same machine. */
  machine: string;
  system: string;
  node: string;
  /** Of the last minute, before the run. */
  load: number;
};

export function readWorkPlace(): WorkPlace {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trimEnd();
  const processors = cpus();
  return {
    commit: git('rev-parse', '--short=8', 'HEAD'),
    changed: git('status', '--porcelain', '--', '.', ...KEPT_PATHS)
      .split('\n')
      .filter(line => line !== ''),
    machine: `${processors[0]?.model.trim() ?? 'unknown'}, ${processors.length} cores, ${Math.round(totalmem() / BYTES_PER_GIB)} GiB`,
    system: `${type()} ${release()}`,
    node: process.versions.node,
    load: Math.round(loadavg()[0]! * 10) / 10,
  };
}
