import { formatId, parseId, type Kind } from '#domain/id.ts';
import { currencyDecimals, microsFromDecimal, MICROS_PER_UNIT } from '#domain/money/money.ts';
import { ROLES } from '#domain/access/permission.ts';
import { isRefusal } from '#domain/refusal.ts';
import { holdsControls } from '#domain/text.ts';
import { WORKSPACE_KINDS, WORKSPACE_STATUSES } from '#domain/access/workspace.ts';
import { variable } from '#runtime/config.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { createSealer, parseEncryptionKey, type Sealer } from '#sql/sealed.ts';
import { backUpInstance, restoreInstance } from './admin-backup.ts';
import { listDeadLetters, retryDeadLetters, type LetterFilter } from './admin-dead-letters.ts';
import { bookPaymentCase, closePaymentCase, showCases } from './admin-payments.ts';
import { decide, showFinding, showFindings } from './admin-findings.ts';
import { giveUpNode, listNodes } from './admin-nodes.ts';
import { changeOperator, setInvoiceAddress, settleInvoice } from './admin-invoices.ts';
import { listJobs, runJob } from './admin-jobs.ts';
import { confirmPayoutAccount, recordOutcome, setHoldDays, setPayoutAccount, writeBankFile } from './admin-payouts.ts';
import { showPlay } from './admin-play.ts';
import { approveReview, rejectReview, setApproval } from './admin-review.ts';
import { enrolSensor, listSensors, revokeSensor } from './admin-sensors.ts';
import { approveFigures, AUDIENCE_MAX, listFigures, recheckFigures, rejectFigures } from './admin-venues.ts';
import { mendMonth, verifyInstance } from './admin-verify.ts';
import { approveWorkspace, closeWorkspace, listWorkspaces } from './admin-workspaces.ts';
import { numberFlag, readArguments, runCommand, UsageError } from './arguments.ts';
import { readInstanceFile } from './instance/instance.ts';
import { secretsOf } from './instance/secrets.ts';
import {
  changeKeyLimits,
  changeRole,
  createKey,
  createUser,
  createWorkspace,
  currencyOf,
  fundWallet,
  ownerOf,
  removeUser,
  userOfRole,
  type Surface,
} from './operator.ts';

/** `npm run admin -- <noun> <verb> [--json]`: the operator's tool, on the running instance of DATA_DIR or on DATABASE_URL. */
const USAGE = `Usage: npm run admin -- <command> [--json] [--data-dir folder]
  workspace create --kind brand|agency|venue --name N --currency EUR [--plan standard|top]
  workspace list   [--status in_review|active|closed]
  workspace approve ws_..   (one that somebody signed up for, or that was closed)
  workspace close  ws_..   (its keys are refused; campaigns, screens and clients end first)
  workspace update ws_.. [--approval none|agency|inherit] [--earnings-hold-days n|default]
  user create      --workspace ws_.. --email E --role owner|admin|manager|finance|viewer
  user update      usr_.. --role owner|admin|manager|finance|viewer
  user remove      usr_..
  key create       --workspace ws_.. --surface ads_manager|screen_manager|agency [--user usr_.. | --role owner|...]
                   [--access read_write|read_only] [--mode live|test] [--per-minute n] [--per-second n]
  key update       key_.. [--per-minute n] [--per-second n]
  wallet fund      --workspace ws_.. --amount 1000.00 [--mode live|test]
  operator update  [--name N] [--address 'line|line'] [--tax-id T] [--iban I [--bic B]] [--payout-fee 1.50] [--payout-free-above 200]
  payout account   --workspace ws_.. --name holder --iban I [--bic B]
  payout confirm-account --workspace ws_..   (ends the pause that follows a change of the account)
  payout settle    pay_.. --outcome paid|failed
  payout bank-file --out file.xml [--message-id id of a file to write again]
  payment list     [--status waiting|open|booked|closed]   (refunds, disputes, payments that do not fit)
  payment book     pmc_..   (takes the money from the wallet)
  payment close    pmc_.. --note text
  finding list     [--status open|cleared|upheld]
  finding show     fnd_..
  finding clear    fnd_.. [--note text]   (releases the earnings)
  finding uphold   fnd_.. [--note text]   (keeps them held)
  invoice address  --workspace ws_.. --name N [--address 'line|line'] [--tax-id T]
  invoice settle   inv_..
  review approve   cmp_..
  review reject    cmp_.. [--reason code]
  venue list       [--pending] [--workspace ws_..]   (what venues say of themselves, and what of it waits)
  venue approve    ven_.. [--audience-max n]   (people who can have one of its screens in view)
  venue reject     ven_.. --reason implausible|unproven|wrong_type|wrong_place|duplicate
  venue recheck    (asks about the figures of every venue that are above the limits of its type)
  sensor enrol     --workspace ws_.. --serial S --public-key K   (Ed25519, 32 bytes in base64)
  sensor list      [--workspace ws_..]
  sensor revoke    <serial>
  dead-letters list  [--batch id] [--step decode|verify] [--reason code]
  dead-letters retry [--batch id] [--step decode|verify] [--reason code]
  node list
  node gone        <name>   (a delivery process that will never run again, on its folder or elsewhere)
  job list
  job run          <name>
  play show        <play id>
  verify
  rollups mend     --month yyyymm   (adds what verify finds that rollups lack)
  backup           --out folder   (new or empty)
  restore          --from folder  (into an installation without data)
It works on the running instance of --data-dir (default DATA_DIR, .data), or on DATABASE_URL.`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  'data-dir': { type: 'string' },
  kind: { type: 'string' },
  name: { type: 'string' },
  currency: { type: 'string' },
  plan: { type: 'string' },
  workspace: { type: 'string' },
  email: { type: 'string' },
  role: { type: 'string' },
  surface: { type: 'string' },
  user: { type: 'string' },
  access: { type: 'string' },
  mode: { type: 'string' },
  amount: { type: 'string' },
  outcome: { type: 'string' },
  out: { type: 'string' },
  from: { type: 'string' },
  'message-id': { type: 'string' },
  iban: { type: 'string' },
  bic: { type: 'string' },
  address: { type: 'string' },
  'tax-id': { type: 'string' },
  'payout-fee': { type: 'string' },
  'payout-free-above': { type: 'string' },
  'per-minute': { type: 'string' },
  'per-second': { type: 'string' },
  approval: { type: 'string' },
  'earnings-hold-days': { type: 'string' },
  status: { type: 'string' },
  note: { type: 'string' },
  reason: { type: 'string' },
  pending: { type: 'boolean', default: false },
  'audience-max': { type: 'string' },
  serial: { type: 'string' },
  'public-key': { type: 'string' },
  batch: { type: 'string' },
  step: { type: 'string' },
  month: { type: 'string' },
} as const;

