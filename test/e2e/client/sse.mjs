// Follows a job with graphql-sse, the key in a header, and prints each event as a line of JSON.
import { createClient } from 'graphql-sse';
import { after, key, print, request, url } from './job.mjs';

const client = createClient({ url, headers: { 'X-API-Key': key }, retryAttempts: 0 });
for await (const answer of client.iterate(request(after))) {
  print(answer);
}
client.dispose();
