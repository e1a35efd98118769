/**
 * Which audiences of a report are believed: those that the paired sensing module signed. A real session in memory with
 * real signatures; no sockets.
 */
import { describe, expect, test } from 'vitest';
import { SensingModule } from '../../../cli/sensing-module.ts';
import { Attestation } from '../../../delivery/reports/attestation.ts';
import { chooseCodec } from '../../../delivery/protocol/codec.ts';
import type { PlaysReport } from '../../../delivery/protocol/inbound.ts';
import { Session } from '../../../delivery/screens/session.ts';
import type { ScreenRecord } from '../../../delivery/snapshot/records.ts';
import { Store } from '../../../delivery/snapshot/store.ts';
import { handle } from '../../support/handle.ts';
import { screenRecord, venueRecord } from '../records.ts';

const NOW = 1_800_000_000_000;
const module = new SensingModule('MQ-0001');
const stranger = new SensingModule('MQ-0002');

/** A session of a screen, and what is believed of its reports. */
function open(changes: Partial<ScreenRecord> = {}) {
  const store = new Store(NOW);
  const record = screenRecord({ sensor: true, sensorKey: module.publicKey, ...changes });
  store.apply({
    campaigns: new Map(),
    venues: [venueRecord()],
    screens: new Map([[record.handle, record]]),
    playlists: new Map(),
  });
  const attestation = new Attestation(store);
  let session = sessionOf(store);
  const attest = (audiences: (number | undefined)[], signed?: string, nowMs = NOW) =>
    attestation.attest(session, { ...reportOf(audiences), attestation: signed }, nowMs);
  return Object.assign(attest, { reconnect: () => void (session = sessionOf(store)) });
}

function sessionOf(store: Store): Session {
  const session = new Session({
    codec: chooseCodec('marquee.v1.json')!,
    address: '',
    nowMs: NOW,
    messagesPerSecondMax: 10,
  });
  session.screenHandle = handle('screen', 1);
  session.screen = store.screens.screenIndex(session.screenHandle)!;
  return session;
}

const reportOf = (audiences: readonly (number | undefined)[]): PlaysReport => ({
  t: 'plays',
  id: 1,
  settledTo: undefined,
  attestation: undefined,
  plays: audiences.map((audience, at) => ({ playId: `play-${at}`, startedAt: NOW, playedMs: 6_000, audience })),
});
const sign = (by: SensingModule, audiences: readonly (number | undefined)[]): string =>
  by.attest(reportOf(audiences).plays.map(({ playId, audience }) => ({ play_id: playId, audience })));
const audiencesOf = ({ plays }: ReturnType<ReturnType<typeof open>>) => plays.map(play => play.audience);

describe('the audiences of a report', () => {
  test('are accepted if the paired module signed them together, without those that it did not count', () => {
    const attest = open();
    const believed = attest([3, undefined, 0], sign(module, [3, undefined, 0]));
    expect([audiencesOf(believed), believed.unattested]).toEqual([[3, undefined, 0], 0]);
  });

  test.each<[string, () => ReturnType<ReturnType<typeof open>>]>([
    ['nobody signed', () => open()([3, 4])],
    ['another module signed', () => open()([3, 4], sign(stranger, [3, 4]))],
    ['were changed after that', () => open()([3, 5], sign(module, [3, 4]))],
    ['were signed in another order', () => open()([3, 4], sign(module, [4, 3]))],
    ['were signed with one more', () => open()([3, 4], sign(module, [3, 4, 5]))],
    [
      'come of a screen without a module',
      () => open({ sensor: false, sensorKey: undefined })([3, 4], sign(module, [3, 4])),
    ],
    [
      'come of a live screen whose module is only declared',
      () => open({ sensorKey: undefined })([3, 4], sign(module, [3, 4])),
    ],
  ])('are left out if they %s', (_, attest) => {
    const left = attest();
    expect([audiencesOf(left), left.unattested]).toEqual([[undefined, undefined], 2]);
  });

  test('are not signed for a play id with a line break', () => {
    expect(() => module.attest([{ play_id: 'play-0 1000\nplay-1', audience: 3 }])).toThrow('not a play id');
  });

  test('are ignored for ten seconds after a wrong signature, even on a new connection', () => {
    const attest = open();
    attest([9], sign(stranger, [9]));
    attest.reconnect();
    expect(attest([3], sign(module, [3]), NOW + 9_999).unattested).toBe(1);
    expect(attest([3], sign(module, [3]), NOW + 10_000).unattested).toBe(0);
  });

  test('are accepted from a declared module in the sandbox, and from no other sandbox screen', () => {
    expect(audiencesOf(open({ sandbox: true, sensorKey: undefined })([3]))).toEqual([3]);
    expect(audiencesOf(open({ sandbox: true, sensor: false, sensorKey: undefined })([3]))).toEqual([undefined]);
  });
});
