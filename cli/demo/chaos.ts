/**
 * `--chaos`: while the screens play, kill -9 of ingest, of one delivery process, of Redis and of ClickHouse, spread
 * over the run. The supervisor brings each back; the comparison at the end must still find nothing lost or counted
 * twice.
 */
import type { Instance } from '../instance/instance.ts';

const VICTIMS = ['ingest', 'delivery', 'redis', 'clickhouse'] as const;
/** Between two kills when the demo has no end. */
const PERIOD_MS = 15_000;

/** Plans the kills; returns a function that cancels the remaining ones. */
export function startChaos(
  instance: Instance,
  { forSeconds, onKill }: { forSeconds: number | undefined; onKill: (victim: string, pid: number) => void },
): () => void {
  const stepMs = forSeconds === undefined ? PERIOD_MS : (forSeconds * 1_000) / (VICTIMS.length + 1);
  const timers = VICTIMS.map((victim, index) =>
    setTimeout(
      () => {
        const pid = [instance.pids()[victim] ?? []].flat()[0];
        if (pid === undefined || pid === 0) return;
        onKill(victim, pid);
        process.kill(pid, 'SIGKILL');
      },
      stepMs * (index + 1),
    ),
  );
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
