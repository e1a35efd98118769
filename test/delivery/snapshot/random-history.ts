/**
 * A network that is edited at random, as the services edit it: rows and their lines in the change log in one
 * transaction. Some transactions stay open and are committed after others that began later.
 */
import { createHash } from 'node:crypto';
import type { Handle } from '#domain/id.ts';
import { inUnitOfWork, SYSTEM_ACTOR, type Unit } from '#books/unit-of-work.ts';
import { noteCrowds } from '#sql/venues/crowd.ts';
import { addCampaign, addScreen, type CampaignRow, type World } from '../delivery-under-test.ts';

const HOURS = [null, { mon: [{ start: '22:00', end: '02:00' }], sun: [] }, { tue: [{ start: '08:00', end: '12:00' }] }];
const CITIES = ['Köln', 'Berlin', 'Sydney'];
/** More than a visitor sees at an address. */
const CROWD = 12;

export class RandomHistory {
  readonly #world: World;
  readonly #seed: string;
  readonly #venues: Handle<'venue'>[] = [];
  readonly #screens: Handle<'screen'>[] = [];
  readonly #campaigns: CampaignRow[] = [];
  readonly #playlists: Handle<'playlist'>[] = [];
  /** Ends the transactions that are open. */
  #open: (() => Promise<void>)[] = [];
  #draws = 0;

  private constructor(world: World, seed: number) {
    this.#world = world;
    this.#seed = `${seed}`;
  }

  /** A network with some of everything. */
  static async begin(world: World, seed: number): Promise<RandomHistory> {
    const history = new RandomHistory(world, seed);
    history.#venues.push(world.venue);
    for (let count = 0; count < 3; count++) await history.#addVenue();
    for (let count = 0; count < CROWD; count++) await history.#addScreen();
    for (let count = 0; count < 4; count++) history.#campaigns.push(await addCampaign(world));
    await history.#addPlaylist();
    return history;
  }

  async edit(): Promise<void> {
    const edits = [
      () => this.#addVenue(),
      () => this.#addScreen(),
      () => this.#changeVenue(),
      () => this.#changeVenue(),
      () => this.#changeScreen(),
      () => this.#changeScreen(),
      () => this.#unpairScreen(),
      () => this.#pairModule(),
      async () => void this.#campaigns.push(await addCampaign(this.#world, { status: this.#pick(['live', 'paused']) })),
      () => this.#changeCampaign(),
      () => this.#changeCampaign(),
      () => this.#changeCreative(),
      () => this.#addPlaylist(),
      () => this.#changePlaylist(),
      () => this.#leaveOpen(),
      () => this.commitOpen(),
    ];
    await this.#pick(edits)();
  }

  /** Commits what was left open. */
  async commitOpen(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    for (const commit of open) await commit();
  }

