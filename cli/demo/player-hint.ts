import { createClient } from './client.ts';

type Venue = { id: string; opening_hours?: object | null };

/** How a person makes a browser one of the demo's screens: the address, and the line that mints a code for a venue that is always open. */
export async function playerHint({ apiUrl, key }: { apiUrl: string; key: string }): Promise<string> {
  const { data } = await createClient(apiUrl, key).get<{ data: Venue[] }>('/v1/venues?limit=100');
  const venue = data.find(one => !one.opening_hours) ?? data[0]!;
  return `Make a browser a screen: open ${apiUrl}/player and type the code that this prints:
  curl -X POST -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"venue_id":"${venue.id}"}' ${apiUrl}/v1/pairing`;
}
