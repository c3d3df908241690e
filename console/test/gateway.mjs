// Calls to the gateway under test, and the rows that the screens show.
import http from 'node:http';

export const gateway = process.env.CONSOLE_URL;
/** Another process of the installation, if there is one. */
export const peer = process.env.CONSOLE_PEER_URL ?? gateway;
export const issuer = process.env.CONSOLE_ISSUER;
export const key = process.env.CONSOLE_KEY;
export const readKey = process.env.CONSOLE_READ_KEY;
export const user = { email: process.env.CONSOLE_EMAIL, password: process.env.CONSOLE_PASSWORD };

/** Runs an operation, on the gateway under test or on another process, and returns its data. */
export async function graph(query, variables = {}, at = gateway) {
  const response = await fetch(`${at}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) {
    throw new Error(JSON.stringify(errors));
  }
  return data;
}

/** Creates a document and returns its id. */
export async function createDocument(title, content = 'Emissions fall by a third, said Ada Example. The harbour stays open in winter.', executive = 'Ada Example') {
  const data = await graph('mutation($input: CreateDocumentInput!) { createDocument(input: $input) { document { id } } }', {
    input: { title, content, executive, company: 'Tidewall' },
  });
  return data.createDocument.document.id;
}

/** Serves a page that is sent only after open is called, so that its job can be watched while it runs. */
export async function servePausedPage(t, title) {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  const server = http.createServer(async (_, response) => {
    await opened;
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>
      <p>The harbour authority counted more ferries on the northern route in its first quarter than any forecast had allowed for.</p>
      <p>Passengers named the earlier departures and the sheltered platform as their reasons to change from the ring road.</p></article></body></html>`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    open();
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${server.address().port}/news/${title.toLowerCase().replaceAll(' ', '-')}`, open };
}
