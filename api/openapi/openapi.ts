/**
 * The OpenAPI document, made from the routes themselves: paths, parameters and bodies are the schemas that requests
 * are checked against, and the rest follows from what a route declares (who may call it, what it refuses). Nothing is
 * written twice, so a route cannot be missing and a field cannot differ.
 */
import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { RefusalCode } from '#domain/refusal.ts';
import type { Api } from '../wire/fastify.ts';
import type { RouteAccess } from '../authentication/principal.ts';
import { describeAccess } from './access.ts';
import { completeBodies } from './bodies.ts';
import { hoistTitled } from './components.ts';
import { operationsOf, type Document, type Operation, type Response } from './document.ts';
import { EXAMPLES } from './examples/all.ts';
import { addResponseHeaders, HEADER_PARAMETERS, headerParameters, RESPONSE_HEADERS, type Traits } from './headers.ts';
import { operationIdOf } from './naming.ts';
import { addProblems, codesOf, PROBLEM, type Refusable } from './problems.ts';
import { SESSION_COOKIE } from '../authentication/cookie.ts';
import { TAGS, tagOf } from './tags.ts';
import { describeWebhooks } from './webhooks.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Codes of the route's own rules; codes of every such route are added by its properties. */
    refusals?: readonly RefusalCode[];
  }
}

/** The one route that declares HEAD together with GET. */
const HEAD_OF_ASSET = 'checkAsset';

/** The properties of a route for the document. */
type Described = { refusable: Refusable; access: RouteAccess };

const DESCRIPTION = `Plan, buy and report digital out-of-home campaigns; pair and run the screens that show them.

- **Keys.** Send \`Authorization: Bearer <API_KEY>\`. \`sk_live_\` keys act on live records, \`sk_test_\` keys on a sandbox with play money. People who sign in to the console call the same routes with a cookie, and may do what a live key of theirs may, or with \`X-Mode: test\` what a test key may.
- **Errors.** \`application/problem+json\`; decide by \`code\`. A method that a path does not have is answered 405 \`method_not_allowed\` with \`Allow\`.
- **Money** is a decimal amount in units of its currency. **Times** are ISO 8601 in UTC. **Ids** are opaque.
- **Lists** come newest first, page by page: pass \`next_cursor\` as \`cursor\`.
- **Repeats.** Every POST and PATCH takes an \`Idempotency-Key\`.
- **Limits.** 600 calls per minute and 200 per second per key, unless raised; 50 per minute for forecasts and audit exports; 30 per minute for screen commands; 10 per minute for invoice proofs. Bodies up to 1 MiB.`;

/**
 * Makes the document of an app. Must be registered before the routes. The document is built when it is first asked for
 * and kept as text.
 * @param publicUrl base of the addresses that clients use, without a slash at the end
 */
export async function registerOpenapi(app: Api, { publicUrl }: { publicUrl: string }): Promise<void> {
  const described = new Map<string, Described>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Marquee API',
        version: '1',
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl, description: 'This installation.' }],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `sk_live_...` or `sk_test_...`.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description:
              'A person who signed in with `POST /v1/sessions`, in a browser. Writes need `X-Requested-With: marquee-console`, and where the person has several workspaces `X-Workspace-Id` says which is meant. `X-Mode: test` acts on the sandbox.',
          },
        },
      },
    },
    stripBasePath: false,
    convertConstToEnum: false,
    transform: ({ schema, url, route }) =>
      describeRoute(described, { schema: schema as RouteSchema | undefined, url, route }) as {
        schema: FastifySchema;
        url: string;
      },
    transformObject: made =>
      // The plugin's type is the union of the documents of all versions of OpenAPI.
      finishDocument((made as { openapiObject: unknown }).openapiObject as Document, described) as never,
  });
  let text: string | undefined;
  app.get(
    '/v1/openapi.json',
    { config: { access: 'public' }, schema: { summary: 'Read this document', operationId: 'readOpenapi' } },
    async (_request, reply) => {
      text ??= JSON.stringify(app.swagger());
      return (reply as { type(type: string): { send(text: string): unknown } })
        .type('application/json; charset=utf-8')
        .send(text);
    },
  );
}

