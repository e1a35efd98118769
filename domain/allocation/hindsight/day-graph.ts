/**
 * Which campaigns could have had which slots of a day, as a graph. A segment (a set of campaigns that may play by
 * targets and flight) becomes one row for all hours with the same live campaigns, so a day without bookings or pauses
 * has the segments of its network. Slots that no campaign booked at the time could have had form their own row, with
 * edges only to campaigns booked later.
 */
import { type AllocationGraph, createGraph } from '../flow/graph.ts';

export const HOURS = 24;
/** All hours of a day, as bits. */
export const ALL_DAY = 0xff_ffff;

/** By cell: segment x 24 hours. The value of slots, in any unit. */
export type DaySlots = {
  /** Played slots. */
  played: Float64Array;
  /** Empty slots that a campaign could have had. */
  open: Float64Array;
  /** Empty slots because of frequency caps and separation. */
  capped: Float64Array;
  /** Slots that no campaign at the time could have had, even without caps. */
  barred: Float64Array;
  /** One slot of each screen: the supply of a campaign with a cap of one play an hour. */
  once: Float64Array;
};

/** By campaign. Hours are bits, the first of the day is the lowest. */
export type CampaignHours = {
  live: Int32Array;
  /** Hours in which it would have been live if booked before the day. */
  unbooked: Int32Array;
  /** Plays an hour on one screen; 0: no cap. */
  frequencyPerHourMax: Int32Array;
};

export type DayGraph = {
  graph: AllocationGraph;
  /** By edge: 1 where the campaign was not booked yet. */
  unbooked: Uint8Array;
  /** By edge: the part of the row within the campaign's frequency cap; Infinity without one. */
  most: Float64Array;
  /** By row. */
  played: Float64Array;
  open: Float64Array;
  capped: Float64Array;
  barred: Float64Array;
};

/**
 * More edges than a plan of 10,000 campaigns has at most: 2,000,000, and as many again for what changes during the day.
 * Four flows over them take some seconds and 200 MB.
 */
const EDGES_MAX = 4_000_000;
/** Group sizes in hours for days with more edges; the last one gives the segments of the network. */
const STEPS = [1, 2, 4, 8, 24] as const;

export function dayGraphOf(network: AllocationGraph, slots: DaySlots, hours: CampaignHours): DayGraph {
  for (const step of STEPS) {
    const rows = rowsOf(network, slots, coarse(hours, step), step === HOURS ? Infinity : EDGES_MAX);
    if (rows !== undefined) return compile(network, slots, { hours, rows });
  }
  throw new Error('the last step has no bound');
}

/** Groups hours: a campaign live in one of them counts as live in all, and one not booked counts in none. */
function coarse({ live, unbooked, frequencyPerHourMax }: CampaignHours, step: number): CampaignHours {
  if (step === 1) return { live, unbooked, frequencyPerHourMax };
  const spread = (bits: number): number => {
    let all = 0;
    for (let hour = 0; hour < HOURS; hour += step) {
      const block = ((1 << step) - 1) << hour;
      if (bits & block) all |= block;
    }
    return all & ALL_DAY;
  };
  const coarseLive = live.map(spread);
  return {
    live: coarseLive,
    unbooked: unbooked.map((bits, campaign) => spread(bits) & ~coarseLive[campaign]!),
    frequencyPerHourMax,
  };
}

type Row = { segment: number; hours: number; campaigns: number[]; unbooked: boolean[]; isBarred: boolean };

/** The rows of every segment; undefined if they have more edges than `edgesMax`. */
function rowsOf(network: AllocationGraph, slots: DaySlots, hours: CampaignHours, edgesMax: number): Row[] | undefined {
  const rows: Row[] = [];
  let edges = 0;
  for (let segment = 0; segment < network.segments; segment++) {
    const first = rows.length;
    addRows(rows, network, { segment, slots, hours });
    for (let row = first; row < rows.length; row++) edges += rows[row]!.campaigns.length;
    if (edges > edgesMax) return undefined;
  }
  return rows;
}

