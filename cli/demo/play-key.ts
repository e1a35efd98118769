/**
 * The unique key of a play in ClickHouse: campaign, epoch and issue number, read from the play id's fixed layout
 * (`domain/play`).
 */
export function playKeyOf(playId: string): string {
  const bytes = Buffer.from(playId, 'base64url');
  return `${bytes.readBigUInt64BE(1)}.${bytes.readUInt32BE(54)}.${bytes.readUInt32BE(58)}`;
}
