/**
 * The fields of a request head, read in one pass over its lines: each look-up of a line by name costs as much as one
 * step of the pass.
 */
export const SOCKET_PATH = '/v1/screens/socket';
/** The only one of RFC 6455. */
const WEBSOCKET_VERSION = '13';

/** The required part of a request: its lines in order, with names in lower case. */
type Lines = { forEach(visit: (name: string, value: string) => void): void };

/** The first line of each name, '' if missing; for two that must be unique, their number. */
export type Head = {
  hosts: number;
  lengths: number;
  length: string;
  transferEncoding: string;
  version: string;
  key: string;
  protocol: string;
  extensions: string;
  /** All lines of `X-Forwarded-For`, as one. */
  forwardedFor: string;
};

/** Why a request is refused. `version`: the one that it should have offered. */
export type HeadFault = { status: string; text: string; version?: string };

export const UNKNOWN_PROTOCOL: HeadFault = { status: '400 Bad Request', text: 'marquee.v1.json or marquee.v1.msgpack' };
export const NOT_FOUND: HeadFault = { status: '404 Not Found', text: `screens connect to ${SOCKET_PATH}` };

export function readHead(lines: Lines): Head {
  const head: Head = {
    hosts: 0,
    lengths: 0,
    length: '',
    transferEncoding: '',
    version: '',
    key: '',
    protocol: '',
    extensions: '',
    forwardedFor: '',
  };
  lines.forEach((name, value) => {
    switch (name) {
      case 'host':
        return void head.hosts++;
      case 'content-length':
        head.lengths++;
        return void (head.length ||= value);
      case 'transfer-encoding':
        return void (head.transferEncoding ||= value);
      case 'sec-websocket-version':
        return void (head.version ||= value);
      case 'sec-websocket-key':
        return void (head.key ||= value);
      case 'sec-websocket-protocol':
        return void (head.protocol ||= value);
      case 'sec-websocket-extensions':
        return void (head.extensions ||= value);
      case 'x-forwarded-for':
        return void (head.forwardedFor += head.forwardedFor === '' ? value : `,${value}`);
    }
  });
  return head;
}

/**
 * Ambiguous heads: the library reads the first of two lines, and a proxy may read the other (RFC 9112, sections 3.2 and
 * 6.3).
 */
export function faultOfHead({ hosts, lengths }: Head): HeadFault | undefined {
  if (lengths > 1) return { status: '400 Bad Request', text: 'Content-Length is there twice' };
  return hosts > 1 ? { status: '400 Bad Request', text: 'Host is there twice' } : undefined;
}

/** The same for an upgrade to a WebSocket. */
export function faultOfUpgrade(head: Head): HeadFault | undefined {
  const fault = faultOfHead(head);
  if (fault !== undefined) return fault;
  if (head.version !== WEBSOCKET_VERSION)
    return {
      status: '426 Upgrade Required',
      text: `Sec-WebSocket-Version must be ${WEBSOCKET_VERSION}`,
      version: WEBSOCKET_VERSION,
    };
  const hasBody = (head.length || '0') !== '0' || head.transferEncoding !== '';
  return hasBody ? { status: '400 Bad Request', text: 'an upgrade has no body' } : undefined;
}
