/**
 * Sensing modules are enrolled by the operator and paired with a screen by a signature over a challenge. A signature of
 * another module, screen or time does not pair. Driven by calls to the API in this process on real engines; the test
 * signs as a module does.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, type Handle } from '../../../domain/id.ts';
import { CHALLENGE_VALID_MS } from '../../../domain/screens/sensor.ts';
import { enrolSensor, listSensors, revokeSensor } from '../../../cli/admin/supply/sensors.ts';
import { SensingModule } from '../../../cli/sensing-module.ts';
import { createLoader } from '../../../delivery/snapshot/loader.ts';
import { createLog } from '../../../runtime/log.ts';
import { changesSince, currentPosition } from '#books/change-log.ts';
import {
  createKey,
  createWorkspace,
  startApi,
  VENUE,
  type Answer,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { errorsOf } from '../support/answer.ts';

let api: TestApi;
let serials = 0;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

type House = { workspace: TestWorkspace; key: string; screens: string[] };

async function createHouse({
  screens = 1,
  mode = 'live',
  workspace: given,
}: { screens?: number; mode?: 'live' | 'test'; workspace?: TestWorkspace } = {}): Promise<House> {
  const workspace = given ?? (await createWorkspace(api, { kind: 'venue' }));
  const key = await createKey(api, workspace, { surface: 'screen_manager', mode });
  const venue = (await api.call('POST', '/v1/venues', { key, body: VENUE })).body['id']!;
  const made: string[] = [];
  for (let number = 0; number < screens; number++) {
    const { code } = (await api.call('POST', '/v1/pairing', { key, body: { venue_id: venue } })).body;
    made.push(
      (await api.call('POST', '/v1/screens', { key, body: { venue_id: venue, label: 'Wall', code } })).body['id']!,
    );
  }
  return { workspace, key, screens: made };
}

async function enrol(workspace: Handle<'workspace'>): Promise<SensingModule> {
  const module = new SensingModule(`MQ-${String(++serials).padStart(4, '0')}`);
  await enrolSensor(api.sql, new Date(), { workspace, ...module });
  return module;
}

const challenge = ({ key }: House, screen: string, serial: string) =>
  api.call('POST', `/v1/screens/${screen}/sensor/challenge`, { key, body: { serial } });
const prove = ({ key }: House, screen: string, body: object) =>
  api.call('POST', `/v1/screens/${screen}/sensor`, { key, body });
const read = async ({ key }: House, screen: string) => (await api.call('GET', `/v1/screens/${screen}`, { key })).body;

async function pair(house: House, screen: string, module: SensingModule): Promise<Answer> {
  const { body } = await challenge(house, screen, module.serial);
  return prove(house, screen, {
    serial: module.serial,
    challenge: body['challenge'],
    signature: module.signPairing(screen, body['challenge']!),
  });
}

/** What delivery knows of the module of a screen. */
async function keyAt(screen: string): Promise<{ sensor: boolean; sensorKey: string | undefined }> {
  const [record] = await createLoader({
    sql: api.sql,
    publicUrl: 'http://api.test',
    log: createLog('delivery', 'error'),
  }).loadScreens([parseId('screen', screen)!]);
  return { sensor: record!.sensor, sensorKey: record!.sensorKey };
}

