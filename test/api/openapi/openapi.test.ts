/**
 * The OpenAPI document is complete: every operation, field, parameter, unit and error code is described, and every
 * example is valid by its own schema. The document is made without engines.
 */
import { Check } from 'typebox/schema';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentOffline } from '../../../api/offline.ts';
import {
  operationsOf,
  type Document,
  type Media,
  type Parameter,
  type Response,
  type Schema,
} from '../../../api/openapi/document.ts';
import { EXAMPLES } from '../../../api/openapi/examples/all.ts';
import { operationIdOf } from '../../../api/openapi/naming.ts';
import { REFUSALS } from '../../../domain/refusal.ts';

let document: Document;
beforeAll(async () => {
  document = await documentOffline();
});

type Field = { where: string; schema: Schema };

/** Every named field below a schema, and the entries of lists and alternatives below those. */
function fieldsOf(schema: Schema, where: string): Field[] {
  const below = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, inner]) => [
    { where: `${where}.${name}`, schema: inner },
    ...fieldsOf(inner, `${where}.${name}`),
  ]);
  const alternatives = [
    schema['items'],
    schema['additionalProperties'],
    ...((schema['anyOf'] ?? schema['oneOf'] ?? []) as Schema[]),
  ].filter(inner => typeof inner === 'object') as Schema[];
  return [...below, ...alternatives.flatMap(inner => fieldsOf(inner, where))];
}

function allFields(): Field[] {
  const components = Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsOf(schema, name));
  const inline = operationsOf(document).flatMap(({ operation }) => {
    const contents = [
      operation.requestBody?.content ?? {},
      ...Object.values(operation.responses).map(response => (response as Response).content ?? {}),
    ];
    return contents
      .flatMap(content => Object.values(content))
      .flatMap(media => fieldsOf(media.schema, operation.operationId));
  });
  return [...components, ...inline];
}

const parametersOf = () =>
  operationsOf(document).flatMap(({ operation }) =>
    (operation.parameters ?? [])
      .filter(parameter => !('$ref' in parameter))
      .map(parameter => ({ where: operation.operationId, parameter: parameter as Parameter })),
  );
const isNumeric = ({ type, anyOf }: Schema): boolean =>
  ['number', 'integer'].includes(String(type)) || ((anyOf ?? []) as Schema[]).some(isNumeric);
/** Words that say what a number counts or measures. */
const UNIT =
  /milliseconds|seconds|minutes|hours?\b|per minute|bytes|degrees|kilomet|kilometres|units of the currency|per impression|per scan|impressions|plays|scans|screens|campaigns|people|rows|entries|calls|weight|share|ratio|probability|HTTP status|attempts|records|0 to 1|number of|over expected/i;

