/**
 * Names of operations, made from method and path by one rule, so that a new route has its name before anybody thinks of
 * one: `GET /v1/campaigns/:id/results` is `readCampaignResults`, `POST /v1/keys/:id/rotate` is `rotateKey`. A route
 * whose path makes a poor name says its own (`schema.operationId`). A published name never changes: clients call
 * methods by it.
 */
const VERBS: Record<string, string> = {
  GET: 'read',
  POST: 'create',
  PATCH: 'change',
  PUT: 'replace',
  DELETE: 'delete',
};

type RouteToName = { method: string; url: string; isList: boolean };

/** @param url path of a route, parameters as `:name` */
export function operationIdOf({ method, url, isList }: RouteToName): string {
  const segments = url
    .replace(/^\/v1\//, '/')
    .split('/')
    .filter(segment => segment !== '');
  const words = segments.flatMap((segment, index) => {
    if (isParameter(segment)) return [];
    const isOne = isParameter(segments[index + 1] ?? '') || (method === 'POST' && index === segments.length - 1);
    return [pascal(isOne ? singular(segment) : segment)];
  });
  const isAction = method === 'POST' && segments.length > 1 && isParameter(segments.at(-2)!);
  if (isAction) return lowerFirst(words.at(-1)! + words.slice(0, -1).join(''));
  return `${isList ? 'list' : (VERBS[method] ?? method.toLowerCase())}${words.join('')}`;
}

const isParameter = (segment: string) => segment.startsWith(':');
const singular = (word: string) => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<!s)s$/, ''));
const pascal = (word: string) =>
  word
    .split(/[^A-Za-z0-9]+/)
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
const lowerFirst = (word: string) => word.charAt(0).toLowerCase() + word.slice(1);
