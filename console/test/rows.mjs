// The rows that the screens show, and the screens' addresses.
import assert from 'node:assert/strict';
import { awaitSuccess } from './browser.mjs';
import { createDocument, gateway, graph, openLink } from './gateway.mjs';

let created;

/** Returns each screen's path, heading and operation; the first call creates the rows. */
export const screenPaths = () => (created ??= createRows());

async function createRows() {
  const document = await createDocument('The plan for the harbour');
  const second = await createDocument('The plan of the others', 'Emissions rise by a tenth, said Bo Example. The harbour closes in winter.', 'Bo Example');
  const { createPersona } = await graph('mutation { createPersona(input: { name: "Harbour wardens", category: "wardens", concerns: "emissions" }) { persona { id } } }').catch(findPersona);
  const persona = createPersona.persona.id;
  await graph('mutation($id: String!) { askPersona(input: { personaId: $id, inputContent: "What about emissions?", interactionType: CONVERSATION }) { interactionId } }', { id: persona });
  for (const id of [document, second]) {
    await graph('mutation($id: ID!) { extractSignals(input: { documentId: $id }) { totalSignals } }', { id });
  }
  await graph('mutation { compareInsights(input: { theme: "emissions", executives: ["Ada Example", "Bo Example"], strategicMap: true }) { comparison { theme } } }');
  const { comparisons } = await graph('{ comparisons(first: 20) { nodes { id result { theme } } } }');
  const comparison = comparisons.nodes.find(({ result }) => result.theme === 'emissions').id; // other tests compare other themes
  const { saveDraft } = await graph('mutation { saveDraft(input: { title: "Spring letter", content: "Emissions fall by a third." }) { draft { id } } }');
  const link = await createOpenedLink('Launch');
  // Failed deliveries would change it at any time, and its screens ask again.
  const { createWebhook } = await graph('mutation { createWebhook(input: { url: "https://127.0.0.1:9/hook", label: "Ours", isActive: false }) { webhook { id } } }');
  return {
    home: { path: '/', heading: 'Home', query: 'Home' },
    documents: { path: '/documents', heading: 'Documents', query: 'Documents' },
    document: { path: `/documents/${document}`, heading: 'The plan for the harbour', query: 'DocumentScreen' },
    personas: { path: '/personas', heading: 'Personas', query: 'Personas' },
    persona: { path: `/personas/${persona}`, heading: 'Harbour wardens', query: 'PersonaScreen' },
    audience: { path: '/audience', heading: 'Audience', query: 'Audience' },
    executives: { path: '/executives', heading: 'Executives', query: 'Executives' },
    executive: { path: '/executives/Ada%20Example', heading: 'Ada Example', query: 'ExecutiveScreen' },
    comparison: { path: `/comparisons/${comparison}`, heading: 'emissions', query: 'ComparisonScreen' },
    drafts: { path: '/drafts', heading: 'Drafts', query: 'Drafts' },
    draft: { path: `/drafts/${saveDraft.draft.id}`, heading: 'Spring letter', query: 'DraftScreen' },
    links: { path: '/links', heading: 'Links', query: 'Links' },
    link: { path: `/links/${link}`, heading: 'Launch', query: 'LinkScreen' },
    webhooks: { path: '/webhooks', heading: 'Webhooks', query: 'Webhooks' },
    webhook: { path: `/webhooks/${createWebhook.webhook.id}`, heading: 'Ours', query: 'WebhookScreen' },
    filters: { path: '/filters', heading: 'Filters and tags', query: 'Filters' },
    settings: { path: '/settings', heading: 'Settings', query: 'Settings' },
  };
}

/** Creates a link that three viewers have opened, of whom one has clicked, and returns its id. */
export async function createOpenedLink(title) {
  const { createLink } = await graph('mutation($title: String!) { createLink(input: { title: $title, destinationUrl: "https://example.com/" }) { link { id slug shortUrl } } }', { title });
  const { id, slug, shortUrl } = createLink.link;
  for (let viewer = 0; viewer < 3; viewer++) {
    assert.equal(await openLink(shortUrl), 302);
  }
  const sessions = await awaitSuccess(async () => {
    const { link } = await graph('query($id: ID!) { link(id: $id) { sessions(first: 3) { nodes { id } } } }', { id });
    assert.equal(link.sessions.nodes.length, 3);
    return link.sessions.nodes;
  });
  const body = new URLSearchParams({ session_id: sessions[0].id, type: 'cta_click', value: 'Join us' });
  const { status } = await fetch(`${gateway}/api/public/links/${slug}/conversions`, { method: 'POST', body });
  assert.equal(status, 202);
  return id;
}

/** Returns the persona of an earlier run on the same gateway. */
async function findPersona() {
  const { personas } = await graph('{ personas(first: 1, filter: { name: "Harbour wardens" }) { nodes { id } } }');
  return { createPersona: { persona: personas.nodes[0] } };
}
