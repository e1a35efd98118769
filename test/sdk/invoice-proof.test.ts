/**
 * The verifier of invoices against proofs as the server makes them: it accepts every true one, and of a thousand random
 * tamperings it misses none. Server and verifier have a tree each; recorded roots hold both to the same form.
 */
import { generateKeyPairSync, hash, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatId, handleOf } from '#domain/id.ts';
import { proofLeaf, proofStatement, type InvoicePlay, type ProofLine } from '#domain/proof/invoice-proof.ts';
import { MerkleSum } from '#domain/proof/merkle-sum.ts';
import { InputFault } from '../../sdk/typescript/bin/checked-fields.mjs';
import { checkPath, ProofCheck } from '../../sdk/typescript/bin/proof-check.mjs';
import { runVerifier } from '../flow/support/verify-invoice.ts';

const sha256 = (bytes: Uint8Array) => hash('sha256', bytes, 'buffer');
const eur = (micros: number) => ({ amount: micros / 1e6, currency: 'EUR' });
const INVOICE_ID = formatId('invoice', handleOf('invoice', 7));
const ISSUED_AT = new Date('2026-04-01T00:10:00Z');

/** Plays of some campaigns in the order of a proof, different in every fact. */
function playsOf(count: number, campaigns = 3): InvoicePlay[] {
  return Array.from({ length: count }, (_, index) => ({
    campaign: handleOf('campaign', 1 + Math.floor((index * campaigns) / count)),
    epoch: 3,
    issueNumber: 100 + index,
    startsAt: Date.UTC(2026, 2, 1) + Math.floor(index / 2) * 15_000,
    screen: formatId('screen', handleOf('screen', 1 + (index % 5))),
    impressionsThousandths: 1_000 + 37 * index,
    micros: 5_000 + 11 * index,
  }));
}

type Money = { amount: number; currency: string };
type Key = { kid: string; x: string };
function keyPair(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { key: { kid, x: publicKey.export({ format: 'jwk' }).x! }, privateKey };
}
const SERVER = keyPair('server');
const STRANGER = keyPair('stranger');

/** An invoice with its proof, as the server answers them. */
function issue(plays: readonly InvoicePlay[], privateKey = SERVER.privateKey) {
  const tree = new MerkleSum(sha256);
  const lines: ProofLine[] = [];
  for (const [index, play] of plays.entries()) {
    const { line, leaf } = proofLeaf(play, index, sha256);
    tree.add(leaf);
    lines.push(line);
  }
  const root = tree.root()!;
  const grossMicros = Number(root.micros);
  const totalMicros = Math.round(grossMicros / 10_000) * 10_000;
  const vatMicros = Math.round(totalMicros / 50_000) * 10_000;
  const facts = {
    id: INVOICE_ID,
    number: '2026-000007',
    kind: 'invoice' as const,
    period: '2026-03',
    currency: 'EUR',
    issuedAt: ISSUED_AT,
    grossMicros,
    discountMicros: 0,
    totalMicros,
    vatMicros,
    signedAt: ISSUED_AT,
  };
  const campaigns = [...new Set(lines.map(line => line.campaign_id))];
  const invoice = {
    id: facts.id,
    number: facts.number,
    kind: facts.kind,
    period: facts.period,
    gross: eur(grossMicros),
    discount: eur(0),
    net: eur(grossMicros),
    rounding: eur(totalMicros - grossMicros),
    total: eur(totalMicros),
    vat: {
      taxable: eur(totalMicros),
      amount: eur(vatMicros),
      total_with_vat: eur(totalMicros + vatMicros),
      prepaid: eur(totalMicros),
      due: eur(vatMicros),
    },
    issued_at: ISSUED_AT.toISOString(),
    lines: campaigns.map(campaign => {
      const own = lines.filter(line => line.campaign_id === campaign);
      const sum = (of: 'micros' | 'impressions_thousandths') => own.reduce((all, line) => all + line[of], 0);
      return {
        campaign_id: campaign,
        plays: own.length,
        impressions: Math.round(sum('impressions_thousandths') / 1_000),
        gross: eur(sum('micros')),
        discount: eur(0),
        net: eur(sum('micros')),
      };
    }),
    proof: {
      root: Buffer.from(root.hash).toString('hex'),
      plays: Number(root.plays),
      impressions_thousandths: Number(root.impressionsThousandths),
      micros: grossMicros,
      key_id: SERVER.key.kid,
      signature: sign(null, Buffer.from(proofStatement(facts, root)), privateKey).toString('base64url'),
      signed_at: ISSUED_AT.toISOString(),
    },
  };
  return { invoice, lines, keys: { keys: [SERVER.key] } };
}
type Issued = ReturnType<typeof issue>;

