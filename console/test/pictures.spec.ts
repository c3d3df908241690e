// Takes the pictures in asset/ of a gateway's demo workspace: `npm run pictures` with CONSOLE_URL
// and CONSOLE_KEY. The gateway needs ROSTRUM_FETCH_ALLOW=127.0.0.0/8.
import { test } from './fixtures';
import { createLink, type Data, graph, mutate, runJob, saveDraft, viewerAgent } from './gateway';
import { openScreen, phone } from './screen';
import type { Sites } from './sites';

const phoneAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

/** Creates what the screens show, and returns the screens' paths. */
async function createScreens(sites: Sites) {
  const { documents, personas } = await graph(
    '{ documents(first: 4) { nodes { id title } } personas(first: 1, filter: { category: "investors" }) { nodes { id } } }',
  );
  for (const { id: documentId } of documents.nodes) {
    await mutate('extractSignals', { documentId }, 'totalSignals');
    const categories = ['investors', 'community', 'press'];
    await runJob('startReactions', { documentId, categories });
  }
  await saveDraft({
    title: 'Letter to the islands',
    content:
      'Numbers before machines: no new turbine is licensed before two years of counts are public. Lost gear is paid for within ten working days.',
  });
  await saveDraft({
    title: 'Answers on the second array',
    content: 'What it costs, who checks it, and when it starts.',
  });
  const persona = personas.nodes[0].id;
  const question = {
    inputContent: 'When does Tidewall break even?',
    enableFollowUpQuestions: true,
  };
  const input = { personaId: persona, interactionType: 'CONVERSATION', ...question };
  await mutate('askPersona', input, 'interactionId');
  for (const category of ['investors', 'community']) {
    await mutate('generateAudienceSummary', { category }, 'summary { id }');
  }
  const { shortUrl } = await createLink({ title: 'Half-year report', slug: 'half-year' });
  for (let i = 0; i < 14; i++) {
    const headers = { 'User-Agent': i % 2 ? phoneAgent : viewerAgent };
    await fetch(shortUrl, { redirect: 'manual', headers });
  }
  const { address } = await sites.pausedPage('Harbour council minutes'); // a job that runs
  await mutate('ingestDocument', { sourceUrl: address }, 'documentId');
  const charter = documents.nodes.find(({ title }: Data) => title.includes('charter'));
  const document = `/documents/${(charter ?? documents.nodes[0]).id}`;
  return { home: '/', document, persona: `/personas/${persona}`, audience: '/audience' };
}

test('the pictures of the README', async ({ page, sites }) => {
  test.skip(!process.env.CONSOLE_PICTURES, 'replaces the files in asset');
  for (const [name, path] of Object.entries(await createScreens(sites))) {
    await page.emulateMedia({ colorScheme: name === 'document' ? 'dark' : 'light' });
    for (const width of [1280, phone]) {
      await openScreen(page, path, { width });
      await page.screenshot({ path: `../asset/${name}-${width}.png` });
    }
  }
});