describe('a sensing module', () => {
  test('is paired by its signature over a challenge, with a change for delivery and an audit entry', async () => {
    const house = await createHouse();
    const [screen] = house.screens as [string];
    const module = await enrol(house.workspace.handle);
    const before = await currentPosition(api.sql);
    expect(await pair(house, screen, module)).toMatchObject({
      status: 200,
      body: { sensor_paired: true, sensor: { serial: module.serial, attested_at: null } },
    });
    expect(await keyAt(screen)).toEqual({ sensor: true, sensorKey: module.publicKey });
    expect((await changesSince(api.sql, before)).changes).toMatchObject([
      { entity: 'screen', handle: parseId('screen', screen) },
    ]);
    const [entry] =
      await api.sql`select action, diff from audit_entries where entity_type = 'screen' and entity_handle = ${parseId('screen', screen)!} order by number desc limit 1`;
    expect(entry).toMatchObject({ action: 'screen.updated', diff: { sensor: { from: null, to: module.serial } } });
    expect(await listSensors(api.sql, house.workspace.handle)).toMatchObject({
      sensors: [{ serial: module.serial, screen_id: screen, revoked_at: null }],
      more: false,
    });
  });

  test('is not paired by a signature of another module, over another screen or challenge, or after its expiry', async () => {
    const house = await createHouse({ screens: 2 });
    const [screen, other] = house.screens as [string, string];
    const [module, stranger] = [await enrol(house.workspace.handle), await enrol(house.workspace.handle)];
    const { challenge: open } = (await challenge(house, screen, module.serial)).body;
    const proof = (signature: string, changes: object = {}) =>
      prove(house, screen, { serial: module.serial, challenge: open, signature, ...changes });
    const good = module.signPairing(screen, open!);
    for (const wrong of [
      stranger.signPairing(screen, open!),
      module.signPairing(other, open!),
      module.attest([{ play_id: open!, audience: 1 }]),
    ]) {
      expect(await proof(wrong)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/signature', code: 'bad_signature' }] },
      });
    }
    expect(await proof(good, { challenge: 'A'.repeat(43) })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/challenge', code: 'expired_challenge' }] },
    });
    expect(await prove(house, other, { serial: module.serial, challenge: open, signature: good })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/challenge' }] },
    });
    api.clock.offsetMs += CHALLENGE_VALID_MS;
    expect(await proof(good)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/challenge', code: 'expired_challenge' }] },
    });
    api.clock.offsetMs -= CHALLENGE_VALID_MS;
    expect(await proof('short')).toMatchObject({ status: 422, body: { errors: [{ pointer: '/signature' }] } });
    expect(await keyAt(screen)).toEqual({ sensor: false, sensorKey: undefined });
  });

  test('with a key that accepts forged signatures is neither enrolled nor paired', async () => {
    const house = await createHouse();
    const identity = Buffer.from([1, ...Array.from({ length: 31 }, () => 0)]);
    const [serial, screen] = [`MQ-${String(++serials).padStart(4, '0')}`, house.screens[0]!];
    const { handle } = house.workspace;
    await expect(
      enrolSensor(api.sql, new Date(), { workspace: handle, serial, publicKey: identity.toString('base64') }),
    ).rejects.toThrow('small order');
    await api.sql`insert into sensors (workspace_handle, serial, public_key, enrolled_at)
      values (${handle}, ${serial}, ${identity}, now())`;
    const { body } = await challenge(house, screen, serial);
    const signature = Buffer.concat([identity, Buffer.alloc(32)]).toString('base64url');
    const forged = await prove(house, screen, { serial, challenge: body['challenge'], signature });
    expect(errorsOf(forged.body)).toMatchObject([{ pointer: '/signature', code: 'bad_signature' }]);
  });

  test('is not paired again by a used signature', async () => {
    const house = await createHouse();
    const [screen] = house.screens as [string];
    const module = await enrol(house.workspace.handle);
    const { challenge: open } = (await challenge(house, screen, module.serial)).body;
    const proof = { serial: module.serial, challenge: open, signature: module.signPairing(screen, open!) };
    expect((await prove(house, screen, proof)).status).toBe(200);
    expect((await api.call('DELETE', `/v1/screens/${screen}/sensor`, { key: house.key })).status).toBe(204);
    expect(await prove(house, screen, proof)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/challenge' }] },
    });
    expect(await read(house, screen)).toMatchObject({ sensor_paired: false, sensor: null });
  });

  test('of another workspace gets the same answer as an unknown one', async () => {
    const [house, neighbour] = [await createHouse(), await createHouse()];
    const module = await enrol(neighbour.workspace.handle);
    const answers = [
      await challenge(house, house.screens[0]!, module.serial),
      await challenge(house, house.screens[0]!, 'NO-SUCH-MODULE'),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/serial', code: 'unknown_sensor' }] } });
    expect((await challenge(neighbour, house.screens[0]!, module.serial)).status).toBe(404);
  });

  test('is out of reach of test keys, which neither pair it nor use up its challenge', async () => {
    const house = await createHouse();
    const [screen] = house.screens as [string];
    const play = await createHouse({ mode: 'test', workspace: house.workspace });
    const module = await enrol(house.workspace.handle);
    const { challenge: open } = (await challenge(house, screen, module.serial)).body;
    const refused = { status: 403, body: { code: 'wrong_mode' } };
    expect(await challenge(play, play.screens[0]!, module.serial)).toMatchObject(refused);
    const proof = { serial: module.serial, challenge: open, signature: module.signPairing(screen, open!) };
    expect(await prove(play, play.screens[0]!, proof)).toMatchObject(refused);
    expect((await prove(house, screen, proof)).body).toMatchObject({ sensor: { serial: module.serial } });
  });

  test('serves one screen at a time, and replaces the previous module of a screen', async () => {
    const house = await createHouse({ screens: 2 });
    const [screen, other] = house.screens as [string, string];
    const [module, next] = [await enrol(house.workspace.handle), await enrol(house.workspace.handle)];
    await pair(house, screen, module);
    expect(await challenge(house, other, module.serial)).toMatchObject({
      status: 409,
      body: { code: 'state_conflict' },
    });
    expect((await pair(house, screen, next)).body).toMatchObject({ sensor: { serial: next.serial } });
    expect((await pair(house, other, module)).body).toMatchObject({ sensor: { serial: module.serial } });
    expect((await api.call('DELETE', `/v1/screens/${other}`, { key: house.key })).status).toBe(204);
    expect((await pair(house, screen, module)).body).toMatchObject({ sensor: { serial: module.serial } });
  });

  test('leaves its screen when it is revoked, and may be enrolled again', async () => {
    const house = await createHouse();
    const [screen] = house.screens as [string];
    const module = await enrol(house.workspace.handle);
    await pair(house, screen, module);
    await expect(enrolSensor(api.sql, new Date(), { workspace: house.workspace.handle, ...module })).rejects.toThrow(
      'is enrolled',
    );
    const before = await currentPosition(api.sql);
    expect(await revokeSensor(api.sql, new Date(), module.serial)).toMatchObject({ screen_id: screen, revoked: true });
    expect((await changesSince(api.sql, before)).changes).toMatchObject([
      { entity: 'screen', handle: parseId('screen', screen) },
    ]);
    expect([await keyAt(screen), await read(house, screen)]).toMatchObject([
      { sensor: false, sensorKey: undefined },
      { sensor_paired: false, sensor: null },
    ]);
    expect((await challenge(house, screen, module.serial)).status).toBe(422);
    await expect(revokeSensor(api.sql, new Date(), module.serial)).rejects.toThrow('No module');
    await enrolSensor(api.sql, new Date(), { workspace: house.workspace.handle, ...module });
    expect((await pair(house, screen, module)).status).toBe(200);
  });

  test.each([
    ['a serial in small letters', { serial: 'mq-1' }],
    ['a key that is too short', { publicKey: 'AAAA' }],
    ['a key that is no base64', { publicKey: `${'A'.repeat(42)}!` }],
  ])('with %s is not enrolled', async (_, changes) => {
    const { workspace } = await createHouse({ screens: 0 });
    await expect(
      enrolSensor(api.sql, new Date(), { workspace: workspace.handle, ...new SensingModule('MQ-GOOD'), ...changes }),
    ).rejects.toThrow(/--serial|--public-key/);
  });
});

