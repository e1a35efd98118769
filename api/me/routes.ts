/** The route that tells a caller who it is. Every key may ask, so a client shows only what the key is allowed to do. */
import { route } from '../http/route.ts';
import { MeRecord } from './schema.ts';
import { readMe } from './store.ts';

export const meRoutes = [
  route({
    method: 'GET',
    path: '/me',
    access: { resource: 'me', verb: 'read' },
    summary: 'Ask who calls: person, workspace, role and permissions',
    response: { 200: MeRecord },
    handle: ({ principal }, { sql }) => readMe(sql, principal),
  }),
];
