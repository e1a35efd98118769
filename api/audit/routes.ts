/** The route of the audit log: changes and calls as one list. Exports of it are in `export-routes.ts`. */
import { refuse } from '#domain/refusal.ts';
import type { Clickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { routeFor, type CallDependencies } from '../http/route.ts';
import { listOf } from '../lists/paging.ts';
import { parseAuditFilter } from './filter.ts';
import { AUDIT_SORTS, AuditEntryRecord, ListAuditQuery } from './schema.ts';
import { AUDIT_POSITION, listAudit } from './store.ts';

type Dependencies = CallDependencies & { reads: () => Postgres; clickhouse: Clickhouse };
const route = routeFor<Dependencies>();

export const auditRoutes = [
  route({
    method: 'GET',
    path: '/audit',
    access: { resource: 'audit', verb: 'read' },
    summary: 'List the audit entries',
    query: ListAuditQuery,
    page: { list: 'audit', sorts: AUDIT_SORTS, position: AUDIT_POSITION },
    response: { 200: listOf(AuditEntryRecord) },
    handle({ caller, page, query }, { reads, clickhouse }) {
      const selection = parseAuditFilter(query);
      if ('faults' in selection) {
        const { pointer, detail } = selection.faults[0]!;
        return refuse('bad_query_parameter', `${pointer.slice(1)} ${detail}.`);
      }
      return listAudit({ sql: reads(), clickhouse }, caller, { page, selection });
    },
  }),
];