const ENGINES = { DATABASE_URL: 'databaseUrl', REDIS_URL: 'redisUrl', CLICKHOUSE_URL: 'clickhouseUrl' } as const;
const SECRETS = { SIGNING_KEYS: 'signingKeys', ENCRYPTION_KEY: 'encryptionKey' } as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];
/** `subject` is the id behind noun and verb, for the commands that take one. */
type Command = (sql: Postgres, values: Values, subject: string | undefined) => Promise<Record<string, unknown>>;

const COMMANDS: Record<string, Command> = {
  'workspace create': async (sql, values) => {
    const currency = required(values, 'currency');
    if (currencyDecimals(currency) === undefined)
      throw new UsageError(`--currency takes an ISO 4217 code such as EUR, not '${currency}'`);
    const handle = await createWorkspace(sql, new Date(), {
      kind: oneOf(values, 'kind', WORKSPACE_KINDS),
      name: required(values, 'name'),
      currency,
      plan: oneOf(values, 'plan', ['standard', 'top'], 'standard'),
    });
    return { workspace_id: formatId('workspace', handle) };
  },
  'workspace list': (sql, values) =>
    listWorkspaces(sql, values.status === undefined ? undefined : oneOf(values, 'status', WORKSPACE_STATUSES)),
  'workspace approve': (sql, _values, subject) => approveWorkspace(sql, new Date(), subjectOf('workspace', subject)),
  'workspace close': (sql, _values, subject) => closeWorkspace(sql, new Date(), subjectOf('workspace', subject)),
  'workspace update': async (sql, values, subject) => {
    const workspace = subjectOf('workspace', subject);
    const { approval, 'earnings-hold-days': days } = values;
    if (approval === undefined && days === undefined)
      throw new UsageError('workspace update takes --approval, --earnings-hold-days or both');
    return {
      ...(approval !== undefined && (await setApproval(sql, new Date(), { workspace, approval }))),
      ...(days !== undefined && (await setHoldDays(sql, new Date(), { workspace, days }))),
    };
  },
  'operator update': (sql, values) =>
    changeOperator(
      sql,
      given({
        name: values.name,
        address: values.address,
        taxId: values['tax-id'],
        iban: values.iban,
        bic: values.bic,
        payoutFeeMicros: unitsOf('payout-fee', values['payout-fee']),
        payoutFreeAboveMicros: unitsOf('payout-free-above', values['payout-free-above']),
      }),
    ),
  'payout account': async (sql, values) =>
    setPayoutAccount({ sql, sealer: sealerOf(values) }, new Date(), {
      workspace: await workspaceOf(sql, values),
      holder: required(values, 'name'),
      iban: required(values, 'iban'),
      bic: values.bic,
    }),
  'payout confirm-account': async (sql, values) =>
    confirmPayoutAccount(sql, new Date(), await workspaceOf(sql, values)),
  'payout settle': (sql, values, subject) =>
    recordOutcome(sql, new Date(), {
      payout: subjectOf('payout', subject),
      outcome: oneOf(values, 'outcome', ['paid', 'failed']),
    }),
  'payout bank-file': (sql, values) =>
    writeBankFile({ sql, sealer: sealerOf(values) }, new Date(), {
      path: required(values, 'out'),
      id: values['message-id'],
    }),
  'payment list': (sql, values) => showCases(sql, { status: values.status }),
  'payment book': (sql, _values, subject) => bookPaymentCase(sql, new Date(), subjectOf('payment_case', subject)),
  'payment close': (sql, values, subject) =>
    closePaymentCase(sql, new Date(), { handle: subjectOf('payment_case', subject), note: values.note }),
  'finding list': (sql, values) => showFindings(sql, { status: values.status }),
  'finding show': (sql, _values, subject) => showFinding(sql, subjectOf('finding', subject)),
  'finding clear': (sql, values, subject) =>
    decide(sql, new Date(), { finding: subjectOf('finding', subject), decision: 'clear', note: values.note }),
  'finding uphold': (sql, values, subject) =>
    decide(sql, new Date(), { finding: subjectOf('finding', subject), decision: 'uphold', note: values.note }),
  'invoice address': async (sql, values) =>
    setInvoiceAddress(sql, new Date(), {
      workspace: await workspaceOf(sql, values),
      name: required(values, 'name'),
      address: values.address,
      taxId: values['tax-id'],
    }),
  'invoice settle': (sql, _values, subject) => settleInvoice(sql, new Date(), subjectOf('invoice', subject)),
  'review approve': (sql, _values, subject) => approveReview(sql, new Date(), subjectOf('campaign', subject)),
  'review reject': (sql, values, subject) =>
    rejectReview(sql, new Date(), { campaign: subjectOf('campaign', subject), reason: values.reason }),
  'venue list': async (sql, values) =>
    listFigures(sql, {
      workspace: values.workspace === undefined ? undefined : await workspaceOf(sql, values),
      pending: values.pending,
    }),
  'venue approve': (sql, values, subject) =>
    approveFigures(sql, new Date(), {
      venue: subjectOf('venue', subject),
      audienceMax:
        values['audience-max'] === undefined
          ? undefined
          : numberFlag('audience-max', values['audience-max'], { fallback: 0, min: 1, max: AUDIENCE_MAX }),
    }),
  'venue reject': (sql, values, subject) =>
    rejectFigures(sql, new Date(), { venue: subjectOf('venue', subject), reason: required(values, 'reason') }),
  'venue recheck': sql => recheckFigures(sql, new Date()),
  'sensor enrol': async (sql, values) =>
    enrolSensor(sql, new Date(), {
      workspace: await workspaceOf(sql, values),
      serial: required(values, 'serial'),
      publicKey: required(values, 'public-key'),
    }),
  'sensor list': async (sql, values) =>
    listSensors(sql, values.workspace === undefined ? undefined : await workspaceOf(sql, values)),
  'sensor revoke': (sql, _values, subject) => revokeSensor(sql, new Date(), subject),
  'dead-letters list': (sql, values) => listDeadLetters(sql, lettersOf(values)),
  'dead-letters retry': (sql, values) =>
    retryDeadLetters(sql, { filter: lettersOf(values), redisUrl: engineUrl(values, 'REDIS_URL'), now: new Date() }),
  'node list': (sql, values) => listNodes(sql, engineUrl(values, 'REDIS_URL')),
  'node gone': (sql, values, subject) => giveUpNode(sql, engineUrl(values, 'REDIS_URL'), subject),
  'job list': sql => listJobs(sql),
  'job run': (_sql, values, subject) =>
    runJob(subject, { ...placesOf(values), databaseUrl: engineUrl(values, 'DATABASE_URL') }),
  'play show': (sql, values, subject) =>
    showPlay(sql, subject ?? '', { ...placesOf(values), signingKeys: secretOf(values, 'SIGNING_KEYS') }),
  verify: (sql, values) =>
    verifyInstance(sql, {
      redisUrl: engineUrl(values, 'REDIS_URL'),
      clickhouseUrl: engineUrl(values, 'CLICKHOUSE_URL'),
      cluster: variable('CLICKHOUSE_CLUSTER', process.env),
    }),
  'rollups mend': (sql, values) =>
    mendMonth(sql, {
      month: monthOf(required(values, 'month')),
      redisUrl: engineUrl(values, 'REDIS_URL'),
      clickhouseUrl: engineUrl(values, 'CLICKHOUSE_URL'),
      cluster: variable('CLICKHOUSE_CLUSTER', process.env),
    }),
  backup: (sql, values) =>
    backUpInstance(sql, {
      clickhouseUrl: engineUrl(values, 'CLICKHOUSE_URL'),
      out: required(values, 'out'),
      now: new Date(),
    }),
  restore: (sql, values) =>
    restoreInstance(sql, { clickhouseUrl: engineUrl(values, 'CLICKHOUSE_URL'), from: required(values, 'from') }),
  'user create': async (sql, values) => {
    const workspace = await workspaceOf(sql, values);
    const email = required(values, 'email');
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new UsageError(`--email takes an address, not '${email}'`);
    const user = await createUser(sql, new Date(), { workspace, email, role: oneOf(values, 'role', ROLES) });
    return { id: formatId('user', user) };
  },
  'user update': async (sql, values, subject) => {
    const user = subjectOf('user', subject);
    const role = oneOf(values, 'role', ROLES);
    if (!(await changeRole(sql, new Date(), { user, role }))) throw new UsageError(`There is no user ${subject}`);
    return { id: subject, role };
  },
  'user remove': async (sql, _values, subject) => {
    if (!(await removeUser(sql, new Date(), subjectOf('user', subject))))
      throw new UsageError(`There is no user ${subject}`);
    return { id: subject, removed: true };
  },
  'key update': async (sql, values, subject) => {
    const { 'per-minute': perMinute, 'per-second': perSecond } = values;
    if (perMinute === undefined && perSecond === undefined)
      throw new UsageError('key update takes --per-minute, --per-second or both');
    const limits = await changeKeyLimits(sql, new Date(), {
      key: subjectOf('key', subject),
      ...(perMinute !== undefined && { perMinuteMax: positive('per-minute', perMinute) }),
      ...(perSecond !== undefined && { perSecondMax: positive('per-second', perSecond) }),
    });
    if (!limits) throw new UsageError(`There is no key ${subject}`);
    return { id: subject, per_minute: limits.per_minute_max, per_second: limits.per_second_max };
  },
  'key create': async (sql, values) => {
    const workspace = await workspaceOf(sql, values);
    const user = await keyHolder(sql, values, workspace);
    if (user === undefined) throw new UsageError('the workspace has no owner; give --user');
    const { handle, key } = await createKey(sql, new Date(), {
      workspace,
      user,
      surface: oneOf<Surface>(values, 'surface', ['ads_manager', 'screen_manager', 'agency']),
      access: oneOf(values, 'access', ['read_write', 'read_only'], 'read_write'),
      mode: oneOf(values, 'mode', ['live', 'test'], 'live'),
      ...(values['per-minute'] && { perMinuteMax: positive('per-minute', values['per-minute']) }),
      ...(values['per-second'] && { perSecondMax: positive('per-second', values['per-second']) }),
    });
    return { id: formatId('key', handle), key };
  },
  'wallet fund': async (sql, values) => {
    const workspace = await workspaceOf(sql, values);
    const currency = await currencyOf(sql, workspace);
    const amountMicros = microsFromDecimal(Number(required(values, 'amount')), currency!);
    if (isRefusal(amountMicros) || amountMicros <= 0)
      throw new UsageError(`--amount takes an amount above 0 in ${currency}, not '${values.amount}'`);
    const book = oneOf(values, 'mode', ['live', 'test'], 'live') === 'live' ? 'live' : 'sandbox';
    await fundWallet(sql, new Date(), { workspace, amountMicros, book });
    return { workspace_id: formatId('workspace', workspace), funded: { amount: Number(values.amount), currency } };
  },
};

