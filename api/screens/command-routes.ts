/** The routes that reach a connected screen: show its name, reload the player, take a screenshot. */
import { readKept, requestScreenshot, sendCommand } from '#sql/screens/commands.ts';
import { findScreen } from '#sql/screens/rows.ts';
import type { ScreenshotRow } from '#sql/screenshots/screenshots.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { replying } from '../idempotency/idempotency.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { commandTo, screenshotRecord, type CommandDependencies } from './commands.ts';
import { ScreenshotRecord } from './schema.ts';

const route = routeFor<CallDependencies & CommandDependencies>();

const shared = { access: { resource: 'screens', verb: 'write' }, bucket: 'screen_commands', id: 'screen' } as const;
const refusals = ['screen_offline', 'command_unsupported'] as const;

export const screenCommandRoutes = [
  route({
    ...shared,
    method: 'POST',
    path: '/screens/:id/identify',
    refusals,
    summary: 'Show the name of a screen on it for 30 seconds',
    handle({ caller, id }, dependencies) {
      const now = dependencies.now();
      const command = commandTo(dependencies, { screen: id, command: 'identify', now });
      return sendCommand(dependencies.sql, { ...caller, now: new Date(now) }, command);
    },
  }),

  route({
    ...shared,
    method: 'POST',
    path: '/screens/:id/reload',
    refusals,
    summary: 'Load the player of a screen anew, after the item that it shows',
    handle({ caller, id }, dependencies) {
      const now = dependencies.now();
      const command = commandTo(dependencies, { screen: id, command: 'reload', now });
      return sendCommand(dependencies.sql, { ...caller, now: new Date(now) }, command);
    },
  }),

  route({
    ...shared,
    method: 'POST',
    path: '/screens/:id/screenshot',
    refusals: [...refusals, 'state_conflict'],
    operationId: 'requestScreenshot',
    summary: 'Ask a screen for a picture of what it shows',
    description: 'The picture is there some seconds later, and is kept for a day.',
    response: { 202: ScreenshotRecord },
    handle({ caller, id }, dependencies) {
      const now = dependencies.now();
      const command = commandTo(dependencies, { screen: id, command: 'screenshot', now });
      const render = (rows: ScreenshotRow[]) => screenshotRecord(rows, now);
      return replying(caller, { now, render }, call => requestScreenshot(dependencies.sql, call, command));
    },
  }),

  route({
    method: 'GET',
    path: '/screens/:id/screenshot',
    access: { resource: 'screens', verb: 'read' },
    operationId: 'readScreenshot',
    summary: 'Read the last picture of what a screen showed',
    id: 'screen',
    response: { 200: ScreenshotRecord },
    async handle({ caller, id }, { sql, now }) {
      const at = now();
      if (!(await findScreen(sql, caller, { handle: id, now: at }))) return refuseAbsent();
      return screenshotRecord(await readKept(sql, id, new Date(at)), at);
    },
  }),
];