describe('PATCH sensor_paired', () => {
  const patch = (house: House, value: boolean) =>
    api.call('PATCH', `/v1/screens/${house.screens[0]}`, {
      key: house.key,
      body: { sensor_paired: value, label: 'Wall' },
    });

  test('true without a module is refused, and says how to pair one', async () => {
    const house = await createHouse();
    expect(await patch(house, true)).toMatchObject({
      status: 409,
      body: {
        code: 'sensor_not_paired',
        detail: expect.stringContaining(`/v1/screens/${house.screens[0]}/sensor/challenge`),
      },
    });
    expect(await read(house, house.screens[0]!)).toMatchObject({ sensor_paired: false, label: 'Wall' });
  });

  test('true changes nothing if a module is paired, and false removes the module', async () => {
    const house = await createHouse();
    const module = await enrol(house.workspace.handle);
    await pair(house, house.screens[0]!, module);
    expect(await patch(house, true)).toMatchObject({ status: 200, body: { sensor: { serial: module.serial } } });
    expect(await patch(house, false)).toMatchObject({ status: 200, body: { sensor_paired: false, sensor: null } });
    expect(await keyAt(house.screens[0]!)).toEqual({ sensor: false, sensorKey: undefined });
  });

  test('declares a module freely in the sandbox', async () => {
    const house = await createHouse({ mode: 'test' });
    expect(await patch(house, true)).toMatchObject({ status: 200, body: { sensor_paired: true, sensor: null } });
    expect(await patch(house, false)).toMatchObject({ status: 200, body: { sensor_paired: false } });
  });
});
