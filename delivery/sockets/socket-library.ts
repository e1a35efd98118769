/** The libraries that screens can be served by; `server.ts` chooses one. */
export const SOCKET_LIBRARIES = ['uws', 'ws'] as const;
export type SocketLibrary = (typeof SOCKET_LIBRARIES)[number];
