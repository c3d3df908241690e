// Takes the pictures of asset/ from the demo workspace of a gateway: CONSOLE_URL, CONSOLE_KEY, and ROSTRUM_FETCH_ALLOW=127.0.0.0/8 at the gateway.
import { mkdirSync } from 'node:fs';
import { awaitScreen, awaitSuccess, closeBrowser, openScreen } from './browser.mjs';
import { graph, servePausedPage } from './gateway.mjs';

const folder = new URL('../../asset/', import.meta.url).pathname;
const agents = ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'];
const cleanups = [];
const session = { after: (cleanup) => cleanups.push(cleanup) };

async function createRows() {
  const { documents, personas } = await graph('{ documents(first: 4) { nodes { id title } } personas(first: 10, filter: { category: "investors" }) { nodes { id } } }');
  for (const { id } of documents.nodes) {
    await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } startReactions(input: { documentId: $id, categories: ["investors", "community", "press"] }) { job { id } } }', { id });
  }
  await awaitSuccess(async () => {
    const { jobs } = await graph('{ jobs(first: 1, filter: { statuses: [QUEUED, RUNNING] }) { totalCount } }');
    if (jobs.totalCount > 0) {
      throw new Error('jobs run');
    }
  });
  await graph('mutation { saveDraft(input: { title: "Letter to the islands", content: "Numbers before machines: no new turbine is licensed before two years of counts are public. Lost gear is paid for within ten working days." }) { draft { id } } }');
  await graph('mutation { saveDraft(input: { title: "Answers on the second array", content: "What it costs, who checks it, and when it starts." }) { draft { id } } }');
  await graph('mutation($id: String!) { askPersona(input: { personaId: $id, inputContent: "When does Tidewall break even?", interactionType: CONVERSATION, enableFollowUpQuestions: true }) { interactionId } }', { id: personas.nodes[0].id });
  for (const category of ['investors', 'community']) {
    await graph('mutation($category: String!) { generateAudienceSummary(input: { category: $category }) { summary { id } } }', { category });
  }
  const { createLink } = await graph('mutation { createLink(input: { title: "Half-year report", slug: "half-year", destinationUrl: "https://example.com/" }) { link { shortUrl } } }');
  for (let i = 0; i < 14; i++) {
    await fetch(createLink.link.shortUrl, { redirect: 'manual', headers: { 'User-Agent': agents[i % agents.length] } });
  }
  const site = await servePausedPage(session, 'Harbour council minutes');
  await graph('mutation($url: URL!) { ingestDocument(input: { sourceUrl: $url }) { documentId } }', { url: site.address });
  const charter = documents.nodes.find(({ title }) => title.includes('charter')) ?? documents.nodes[0];
  return { home: '/', document: `/documents/${charter.id}`, persona: `/personas/${personas.nodes[0].id}`, audience: '/audience' };
}

mkdirSync(folder, { recursive: true });
for (const [name, path] of Object.entries(await createRows())) {
  for (const width of [1280, 390]) {
    const { page } = await openScreen(session, path, { width, scheme: name === 'document' ? 'dark' : 'light' });
    await awaitScreen(page);
    await page.screenshot({ path: `${folder}${name}-${width}.png` });
  }
}
for (const cleanup of cleanups) {
  await cleanup();
}
await closeBrowser();
