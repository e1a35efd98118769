/**
 * The reference of decisions: the same build of uWebSockets.js answers every message with bytes that were prepared, as
 * many as one of our fills has. What ours costs beyond this is the decision. It runs in a process of its own, started
 * with the answer over IPC; it says its port and ends with its parent.
 */
import { App, LIBUS_LISTEN_EXCLUSIVE_PORT, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';

/** `ack` answers messages that are longer than `ackFromBytes`: reports of plays. */
type Start = { answer: string; ack: string; ackFromBytes: number };

process.once('message', (message: Start) => {
  const answer = Buffer.from(message.answer, 'base64');
  const ack = Buffer.from(message.ack, 'base64');
  const { ackFromBytes } = message;
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
  app.listen('127.0.0.1', 0, LIBUS_LISTEN_EXCLUSIVE_PORT, listening => {
    if (!listening) throw new Error('the echo server has no port');
    process.once('disconnect', () => {
      us_listen_socket_close(listening);
      process.exit(0);
    });
    process.send?.({ port: us_socket_local_port(listening) });
  });
});