/** What the verifier says; a file that it cannot read counts as one fault. */
function faultsOf({ invoice, lines, keys }: Issued, play?: string): string[] {
  try {
    const check = new ProofCheck(invoice, keys, play);
    for (const line of lines) check.add(JSON.stringify(line));
    return check.end().faults;
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return [error.message];
  }
}

function pathOf({ invoice, lines, keys }: Issued, index: number) {
  const check = new ProofCheck(invoice, keys, lines[index]!.play_id);
  for (const line of lines) check.add(JSON.stringify(line));
  return check.end().path!;
}

describe('a true invoice', () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100])(
    'of %i plays is accepted, and so is the path of each play',
    count => {
      const issued = issue(playsOf(count));
      expect(faultsOf(issued)).toEqual([]);
      for (let index = 0; index < count; index += 1)
        expect(checkPath(pathOf(issued, index), issued.invoice, issued.keys).faults).toEqual([]);
    },
  );

  test.each([
    [1, 'e159118af3d37c5e62b3d29bcbfbc6fd965070a95f942cebd4d2ab366928af08'],
    [2, '3c3316f4c986e57b9df1c0ad94e42747bd1151251af62eb7ab4d9a33f2216a20'],
    [7, '48cce97bbdd4018113a9aed516a68eab332531a9db7dd75f4387b47ff9ac3df7'],
  ])('of %i plays has the recorded root, which never changes', (count, root) => {
    expect(issue(playsOf(count)).invoice.proof.root).toBe(root);
  });
});

/** Lines numbered anew, as a careful forger does. */
const renumbered = (lines: readonly ProofLine[]) => lines.map((line, index) => ({ ...line, index }));
/** A line whose hash fits its facts again. */
function rehashed(line: ProofLine): ProofLine {
  const { index: _index, hash: _hash, ...facts } = line;
  return { ...line, hash: hash('sha256', `\0${Object.values(facts).join('\n')}`) };
}

type Tampering = (issued: Issued, random: { place: number; other: number; by: number; isCareful: boolean }) => Issued;

const changedLine =
  (change: (line: ProofLine, by: number) => ProofLine): Tampering =>
  (issued, { place, by, isCareful }) => {
    const line = change(issued.lines[place]!, by);
    return { ...issued, lines: issued.lines.with(place, isCareful ? rehashed(line) : line) };
  };
const changedAmount =
  (pick: (invoice: Issued['invoice'], place: number) => Money): Tampering =>
  (issued, { place, by }) => {
    const invoice = structuredClone(issued.invoice);
    pick(invoice, place).amount += by / 1e6;
    return { ...issued, invoice };
  };
const changedInvoice =
  (change: (invoice: Issued['invoice'], by: number) => void): Tampering =>
  (issued, { by }) => {
    const invoice = structuredClone(issued.invoice);
    change(invoice, by);
    return { ...issued, invoice };
  };

