/**
 * The page of the screen protocol against the sources. The author of a player has the page alone, so its codes,
 * reasons, waits and bounds are those of the server, and its examples are messages that the server reads.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLAY_REFUSALS } from '#domain/plays/play.ts';
import { ORIENTATIONS, PLATFORMS } from '#domain/screens/screen.ts';
import { ITEM_TYPES } from '#domain/screens/playlist.ts';
import { ConfirmBody } from '../../api/pairing/schema.ts';
import {
  AUDIENCE_MAX,
  CLOSE,
  HELLO_BYTES_MAX,
  MESSAGE_BYTES_MAX,
  PAYLOAD_BYTES_MAX,
  PLAYED_MS_MAX,
  PLAYS_MAX,
  RECENT_MAX,
  SLOT_MS_MAX,
  SLOT_MS_MIN,
  SLOTS_MAX,
  SUBPROTOCOLS,
  TEXT_LENGTH_MAX,
} from '../../delivery/protocol/bounds.ts';
import { type ErrorCode, readMessage } from '../../delivery/protocol/inbound.ts';
import { backOffAfter, waitMs } from '../../sdk/typescript/src/screen/back-off.ts';
import { ROOT } from '../support/architecture/source-files.ts';

const PAGE = readFileSync(join(ROOT, 'docs/screen-protocol.md'), 'utf8');
/** The examples are of this time. */
const NOW = 1_782_000_010_000;
const { maxLength: PLAYER_LENGTH_MAX } = ConfirmBody.properties.player as { maxLength?: number };
const ERROR_CODES: Record<ErrorCode, true> = {
  bad_message: true,
  unknown_type: true,
  bad_field: true,
  too_large: true,
  too_many: true,
  not_ready: true,
};

/** The rows of the table with this head, each as its cells. */
function rowsBelow(head: string): string[][] {
  const from = PAGE.indexOf(`\n${head}\n`);
  if (from < 0) throw new Error(`the page has no table with the head ${head}`);
  const [, , ...lines] = PAGE.slice(from + 1).split('\n');
  const end = lines.findIndex(line => !line.startsWith('|'));
  return lines.slice(0, end).map(line =>
    line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim()),
  );
}

/** What is named in code in the first cells of a table. */
function namesBelow(head: string): string[] {
  return rowsBelow(head).flatMap(([first]) => [...first!.matchAll(/`([^`]+)`/g)].map(match => match[1]!));
}

const MS_OF: Record<string, number> = { s: 1_000, min: 60_000 };

/** `waits 5 s, doubling to 5 min` in milliseconds. */
function waitIn(text: string): { firstMs: number; longestMs: number } | undefined {
  const match = /([\d.]+) (s|min), doubling to ([\d.]+) (s|min)/.exec(text);
  return match
    ? { firstMs: Number(match[1]) * MS_OF[match[2]!]!, longestMs: Number(match[3]) * MS_OF[match[4]!]! }
    : undefined;
}

describe('the page of the screen protocol', () => {
  test('has every sub-protocol, platform, orientation and type of item', () => {
    expect(namesBelow('| `Sec-WebSocket-Protocol` | frames |')).toEqual([...SUBPROTOCOLS]);
    const platforms = /`platform` is one of ([^;]+);/.exec(PAGE)![1]!;
    expect([...platforms.matchAll(/`(\w+)`/g)].map(match => match[1])).toEqual([...PLATFORMS]);
    for (const orientation of ORIENTATIONS) expect(PAGE).toContain(`\`${orientation}\``);
    expect(namesBelow('| `type` | other fields |').toSorted()).toEqual([...ITEM_TYPES].toSorted());
  });

  test('has every close code, with the waits of the player that comes with Marquee', () => {
    const rows = rowsBelow('| code | meaning | what the screen does |').filter(([code]) => /^\d+$/.test(code!));
    expect(rows.map(([code]) => Number(code))).toEqual(Object.values(CLOSE));
    const usual = waitIn(/The usual wait is .+? attempts/s.exec(PAGE)![0]);
    const later = /in the first (\w+) attempts and to ([\d.]+) s from then on/.exec(PAGE)!;
    expect(later[1]).toBe('sixteen');
    const longestMs = Number(later[2]) * MS_OF['s']!;
    expect({ ...usual, longestMs, soonMs: usual!.longestMs }).toEqual(backOffAfter(1006));
    expect([15, 16].map(attempt => waitMs(backOffAfter(1006), attempt, 0.5))).toEqual([usual!.longestMs, longestMs]);
    // A screen that is unpaired does not connect again.
    for (const [code, , action] of rows.filter(([one]) => Number(one) !== CLOSE.unpaired))
      expect({ code, ...(waitIn(action!) ?? backOffAfter(1006)) }).toEqual({ code, ...backOffAfter(Number(code)) });
  });

  test('has every error code, and every reason for refusing a play', () => {
    expect([...new Set(namesBelow('| `code` | meaning | what the screen does |'))]).toEqual(Object.keys(ERROR_CODES));
    expect(namesBelow('| `reason` | the play |').toSorted()).toEqual([...PLAY_REFUSALS].toSorted());
  });

  test('has the reasons for handing an ad back', () => {
    const refused = readMessage({ t: 'cannot_play', id: 1, play_id: 'p', reason: '' }, NOW);
    const names = namesBelow('| `reason` | |').join(', ');
    expect(refused).toMatchObject({ message: `reason must be one of ${names}` });
  });

  test.each([
    [`\`player\` is the version of the player, 1 to ${PLAYER_LENGTH_MAX} characters`],
    [`| first message | ${HELLO_BYTES_MAX / 1_024} KiB |`],
    [`| every other message | ${MESSAGE_BYTES_MAX / 1_024} KiB; over ${PAYLOAD_BYTES_MAX / 1_024} KiB`],
    [`| text in a message | 1 to ${TEXT_LENGTH_MAX} characters |`],
    [`at most ${RECENT_MAX}. They keep`],
    [`optional (1): 1 to ${SLOTS_MAX} slots`],
    [`the longest ad that fits, ${SLOT_MS_MIN} to ${SLOT_MS_MAX}.`],
    [`| 0 to ${PLAYS_MAX}. \`started_at\``],
    [`for how long it was shown, 0 to ${PLAYED_MS_MAX};`],
    [`counted, 0 to ${AUDIENCE_MAX} |`],
  ])('says the bound of the source: %s', sentence => expect(PAGE).toContain(sentence));

  test('has examples of screen messages that the server accepts', () => {
    const blocks = [...PAGE.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(match => match[1]!);
    const session = [...PAGE.matchAll(/^> (\{.*\})$/gm)].map(match => match[1]!);
    const inline = [...PAGE.matchAll(/`(\{"t": [^`]+\})`/g)].map(match => match[1]!);
    const messages = [...blocks, ...session, ...inline].map(text => JSON.parse(text) as { t: string });
    const said = messages.filter(({ t }) => ['hello', 'slot', 'plays', 'cannot_play'].includes(t));
    expect(new Set(said.map(({ t }) => t)).size).toBe(4);
    expect(said.map(message => readMessage(message, NOW)).filter(answer => 'fault' in answer)).toEqual([]);
  });
});
