/** The routes that reach a connected screen: show its name, reload the player, take a screenshot. */
import { routeFor, type CallDependencies } from '../http/route.ts';
import { readScreenshot, requestScreenshot, sendCommand, type CommandDependencies } from './command-store.ts';
import { ScreenshotRecord } from './schema.ts';

const route = routeFor<CallDependencies & CommandDependencies>();

const shared = {
  access: { resource: 'screens', verb: 'write' },
  bucket: 'screen_commands',
  tags: ['Screens'],
  id: 'screen',
} as const;
const refusals = ['screen_offline', 'command_unsupported'] as const;

export const screenCommandRoutes = [
  route({
    ...shared,
    method: 'POST',
    path: '/screens/:id/identify',
    refusals,
    operationId: 'identifyScreen',
    summary: 'Show the name of a screen on it for 30 seconds',
    handle: ({ caller, id }, dependencies) => sendCommand(dependencies, caller, { screen: id, command: 'identify' }),
  }),

  route({
    ...shared,
    method: 'POST',
    path: '/screens/:id/reload',
    refusals,
    operationId: 'reloadScreen',
    summary: 'Load the player of a screen anew, after the item that it shows',
    handle: ({ caller, id }, dependencies) => sendCommand(dependencies, caller, { screen: id, command: 'reload' }),
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
    handle: ({ caller, id }, dependencies) => requestScreenshot(dependencies, caller, id),
  }),

  route({
    method: 'GET',
    path: '/screens/:id/screenshot',
    access: { resource: 'screens', verb: 'read' },
    operationId: 'readScreenshot',
    summary: 'Read the last picture of what a screen showed',
    tags: ['Screens'],
    id: 'screen',
    response: { 200: ScreenshotRecord },
    handle: ({ caller, id }, { sql, now }) => readScreenshot(sql, caller, { screen: id, now: now() }),
  }),
];
