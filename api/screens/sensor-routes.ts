import { parseId } from '#domain/id.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { callerOf } from '../authentication.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { idParams } from '../shapes.ts';
import { ChallengeSensorBody, PairSensorBody, ScreenRecord, SensorChallengeRecord } from './schema.ts';
import { challengeSensor, pairSensor, unpairSensor } from './sensor-store.ts';

export function sensorRoutes(app: Api, { sql, now }: RouteDependencies): void {
  app.post(
    '/screens/:id/sensor/challenge',
    {
      config: { access: { resource: 'screens', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        operationId: 'challengeSensor',
        summary: 'Ask what a sensing module has to sign to be paired with a screen',
        tags: ['Screens'],
        params: idParams,
        body: ChallengeSensorBody,
        response: { 201: SensorChallengeRecord },
      },
    },
    async (request, reply) => {
      const screen = parseId('screen', request.params.id);
      return answer(
        reply,
        201,
        screen === undefined
          ? refuseAbsent()
          : await challengeSensor(sql, callerOf(request), { screen, ...request.body, now: now() }),
      );
    },
  );

  app.post(
    '/screens/:id/sensor',
    {
      config: { access: { resource: 'screens', verb: 'write' }, refusals: ['state_conflict'] },
      schema: {
        operationId: 'pairSensor',
        summary: 'Pair a screen with the sensing module that signed the challenge',
        tags: ['Screens'],
        params: idParams,
        body: PairSensorBody,
        response: { 200: ScreenRecord },
      },
    },
    async (request, reply) => {
      const screen = parseId('screen', request.params.id);
      return answer(
        reply,
        200,
        screen === undefined
          ? refuseAbsent()
          : await pairSensor(sql, callerOf(request), { screen, proof: request.body, now: now() }),
      );
    },
  );

  app.delete(
    '/screens/:id/sensor',
    {
      config: { access: { resource: 'screens', verb: 'write' } },
      schema: {
        operationId: 'unpairSensor',
        summary: 'Take the sensing module from a screen',
        tags: ['Screens'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const screen = parseId('screen', request.params.id);
      return answer(
        reply,
        204,
        screen === undefined ? refuseAbsent() : await unpairSensor(sql, callerOf(request), { screen, now: now() }),
      );
    },
  );
}
