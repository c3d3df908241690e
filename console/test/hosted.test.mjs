// Hosted pages as their viewers use them: what each page view reports, also without beacons, and the form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awaitSuccess, openScreen } from './browser.mjs';
import { graph, viewerAgent } from './gateway.mjs';

const hostedLink = `query($id: ID!) {
  link(id: $id) { openCount conversionCount submissionCount sessions { nodes { conversions { nodes { type value } } submissions { nodes { data } } } } }
}`;

const create = 'mutation($input: CreateLinkInput!) { createLink(input: $input) { link { id shortUrl } } }';

/** Creates a hosted page. */
async function createPage(input) {
  const { createLink } = await graph(create, { input: { kind: 'PAGE', title: 'Harbour day', ...input } });
  return createLink.link;
}

/** Opens a hosted page as a viewer whose browser is changed first by a script. */
const openPage = (t, { shortUrl }, script) =>
  openScreen(t, '', {
    address: shortUrl,
    own: /^\/(?:l\/|api\/public\/links\/|favicon\.ico$)/,
    headers: { 'User-Agent': viewerAgent, 'Sec-CH-UA': '"Chromium";v="150"' }, // a browser without windows is no viewer
    isNew: true,
    prepare: (page) => script && page.addInitScript(script),
  });

/** Returns how many reports of a type a page has sent. */
const countReports = (log, type) => log.requests.filter((request) => request.startsWith('POST /api/public/links/') && request.endsWith(`/${type}`)).length;

/** Waits until the link has the opens, conversions and submissions, and returns its only session. */
const awaitSession = ({ id }, counts) =>
  awaitSuccess(async () => {
    const { sessions, ...stored } = (await graph(hostedLink, { id })).link;
    assert.deepEqual(stored, counts);
    assert.equal(sessions.nodes.length, 1);
    return sessions.nodes[0];
  });

const browsers = {
  'with beacons': '',
  'without beacons': 'delete Navigator.prototype.sendBeacon',
  'whose queue of beacons is full': 'Navigator.prototype.sendBeacon = () => false',
};

test('a page reports each thing that happens on it once', { concurrency: 1 }, async (t) => {
  const long = '<p>The harbour is open to all.</p>'.repeat(200);
  for (const [name, script] of Object.entries(browsers)) {
    await t.test(`in a browser ${name}`, async (t) => {
      const link = await createPage({ body: `<p><a href="#more" data-cta="Call  me"><b>Call</b></a></p><p><a href="#more" data-cta>Buy now</a></p>${long}<p id="more">The end.</p>` });
      const { page, log } = await openPage(t, link, script);
      await page.locator('h1').waitFor();
      await awaitSession(link, { openCount: 1, conversionCount: 0, submissionCount: 0 });
      for (const target of ['[data-cta] b', '[data-cta] b', '[data-cta=""]']) {
        await page.locator(target).dispatchEvent('click');
      }
      await page.evaluate(() => {
        globalThis.rostrum.convert('signed up');
        globalThis.rostrum.convert('signed up');
        scrollTo(0, document.documentElement.scrollHeight);
      });
      const { conversions } = await awaitSession(link, { openCount: 1, conversionCount: 7, submissionCount: 0 });
      assert.deepEqual(conversions.nodes.map(({ type, value }) => `${type} ${value}`).toSorted(), [
        'CTA_CLICK Buy now', 'CTA_CLICK Call me', 'CUSTOM signed up', 'SCROLL_100 100', 'SCROLL_25 25', 'SCROLL_50 50', 'SCROLL_75 75',
      ]);
      await awaitSuccess(() => assert.deepEqual([countReports(log, 'views'), countReports(log, 'conversions')], [1, 7])); // the browser names a request after its response
    });
  }
});

test('a short page has its style, reports no depth, and its form is accepted', async (t) => {
  const link = await createPage({ body: 'Ask us.', form: { fields: [{ name: 'email', label: 'Email', type: 'EMAIL', required: true }] } });
  const { page } = await openPage(t, link);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).margin), '0px');
  await page.evaluate(() => scrollBy(0, 10));
  await page.getByLabel('Email').fill('ines@example.org');
  await page.locator('form button').click();
  await page.locator('main.notice').waitFor();
  const { conversions, submissions } = await awaitSession(link, { openCount: 1, conversionCount: 0, submissionCount: 1 });
  assert.deepEqual(conversions.nodes, []);
  assert.deepEqual(submissions.nodes.map(({ data }) => data), [{ email: 'ines@example.org' }]);
});
