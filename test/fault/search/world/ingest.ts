/** The ingest processes of a simulated world. */
import { createLog } from '#runtime/log.ts';
import { createAuthority } from '#authority/authority.ts';
import { readAsOf } from '../../../../ingest/queue/backlog.ts';
import { createGroups, type Group } from '../../../../ingest/groups.ts';
import { processGroup, type PipelineDependencies } from '../../../../ingest/pipeline.ts';
import { createWriter } from '../../../../ingest/rows/writer.ts';
import { KEYS } from '../../../ingest/reports.ts';
import { Breach } from '../breach.ts';
import { connectionOver } from './line.ts';
import { actorOf, SECOND, type Actor } from '../virtual-time.ts';
import type { Environment } from './environment.ts';

const LOCK_MS = 5 * SECOND;
const NEVER = new AbortController().signal;
const log = createLog('search', 'silent');

export type IngestWorker = { actor: Actor; busy: boolean; turns: number };

/** The processes of ingest: the real pipeline and writer, over a queue whose locks are kept here. */
export class Ingest {
  readonly workers: IngestWorker[];
  readonly #locks = new Map<string, number>();
  readonly #environment: Environment;

  constructor(environment: Environment, workers: number) {
    this.#environment = environment;
    this.workers = Array.from({ length: workers }, (_, at) => ({
      actor: actorOf(`ingest${at}`),
      busy: false,
      turns: at,
    }));
  }

  /** A worker takes some jobs that nobody holds, and goes with their groups as far as it gets. */
  takeJobs(worker: IngestWorker): void {
    const { redis, line, streams, time, random } = this.#environment;
    worker.busy = true;
    const { actor } = worker;
    const keys = streams[worker.turns++ % streams.length]!;
    void time
      .as(actor, async () => {
        const connection = connectionOver(redis, line);
        const groups = createGroups(connection, keys);
        const authority = createAuthority(connection);
        const deps: PipelineDependencies = {
          groups,
          authority,
          log,
          keys: KEYS,
          now: () => new Date(time.now),
          writer: createWriter({ clickhouse: this.#environment.clickhouse.client, groups, log }),
          lateBefore: async () =>
            Math.max(await line.pass('as_of', () => readAsOf(redis, keys)), await authority.epochs.lapseLine()),
          deadLetters: {
            keep: async letters => {
              if (letters.length > 0) throw new Breach(`a dead letter: ${JSON.stringify(letters[0])}`);
            },
          },
          scanEvents: { emit: async () => undefined },
          writtenScans: async () => new Set<string>(),
        };
        const free = (await connection.zrange(keys.pending, 0, -1)).filter(
          id => (this.#locks.get(id) ?? 0) <= time.now,
        );
        const taken = Array.from(
          { length: Math.min(free.length, random.one([1, 1, 2, 3])) },
          () => free.splice(random.pick(free.length), 1)[0]!,
        );
        if (taken.length === 0) return;
        this.#lock(taken);
        for (const group of await groups.form(taken)) await this.#carry(group, deps);
      })
      .catch((error: unknown) => this.#environment.noteBreach(error))
      .finally(() => {
        if (worker.actor === actor) worker.busy = false;
      });
  }

  kill(worker: IngestWorker): void {
    worker.actor.dead = true;
    this.#environment.line.drop(worker.actor);
    this.#environment.time.drop(worker.actor);
    worker.actor = actorOf(worker.actor.name);
    worker.busy = false;
  }

  /** As the consumer does: tried again, until it is done or forgotten by a rebuild. */
  async #carry(first: Group, deps: PipelineDependencies): Promise<void> {
    let group: Group = first;
    for (let tries = 0; tries < 4 && !group.done; tries++) {
      this.#lock(group.jobs);
      try {
        return await processGroup(group, deps, { signal: NEVER, known: new Map() });
      } catch (error) {
        this.#environment.noteBreach(error);
        if ((error as { code?: string }).code === 'group_gone') return;
      }
      const again = await deps.groups.form(group.jobs).catch(() => []);
      group = { ...(again.find(each => each.name === group.name) ?? group), generation: first.generation };
    }
  }

  #lock(jobs: readonly string[]): void {
    for (const id of jobs) this.#locks.set(id, this.#environment.time.now + LOCK_MS);
  }
}
