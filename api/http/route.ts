/**
 * A route as a row of a table: who may call it, its input, its output, and one function from the call to its result or
 * refusal. The function is typed by the row's schemas. The common work of rows is done here: ids of the path and
 * cursors are read before the function runs, and its result is answered under the status of its schema.
 *
 * Underneath it is a Fastify route: what Fastify, the hooks and the document read of a route (schema, config), they
 * find.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static, type TSchema } from 'typebox';
import type { KeyMode } from '#domain/access/key.ts';
import { parseId, type Handle, type Kind } from '#domain/id.ts';
import { isRefusal, type Refusal, type RefusalCode } from '#domain/refusal.ts';
import type { Sealer } from '#runtime/cryptography/sealed.ts';
import type { Milliseconds } from '#domain/unit.ts';
import type { Postgres } from '#sql/postgres.ts';
import { callerOf, type Caller } from '../authentication/caller.ts';
import type { Principal, RouteAccess } from '../authentication/principal.ts';
import { answerTable, jsonOrCsv, type CsvTable } from '../formats/csv.ts';
import type { Api } from '../wire/fastify.ts';
import { keepResult } from '../idempotency/idempotency.ts';
import { readPage, type Page } from '../lists/paging.ts';
import type { Sorts } from '#sql/lists/sorts.ts';
import { guardGuesses, type GuessLimit } from '../rate-limit/guess-limit.ts';
import type { NarrowBucket } from '../rate-limit/rate-limit.ts';
import { refuseAbsent } from '../wire/refusals.ts';
import { idParams } from '../wire/shapes.ts';
import { answer, FileAnswer, WrittenAnswer } from '../wire/reply.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The schema of a route's success under its status; without one it is 204. */
type Success = Partial<Record<200 | 201 | 202, TSchema>>;

/** The list that a cursor belongs to: its name, its orders, and how it writes positions that are not handles. */
export type PagedList = { list: string; sorts?: Sorts; position?: RegExp };

type Documented = {
  summary: string;
  description?: string;
  /** Absent: made from method and path. */
  operationId?: string;
};

/** The route options for hooks besides its access; each is explained at its declaration for Fastify's `config`. */
type Traits = { refusals?: readonly RefusalCode[]; bucket?: NarrowBucket; mode?: KeyMode; secretReply?: boolean };

/** The input of a row's function. Undeclared parts are undefined. */
type Call<
  Access extends RouteAccess,
  IdKind extends Kind,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Paged extends PagedList | undefined,
  Response extends Success,
> = {
  caller: Access extends 'public' ? undefined : Caller;
  principal: Access extends 'public' ? undefined : Principal;
  id: [IdKind] extends [never] ? undefined : Handle<IdKind>;
  params: StaticOrNone<Params>;
  query: StaticOrNone<Query>;
  body: StaticOrNone<Body>;
  page: Paged extends PagedList ? Page : undefined;
  /** For its address and headers; everything else is in the other fields. */
  request: FastifyRequest;
  /** Adds headers to the answer, whatever it will be. */
  setHeaders: (headers: Record<string, string | number>) => void;
  /** Serializes a result, for a route that sends the same answer more than once. */
  write: (result: Result<Response> & object) => WrittenAnswer<Result<Response>>;
};

/** The input of the function of a row without a key that takes a body. */
export type PublicCall<Body> = {
  body: Body;
  request: FastifyRequest;
  setHeaders: (headers: Record<string, string | number>) => void;
};

type StaticOrNone<Schema extends TSchema> = [Schema] extends [never] ? undefined : Static<Schema>;
type Answer<T> = T | WrittenAnswer<T> | FileAnswer | Refusal;
type Result<Response extends Success> = keyof Response extends never
  ? void
  : Static<Extract<Response[keyof Response], TSchema>>;

type RouteRow<
  Dependencies,
  Access extends RouteAccess,
  IdKind extends Kind,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Paged extends PagedList | undefined,
  Response extends Success,
> = Documented &
  Traits & {
    method: Method;
    path: string;
    access: Access;
    /** The kind of the first path parameter: any other text counts as absent. */
    id?: IdKind;
    /** Absent with `id`: the one parameter `id`. */
    params?: Params;
    query?: Query;
    page?: Paged;
    body?: Body;
    /** Absent: as large as any other. */
    bodyBytesMax?: number;
    /** For a route without a key: counts attempts per address. */
    guesses?: (dependencies: Dependencies) => GuessLimit;
    response?: Response;
    /** The result as a table for CSV; the query may choose between tables. */
    csv?: (result: NoInfer<Result<Response>>, query: StaticOrNone<Query>) => CsvTable;
    /** Media types of the files that the function may answer with instead, for the document. */
    files?: readonly string[];
    handle: (
      call: Call<Access, IdKind, Params, Query, Body, Paged, NoInfer<Response>>,
      dependencies: Dependencies,
    ) => Answer<NoInfer<Result<Response>>> | Promise<Answer<NoInfer<Result<Response>>>>;
  };

/** What every row needs, to read cursors and to store replies. A module of routes declares what else it needs. */
export type CallDependencies = { sealer: Sealer; sql: Postgres; now: () => Milliseconds };