runCommand(async () => {
  const { values, positionals } = readArguments(process.argv.slice(2), OPTIONS);
  const [, , subject, ...more] = positionals;
  const found = COMMANDS[positionals.slice(0, 2).join(' ')];
  const command = more.length > 0 || (subject !== undefined && found && found.length < 3) ? undefined : found; // by its parameters: whether it takes an id
  if (!command)
    throw new UsageError(
      positionals.length === 0 ? USAGE : `There is no command '${positionals.join(' ')}'.\n${USAGE}`,
    );
  const sql = openPostgres(engineUrl(values, 'DATABASE_URL'), { connectionsMax: 2, applicationName: 'marquee-admin' }); // a backup holds a lock beside its snapshot
  try {
    const result = await command(sql, values, subject);
    process.stdout.write(
      values.json
        ? `${JSON.stringify(result)}\n`
        : `${Object.entries(result)
            .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join('\n')}\n`,
    );
    return result['ok'] === false ? 1 : 0;
  } finally {
    await sql.end({ timeout: 5 });
  }
});

/** Where an engine is: as the environment says, else as the running instance does. */
function engineUrl(values: Values, name: keyof typeof ENGINES): string {
  const given = variable(name, process.env);
  if (given !== undefined) return given;
  const dataDir = values['data-dir'] ?? process.env['DATA_DIR'] ?? '.data';
  const instance = readInstanceFile(dataDir);
  if (!instance) throw new UsageError(`No instance runs on ${dataDir}. Start one (npm start), or set ${name}.`);
  return instance.urls[ENGINES[name]];
}

