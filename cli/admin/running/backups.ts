/**
 * `admin backup` and `admin restore`: all of Postgres and ClickHouse into a folder while everything runs, and from the
 * folder into an installation without data. What Redis held is rebuilt afterwards by the workers.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../../arguments.ts';
import { backUpInstance, restoreInstance } from '../../backup.ts';
import type { Installation } from '../installation.ts';
import { text } from '../parsers.ts';
import type { Runner } from '../program.ts';

export function declareBackupCommands(program: CommandUnknownOpts, run: Runner): void {
  program
    .command('backup')
    .description('write all of Postgres and ClickHouse into a folder, while everything runs')
    .requiredOption('--out <folder>', 'new or empty', text)
    .action(
      run(async (installation, { out }) =>
        backUpInstance(installation.sql, { clickhouseUrl: await installation.clickhouseUrl(), out, now: new Date() }),
      ),
    );
  program
    .command('restore')
    .description('bring a backup into engines without data, given by URL; of npm start: npm start -- --restore')
    .requiredOption('--from <folder>', 'of a backup', text)
    .action(
      run(async (installation, { from }) => {
        refuseUnderServices(installation, from);
        return restoreInstance(installation.sql, { clickhouseUrl: await installation.clickhouseUrl(), from });
      }),
    );
}

/** What services hold in memory and in Redis is of the data that they began with. */
function refuseUnderServices({ runningFolder }: Installation, from: string): void {
  if (runningFolder !== undefined)
    throw new UsageError(
      `Services run on ${runningFolder}. Stop them, and begin with the backup: npm start -- --restore ${from}`,
    );
}
