/**
 * One line per refused call, at a level that is always on: which request, whose key, which code. Anybody can be
 * refused as often as they like, so the lines per second are bounded, and the next line says how many were left out.
 */
import type { Milliseconds } from '#domain/unit.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#runtime/log.ts';
import { credentialField } from '../../authentication/credential.ts';

const LINES_PER_SECOND_MAX = 20; // at 300 bytes each 500 MB a day under an attack that lasts all of it

export type RefusalLog = { note(request: FastifyRequest, reply: FastifyReply): void };

export function createRefusalLog({ log, now }: { log: Log; now: () => Milliseconds }): RefusalLog {
  const state = { second: 0, lines: 0, unsaid: 0 };
  return {
    note(request, reply) {
      const { refusalCode: code, principal } = request;
      const { statusCode: status } = reply;
      if (code === null || status >= 500) return; // an internal error has its own line, with its cause
      const second = Math.floor(now() / 1_000);
      if (second !== state.second) Object.assign(state, { second, lines: 0 });
      if (state.lines++ >= LINES_PER_SECOND_MAX) return void (state.unsaid += 1);
      log.warn(
        {
          request_id: request.id,
          ...(principal && credentialField(principal)),
          code,
          status,
          method: request.method,
          route: request.routeOptions.url ?? 'unknown',
          ip: request.ip,
          ...(state.unsaid > 0 && { unsaid: state.unsaid }),
        },
        'refused',
      );
      state.unsaid = 0;
    },
  };
}
