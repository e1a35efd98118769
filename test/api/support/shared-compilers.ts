/**
 * Compiles the schemas of routes as Fastify does, but each when a call first needs it, and once for all apps of the
 * process. An app has hundreds of them, a test file calls a few, and compiling all took a third of its CPU. Processes
 * that tests start compile all of theirs before they answer.
 */
import { createRequire } from 'node:module';
import type { FastifyServerOptions } from 'fastify';

type Compilers = Required<NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>>;
type Validator = { (data: unknown): unknown; errors?: unknown };
type Serializer = (data: unknown) => string;
type Build<Compiled> = (schemas: unknown, options: unknown) => (route: { schema: unknown }) => Compiled;

// What Fastify itself takes: packages of its own, not of ours.
const requireOfFastify = createRequire(createRequire(import.meta.url).resolve('fastify'));
const validators = sharing(
  (requireOfFastify('@fastify/ajv-compiler') as () => Build<Validator>)(), // as it documents its export
  compile => {
    const validate: Validator = data => {
      const compiled = compile();
      const result = compiled(data);
      validate.errors = compiled.errors; // where Fastify reads them
      return result;
    };
    return validate;
  },
);
const serializers = sharing(
  (requireOfFastify('@fastify/fast-json-stringify-compiler') as () => Build<Serializer>)(), // likewise
  compile => data => compile()(data),
);

/** For `createApp`. */
export const SHARED_COMPILERS: { compilersFactory: Compilers } = {
  // as Fastify types them
  compilersFactory: { buildValidator: validators, buildSerializer: serializers } as Compilers,
};

/** Builds as `build` does, with one compiled function for each text of a schema. */
function sharing<Compiled>(build: Build<Compiled>, defer: (compile: () => Compiled) => Compiled): Build<Compiled> {
  const shared = new Map<string, Compiled>();
  return (schemas, options) => {
    const compile = build(schemas, options);
    const settings = JSON.stringify([schemas, options]);
    return route =>
      defer(() => {
        const text = `${settings} ${JSON.stringify(route.schema)}`;
        const known = shared.get(text) ?? compile(route);
        shared.set(text, known);
        return known;
      });
  };
}
