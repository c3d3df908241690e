/** The WebSocket of browsers, Deno, Bun and newer versions of Node. */
export const socketImplementation: unknown = globalThis.WebSocket;
