/**
 * The one way out to addresses that a client has chosen: hostile ones are refused without a connection, and a slow or
 * broken receiver is a failure in time. Receivers on loopback, and names that the test answers.
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEgress, type Egress, type Resolver } from '../../runtime/egress/egress.ts';
import { isPublicAddress, judgeUrl } from '../../runtime/egress/judge-url.ts';

/** What a name answers in these tests; any other name has no address. */
const NAMES: Record<string, string[]> = {
  'good.example.com': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'private.example.com': ['10.1.2.3'],
  'mixed.example.com': ['93.184.216.34', '192.168.0.7'],
  'mixed6.example.com': ['93.184.216.34', 'fd00::1'],
  'metadata.example.com': ['169.254.169.254'],
  'cgnat.example.com': ['100.64.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'nat64.example.com': ['64:ff9b::7f00:1'],
  'sixtofour.example.com': ['2002:7f00:1::'],
  'teredo.example.com': ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'zero.example.com': ['0.0.0.0'],
  'broadcast.example.com': ['255.255.255.255'],
  'multicast.example.com': ['224.0.0.1'],
  'multicast6.example.com': ['ff02::1'],
  'azure.example.com': ['168.63.129.16'],
  'nonsense.example.com': ['not an address'],
};
const resolve: Resolver = async name => NAMES[name] ?? [];

/** Every one is refused before a connection is made. */
const HOSTILE: readonly string[] = [
  // not a URL of ours
  '',
  'example.com',
  '//example.com/',
  'http://good.example.com/',
  'ftp://good.example.com/',
  'file:///etc/passwd',
  'gopher://good.example.com/',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  'https://',
  'https://good.example.com:80/',
  'https://good.example.com:22/',
  'https://good.example.com:6379/',
  'https://good.example.com:65535/',
  'https://good.example.com:0/',
  'https://user@good.example.com/',
  'https://user:pass@good.example.com/',
  'https://good.example.com@127.0.0.1/',
  'https://good.example.com/#x',
  `https://good.example.com/${'x'.repeat(2_100)}`,
  // every way to write an IPv4 address
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://127.255.255.254/',
  'https://0.0.0.0/',
  'https://0/',
  'https://0.1.2.3/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.0.1/',
  'https://100.64.0.1/',
  'https://100.100.100.200/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://192.88.99.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://168.63.129.16/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  // IPv6, and IPv4 inside of it
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::10.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:a9fe:a9fe::1]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://[2a00:1450::5efe:7f00:1]/',
  'https://[2a00:1450::200:5efe:a9fe:a9fe]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[2001:db8::1]/',
  'https://[4000::1]/',
  'https://[5f00::1]/',
  'https://[::1%25eth0]/',
  // names that mean something inside only
  'https://localhost/',
  'https://LOCALHOST./',
  'https://api.localhost/',
  'https://redis/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://printer.local/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://x.onion/',
  // names whose addresses are not for us: one bad one is enough
  ...Object.keys(NAMES)
    .filter(name => name !== 'good.example.com')
    .map(name => `https://${name}/`),
  'https://unknown.example.com/',
];

let dialled: string[] = [];
let answering: Server;
let egress: Egress;

/** An egress that may not leave the machine: it notes to which address it would connect, and is answered here. */
function createWatched(resolver: Resolver): Egress {
  const real = buildConnector({});
  return createEgress({
    allowPrivate: false,
    resolve: resolver,
    connectTo: (options, callback) => {
      dialled.push(`${options.hostname} for ${options.host}`);
      real(
        {
          ...options,
          protocol: 'http:',
          hostname: '127.0.0.1',
          port: String((answering.address() as { port: number }).port),
        },
        callback,
      );
    },
  });
}

