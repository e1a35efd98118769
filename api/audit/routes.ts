import { isRefusal } from '#domain/refusal.ts';
import { callerOf } from '../authentication.ts';
import type { Api, RouteDependencies } from '../dependencies.ts';
import { answer } from '../http/reply.ts';
import { listOf, readPage } from '../lists/paging.ts';
import { parseAuditFilter } from './filter.ts';
import { AUDIT_SORTS, AuditEntryRecord, ListAuditQuery } from './schema.ts';
import { AUDIT_POSITION, listAudit } from './store.ts';

export function auditRoutes(app: Api, { reads, clickhouse }: RouteDependencies): void {
  app.get(
    '/audit',
    {
      config: { access: { resource: 'audit', verb: 'read' } },
      schema: {
        summary: 'List the audit entries',
        tags: ['Audit'],
        querystring: ListAuditQuery,
        response: { 200: listOf(AuditEntryRecord) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, { list: 'audit', sorts: AUDIT_SORTS, position: AUDIT_POSITION });
      if (isRefusal(page)) return answer(reply, 200, page);
      const filter = parseAuditFilter(request.query);
      return answer(
        reply,
        200,
        isRefusal(filter) ? filter : await listAudit({ sql: reads(), clickhouse }, callerOf(request), { page, filter }),
      );
    },
  );
}
