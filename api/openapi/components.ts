/** Moves titled schemas of the OpenAPI document into its components. */
import { operationsOf, refTo, type Document, type Media, type Schema } from './document.ts';

/**
 * Schemas with a `title` become components of that name, so that the page of the reference and generated clients speak
 * of a `Campaign` and not of the same fields written out again. A field may describe the same type in its own words:
 * the description stays beside the reference.
 */
export function hoistTitled(document: Document): void {
  const { schemas } = document.components;
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    if (typeof value !== 'object' || value === null) return value;
    const { title, description, ...rest } = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, hoist(inner)]),
    );
    if (typeof title !== 'string' || rest['type'] !== 'object')
      return { ...(title !== undefined && { title }), ...(description !== undefined && { description }), ...rest };
    const known = schemas[title];
    if (known && stableJson({ ...known, description: undefined }) !== stableJson(rest))
      throw new Error(`two different schemas are called ${title}`);
    schemas[title] ??= { ...(description !== undefined && { description }), ...rest };
    return {
      ...refTo('schemas', title),
      ...(description !== undefined && description !== schemas[title]['description'] && { description }),
    };
  };
  const hoistMedia = (content: Record<string, Media> | undefined) => {
    for (const media of Object.values(content ?? {})) media.schema = hoist(media.schema) as Schema;
  };
  for (const { operation } of operationsOf(document)) {
    hoistMedia(operation.requestBody?.content);
    for (const response of Object.values(operation.responses)) if (!('$ref' in response)) hoistMedia(response.content);
  }
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