type SegmentDay = { segment: number; slots: DaySlots; hours: CampaignHours };

function addRows(rows: Row[], network: AllocationGraph, { segment, slots, hours }: SegmentDay): void {
  const members = network.edgeCampaign.subarray(network.edgeStart[segment]!, network.edgeStart[segment + 1]!);
  const changing = members.filter(campaign => hours.live[campaign] !== ALL_DAY);
  const bySet = new Map<string, number>();
  for (let hour = 0; hour < HOURS; hour++) {
    const cell = segment * HOURS + hour;
    if (slots.played[cell]! + slots.open[cell]! + slots.capped[cell]! + slots.barred[cell]! <= 0) continue;
    const set = changing.map(campaign => stateAt(hours, campaign, hour)).join('');
    bySet.set(set, (bySet.get(set) ?? 0) | (1 << hour));
  }
  for (const bits of bySet.values()) {
    const hour = 31 - Math.clz32(bits);
    const states = Array.from(members, campaign => stateAt(hours, campaign, hour));
    const row = (isBarred: boolean): Row => {
      const places = [...states.keys()].filter(at => (isBarred ? states[at] === UNBOOKED : states[at] !== ABSENT));
      return {
        segment,
        hours: bits,
        isBarred,
        campaigns: places.map(at => members[at]!),
        unbooked: places.map(at => states[at] === UNBOOKED),
      };
    };
    for (const one of [row(false), row(true)]) if (one.campaigns.length > 0) rows.push(one);
  }
}

const ABSENT = 0;
const LIVE = 1;
const UNBOOKED = 2;

function stateAt({ live, unbooked }: CampaignHours, campaign: number, hour: number): number {
  const bit = 1 << hour;
  if (live[campaign]! & bit) return LIVE;
  return unbooked[campaign]! & bit ? UNBOOKED : ABSENT;
}

type Rows = { hours: CampaignHours; rows: readonly Row[] };

function compile(network: AllocationGraph, slots: DaySlots, { hours, rows }: Rows): DayGraph {
  const edgeStart = new Int32Array(rows.length + 1);
  rows.forEach(({ campaigns }, row) => (edgeStart[row + 1] = edgeStart[row]! + campaigns.length));
  const edges = edgeStart[rows.length]!;
  const edgeCampaign = new Int32Array(edges);
  const unbooked = new Uint8Array(edges);
  const most = new Float64Array(edges).fill(Infinity);
  rows.forEach((row, number) => {
    row.campaigns.forEach((campaign, place) => {
      const edge = edgeStart[number]! + place;
      edgeCampaign[edge] = campaign;
      unbooked[edge] = row.unbooked[place] ? 1 : 0;
      const cap = hours.frequencyPerHourMax[campaign]!;
      if (cap > 0) most[edge] = mostUnderCap(row, slots, cap);
    });
  });
  const sumOf = (values: Float64Array, isBarred: boolean) =>
    Float64Array.from(rows, row => (row.isBarred === isBarred ? sumOfHours(row, hour => values[hour]!) : 0));
  return {
    graph: createGraph(network.campaigns, edgeStart, edgeCampaign),
    unbooked,
    most,
    played: sumOf(slots.played, false),
    open: sumOf(slots.open, false),
    capped: sumOf(slots.capped, false),
    barred: sumOf(slots.barred, true),
  };
}

/** The part of a row within a campaign's cap: at most the supply of each hour. */
function mostUnderCap(row: Row, { played, open, once }: DaySlots, cap: number): number {
  return sumOfHours(row, cell => Math.min(played[cell]! + open[cell]!, cap * once[cell]!));
}

function sumOfHours({ segment, hours }: Row, valueOf: (cell: number) => number): number {
  let sum = 0;
  for (let hour = 0; hour < HOURS; hour++) if (hours & (1 << hour)) sum += valueOf(segment * HOURS + hour);
  return sum;
}