/** A type-checked row, ready to be declared. */
export type Route<Dependencies> = (app: Api, dependencies: Dependencies) => void;

/** Creates the function for one row of a table of routes, whose functions get these dependencies. */
export function routeFor<Dependencies extends CallDependencies>() {
  return <
    const Access extends RouteAccess,
    IdKind extends Kind = never,
    Params extends TSchema = never,
    Query extends TSchema = never,
    Body extends TSchema = never,
    Paged extends PagedList | undefined = undefined,
    Response extends Success = Record<never, never>,
  >(
    row: RouteRow<Dependencies, Access, IdKind, Params, Query, Body, Paged, Response>,
  ): Route<Dependencies> => {
    const { method, path, bodyBytesMax, guesses, csv } = row;
    const status = Number(Object.keys(row.response ?? {})[0] ?? 204);
    const handleCall = async (
      request: FastifyRequest,
      reply: FastifyReply,
      dependencies: Dependencies,
    ): Promise<Answer<Result<Response>>> => {
      const read = readCall(row, request, reply, {
        sealer: dependencies.sealer,
        write: record => WrittenAnswer.of(reply, status, record),
      });
      if (isRefusal(read)) return read;
      const result = await row.handle(read as Call<Access, IdKind, Params, Query, Body, Paged, Response>, dependencies);
      if (request.once !== null) await keepResult(dependencies, request, result);
      return result;
    };
    const answerCall = (request: FastifyRequest, reply: FastifyReply, result: Answer<Result<Response>>): void => {
      if (!csv || result instanceof WrittenAnswer || result instanceof FileAnswer)
        answer<Result<Response>>(reply, status, result);
      else {
        const query = request.query as StaticOrNone<Query>;
        answerTable<Result<Response>>(request, reply, { result, tableOf: record => csv(record, query) });
      }
    };
    return (app, dependencies) =>
      app.route({
        method,
        url: path,
        ...(bodyBytesMax !== undefined && { bodyLimit: bodyBytesMax }),
        ...(guesses && guardGuesses(guesses(dependencies))),
        config: configOf(row),
        schema: schemaOf(row),
        // Returns nothing: Fastify would await the end of a returned reply, with its own listeners on each socket.
        handler: (request: FastifyRequest, reply: FastifyReply) => {
          handleCall(request, reply, dependencies)
            .then(result => answerCall(request, reply, result))
            .catch((error: unknown) => void reply.send(error));
        },
      });
  };
}

/** One row of a table whose functions need no more. */
export const route = routeFor<CallDependencies>();

type AnyRow = Documented &
  Traits & {
    access: RouteAccess;
    id?: Kind;
    params?: TSchema;
    query?: TSchema;
    page?: PagedList | undefined;
    body?: TSchema;
    response?: Success;
    csv?: unknown;
    files?: readonly string[];
  };

function configOf({ access, refusals, bucket, mode, secretReply }: AnyRow) {
  return {
    access,
    ...(refusals && { refusals }),
    ...(bucket !== undefined && { bucket }),
    ...(mode !== undefined && { mode }),
    ...(secretReply !== undefined && { secretReply }),
  };
}

/** The schemas for Fastify, with the route's data for the document. */
function schemaOf(row: AnyRow) {
  const { summary, description, operationId, query, body, response = {}, csv, files } = row;
  const params = row.params ?? (row.id && idParams);
  const success = Object.entries(response).map(([status, schema]) => [
    status,
    csv ? jsonOrCsv(schema) : files ? jsonOrFiles(schema, files) : schema,
  ]);
  return {
    ...(operationId !== undefined && { operationId }),
    summary,
    ...(description !== undefined && { description }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(success.length > 0 && { response: Object.fromEntries(success) as Record<string, unknown> }),
  };
}

/** The answers of a route that also answers with files, for its schema. */
function jsonOrFiles(record: TSchema, files: readonly string[]) {
  const file = { schema: Type.String({ format: 'binary', description: 'The file.' }) };
  return {
    description: 'The record; as a file if `Accept` prefers its media type, or if `format` names it.',
    content: { 'application/json': { schema: record }, ...Object.fromEntries(files.map(type => [type, file])) },
  };
}

/** The input of the row's function, or a refusal. Fastify has checked the parts against their schemas. */
function readCall(
  row: AnyRow,
  request: FastifyRequest,
  reply: FastifyReply,
  { sealer, write }: { sealer: Sealer; write: (record: object) => WrittenAnswer<object> },
): unknown {
  const isPublic = row.access === 'public';
  const id = row.id && parseId(row.id, Object.values(request.params as Record<string, string>)[0] ?? '');
  if (row.id && id === undefined) return refuseAbsent();
  const page = row.page && readPage(request.query as Record<string, string>, row.page, sealer);
  if (isRefusal(page)) return page;
  return {
    caller: isPublic ? undefined : callerOf(request),
    principal: request.principal ?? undefined,
    id,
    params: request.params,
    query: request.query,
    body: request.body,
    page,
    request,
    setHeaders: (headers: Record<string, string | number>) => void reply.headers(headers),
    write,
  };
}