describe('the document', () => {
  test('is OpenAPI 3.1 with one known tag per operation', () => {
    expect(document.openapi).toBe('3.1.0');
    const known = new Set(document.tags.map(tag => tag.name));
    for (const { operation } of operationsOf(document))
      expect({ id: operation.operationId, tags: operation.tags.filter(tag => known.has(tag)) }).toEqual({
        id: operation.operationId,
        tags: [expect.any(String)],
      });
  });

  test('has a unique name, a summary and a sentence about keys for every operation', () => {
    const operations = operationsOf(document).map(({ operation }) => operation);
    expect(new Set(operations.map(operation => operation.operationId)).size).toBe(operations.length);
    for (const { operationId, summary, description } of operations)
      expect({ operationId, summary, description }).toEqual({
        operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
        summary: expect.stringMatching(/^[A-Z]/),
        description: expect.stringMatching(/key|role/),
      });
  });

  test('describes every field and every parameter', () => {
    expect(
      allFields()
        .filter(({ schema }) => typeof schema['description'] !== 'string' && schema['$ref'] === undefined)
        .map(({ where }) => where),
    ).toEqual([]);
    expect(
      parametersOf()
        .filter(({ parameter }) => !parameter.description)
        .map(({ where, parameter }) => `${where} ${parameter.name}`),
    ).toEqual([]);
  });

  test('states the unit of every number', () => {
    const unclear = allFields().filter(({ schema }) => isNumeric(schema) && !UNIT.test(String(schema['description'])));
    expect(unclear.map(({ where, schema }) => `${where}: ${String(schema['description'])}`)).toEqual([]);
  });

  test('names every code of the registry at the operations that return it', () => {
    const codes = new Set(
      Object.values(document.components.responses).flatMap(response => {
        const [, own] = (response.content?.['application/problem+json']?.schema['allOf'] ?? []) as {
          properties: { code: { enum: string[] } };
        }[];
        return own?.properties.code.enum ?? [];
      }),
    );
    const never = Object.keys(REFUSALS).filter(code => !codes.has(code));
    expect(never).toEqual(['method_not_allowed']); // no operation of a path can answer it: it is said once, at the top
    expect(document.info['description']).toContain('method_not_allowed');
  });

  test('documents the rate-limit headers of every answer to an authenticated operation', () => {
    for (const { operation } of operationsOf(document).filter(({ operation }) => operation.security?.length !== 0)) {
      for (const response of Object.values(operation.responses).filter(response => !('$ref' in response))) {
        expect(Object.keys((response as Response).headers ?? {})).toEqual(
          expect.arrayContaining(['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
        );
      }
    }
  });
});

/** A schema with its references written out and every object closed, so that no example has a field that is gone. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const reference = (schema as Schema)['$ref'];
  if (typeof reference === 'string') return closed(document.components.schemas[reference.split('/').at(-1)!]);
  const copy: Schema = Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, closed(inner)]));
  return 'properties' in copy && copy['type'] === 'object' ? { additionalProperties: false, ...copy } : copy;
}

describe('examples', () => {
  const mediaOf = (): [string, Media][] =>
    operationsOf(document).flatMap(({ operation }) => {
      const answers = Object.entries(operation.responses)
        .filter(([status, response]) => status < '300' && !('$ref' in response))
        .map(([, response]) => response as Response);
      const contents = [
        ['takes', operation.requestBody?.content],
        ...answers.map(answer => ['answers', answer.content]),
      ] as [string, Record<string, Media> | undefined][];
      return contents.flatMap(([does, content]) =>
        content?.['application/json']
          ? [[`${operation.operationId} ${does}`, content['application/json']] as [string, Media]]
          : [],
      );
    });

  test('exist for every JSON body of a request or answer', () => {
    expect(mediaOf().length).toBeGreaterThan(80);
    expect(
      mediaOf()
        .filter(([, media]) => media.example === undefined)
        .map(([where]) => where),
    ).toEqual([]);
  });

  test('are valid by their schemas, and have no unknown field', () => {
    expect(
      mediaOf()
        .filter(([, media]) => media.example !== undefined && !Check(closed(media.schema) as Schema, media.example))
        .map(([where]) => where),
    ).toEqual([]);
    const [, venue] = mediaOf().find(([where]) => where === 'readVenue answers')!;
    for (const changes of [{ lat: 'north' }, { no_such_field: 1 }, { id: undefined }])
      expect(
        Check(closed(venue.schema) as Schema, JSON.parse(JSON.stringify({ ...(venue.example as object), ...changes }))),
      ).toBe(false);
  });

  test('each belong to an operation', () => {
    const known = new Set(operationsOf(document).map(({ operation }) => operation.operationId));
    expect(Object.keys(EXAMPLES).filter(id => !known.has(id))).toEqual([]);
  });
});

describe('operation ids', () => {
  test.each([
    ['GET', '/v1/campaigns', true, 'listCampaigns'],
    ['POST', '/v1/campaigns', false, 'createCampaign'],
    ['GET', '/v1/campaigns/:id', false, 'readCampaign'],
    ['GET', '/v1/campaigns/:id/results', false, 'readCampaignResults'],
    ['PATCH', '/v1/agency/clients/:id', false, 'changeAgencyClient'],
    ['POST', '/v1/keys/:id/rotate', false, 'rotateKey'],
    ['POST', '/v1/pairing/:code/confirm', false, 'confirmPairing'],
    ['POST', '/v1/wallet/top-ups', false, 'createWalletTopUp'],
    ['DELETE', '/v1/screens/:id', false, 'deleteScreen'],
  ])('of %s %s, a list: %s, is %s', (method, url, isList, id) => {
    expect(operationIdOf({ method, url, isList })).toBe(id);
  });
});
