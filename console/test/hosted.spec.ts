// Hosted pages as their viewers use them: what each page view reports, also without beacons, and
// the form.
import { expect, type Log, test } from './fixtures';
import { createLink, type Data, graph, viewerAgent } from './gateway';
import { checkAccess, expectInvalid } from './screen';

test.use({
  ownPaths: /^\/(?:l\/|api\/public\/links\/|favicon\.ico$)/,
  userAgent: viewerAgent,
  extraHTTPHeaders: { 'Sec-CH-UA': '"Chromium";v="150"' }, // a browser without windows is no viewer
});

const hostedLink = `query($id: ID!) {
  link(id: $id) {
    openCount conversionCount submissionCount scrollCounts { percent sessions }
    sessions { nodes { conversions { nodes { type value } } submissions { nodes { data } } } }
  }
}`;

const createPage = (input: object) => createLink({ kind: 'PAGE', title: 'Harbour day', ...input });

/** Returns how many reports of a type a page has sent. */
const countReports = (log: Log, type: string) =>
  log.requests.filter((name) => new RegExp(`^POST /api/public/links/.*/${type}$`).test(name))
    .length;

/** Waits until the link has one session and the counts, and returns the session. */
async function readSession(id: string, conversionCount: number, submissionCount: number) {
  const read = async () => (await graph(hostedLink, { id })).link;
  const counts = { openCount: 1, conversionCount, submissionCount };
  await expect.poll(read).toMatchObject({ ...counts, sessions: { nodes: [{}] } });
  return (await read()).sessions.nodes[0];
}

const browsers = {
  'with beacons': '',
  'without beacons': 'delete Navigator.prototype.sendBeacon',
  'whose queue of beacons is full': 'Navigator.prototype.sendBeacon = () => false',
};

test.describe('a page reports each thing that happens on it once', () => {
  const calls = '<a href="#more" data-cta="Call  me"><b>Call</b></a>';
  const buys = '<a href="#more" data-cta>Buy now</a>';
  const long = '<p>The harbour is open to all.</p>'.repeat(200);
  const body = `<p>${calls}</p><p>${buys}</p>${long}<p id="more">The end.</p>`;
  for (const [name, script] of Object.entries(browsers)) {
    test(`in a browser ${name}`, async ({ page, log }) => {
      const { id, shortUrl } = await createPage({ body });
      await page.addInitScript(script);
      await page.goto(shortUrl);
      await expect(page.locator('h1')).toBeVisible();
      await readSession(id, 0, 0);
      for (const target of ['[data-cta] b', '[data-cta] b', '[data-cta=""]']) {
        await page.locator(target).dispatchEvent('click');
      }
      await page.evaluate(`
        rostrum.convert('signed up');
        rostrum.convert('signed up');
        scrollTo(0, document.documentElement.scrollHeight)`);
      const { conversions } = await readSession(id, 3, 0);
      const reported = conversions.nodes.map(({ type, value }: Data) => `${type} ${value}`);
      expect(reported.toSorted()).toEqual([
        ...['CTA_CLICK Buy now', 'CTA_CLICK Call me', 'CUSTOM signed up'],
      ]);
      const depths = async () => (await graph(hostedLink, { id })).link.scrollCounts;
      await expect.poll(depths).toHaveLength(4);
      // The browser names a request after its response.
      await expect.poll(() => countReports(log, 'views')).toBe(1);
      await expect.poll(() => countReports(log, 'conversions')).toBe(7);
    });
  }
});

test('a short page has its style, reports no depth, and its form is accepted', async ({ page }) => {
  const fields = [{ name: 'email', label: 'Email', type: 'EMAIL', required: true }];
  const { id, shortUrl } = await createPage({ body: 'Ask us.', form: { fields } });
  await page.goto(shortUrl);
  await expect(page.locator('body')).toHaveCSS('margin', '0px');
  await page.evaluate(() => scrollBy(0, 10));
  await page.getByLabel('Email').fill('ines@example.org');
  await page.locator('form button').click();
  await expect(page.locator('main.notice')).toBeVisible();
  const { conversions, submissions } = await readSession(id, 1, 1);
  expect(conversions.nodes).toEqual([]);
  expect(submissions.nodes).toEqual([{ data: { email: 'ines@example.org' } }]);
});

test.describe('a link with a password opens after the right one', () => {
  const password = 'Tide & tables, 2026';
  const opens = async (id: string) => (await graph(hostedLink, { id })).link.openCount;

  for (const javaScriptEnabled of [true, false]) {
    test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
      test.use({ javaScriptEnabled, locale: 'de-DE' });

      test('a page, in the language of its reader', async ({ page }) => {
        const { id, shortUrl } = await createPage({ body: 'The plan.', password });
        await page.goto(`${shortUrl}?utm_source=mail`);
        await expect(page.locator('h1')).toHaveText('Passwort erforderlich');
        await page.getByLabel('Passwort').fill('not this one');
        await page.getByRole('button', { name: 'Öffnen' }).click();
        await expectInvalid(page.getByLabel('Passwort'));
        await expect(page.getByRole('alert')).toHaveText('Das ist nicht das Passwort.');
        if (javaScriptEnabled) {
          await checkAccess(page, 'a page that asks for a password');
        }
        expect(await opens(id)).toBe(0);
        await page.getByLabel('Passwort').fill(password);
        await page.keyboard.press('Enter');
        await expect(page.locator('h1')).toHaveText('Harbour day');
        expect(page.url()).toBe(`${shortUrl}?utm_source=mail`);
        await page.reload();
        await expect(page.locator('h1')).toHaveText('Harbour day');
        if (javaScriptEnabled) {
          await expect.poll(() => opens(id)).toBe(1);
        }
      });

      test('a redirect', async ({ page }) => {
        const next = await createPage({ body: 'The plan.' });
        const { id, shortUrl } = await createLink({ destinationUrl: next.shortUrl, password });
        await page.goto(shortUrl);
        await page.getByLabel('Passwort').fill(password);
        await page.getByRole('button', { name: 'Öffnen' }).click();
        await expect(page.locator('h1')).toHaveText('Harbour day');
        expect(page.url()).toBe(next.shortUrl);
        await expect.poll(() => opens(id)).toBe(1);
      });
    });
  }
});

test('a link whose opens are used up says so in the language of its reader', async ({
  browser,
}) => {
  const { shortUrl } = await createPage({ body: 'The plan.', maxOpens: 1 });
  for (const title of ['Harbour day', 'Dieser Link ist beendet']) {
    const context = await browser.newContext({ locale: 'de-DE', userAgent: viewerAgent });
    const page = await context.newPage();
    await page.goto(shortUrl);
    await expect(page.locator('h1')).toHaveText(title);
    await context.close();
  }
});
