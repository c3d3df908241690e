// The operation with @defer that the clients run, and how they print what they have.
export { headers, url, withoutTypes } from './screens.mjs';
import { withoutTypes } from './screens.mjs';

export const variables = { id: process.env.DOCUMENT_ID };

// text is the operation with a fragment of its own name for each client, because Relay requires one.
export const text = `
  query DeferQuery($id: ID!) {
    document(id: $id) { id title ...deferDetails @defer(label: "details") }
    documents(first: 5) { nodes { id ...deferListed @defer(label: "listed") } }
  }
  fragment deferDetails on Document { id content companyName jobs(first: 2) { totalCount } }
  fragment deferListed on Document { id title language reactions(first: 1) { totalCount } }
`;

// print prints what a client has of the operation as a line of JSON.
export const print = (client, data) => process.stdout.write(`${JSON.stringify({ client, data: withoutTypes(data) })}\n`);
