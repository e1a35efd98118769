/**
 * Whether answers are what the schemas of their routes say. The serializer leaves out fields that no schema has, so an
 * answer is compared before it is serialized, with every object closed: a field too many is a fault as one too few.
 */
import { subscribe } from 'node:diagnostics_channel';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
const validators = new WeakMap<object, ValidateFunction>();
const faults = new Map<string, string>();

// Fastify tells of each instance as it is made: its hooks can be added before it is closed to them.
subscribe('fastify.initialization', message => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('preSerialization', async (request, reply, payload) => {
    const fault = faultOf(request, reply.statusCode, payload);
    if (fault !== undefined) faults.set(request.id, fault);
    return payload;
  });
});

/** What was wrong with the answer to the request of this id; undefined where nothing was. */
export function answerFault(requestId: string): string | undefined {
  return faults.get(requestId);
}

function faultOf(request: FastifyRequest, status: number, payload: unknown): string | undefined {
  const responses = request.routeOptions.schema?.response as Record<string, object> | undefined;
  const declared = responses?.[status];
  if (declared === undefined) return undefined;
  const known = validators.get(declared);
  const validate = known ?? ajv.compile(closed(schemaOf(declared)) as object);
  if (!known) validators.set(declared, validate);
  if (validate(JSON.parse(JSON.stringify(payload)))) return undefined;
  return `${request.method} ${request.url} answered what its schema does not say: ${ajv.errorsText(validate.errors)} ${JSON.stringify(validate.errors?.slice(0, 5).map(error => error.params))}`;
}

/** The schema of the JSON among the answers of a route that has several types. */
function schemaOf(declared: object): unknown {
  const { content } = declared as { content?: Record<string, { schema: unknown }> };
  return content?.['application/json']?.schema ?? declared;
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, closed(inner)]));
  return 'properties' in copy && copy['type'] === 'object' ? { additionalProperties: false, ...copy } : copy;
}
