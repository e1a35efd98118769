/** The routes of the sandbox, refused in live: simulated screens, and the clock that lets them play. */
import { isRefusal, refuseFields } from '#domain/refusal.ts';
import { formatId } from '#domain/id.ts';
import { addSimulated, listSimulated, removeSimulated, type SimulatedRow } from '#sql/screens/simulated.ts';
import { advanceClock, readSandboxClock, type SandboxClock } from '#sql/sandbox/clock.ts';
import { route } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { listed, listOf } from '../lists/paging.ts';
import { parseVenueFields } from '../venues/fields.ts';
import { clockRecord, parseTarget } from './clock.ts';
import {
  AddedScreens,
  AddScreensBody,
  AdvanceBody,
  ClockRecord,
  SandboxScreensQuery,
  SimulatedScreenRecord,
  type SimulatedScreen,
} from './schema.ts';

export const sandboxRoutes = [
  route({
    method: 'GET',
    path: '/sandbox/screens',
    access: { resource: 'sandbox', verb: 'read' },
    mode: 'test',
    summary: 'List the simulated screens',
    query: SandboxScreensQuery,
    page: { list: 'sandbox-screens' },
    response: { 200: listOf(SimulatedScreenRecord) },
    async handle({ caller, page }, { sql }) {
      const rows = await listSimulated(sql, caller.workspace, page);
      return listed({ rows }, page, { recordOf: simulatedRecord });
    },
  }),

  route({
    method: 'POST',
    path: '/sandbox/screens',
    access: { resource: 'sandbox', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'test',
    operationId: 'addSandboxScreens',
    summary: 'Make simulated screens in a place of the sandbox',
    body: AddScreensBody,
    response: { 201: AddedScreens },
    handle({ caller, body }, { sql, now }) {
      const { count, orientation = 'landscape', ad_ratio: adRatio } = body;
      const venue = parseVenueFields(body.venue);
      if (isRefusal(venue))
        return refuseFields((venue.errors ?? []).map(fault => ({ ...fault, pointer: `/venue${fault.pointer}` })));
      const screens = { count, venue, orientation, adRatio };
      return replying(caller, { now: now(), render: addedScreens }, call => addSimulated(sql, call, screens));
    },
  }),

  route({
    method: 'DELETE',
    path: '/sandbox/screens/:id',
    access: { resource: 'sandbox', verb: 'write' },
    mode: 'test',
    summary: 'Remove a simulated screen',
    id: 'screen',
    handle: ({ caller, id }, { sql, now }) => removeSimulated(sql, { ...caller, now: new Date(now()) }, id),
  }),

  route({
    method: 'GET',
    path: '/sandbox/clock',
    access: { resource: 'sandbox', verb: 'read' },
    mode: 'test',
    summary: 'Ask what time it is in the sandbox, and whether its clock moves',
    response: { 200: ClockRecord },
    handle: async ({ caller }, { sql, now }) => clockRecord(await readSandboxClock(sql, caller.workspace), now()),
  }),

  route({
    method: 'POST',
    path: '/sandbox/clock/advance',
    access: { resource: 'sandbox', verb: 'write' },
    refusals: ['state_conflict'],
    mode: 'test',
    operationId: 'advanceSandboxClock',
    summary: 'Move the clock of the sandbox; its simulated screens play what is due',
    body: AdvanceBody,
    response: { 202: ClockRecord },
    handle({ caller, body }, dependencies) {
      const to = parseTarget(body.to);
      if (isRefusal(to)) return to;
      const now = dependencies.now();
      const render = (clock: SandboxClock) => clockRecord(clock, now);
      return replying(caller, { now, render }, call => advanceClock(dependencies.sql, call, to));
    },
  }),
];

const addedScreens = (rows: readonly SimulatedRow[]) => ({ data: rows.map(simulatedRecord) });

function simulatedRecord({
  handle,
  venue_handle: venue,
  created_at: createdAt,
  ...row
}: SimulatedRow): SimulatedScreen {
  return {
    id: formatId('screen', handle),
    venue_id: formatId('venue', venue),
    ...row,
    created_at: createdAt.toISOString(),
  };
}
