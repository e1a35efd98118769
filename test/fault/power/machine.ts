/**
 * A machine whose power can be cut: `npm start` on disks of its own, among processes of its own, under a boot id of its
 * own at each start. After a cut it is started again on what the disks have kept.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EngineUrls } from '#engines/run.ts';
import { freePort } from '../../../cli/instance/free-port.ts';
import { instancePath, type InstanceFile } from '../../../cli/instance/instance.ts';
import type { Installation } from '../load/load.ts';
import type { Random } from '../search/random.ts';
import { cutOff, IN_ITS_OWN_SPACE, makeDisk, mountLine, released, type Disk } from './disk.ts';

const PREFIX = 'marquee-power-';
/** A first start makes a cluster of Postgres and both schemas; on a busy machine that is a minute. */
const READY_MS_MAX = 180_000;
const SAID_CHARS_MAX = 4_000;
/** What a machine starts, `npm start` unless another program is given: it says a JSON line with `event: "ready"`. */
export type Program = readonly string[];
/** Where in the data folder a disk of its own begins; the first is the data folder itself. */
export const LAYOUTS = {
  'one disk': [''],
  'a disk per engine': ['', 'engines/postgres', 'engines/redis', 'engines/clickhouse'],
} as const;
export type Layout = keyof typeof LAYOUTS;
/** Whether a disk has kept what was written on it just before the cut, one file synced and one not. */
type Kept = { synced: boolean; unsynced: boolean };

export class Machine implements Installation {
  readonly apiUrl: string;
  readonly dataDir: string;
  readonly #folder: string;
  readonly #ports: { api: number; delivery: number };
  readonly #disks: readonly Disk[];
  #space: ChildProcess | undefined;
  #said = '';
  /** What the files say that were written just before the last cut. */
  #mark = '';

  private constructor(
    folder: string,
    { disks, ports }: { disks: readonly Disk[]; ports: { api: number; delivery: number } },
  ) {
    this.#folder = folder;
    this.dataDir = disks[0]!.mount;
    this.#disks = disks;
    this.#ports = ports;
    this.apiUrl = `http://127.0.0.1:${ports.api}`;
  }

  static async make(layout: Layout): Promise<Machine> {
    const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    chmodSync(folder, 0o755); // Postgres does not run as root and must reach its own folder
    const disks: Disk[] = [];
    for (const [number, at] of LAYOUTS[layout].entries())
      disks.push(await makeDisk({ image: join(folder, `disk-${number}`), mount: join(folder, 'data', at) }));
    return new Machine(folder, { disks, ports: { api: await freePort(), delivery: await freePort() } });
  }

  /**
   * Starts it, and answers with the line in which the program says that it is ready. @throws with what it said instead
   */
  async boot(program: Program = this.#start()): Promise<Record<string, unknown>> {
    return await this.#readyLine(this.bootUnseen(program));
  }

  /** Starts it without waiting for anything. */
  bootUnseen(program: Program = this.#start()): ChildProcess {
    const bootId = join(this.#folder, 'boot_id');
    writeFileSync(bootId, `${randomUUID()}\n`);
    const [command, ...rest] = IN_ITS_OWN_SPACE;
    // The shell stays: it is the first process here, and takes in what others leave behind.
    const inside = `set -e\n${this.#disks.map(mountLine).join('\n')}\nmount --bind '${bootId}' /proc/sys/kernel/random/boot_id\n"$@"`;
    const space = spawn(command, [...rest, 'sh', '-c', inside, 'machine', ...program], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
    });
    this.#space = space;
    this.#said = '';
    space.stderr.on('data', (text: Buffer) => {
      this.#said = (this.#said + text.toString()).slice(-SAID_CHARS_MAX);
    });
    return space;
  }

  #start(): Program {
    const ports = ['--port', String(this.#ports.api), '--delivery-port', String(this.#ports.delivery)];
    return [
      process.execPath,
      '--import',
      'tsx',
      'cli/start.ts',
      '--json',
      '--data-dir',
      this.dataDir,
      '--delivery-processes',
      '2',
      '--ingest-processes',
      '2',
      ...ports,
    ];
  }

  async #readyLine(space: ChildProcess): Promise<Record<string, unknown>> {
    const timer = setTimeout(() => void this.#end(), READY_MS_MAX);
    try {
      for await (const line of createInterface({ input: space.stdout! })) {
        const said = line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : undefined;
        if (said?.['event'] === 'ready') return said;
      }
    } finally {
      clearTimeout(timer);
      space.stdout!.resume(); // what it says later is nobody's
    }
    throw new Error(`the machine did not start; it said:\n${this.#said}`);
  }

  get urls(): EngineUrls {
    return (JSON.parse(readFileSync(this.pathOf(instancePath(this.dataDir)), 'utf8')) as InstanceFile).urls;
  }

  deliveryUrl(): string {
    return `ws://127.0.0.1:${this.#ports.delivery}/v1/screens/socket`;
  }

  /**
   * Cuts the power of all disks within a millisecond, in an order by chance, and ends every process. Resolves when it
   * could be started again.
   */
  async cut(random: Random): Promise<void> {
    this.#mark = randomUUID();
    for (const { mount } of this.#disks) writeControls(this.pathOf(mount), this.#mark);
    const waiting = [...this.#disks];
    await cutOff(
      this.#disks.map(() => waiting.splice(random.pick(waiting.length), 1)[0]!),
      this.#root(),
    );
    await this.#end();
  }

  /** By disk; true power cuts keep what was synced and lose the rest. */
  kept(): Kept[] {
    return this.#disks.map(({ mount }) => {
      const has = (name: keyof Kept): boolean => {
        const path = controlPath(this.pathOf(mount), name);
        return existsSync(path) && readFileSync(path, 'utf8') === this.#mark;
      };
      return { synced: has('synced'), unsynced: has('unsynced') };
    });
  }

  /** Ends it and takes everything away. */
  async stop(): Promise<void> {
    await this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #end(): Promise<void> {
    const space = this.#space;
    this.#space = undefined;
    if (space && space.exitCode === null && space.signalCode === null) {
      const ended = once(space, 'exit');
      space.kill('SIGKILL');
      await ended;
    }
    await Promise.all(this.#disks.map(released));
  }

  /** Where a path of the machine is for this process. */
  pathOf(inside: string): string {
    return this.#root() + inside;
  }

  /** The file tree as the machine's processes see it. */
  #root(): string {
    const pid = this.#space!.pid!;
    const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]!;
    return `/proc/${first}/root`;
  }
}

/** Nothing of this test's own engines, and no files of the product but on the disks. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(DATABASE_URL|REDIS_URL|CLICKHOUSE_URL|SIGNING_KEYS|ENCRYPTION_KEY|STORAGE_URL|PUBLIC_URL|NODE_OPTIONS|VITEST.*)$/.test(
        name,
      ),
  );
  return {
    ...Object.fromEntries(kept),
    LOG_LEVEL: process.env['FAULT_LOG'] ?? 'fatal',
    SCREEN_MESSAGES_PER_SECOND_MAX: '1000',
    SCREEN_PLAYS_OVERLAP: '1',
  };
}

const controlPath = (folder: string, name: keyof Kept): string => join(folder, `control-${name}`);

function writeControls(folder: string, mark: string): void {
  for (const name of ['synced', 'unsynced'] as const) {
    const file = openSync(controlPath(folder, name), 'w');
    writeFileSync(file, mark);
    if (name === 'synced') fsyncSync(file);
    closeSync(file);
  }
}

/** Takes away what runs left that were killed: their machines ended with them, their files did not. */
export function sweepMachines(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^marquee-power-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}