const TAMPERINGS: Record<string, Tampering> = {
  'an amount of a play': changedLine((line, by) => ({ ...line, micros: line.micros + by })),
  'impressions of a play': changedLine((line, by) => ({
    ...line,
    impressions_thousandths: line.impressions_thousandths + by,
  })),
  'the time of a play': changedLine((line, by) => ({
    ...line,
    starts_at: new Date(Date.parse(line.starts_at) + by).toISOString(),
  })),
  'the screen of a play': changedLine((line, by) => ({
    ...line,
    screen_id: formatId('screen', handleOf('screen', 1_000 + by)),
  })),
  'the id of a play': changedLine(line => ({ ...line, play_id: `${line.play_id.slice(0, -1)}zz` })),
  'the hash of a play': (issued, { place }) => ({
    ...issued,
    lines: issued.lines.with(place, { ...issued.lines[place]!, hash: '0'.repeat(64) }),
  }),
  'a missing play': (issued, { place, isCareful }) => {
    const lines = issued.lines.toSpliced(place, 1);
    return { ...issued, lines: isCareful ? renumbered(lines) : lines };
  },
  'a doubled play': (issued, { place, other, isCareful }) => {
    const lines = issued.lines.toSpliced(other, 0, issued.lines[place]!);
    return { ...issued, lines: isCareful ? renumbered(lines) : lines };
  },
  'swapped plays': (issued, { place, other, isCareful }) => {
    const there = other === place ? (place + 1) % issued.lines.length : other;
    const lines = issued.lines.with(place, issued.lines[there]!).with(there, issued.lines[place]!);
    return { ...issued, lines: isCareful ? renumbered(lines) : lines };
  },
  'money moved between plays': (issued, { place, other, by }) => {
    const there = other === place ? (place + 1) % issued.lines.length : other;
    const move = (line: ProofLine, micros: number) => rehashed({ ...line, micros: line.micros + micros });
    const lines = issued.lines
      .with(place, move(issued.lines[place]!, by))
      .with(there, move(issued.lines[there]!, -Math.min(by, issued.lines[there]!.micros)));
    return { ...issued, lines };
  },
  gross: changedAmount(invoice => invoice.gross),
  discount: changedAmount(invoice => invoice.discount),
  net: changedAmount(invoice => invoice.net),
  rounding: changedAmount(invoice => invoice.rounding),
  total: changedAmount(invoice => invoice.total),
  VAT: changedAmount(invoice => invoice.vat.amount),
  'total with VAT': changedAmount(invoice => invoice.vat.total_with_vat),
  due: changedAmount(invoice => invoice.vat.due),
  'the gross of a line': changedAmount((invoice, place) => invoice.lines[place % invoice.lines.length]!.gross),
  'the sign of the total': changedInvoice(invoice => {
    invoice.total.amount *= -1;
  }),
  'the sign of the rounding': changedInvoice((invoice, by) => {
    invoice.rounding.amount = -invoice.rounding.amount || by / 1e6;
  }),
  'the number': changedInvoice((invoice, by) => {
    invoice.number = `2026-${String(1_000 + by).padStart(6, '0')}`;
  }),
  'the period': changedInvoice(invoice => {
    invoice.period = '2026-02';
  }),
  'the time of issue': changedInvoice((invoice, by) => {
    invoice.issued_at = new Date(ISSUED_AT.getTime() + by).toISOString();
  }),
  'another kind': changedInvoice(invoice => {
    invoice.kind = 'credit_note' as 'invoice';
  }),
  'plays of the root': changedInvoice((invoice, by) => {
    invoice.proof.plays += by;
  }),
  'impressions of the root': changedInvoice((invoice, by) => {
    invoice.proof.impressions_thousandths += by;
  }),
  'an invoice of its own, signed by another key': (issued, { place, by }) => {
    const plays = playsOf(issued.lines.length);
    plays[place]!.micros += by;
    return issue(plays, STRANGER.privateKey);
  },
  'another public key of the same name': issued => ({
    ...issued,
    keys: { keys: [{ kid: SERVER.key.kid, x: STRANGER.key.x }] satisfies Key[] },
  }),
};

const STRANGE = [null, [], {}, '', 'x', '__proto__', -1, 0, 1.5, 1e300, true, ['a'], { amount: 1 }, '2026-13-45'];

/** Puts strange values in place of each value of a tree, one at a time, and calls `check` with each. */
function replaceEach(tree: object, check: (place: string, value: unknown) => void, at = ''): void {
  const fields = tree as Record<string, unknown>;
  for (const [name, before] of Object.entries(fields)) {
    const place = `${at}.${name}`;
    if (at !== '')
      for (const value of STRANGE.filter(one => JSON.stringify(one) !== JSON.stringify(before))) {
        fields[name] = value;
        check(place, value);
      }
    fields[name] = before;
    if (typeof before === 'object' && before !== null) replaceEach(before, check, place);
  }
}

function pathFaultsOf(path: ReturnType<typeof pathOf>, { invoice, keys }: Issued): string[] {
  try {
    return checkPath(path, invoice, keys).faults;
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    return [error.message];
  }
}

