/** What the operator of the demo has imported, as a reader of the demo finds it: a rule with places, and audiences. */
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../../cli/demo/client.ts';
import { Command } from '../../support/command.ts';
import { eventually } from '../../support/network.ts';

const PATIENCE_MS = 60_000;
let command: Command | undefined;
afterEach(() => command?.remove());

type Ready = {
  api: string;
  clickhouse: { url: string; username: string; password: string };
  keys: { ads_manager: string };
};
type Decision = { reason: string | null; rule: string | null };

// The processes of a command are found by what /proc tells of them.
describe.runIf(process.platform === 'linux')('a running demo', () => {
  test('shows a campaign that a rule keeps away from a school, and plays counted by an imported audience', async () => {
    command = Command.run('demo', ['--json', '--screens', '40', '--campaigns', '12']);
    await command.saying('"event":"progress"');
    const ready = command.said.split('\n').find(line => line.includes('"event":"ready"'))!;
    const { api, clickhouse, keys } = JSON.parse(ready) as Ready;
    const brand = createClient(api, keys.ads_manager);
    const { data: campaigns } = await brand.get<{ data: { id: string; status: string }[] }>('/v1/campaigns?limit=20');
    const live = campaigns.filter(({ status }) => status === 'live');
    const rule = await eventually(async () => {
      for (const { id } of live) {
        const { data } = await brand.get<{ data: Decision[] }>(`/v1/campaigns/${id}/decisions?limit=100`);
        const found = data.find(({ reason }) => reason === 'restricted');
        if (found) return found.rule ?? 'no rule';
      }
      return undefined;
    }, PATIENCE_MS);
    expect(rule).toBe('Food and Beverage Services within 400 m of a school: Food near schools');
    const credentials = Buffer.from(`${clickhouse.username}:${clickhouse.password}`).toString('base64');
    const measured = await eventually(async () => {
      const answer = await fetch(`${clickhouse.url}/?database=marquee`, {
        method: 'POST',
        headers: { authorization: `Basic ${credentials}` },
        body: 'select count() from plays_raw where audience_number > 0',
      });
      return Number(await answer.text()) || undefined;
    }, PATIENCE_MS);
    expect(measured).toBeGreaterThan(0);
  }, 260_000);
});
