/** The sponsor of political ads, as a campaign's details show it. */
import { t } from './text.ts';

type Political = { sponsor: { name: string; address?: string; email?: string }; process?: string };

/** Names and values; none for ads that are not political. */
export function sponsorFacts(political: Political | null): [string, string][] {
  if (political === null) return [];
  const { sponsor, process } = political;
  const contact = [sponsor.name, sponsor.address, sponsor.email].filter(Boolean).join(', ');
  return [
    [t('political.sponsor'), contact],
    ...(process ? [[t('political.linkedTo'), process] as [string, string]] : []),
  ];
}
