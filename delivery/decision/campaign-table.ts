/**
 * The campaigns of this process: the small integer of each, for the life of the process, and every table indexed by it.
 * The candidate index and the reservations keep campaign data in rows of this table, so that a campaign with a new
 * integer has room in all of them at once.
 */
import type { Handle, Index } from '#domain/id.ts';
import { Rows } from './columns/rows.ts';

export class CampaignTable {
  /** Integers go from 0 to `size` - 1. */
  size = 0;
  readonly #indexOfCampaign = new Map<Handle<'campaign'>, Index<'campaign'>>();
  readonly #tables: Rows[] = [];
  readonly #handles = this.rows(1);

  /** Rows of numbers, one for each campaign, including later ones; initially all zero. */
  rows(width: number): Rows {
    const rows = new Rows(width);
    rows.reserve(this.size);
    this.#tables.push(rows);
    return rows;
  }

  campaignIndex(handle: Handle<'campaign'>): Index<'campaign'> | undefined {
    return this.#indexOfCampaign.get(handle);
  }

  handleAt(campaign: Index<'campaign'>): Handle<'campaign'> {
    return this.#handles.values[campaign] as Handle<'campaign'>;
  }

  /** The next integer, for a campaign that has none yet. */
  add(handle: Handle<'campaign'>): Index<'campaign'> {
    const campaign = this.size++;
    for (const table of this.#tables) table.reserve(this.size);
    this.#handles.values[campaign] = handle;
    this.#indexOfCampaign.set(handle, campaign);
    return campaign;
  }
}
