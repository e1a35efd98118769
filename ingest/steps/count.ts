/**
 * Groups plays by campaign for the authority, and applies its answers to the plays.
 */
import type { Handle } from '#domain/id.ts';
import type { VerifiedPlay } from './verify.ts';

/** The plays of a group by campaign, in the order of their jobs: one authority call each. */
export type CampaignPlays = { campaign: Handle<'campaign'>; plays: VerifiedPlay[] };
/** Why a play is recorded and not charged; empty for charged plays. */
type Uncharged = '' | 'late' | 'overlap';
export type AnsweredPlay = { play: VerifiedPlay; uncharged: Uncharged };
type Answer = 'counted' | 'duplicate' | 'late';
export type Counted = {
  /** The future rows: counted plays, and uncharged ones. */
  answered: AnsweredPlay[];
  /** Indexes of the jobs that got `duplicate` at least once. */
  jobsWithDuplicates: Set<number>;
  counted: number;
  late: number;
  overlaps: number;
  duplicates: number;
};

export function groupByCampaign(plays: readonly VerifiedPlay[]): CampaignPlays[] {
  const groups = new Map<Handle<'campaign'>, VerifiedPlay[]>();
  for (const play of plays) {
    const group = groups.get(play.facts.campaign);
    if (group) group.push(play);
    else groups.set(play.facts.campaign, [play]);
  }
  return Array.from(groups, ([campaign, members]) => ({ campaign, plays: members }));
}

/** Assigns the authority's answers to the plays: one list per campaign, one answer per play. */
export function applyAnswers(groups: readonly CampaignPlays[], answers: readonly (readonly Answer[])[]): Counted {
  const result: Counted = {
    answered: [],
    jobsWithDuplicates: new Set(),
    counted: 0,
    late: 0,
    overlaps: 0,
    duplicates: 0,
  };
  for (const [group, { plays }] of groups.entries()) {
    const given = answers[group]!;
    for (const [index, play] of plays.entries()) {
      const answer = given[index]!;
      if (answer === 'duplicate') {
        result.duplicates += 1;
        result.jobsWithDuplicates.add(play.job);
        continue;
      }
      const uncharged = answer === 'counted' ? '' : play.overlaps ? 'overlap' : 'late';
      if (uncharged === 'late') result.late += 1;
      else if (uncharged === 'overlap') result.overlaps += 1;
      else result.counted += 1;
      result.answered.push({ play, uncharged });
    }
  }
  return result;
}
