/** `admin audience`: audiences of screens with a source. A file is imported whole or not at all. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { inUnitOfWork } from '#books/unit-of-work.ts';
import { parseAudienceFile } from '#domain/audience/audience-file.ts';
import { type FileFault, isFaults, sentencesOf } from '#domain/law/file-fault.ts';
import { beginAudiences, listAudiences, putAudiences, type Unfit } from '#sql/audience/audiences.ts';
import { openClickhouse } from '#sql/clickhouse.ts';
import type { Postgres } from '#sql/postgres.ts';
import { OPERATOR } from '../../operator.ts';
import { UsageError } from '../../arguments.ts';
import { idOf, text } from '../parsers.ts';
import type { Result, Runner } from '../program.ts';
import { reportUnder } from './audience-report.ts';
import { readImport } from './import-file.ts';

/** As many as a person mends at a time. */
const FAULTS_SHOWN_MAX = 20;
/** As many as a person reads. */
const LISTED_MAX = 100;

export function declareAudienceCommands(program: CommandUnknownOpts, run: Runner): void {
  const audience = program.command('audience').description('imported audiences of screens');
  audience
    .command('import')
    .description('import audiences from a CSV file, replacing future ones')
    .argument('<file>', 'CSV file: screen, vendor, method, version, valid_from, mon_00 .. sun_23')
    .action(run(async ({ sql }, file) => importAudiences(sql, new Date(), await readImport(file))));
  audience
    .command('list')
    .description('list the sources and their number of screens')
    .action(run(async ({ sql }) => ({ audiences: await listAudiences(sql, LISTED_MAX) })));
  audience
    .command('report')
    .description('estimate the impressions of a campaign under another audience')
    .requiredOption('--campaign <id>', 'id of the campaign, cmp_...', idOf('campaign'))
    .requiredOption('--vendor <name>', 'vendor of the audience', text)
    .requiredOption('--method <name>', 'method of the audience', text)
    .requiredOption('--version <name>', 'version of the audience', text)
    .action(
      run(async (installation, question) => {
        const { clickhouseUrl, cluster } = await installation.engines();
        const clickhouse = openClickhouse(clickhouseUrl, { application: 'marquee-admin', connectionsMax: 1, cluster });
        try {
          return await reportUnder({ sql: installation.sql, clickhouse }, question);
        } finally {
          await clickhouse.close();
        }
      }),
    );
}

const UNFIT: Record<Unfit['reason'], Omit<FileFault, 'line'>> = {
  unknown: { field: 'screen', detail: 'no paired screen has this id' },
  begun: { field: 'valid_from', detail: 'plays count with this audience already; choose a later time' },
};

/** @throws UsageError that names the lines and fields that are wrong; then nothing was imported */
export async function importAudiences(sql: Postgres, now: Date, file: string): Promise<Result> {
  const audiences = parseAudienceFile(file);
  if (isFaults(audiences)) throw refused(audiences);
  return inUnitOfWork(sql, { actor: OPERATOR, now }, async unit => {
    const unfit = await putAudiences(unit, audiences);
    if (unfit.length > 0) throw refused(unfit.map(({ line, reason }) => ({ line, ...UNFIT[reason] })));
    return { screens: audiences.length, begun: await beginAudiences(unit, audiences.length) };
  });
}

function refused(faults: readonly FileFault[]): UsageError {
  return new UsageError(`Nothing was imported.\n${sentencesOf(faults, FAULTS_SHOWN_MAX)}`);
}
