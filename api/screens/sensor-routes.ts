/**
 * The routes that pair a sensing module with a screen: the challenge, the module's signature, and unpairing. Modules
 * are live things of a workspace, which has none for its sandbox: a test key pairs none and declares one.
 */
import { route } from '../http/route.ts';
import { ChallengeSensorBody, PairSensorBody, ScreenRecord, SensorChallengeRecord } from './schema.ts';
import { challengeSensor, pairSensor, unpairSensor } from './sensor-store.ts';

export const sensorRoutes = [
  route({
    method: 'POST',
    path: '/screens/:id/sensor/challenge',
    access: { resource: 'screens', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'live',
    operationId: 'challengeSensor',
    summary: 'Ask what a sensing module has to sign to be paired with a screen',
    tags: ['Screens'],
    id: 'screen',
    body: ChallengeSensorBody,
    response: { 201: SensorChallengeRecord },
    handle: ({ caller, id, body }, { sql, now }) =>
      challengeSensor(sql, caller, { screen: id, serial: body.serial, now: now() }),
  }),

  route({
    method: 'POST',
    path: '/screens/:id/sensor',
    access: { resource: 'screens', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'live',
    operationId: 'pairSensor',
    summary: 'Pair a screen with the sensing module that signed the challenge',
    tags: ['Screens'],
    id: 'screen',
    body: PairSensorBody,
    response: { 200: ScreenRecord },
    handle: ({ caller, id, body }, { sql, now }) => pairSensor(sql, caller, { screen: id, proof: body, now: now() }),
  }),

  route({
    method: 'DELETE',
    path: '/screens/:id/sensor',
    access: { resource: 'screens', verb: 'write' },
    operationId: 'unpairSensor',
    summary: 'Take the sensing module from a screen',
    tags: ['Screens'],
    id: 'screen',
    handle: ({ caller, id }, { sql, now }) => unpairSensor(sql, caller, { screen: id, now: now() }),
  }),
];
