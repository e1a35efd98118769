import { parseId } from '#domain/id.ts';
import { isRefusal, refuseFields } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { refuseAbsent } from '../refusals.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { idParams } from '../shapes.ts';
import { parseVenueFields } from '../venues/fields.ts';
import { advanceClock, readClock } from './clock.ts';
import {
  AddedScreens,
  AddScreensBody,
  AdvanceBody,
  ClockRecord,
  SandboxScreensQuery,
  SimulatedScreenRecord,
} from './schema.ts';
import { addSimulated, listSimulated, removeSimulated } from './store.ts';

export function sandboxRoutes(app: Api, { sql, urls, now }: RouteDependencies): void {
  app.get(
    '/sandbox/screens',
    {
      config: { access: { resource: 'sandbox', verb: 'read' }, mode: 'test' },
      schema: {
        summary: 'List the simulated screens',
        tags: ['Sandbox'],
        querystring: SandboxScreensQuery,
        response: { 200: listOf(SimulatedScreenRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'sandbox-screens' });
      return answer(reply, 200, isRefusal(page) ? page : await listSimulated(sql, callerOf(request), page));
    },
  );

  app.post(
    '/sandbox/screens',
    {
      config: { access: { resource: 'sandbox', verb: 'write' }, mode: 'test', refusals: ['state_conflict'] },
      schema: {
        operationId: 'addSandboxScreens',
        summary: 'Make simulated screens in a place of the sandbox',
        tags: ['Sandbox'],
        body: AddScreensBody,
        response: { 201: AddedScreens },
      },
    },
    async (request, reply) => {
      const { count, venue, orientation = 'landscape', ad_ratio: adRatio } = request.body;
      const columns = parseVenueFields(venue);
      if (isRefusal(columns))
        return answer(
          reply,
          201,
          refuseFields((columns.errors ?? []).map(fault => ({ ...fault, pointer: `/venue${fault.pointer}` }))),
        );
      return answer(
        reply,
        201,
        await addSimulated(sql, callerOf(request), {
          screens: { count, venue: columns, orientation, adRatio },
          publicUrl: urls.public,
          now: now(),
        }),
      );
    },
  );

  app.delete(
    '/sandbox/screens/:id',
    {
      config: { access: { resource: 'sandbox', verb: 'write' }, mode: 'test' },
      schema: { summary: 'Remove a simulated screen', tags: ['Sandbox'], params: idParams },
    },
    async (request, reply) => {
      const handle = parseId('screen', request.params.id);
      return answer(
        reply,
        204,
        handle === undefined ? refuseAbsent() : await removeSimulated(sql, callerOf(request), { handle, now: now() }),
      );
    },
  );

  app.get(
    '/sandbox/clock',
    {
      config: { access: { resource: 'sandbox', verb: 'read' }, mode: 'test' },
      schema: {
        summary: 'Ask what time it is in the sandbox, and whether its clock moves',
        tags: ['Sandbox'],
        response: { 200: ClockRecord },
      },
    },
    async request => readClock(sql, callerOf(request), now()),
  );

  app.post(
    '/sandbox/clock/advance',
    {
      config: { access: { resource: 'sandbox', verb: 'write' }, mode: 'test', refusals: ['state_conflict'] },
      schema: {
        operationId: 'advanceSandboxClock',
        summary: 'Move the clock of the sandbox; its simulated screens play what is due',
        tags: ['Sandbox'],
        body: AdvanceBody,
        response: { 202: ClockRecord },
      },
    },
    async (request, reply) =>
      answer(reply, 202, await advanceClock(sql, callerOf(request), { to: request.body.to, now: now() })),
  );
}
