/** The routes of the sandbox, for test keys alone: simulated screens, and the clock that lets them play. */
import { isRefusal, refuseFields } from '#domain/refusal.ts';
import { route } from '../http/route.ts';
import { listOf } from '../lists/paging.ts';
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

export const sandboxRoutes = [
  route({
    method: 'GET',
    path: '/sandbox/screens',
    access: { resource: 'sandbox', verb: 'read' },
    mode: 'test',
    summary: 'List the simulated screens',
    tags: ['Sandbox'],
    query: SandboxScreensQuery,
    page: { list: 'sandbox-screens' },
    response: { 200: listOf(SimulatedScreenRecord) },
    handle: ({ caller, page }, { sql }) => listSimulated(sql, caller, page),
  }),

  route({
    method: 'POST',
    path: '/sandbox/screens',
    access: { resource: 'sandbox', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'test',
    operationId: 'addSandboxScreens',
    summary: 'Make simulated screens in a place of the sandbox',
    tags: ['Sandbox'],
    body: AddScreensBody,
    response: { 201: AddedScreens },
    handle({ caller, body }, { sql, now }) {
      const { count, orientation = 'landscape', ad_ratio: adRatio } = body;
      const venue = parseVenueFields(body.venue);
      return isRefusal(venue)
        ? refuseFields((venue.errors ?? []).map(fault => ({ ...fault, pointer: `/venue${fault.pointer}` })))
        : addSimulated(sql, caller, { screens: { count, venue, orientation, adRatio }, now: now() });
    },
  }),

  route({
    method: 'DELETE',
    path: '/sandbox/screens/:id',
    access: { resource: 'sandbox', verb: 'write' },
    mode: 'test',
    summary: 'Remove a simulated screen',
    tags: ['Sandbox'],
    id: 'screen',
    handle: ({ caller, id }, { sql, now }) => removeSimulated(sql, caller, { handle: id, now: now() }),
  }),

  route({
    method: 'GET',
    path: '/sandbox/clock',
    access: { resource: 'sandbox', verb: 'read' },
    mode: 'test',
    summary: 'Ask what time it is in the sandbox, and whether its clock moves',
    tags: ['Sandbox'],
    response: { 200: ClockRecord },
    handle: ({ caller }, { sql, now }) => readClock(sql, caller, now()),
  }),

  route({
    method: 'POST',
    path: '/sandbox/clock/advance',
    access: { resource: 'sandbox', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'test',
    operationId: 'advanceSandboxClock',
    summary: 'Move the clock of the sandbox; its simulated screens play what is due',
    tags: ['Sandbox'],
    body: AdvanceBody,
    response: { 202: ClockRecord },
    handle: ({ caller, body }, { sql, now }) => advanceClock(sql, caller, { to: body.to, now: now() }),
  }),
];
