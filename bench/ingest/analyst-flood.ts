/**
 * A flood of one kind of statement, sent with the analyst's password as often as possible. This process gives way to
 * all others on the machine, because it stands for clients on other machines.
 */
import { type Agent, Agent as HttpAgent, request } from 'node:http';
import { yieldToOthers } from '#engines/clickhouse/reading/priority.ts';
import { FLOODS, type FloodCommand } from './analysts.ts';

yieldToOthers();

process.once('message', (command: FloodCommand) => {
  const { connections, statement, readsSlowly = false } = FLOODS[command.flood]!;
  const agent = new HttpAgent({ keepAlive: true, maxSockets: connections });
  const body = Buffer.from(statement);
  for (let connection = 0; connection < connections; connection += 1)
    void repeat(() => send({ ...command, agent, body, readsSlowly }));
  process.send!('begun');
});
process.once('disconnect', () => process.exit(0));

async function repeat(act: () => Promise<void>): Promise<void> {
  for (;;) await act(); // until this process ends
}

function send({
  url,
  username,
  password,
  agent,
  body,
  readsSlowly,
}: Omit<FloodCommand, 'flood'> & { agent: Agent; body: Buffer; readsSlowly: boolean }): Promise<void> {
  return new Promise(resolve => {
    const sent = request(
      url,
      { method: 'POST', agent, auth: `${username}:${password}`, headers: { 'content-length': body.length } },
      reply => {
        if (readsSlowly)
          // Reads one byte and no more, until the server ends the connection.
          reply.once('readable', () => reply.read(1));
        else reply.resume();
        reply.once('close', resolve);
      },
    );
    sent.once('error', () => setTimeout(resolve, 10)); // refused, or ended by the server
    sent.end(body);
  });
}
