// Calls to the gateway under test, which create what the screens show.
import { expect } from '@playwright/test';

const { env } = process;

export const gateway = env.CONSOLE_URL ?? 'http://127.0.0.1:8080';
/** Another process of the installation, if there is one. */
export const peer = env.CONSOLE_PEER_URL ?? gateway;
/** The process that runs the operations of the tests themselves. */
const operations = env.CONSOLE_OPERATIONS_URL ?? gateway;
export const issuer = env.CONSOLE_ISSUER;
export const key = env.CONSOLE_KEY ?? '';
export const readKey = env.CONSOLE_READ_KEY ?? '';
/** A key of a workspace without documents. */
export const emptyKey = env.CONSOLE_EMPTY_KEY ?? '';
/** A key of a workspace with thousands of documents. */
export const largeKey = env.CONSOLE_LARGE_KEY ?? '';
export const user = { email: env.CONSOLE_EMAIL ?? '', password: env.CONSOLE_PASSWORD ?? '' };

/** What the gateway returns; the tests check its values. */
export type Data = any;

/** Runs an operation, on the gateway under test or on another process, and returns its data. */
export async function graph(query: string, variables = {}, at = operations): Promise<Data> {
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

/** The mutations whose input another one names. */
const sharedInputs: Record<string, string> = {
  startAudienceSummary: 'generateAudienceSummary',
  startSignalExtraction: 'extractSignals',
};

/**
 * Runs a mutation and returns the selected fields, as of mutate('saveDraft', input, 'draft { id
 * }').
 */
export async function mutate(name: string, input: object, selection: string, at = operations) {
  const type = sharedInputs[name] ?? name;
  const typed = `$input: ${type.charAt(0).toUpperCase()}${type.slice(1)}Input!`;
  const query = `mutation(${typed}) { ${name}(input: $input) { ${selection} } }`;
  return (await graph(query, { input }, at))[name];
}

/** Returns a name that no earlier run has used. */
export const unique = (name: string) => `${name} ${Date.now()}`;

export const harbourText =
  'Emissions fall by a third, said Ada Example. The harbour stays open in winter.';

/** Adds a source of an address that nothing else has, and returns its id. */
export async function createSource(input: object): Promise<string> {
  const url = `http://127.0.0.1:9/${unique('feed').replace(' ', '-')}`;
  return (await mutate('createSource', { url, ...input }, 'source { id }')).source.id;
}

/** Starts a bulk query that has the name in its text, and waits for its end. */
export async function startBulkQuery(name: string, at = operations): Promise<string> {
  const query = `{ documents(filter: {q: "${name}"}) { nodes { id } } }`;
  const { job } = await mutate('startBulkQuery', { query }, 'job { id }', at);
  return job.id as string;
}

/** Registers a version of a front end with one operation. */
export const registerOperation = async (app: string, at = operations): Promise<string> =>
  (
    await mutate(
      'registerOperations',
      { app, version: '1', manifest: { home: 'query Home { viewer { scopes } }' } },
      'appVersion { id }',
      at,
    )
  ).appVersion.id;

/** Creates a house rule with a name, which is also the word that it finds. */
export const createHouseRule = async (name: string, at = operations): Promise<string> =>
  (
    await mutate(
      'createHouseRule',
      {
        source: JSON.stringify({
          name,
          extends: 'existence',
          message: 'Avoid %s.',
          tokens: [name],
        }),
      },
      'houseRule { id }',
      at,
    )
  ).houseRule.id;

export const createSavedSearch = async (input: object, at = operations): Promise<string> =>
  (await mutate('createSavedSearch', input, 'savedSearch { id }', at)).savedSearch.id;

export async function createDocument(
  title: string,
  content = harbourText,
  executive = 'Ada Example',
  more = {},
): Promise<string> {
  const input = { title, content, executive, company: 'Tidewall', ...more };
  return (await mutate('createDocument', input, 'document { id }')).document.id;
}

export const saveDraft = async (input: object, at = operations): Promise<string> =>
  (await mutate('saveDraft', input, 'draft { id }', at)).draft.id;

export const createPersona = async (input: object, at = operations): Promise<string> =>
  (await mutate('createPersona', input, 'persona { id }', at)).persona.id;

export const createWebhook = async (input: object, at = operations): Promise<string> =>
  (await mutate('createWebhook', input, 'webhook { id }', at)).webhook.id;

/** A webhook whose receiver never answers, so that its deliveries fail. */
export const deadWebhook = { url: 'https://127.0.0.1:9/hook' };

/** Creates a link, to a page on another host if the input has no destination, variants or page. */
export async function createLink(
  input: object,
  at = operations,
): Promise<{ id: string; slug: string; shortUrl: string }> {
  const isComplete = 'variants' in input || 'kind' in input;
  const complete = isComplete ? input : { destinationUrl: 'https://example.com/', ...input };
  return (await mutate('createLink', complete, 'link { id slug shortUrl }', at)).link;
}

export const extractSignals = (documentId: string) =>
  mutate('extractSignals', { documentId }, 'totalSignals');

/** Waits until a job has the status. */
export const awaitJob = (id: string, status = 'COMPLETED') =>
  expect
    .poll(
      async () => (await graph('query($id: ID!) { job(id: $id) { status } }', { id })).job.status,
    )
    .toBe(status);

/** Starts a job and waits until it is completed. */
export async function runJob(name: string, input: object) {
  const { job } = await mutate(name, input, 'job { id }');
  await awaitJob(job.id);
}

/**
 * Has a persona react to a document, and returns the ids and the audience of which it is the only
 * one.
 */
export async function createReader(title: string, content?: string) {
  const category = unique(title);
  const persona = await createPersona({ name: category, category, concerns: 'emissions' });
  const document = await createDocument(`${category}, read`, content);
  await runJob('startReactions', { documentId: document, personaIds: [persona] });
  return { category, persona, document };
}

/** The browser of a viewer, which is no crawler. */
export const viewerAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** Opens a short link as the viewer of the number. */
export async function openLink(address: string, viewer = 0) {
  const headers = { 'User-Agent': `${viewerAgent} Viewer/${viewer}` };
  const { status } = await fetch(address, { redirect: 'manual', headers });
  expect(status).toBe(302);
}
