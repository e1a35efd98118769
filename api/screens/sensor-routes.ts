/**
 * The routes that pair a sensing module with a screen: the challenge, the module's signature, and unpairing. Modules
 * are live things of a workspace, which has none for its sandbox: a test key pairs none and declares one.
 */
import { challengeSensor, pairSensor, unpairSensor, type SensorChallenge } from '#sql/screens/sensors.ts';
import { route } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { screenRecord } from './record.ts';
import { ChallengeSensorBody, PairSensorBody, ScreenRecord, SensorChallengeRecord } from './schema.ts';

export const sensorRoutes = [
  route({
    method: 'POST',
    path: '/screens/:id/sensor/challenge',
    access: { resource: 'screens', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'live',
    operationId: 'challengeSensor',
    summary: 'Ask what a sensing module has to sign to be paired with a screen',
    id: 'screen',
    body: ChallengeSensorBody,
    response: { 201: SensorChallengeRecord },
    handle: ({ caller, id, body }, { sql, now }) =>
      replying(caller, { now: now(), render: challengeRecord }, call =>
        challengeSensor(sql, call, { screen: id, serial: body.serial }),
      ),
  }),

  route({
    method: 'POST',
    path: '/screens/:id/sensor',
    access: { resource: 'screens', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'live',
    operationId: 'pairSensor',
    summary: 'Pair a screen with the sensing module that signed the challenge',
    id: 'screen',
    body: PairSensorBody,
    response: { 200: ScreenRecord },
    handle: ({ caller, id, body }, { sql, now }) =>
      replying(caller, { now: now(), render: screenRecord }, call =>
        pairSensor(sql, call, { screen: id, proof: body }),
      ),
  }),

  route({
    method: 'DELETE',
    path: '/screens/:id/sensor',
    access: { resource: 'screens', verb: 'write' },
    operationId: 'unpairSensor',
    summary: 'Take the sensing module from a screen',
    id: 'screen',
    handle: ({ caller, id }, { sql, now }) => unpairSensor(sql, { ...caller, now: new Date(now()) }, id),
  }),
];

const challengeRecord = ({ expiresAt, ...challenge }: SensorChallenge) => ({
  ...challenge,
  expires_at: expiresAt.toISOString(),
});
