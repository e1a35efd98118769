/**
 * How the embedded ClickHouse reads a statement before it runs it: tokens, parameters, and where the data of an insert
 * begins. Pure functions, by examples and random texts.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readTokens } from '../../engines/clickhouse/statements/lexer.ts';
import { bindParameters, quoteString } from '../../engines/clickhouse/statements/parameters.ts';
import { readStatement } from '../../engines/clickhouse/statements/statement.ts';

const shown = (sql: string) => [...readTokens(sql)].map(token => `${token.kind}:${token.text}`);

describe('the lexer', () => {
  test.each([
    ['SELECT a1, `b``c`, "d"', ['word:SELECT', 'word:a1', 'mark:,', 'quoted:b`c', 'mark:,', 'quoted:d']],
    ["'it''s' 'a\\'b' x", ["string:'", "string:'", 'word:x']],
    ['a /* b /* c */ d */ e -- f\ng # h\ni', ['word:a', 'word:e', 'word:g', 'word:i']],
    ['$t$ file $t$ x', ['unsure:$', 'word:x']],
    ['`a\\x62`', ['unsure:a\\x62']],
    ['1.file 0x1f 2e5', ['number:1.', 'word:file', 'number:0x1f', 'number:2e5']],
    ["'never closed", ["string:'"]],
    ['$t$ file $t x', ['unsure:$']],
    ['$1, a$', ['unsure:$', 'number:1', 'mark:,', 'word:a', 'unsure:$']],
  ])('reads %s', (sql, tokens) => {
    expect(shown(sql)).toEqual(tokens);
  });

  test('goes forward through any text and ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), sql => {
        let at = 0;
        let isForward = true;
        for (const { start, end } of readTokens(sql)) {
          isForward &&= start >= at && end > start;
          at = end;
        }
        expect(isForward && at <= sql.length).toBe(true);
      }),
    );
  });

  test('a quoted string is one token, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(shown(`${quoteString(text)} x`)).toEqual(["string:'", 'word:x']);
      }),
    );
  });

  test('a bound value adds no token to the statement but its cast', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), value => {
        fc.pre(value !== '\\N');
        const sql = 'SELECT {v:String}, 1';
        const bound = bindParameters(sql, readStatement(sql).tokens, new Map([['v', value]]));
        expect(shown(bound)).toEqual([
          'word:SELECT',
          'word:_CAST',
          'mark:(',
          "string:'",
          'mark:,',
          "string:'",
          'mark:)',
          'mark:,',
          'number:1',
        ]);
      }),
    );
  });
});

/** What made earlier readers slow, or would make one slow that looks ahead at each token. */
const REPEATED: Record<string, [head: string, piece: (index: number) => string]> = {
  columns: ['SELECT ', () => '1,'],
  words: ['SELECT ', () => 'abc '],
  strings: ['SELECT ', () => "'a',"],
  'doubled quotes': ["SELECT '", () => "''"],
  'quoted names': ['SELECT ', () => '`a`,'],
  'comments that never close': ['SELECT ', () => '/*'],
  'line comments': ['SELECT 1 ', () => '--\n'],
  blanks: ['SELECT ', () => ' '],
  'brackets that never close': ['SELECT ', () => '('],
  'tags of heredocs that never close': ['SELECT ', index => `$${index.toString(36)}$ `],
  'the word FORMAT': ['SELECT ', () => 'FORMAT '],
  semicolons: ['SELECT 1', () => ';'],
  'an insert without data': ['INSERT INTO t ', () => '(a) '],
  parameters: ['SELECT ', () => '{a:UInt8},'],
  'parameters that never close': ['SELECT ', () => '{a:'],
};

test.each(Object.entries(REPEATED))(
  'the time to read %s grows with their length, not with its square',
  (_name, [head, piece]) => {
    const textOf = (chars: number) => {
      let text = head;
      for (let index = 0; text.length < chars; index++) text += piece(index);
      return text;
    };
    const msOf = (sql: string, times: number) =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const started = process.cpuUsage();
          for (let time = 0; time < times; time++) {
            try {
              const { tokens } = readStatement(sql);
              bindParameters(sql, tokens, new Map([['a', '1']]));
            } catch {
              // refused: as good an answer, if it comes soon
            }
          }
          const { user, system } = process.cpuUsage(started);
          return (user + system) / 1_000;
        }),
      );
    // The same characters as one text and as 64. One text takes 64 times as long if the time goes with the square. It
    // takes up to five times as long today, because its tokens all live at once. A millisecond is noise.
    const pieces = 64;
    const [short, long] = [textOf(1_024), textOf(1_024 * pieces)];
    msOf(short, pieces); // compiled
    expect(msOf(long, 1)).toBeLessThan((pieces / 2) * Math.max(1, msOf(short, pieces)));
  },
);

describe('a statement', () => {
  test('of the maximum length is read in less than a quarter of a second', () => {
    const sql = `SELECT ${'1,'.repeat(131_000)}1`;
    const took = Array.from({ length: 3 }, () => {
      const started = process.cpuUsage();
      expect(readStatement(sql).tokens.length).toBeGreaterThan(262_000);
      return process.cpuUsage(started).user / 1_000;
    });
    expect(Math.min(...took)).toBeLessThan(250);
  });

  test.each([
    ['SELECT 1 FORMAT JSON', 'read', 'JSON'],
    ['select format from t', 'read', undefined],
    ['SELECT 1 FORMAT CSV SETTINGS max_threads = 1', 'read', 'CSV'],
    ['INSERT INTO t FORMAT CSV 1', 'insert', undefined],
    ['INSERT INTO format (format, values) VALUES (1, 2)', 'insert', undefined],
    ['INSERT INTO t SELECT * FROM values(1, 2)', 'write', undefined],
    ['SET a = 1', 'session', undefined],
    ['CREATE OR REPLACE TEMPORARY TABLE t (a UInt8)', 'session', undefined],
    ['CREATE TABLE t (a UInt8) ENGINE = Memory;', 'write', undefined],
  ])('%s is a %s', (sql, kind, format) => {
    expect([readStatement(sql).kind, readStatement(sql).format]).toEqual([kind, format]);
  });

  test('of an insert ends at its data, and has a position for settings', () => {
    const sql = 'INSERT INTO t (a) SETTINGS x = \'FORMAT CSV\', y=2 FORMAT JSONEachRow {"a": 1}';
    const { insert, ...statement } = readStatement(sql);
    expect([
      statement.sql,
      sql.slice(insert!.dataAt),
      [...insert!.settingNames],
      sql.slice(insert!.settingsAt, insert!.settingsAt + 4),
    ]).toEqual([sql.slice(0, sql.indexOf(' {')), ' {"a": 1}', ['x', 'y'], ' x =']);
  });
});
