// Every screen follows what it shows: the end of a short job and what another session changes are
// shown without a reload. A screen that is new in rows.ts needs a change here.
import type { Locator } from '@playwright/test';
import { expect, type Page, test } from './fixtures';
import {
  awaitJob,
  createDocument,
  createHouseRule,
  createLink,
  createPersona,
  createReader,
  createSavedSearch,
  createSource,
  createWebhook,
  deadWebhook,
  extractSignals,
  gateway,
  mutate,
  openLink,
  peer,
  registerOperation,
  runJob,
  saveDraft,
  startBulkQuery,
  unique,
} from './gateway';
import { compare, hideDocument, screenNames } from './rows';
import { awaitContent, openScreen, region } from './screen';

/** A change of another session: the screen that shows it, and what it shows after. */
interface Change {
  path: string;
  run: () => Promise<unknown>;
  shows: (page: Page) => Locator;
}

const link = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('link', { name, exact: true });

const quoteOf = (name: string) => (page: Page) =>
  page.getByRole('main').locator('[data-quote]').filter({ hasText: name });

const title = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name });

/** How another session changes what each screen shows; name is unique. */
const changes: Record<(typeof screenNames)[number], (name: string) => Change | Promise<Change>> = {
  home: (name) => ({ path: '/', run: () => createDocument(name), shows: link(name) }),
  documents: (name) => ({
    path: '/documents',
    run: () => createDocument(name),
    shows: (page) => page.getByRole('button', { name: /^\d+ new documents?: show$/ }),
  }),
  document: async (name) => {
    const id = await createDocument(name);
    return {
      path: `/documents/${id}`,
      run: () => extractSignals(id),
      shows: (page) => region(page, 'Signals').locator('.rows').getByText('Emissions fall').first(),
    };
  },
  personas: (name) => ({
    path: '/personas',
    run: () => createPersona({ name }),
    shows: link(name),
  }),
  persona: async (name) => {
    const personaId = await createPersona({ name });
    return {
      path: `/personas/${personaId}`,
      run: () =>
        mutate('updatePersona', { personaId, name: `${name} too` }, 'persona { id }', peer),
      shows: title(`${name} too`),
    };
  },
  audience: (name) => ({
    path: '/audience',
    run: () => createReader(name),
    shows: (page) =>
      page
        .getByRole('main')
        .getByText(new RegExp(`^${name}`))
        .first(),
  }),
  executives: (name) => ({
    path: '/executives',
    run: () => createDocument(`Speech of ${name}`, undefined, `Cy ${name}`),
    shows: link(`Cy ${name}`),
  }),
  executive: async (name) => {
    const executive = `Di ${name}`;
    await createDocument(`First speech of ${name}`, undefined, executive);
    return {
      path: `/executives/${encodeURIComponent(executive)}`,
      run: () => createDocument(`Second speech of ${name}`, undefined, executive),
      shows: link(`Second speech of ${name}`),
    };
  },
  comparison: async (name) => {
    const texts = { 'Ada Example': 'fall by a third', 'Bo Example': 'rise by a tenth' };
    const documents = await Promise.all(
      Object.entries(texts).map(([who, what]) =>
        createDocument(`${name} of ${who}`, `“Emissions ${what},” said ${who}.`, who),
      ),
    );
    for (const id of documents) {
      await extractSignals(id);
    }
    const id = await compare({ theme: 'emissions', focusQuestion: `${name}?` });
    const remove = (documentId: string) =>
      mutate('deleteDocument', { documentId }, 'deletedId', peer);
    return {
      path: `/comparisons/${id}`,
      run: () => Promise.all(documents.map(remove)), // which the comparison cites
      shows: (page) =>
        page.getByRole('main').getByText('There is nothing at this address, or it was deleted.'),
    };
  },
  drafts: (name) => ({
    path: '/drafts',
    run: () => saveDraft({ title: name, content: 'A text.' }, peer),
    shows: link(name),
  }),
  draft: async (name) => {
    const draftId = await saveDraft({ title: name, content: 'A text.' });
    return {
      path: `/drafts/${draftId}`,
      run: () => saveDraft({ draftId, title: `${name} too` }, peer),
      shows: title(`${name} too`),
    };
  },
  links: (name) => ({
    path: '/links',
    run: () => createLink({ title: name }, peer),
    shows: link(name),
  }),
  link: async (name) => {
    const { id, shortUrl } = await createLink({ title: name });
    return {
      path: `/links/${id}`,
      run: () => openLink(shortUrl.replace(gateway, peer)),
      shows: (page) => region(page, 'Over time').getByRole('img'),
    };
  },
  webhooks: (name) => ({
    path: '/webhooks',
    run: () => createWebhook({ ...deadWebhook, label: name, isActive: false }, peer),
    shows: link(name),
  }),
  webhook: async (name) => {
    const webhookId = await createWebhook({ ...deadWebhook, label: name, isActive: false });
    return {
      path: `/webhooks/${webhookId}`,
      run: () =>
        mutate('updateWebhook', { webhookId, label: `${name} too` }, 'webhook { id }', peer),
      shows: title(`${name} too`),
    };
  },
  filters: (name) => ({
    path: '/filters',
    run: () => mutate('createAutoTag', { name, tagType: 'topic' }, 'autoTag { id }', peer),
    shows: (page) => region(page, 'Auto-tags').getByText(name, { exact: true }),
  }),
  filter: async (name) => {
    const { id, autoTagId } = await hideDocument(await createDocument(`Hidden of ${name}`));
    return {
      path: `/filters/${id}`,
      run: () => mutate('updateFilterTag', { tagId: autoTagId, name }, 'tag { id }', peer),
      shows: title(name),
    };
  },
  tag: async (name) => {
    const { autoTag } = await mutate('createAutoTag', { name, tagType: 'topic' }, 'autoTag { id }');
    const input = { autoTagId: autoTag.id, name: `${name} too` };
    return {
      path: `/filters/tags/${autoTag.id}`,
      run: () => mutate('updateAutoTag', input, 'autoTag { id }', peer),
      shows: title(`${name} too`),
    };
  },
  companies: (name) => ({
    path: `/companies?name=${encodeURIComponent(name)}`,
    run: () => createDocument(`Text of ${name}`, undefined, undefined, { company: name }),
    shows: link(name),
  }),
  company: async (name) => {
    const company = `Company ${name}`;
    await createDocument(`First text of ${name}`, undefined, undefined, { company });
    return {
      path: `/companies/${encodeURIComponent(company)}`,
      run: () => createDocument(`Second text of ${name}`, undefined, undefined, { company }),
      shows: link(`Second text of ${name}`),
    };
  },
  groups: (name) => ({
    path: '/audience/groups',
    run: () => createPersona({ name, category: name }),
    shows: link(name),
  }),
  sources: (name) => {
    const sourceUrls = [`http://127.0.0.1:9/${name.replaceAll(' ', '-')}`];
    let id = '';
    return {
      path: '/sources',
      run: async () =>
        (id = (await mutate('startBackload', { sourceUrls, dryRun: true }, 'jobId', peer)).jobId),
      shows: (page) => page.locator(`[data-job="${id}"]`),
    };
  },
  searches: (name) => ({
    path: '/searches',
    run: () => createSavedSearch({ name, filter: { q: `"${name}"` } }, peer),
    shows: link(name),
  }),
  operations: (name) => ({
    path: '/operations',
    run: () => registerOperation(name, peer),
    shows: (page) => page.locator('[data-version]').filter({ hasText: name }),
  }),
  bulk: (name) => ({
    path: '/bulk',
    run: () => startBulkQuery(name, peer),
    shows: (page) => page.locator('[data-job]').filter({ hasText: name }),
  }),
  houseRules: (name) => ({
    path: '/house-rules',
    run: () => createHouseRule(name, peer),
    shows: (page) => page.getByRole('main').getByText(name),
  }),
  trash: async (name) => {
    const documentId = await createDocument(name);
    return {
      path: '/trash',
      run: () => mutate('deleteDocument', { documentId }, 'deletedId', peer),
      shows: (page) => page.getByRole('main').getByText(name),
    };
  },
  source: async (name) => {
    const sourceId = await createSource({ name, isPaused: true });
    return {
      path: `/sources/${sourceId}`,
      run: () => mutate('updateSource', { sourceId, tags: [name] }, 'source { id }', peer),
      shows: (page) => region(page, 'Settings and state').getByText(name, { exact: true }),
    };
  },
  quotes: async (name) => {
    const said = `Emissions at ${name} fall by a third, said Ada Example.`;
    const documentId = await createDocument(name, said);
    return { path: '/quotes', run: () => extractSignals(documentId), shows: quoteOf(name) };
  },
  settings: (name) => ({
    path: '/settings',
    run: () => mutate('mintKey', { name, scopes: ['READ'] }, 'key { id }', peer),
    shows: (page) => region(page, 'Keys').getByText(name, { exact: true }),
  }),
  members: (name) => {
    const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@example.org`;
    return {
      path: '/members',
      run: () => mutate('inviteMember', { email, role: 'VIEWER' }, 'link', peer),
      shows: (page) => region(page, 'Open invites').getByText(email),
    };
  },
};

test.describe('what another session changes is shown', () => {
  for (const name of screenNames) {
    test(name, async ({ page }) => {
      const { path, run, shows } = await changes[name](unique('Followed'));
      await openScreen(page, path);
      await expect(shows(page)).toHaveCount(0);
      await page.evaluate(() => document.body.setAttribute('data-first', ''));
      await run();
      await expect(shows(page)).toBeVisible();
      await expect(page.locator('body[data-first]'), 'no reload').toBeAttached();
    });
  }
});

test.describe('the end of a job loads what is shown again', () => {
  for (const name of screenNames) {
    test(name, async ({ page, log, screens }) => {
      const documentId = await createDocument(unique('Read already'));
      await extractSignals(documentId); // the job finds its statements, so that only its end happens
      await openScreen(page, screens[name].path);
      const before = log.operations.length;
      const { job } = await mutate('startSignalExtraction', { documentId }, 'job { id }', peer);
      await awaitJob(job.id);
      await expect
        .poll(() => log.operations.slice(before))
        .toContain(`query ${screens[name].query}`);
      await awaitContent(page);
    });
  }
});

test('all reactions and statements of short jobs are shown, and the counts of jobs do not drift', async ({
  page,
  context,
}) => {
  const category = unique('Readers');
  for (let i = 0; i < 3; i++) {
    await createPersona({ name: `${category} ${i}`, category, concerns: 'emissions' });
  }
  const id = await createDocument(`${category}, a text`);
  const home = await context.newPage();
  await openScreen(home, '/');
  await openScreen(page, `/documents/${id}`);
  await page.getByRole('button', { name: 'Collect reactions' }).click();
  const reactions = region(page, 'Reactions').locator('.rows');
  for (let i = 0; i < 3; i++) {
    await expect(reactions.getByText(`${category} ${i}`, { exact: true })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Find signals' }).click();
  await expect(
    region(page, 'Signals').locator('.rows').getByRole('listitem').first(),
  ).toBeVisible();
  await Promise.all(
    Array.from({ length: 12 }, () => runJob('startSignalExtraction', { documentId: id })),
  );
  await expect(home.getByRole('heading', { name: '0 jobs at work' })).toBeVisible();
  await expect(home.locator('[data-job]').getByText(/^(queued|running)$/)).toHaveCount(0);
});

test('relative times go on', async ({ page }) => {
  const name = unique('Ageing');
  await createDocument(name);
  await page.clock.install();
  await openScreen(page, '/');
  const row = page.locator('[data-document]', { hasText: name });
  await expect(row.getByText(/now|seconds? ago/)).toBeVisible();
  await page.clock.fastForward('05:00');
  await expect(row.getByText(/[5-9] minutes ago/)).toBeVisible();
});
