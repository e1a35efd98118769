/** A screen of the network as the operator sees it. */
import { formatId } from '#domain/id.ts';
import type { NetworkRow } from '#sql/screens/network.ts';
import type { NetworkScreen } from './schema.ts';

export function networkRecord(row: NetworkRow): NetworkScreen {
  const { label, status, platform, name, type, city, lat, lng, timezone } = row;
  return {
    id: formatId('screen', row.handle),
    label,
    status,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    platform,
    workspace: { id: formatId('workspace', row.workspace), name: row.workspace_name },
    venue: { id: formatId('venue', row.venue), name, type, city, lat, lng, timezone },
  };
}
