/** What a demo keeps in its folder for the next start, and what it says of a folder that it cannot continue. */
import { createPublicKey, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepNetwork, readKeptNetwork } from '../../../cli/demo/network/kept.ts';
import type { MadeNetwork } from '../../../cli/demo/network/network.ts';
import { SensingModule } from '../../../cli/sensing-module.ts';
import { pairingText } from '#domain/screens/sensor.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-demo-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const networkWith = (module: SensingModule): MadeNetwork => ({
  parties: [],
  keys: { ads_manager: 'a', screen_manager: 'b', agency: 'c', operator: 'd', load_test: 'e' },
  screens: [{ screenId: 'scr_1', token: 'token', platform: 'tizen', module }],
  away: [{ screenId: 'scr_2', token: 'other', platform: 'webos', module: undefined }],
  campaigns: [{ id: 'cmp_1', name: 'One', budgetMicros: 1 }],
  brandKeys: ['a'],
});

test('a network is kept for its owner alone, and its sensing modules sign as before', () => {
  const module = new SensingModule('DEMO-0001');
  const network = networkWith(module);
  keepNetwork(folder, network);
  expect(statSync(join(folder, 'demo.json')).mode & 0o777).toBe(0o600);
  const { screens, ...rest } = readKeptNetwork(folder)!;
  const { screens: _made, ...expected } = network;
  expect(rest).toEqual(expected);
  const kept = screens[0]!.module!;
  expect([kept.serial, kept.publicKey]).toEqual([module.serial, module.publicKey]);
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(module.publicKey, 'base64').toString('base64url') },
    format: 'jwk',
  });
  const text = pairingText({ screenId: 'scr_1', serial: module.serial, challenge: 'x' });
  const signature = Buffer.from(kept.signPairing('scr_1', 'x'), 'base64url');
  expect(verify(null, Buffer.from(text), key, signature)).toBe(true);
});

test('a new folder holds no network; one with other data or half a demo is refused with what to do', () => {
  expect(readKeptNetwork(folder)).toBeUndefined();
  mkdirSync(join(folder, 'engines'));
  expect(() => readKeptNetwork(folder)).toThrow(
    `${folder} holds data, but no complete demo. Give --data-dir another folder, or delete this one.`,
  );
});
