/** The sponsor of political ads, as a campaign's details show it. */
import { t } from './text.ts';

type Political = {
  sponsor: { name: string; address?: string; email?: string };
  process?: string;
  process_url?: string;
  controlled_by?: string;
  payer?: string;
  funding_source?: 'public' | 'private' | 'public_and_private';
  funding_origin?: 'eu' | 'outside_eu' | 'eu_and_outside';
};

/** Names and values; none for ads that are not political. */
export function sponsorFacts(political: Political | null): [string, string][] {
  if (political === null) return [];
  const { sponsor, funding_source: source, funding_origin: origin } = political;
  const facts: [string, string | undefined][] = [
    [t('political.sponsor'), [sponsor.name, sponsor.address, sponsor.email].filter(Boolean).join(', ')],
    [t('political.controlledByFact'), political.controlled_by],
    [t('political.linkedTo'), political.process],
    [t('political.processUrlFact'), political.process_url],
    [t('political.payerFact'), political.payer],
    [t('political.source'), source && t(`political.source.${source}`)],
    [t('political.origin'), origin && t(`political.origin.${origin}`)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}
