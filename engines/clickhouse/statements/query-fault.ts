/**
 * An error in ClickHouse's own terms. Its text form, `Code: 60. DB::Exception: ... (UNKNOWN_TABLE)`, is what every
 * ClickHouse client parses; its status follows ClickHouse's table of codes.
 */
export class QueryFault extends Error {
  readonly code: number;
  readonly type: string;

  constructor(code: number, type: string, message: string) {
    super(message);
    this.code = code;
    this.type = type;
  }
}

// ClickHouse's exceptionCodeToHTTPStatus, for the codes that this server or the engine can raise.
const STATUS: Record<number, readonly number[]> = {
  // CANNOT_PARSE_*, ILLEGAL_COLUMN, THERE_IS_NO_COLUMN, BAD_ARGUMENTS, TYPE_MISMATCH, SYNTAX_ERROR, INCORRECT_DATA,
  // VALUE_IS_OUT_OF_RANGE, CANNOT_COMPILE_REGEXP, ZLIB_INFLATE_FAILED, BAD_QUERY_PARAMETER
  400: [6, 16, 25, 26, 27, 36, 38, 41, 44, 53, 62, 69, 72, 117, 131, 354, 376, 427, 441, 456, 457, 675, 676],
  403: [192, 193, 497, 516],
  // UNKNOWN_FUNCTION, _IDENTIFIER, _TYPE, _STORAGE, _TABLE, _AGGREGATE_FUNCTION, _FORMAT, _DATABASE, _SETTING, _ROLE
  404: [46, 47, 50, 56, 60, 63, 73, 81, 115, 511],
  408: [159],
  411: [381],
  413: [62_000],
  501: [48],
  503: [202, 209, 210],
};
const STATUS_OF_CODE = new Map(
  Object.entries(STATUS).flatMap(([status, codes]) => codes.map(code => [code, Number(status)] as const)),
);

/** More bytes than a request may carry. ClickHouse has no such code: it streams; the number is out of its range. */
export function tooLarge(message: string): QueryFault {
  return new QueryFault(62_000, 'REQUEST_TOO_LARGE', message);
}

/** The HTTP status of a ClickHouse error code. */
export function statusOf(code: number): number {
  return STATUS_OF_CODE.get(code) ?? 500;
}

/**
 * Reads an engine's error text into its parts; the engine repeats `Code: n. DB::Exception:` and its version, once is
 * enough.
 */
export function readEngineFault(error: unknown): QueryFault {
  if (error instanceof QueryFault) return error;
  const text = error instanceof Error ? error.message : String(error);
  const code = Number(/Code: (\d+)\./.exec(text)?.[1] ?? 1002);
  const type = /\(([A-Z][A-Z0-9_]*)\)\s*$/.exec(text)?.[1] ?? 'UNKNOWN_EXCEPTION';
  const message = text
    .replace(/^(?:Code: \d+\. DB::Exception: )+/, '')
    .replace(/(?:\s*\([A-Z][A-Z0-9_]*\)(?: \(version [^)]*\)\.?)?)+\s*$/, '');
  return new QueryFault(code, type, message);
}

/** The body of an error answer. */
export function faultText(fault: QueryFault, engineVersion: string): string {
  return `Code: ${fault.code}. DB::Exception: ${fault.message} (${fault.type}) (version ${engineVersion} (official build))\n`;
}