type RouteSchema = {
  hide?: boolean;
  summary?: string;
  tags?: readonly string[];
  operationId?: string;
  description?: string;
  security?: unknown;
  body?: unknown;
  params?: unknown;
  querystring?: { properties?: Record<string, unknown> };
  response?: Record<string, { properties?: Record<string, unknown> }>;
};
type RouteTransform = { schema: RouteSchema | undefined; url: string; route: RouteOptions };

/**
 * The data of a route for Swagger: its schemas, a name, who may call it. A route without a summary is not of the
 * interface.
 */
function describeRoute(
  described: Map<string, Described>,
  { schema, url, route }: RouteTransform,
): { schema: RouteSchema; url: string } {
  const { access, mode, refusals } = route.config ?? {};
  const method = [route.method].flat().find(name => name !== 'HEAD') ?? 'HEAD';
  if (schema?.summary === undefined || access === undefined) return { schema: { ...schema, hide: true }, url };
  const isList = schema.response?.['200']?.properties?.['has_more'] !== undefined;
  const operationId = schema.operationId ?? operationIdOf({ method, url, isList });
  described.set(operationId, { access, refusable: refusableOf({ access, method, schema, own: refusals ?? [] }) });
  const sentences = [
    schema.description,
    access === 'public' ? 'Needs no key.' : describeAccess(access),
    mode && `Keys and sessions of the mode \`${mode}\` alone.`,
  ].filter(text => text !== undefined);
  return {
    schema: {
      ...schema,
      operationId,
      tags: [tagOf(url)],
      description: sentences.join(' '),
      security: access === 'public' ? [] : [{ apiKey: [] }, { session: [] }],
    },
    url,
  };
}

function refusableOf({
  access,
  method,
  schema,
  own,
}: {
  access: RouteAccess;
  method: string;
  schema: RouteSchema;
  own: readonly RefusalCode[];
}): Refusable {
  const query = Object.keys(schema.querystring?.properties ?? {});
  const isPublic = access === 'public';
  return {
    traits: {
      isPublic,
      isIdempotent: !isPublic && (method === 'POST' || method === 'PATCH'),
      isRead: !isPublic && method === 'GET',
    },
    verb: isPublic ? 'read' : access.verb,
    hasBody: schema.body !== undefined || (!isPublic && method !== 'GET'), // a body of no fields is checked as well
    hasQuery: schema.querystring !== undefined,
    hasCursor: query.includes('cursor'),
    hasParameters: schema.params !== undefined,
    own,
  };
}

function finishDocument(document: Document, described: ReadonlyMap<string, Described>): Document {
  const { components } = document;
  Object.assign(components, { responses: {}, headers: RESPONSE_HEADERS, parameters: HEADER_PARAMETERS });
  components.schemas['Problem'] = PROBLEM;
  separateHead(document);
  for (const { method, operation } of operationsOf(document)) {
    const { refusable } = described.get(
      operation.operationId === HEAD_OF_ASSET ? 'downloadAsset' : operation.operationId,
    )!;
    completeBodies(operation, { isDeletion: method === 'delete' });
    addExamples(operation);
    addResponseHeaders(operation, refusable.traits);
    addHeaderParameters(operation, refusable.traits);
    addProblems(operation, components, { codes: codesOf(refusable), traits: refusable.traits });
  }
  hoistTitled(document);
  document.webhooks = describeWebhooks();
  const used = new Set(operationsOf(document).flatMap(({ operation }) => operation.tags));
  document.tags = TAGS.filter(tag => used.has(tag.name));
  return document;
}

/** A route of GET and HEAD together is two operations, and their names must differ. */
function separateHead(document: Document): void {
  for (const item of Object.values(document.paths)) {
    if (!item['head'] || !item['get']) continue;
    item['head'] = {
      ...structuredClone(item['get']),
      operationId: HEAD_OF_ASSET,
      summary: 'Ask for the size of a file',
    };
  }
}

function addHeaderParameters(operation: Operation, traits: Traits): void {
  const parameters = [...(operation.parameters ?? []), ...headerParameters(traits)];
  if (parameters.length > 0) operation.parameters = parameters;
}

function addExamples(operation: Operation): void {
  const { request, response } = EXAMPLES[operation.operationId] ?? {};
  const body = operation.requestBody?.content['application/json'];
  if (request !== undefined && body) body.example = request;
  const answer = (operation.responses['200'] ?? operation.responses['201'] ?? operation.responses['202']) as
    Response | undefined;
  const content = answer?.content?.['application/json'];
  if (response !== undefined && content) content.example = response;
}
