// The events and the deliveries of webhooks, and what the matrix and the summaries of an audience show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitScreen, awaitSuccess, checkAccess, openScreen } from './browser.mjs';
import { createDocument, graph, openLink } from './gateway.mjs';

async function createLink(title) {
  const { createLink } = await graph('mutation($title: String!) { createLink(input: { title: $title, destinationUrl: "https://example.com/" }) { link { id slug shortUrl } } }', { title });
  return createLink.link;
}

test('the feed begins with the latest events of links, and goes on with what happens, each event once', async (t) => {
  const title = `In the feed ${Date.now()}`;
  const link = await createLink(title);
  assert.equal(await openLink(link.shortUrl), 302);
  const { page, log } = await openScreen(t, '/webhooks');
  await awaitScreen(page);
  const opens = page.locator('[data-event="LINK_OPENED"]', { hasText: title });
  await opens.waitFor(); // the event is older than the screen
  const document = `${title}, a document`;
  await createDocument(document);
  await page.locator('[data-event="DOCUMENT_CREATED"]').getByText(document).waitFor();
  assert.equal(await openLink(link.shortUrl, 1), 302);
  await awaitSuccess(async () => assert.equal(await opens.count(), 2));
  const names = await page.locator('[data-event]').evaluateAll((rows) => rows.slice(0, 2).map((row) => row.dataset.event));
  assert.equal(names[0], 'LINK_OPENED', 'the newest is first');
  assert.deepEqual([...new Set(log.operations)], ['query Webhooks']); // once more for each change of a webhook
  await checkAccess(page, 'a feed with events');
});

test('a delivery shows its event in the form of the body, and says that the body is not stored', async (t) => {
  const { createWebhook } = await graph('mutation { createWebhook(input: { url: "https://127.0.0.1:9/hook", label: "Labelled" }) { webhook { id } } }');
  t.after(() => graph('mutation($id: ID!) { deleteWebhook(input: { webhookId: $id }) { deletedId } }', { id: createWebhook.webhook.id }));
  const link = await createLink(`Delivered ${Date.now()}`);
  assert.equal(await openLink(link.shortUrl), 302);
  const deliveries = async () => (await graph('query($id: ID!) { webhook(id: $id) { deliveries { totalCount } } }', createWebhook.webhook)).webhook.deliveries.totalCount;
  await awaitSuccess(async () => assert.equal(await deliveries(), 1));
  const { page } = await openScreen(t, `/webhooks/${createWebhook.webhook.id}`);
  const row = page.locator('[data-delivery]').first();
  await row.locator('summary').click();
  await row.getByText('the body itself is not stored').waitFor();
  const body = JSON.parse(await row.locator('pre, code').last().innerText());
  assert.deepEqual(Object.keys(body), ['event', 'link', 'viewer', 'timestamp']); // as webhooks document it
  assert.deepEqual({ event: body.event, slug: body.link.slug, short_url: body.link.short_url }, { event: 'link.opened', slug: link.slug, short_url: link.shortUrl });
  await page.getByRole('button', { name: 'Send a sample' }).click();
  const sample = page.locator('[data-delivery]', { hasText: 'sample' });
  await sample.locator('summary').click();
  await sample.getByText('The event of this delivery is not stored.').waitFor();
});

/** Starts a job and waits until it is completed. */
async function awaitJob(name, mutation, variables) {
  const { [name]: { job } } = await graph(mutation, variables);
  await awaitSuccess(async () => assert.equal((await graph('query($id: ID!) { job(id: $id) { status } }', { id: job.id })).job.status, 'COMPLETED'));
}

/** Creates a persona that has reacted to a document, and the summary of its audience. */
async function createSummary() {
  const category = `Quoting ${Date.now()}`;
  const { createPersona } = await graph('mutation($input: CreatePersonaInput!) { createPersona(input: $input) { persona { id } } }', { input: { name: category, category, concerns: 'emissions' } });
  const id = await createDocument(`${category}, read`, 'The harbour will cut emissions by a third. We are glad of the emissions that the harbour avoids.');
  await awaitJob('startReactions', 'mutation($id: ID!, $persona: ID!) { startReactions(input: { documentId: $id, personaIds: [$persona] }) { job { id } } }', { id, persona: createPersona.persona.id });
  await awaitJob('startAudienceSummary', 'mutation($category: String!) { startAudienceSummary(input: { category: $category }) { job { id } } }', { category });
  return { category, id };
}

test('the quotes of a summary open their passages', async (t) => {
  const { category, id } = await createSummary();
  const { audienceSummary } = await graph('query($category: String!) { audienceSummary(category: $category) { quotes { text } } }', { category });
  const [quote] = audienceSummary.quotes;
  const { page, log } = await openScreen(t, '/audience');
  await awaitScreen(page);
  assert.deepEqual(log.operations, ['query Audience']);
  await page.getByRole('region', { name: category }).getByRole('link', { name: quote.text }).first().click();
  await page.locator('mark[data-current]').first().waitFor();
  assert.ok(page.url().includes(`/documents/${id}?at=`));
  assert.equal((await page.locator('mark[data-current]').allInnerTexts()).join(''), quote.text);
});

/** Opens the audience with the response changed. */
const openAudience = (t, change) =>
  openScreen(t, '/audience', {
    prepare: (page) =>
      page.route('**/graphql', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        if (json.data?.personas) {
          change(json.data);
        }
        await route.fulfill({ response, json });
      }),
  });

/** Returns a persona with a reaction to each of the documents. */
function personaWith(id, documents, totalCount = documents.length) {
  const nodes = documents.map((document) => ({
    __typename: 'Reaction', id: `rea_${id}_${document}`, rating: 4, observedRating: null, confidence: 1, sentiment: 'POSITIVE', createdAt: '2026-01-01T00:00:00Z', text: 'Good.', themes: [], risks: [], actions: [],
    basis: 'EXTRACT', quotes: [], document: { __typename: 'Document', id: `doc_${document}`, title: `Document ${document}` },
  }));
  return { __typename: 'Persona', id, name: `Persona ${id}`, category: 'general', reactions: { __typename: 'ReactionConnection', totalCount, nodes } };
}

test('a matrix that leaves something out says what', { concurrency: 1 }, async (t) => {
  const cases = {
    documents: { personas: [personaWith('per_a', [1, 2, 3, 4, 5, 6, 7, 8, 9])], text: 'A part is shown: the 8 of 9 documents with most reactions.' },
    reactions: { personas: [personaWith('per_a', [1], 30)], text: 'A part is shown: the newest 10 reactions of each persona.' },
    personas: { personas: [personaWith('per_a', [1])], total: 41, text: 'A part is shown: 1 of 41 personas.' },
    nothing: { personas: [personaWith('per_a', [1])], text: null },
  };
  for (const [name, { personas, total = personas.length, text }] of Object.entries(cases)) {
    await t.test(name, async (t) => {
      const change = (data) => (data.personas = { __typename: 'PersonaConnection', totalCount: total, pageInfo: { __typename: 'PageInfo', hasNextPage: total > personas.length, endCursor: 'end' }, nodes: personas });
      const { page } = await openAudience(t, change);
      await awaitScreen(page);
      const matrix = page.getByRole('region', { name: 'Reactions by document' });
      await matrix.getByRole('link', { name: 'Document 1', exact: true }).waitFor();
      assert.equal(await matrix.getByText('A part is shown').count(), text ? 1 : 0);
      if (text) {
        await matrix.getByText(text, { exact: true }).waitFor();
      }
      assert.equal(await matrix.getByRole('link', { name: 'Next page' }).count(), total > personas.length ? 1 : 0);
    });
  }
});
