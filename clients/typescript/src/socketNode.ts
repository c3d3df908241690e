import WebSocket from 'ws';

/** Node has a WebSocket of its own from version 22 on only. */
export const socketImplementation: unknown = WebSocket;
