// The events and the deliveries of webhooks, and what the matrix and the summaries of an audience
// show.
import { expect, test } from './fixtures';
import {
  createDocument,
  createLink,
  createReader,
  createWebhook,
  deadWebhook,
  graph,
  openLink,
  runJob,
  unique,
} from './gateway';
import { changeData, checkAccess, loadScreen, openScreen, region } from './screen';

test('the feed begins with the latest events of links, and goes on with what happens, each event once', async ({
  page,
  log,
}) => {
  const title = unique('In the feed');
  const link = await createLink({ title });
  await openLink(link.shortUrl);
  await openScreen(page, '/webhooks');
  const opens = page.locator('[data-event="LINK_OPENED"]', { hasText: title });
  await expect(opens).toBeVisible(); // the event is older than the screen
  const document = `${title}, a document`;
  await createDocument(document);
  await expect(page.locator('[data-event="DOCUMENT_CREATED"]').getByText(document)).toBeVisible();
  await openLink(link.shortUrl, 1);
  await expect(opens).toHaveCount(2);
  const newest = page.locator('[data-event]').first();
  await expect(newest).toHaveAttribute('data-event', 'LINK_OPENED');
  // Once more for each change of a webhook.
  expect([...new Set(log.operations)]).toEqual(['query Webhooks']);
  await checkAccess(page, 'a feed with events');
});

test('a delivery shows its event in the form of the body, and says that the body is not stored', async ({
  page,
  removeLater,
}) => {
  const webhook = await createWebhook({ ...deadWebhook, label: 'Labelled' });
  removeLater('deleteWebhook', { webhookId: webhook });
  const link = await createLink({ title: unique('Delivered') });
  await openLink(link.shortUrl);
  const query = 'query($id: ID!) { webhook(id: $id) { deliveries { totalCount } } }';
  const deliveries = async () =>
    (await graph(query, { id: webhook })).webhook.deliveries.totalCount;
  await expect.poll(() => deliveries()).toBe(1);
  await loadScreen(page, `/webhooks/${webhook}`);
  const row = page.locator('[data-delivery]').first();
  await row.locator('summary').click();
  await expect(row.getByText('the body itself is not stored')).toBeVisible();
  const body = JSON.parse(await row.locator('pre, code').last().innerText());
  // As webhooks document it.
  expect(Object.keys(body)).toEqual(['event', 'link', 'viewer', 'timestamp']);
  expect(body).toMatchObject({
    event: 'link.opened',
    link: { slug: link.slug, short_url: link.shortUrl },
  });
  await page.getByRole('button', { name: 'Send a sample' }).click();
  const sample = page.locator('[data-delivery]', { hasText: 'sample' });
  await sample.locator('summary').click();
  await expect(sample.getByText('The event of this delivery is not stored.')).toBeVisible();
});

test('the quotes of a summary open their passages', async ({ page, log }) => {
  const content =
    'The harbour will cut emissions by a third. We are glad of the emissions that the harbour avoids.';
  const { category, document } = await createReader('Quoting', content);
  await runJob('startAudienceSummary', { category });
  const query =
    'query($category: String!) { audienceSummary(category: $category) { quotes { text } } }';
  const { audienceSummary } = await graph(query, { category });
  const [quote] = audienceSummary.quotes;
  await openScreen(page, '/audience');
  expect(log.operations).toEqual(['query Audience']);
  await region(page, category).getByRole('link', { name: quote.text }).first().click();
  await expect(page.locator('mark[data-current]').first()).toBeVisible();
  expect(page.url()).toContain(`/documents/${document}?at=`);
  expect((await page.locator('mark[data-current]').allInnerTexts()).join('')).toBe(quote.text);
});

/** Returns a persona with a reaction to each of the documents. */
function personaWith(documents: number[], totalCount = documents.length) {
  const nodes = documents.map((number) => ({
    ...{ __typename: 'Reaction', id: `rea_${number}`, createdAt: '2026-01-01T00:00:00Z' },
    ...{ rating: 4, observedRating: null, confidence: 1, sentiment: 'POSITIVE', text: 'Good.' },
    ...{ themes: [], risks: [], actions: [], basis: 'EXTRACT', quotes: [] },
    document: { __typename: 'Document', id: `doc_${number}`, title: `Document ${number}` },
  }));
  const reactions = { __typename: 'ReactionConnection', totalCount, nodes };
  return { __typename: 'Persona', id: 'per_a', name: 'Persona a', category: 'general', reactions };
}

test.describe('a matrix that leaves something out says what', () => {
  const cases = {
    documents: {
      persona: personaWith([1, 2, 3, 4, 5, 6, 7, 8, 9]),
      text: 'A part is shown: the 8 of 9 documents with most reactions.',
    },
    reactions: {
      persona: personaWith([1], 30),
      text: 'A part is shown: the newest 10 reactions of each persona.',
    },
    personas: {
      persona: personaWith([1]),
      totalCount: 41,
      text: 'A part is shown: 1 of 41 personas.',
    },
    nothing: { persona: personaWith([1]) },
  };
  for (const [name, { persona, ...more }] of Object.entries(cases)) {
    const { totalCount = 1, text = '' } = more as { totalCount?: number; text?: string };
    test(name, async ({ page }) => {
      const hasNextPage = totalCount > 1;
      const pageInfo = { __typename: 'PageInfo', hasNextPage, endCursor: 'end' };
      const personas = { __typename: 'PersonaConnection', totalCount, pageInfo, nodes: [persona] };
      await changeData(page, (data) => data.personas && (data.personas = personas));
      await openScreen(page, '/audience');
      const matrix = region(page, 'Reactions by document');
      await expect(matrix.getByRole('link', { name: 'Document 1', exact: true })).toBeVisible();
      await expect(matrix.getByText('A part is shown')).toHaveText(text ? [text] : []);
      await expect(matrix.getByRole('link', { name: 'Next page' })).toHaveCount(
        hasNextPage ? 1 : 0,
      );
    });
  }
});
