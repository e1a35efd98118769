import type { Api, RouteDependencies } from '../dependencies.ts';
import { MeRecord } from './schema.ts';
import { readMe } from './store.ts';

export function meRoutes(app: Api, { sql }: RouteDependencies): void {
  app.get(
    '/me',
    {
      config: { access: { resource: 'me', verb: 'read' } },
      schema: {
        summary: 'Ask who calls: person, workspace, role and permissions',
        tags: ['Users'],
        response: { 200: MeRecord },
      },
    },
    async request => readMe(sql, request.principal!),
  );
}
