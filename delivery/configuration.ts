/**
 * The configuration of delivery: variables with defaults, and rules for their combinations. `main.ts` reads it once;
 * all other code gets values.
 */
import { parseSigningKeys, SIGNING_KEYS_FORM } from '#domain/plays/play.ts';
import {
  ConfigError,
  flag,
  integer,
  oneOf,
  optional,
  origin,
  parsed,
  port,
  readConfig,
  text,
  withDefault,
} from '#runtime/config.ts';
import { trustProxy } from '#runtime/ingress/forwarded-for.ts';
import { processVariables } from '#runtime/lifecycle.ts';
import { authorityVariables } from '#authority/connection.ts';
import { postgresVariables } from '#sql/engine-variables.ts';
import { type CertificateFiles, checkCertificate } from './sockets/certificate.ts';
import { SOCKET_LIBRARIES } from './sockets/socket-library.ts';

/** The name of a node is a folder and a field of the issue log's header. */
const NODE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/;

function nodeName(value: string): string {
  if (!NODE_NAME.test(value)) throw new Error('bad name');
  return value;
}

const SPEC = {
  DELIVERY_HOST: withDefault(text(), '0.0.0.0'),
  DELIVERY_PORT: withDefault(port(), 8081),
  /** Several processes of this instance listen on the port. */
  DELIVERY_SHARED_PORT: withDefault(flag(), false),
  DELIVERY_NODE: withDefault(parsed('a name of letters, digits, - and _, at most 64', nodeName), 'node-1'),
  DATA_DIR: withDefault(text(), '.data'),
  ...postgresVariables(),
  ...authorityVariables(),
  PUBLIC_URL: origin('http:', 'https:'),
  SIGNING_KEYS: parsed(SIGNING_KEYS_FORM, parseSigningKeys),
  SCREEN_MESSAGES_PER_SECOND_MAX: withDefault(integer({ min: 1, max: 1_000_000 }), 10),
  /** Only for load tests, whose screens take and report more than they could show. */
  SCREEN_PLAYS_OVERLAP: withDefault(flag(), false),
  /** Screens of this process; 20,000 descriptors leave room for engines, logs and refused connections. */
  SCREENS_MAX: withDefault(integer({ min: 1, max: 1_000_000 }), 15_000),
  /**
   * Total sockets before their hello: each may hold 128 KiB of an unfinished message, so these are 256 MiB. A crowd
   * that reconnects after a crash gets more room for seconds.
   */
  SOCKETS_BEFORE_HELLO_MAX: withDefault(integer({ min: 1, max: 1_000_000 }), 2_000),
  /**
   * The same per address, which thousands of screens behind one NAT share: sockets silent for a second make room for
   * newer ones.
   */
  SOCKETS_BEFORE_HELLO_PER_ADDRESS_MAX: withDefault(integer({ min: 1, max: 1_000_000 }), 1_000),
  /** Per screen: many times the need of a player with back-off on the worst network. */
  SCREEN_HELLOS_PER_MINUTE_MAX: withDefault(integer({ min: 1, max: 1_000_000 }), 30),
  /** A hello takes about 100 us of this process, so this leaves most of a core to connected screens. */
  SCREEN_HELLOS_PER_SECOND_MAX: withDefault(integer({ min: 1, max: 1_000_000 }), 3_000),
  /** Absent: uWebSockets.js if its binary loads, else `ws`. */
  SOCKET_LIBRARY: optional(oneOf(...SOCKET_LIBRARIES)),
  /** Proxies that name the caller of a socket. */
  TRUST_PROXY: optional(trustProxy()),
  /** PEM files: the certificate with those of its issuers, and its key. Both or none. */
  TLS_CERT: optional(text()),
  TLS_KEY: optional(text()),
  ...processVariables(),
};

/** @throws ConfigError naming every fault. */
export function readConfiguration(environment: NodeJS.ProcessEnv) {
  const config = readConfig(SPEC, environment);
  const faults: string[] = [];
  if ((config.TLS_CERT === undefined) !== (config.TLS_KEY === undefined))
    faults.push('TLS_CERT and TLS_KEY must be given together, or neither');
  // A renewed certificate reuses the port, which a port chosen by the system does not allow.
  if (config.TLS_CERT !== undefined && config.DELIVERY_PORT === 0)
    faults.push('DELIVERY_PORT must be a port of its own, not 0, where TLS_CERT is given');
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The files of the certificate, if the sockets have one. @throws Fault `bad_certificate` */
export function certificateOf({
  TLS_CERT,
  TLS_KEY,
}: Pick<Configuration, 'TLS_CERT' | 'TLS_KEY'>): CertificateFiles | undefined {
  if (TLS_CERT === undefined || TLS_KEY === undefined) return undefined;
  const files = { certificateFile: TLS_CERT, keyFile: TLS_KEY };
  checkCertificate(files);
  return files;
}

export type Configuration = ReturnType<typeof readConfiguration>;