beforeAll(async () => {
  answering = createServer(socket =>
    socket
      .on('error', () => undefined)
      .once('data', () => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')),
  );
  answering.listen(0, '127.0.0.1');
  await once(answering, 'listening');
  egress = createWatched(resolve);
});
afterAll(async () => {
  await egress.close();
  answering.close();
});

const post = (url: string, by = egress) =>
  by.post(url, { headers: { 'content-type': 'application/json' }, body: '{}' });

describe('outgoing calls', () => {
  test(`refuses each of ${HOSTILE.length} hostile URLs without a connection`, async () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(60);
    dialled = [];
    const outcomes = await Promise.all(HOSTILE.map(async url => ({ url, outcome: await post(url) })));
    expect(
      outcomes.filter(
        ({ outcome }) => !('error' in outcome) || !['url_forbidden', 'address_forbidden'].includes(outcome.error),
      ),
    ).toEqual([]);
    expect(dialled).toEqual([]);
  });

  test('refuses at registration if the URL alone shows the problem', () => {
    const told = new Set(HOSTILE.filter(url => judgeUrl(url, { allowPrivate: false }) !== undefined));
    expect(HOSTILE.filter(url => !told.has(url)).every(url => url.endsWith('.example.com/'))).toBe(true);
  });

  test.each([
    'https://good.example.com/hook',
    'https://good.example.com:8443/hook?x=1',
    'https://good.example.com:443/',
  ])('allows %s, to the checked address', async url => {
    dialled = [];
    expect(await post(url)).toMatchObject({ status: 204 });
    expect(dialled).toEqual([expect.stringMatching(/^93\.184\.216\.34 for good\.example\.com/)]);
  });

  test('resolves a name once and connects to the checked address: a name that changes its answer gains nothing', async () => {
    let asked = 0;
    const rebinding = createWatched(async () => ((asked += 1) === 1 ? ['93.184.216.34'] : ['127.0.0.1']));
    dialled = [];
    expect(await post('https://rebind.example.com/', rebinding)).toMatchObject({ status: 204 });
    expect([asked, dialled]).toEqual([1, ['93.184.216.34 for rebind.example.com']]);
    // The connection was closed, so the next one asks again, and the answer is judged again.
    expect(await post('https://rebind.example.com/', rebinding)).toMatchObject({ error: 'address_forbidden' });
    expect([asked, dialled.length]).toEqual([2, 1]);
    await rebinding.close();
  });

  test('gives the same answer in the same time for an unknown name, an inside name and a silent server', async () => {
    const slow = (addresses: string[], ms: number) =>
      createWatched(async () => {
        await new Promise(resolve => setTimeout(resolve, ms));
        return addresses;
      });
    const ways = [
      slow([], 40),
      slow(['10.0.0.5'], 1),
      slow(['10.0.0.5', '93.184.216.34'], 20),
      createWatched(() => Promise.reject(new Error('the server of names does not answer'))),
    ];
    const outcomes = await Promise.all(ways.map(way => post('https://db.corp.example.com/', way)));
    expect(outcomes).toEqual(ways.map(() => ({ error: 'address_forbidden', ms: 0 })));
    await Promise.all(ways.map(way => way.close()));
  });

  test('applies the same checks for a client with its own HTTP', async () => {
    const { get } = await import('node:https');
    const failure = await new Promise<Error & { code?: string }>(resolve => {
      get('https://loopback.example.com/', { agent: egress.agents.https }).on('error', resolve);
    });
    expect(failure.code).toBe('address_forbidden');
  });

  test.each<[string, boolean]>([
    ['8.8.8.8', true],
    ['93.184.216.34', true],
    ['2606:4700:4700::1111', true],
    ['2a00:1450:4001:80b::200e', true],
    ['100.63.255.255', true],
    ['100.128.0.0', true],
    ['172.15.255.255', true],
    ['172.32.0.0', true],
    ['192.167.255.255', true],
    ['223.255.255.255', true],
    ['100.64.0.0', false],
    ['100.127.255.255', false],
    ['::ffff:8.8.8.8', false],
    ['64:ff9b::8.8.8.8', false],
    ['127.0.0.1 ', false],
    ['', false],
    ['8.8.8.8/8', false],
  ])('%s is a public address: %s', (address, is) => {
    expect(isPublicAddress(address)).toBe(is);
  });
});

describe('a receiver that', () => {
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const open = createEgress({ allowPrivate: true });
  afterAll(async () => {
    await open.close();
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });

  async function receiver(behave: (socket: Socket) => void): Promise<string> {
    const server = createServer(socket => {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => sockets.delete(socket))
        .once('data', () => behave(socket));
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  }
  const drip = (socket: Socket, text: string) => {
    let at = 0;
    const timer = setInterval(
      () => (socket.destroyed ? clearInterval(timer) : socket.write(text[at++ % text.length]!)),
      100,
    );
    socket.on('close', () => clearInterval(timer));
  };
  const flood = (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10737418240\r\n\r\n');
    const chunk = Buffer.alloc(65_536);
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  };

  const BEHAVIOURS: [string, (socket: Socket) => void, object][] = [
    ['never answers', () => undefined, { error: 'timeout' }],
    [
      'answers its head byte by byte',
      socket => drip(socket, 'HTTP/1.1 200 OK\r\nX: '.padEnd(1_000, 'x')),
      { error: 'timeout' },
    ],
    [
      'answers its body byte by byte',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
        drip(socket, 'x');
      },
      { status: 200 },
    ],
    [
      'answers 503 and its body byte by byte',
      socket => {
        socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 100000\r\n\r\n');
        drip(socket, 'x');
      },
      { status: 503 },
    ],
    [
      'says 100 Continue for ever',
      socket => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
      { error: expect.any(String) },
    ],
    ['answers 200 and sends 10 GB', flood, { status: 200 }],
    [
      'answers 200 and resets before the end of its body',
      socket => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx', () =>
          setImmediate(() => socket.resetAndDestroy()),
        );
      },
      { status: 200 },
    ],
    [
      'answers 200 and a body that is no chunk',
      socket => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      { status: 200 },
    ],
    [
      'sends a head without end',
      socket => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`),
      { error: 'answer_too_large' },
    ],
    ['resets', socket => socket.resetAndDestroy(), { error: 'connection_reset' }],
    ['hangs up', socket => socket.end(), { error: 'connection_reset' }],
    ['speaks no HTTP', socket => socket.end('220 mail.example.com ESMTP\r\n'), { error: 'malformed_answer' }],
    [
      'answers 301',
      socket => socket.end('HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n'),
      { status: 301 },
    ],
    [
      'answers 200 with a body',
      socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      { status: 200 },
    ],
  ];

  test('misbehaves yields its status or a failure within the time of one exchange, and delays no other', async () => {
    const urls = await Promise.all(BEHAVIOURS.map(([, behave]) => receiver(behave)));
    const outcomes = await Promise.all(urls.map(url => post(url, open)));
    const of = (index: number) => ({ name: BEHAVIOURS[index]![0], ...outcomes[index]! });
    expect(outcomes.map((_, index) => of(index))).toEqual(
      BEHAVIOURS.map(([name, , outcome]) => ({ name, ...outcome, ms: expect.any(Number) })),
    );
    for (const [index] of BEHAVIOURS.entries()) {
      // The bound is 5 s; what is above it is a busy machine's. Those that do not time out were answered long before.
      expect(of(index).ms).toBeLessThan(
        'error' in outcomes[index]! && outcomes[index].error === 'timeout' ? 8_000 : 4_500,
      );
    }
  });

  test('is unreachable is a failure at once', async () => {
    const url = await receiver(() => undefined);
    servers.at(-1)!.close();
    expect(await post(url, open)).toMatchObject({ error: 'connection_failed' });
  });
});
