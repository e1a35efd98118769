/**
 * `admin backup` and `admin restore`: all of Postgres and ClickHouse into a folder while everything runs, and from the
 * folder into an installation without data. The workers rebuild Redis afterwards.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../../arguments.ts';
import { takeInTurn } from '../../backup-rotation.ts';
import { backUpInstance, restoreInstance } from '../../backup.ts';
import type { Installation } from '../installation.ts';
import { positive, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';

/** A week of one a day. */
const KEPT = 7;

export function declareBackupCommands(program: CommandUnknownOpts, run: Runner): void {
  program
    .command('backup')
    .description('back up Postgres and ClickHouse without downtime')
    .option('--out <folder>', 'new or empty folder', text)
    .option('--into <folder>', 'parent folder of scheduled backups, each named by time', text)
    .option('--keep <number>', 'number of complete backups kept in --into', positive, KEPT)
    .action(run((installation, options) => backUpTo(installation, options, new Date())));
  program
    .command('restore')
    .description('restore a backup into empty engines (URLs); see also npm start -- --restore')
    .requiredOption('--from <folder>', 'folder of the backup', text)
    .action(
      run(async (installation, { from }) => {
        refuseUnderServices(installation, from);
        return restoreInstance(installation.sql, { clickhouseUrl: await installation.clickhouseUrl(), from });
      }),
    );
}

type BackupOptions = { out?: string | undefined; into?: string | undefined; keep: number };

async function backUpTo(installation: Installation, { out, into, keep }: BackupOptions, now: Date): Promise<Result> {
  if ((out === undefined) === (into === undefined)) throw new UsageError('Give one of --out and --into.');
  const clickhouseUrl = await installation.clickhouseUrl();
  const take = (folder: string) => backUpInstance(installation.sql, { clickhouseUrl, out: folder, now });
  return into === undefined ? take(out!) : takeInTurn({ into, keep, now, take });
}

/** Services hold state in memory and in Redis that belongs to the data at their start. */
function refuseUnderServices({ runningFolder }: Installation, from: string): void {
  if (runningFolder !== undefined)
    throw new UsageError(
      `Services run on ${runningFolder}. Stop them, and begin with the backup: npm start -- --restore ${from}`,
    );
}
