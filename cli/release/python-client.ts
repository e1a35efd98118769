/**
 * Generates the part of the Python SDK that follows from the OpenAPI document: a TypedDict for each shape, and a method
 * for each operation with its parameters as keywords.
 */

/** The parts of an OpenAPI 3.1 document that are read. References to parameters and answers were resolved before. */
export type OpenApiDocument = {
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, OpenApiParameter> };
};
type OpenApiOperation = {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: (OpenApiParameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
};
type OpenApiParameter = { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema };
type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: (string | number | boolean | null)[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
};

const HEADER = `# Made from the OpenAPI document by \`npm run generate\`.`;
/** The width of lines, as in the files of this repository. */
const LINE_WIDTH = 120;
/** Names of fields and parameters that Python keeps for itself. */
const KEYWORDS = new Set(['and', 'as', 'class', 'for', 'from', 'if', 'import', 'in', 'is', 'not', 'or']);
const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** The two files: `types.py` and `operations.py`. */
export function pythonClientOf(document: OpenApiDocument): { types: string; operations: string } {
  const types = new TypeWriter();
  for (const [name, schema] of Object.entries(document.components.schemas)) types.declare(name, schema);
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    path.startsWith('/v1/')
      ? Object.entries(operations).map(([verb, operation]) => methodOf({ document, types, path, verb, operation }))
      : [],
  );
  return { types: types.file(), operations: operationsFile(methods, types.names()) };
}

/** Collects the classes that `types.py` declares. An object without a name gets one from its place in the document. */
class TypeWriter {
  readonly #classes = new Map<string, string>();

  /** Declares a shape of the document under its name. */
  declare(name: string, schema: JsonSchema): void {
    if (schema.properties) this.#classes.set(name, this.#classOf(name, schema));
    else this.#classes.set(name, `${name}: TypeAlias = ${quotedIfForward(this.spell(schema, name))}`);
  }

  /** The Python type of a schema. */
  spell(schema: JsonSchema, name: string): string {
    if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    if (schema.enum) return `Literal[${schema.enum.map(literalOf).join(', ')}]`;
    if (schema.anyOf)
      return unionOf(schema.anyOf.map((one, at) => this.spell(one, at === 0 ? name : `${name}${at + 1}`)));
    if (Array.isArray(schema.type)) return unionOf(schema.type.map(type => this.spell({ ...schema, type }, name)));
    if (schema.type === 'array') return `list[${schema.items ? this.spell(schema.items, name) : 'Any'}]`;
    if (schema.properties) {
      this.#classes.set(name, this.#classOf(name, schema));
      return name;
    }
    if (schema.type === 'object') return `dict[str, ${this.#valueOf(schema, name)}]`;
    return (schema.type !== undefined && SCALARS[schema.type]) || 'Any';
  }

  names(): string[] {
    return [...this.#classes.keys()].toSorted();
  }

  file(): string {
    const imports = 'from typing import Any, Literal, NotRequired, TypeAlias, TypedDict';
    const document = '"""The shapes of bodies and answers."""';
    return `${HEADER}\n${document}\n\nfrom __future__ import annotations\n\n${imports}\n\n${[...this.#classes.values()].join('\n\n')}\n`;
  }

  #valueOf({ additionalProperties }: JsonSchema, name: string): string {
    return typeof additionalProperties === 'object' ? this.spell(additionalProperties, name) : 'Any';
  }

