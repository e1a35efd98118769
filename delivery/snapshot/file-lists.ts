/**
 * The files that a screen may need in the next hours, listed once for equal screens. The name of a list is a hash of
 * its content: a returning screen sends the name of its list, and does not get it again.
 */
import { hash } from 'node:crypto';
import type { Index } from '#domain/id.ts';
import { type CandidateIndex, LIVE } from '../decision/candidate-index.ts';
import type { Asset } from '../decision/facts.ts';
import type { Group } from '../decision/places/group.ts';
import type { ScreenTable } from '../decision/screen-table.ts';

/** Assets per message to a screen: more than it can fetch in a few hours. */
const FILES_MAX = 64;
/** 132 bits of the hash in base64: two lists with one name are practically impossible. */
const NAME_LENGTH = 22;

/** `name` is the same in every process for the same files in any order. */
export type FileList = { name: string; assets: readonly Asset[] };

type CampaignOnScreen = { screen: Index<'screen'>; profile: number; campaign: Index<'campaign'> };

export class FileLists {
  readonly #index: CandidateIndex;
  readonly #screens: ScreenTable;
  readonly #ofGroup = new WeakMap<Group, { edits: number; byProfile: (FileList | undefined)[] }>();

  constructor(index: CandidateIndex, screens: ScreenTable) {
    this.#index = index;
    this.#screens = screens;
  }

  /**
   * Files of the live candidates of a screen that fit its orientation, each once. The same list for equal screens until
   * the next edit.
   */
  of(screen: Index<'screen'>, profile: number, edits: number): FileList {
    const group = this.#index.groups.of(screen);
    let known = this.#ofGroup.get(group);
    if (known?.edits !== edits) this.#ofGroup.set(group, (known = { edits, byProfile: [] }));
    return (known.byProfile[profile] ??= this.#collect(screen, profile, group));
  }

  /** The files of one campaign. */
  ofCampaign(onScreen: CampaignOnScreen): Asset[] {
    const assets = new Map<string, Asset>();
    this.#add(assets, onScreen);
    return [...assets.values()];
  }

  #collect(screen: Index<'screen'>, profile: number, group: Group): FileList {
    const { groups } = this.#index;
    const assets = new Map<string, Asset>();
    for (
      let campaign = groups.nextCandidate(group, 0);
      campaign >= 0 && assets.size < FILES_MAX;
      campaign = groups.nextCandidate(group, campaign + 1)
    ) {
      if (this.#index.state(campaign) === LIVE) this.#add(assets, { screen, profile, campaign });
    }
    return { name: nameOf([...assets.values()]), assets: [...assets.values()] };
  }

  #add(assets: Map<string, Asset>, { screen, profile, campaign }: CampaignOnScreen): void {
    const orientation = this.#screens.orientationAt(screen);
    for (const creative of this.#index.facts[campaign]!.creatives) {
      if (!creative.ready || creative.orientation !== orientation || assets.size >= FILES_MAX) continue;
      const asset = creative.files[profile]?.asset;
      if (asset !== undefined) assets.set(asset.sha256, asset);
    }
  }
}

function nameOf(assets: readonly Asset[]): string {
  const urls = assets.map(({ url }) => url).sort();
  return hash('sha256', urls.join('\n'), 'base64url').slice(0, NAME_LENGTH);
}
