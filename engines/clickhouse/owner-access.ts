/**
 * The user `default`: Marquee's services and the operator, who may do anything. The process that opens it owns the
 * folder of the data.
 */
import { dirname, join } from 'node:path';
import { BODY_BYTES_MAX } from './statements/body.ts';
import { SERVICE_CONNECTIONS } from './capacity.ts';
import { type UserAccess, ENGINE_SETTINGS } from './access.ts';
import { Pool } from './pool.ts';
import { clearInsertFiles } from './statements/insert-file.ts';
import { countWrites, WRITES_PATH } from './statements/writes.ts';

// Twice the maximum of ten processes with ten sockets each.
const WAITING_MAX = 200;
const BOUNDS = {
  bodyBytesMax: BODY_BYTES_MAX,
  heldBytesMax: 32 * 2 ** 20, // a dozen of them at once are well below a gigabyte
  answerMsMax: Infinity, // a query of an hour
  connectionsMax: Infinity,
  requestMsMax: 0, // an insert of 256 MiB over a slow line
};

/** Opens the engine on `folder`, which it makes. Throws when the engine cannot open it. */
export async function openOwnerAccess({ folder, password }: { folder: string; password: string }): Promise<UserAccess> {
  clearInsertFiles(folder);
  const held = { name: 'max_result_bytes', value: String(BOUNDS.heldBytesMax) };
  const pool = await Pool.open({
    folder,
    settings: [...ENGINE_SETTINGS, held],
    isReadonly: false,
    size: SERVICE_CONNECTIONS,
    waitingMax: WAITING_MAX,
  });
  const control = await Pool.open({ folder, settings: [], isReadonly: false, size: 1, waitingMax: WAITING_MAX });
  const version = await pool.run(async connection => {
    await connection.ask('CREATE DATABASE IF NOT EXISTS marquee');
    return connection.ask('SELECT version()');
  });
  const writes = countWrites();
  return {
    user: 'default',
    password,
    bounds: BOUNDS,
    pipesFolder: join(dirname(folder), 'results'),
    version,
    control,
    expect: () => undefined,
    admit: async (_query, statement) => statement,
    canRepeat: async () => false,
    lend(query, answer, use) {
      if (answer === 'held') return pool.run(connection => use(connection, query.settings));
      return pool.runFresh(
        { folder, settings: [...query.settings, ...ENGINE_SETTINGS], isReadonly: false },
        connection => use(connection, []),
      );
    },
    noteWrite: writes.note,
    tell: path => (path === WRITES_PATH ? JSON.stringify(writes.count()) : undefined),
  };
}
