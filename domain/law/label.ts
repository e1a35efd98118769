/**
 * Labels that the law asks for on the screen: `synthetic` for a creative that AI made or changed (Regulation (EU)
 * 2024/1689, Article 50), `political` for a campaign with a sponsor (Regulation (EU) 2024/900, Article 11).
 */
export type Label = 'synthetic' | 'political';

/** A list without labels is left out of messages, so most of them stay as short as they were. */
export function labelsOf(of: Partial<Record<Label, boolean>>): readonly Label[] | undefined {
  const labels = LABELS.filter(label => of[label]);
  return labels.length === 0 ? undefined : labels;
}
/** In the order in which players draw them. */
const LABELS: readonly Label[] = ['political', 'synthetic'];
