/**
 * A brand's planner at work while things fail: each call is repeated under its Idempotency-Key until it is answered,
 * and in the end every campaign that was answered must be there once.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import type { Postgres } from '#sql/postgres.ts';
import { bodyOfCampaign } from '../../support/network.ts';
import type { Random } from '../search/random.ts';

/** A call and its repeats; the longest fault lasts ten minutes, and services are back within one. */
const PATIENCE_MS = 900_000;
const TRY_AGAIN_MS = 250;
const ANSWER_MS_MAX = 15_000;

export class Planner {
  readonly #target: { apiUrl: string; key: string; creative: string; everyMs: number };
  readonly #random: Random;
  readonly #made: string[] = [];
  #isOver = false;
  #work: Promise<void> = Promise.resolve();
  /** Answers that nobody should get. */
  readonly faults: string[] = [];

  constructor(target: { apiUrl: string; key: string; creative: string; everyMs: number }, random: Random) {
    this.#target = target;
    this.#random = random;
  }

  start(): void {
    this.#isOver = false;
    this.#work = this.#plan();
  }

  /** Resolves when the last call is answered. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#work;
  }

  async #plan(): Promise<void> {
    while (!this.#isOver) {
      const name = `Planned ${randomBytes(6).toString('hex')}`;
      const created = await this.#until(
        'POST',
        '/v1/campaigns',
        bodyOfCampaign({
          name,
          creatives: [this.#target.creative],
          budget: { amount: 20 + this.#random.pick(20), currency: 'EUR' },
        }),
      );
      if (created) {
        this.#made.push(name);
        await this.#until('PATCH', `/v1/campaigns/${created['id'] as string}`, {
          budget: { amount: 15, currency: 'EUR' },
        });
      }
      await wait(this.#target.everyMs);
    }
  }

  /** Repeats a call until it takes effect or is refused for good. */
  async #until(method: 'POST' | 'PATCH', path: string, body: object): Promise<Record<string, unknown> | undefined> {
    const once = randomBytes(8).toString('hex');
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
      const answer = await this.#call(method, path, { body, once });
      if (answer && answer.status < 300) return answer.body;
      if (answer?.status === 500) this.faults.push(`${method} ${path}: ${JSON.stringify(answer.body)}`);
      if (answer && answer.status < 500 && answer.body['code'] !== 'idempotency_in_flight') {
        this.faults.push(`${method} ${path}: ${JSON.stringify(answer.body)}`);
        return undefined;
      }
      await wait(TRY_AGAIN_MS);
    }
    this.faults.push(`${method} ${path} was never answered`);
    return undefined;
  }

  async #call(
    method: 'POST' | 'PATCH',
    path: string,
    { body, once }: { body: object; once: string },
  ): Promise<{ status: number; body: Record<string, unknown> } | undefined> {
    try {
      const response = await request(`${this.#target.apiUrl}${path}`, {
        method,
        body: JSON.stringify(body),
        bodyTimeout: ANSWER_MS_MAX,
        headersTimeout: ANSWER_MS_MAX,
        headers: {
          authorization: `Bearer ${this.#target.key}`,
          'content-type': 'application/json',
          'idempotency-key': once,
        },
      });
      return { status: response.statusCode, body: (await response.body.json()) as Record<string, unknown> };
    } catch {
      // the process died, or nothing came: whether it took effect is not known, so the call is repeated
      return undefined;
    }
  }

  /** Campaigns that were asked for once and are not there once. */
  async miscounted(sql: Postgres): Promise<string[]> {
    const rows = await sql<
      { name: string; n: number }[]
    >`select name, count(*)::int as n from campaigns where name like 'Planned %' group by name`;
    const counts = new Map(rows.map(({ name, n }) => [name, n]));
    const wrong = this.#made.filter(name => counts.get(name) !== 1).map(name => `${name}: ${counts.get(name) ?? 0}`);
    return [
      ...wrong,
      ...rows.filter(({ name, n }) => n > 1 && !this.#made.includes(name)).map(({ name, n }) => `${name}: ${n}`),
    ];
  }
}
