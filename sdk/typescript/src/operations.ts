/**
 * The types of calls, derived from the OpenAPI document: the paths of a method, the input of a call and its answer. All
 * of them exist only for the compiler.
 */
import type { paths } from './generated/openapi.d.ts';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type PathsOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, object> ? Path : never;
}[keyof paths];
export type OperationOf<Path extends keyof paths, M extends Method> = paths[Path][M];

type PathOption<O> = O extends { parameters: { path: infer Path } } ? { path: Path } : { path?: never };
type QueryOption<O> = O extends { parameters: { query: infer Query } }
  ? { query: Query }
  : O extends { parameters: { query?: infer Query } }
    ? { query?: Query }
    : { query?: never };
type BodyOption<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : O extends { requestBody?: infer Request }
    ? { body?: NonNullable<Request> extends { content: { 'application/json': infer Body } } ? Body : never }
    : { body?: never };

/** Options of every call. */
export type CallOptions = {
  /** For a POST or PATCH: the text that makes its effect happen once; a new one for each call unless told. */
  idempotencyKey?: string;
  /** For keys of an agency: the client to act on in this call. */
  workspace?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};
export type OptionsOf<O> = PathOption<O> & QueryOption<O> & BodyOption<O> & CallOptions;
/** The options of a call as its last argument, which may be omitted if nothing is required. */
export type OptionsArgument<O> = object extends OptionsOf<O> ? [options?: OptionsOf<O>] : [options: OptionsOf<O>];

type JsonOf<Answer> = Answer extends { content: { 'application/json': infer Json } } ? Json : undefined;
/** The body of a success; undefined without a body. */
export type AnswerOf<O> = O extends { responses: infer Answers }
  ? JsonOf<Answers[keyof Answers & (200 | 201 | 202 | 204)]>
  : never;

type Page = { data: readonly unknown[]; next_cursor: string | null };
/** The paths whose GET answers pages. */
export type ListPath = {
  [Path in PathsOf<'get'>]: AnswerOf<OperationOf<Path, 'get'>> extends Page ? Path : never;
}[PathsOf<'get'>];
export type RecordOf<Path extends ListPath> =
  AnswerOf<OperationOf<Path, 'get'>> extends { data: readonly (infer One)[] } ? One : never;

/** The paths whose GET answers XML, too. */
export type XmlPath = {
  [Path in PathsOf<'get'>]: OperationOf<Path, 'get'> extends {
    responses: { 200: { content: { 'application/xml': string } } };
  }
    ? Path
    : never;
}[PathsOf<'get'>];

/** The paths whose GET answers CSV, too. */
export type CsvPath = {
  [Path in PathsOf<'get'>]: OperationOf<Path, 'get'> extends { responses: { 200: { content: { 'text/csv': string } } } }
    ? Path
    : never;
}[PathsOf<'get'>];