  #draw(below: number): number {
    const hash = createHash('sha256').update(`${this.#seed} ${this.#draws++}`).digest();
    return hash.readUInt32BE() % below;
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#draw(from.length)]!;
  }

  #unit(work: (unit: Unit) => Promise<void>): Promise<void> {
    return inUnitOfWork(this.#world.sql, { actor: SYSTEM_ACTOR, now: new Date() }, work);
  }

  async #addVenue(): Promise<void> {
    const { sql, workspace } = this.#world;
    await this.#unit(async unit => {
      const [row] = await unit.tx<{ handle: Handle<'venue'> }[]>`insert into venues ${unit.tx({
        workspace_handle: workspace,
        name: 'v',
        type: this.#pick(['retail.malls', 'entertainment.bars']),
        city: this.#pick(CITIES),
        lat: 52.5 + this.#draw(2),
        lng: 13.4,
        timezone: 'Europe/Berlin',
        opening_hours: sql.json(this.#pick(HOURS)),
        daily_visitors: this.#draw(1_000),
        dwell_minutes: 1 + this.#draw(100) / 4,
        created_at: unit.now,
      })} returning handle`;
      this.#venues.push(row!.handle);
      unit.changed('venue', row!.handle);
    });
  }

  async #changeVenue(): Promise<void> {
    const venue = this.#pick(this.#venues);
    const what = this.#draw(5);
    const playlist = this.#draw(2) === 0 ? null : this.#pick(this.#playlists);
    await this.#unit(async unit => {
      await noteCrowds(unit, [venue]);
      if (what === 0) await unit.tx`update venues set lat = ${52.5 + this.#draw(2)} where handle = ${venue}`;
      if (what === 1) await unit.tx`update venues set default_playlist_handle = ${playlist} where handle = ${venue}`;
      if (what === 2) await unit.tx`update venues set audience_max = ${1 + this.#draw(90)} where handle = ${venue}`;
      if (what === 3) await unit.tx`update venues set blocked_categories = '{alcohol}' where handle = ${venue}`;
      if (what === 4)
        await unit.tx`
          insert into venue_menus (venue_handle, menu, page_name, updated_at)
          values (${venue}, '{}', md5(random()::text), now())
          on conflict (venue_handle) do update set page_name = excluded.page_name`;
      await noteCrowds(unit, [venue]);
      unit.changed('venue', venue);
    });
  }

  async #addScreen(): Promise<void> {
    const venue = this.#pick(this.#venues);
    const { handle } = await addScreen(this.#world, {
      venue_handle: venue,
      orientation: this.#pick(['landscape', 'portrait']),
      ad_ratio: this.#draw(5) / 4,
      sandbox: this.#draw(4) === 0,
    });
    await this.#unit(unit => noteCrowds(unit, [venue]));
    this.#screens.push(handle);
  }

  async #changeScreen(): Promise<void> {
    const screen = this.#pick(this.#screens);
    const what = this.#draw(4);
    const venue = this.#pick(this.#venues);
    const playlist = this.#draw(2) === 0 ? null : this.#pick(this.#playlists);
    await this.#unit(async unit => {
      const [before] = await unit.tx<
        { venue: Handle<'venue'> }[]
      >`select venue_handle as venue from screens where handle = ${screen} for update`;
      if (what === 0) await unit.tx`update screens set venue_handle = ${venue} where handle = ${screen}`;
      if (what === 1) await unit.tx`update screens set playlist_handle = ${playlist} where handle = ${screen}`;
      if (what === 2) await unit.tx`update screens set ad_ratio = ${this.#draw(9) / 8} where handle = ${screen}`;
      if (what === 3) await unit.tx`update screens set blocked_categories = '{politics}' where handle = ${screen}`;
      unit.changed('screen', screen);
      await noteCrowds(unit, [before!.venue, venue]);
    });
  }

  async #unpairScreen(): Promise<void> {
    const screen = this.#pick(this.#screens);
    await this.#unit(async unit => {
      const [row] = await unit.tx<{ venue: Handle<'venue'> }[]>`
        update screens set unpaired_at = ${unit.now} where handle = ${screen} returning venue_handle as venue`;
      await unit.tx`update sensors set screen_handle = null, paired_at = null where screen_handle = ${screen}`;
      await noteCrowds(unit, [row!.venue]);
      unit.changed('screen', screen);
    });
  }

  async #pairModule(): Promise<void> {
    const screen = this.#pick(this.#screens);
    const { workspace } = this.#world;
    await this.#unit(async unit => {
      await unit.tx`update sensors set screen_handle = null, paired_at = null where screen_handle = ${screen}`;
      await unit.tx`insert into sensors ${unit.tx({
        workspace_handle: workspace,
        serial: `${this.#seed}-${this.#draws}-${process.pid}`,
        public_key: createHash('sha256').update(`${this.#seed} key ${this.#draws}`).digest(),
        enrolled_at: unit.now,
        screen_handle: screen,
        paired_at: unit.now,
      })}`;
      await unit.tx`update screens set sensor_paired = true where handle = ${screen}`;
      unit.changed('screen', screen);
    });
  }

  async #changeCampaign(): Promise<void> {
    const { handle } = this.#pick(this.#campaigns);
    const status = this.#pick(['live', 'paused', 'paused', 'live', 'finished', 'deleted', 'targets', 'cap']);
    await this.#unit(async unit => {
      if (status === 'deleted') await unit.tx`update campaigns set deleted_at = ${unit.now} where handle = ${handle}`;
      else if (status === 'cap')
        await unit.tx`update campaigns set frequency_per_hour_max = ${1 + this.#draw(5)} where handle = ${handle}`;
      else if (status === 'targets')
        await unit.tx`update campaigns set targets = ${unit.tx.json({
          cities: [this.#pick(CITIES)],
          venue_types: ['retail'],
          areas: [{ lat: 50, lng: 8, radiusKm: 10 }],
          days: ['mon'],
          daypart: { start: '08:00', end: '20:00' },
        })} where handle = ${handle}`;
      else await unit.tx`update campaigns set status = ${status} where handle = ${handle}`;
      unit.changed('campaign', handle);
    });
  }

  async #changeCreative(): Promise<void> {
    const { creative } = this.#pick(this.#campaigns);
    const renditions = { still_1080p_4m: { object: `${'ab'.repeat(32)}.mp4`, bytes: this.#draw(1_000) } };
    await this.#unit(async unit => {
      if (this.#draw(2) === 0)
        await unit.tx`update creatives set status = ${this.#pick(['ready', 'detached'])} where handle = ${creative}`;
      else await unit.tx`update creatives set renditions = ${unit.tx.json(renditions)} where handle = ${creative}`;
      unit.changed('creative', creative);
    });
  }

  async #addPlaylist(): Promise<void> {
    const { workspace } = this.#world;
    const { creative } = this.#pick(this.#campaigns);
    await this.#unit(async unit => {
      const [row] = await unit.tx<{ handle: Handle<'playlist'> }[]>`
        insert into playlists (workspace_handle, sandbox, name, ad_ratio, created_at, updated_at)
        values (${workspace}, false, 'p', ${this.#pick([null, 0.25])}, now(), now()) returning handle`;
      const { handle } = row!;
      await unit.tx`insert into playlist_items (playlist_handle, position, type, creative_handle, weight) values
        (${handle}, 0, 'creative', ${creative}, null), (${handle}, 1, 'ad_slot', null, ${1 + this.#draw(3)})`;
      await unit.tx`insert into playlist_items (playlist_handle, position, type, template, duration_ms) values
        (${handle}, 2, 'ai_menu', 't', 10000)`;
      this.#playlists.push(handle);
      unit.changed('playlist', handle);
    });
  }

  async #changePlaylist(): Promise<void> {
    const playlist = this.#pick(this.#playlists);
    await this.#unit(async unit => {
      if (this.#draw(3) === 0) await unit.tx`update playlists set archived_at = now() where handle = ${playlist}`;
      else await unit.tx`update playlists set ad_ratio = ${this.#draw(5) / 4} where handle = ${playlist}`;
      unit.changed('playlist', playlist);
    });
  }

  /** A transaction whose line has a lower number than those of others that are committed before it. */
  async #leaveOpen(): Promise<void> {
    if (this.#open.length > 0) return; // of its row, another would wait for ever
    const [venue] = [this.#venues.at(-1)!];
    let commit = (): void => undefined;
    const held = new Promise<void>(resolve => (commit = resolve));
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>(resolve => (begun = resolve));
    const done = this.#world.sql.begin(async tx => {
      await tx`insert into change_log (entity, handle, at) values ('venue', ${venue}, now())`;
      await tx`update venues set daily_visitors = ${1_000 + this.#draw(1_000)} where handle = ${venue}`;
      begun();
      await held;
    });
    await hasBegun;
    this.#venues.splice(this.#venues.indexOf(venue), 1); // nobody else changes it
    this.#open.push(async () => {
      commit();
      await done;
      this.#venues.push(venue);
    });
  }
}
