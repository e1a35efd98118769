/**
 * The reference of decisions: the same build of uWebSockets.js answers every message with bytes that were prepared, as
 * many as one of our fills has. What ours costs beyond this is the decision. It runs in a process of its own.
 */
import { App, LIBUS_LISTEN_EXCLUSIVE_PORT, us_socket_local_port } from 'uWebSockets.js';
import { serve } from '../serve.ts';

/** In base64. `ack` answers messages that are longer than `ackFromBytes`: reports of plays. */
type Answers = { answer: string; ack: string; ackFromBytes: number };

/** Returns the port. */
function listen({ ackFromBytes, ...texts }: Answers): Promise<number> {
  const answer = Buffer.from(texts.answer, 'base64');
  const ack = Buffer.from(texts.ack, 'base64');
  const app = App().ws<object>('/*', {
    compression: 0,
    maxPayloadLength: 128 * 1024,
    maxBackpressure: 1024 * 1024,
    closeOnBackpressureLimit: false,
    idleTimeout: 120,
    upgrade: (response, request, context) => {
      response.upgrade(
        {},
        request.getHeader('sec-websocket-key'),
        request.getHeader('sec-websocket-protocol'),
        request.getHeader('sec-websocket-extensions'),
        context,
      );
    },
    open: () => undefined,
    message: (socket, heard, isBinary) => {
      socket.send(heard.byteLength < ackFromBytes ? answer : ack, isBinary, false);
    },
    close: () => undefined,
  });
  return new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, LIBUS_LISTEN_EXCLUSIVE_PORT, listening => {
      if (listening) resolve(us_socket_local_port(listening));
      else reject(new Error('the echo server has no port'));
    });
  });
}

const calls = { listen };
export type EchoCalls = typeof calls;
serve(calls);
