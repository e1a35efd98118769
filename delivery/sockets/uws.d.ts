/**
 * The few types of uWebSockets.js that are used here. The package's own describe constants as types and know neither
 * the exclusive listening option nor `listen` with a host and options.
 */
declare module 'uWebSockets.js' {
  export type ListenSocket = { readonly __listenSocket: true };
  export type SocketContext = { readonly __socketContext: true };
  export type Payload = string | ArrayBuffer | Uint8Array;

  export type HttpRequest = {
    /** The first of that name, in lower case; empty where there is none. */
    getHeader(name: string): string;
    getUrl(): string;
    /** Every header in its order, with its name in lower case. */
    forEach(visit: (name: string, value: string) => void): void;
  };
  export type HttpResponse = {
    writeStatus(status: string): HttpResponse;
    writeHeader(name: string, value: string): HttpResponse;
    end(body?: string, closeConnection?: boolean): HttpResponse;
    /** 4 or 16 bytes of the peer's address; none if the peer has reset the connection. */
    getRemoteAddress(): ArrayBuffer;
    close(): HttpResponse;
    upgrade<Data>(data: Data, key: string, protocol: string, extensions: string, context: SocketContext): void;
  };
  export type WebSocket<Data> = {
    /** 1: sent; 0: built up backpressure and will drain; 2: dropped. */
    send(message: Payload, isBinary: boolean, compress?: boolean): 0 | 1 | 2;
    /** An empty ping frame. */
    ping(): 0 | 1 | 2;
    end(code: number, reason: string): void;
    close(): void;
    cork(write: () => void): void;
    getUserData(): Data;
  };
  export type Behavior<Data> = {
    compression: number;
    maxPayloadLength: number;
    maxBackpressure: number;
    closeOnBackpressureLimit: boolean;
    idleTimeout: number;
    upgrade(response: HttpResponse, request: HttpRequest, context: SocketContext): void;
    open(socket: WebSocket<Data>): void;
    message(socket: WebSocket<Data>, message: ArrayBuffer, isBinary: boolean): void;
    /** A ping was answered. */
    ping?(socket: WebSocket<Data>, message: ArrayBuffer): void;
    pong?(socket: WebSocket<Data>, message: ArrayBuffer): void;
    close(socket: WebSocket<Data>, code: number, message: ArrayBuffer): void;
  };
  export type TemplatedApp = {
    ws<Data>(pattern: string, behavior: Behavior<Data>): TemplatedApp;
    any(pattern: string, handler: (response: HttpResponse, request: HttpRequest) => void): TemplatedApp;
    listen(host: string, port: number, options: number, callback: (socket: ListenSocket | false) => void): TemplatedApp;
  };

  export function App(): TemplatedApp;
  /** @throws when the files cannot be used. */
  export function SSLApp(options: {
    key_file_name: string;
    cert_file_name: string;
    ssl_prefer_low_memory_usage?: boolean;
  }): TemplatedApp;
  export function us_listen_socket_close(socket: ListenSocket): void;
  export function us_socket_local_port(socket: ListenSocket): number;
  export const LIBUS_LISTEN_EXCLUSIVE_PORT: number;
}
