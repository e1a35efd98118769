/**
 * Compares every refusal that any test meets with the error codes that the OpenAPI document lists for the operation. A
 * rule that refuses in a new way is therefore documented, or a test fails.
 */
import type { Api } from '../../../api/wire/fastify.ts';
import { operationsOf, type Document } from '../../../api/openapi/document.ts';

type Codes = { pattern: RegExp; method: string; codes: ReadonlySet<string> };

const known = new WeakMap<Api, readonly Codes[]>();

/**
 * The document of a running API. The plugin's type of it is the union of all versions of OpenAPI; this is one of 3.1.
 */
export function documentOf<T = Document>(app: Api): T {
  const document: unknown = app.swagger();
  return document as T;
}

function codesOf(app: Api): readonly Codes[] {
  const before = known.get(app);
  if (before) return before;
  const made = operationsOf(documentOf(app)).map(({ method, path, operation }) => {
    const names = Object.values(operation.responses).flatMap(response =>
      '$ref' in response ? [response.$ref.split('/').at(-1)!] : [],
    );
    // a shared answer is named by status, kind and its codes
    const codes = names.flatMap(name => name.split('.').slice(2));
    return {
      pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      method: method.toUpperCase(),
      codes: new Set(codes),
    };
  });
  known.set(app, made);
  return made;
}

/** Undefined when the code is documented, or the path is none of the interface; else what is missing. */
export function undocumented(
  app: Api,
  { method, url, code }: { method: string; url: string; code: string },
): string | undefined {
  const path = url.split('?')[0]!;
  const operation = codesOf(app).find(candidate => candidate.method === method && candidate.pattern.test(path));
  if (!operation || operation.codes.size === 0 || operation.codes.has(code)) return undefined;
  return `${method} ${path} answered ${code}, which its operation does not document (config.refusals of the route)`;
}
