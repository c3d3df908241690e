// The console of a gateway that runs only stored operations and those of its console.
import { expect, test } from './fixtures';
import { gateway, key } from './gateway';
import { heading, openScreen } from './screen';

test('every screen works where only stored operations run', async ({ page, screens }) => {
  const refused: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('/graphql') && (await response.text()).includes('not_trusted')) {
      refused.push(response.request().postData() ?? '');
    }
  });
  for (const { path, heading: title } of Object.values(screens)) {
    await openScreen(page, path);
    await expect(heading(page, title)).toBeVisible();
  }
  expect(refused).toEqual([]);
});

test('an operation that is not stored is refused there', async () => {
  const response = await fetch(`${gateway}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ query: '{ documentCount }' }),
  });
  expect(await response.text()).toContain('document_not_trusted');
});
