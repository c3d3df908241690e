// Calls to the gateway under test, and the rows that the screens show.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';

export const gateway = process.env.CONSOLE_URL;
/** Another process of the installation, if there is one. */
export const peer = process.env.CONSOLE_PEER_URL ?? gateway;
export const issuer = process.env.CONSOLE_ISSUER;
export const key = process.env.CONSOLE_KEY;
export const readKey = process.env.CONSOLE_READ_KEY;
/** A key of a workspace without documents. */
export const emptyKey = process.env.CONSOLE_EMPTY_KEY;
/** A key of a workspace with thousands of documents. */
export const largeKey = process.env.CONSOLE_LARGE_KEY;
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

/** Listens on loopback until the end of the test, and returns the address. */
async function listen(t, server, scheme = 'http') {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `${scheme}://127.0.0.1:${server.address().port}`;
}

const slugOf = (title) => title.toLowerCase().replaceAll(' ', '-');

function sendPage(response, title) {
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><head><title>${title}</title></head><body><article><h1>${title}</h1>
    <p>The harbour authority counted more ferries on the northern route in its first quarter than any forecast had allowed for.</p>
    <p>Passengers named the earlier departures and the sheltered platform as their reasons to change from the ring road.</p></article></body></html>`);
}

/** Serves a page for each title. A response is sent only after release is called for it, so that its job can be watched while it runs. */
export async function servePausedPages(t, titles) {
  const waiting = [];
  let allowed = 0;
  const release = (count) => {
    allowed += count;
    while (allowed > 0 && waiting.length > 0) {
      allowed--;
      waiting.shift()();
    }
  };
  const server = http.createServer((request, response) => {
    waiting.push(() => sendPage(response, titles.find((title) => request.url.endsWith(slugOf(title)))));
    release(0);
  });
  const address = await listen(t, server);
  return { addresses: titles.map((title) => `${address}/news/${slugOf(title)}`), release };
}

/** Serves a page that is sent only after open is called. */
export async function servePausedPage(t, title) {
  const { addresses, release } = await servePausedPages(t, [title]);
  return { address: addresses[0], open: () => release(Infinity) };
}

/** Serves a page whose first request is answered with 404. */
export async function serveRepairedPage(t, title) {
  let requests = 0;
  const server = http.createServer((_, response) => {
    if (requests++ > 0) {
      sendPage(response, title);
    } else {
      response.writeHead(404).end('Not here yet');
    }
  });
  return `${await listen(t, server)}/news/${slugOf(title)}`;
}

/** Receives webhooks: the response is that of `answer`, which may be replaced; `received` has the ids and bodies of the events. */
export async function serveReceiver(t) {
  const receiver = { address: '', answer: { status: 200, body: 'noted' }, received: [] };
  const options = { cert: readFileSync(process.env.CONSOLE_RECEIVER_CERT), key: readFileSync(process.env.CONSOLE_RECEIVER_KEY) };
  const server = https.createServer(options, async (request, response) => {
    const body = await text(request);
    receiver.received.push({ id: request.headers['webhook-id'], body: JSON.parse(body) });
    const { status, body: answered, headers } = receiver.answer;
    response.writeHead(status, headers).end(answered);
  });
  receiver.address = `${await listen(t, server, 'https')}/hook`;
  return receiver;
}

/** The browser of a viewer, which is no crawler. */
export const viewerAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Opens a short link as the viewer of the number, and returns the status. */
export async function openLink(address, viewer = 0) {
  const { status } = await fetch(address, { redirect: 'manual', headers: { 'User-Agent': `${viewerAgent} Viewer/${viewer}` } });
  return status;
}
