// A workspace gives its hosted pages a brand; a published draft has it, and the newsroom lists it.
import { deflateSync } from 'node:zlib';
import { expect, type Page, test } from './fixtures';
import { graph, mutate, saveDraft, unique } from './gateway';
import { checkAccess, checkPhone, checkWidth, openScreen, phone, region } from './screen';

test.use({
  ownPaths: /^\/(?:console\/|graphql$|api\/public\/|l\/|newsroom\/|brand\/|favicon\.ico$)/,
});

const brandForm = (page: Page) => region(page, 'Brand of the hosted pages');

/** Publishes a text and returns the address of its page. */
async function publish(title: string, content: string, language: string): Promise<string> {
  const draftId = await saveDraft({ title, content, contentType: 'markdown' });
  const query = 'query($id: ID!) { draft(id: $id) { currentVersion { id } } }';
  const { draft } = await graph(query, { id: draftId });
  const versionId = draft.currentVersion.id;
  await mutate('requestDraftReview', { draftId }, 'draft { id }');
  await mutate('approveDraft', { draftId, versionId }, 'draft { id }');
  const input = { draftId, versionId, language };
  const { link } = await mutate('publishDraft', input, 'link { shortUrl }');
  return link.shortUrl;
}

/** Returns a PNG of one colour. */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const out = Buffer.alloc(8 + body.length);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(checksum(body), 4 + body.length);
    return out;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8); // 8 bits, RGB
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(3 * width, 90)]);
  const lines = Buffer.concat(Array.from({ length: height }, () => line));
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The checksum of a chunk of a PNG (CRC-32). */
function checksum(data: Buffer): number {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
    }
  }
  return ~crc >>> 0;
}

/** Checks a public page in both colour schemes, on a wide and on a narrow screen. */
async function checkPublic(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, phone]) {
      await page.setViewportSize({ width, height: 900 });
      await checkAccess(page, `${name}, ${colorScheme}, ${width}`);
      await checkWidth(page);
    }
  }
}

test('a brand is set, and pages and the newsroom show it', async ({ page, context }) => {
  const slug = `room-${Date.now()}`;
  await openScreen(page, '/settings');
  const form = brandForm(page);
  await form.getByLabel('Name of the publisher').fill('Tidewall');
  await form.getByLabel('Accent colour').fill('#ffcc00');
  await form.getByRole('button', { name: 'Save the brand' }).click();
  await expect(form.getByText(/has a contrast of 1\.5\d : 1 to white/)).toBeVisible();
  await form.getByLabel('Accent colour').fill('#0a5c36');
  await form.getByLabel('Imprint', { exact: true }).fill('Tidewall AG\nQuay 1, Brackwell');
  await form.getByLabel('Address of the privacy policy').fill('https://example.org/privacy');
  await form.getByLabel('Short name of the newsroom').fill(slug);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    form.getByLabel('New logo').click(),
  ]);
  await chooser.setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: picture(120, 40) });
  await form.getByRole('button', { name: 'Save the brand' }).click();
  await expect(form.getByText('120 × 40 pixels')).toBeVisible();
  const address = form.getByRole('link', { name: new RegExp(`/newsroom/${slug}$`) });
  await expect(address).toBeVisible();
  await checkAccess(page, 'the settings with a brand');
  await checkPhone(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  const newsroom = (await address.getAttribute('href')) ?? '';

  const title = unique('Harbour letter');
  const english = await publish(title, 'The harbour opens in **March**. It is large.', 'en');
  const arabic = await publish('الميناء', 'يفتح الميناء في مارس.', 'ar');

  const visitor = await context.newPage();
  await visitor.goto(english);
  await expect(visitor.getByRole('banner').getByRole('img', { name: 'Tidewall' })).toBeVisible();
  await expect(visitor.getByRole('contentinfo')).toContainText('Quay 1, Brackwell');
  await expect(visitor.locator('meta[property="og:description"]')).toHaveAttribute(
    'content',
    'The harbour opens in March. It is large.',
  );
  await checkPublic(visitor, 'a page with a brand');
  await visitor.goto(arabic);
  await expect(visitor.locator('html')).toHaveAttribute('dir', 'rtl');
  await checkPublic(visitor, 'a page from right to left');

  await visitor.goto(newsroom);
  await expect(visitor.locator('link[type="application/atom+xml"]')).toBeAttached();
  await checkPublic(visitor, 'the newsroom');
  await visitor.getByRole('link', { name: title }).click();
  await expect(visitor.locator('h1')).toHaveText(title);
  await visitor.getByRole('banner').getByRole('link', { name: 'Tidewall' }).click();
  expect(visitor.url()).toBe(newsroom);
  await visitor.close();

  await form.getByLabel('Show no logo').check();
  await form.getByLabel('Short name of the newsroom').fill('');
  await form.getByLabel('Name of the publisher').fill('');
  await form.getByRole('button', { name: 'Save the brand' }).click();
  await expect(form.getByLabel('Show no logo')).toHaveCount(0);
});