function placesOf(values: Values) {
  return {
    redisUrl: engineUrl(values, 'REDIS_URL'),
    clickhouseUrl: engineUrl(values, 'CLICKHOUSE_URL'),
    cluster: variable('CLICKHOUSE_CLUSTER', process.env),
  };
}

/** As the environment says, else that of the running instance. */
function secretOf(values: Values, name: keyof typeof SECRETS): string {
  const given = variable(name, process.env);
  if (given !== undefined) return given;
  const dataDir = values['data-dir'] ?? process.env['DATA_DIR'] ?? '.data';
  if (!readInstanceFile(dataDir)) throw new UsageError(`No instance runs on ${dataDir}. Set ${name}.`);
  return secretsOf(dataDir)[SECRETS[name]];
}

function sealerOf(values: Values): Sealer {
  return createSealer(parseEncryptionKey(secretOf(values, 'ENCRYPTION_KEY')));
}

function lettersOf({ batch, step, reason }: Values): LetterFilter {
  return { job: batch, step, reason };
}

function required(values: Values, name: keyof Values): string {
  const value = values[name];
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is missing`);
  if (holdsControls(value)) throw new UsageError(`--${name} holds control characters`);
  return value;
}

function oneOf<T extends string>(values: Values, name: keyof Values, allowed: readonly T[], fallback?: T): T {
  const value = values[name] ?? fallback;
  const found = allowed.find(candidate => candidate === value);
  if (found === undefined)
    throw new UsageError(
      `--${name} takes one of ${allowed.join(', ')}${value === undefined ? '' : `, not '${String(value)}'`}`,
    );
  return found;
}

/** The fields that were given. */
function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** Micro-units of an amount in units of whatever currency, with up to two decimals. */
function unitsOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text))
    throw new UsageError(`--${name} takes an amount such as 1.50, not '${text}'`);
  return Math.round(Number(text) * 100) * (MICROS_PER_UNIT / 100);
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new UsageError(`--${name} takes a whole number above 0, not '${text}'`);
  return number;
}

function handleOf(flag: string, kind: Kind, id: string): number {
  const handle = parseId(kind, id);
  if (handle === undefined) throw new UsageError(`--${flag} takes an id such as ${formatId(kind, 1)}, not '${id}'`);
  return handle;
}

function subjectOf(kind: Kind, id: string | undefined): number {
  const handle = id === undefined ? undefined : parseId(kind, id);
  if (handle === undefined)
    throw new UsageError(
      `Name the ${kind} by an id such as ${formatId(kind, 1)}${id === undefined ? '' : `, not '${id}'`}`,
    );
  return handle;
}

function monthOf(text: string): number {
  if (!/^\d{4}(0[1-9]|1[0-2])$/.test(text))
    throw new UsageError(`--month takes a year and a month such as 202611, not '${text}'`);
  return Number(text);
}

/** Whose permissions a new key acts with: the person named, the first of a role (made if there is none), or the owner. */
async function keyHolder(sql: Postgres, values: Values, workspace: number): Promise<number | undefined> {
  if (values.user !== undefined) return handleOf('user', 'user', values.user);
  if (values.role !== undefined) return userOfRole(sql, new Date(), { workspace, role: oneOf(values, 'role', ROLES) });
  return ownerOf(sql, workspace);
}

async function workspaceOf(sql: Postgres, values: Values): Promise<number> {
  const handle = handleOf('workspace', 'workspace', required(values, 'workspace'));
  if ((await currencyOf(sql, handle)) === undefined) throw new UsageError(`There is no workspace ${values.workspace}`);
  return handle;
}
