/** The operator's own details on invoices and files for the bank. Driven by calls to the API on real engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeOperator } from '../../../cli/admin/money/operator.ts';
import {
  createKey,
  createWorkspace,
  dataOf,
  startApi,
  type TestApi,
  type TestWorkspace,
} from '../support/app-under-test.ts';
import { readAs } from '../support/answer.ts';
import { IBAN } from '../support/earnings.ts';

const PATH = '/v1/operator/details';
const PLACE = { address_lines: ['1 Harbour Street'], city: 'Berlin', postal_code: '10115', country: 'DE' };
let api: TestApi;
let own: TestWorkspace;
let operator: string;

beforeAll(async () => {
  api = await startApi();
  own = await createWorkspace(api, { kind: 'operator' });
  operator = await createKey(api, own, { surface: 'operator' });
});
afterAll(() => api.close());

const read = async () => (await api.call('GET', PATH, { key: operator })).body;
const change = (body: unknown, key = operator) => api.call('PATCH', PATH, { key, body });
const audited = async () =>
  dataOf(await api.call('GET', '/v1/audit?action=operator.updated', { key: operator })).map(({ diff }) => diff);

describe('the details of the operator', () => {
  test('name what VAT on invoices still needs, until it is there', async () => {
    expect(await read()).toMatchObject({
      name: 'Marquee',
      iban: null,
      missing_for_vat: ['address_lines', 'city', 'postal_code', 'country', 'vat_id'],
    });
    expect((await change(PLACE)).body).toMatchObject({ ...PLACE, missing_for_vat: ['vat_id'] });
    const changed = await change({ name: ' Screens Ltd ', vat_id: 'de 123 456 789' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Screens Ltd', vat_id: 'DE123456789' } });
    expect(await read()).toEqual(changed.body);
    expect(changed.body['missing_for_vat']).toEqual([]);
  });

  test('keep what is not sent, lose what is null, and are those of the command', async () => {
    await change({ ...PLACE, tax_id: '12/345', iban: 'de89 3704 0044 0532 0130 00', bic: 'cobadeff' });
    expect(await read()).toMatchObject({ ...PLACE, tax_id: '12/345', iban: IBAN, bic: 'COBADEFF' });
    await change({ tax_id: null });
    expect(await read()).toMatchObject({ ...PLACE, tax_id: null, iban: IBAN, bic: 'COBADEFF' });
    expect(await changeOperator(api.sql, new Date(), { city: 'Bonn' })).toMatchObject({
      city: 'Bonn',
      bic: 'COBADEFF',
    });
    expect(await read()).toMatchObject({ city: 'Bonn', iban: IBAN });
  });

  test('have no BIC of a former account', async () => {
    await change({ iban: IBAN, bic: 'COBADEFF' });
    expect((await change({ iban: 'GB33BUKB20201555555555' })).body).toMatchObject({ bic: null });
    expect((await change({ bic: 'NWBKGB2L' })).body).toMatchObject({ iban: 'GB33BUKB20201555555555', bic: 'NWBKGB2L' });
    expect((await change({ iban: null })).body).toMatchObject({ iban: null, bic: null });
  });

  test('hold the fee of payouts and how overload is shared', async () => {
    const terms = { payout_fee: 0.07, payout_free_above: 1_000_000, overload_floor: 1, overload_floor_least: 0 };
    expect(await read()).toMatchObject({ payout_fee: 1.5, overload_floor: 0.8, overload_floor_least: 0.2 });
    expect((await change(terms)).body).toMatchObject(terms);
    expect(await read()).toMatchObject(terms);
    expect((await audited())[0]).toMatchObject({ payout_fee_micros: { from: 1_500_000, to: 70_000 } });
    expect(await changeOperator(api.sql, new Date(), { payoutFee: 1.5, overloadFloor: 0.8 })).toMatchObject({
      ...terms,
      payout_fee: 1.5,
      overload_floor: 0.8,
    });
  });

  test('are in the audit log of the operator with the end of the account alone, and only if they changed', async () => {
    await change({ iban: IBAN, city: 'Hamburg' });
    const before = await audited();
    expect(before[0]).toMatchObject({
      city: { to: 'Hamburg' },
      iban_masked: { from: null, to: 'DE****************3000' },
    });
    expect(JSON.stringify(before)).not.toContain(IBAN);
    await change({ iban: IBAN, city: 'Hamburg' });
    expect(await audited()).toHaveLength(before.length);
  });
});

describe('a change', () => {
  test.each([
    [{}, ''],
    [[], ''],
    [{ name: '' }, '/name'],
    [{ name: ' ' }, '/name'],
    [{ name: null }, '/name'],
    [{ name: 'x'.repeat(141) }, '/name'],
    [{ name: 'a\u0000b' }, '/name'],
    [{ city: 'a\nb' }, '/city'],
    [{ address_lines: null }, '/address_lines'],
    [{ address_lines: Array.from({ length: 7 }, () => 'x') }, '/address_lines'],
    [{ address_lines: ['x'.repeat(71)] }, '/address_lines/0'],
    [{ country: 'de' }, '/country'],
    [{ country: 'XX' }, '/country'],
    [{ country: 'FR' }, '/vat_id'],
    [{ country: null }, '/country'],
    [{ vat_id: 'DE12345678' }, '/vat_id'],
    [{ vat_id: 'FR12345678901' }, '/vat_id'],
    [{ vat_id: 7 }, '/vat_id'],
    [{ iban: 'DE89370400440532013001' }, '/iban'],
    [{ iban: 'x' }, '/iban'],
    [{ iban: IBAN, bic: 'COBA' }, '/bic'],
    [{ iban: null, bic: 'COBADEFF' }, '/iban'],
    [{ iban: ['x'] }, '/iban'],
    [{ overload_floor: 1.01 }, '/overload_floor'],
    [{ overload_floor_least: -0.1 }, '/overload_floor_least'],
    [{ overload_floor: null }, '/overload_floor'],
    [{ payout_fee: -1 }, '/payout_fee'],
    [{ payout_fee: 1.505 }, '/payout_fee'],
    [{ payout_fee: '1.50' }, '/payout_fee'],
    [{ payout_free_above: 1e12 }, '/payout_free_above'],
    [{ payout_fee_micros: 0 }, '/payout_fee_micros'],
  ])('to %j is refused by the name of the field, and changes nothing', async (body, pointer) => {
    await change({ ...PLACE, vat_id: 'DE123456789' });
    const before = await read();
    const refused = await change(body);
    const named = readAs<{ errors: { pointer: string }[] }>(refused.body).errors.map(fault => fault.pointer);
    expect([refused.status, [...new Set(named)]]).toEqual([422, [pointer]]); // a field that may be null has two faults
    expect(await read()).toEqual(before);
  });

  test('by the command is refused by the name of the option', async () => {
    const now = new Date();
    await expect(changeOperator(api.sql, now, { iban: 'x' })).rejects.toThrow('--iban: must be an IBAN');
    await expect(changeOperator(api.sql, now, { iban: IBAN, bic: 'x' })).rejects.toThrow('--bic: must be a BIC');
    await expect(changeOperator(api.sql, now, { vatId: 'x' })).rejects.toThrow('--vat-id: ');
    await expect(changeOperator(api.sql, now, { payoutFee: NaN })).rejects.toThrow('--payout-fee: must be a decimal');
    await expect(changeOperator(api.sql, now, {})).rejects.toThrow('operator update takes');
  });

  test('and the details are for those who handle money alone', async () => {
    const venue = await createKey(api, await createWorkspace(api, { kind: 'venue' }), { surface: 'screen_manager' });
    const sandbox = await createKey(api, own, { surface: 'operator', mode: 'test' });
    await api.sql`update users set role = 'manager' where handle = ${own.user}`;
    const manager = await createKey(api, own, { surface: 'operator' });
    const codes = async (key: string) => [
      (await api.call('GET', PATH, { key })).body['code'],
      (await change({ name: 'Thief' }, key)).body['code'],
    ];
    expect(await codes(venue)).toEqual(['wrong_surface', 'wrong_surface']);
    expect(await codes(manager)).toEqual(['role_forbidden', 'role_forbidden']);
    await api.sql`update users set role = 'owner' where handle = ${own.user}`;
    expect(await codes(sandbox)).toEqual(['wrong_mode', 'wrong_mode']);
    expect((await read())['name']).not.toBe('Thief');
  });
});
