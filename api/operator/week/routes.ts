/** The route of the last seven days of the installation. */
import { routeFor, type CallDependencies } from '../../http/route.ts';
import { OperatorWeek } from './schema.ts';
import { readWeek, type WeekEngines } from './store.ts';

type Dependencies = CallDependencies & WeekEngines;
const route = routeFor<Dependencies>();

export const operatorWeekRoutes = [
  route({
    method: 'GET',
    path: '/operator/week',
    access: { resource: 'operations', verb: 'read' },
    mode: 'live',
    summary: 'Read plays and spend of all workspaces over the last seven days',
    description: 'Days are UTC, today included, beside the seven days before.',
    response: { 200: OperatorWeek },
    handle: (_call, dependencies) => readWeek(dependencies, dependencies.now()),
  }),
];
