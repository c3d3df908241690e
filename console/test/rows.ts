// The screens, and the rows that they show.
import { expect } from '@playwright/test';
import {
  createDocument,
  createLink,
  createPersona,
  createSavedSearch,
  createSource,
  createWebhook,
  deadWebhook,
  extractSignals,
  gateway,
  graph,
  mutate,
  registerOperation,
  openLink,
  saveDraft,
  unique,
} from './gateway';

export const screenNames = [
  ...(['home', 'documents', 'document', 'personas', 'persona', 'audience'] as const),
  ...(['executives', 'executive', 'comparison', 'drafts', 'draft', 'links', 'link'] as const),
  ...(['webhooks', 'webhook', 'filters', 'filter', 'tag', 'settings', 'members'] as const),
  ...([
    'companies',
    'company',
    'groups',
    'sources',
    'source',
    'trash',
    'quotes',
    'searches',
    'operations',
    'bulk',
    'houseRules',
  ] as const),
];

/** Each screen's path, heading and operation. */
export interface Screen {
  path: string;
  heading: string;
  query: string;
  /** Operations that compute something of it, which must not keep it from opening, by their names. */
  checks: readonly string[];
}

export type Screens = Record<(typeof screenNames)[number], Screen>;

/** Creates a row for each screen of one, and returns the screens. */
export async function createRows(): Promise<Screens> {
  const document = await createDocument('The plan for the harbour');
  const text = 'Emissions rise by a tenth, said Bo Example. The harbour closes in winter.';
  const second = await createDocument('The plan of the others', text, 'Bo Example');
  await extractSignals(document);
  await extractSignals(second);
  const wardens = unique('Harbour wardens');
  const persona = await createPersona({
    name: wardens,
    category: 'wardens',
    concerns: 'emissions',
  });
  const question = { personaId: persona, inputContent: 'What about emissions?' };
  await mutate('askPersona', { ...question, interactionType: 'CONVERSATION' }, 'interactionId');
  const draft = await saveDraft({ title: 'Spring letter', content: 'Emissions fall by a third.' });
  // Failed deliveries would change it at any time, and its screens ask again.
  const webhook = await createWebhook({ ...deadWebhook, label: 'Ours', isActive: false });
  const comparison = await compare({ theme: 'emissions' });
  const link = await createOpenedLink('Launch');
  const filter = await hideDocument(second);
  const tag = await createTag(document);
  await registerOperation(unique('web'));
  await createSavedSearch({ name: unique('Wardens'), filter: { q: wardens } });
  const source = await createSource({ name: `Paper of ${wardens}`, isPaused: true });
  const company = `Tidewall of ${wardens}`;
  await createDocument('The plan of a company', undefined, 'Ada Example', { company });
  const screen = (path: string, heading: string, query = heading, checks: string[] = []) => ({
    path,
    heading,
    query,
    checks,
  });
  return {
    home: screen('/', 'Home'),
    documents: screen('/documents', 'Documents'),
    document: screen(`/documents/${document}`, 'The plan for the harbour', 'DocumentScreen'),
    personas: screen('/personas', 'Personas'),
    persona: screen(`/personas/${persona}`, wardens, 'PersonaScreen'),
    audience: screen('/audience', 'Audience'),
    executives: screen('/executives', 'Executives'),
    executive: screen('/executives/Ada%20Example', 'Ada Example', 'ExecutiveScreen'),
    comparison: screen(`/comparisons/${comparison}`, 'emissions', 'ComparisonScreen'),
    drafts: screen('/drafts', 'Drafts'),
    draft: screen(`/drafts/${draft}`, 'Spring letter', 'DraftScreen', [
      'AnalyzeText',
      'CheckHouseRules',
    ]),
    links: screen('/links', 'Links'),
    link: screen(`/links/${link}`, 'Launch', 'LinkScreen'),
    webhooks: screen('/webhooks', 'Webhooks'),
    webhook: screen(`/webhooks/${webhook}`, 'Ours', 'WebhookScreen'),
    filters: screen('/filters', 'Filters and tags', 'Filters'),
    filter: screen(`/filters/${filter.id}`, filter.name, 'FilterScreen'),
    tag: screen(`/filters/tags/${tag.id}`, tag.name, 'TagScreen'),
    settings: screen('/settings', 'Settings'),
    members: screen('/members', 'Members'),
    companies: screen('/companies', 'Companies'),
    company: screen(`/companies/${encodeURIComponent(company)}`, company, 'CompanyScreen'),
    groups: screen('/audience/groups', 'Audience groups', 'Groups'),
    sources: screen('/sources', 'Sources'),
    source: screen(`/sources/${source}`, `Paper of ${wardens}`, 'SourceScreen'),
    operations: screen('/operations', 'Operations of front ends', 'Operations'),
    bulk: screen('/bulk', 'Lists as files', 'BulkFiles'),
    houseRules: screen('/house-rules', 'House rules', 'HouseRules'),
    trash: screen('/trash', 'Deleted documents', 'Trash'),
    quotes: screen('/quotes', 'Quotes'),
    searches: screen('/searches', 'Searches'),
  };
}

/** Compares executives, with a strategic map, and returns the id of the comparison. */
export async function compare(input: object): Promise<string> {
  const complete = { executives: ['Ada Example', 'Bo Example'], strategicMap: true, ...input };
  await mutate('compareInsights', complete, 'comparison { theme }');
  return (await graph('{ comparisons(first: 1) { nodes { id } } }')).comparisons.nodes[0].id;
}

/** Creates a filter, and has it hide a document. */
export async function hideDocument(documentId: string) {
  const selection = 'tag { id autoTagId name }';
  const { tag } = await mutate('createFilterTag', { name: unique('Harbour') }, selection);
  await mutate('excludeDocument', { tagId: tag.autoTagId, documentId }, 'alreadyHidden');
  return tag as { id: string; autoTagId: string; name: string };
}

/** Creates an auto-tag, and applies it to a document. */
async function createTag(documentId: string) {
  const input = { name: unique('Place'), tagType: 'topic', allowedValues: ['harbour', 'market'] };
  const { autoTag } = await mutate('createAutoTag', input, 'autoTag { id name }');
  await mutate('applyAutoTags', { documentId, autoTagIds: [autoTag.id] }, 'documentId');
  return autoTag as { id: string; name: string };
}

/** Creates a link that three viewers have opened, of whom one has clicked, and returns its id. */
export async function createOpenedLink(title: string) {
  const { id, slug, shortUrl } = await createLink({ title });
  for (let viewer = 0; viewer < 3; viewer++) {
    await openLink(shortUrl, viewer);
  }
  const query = 'query($id: ID!) { link(id: $id) { sessions(first: 3) { nodes { id } } } }';
  const sessions = async () => (await graph(query, { id })).link.sessions.nodes;
  await expect.poll(sessions).toHaveLength(3);
  const [{ id: session }] = await sessions();
  const body = new URLSearchParams({ session_id: session, type: 'cta_click', value: 'Join us' });
  const address = `${gateway}/api/public/links/${slug}/conversions`;
  expect((await fetch(address, { method: 'POST', body })).status).toBe(202);
  return id;
}
