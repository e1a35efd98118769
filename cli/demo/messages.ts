/**
 * The output of the demo: for a person, how to look at the running demo and how it ended; for a program, the last line
 * of JSON.
 */
import { exampleId } from '#domain/id.ts';
import type { Instance } from '../instance/instance.ts';
import { bold } from '../terminal/style.ts';
import { createClient } from './client.ts';
import type { DemoNetwork } from './network/network.ts';
import type { Micros, Milliseconds } from '#domain/unit.ts';

/** The last line of JSON. */
export type Summary = {
  event: 'summary';
  screens: number;
  campaigns: number;
  slots: number;
  fills: number;
  no_fills: Record<string, number>;
  plays_acked: number;
  plays_reported: number;
  plays_refused: Record<string, number>;
  scans_reported: number;
  spend_micros: Micros;
  lost: number;
  double_counted: number;
  overspent: number;
  decision_p99_us: number;
  freshness_p50_ms: Milliseconds;
  freshness_p99_ms: Milliseconds;
};

type Venue = { id: string; opening_hours?: object | null };

/**
 * How a person makes a browser one of the demo's screens: the address, and the command that makes a code for a venue
 * that is always open.
 */
export async function playerHint({ apiUrl, key }: { apiUrl: string; key: string }): Promise<string> {
  const { data } = await createClient(apiUrl, key).get<{ data: Venue[] }>('/v1/venues?limit=100');
  const venue = data.find(one => !one.opening_hours) ?? data[0]!;
  return `Make a browser a screen: open ${apiUrl}/player and type the code that this prints:
  curl -X POST -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"venue_id":"${venue.id}"}' ${apiUrl}/v1/pairing`;
}

/** The JSON line besides the addresses: the keys, and by role the link that opens the console. */
export function accessOf({ apiUrl }: Instance, { keys, roles }: DemoNetwork) {
  return { keys, console: Object.fromEntries(roles.map(({ role, path }) => [role, `${apiUrl}${path}`])) };
}

type GreetingOptions = { network: DemoNetwork; player: string; isVerbose: boolean };

export function greetingOf(instance: Instance, { network, player, isVerbose }: GreetingOptions): string {
  const [first] = network.campaigns;
  const roles = network.roles.map(({ role, path }) => `  ${role.padEnd(10)}${instance.apiUrl}${path}`);
  return `
${bold('Open the console with one click, without a password:')}
${roles.join('\n')}

${bold('Marquee runs:')} ${network.screens.length} screens, ${network.campaigns.length} campaigns.
  Console       ${instance.apiUrl}/console
  API           ${instance.apiUrl}/v1
  Documents     ${instance.apiUrl}/docs
  Brand's key   ${network.keys.ads_manager}
  Venue's key   ${network.keys.screen_manager}
  Load test's key   ${network.keys.load_test}

Watch a report grow:
  curl -H 'Authorization: Bearer ${network.keys.ads_manager}' ${instance.apiUrl}/v1/reporting/campaigns/${first?.id ?? exampleId('campaign')}
${player}
Or press "Pair a screen" as the venue.
${isVerbose ? enginesOf(instance) : ''}
Ctrl-C stops it.
`;
}

/** The addresses for people who write players or SQL. */
function enginesOf({ deliveryUrl, clickhouse: { url, username, password } }: Instance): string {
  return `
  Screens       ${deliveryUrl}
  ClickHouse    ${url}  user ${username}, password ${password}
Ask ClickHouse:
  curl -u ${username}:${password} '${url}/?database=marquee' -d 'select campaign_id, sum(plays) from plays_by_hour group by 1 order by 2 desc limit 5'
`;
}

export function farewellOf(summary: Summary): string {
  return `
${summary.plays_acked} plays were acknowledged to screens, ${summary.plays_reported} are in the reports.
Lost ${summary.lost}, counted twice ${summary.double_counted}, campaigns overspent ${summary.overspent}.
Decision p99 ${summary.decision_p99_us} us, from acknowledgement to report p99 ${summary.freshness_p99_ms} ms.
`;
}
