/** What a process does before its first screen connects: it leaves nothing behind, and does what screens ask for. */
import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { formatDeviceToken } from '#domain/access/key.ts';
import { parseSigningKeys } from '#domain/plays/play.ts';
import type { Link } from '../../delivery/screens/session.ts';
import { createLog } from '#runtime/log.ts';
import { registry as metrics } from '#runtime/metrics.ts';
import { CLOCKS } from '../../delivery/clocks.ts';
import { chooseCodec } from '../../delivery/protocol/codec.ts';
import { madeUpConversation } from '../../delivery/warm-up/made-up-conversation.ts';
import { warmUp } from '../../delivery/warm-up/warm-up.ts';
import { SIGNING_KEYS } from './delivery-under-test.ts';

const keys = parseSigningKeys(SIGNING_KEYS);
const codec = chooseCodec('marquee.v1.json')!;
const frameOf = (message: object): ArrayBuffer => Uint8Array.from(Buffer.from(JSON.stringify(message))).buffer;

test('a warm-up counts, logs and leaves nothing, not even a timer', async () => {
  const lines: string[] = [];
  const log = createLog('test', 'trace', { write: line => void lines.push(line) });
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
  const [countedBefore, timersBefore] = [await metrics.metrics(), timers()];
  await warmUp(keys, CLOCKS, log);
  expect(await metrics.metrics()).toBe(countedBefore);
  expect(countedBefore).toContain('delivery_decision_seconds_count 0');
  expect(lines).toEqual([]);
  await expect.poll(timers).toBe(timersBefore);
});

test('a screen in a simulated conversation gets its welcome, its list of files and ads', () => {
  const token = formatDeviceToken(new Uint8Array(32));
  const tokenHashes = [hash('sha256', token, 'base64')];
  const log = createLog('test', 'fatal');
  const { conversation, clock } = madeUpConversation({ tokenHashes, keys, clocks: CLOCKS, log });
  const heard: { t: string; slots?: object[] }[] = [];
  const link: Link = {
    send: frame => {
      heard.push(JSON.parse(String(frame)) as { t: string });
      return 1;
    },
    cork: write => write(),
    ping: () => undefined,
    end: () => undefined,
  };
  const session = conversation.opened(codec, link, '');
  conversation.received(session, frameOf({ t: 'hello', token, platform: 'linux' }), false);
  conversation.received(session, frameOf({ t: 'slot', id: 1, at: clock.nowMs, count: 1 }), false);
  conversation.close();
  expect(heard.map(({ t }) => t)).toEqual(['welcome', 'prefetch', 'fill']);
  expect(heard[2]!.slots).toEqual([expect.objectContaining({ play_id: expect.any(String) as string })]);
});
