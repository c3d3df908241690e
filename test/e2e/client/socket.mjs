// Follows a job with graphql-ws, the key in connection_init, and prints each event as a line of JSON.
// With RESUME set it drops the connection without a word after each new position and goes on behind it.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { after, key, print, request, url } from './job.mjs';

async function follow(behind) {
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { 'X-API-Key': key },
    retryAttempts: 0,
  });
  for await (const answer of client.iterate(request(behind))) {
    const event = print(answer);
    const isNew = behind === undefined || event.position > behind;
    if (process.env.RESUME && isNew && event.kind !== 'END') {
      client.terminate();
      return event.position;
    }
  }
  await client.dispose();
  return undefined;
}

let behind = after;
do {
  behind = await follow(behind);
} while (behind !== undefined);
