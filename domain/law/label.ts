/**
 * Labels that the law asks for on the screen: `synthetic` for a creative that AI made or changed (Regulation (EU)
 * 2024/1689, Article 50).
 */
export type Label = 'synthetic';

/** A list without labels is left out of messages, so most of them stay as short as they were. */
export function labelsOf({ synthetic }: { synthetic: boolean }): readonly Label[] | undefined {
  return synthetic ? ['synthetic'] : undefined;
}