describe('a tampered invoice', () => {
  test('is detected a thousand times of a thousand', () => {
    const counts = new Map<string, number>();
    const tampering = fc.record({
      name: fc.constantFrom(...Object.keys(TAMPERINGS)),
      count: fc.integer({ min: 2, max: 40 }),
      place: fc.nat(),
      other: fc.nat(),
      by: fc.integer({ min: 1, max: 100_000 }),
      isCareful: fc.boolean(),
    });
    fc.assert(
      fc.property(tampering, ({ name, count, place, other, ...rest }) => {
        const issued = issue(playsOf(count));
        const random = { place: place % count, other: other % count, ...rest };
        expect(faultsOf(TAMPERINGS[name]!(issued, random)).length).toBeGreaterThan(0);
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }),
      { numRuns: 1_000 },
    );
    expect([...counts.keys()].sort()).toEqual(Object.keys(TAMPERINGS).sort());
  }, 60_000);

  test('is detected in each field that the verifier reads, whatever takes its place', () => {
    const issued = structuredClone(issue(playsOf(5)));
    const path = structuredClone(pathOf(issued, 2));
    const missed: string[] = [];
    const all = { invoice: issued.invoice, keys: issued.keys, lines: issued.lines, path };
    replaceEach(all, (place, value) => {
      if (faultsOf(issued).length === 0 && pathFaultsOf(path, issued).length === 0)
        missed.push(`${place} = ${JSON.stringify(value)}`);
    });
    expect(missed).toEqual([]);
  }, 60_000);

  const issued = issue(playsOf(9));
  const id = (index: number) => issued.lines[index]!.play_id;
  const told = (lines: readonly ProofLine[]) => faultsOf({ ...issued, lines: [...lines] })[0];

  test.each<[string, string, readonly ProofLine[]]>([
    ['changed', `line 3: play ${id(2)} was changed`, issued.lines.with(2, { ...issued.lines[2]!, micros: 1 })],
    ['missing', `line 3: play ${id(3)} has index 3: play 2 is missing`, issued.lines.toSpliced(2, 1)],
    ['missing at the end', 'plays 7 to 8 are missing at the end', issued.lines.slice(0, 7)],
    ['doubled', `line 4: play ${id(2)} is doubled`, issued.lines.toSpliced(3, 0, issued.lines[2]!)],
    [
      'doubled elsewhere',
      `line 8: play ${id(2)} is out of order, or doubled`,
      renumbered(issued.lines.toSpliced(7, 0, issued.lines[2]!)),
    ],
    [
      'swapped',
      `line 2: play ${id(0)} is out of order, or doubled`,
      renumbered(issued.lines.with(0, issued.lines[1]!).with(1, issued.lines[0]!)),
    ],
  ])('names the play that is %s', (_, fault, lines) => {
    expect(told(lines)).toContain(fault);
  });

  test('names the campaign whose plays do not match its line, even with forged hashes and numbers', () => {
    const forged = issued.lines.with(2, rehashed({ ...issued.lines[2]!, micros: 1 }));
    expect(faultsOf({ ...issued, lines: forged })).toEqual([
      expect.stringContaining(`campaign ${issued.lines[2]!.campaign_id}: the line has`),
      'the plays do not give the root',
    ]);
  });

  test.each<[string, unknown, string]>([
    ['an invoice without a proof', { ...issued.invoice, proof: null }, 'invoice: proof is null'],
    ['an amount that is text', { ...issued.invoice, total: { amount: '1' } }, 'invoice: total.amount must be a number'],
    ['an invoice that is a list', [], 'invoice must be a JSON object'],
  ])('as %s is refused with the field', (_, invoice, fault) => {
    expect(() => new ProofCheck(invoice, issued.keys)).toThrow(fault);
  });

  test.each<[string, string, string]>([
    ['no JSON', '{', 'proof, line 1 is not JSON'],
    ['a negative amount', JSON.stringify({ ...issued.lines[0]!, micros: -1 }), 'proof, line 1: micros must be'],
    [
      'a broken id',
      JSON.stringify({ ...issued.lines[0]!, play_id: 'ply_1' }),
      'proof, line 1: play_id has a wrong form',
    ],
  ])('with a line that is %s is refused with the field', (_, line, fault) => {
    expect(() => new ProofCheck(issued.invoice, issued.keys).add(line)).toThrow(fault);
  });

  test('path, or one of another play, does not lead to the root', () => {
    const path = pathOf(issued, 4);
    for (const changed of [
      { ...path, play: issued.lines[5] },
      { ...path, path: [] },
      { ...path, path: (path['path'] as { micros: number }[]).map(step => ({ ...step, micros: step.micros + 1 })) },
    ])
      expect(checkPath(changed, issued.invoice, issued.keys).faults).toEqual([
        expect.stringContaining('does not lead to the root'),
      ]);
  });
});

test('the program prints its options if asked, and if they are wrong', async () => {
  const usage = expect.stringContaining('--save-path');
  expect(await runVerifier(['--help'])).toEqual({ code: 0, said: usage });
  expect(await runVerifier(['--invoice', 'invoice.json'])).toEqual({ code: 2, said: usage });
});