  #classOf(name: string, { properties = {}, required = [], description }: JsonSchema): string {
    const fields = Object.entries(properties).map(([field, schema]): [string, string] => {
      const type = this.spell(schema, name + pascalOf(field));
      return [field, required.includes(field) ? type : `NotRequired[${type}]`];
    });
    if (!fields.every(([field]) => isIdentifier(field))) {
      const entries = fields.map(([field, type]) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},`);
      return [
        `${name} = TypedDict(`,
        `    "${name}",`,
        '    {',
        ...entries.map(entry => `    ${entry}`),
        '    },',
        ')',
        '',
      ].join('\n');
    }
    const lines = fields.flatMap(([field, type]) => [
      ...commentOf(properties[field]!, '    '),
      `    ${field}: ${type}`,
    ]);
    return [
      `class ${name}(TypedDict):`,
      ...docstringOf(description, '    '),
      ...(lines.length > 0 ? lines : ['    pass']),
      '',
    ].join('\n');
  }
}

type MethodOptions = {
  document: OpenApiDocument;
  types: TypeWriter;
  path: string;
  verb: string;
  operation: OpenApiOperation;
};

/** The parts of a method. */
type Method = {
  name: string;
  /** The prefix of names for unnamed shapes: `CreateCampaign`. */
  shape: string;
  verb: string;
  path: string;
  inPath: readonly OpenApiParameter[];
  inQuery: readonly OpenApiParameter[];
  hasWorkspace: boolean;
  body: JsonSchema | undefined;
  text: string;
};

/** One operation as the lines of its methods: a list is an iterator, what comes as CSV has a second method. */
function methodOf({ document, types, path, verb, operation }: MethodOptions): string {
  const parameters = (operation.parameters ?? []).map(one => ('$ref' in one ? parameterOf(document, one.$ref) : one));
  const content = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {};
  const answer = content['application/json']?.schema;
  const hasCursor = parameters.some(one => one.name === 'cursor');
  const record = answer && hasCursor ? pageOf(document, answer) : undefined;
  const method: Method = {
    name: snakeOf(operation.operationId),
    shape: pascalOf(operation.operationId),
    verb,
    path,
    inPath: parameters.filter(one => one.in === 'path'),
    inQuery: parameters.filter(one => one.in === 'query' && !(record && one.name === 'cursor')),
    hasWorkspace: parameters.some(one => one.name === 'X-Workspace-Id'),
    body: operation.requestBody?.content['application/json']?.schema,
    text: operation.summary.replace(/\.?$/, '.') + (operation.description ? `\n\n${operation.description}` : ''),
  };
  const { shape } = method;
  const methods = record
    ? [definitionOf(method, types, { returns: `Iterator[${types.spell(record, `${shape}Record`)}]`, call: '_pages' })]
    : answer
      ? [definitionOf(method, types, { returns: types.spell(answer, `${shape}Answer`), call: '_json' })]
      : [
          definitionOf(
            method,
            types,
            verb === 'get' ? { returns: 'bytes', call: '_bytes' } : { returns: 'None', call: '_nothing' },
          ),
        ];
  if ('text/csv' in content)
    methods.push(definitionOf({ ...method, name: `${method.name}_csv` }, types, { returns: 'str', call: '_csv' }));
  return methods.join('\n');
}

/** The return type of a method, and the method of `Calls` that it uses. */
type Answer = { returns: string; call: '_json' | '_pages' | '_csv' | '_bytes' | '_nothing' };

function definitionOf(method: Method, types: TypeWriter, { returns, call }: Answer): string {
  const before = call === '_json' ? `answer: ${returns} = ` : call === '_nothing' ? '' : 'return ';
  return [
    ...callLines(`    def ${method.name}`, signatureOf(method, types), `) -> ${returns}:`, 4),
    ...docstringOf(method.text, '        '),
    ...callLines(`        ${before}self.${call}`, argumentsOf(method), ')', 8),
    ...(call === '_json' ? ['        return answer'] : []),
    '',
  ].join('\n');
}

/** The parameters of a method: ids and the body are positional, all others keywords, required ones first. */
function signatureOf({ shape, verb, inPath, inQuery, hasWorkspace, body }: Method, types: TypeWriter): string[] {
  const typeOf = ({ name, schema }: OpenApiParameter): string =>
    name === 'limit' ? 'int | str' : types.spell(schema, `${shape}${pascalOf(name)}`);
  const optional = [
    ...inQuery.filter(one => !one.required).map(one => `${pythonName(one.name)}: ${typeOf(one)} | None = None`),
    ...(isKeyed(verb) ? ['idempotency_key: str | None = None'] : []),
    ...(hasWorkspace ? ['workspace: str | None = None'] : []),
  ];
  const keywords = [
    ...inQuery.filter(one => one.required).map(one => `${pythonName(one.name)}: ${typeOf(one)}`),
    ...optional,
  ];
  return [
    'self',
    ...inPath.map(one => `${pythonName(one.name)}: str`),
    ...(body ? [`body: ${types.spell(body, `${shape}Body`)}`] : []),
    ...(keywords.length > 0 ? ['*', ...keywords] : []),
  ];
}

/** The arguments of the call that a method makes. */
function argumentsOf({ verb, path, inPath, inQuery, hasWorkspace, body }: Method): string[] {
  const filled = path.replace(/\{(\w+)\}/g, (_, id: string) => `{quoted(${pythonName(id)})}`);
  return [
    JSON.stringify(verb.toUpperCase()),
    inPath.length > 0 ? `f"${filled}"` : JSON.stringify(path),
    ...(inQuery.length > 0
      ? [`query={${inQuery.map(one => `"${one.name}": ${pythonName(one.name)}`).join(', ')}}`]
      : []),
    ...(body ? ['body=body'] : []),
    ...(isKeyed(verb) ? ['idempotency_key=idempotency_key'] : []),
    ...(hasWorkspace ? ['workspace=workspace'] : []),
  ];
}

function operationsFile(methods: readonly string[], names: readonly string[]): string {
  return [
    HEADER,
    '"""The calls of the API, one method each. `Marquee` in client.py is what programs make."""',
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Iterator',
    'from typing import Any, Literal',
    '',
    'from ..calls import Calls, quoted',
    `from .types import (\n${names
      .filter(name => methods.some(text => new RegExp(`\\b${name}\\b`).test(text)))
      .map(name => `    ${name},`)
      .join('\n')}\n)`,
    '',
    '',
    'class Operations(Calls):',
    ...methods,
  ].join('\n');
}

/** The records of a page: the items of `data` beside `next_cursor`. */
function pageOf(document: OpenApiDocument, schema: JsonSchema): JsonSchema | undefined {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
  const { properties } = name === undefined ? schema : document.components.schemas[name]!;
  return properties && 'next_cursor' in properties ? properties['data']?.items : undefined;
}

function parameterOf(document: OpenApiDocument, reference: string): OpenApiParameter {
  return document.components.parameters[reference.slice(reference.lastIndexOf('/') + 1)]!;
}

/** A call or a definition on one line if it fits, else with one argument per line. */
function callLines(before: string, entries: readonly string[], after: string, indent: number): string[] {
  const line = `${before}(${entries.join(', ')}${after}`;
  if (line.length <= LINE_WIDTH) return [line];
  const margin = ' '.repeat(indent + 4);
  return [`${before}(`, ...entries.map(entry => `${margin}${entry},`), `${' '.repeat(indent)}${after}`];
}

function docstringOf(text: string | undefined, margin: string): string[] {
  if (!text) return [];
  const lines = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n');
  if (lines.length === 1 && lines[0]!.length + margin.length + 6 <= LINE_WIDTH) return [`${margin}"""${lines[0]}"""`];
  const [first = '', ...rest] = lines.flatMap(line => wrapped(line, LINE_WIDTH - margin.length - 3));
  return [`${margin}"""${first}`, ...rest.map(line => (line === '' ? '' : margin + line)), `${margin}"""`];
}

function commentOf({ description }: JsonSchema, margin: string): string[] {
  return description ? wrapped(description, LINE_WIDTH - margin.length - 2).map(line => `${margin}# ${line}`) : [];
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Whether a call is sent with an `Idempotency-Key`, so that it may be repeated. */
const isKeyed = (verb: string): boolean => verb === 'post' || verb === 'patch';
const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const literalOf = (value: string | number | boolean | null): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : value === null ? 'None' : JSON.stringify(value);
/** An alias is evaluated when the module is read, so what it names is quoted. */
const quotedIfForward = (type: string): string =>
  /^(Literal|Any|str|int|float|bool)\b/.test(type) ? type : `"${type}"`;
const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);
const snakeOf = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
const pascalOf = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
/** The parameter as a name of Python: `from` is a keyword there. */
const pythonName = (name: string): string => (isIdentifier(name) ? name : `${name.replace(/\W/g, '_')}_`);
