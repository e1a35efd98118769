/**
 * The target of a command: the engines and secrets in the environment, else those of the instance that runs on the data
 * folder. The program opens one per command and closes it afterwards. An engine is given out once it answers.
 */
import { ConfigError, parsed, readConfig, variable } from '#runtime/config.ts';
import { clickhouseVariables, postgresVariables } from '#sql/engine-variables.ts';
import { openPostgres, type Postgres } from '#sql/postgres.ts';
import { redisUrl } from '#sql/redis-url.ts';
import { checkClickhouse, checkRedis } from '#sql/preflight/requirements.ts';
import { createSealer, parseEncryptionKey, type Sealer } from '#runtime/cryptography/sealed.ts';
import { UsageError } from '../arguments.ts';
import { readInstanceFile } from '../instance/instance.ts';
import { secretsOf } from '../instance/secrets.ts';

const ENGINES = { DATABASE_URL: 'databaseUrl', REDIS_URL: 'redisUrl', CLICKHOUSE_URL: 'clickhouseUrl' } as const;
const SECRETS = { SIGNING_KEYS: 'signingKeys', ENCRYPTION_KEY: 'encryptionKey' } as const;

/** How a variable is read that is set, in the words of the services. */
const READ = {
  ...postgresVariables(),
  ...clickhouseVariables(),
  REDIS_URL: redisUrl(),
  ENCRYPTION_KEY: parsed('32 bytes in base64', parseEncryptionKey),
};

/** A command may need two connections: a backup holds a lock on one while it reads its snapshot on the other. */
const CONNECTIONS_MAX = 2;

/** The engines and secrets of one command. */
export class Installation {
  readonly #dataDir: string;
  readonly sql: Postgres;

  /** @throws UsageError if DATABASE_URL is not set and no instance runs */
  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.sql = openPostgres(this.databaseUrl, { connectionsMax: CONNECTIONS_MAX, applicationName: 'marquee-admin' });
  }

  get databaseUrl(): string {
    return readSet('DATABASE_DIRECT_URL') ?? this.#engineUrl('DATABASE_URL');
  }

  /** @throws Fault `engine_unavailable` */
  async redisUrl(): Promise<string> {
    const url = this.#engineUrl('REDIS_URL');
    await checkRedis(url);
    return url;
  }

  /** @throws Fault `engine_unavailable` */
  async clickhouseUrl(): Promise<string> {
    const url = this.#engineUrl('CLICKHOUSE_URL');
    await checkClickhouse(url, 'connection');
    return url;
  }

  /** The data folder of its engines, under running services; undefined if URLs name the engines. */
  get runningFolder(): string | undefined {
    const byUrl = readSet('DATABASE_URL') !== undefined && readSet('CLICKHOUSE_URL') !== undefined;
    return byUrl ? undefined : this.#dataDir;
  }

  /** Name of the ClickHouse cluster; undefined for a single server. */
  get cluster(): string | undefined {
    return readSet('CLICKHOUSE_CLUSTER');
  }

  /** Redis and ClickHouse, for the commands that read both. @throws Fault `engine_unavailable` */
  async engines(): Promise<{ redisUrl: string; clickhouseUrl: string; cluster: string | undefined }> {
    const [redisUrl, clickhouseUrl] = await Promise.all([this.redisUrl(), this.clickhouseUrl()]);
    return { redisUrl, clickhouseUrl, cluster: this.cluster };
  }

  /** The address of the console. */
  get publicUrl(): string {
    const given = variable('PUBLIC_URL', process.env) ?? readInstanceFile(this.#dataDir)?.apiUrl;
    if (given === undefined) throw new UsageError(`No instance runs on ${this.#dataDir}. Set PUBLIC_URL.`);
    return given.replace(/\/$/, '');
  }

  get signingKeys(): string {
    return this.#secret('SIGNING_KEYS');
  }

  /** Opens and seals account numbers. */
  get sealer(): Sealer {
    return createSealer(readSet('ENCRYPTION_KEY') ?? parseEncryptionKey(this.#secret('ENCRYPTION_KEY')));
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 5 });
  }

  #engineUrl(name: keyof typeof ENGINES): string {
    const given = readSet(name);
    if (given !== undefined) return given;
    const instance = readInstanceFile(this.#dataDir);
    if (!instance) throw new UsageError(`No instance runs on ${this.#dataDir}. Start one (npm start), or set ${name}.`);
    return instance.urls[ENGINES[name]];
  }

  #secret(name: keyof typeof SECRETS): string {
    const given = variable(name, process.env);
    if (given !== undefined) return given;
    if (!readInstanceFile(this.#dataDir)) throw new UsageError(`No instance runs on ${this.#dataDir}. Set ${name}.`);
    return secretsOf(this.#dataDir)[SECRETS[name]];
  }
}

/** A variable of the environment; undefined if unset. @throws UsageError that names it if it is invalid */
function readSet<K extends keyof typeof READ>(name: K): ReturnType<(typeof READ)[K]['parse']> | undefined {
  try {
    if (variable(name, process.env) === undefined) return undefined;
    return readConfig({ [name]: READ[name] }, process.env)[name] as ReturnType<(typeof READ)[K]['parse']>;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(error.faults.join('\n'));
  }
}
