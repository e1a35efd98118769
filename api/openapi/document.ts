/** The parts of an OpenAPI document that this folder reads and writes; everything else passes through untouched. */
export type Schema = { [keyword: string]: unknown };
export type Media = { schema: Schema; example?: unknown };
export type Parameter = {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: unknown;
};
export type Reference = { $ref: string };
export type Response = { description: string; headers?: Record<string, Reference>; content?: Record<string, Media> };

export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, Response | Reference>;
};

export type Components = {
  schemas: Record<string, Schema>;
  responses: Record<string, Response>;
  headers: Record<string, { description: string; schema: Schema }>;
  parameters: Record<string, Parameter>;
  securitySchemes: Record<string, Schema>;
};

export type Document = {
  openapi: string;
  info: Record<string, unknown>;
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Components;
  webhooks?: Record<string, unknown>;
};

/** Every operation of a document with its method (lower case) and path. */
export function operationsOf(document: Document): { method: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

export const refTo = (section: keyof Components, name: string): Reference => ({
  $ref: `#/components/${section}/${name}`,
});
